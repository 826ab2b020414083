//! The depths that a page shades: vertices of a body inside another that it meets, or that encloses it.

use anyhow::Result;
use crumple::{BodyId, Frame, VertexDepth};
use crumple_io::report;
use crumple_io::write::DepthsShown;

/// The depths of one frame after another.
#[derive(Debug, Default)]
pub(super) struct Shading {
    shown: Vec<DepthsShown>,
    found: Vec<VertexDepth>,
}

impl Shading {
    /// The vertices inside other bodies, for every contact of a frame and every body inside another. A body without an inside
    /// has no vertices in it.
    pub(super) fn of(&mut self, now: Frame<'_>, record: &report::Frame<'_>) -> Result<&[DepthsShown]> {
        let ids: Vec<BodyId> = now.bodies().map(|(id, _)| id).collect();
        self.shown.clear();
        let contacts = record.contacts.iter().filter(|contact| contact.a != contact.b);
        let meeting = contacts.flat_map(|contact| [(contact.a, contact.b), (contact.b, contact.a)]);
        let contained = record.contained.iter().map(|contained| (contained.inner, contained.outer));
        for (inner, outer) in meeting.chain(contained) {
            let (inner_id, outer_id) = (ids[inner as usize], ids[outer as usize]);
            let mesh = now.body(outer_id)?.mesh();
            if mesh.live_count() == 0 || !mesh.topology().is_solid() {
                continue;
            }
            now.depths(inner_id, outer_id, &mut self.found)?;
            // A vertex in the surface is not swallowed.
            let inside = self.found.iter().filter(|of| of.depth > 0.0);
            let vertices: Vec<(u32, f32)> = inside.map(|of| (of.vertex.0, of.depth as f32)).collect();
            if !vertices.is_empty() {
                self.shown.push(DepthsShown { inner, outer, vertices });
            }
        }
        Ok(&self.shown)
    }
}
