//! The tests of `filter` for four queries at a time.
//!
//! The operations are those of `filter`, in the same order, so both exclude the same queries, at every SIMD level; the
//! bounds are proven there. What is left goes through the scalar functions one by one.
//!
//! Cost: 6 ns per query with AVX2 or AVX-512, 50 ns with SSE2, once the points lie in lanes.
//! Held by: `tests.rs`, lane by lane against the scalar filter.

use crate::geom::lanes::vectors::*;

use super::Features;
use super::filter::{CUBIC, EPSILON, RANGE};
use crate::geom::lanes::{LanePoints, Vec3, Vec3Ops, loaded};

type Vector<S> = Vec3<f64x4<S>>;

/// Which queries may have an impact, a bit per lane; the others have none. All numbers are finite.
#[inline(always)]
pub(crate) fn may_meet_lanes<S: Simd>(simd: S, features: Features, start: &LanePoints, end: &LanePoints) -> u32 {
    let (start, end) = (loaded(simd, start), loaded(simd, end));
    let apart = boxes_stay_apart(features, &start, &end) | are_never_coplanar(simd, &start, &end);
    !apart.to_bitmask() as u32 & 0xf
}

#[inline(always)]
fn boxes_stay_apart<S: Simd>(features: Features, start: &[Vector<S>; 4], end: &[Vector<S>; 4]) -> mask64x4<S> {
    let [x, y, z] = [
        stay_apart_on(features, start, end, 0),
        stay_apart_on(features, start, end, 1),
        stay_apart_on(features, start, end, 2),
    ];
    x | y | z
}

#[inline(always)]
fn stay_apart_on<S: Simd>(
    features: Features,
    start: &[Vector<S>; 4],
    end: &[Vector<S>; 4],
    axis: usize,
) -> mask64x4<S> {
    let (one_t0, other_t0) = ranges(features, start, axis);
    let (one_t1, other_t1) = ranges(features, end, axis);
    let below = one_t0[1].simd_lt(other_t0[0]) & one_t1[1].simd_lt(other_t1[0]);
    let above = other_t0[1].simd_lt(one_t0[0]) & other_t1[1].simd_lt(one_t1[0]);
    below | above
}

/// Least and largest coordinate of either feature.
#[inline(always)]
fn ranges<S: Simd>(features: Features, points: &[Vector<S>; 4], axis: usize) -> ([f64x4<S>; 2], [f64x4<S>; 2]) {
    let [p, q, r, s] = [points[0][axis], points[1][axis], points[2][axis], points[3][axis]];
    match features {
        Features::VertexFace => ([p, p], [q.min(r).min(s), q.max(r).max(s)]),
        Features::EdgeEdge => ([p.min(q), p.max(q)], [r.min(s), r.max(s)]),
    }
}

#[inline(always)]
fn are_never_coplanar<S: Simd>(simd: S, start: &[Vector<S>; 4], end: &[Vector<S>; 4]) -> mask64x4<S> {
    let [a1, a2, a3] = [start[1].minus(start[0]), start[2].minus(start[0]), start[3].minus(start[0])];
    let [b1, b2, b3] = [end[1].minus(end[0]), end[2].minus(end[0]), end[3].minus(end[0])];
    let [mx, my, mz] = [
        largest([a1[0], a2[0], a3[0], b1[0], b2[0], b3[0]]),
        largest([a1[1], a2[1], a3[1], b1[1], b2[1], b3[1]]),
        largest([a1[2], a2[2], a3[2], b1[2], b2[2], b3[2]]),
    ];
    let proven = in_range(mx) & in_range(my) & in_range(mz);
    let x0 = a2.cross(a3);
    let x1 = a2.cross(b3).plus(b2.cross(a3));
    let x2 = b2.cross(b3);
    let third = f64x4::splat(simd, 1.0 / 3.0);
    let c0 = a1.dot(x0);
    let c1 = (a1.dot(x1) + b1.dot(x0)) * third;
    let c2 = (a1.dot(x2) + b1.dot(x1)) * third;
    let c3 = b1.dot(x2);
    let error = f64x4::splat(simd, CUBIC * EPSILON) * (mx * my * mz);
    let least = c0.min(c1).min(c2.min(c3));
    let most = c0.max(c1).max(c2.max(c3));
    (least.simd_gt(error) | most.simd_lt(-error)) & proven
}

/// Whether the bounds are proven for extents like these. Where an extent is 0 the cubic is, and excludes nothing.
#[inline(always)]
fn in_range<S: Simd>(extent: f64x4<S>) -> mask64x4<S> {
    extent.simd_ge(RANGE.0) & extent.simd_le(RANGE.1)
}

#[inline(always)]
fn largest<S: Simd>([a, b, c, d, e, f]: [f64x4<S>; 6]) -> f64x4<S> {
    a.abs().max(b.abs()).max(c.abs().max(d.abs())).max(e.abs().max(f.abs()))
}
