//! The triangle test on eight candidates at once.
//!
//! The test is that of [`exact::triangles_meet`](crate::exact::triangles_meet): the corners of each triangle against the
//! plane of the other, then the two tetrahedra that tell whether the intervals on the common line overlap (Guigue &
//! Devillers 2003). All determinants are evaluated in f32; a lane in which any sign that matters is within its error is
//! handed to [`exact`](crate::exact), which decides it from scratch.
//!
//! Error bound. For the six corners of a lane let E be the extents of their common box, E* the largest of them, and
//! ε = 2^-24. Each determinant is n·w with n = u × v, and u, v, w differences of corners, at most E in size. A difference
//! carries a relative error of ε, a product of two 3ε, a component of n an absolute one of 4ε · 2EyEz (and cyclic), a
//! product with w two more ε, the two sums another 2ε of at most 6ExEyEz:
//!
//! ```text
//! |error| ≤ (6 + 2)ε · 6 ExEyEz + O(ε²) = 48ε ExEyEz + O(ε²)          (multiply-add instructions only lessen it)
//! ```
//!
//! Underflow adds at most (6E* + 3) · 2^-150, as each of nine products may be off by 2^-150, six of them before they are
//! multiplied by a difference. The bound used, 64ε ExEyEz + 2^-126 (1 + E*), leaves 16ε for the ε² terms and for the five
//! roundings of the bound itself. Products overflow only from E* = 2^40 on: such lanes are handed on.

//!
//! SIMD code is written out without closures: the compiler compiles a closure on its own, without the instructions that
//! `simd` stands for.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

use super::boxes8::bits;
use super::build::WIDTH;
use super::leaf::LeafCache;
use super::refit::Tree;
use super::vec8::{Triangle8, Vec8};
use crate::contact::TrianglePair;
use crate::exact::decide;

