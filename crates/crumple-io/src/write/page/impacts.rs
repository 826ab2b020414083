//! What meets in the step that led to a frame, packed behind its contacts and overlaps.
//!
//! ```text
//! a frame        … count impacts; an impact: u8 kind, f32 time, count a, count b, then by kind
//!                0  triangle of a, triangle of b, which meet at the start of the step
//!                1  vertex of a, triangle of b
//!                2  two vertices of a, two of b: an edge each
//! ```
//!
//! Impacts are drawn, not measured: times are rounded to f32, and of a step with very many only the first are packed.

use super::bytes::{put_count, put_floats};
use crate::report::{FeaturesRecord, ImpactRecord};

/// Impacts packed per step: more cannot be told apart in a picture.
const MOST: usize = 500;

/// Appends the impacts of one step.
pub(super) fn put_impacts(out: &mut Vec<u8>, impacts: &[ImpactRecord]) {
    let impacts = &impacts[..impacts.len().min(MOST)];
    put_count(out, impacts.len() as u64);
    for impact in impacts {
        let (kind, numbers) = match impact.features {
            FeaturesRecord::Already { triangles } => (0, triangles.to_vec()),
            FeaturesRecord::VertexFace { vertex, triangle } => (1, vec![vertex, triangle]),
            FeaturesRecord::EdgeEdge { edge_a, edge_b } => (2, [edge_a, edge_b].concat()),
        };
        out.push(kind);
        put_floats(out, &[impact.t[0] as f32]);
        for number in [impact.a, impact.b].into_iter().chain(numbers) {
            put_count(out, number.into());
        }
    }
}

/// What an impact names beside its bodies: body, whether a vertex or a triangle, and which.
pub(super) fn named(impact: &ImpactRecord) -> Vec<(u32, &'static str, u32)> {
    let (a, b) = (impact.a, impact.b);
    match impact.features {
        FeaturesRecord::Already { triangles: [i, j] } => vec![(a, "triangle", i), (b, "triangle", j)],
        FeaturesRecord::VertexFace { vertex, triangle } => vec![(a, "vertex", vertex), (b, "triangle", triangle)],
        FeaturesRecord::EdgeEdge { edge_a, edge_b } => {
            [edge_a.map(|vertex| (a, "vertex", vertex)), edge_b.map(|vertex| (b, "vertex", vertex))].concat()
        }
    }
}
