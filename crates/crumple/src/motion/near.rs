//! Which vertices and edges of two triangles may meet the other triangle within the step, by boxes, without a branch.
//!
//! A feature that is apart from the box of the other triangle along one axis, on the same side at both ends of the step,
//! meets nothing of it. The numbers at the start and at the end lie side by side in one vector of eight, so that two
//! comparisons answer for all axes and both ends:
//!
//! ```text
//! lanes   0 1 2  3  4 5 6  7
//!         x y z  -  x y z  -       m = mask of "below"; apart if m & m >> 4 has a bit among the lowest three
//!         start     end
//! ```
//!
//! Why all twelve and not only the features a triangle owns: which those are differs from triangle to triangle, so a branch
//! per owned feature is hard to predict. That this pays has not been shown beyond the noise of a busy machine.
//!
//! Cost: 12 tests of two comparisons each per pair of triangles.
//! Held by: `tests/behaviour/motion.rs` (all features, by brute force).

use crate::geom::lanes::vectors::*;
use glam::Vec4;

use super::features::MovingTriangle;

/// Corners and edges of two triangles: bit k is corner k, or the edge from it to the next.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub(super) corners_a: u32,
    pub(super) corners_b: u32,
    pub(super) edges_a: u32,
    pub(super) edges_b: u32,
}

impl Near {
    /// All of them.
    pub(super) const ALL: Self = Self { corners_a: 7, corners_b: 7, edges_a: 7, edges_b: 7 };

    /// Those that may meet the other triangle.
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, a: &MovingTriangle, b: &MovingTriangle) -> Self {
        let (points_a, points_b) = (points(simd, a), points(simd, b));
        let (edges_a, edges_b) = (edges(points_a), edges(points_b));
        let (face_a, face_b) = (face(&edges_a), face(&edges_b));
        Self {
            corners_a: near(&corners(points_a), &face_b),
            corners_b: near(&corners(points_b), &face_a),
            edges_a: near(&edges_a, &face_b),
            edges_b: near(&edges_b, &face_a),
        }
    }
}

/// The smallest and the largest coordinates at both ends of the step.
type Range<S> = [f32x8<S>; 2];

#[inline(always)]
fn points<S: Simd>(simd: S, triangle: &MovingTriangle) -> [f32x8<S>; 3] {
    // By halves: eight numbers written to memory as two fours and read back as one vector would wait for both writes.
    let four = |point: Vec4| f32x4::from_slice(simd, &point.to_array());
    let point = |k: usize| four(triangle.start[k]).combine(four(triangle.end[k]));
    [point(0), point(1), point(2)]
}

#[inline(always)]
fn corners<S: Simd>([p, q, r]: [f32x8<S>; 3]) -> [Range<S>; 3] {
    [[p, p], [q, q], [r, r]]
}

#[inline(always)]
fn edges<S: Simd>([p, q, r]: [f32x8<S>; 3]) -> [Range<S>; 3] {
    [[p.min(q), p.max(q)], [q.min(r), q.max(r)], [r.min(p), r.max(p)]]
}

/// The box of a triangle, from two of its edges.
#[inline(always)]
fn face<S: Simd>([first, second, _]: &[Range<S>; 3]) -> Range<S> {
    [first[0].min(second[0]), first[1].max(second[1])]
}

/// Which of three boxes are not apart from another.
#[inline(always)]
fn near<S: Simd>([first, second, third]: &[Range<S>; 3], other: &Range<S>) -> u32 {
    let is_near = |one: &Range<S>| {
        let below = one[1].simd_lt(other[0]).to_bitmask();
        let above = one[0].simd_gt(other[1]).to_bitmask();
        u32::from(((below & below >> 4) | (above & above >> 4)) & 7 == 0)
    };
    is_near(first) | is_near(second) << 1 | is_near(third) << 2
}
