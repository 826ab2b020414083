//! Eight triangles of a leaf at a time, in f32: between which two numbers the distance of each from a point lies, and
//! which of them a ray surely misses.
//!
//! *Distance.* Let ε = 2^-24, A, B, C the corners seen from the point, M the largest of their coordinates and l the longest edge. Corners and
//! edges are rounded once, which moves a corner by at most √3 εM. On each edge a point X = A + s e with s in [0, 1] is
//! computed: whatever s is, X lies within 20 εM of a point of the edge; and s is wrong by at most 20 εM / |e|, which
//! moves X by as much along the edge. So the distance from an edge is right to within 40 εM.
//!
//! The height over the plane, A·n / |n|, carries the error of n = e × e′, at most 14 ε l² in length, times √3 M / |n|,
//! and 16 εM more. If |n| > l² / 16 that is 410 εM. All errors together stay below R = 2^-14 M = 1024 εM. The foot of the
//! perpendicular falls into the triangle if n·(e × A) is not negative for all three edges; these are evaluated to within
//! 60 ε M l³, for which 2^-17 M l³ = 128 ε M l³ is taken. So, with E the least distance from an edge and H the height,
//!
//! ```text
//! |n| > l² / 16:   lower = min(E, H if the foot may be inside) − R      upper = min(E, H if it surely is) + R
//! else (a sliver): lower = E − l − R                                    upper = E + R
//! ```
//!
//! since every point of a triangle is within l of an edge. Underflow: a product that underflows is off by 2^-150. Where
//! the squares of edges could suffer, l < 2^-23, n·n is below 2^-92 and the lane counts as a sliver; there s may be
//! anything, which moves X by at most l; the bounds hold because R ≥ 2^-44: lanes with M outside 2^-30 … 2^30 are left
//! undecided (lower −∞, upper ∞), which also rules out overflow.
//!
//! Of f64 numbers point and corners are copies, off by at most r and r′ along each axis: a point of a triangle is moved by
//! at most √3 r, the other by √3 r′, which 1.75 (r + r′) covers with its rounding; it is added to R ([`slack`]).
//!
//! *Ray.* The corners are seen along the ray: with z its dominant axis, x′ = (x − oₓ) − (dₓ/d_z)(z − o_z), likewise y′.
//! With P the largest coordinate of a corner seen from the origin, both differences are off by εP, the product by 3εP,
//! the sum by 2εP more: x′ is off by less than δ = 8εP. An edge function x′₁y′₂ − y′₁x′₂ is then off by less than
//! 4δm + 2δ² for what it is made of, m being the largest of these coordinates, and 5εm² ≤ 10εPm for its own rounding:
//! 8δ(m + δ) is more than both. A triangle is missed if one edge function is surely positive and another surely
//! negative, see `exact::ray`. If corners are copies that are off by r, x′ is off by 2r more, as the slopes are at most 1,
//! and where along the ray a corner lies by r: δ = 8εP + 2r.
//!
//! Held by: `tests/behaviour/points.rs`, `tests/behaviour/rays.rs` (brute force in f64, slivers and tiny triangles).

use crate::geom::lanes::vectors::*;

use crate::geom::lanes::{Simd, Triangle8, Vec8};
use crate::tree::Leaf8;

/// Between which two numbers the distances of eight triangles from a point lie.
pub(super) struct Distances<S: Simd> {
    pub(super) lower: f32x8<S>,
    pub(super) upper: f32x8<S>,
}

