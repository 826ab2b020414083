//! What does not move and what was found: triangles of the bodies, pairs and overlaps of the frames.
//!
//! ```text
//! mesh block     a body: count triangles, step × 3 per triangle (from the corner before),
//!                u8 1 and one step per triangle where triangles were cut from a file's faces, else u8 0
//! a frame        count contacts; a contact: count a, count b, count pairs found, count pairs listed,
//!                for each listed: step of the triangle of a, step of the triangle of b (from the pair before)
//!                count overlaps; an overlap: count a, count b, f32 × 2 footprint, count spans, corners,
//!                for each span: step × 3 of its entry (from the span before), step × 3 of its exit (from its entry)
//! ```
//!
//! Spans are drawn, not measured: their ends are rounded to 1,023 steps of their common box.

use super::bytes::{Bounds, put_count, put_floats, put_step};
use crate::report::ContactRecord;

/// How much two bodies overlap in a frame, to be drawn: the columns of the depth images as lines through space.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// The volume, in cubes of the file's unit.
    pub volume: f64,
    /// How wide a column is along the two axes it does not run along, in their order.
    pub footprint: [f32; 2],
    /// Entry and exit of every span; the line between them runs along one axis, the same for all.
    pub spans: &'a [[[f32; 3]; 2]],
}

/// Steps of the box of an overlap: finer than any depth image shows on a screen.
const SPAN_STEPS: u16 = 1023;

/// Appends the triangles of one body.
pub(super) fn put_mesh(out: &mut Vec<u8>, triangles: &[[u32; 3]], face_of_triangle: Option<&[u32]>) {
    put_count(out, triangles.len() as u64);
    let mut before = 0;
    for &corner in triangles.as_flattened() {
        put_step(out, before, corner);
        before = corner;
    }
    out.push(u8::from(face_of_triangle.is_some()));
    let mut before = 0;
    for &face in face_of_triangle.unwrap_or_default() {
        put_step(out, before, face);
        before = face;
    }
}

/// Appends the contacts of one frame.
pub(super) fn put_contacts(out: &mut Vec<u8>, contacts: &[ContactRecord<'_>]) {
    put_count(out, contacts.len() as u64);
    for contact in contacts {
        let pairs = contact.listed();
        put_count(out, contact.a.into());
        put_count(out, contact.b.into());
        put_count(out, contact.count);
        put_count(out, pairs.len() as u64);
        let mut before = [0, 0];
        for &[a, b] in pairs {
            put_step(out, before[0], a);
            put_step(out, before[1], b);
            before = [a, b];
        }
    }
}

/// Appends the overlaps of one frame.
pub(super) fn put_overlaps(out: &mut Vec<u8>, overlaps: &[Overlap<'_>]) {
    put_count(out, overlaps.len() as u64);
    for overlap in overlaps {
        put_count(out, overlap.a.into());
        put_count(out, overlap.b.into());
        put_floats(out, &overlap.footprint);
        put_count(out, overlap.spans.len() as u64);
        let bounds = Bounds::of(overlap.spans.as_flattened());
        bounds.put(out);
        let mut before = [0; 3];
        for span in overlap.spans {
            let [entry, exit] = span.map(|end| [0, 1, 2].map(|axis| bounds.steps(axis, end[axis], SPAN_STEPS).into()));
            for axis in 0..3 {
                put_step(out, before[axis], entry[axis]);
            }
            for axis in 0..3 {
                put_step(out, entry[axis], exit[axis]);
            }
            before = entry;
        }
    }
}
