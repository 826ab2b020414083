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

#[cfg(test)]
mod tests {
    use super::*;
    use crumple::{Body, Mesh, Scene};
    use crumple_io::report::{ContactRecord, ContainedRecord};

    /// A corner of a cube, of this size.
    fn corner(size: f32, at: f32) -> Body {
        let mesh = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
        let positions = [[at; 3], [at + size, at, at], [at, at + size, at], [at, at, at + size]];
        Body::new(mesh, &positions).unwrap()
    }

    fn contact(a: u32, b: u32) -> ContactRecord<'static> {
        ContactRecord { a, b, count: 1, depth: None, area: None, volume: None, pairs: None }
    }

    #[test]
    fn vertices_inside_the_other_body_are_shaded_and_those_on_its_surface_are_not() {
        let mut scene = Scene::new();
        scene.add(corner(1.0, 0.0));
        // A triangle, so without an inside: one vertex inside the first body, one on its surface, one outside.
        let cloth = [[0.25, 0.25, 0.125], [0.25, 0.25, 0.0], [4.0, 4.0, 4.0]];
        scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &cloth).unwrap());
        let now = scene.update().unwrap();
        let mut shading = Shading::default();
        let record = report::Frame { contacts: vec![contact(0, 1), contact(0, 0)], ..report::Frame::default() };
        let expected = DepthsShown { inner: 1, outer: 0, vertices: vec![(0, 0.125)] };
        assert_eq!(shading.of(now, &record).unwrap(), [expected]);
        assert!(shading.of(now, &report::Frame::default()).unwrap().is_empty());
    }

    #[test]
    fn a_body_inside_another_is_shaded_as_a_whole() {
        let mut scene = Scene::new();
        scene.add(corner(8.0, 0.0));
        scene.add(corner(1.0, 0.5));
        let contained = vec![ContainedRecord { inner: 1, outer: 0, volume: None }];
        let record = report::Frame { contained, ..report::Frame::default() };
        let mut shading = Shading::default();
        let [shown] = shading.of(scene.update().unwrap(), &record).unwrap() else { panic!("one group") };
        assert_eq!((shown.inner, shown.outer), (1, 0));
        assert_eq!(shown.vertices, [(0, 0.5), (1, 0.5), (2, 0.5), (3, 0.5)]);
    }
}