/// Tests all candidates, given by the slots of the two triangles; appends the pairs that meet. Returns how many lanes
/// were left to the exact test.
#[inline(always)]
pub(super) fn test<S: Simd>(
    simd: S,
    (tree_a, leaves_a): (&Tree, &LeafCache),
    (tree_b, leaves_b): (&Tree, &LeafCache),
    candidates: &[(u32, u32)],
    found: &mut Vec<TrianglePair>,
) -> u64 {
    let mut in_doubt = 0;
    let (full, rest) = candidates.as_chunks::<WIDTH>();
    let mut last = [(0, 0); WIDTH];
    if let Some(&any) = rest.first() {
        // A last batch that is not full repeats a pair in lanes that are not looked at.
        last = [any; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
    }
    let batches = full.iter().map(|eight| (eight, 0xff));
    for (eight, all) in batches.chain((!rest.is_empty()).then_some((&last, (1 << rest.len()) - 1))) {
        let [c, d, e, f, g, h, i, j] = *eight;
        let a = Triangle8::gather(simd, leaves_a, [c.0, d.0, e.0, f.0, g.0, h.0, i.0, j.0]);
        let b = Triangle8::gather(simd, leaves_b, [c.1, d.1, e.1, f.1, g.1, h.1, i.1, j.1]);
        let verdict = meet(simd, &a, &b);
        let mut hits = verdict.yes & all;
        for i in bits(verdict.doubt & all) {
            in_doubt += 1;
            let exact = decide(leaves_a.corners(eight[i].0), leaves_b.corners(eight[i].1));
            hits |= u32::from(exact) << i;
        }
        for i in bits(hits) {
            let number =
                |tree: &Tree, leaves: &LeafCache, slot| tree.arrangement.triangles[leaves.in_tree(slot) as usize];
            let (a, b) = (number(tree_a, leaves_a, eight[i].0), number(tree_b, leaves_b, eight[i].1));
            found.push(TrianglePair::new(a, b));
        }
    }
    in_doubt
}

/// What is known about eight pairs: a bit a lane.
pub(super) struct Verdict {
    pub(super) yes: u32,
    pub(super) doubt: u32,
}

#[inline(always)]
pub(super) fn meet<S: Simd>(simd: S, a: &Triangle8<S>, b: &Triangle8<S>) -> Verdict {
    let (bound, usable) = error_bound(simd, a, b);
    let sides_of_b = Sides::of(b, a);
    let sides_of_a = Sides::of(a, b);
    let apart = (sides_of_b.are_one(bound) | sides_of_a.are_one(bound)) & usable;
    let open = !apart.to_bitmask() as u32 & 0xff;
    if open == 0 {
        return Verdict { yes: 0, doubt: 0 };
    }
    let sure = sides_of_a.are_clear(bound) & sides_of_b.are_clear(bound) & usable;
    let (a, a_is_above) = sides_of_a.turned(simd, a);
    let (b, b_is_above) = sides_of_b.turned(simd, b);
    let (q_b, r_b) = (b.q.select(a_is_above, b.r), b.r.select(a_is_above, b.q));
    let (q_a, r_a) = (a.q.select(b_is_above, a.r), a.r.select(b_is_above, a.q));
    // As in `exact::triangle_pair`: the intervals overlap unless one of these is positive.
    let first = tetrahedron(a.p, q_a, b.p, q_b);
    let second = tetrahedron(a.p, r_a, r_b, b.p);
    let no = (first.simd_gt(bound) | second.simd_gt(bound)) & sure;
    let yes = first.simd_lt(-bound) & second.simd_lt(-bound) & sure;
    let decided = (no | yes).to_bitmask() as u32;
    Verdict { yes: yes.to_bitmask() as u32 & open, doubt: open & !decided }
}

/// The bound derived above, and in which lanes it holds.
#[inline(always)]
pub(super) fn error_bound<S: Simd>(simd: S, a: &Triangle8<S>, b: &Triangle8<S>) -> (f32x8<S>, mask32x8<S>) {
    let low = a.low().min(b.low());
    let extent = a.high().max(b.high()).minus(low);
    let largest = extent.x.max(extent.y).max(extent.z);
    let factor = f32x8::splat(simd, 64.0 * (f32::EPSILON / 2.0));
    let bound = factor * (extent.x * extent.y * extent.z) + (largest + 1.0) * f32::MIN_POSITIVE;
    (bound, largest.simd_lt(2.0f32.powi(40)))
}

/// The determinants of the corners of one triangle with the plane of another.
#[derive(Clone, Copy)]
struct Sides<S: Simd> {
    p: f32x8<S>,
    q: f32x8<S>,
    r: f32x8<S>,
}

impl<S: Simd> Sides<S> {
    #[inline(always)]
    fn of(corners: &Triangle8<S>, plane: &Triangle8<S>) -> Self {
        let normal = plane.q.minus(plane.p).cross(plane.r.minus(plane.p));
        Self {
            p: normal.dot(corners.p.minus(plane.p)),
            q: normal.dot(corners.q.minus(plane.p)),
            r: normal.dot(corners.r.minus(plane.p)),
        }
    }

    /// Where all three surely lie on one side.
    #[inline(always)]
    fn are_one(&self, bound: f32x8<S>) -> mask32x8<S> {
        self.p.min(self.q).min(self.r).simd_gt(bound) | self.p.max(self.q).max(self.r).simd_lt(-bound)
    }

    /// Where none is in doubt.
    #[inline(always)]
    fn are_clear(&self, bound: f32x8<S>) -> mask32x8<S> {
        self.p.abs().min(self.q.abs()).min(self.r.abs()).simd_gt(bound)
    }

    /// Turns the corners, keeping their cyclic order, so that the first is the one alone on its side; and tells where
    /// that is above. Of meaning only where no corner is in doubt.
    #[inline(always)]
    fn turned(&self, simd: S, t: &Triangle8<S>) -> (Triangle8<S>, mask32x8<S>) {
        let zero = f32x8::splat(simd, 0.0);
        let (p, q, r) = (self.p.simd_gt(zero), self.q.simd_gt(zero), self.r.simd_gt(zero));
        // If p and q are on one side r is alone; else if q and r are, p; else q.
        let r_alone = !(p ^ q);
        let p_alone = !(q ^ r);
        let turned = Triangle8 {
            p: t.r.select(r_alone, t.p.select(p_alone, t.q)),
            q: t.p.select(r_alone, t.q.select(p_alone, t.r)),
            r: t.q.select(r_alone, t.r.select(p_alone, t.p)),
        };
        let above = (r_alone & r) | (!r_alone & p_alone & p) | (!r_alone & !p_alone & q);
        (turned, above)
    }
}

/// det(b − a, c − a, d − a).
#[inline(always)]
fn tetrahedron<S: Simd>(a: Vec8<S>, b: Vec8<S>, c: Vec8<S>, d: Vec8<S>) -> f32x8<S> {
    b.minus(a).cross(c.minus(a)).dot(d.minus(a))
}