/// The corners of a leaf seen from a point.
#[inline(always)]
fn seen_from<S: Simd>(simd: S, leaf: &Leaf8, point: [f32; 3]) -> Triangle8<S> {
    let at = Vec8::splat(simd, point);
    Triangle8 {
        p: load(simd, &leaf.0[0]).minus(at),
        q: load(simd, &leaf.0[1]).minus(at),
        r: load(simd, &leaf.0[2]).minus(at),
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, corner: &[[f32; 8]; 3]) -> Vec8<S> {
    Vec8 {
        x: f32x8::from_slice(simd, &corner[0]),
        y: f32x8::from_slice(simd, &corner[1]),
        z: f32x8::from_slice(simd, &corner[2]),
    }
}

/// What the roundings of corners and of a point may change about a distance.
pub(super) fn slack(of_corners: f32, of_point: f64) -> f32 {
    let roundings = f64::from(of_corners) + of_point;
    // Rounded to f32 it is still more than √3 times as much, and it is 0 only if both are.
    if roundings > 0.0 { (1.75 * roundings) as f32 + f32::MIN_POSITIVE } else { 0.0 }
}

/// The distances of the triangles of a leaf from a point, both of which may be off so much that these are by `slack`.
#[inline(always)]
pub(super) fn distances<S: Simd>(simd: S, leaf: &Leaf8, point: [f32; 3], slack: f32) -> Distances<S> {
    let Triangle8 { p, q, r } = seen_from(simd, leaf, point);
    let (pq, qr, rp) = (q.minus(p), r.minus(q), p.minus(r));
    let (squared_pq, squared_qr, squared_rp) = (pq.dot(pq), qr.dot(qr), rp.dot(rp));
    let edges = from_edge(p, pq, squared_pq).min(from_edge(q, qr, squared_qr)).min(from_edge(r, rp, squared_rp));

    let normal = pq.cross(qr);
    let normal_squared = normal.dot(normal);
    let longest_squared = squared_pq.max(squared_qr).max(squared_rp);
    let longest = longest_squared.sqrt();
    let reach = largest(p).max(largest(q)).max(largest(r));
    let height = p.dot(normal);
    let heights = height * height / normal_squared.max(f32::MIN_POSITIVE);
    // Positive where the foot lies on the inner side of an edge.
    let inner = normal.dot(p.cross(pq)).min(normal.dot(q.cross(qr))).min(normal.dot(r.cross(rp)));
    let doubt = reach * longest_squared * longest * 2f32.powi(-17) + f32::MIN_POSITIVE;
    let is_sliver = normal_squared.simd_lt(longest_squared * longest_squared * 2f32.powi(-8))
        | normal_squared.simd_lt(2f32.powi(-92));
    let may_be_inside = inner.simd_ge(-doubt);
    let is_inside = inner.simd_gt(doubt);

    let none = f32x8::splat(simd, f32::INFINITY);
    let radius = reach * 2f32.powi(-14) + slack;
    let from_edges = edges.sqrt();
    let nearest = edges.min(may_be_inside.select(heights, none));
    let lower = is_sliver.select(from_edges - longest, nearest.sqrt()) - radius;
    let surely = (!is_sliver & is_inside).select(heights, none);
    let upper = edges.min(surely).sqrt() + radius;
    let is_usable = reach.simd_gt(2f32.powi(-30)) & reach.simd_lt(2f32.powi(30));
    Distances { lower: is_usable.select(lower, -none), upper: is_usable.select(upper, none) }
}

/// The squared distance from the edge that starts at `from`.
#[inline(always)]
fn from_edge<S: Simd>(from: Vec8<S>, edge: Vec8<S>, squared: f32x8<S>) -> f32x8<S> {
    let part = (-from.dot(edge) / squared.max(f32::MIN_POSITIVE)).max(0.0).min(1.0);
    let x = edge.x.mul_add(part, from.x);
    let y = edge.y.mul_add(part, from.y);
    let z = edge.z.mul_add(part, from.z);
    Vec8 { x, y, z }.dot(Vec8 { x, y, z })
}

#[inline(always)]
fn largest<S: Simd>(v: Vec8<S>) -> f32x8<S> {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}

/// A ray as triangles of a leaf are seen along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shear {
    origin: [f32; 3],
    /// The dominant axis of the direction last.
    axes: [usize; 3],
    /// The direction along the other two, over that along the dominant one.
    slopes: [f32; 2],
    /// The scale over the direction along the dominant axis.
    per_unit: f32,
    /// A bound on the error of a corner seen along the ray: δ.
    error: f32,
    /// A bound on the error of where along the ray a corner lies.
    along: f32,
}

impl Shear {
    /// `reach` is at least the largest coordinate of any corner seen from the origin; places along the ray are counted in
    /// lengths of the direction over `scale`; corners are off by at most `rounding`.
    pub(super) fn new(origin: [f32; 3], direction: [f32; 3], scale: f64, reach: f32, rounding: f32) -> Self {
        let dominant =
            (1..3).fold(0, |most, axis| if direction[axis].abs() > direction[most].abs() { axis } else { most });
        let axes = [(dominant + 1) % 3, (dominant + 2) % 3, dominant];
        let per_unit = (scale / f64::from(direction[dominant])) as f32;
        Self {
            origin,
            axes,
            slopes: [direction[axes[0]] / direction[dominant], direction[axes[1]] / direction[dominant]],
            per_unit,
            // Sums are rounded by less than what 8ε has to spare.
            error: reach * 2f32.powi(-21) + 2.0 * rounding,
            along: (reach * 2f32.powi(-20) + rounding) * per_unit.abs(),
        }
    }

    /// Which of the triangles of a leaf the ray may meet before `most`, in lengths of its direction: one bit each.
    #[inline(always)]
    pub(super) fn may_meet<S: Simd>(&self, simd: S, leaf: &Leaf8, most: f32) -> u32 {
        let [p, q, r] = &leaf.0;
        let (p, q, r) = (self.seen(simd, p), self.seen(simd, q), self.seen(simd, r));
        let for_p = r.x.mul_sub(q.y, r.y * q.x);
        let for_q = p.x.mul_sub(r.y, p.y * r.x);
        let for_r = q.x.mul_sub(p.y, q.y * p.x);
        let size = (p.x.abs().max(p.y.abs())).max(q.x.abs().max(q.y.abs())).max(r.x.abs().max(r.y.abs()));
        let bound = (size + self.error) * (8.0 * self.error) + f32::MIN_POSITIVE;
        let is_missed = for_p.max(for_q).max(for_r).simd_gt(bound) & for_p.min(for_q).min(for_r).simd_lt(-bound);
        let (one, two, three) = (p.z * self.per_unit, q.z * self.per_unit, r.z * self.per_unit);
        let is_beyond = one.min(two).min(three).simd_gt(most + self.along);
        let is_behind = one.max(two).max(three).simd_lt(-self.along);
        !(is_missed | is_beyond | is_behind).to_bitmask() as u32 & 0xff
    }

    /// A corner of each triangle, seen along the ray.
    #[inline(always)]
    fn seen<S: Simd>(&self, simd: S, corner: &[[f32; 8]; 3]) -> Vec8<S> {
        let [u, v, w] = self.axes;
        let z = f32x8::from_slice(simd, &corner[w]) - self.origin[w];
        let x = f32x8::from_slice(simd, &corner[u]) - self.origin[u] - z * self.slopes[0];
        let y = f32x8::from_slice(simd, &corner[v]) - self.origin[v] - z * self.slopes[1];
        Vec8 { x, y, z }
    }
}
