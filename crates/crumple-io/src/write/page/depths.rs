//! How deep vertices lie inside other bodies, packed at the end of a frame.
//!
//! ```text
//! a frame        … count groups; a group: count inner body, count outer body, f32 its deepest, count vertices;
//!                a vertex: step from the one before, u8 depth in 255ths of the deepest
//! ```
//!
//! Depths are drawn, not measured: 255 levels are more than a colour scale shows. How deep the deepest of all frames is, which
//! is the end of that scale, is known when the last frame is: so each group has a scale of its own.

use std::io::Write;

use super::bytes::{put_count, put_floats, put_step};
use super::{PageError, PageWriter};

/// Vertices of one body that lie inside another, for the page to shade.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthsShown {
    /// The body the vertices belong to.
    pub inner: u32,
    /// The body they lie in.
    pub outer: u32,
    /// Vertices in increasing order, each with its depth.
    pub vertices: Vec<(u32, f32)>,
}

impl DepthsShown {
    /// The largest depth; 0 if there is no vertex.
    pub(super) fn deepest(&self) -> f32 {
        self.vertices.iter().map(|(_, depth)| *depth).filter(|depth| depth.is_finite()).fold(0.0, f32::max)
    }
}

/// Appends the depths of a frame; groups without a depth above 0 are left out.
pub(super) fn put_depths(out: &mut Vec<u8>, depths: &[DepthsShown]) {
    let groups = || depths.iter().map(|group| (group, group.deepest())).filter(|(_, deepest)| *deepest > 0.0);
    put_count(out, groups().count() as u64);
    for (group, deepest) in groups() {
        put_count(out, u64::from(group.inner));
        put_count(out, u64::from(group.outer));
        put_floats(out, &[deepest]);
        put_count(out, group.vertices.len() as u64);
        let mut before = 0;
        for &(vertex, depth) in &group.vertices {
            put_step(out, before, vertex);
            before = vertex;
            out.push((f64::from(depth) / f64::from(deepest) * 255.0).round() as u8);
        }
    }
}

impl<W: Write> PageWriter<W> {
    /// Vertices inside other bodies are shaded by their depth, as [`PageFrame::depths`](super::PageFrame::depths) says.
    pub fn with_depths(mut self) -> Self {
        self.head.deepest = Some(0.0);
        self
    }

    /// Checks that depths fit the bodies of the page.
    pub(super) fn check_depths(&self, frame: u64, depths: &[DepthsShown]) -> Result<(), PageError> {
        let check = |what, given: u32, len: usize| {
            if (given as usize) < len { Ok(()) } else { Err(PageError::NoSuch { frame, what, given, len }) }
        };
        for group in depths {
            check("body", group.inner, self.motions.len())?;
            check("body", group.outer, self.motions.len())?;
            let vertices = self.motions[group.inner as usize].vertices();
            group.vertices.iter().try_for_each(|(vertex, _)| check("vertex", *vertex, vertices))?;
        }
        Ok(())
    }
}
