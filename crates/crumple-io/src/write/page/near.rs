//! How near vertices are to other bodies, and where bodies are nearest, packed behind the curves of a frame.
//!
//! ```text
//! a frame        … count bodies; a body: count number, count vertices;
//!                a vertex: step from the one before, u8 distance in 255ths of the clearance
//!                count segments; a segment: count a, count b, f32 × 6 its two ends
//! ```
//!
//! Distances are drawn, not measured: 255 levels are more than a colour scale shows. Vertices farther than the clearance are
//! left out.

use std::io::Write;

use super::bytes::{put_count, put_floats, put_step};
use super::{PageError, PageWriter, check_bodies, check_count};

/// How near bodies are to each other in a frame, for the page to colour and draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearShown {
    /// For each body, the distance of every vertex from whatever it must keep away from, anything beyond the clearance if it is
    /// not near; an empty list for a body that is near nothing.
    pub distances: Vec<Vec<f32>>,
    /// Two bodies that are too close, or one twice, and from which point of the first to which of the second they are nearest.
    pub segments: Vec<([u32; 2], [[f32; 3]; 2])>,
}

/// Appends what is near in a frame.
pub(super) fn put_near(out: &mut Vec<u8>, near: &NearShown, clearance: f64) {
    let is_near = |distance: f32| f64::from(distance) < clearance;
    let bodies = || near.distances.iter().enumerate().filter(|(_, of)| of.iter().any(|distance| is_near(*distance)));
    put_count(out, bodies().count() as u64);
    for (body, distances) in bodies() {
        put_count(out, body as u64);
        put_count(out, distances.iter().filter(|distance| is_near(**distance)).count() as u64);
        let mut before = 0;
        for (vertex, &distance) in (0..).zip(distances).filter(|(_, distance)| is_near(**distance)) {
            put_step(out, before, vertex);
            before = vertex;
            out.push((f64::from(distance) / clearance * 255.0).round() as u8);
        }
    }
    put_count(out, near.segments.len() as u64);
    for ([a, b], ends) in &near.segments {
        put_count(out, u64::from(*a));
        put_count(out, u64::from(*b));
        put_floats(out, ends.as_flattened());
    }
}

impl<W: Write> PageWriter<W> {
    /// Vertices are coloured that are closer to another body than this, as [`PageFrame::near`](super::PageFrame::near) says.
    pub fn with_clearance(mut self, clearance: f64) -> Self {
        if clearance.is_finite() && clearance > 0.0 {
            self.head.clearance = Some(clearance);
        }
        self
    }

    /// Checks that what is near fits the bodies of the page.
    pub(super) fn check_near(&self, frame: u64, near: &NearShown) -> Result<(), PageError> {
        let len = self.motions.len();
        check_bodies(len, near.distances.len(), "distances")?;
        for (body, (motion, distances)) in self.motions.iter().zip(&near.distances).enumerate() {
            if !distances.is_empty() {
                check_count(body, "vertices", motion.vertices() as u64, distances.len())?;
            }
        }
        let mut named = near.segments.iter().flat_map(|(bodies, _)| *bodies);
        match named.find(|body| *body as usize >= len) {
            Some(given) => Err(PageError::NoSuch { frame, what: "body", given, len }),
            None => Ok(()),
        }
    }
}
