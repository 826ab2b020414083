//! Decides nearly all pairs in f32, one pair or eight at a time; what it can not be sure of it leaves to `filter`.
//!
//! The test is that of `triangle_pair`: the corners of each triangle against the plane of the other, then the two
//! tetrahedra that tell whether the intervals on the common line overlap (Guigue & Devillers 2003). All determinants are
//! evaluated in f32; a pair for which any sign that matters is within its error is left undecided.
//!
//! The test is written once, over [`Number`]: compiled for `f32` it takes one pair, compiled for lanes eight. Every
//! method of `narrow` ends in it.
//!
//! Error bound. For the six corners of a pair let E be the extents of their common box, E* the largest of them, and
//! ε = 2^-24. Each determinant is n·w with n = u × v, and u, v, w differences of corners, at most E in size. A difference
//! carries a relative error of ε, a product of two 3ε, a component of n an absolute one of 4ε · 2EyEz (and cyclic), a
//! product with w two more ε, the two sums another 2ε of at most 6ExEyEz:
//!
//! ```text
//! |error| ≤ (6 + 2)ε · 6 ExEyEz + O(ε²) = 48ε ExEyEz + O(ε²)          (multiply-add instructions only lessen it)
//! ```
//!
//! The bound used has 64ε ExEyEz: the slack of 16ε covers the ε² terms and the five roundings of the bound itself.
//!
//! Underflow: differences of f32 numbers do not underflow, and a product that does is off by at most 2^-150. The two
//! products in a component of the normal, then multiplied by a difference of at most E*, and the three products of the
//! dot product, are off by at most (6E* + 3) · 2^-150; the bound's own products may fall short by 64 (1 + E*) · 2^-150.
//! 2^-140 (1 + E*) would cover all of it; 2^-126, the smallest normal number, does too and does not slow the processor
//! down as a subnormal one does.
//!
//! Overflow: with E* < 2^40 every product stays below 2^123. Pairs of larger extent are left undecided.
//!
//! Rounded corners. If the corners are copies, rounded to f32, of f64 corners, let r bound how far a coordinate is off.
//! A true difference then is within 2r of the difference of the copies, and at most E' = E + 2r in size. A determinant
//! is a sum of six products of a difference along each axis; replacing the three factors of one after another, with
//! |u'v'w' − uvw| ≤ |u' − u||v'w'| + |u||v' − v||w'| + |uv||w' − w|, changes it by at most
//!
//! ```text
//! 6 · 2r (E'yE'z + E'zE'x + E'xE'y)
//! ```
//!
//! by which the bound grows; with 13r for 12r, since E' and the sum are rounded, by less than 2^-20 of them. What
//! underflows here (three products, if all E' are below 2^-63, and with them r; their product with r) is less than 2^-148
//! and covered above. What overflows makes an infinite bound, beyond which nothing is.
//!
//! Held by: `tests/exactness/triangles` (one pair), `tests/agreement/wide_tree.rs` and `tests/agreement` (eight, with the best and the baseline instructions).

use crate::geom::lanes::{Corners, Number, Vector};

/// What f32 can tell about the pairs in the lanes: one bit per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// They meet.
    pub(crate) meets: u32,
    /// It cannot be sure.
    pub(crate) undecided: u32,
}

/// Whether the closed triangles of each lane share a point; about triangles whose corners these are up to `rounding`.
#[inline(always)]
pub(crate) fn meet<N: Number>(a: &Corners<N>, b: &Corners<N>, rounding: f32) -> Verdict {
    const NONE: Verdict = Verdict { meets: 0, undecided: 0 };
    let (bound, usable) = error_bound(a, b, rounding);
    let sides_of_b = Sides::of(b, a);
    // One pair is often decided by the first plane; eight hardly ever are.
    if N::LANES == 1 && N::bits(sides_of_b.are_one(bound) & usable) != 0 {
        return NONE;
    }
    let sides_of_a = Sides::of(a, b);
    let apart = (sides_of_b.are_one(bound) | sides_of_a.are_one(bound)) & usable;
    let open = !N::bits(apart) & ((1 << N::LANES) - 1);
    if open == 0 {
        return NONE;
    }
    let sure = sides_of_a.are_clear(bound) & sides_of_b.are_clear(bound) & usable;
    let (a, a_is_above) = sides_of_a.turned(a);
    let (b, b_is_above) = sides_of_b.turned(b);
    let (q_b, r_b) = (b.q.select(a_is_above, b.r), b.r.select(a_is_above, b.q));
    let (q_a, r_a) = (a.q.select(b_is_above, a.r), a.r.select(b_is_above, a.q));
    // As in `triangle_pair`: the intervals overlap unless one of these is positive.
    let first = tetrahedron(a.p, q_a, b.p, q_b);
    let second = tetrahedron(a.p, r_a, r_b, b.p);
    let no = (first.exceeds(bound) | second.exceeds(bound)) & sure;
    let yes = (-bound).exceeds(first) & (-bound).exceeds(second) & sure;
    Verdict { meets: N::bits(yes) & open, undecided: open & !N::bits(no | yes) }
}

/// The bound derived above, and in which lanes it holds.
#[inline(always)]
fn error_bound<N: Number>(a: &Corners<N>, b: &Corners<N>, rounding: f32) -> (N, N::Mask) {
    let extent = a.max().max(b.max()).minus(a.min().min(b.min()));
    let largest = extent.x.max(extent.y).max(extent.z);
    let factor = largest.everywhere(64.0 * (f32::EPSILON / 2.0));
    let smallest = largest.everywhere(f32::MIN_POSITIVE);
    let mut bound = factor * (extent.x * extent.y * extent.z) + (largest + largest.everywhere(1.0)) * smallest;
    // The same for all lanes, and 0 for most scenes.
    if rounding > 0.0 {
        let twice = largest.everywhere(2.0 * rounding);
        let (x, y, z) = (extent.x + twice, extent.y + twice, extent.z + twice);
        bound = bound + largest.everywhere(13.0 * rounding) * (y * z + z * x + x * y);
    }
    (bound, largest.everywhere(2.0f32.powi(40)).exceeds(largest))
}

/// The determinants of the corners of one triangle with the plane of another.
#[derive(Clone, Copy)]
struct Sides<N> {
    p: N,
    q: N,
    r: N,
}

impl<N: Number> Sides<N> {
    #[inline(always)]
    fn of(corners: &Corners<N>, plane: &Corners<N>) -> Self {
        let normal = plane.q.minus(plane.p).cross(plane.r.minus(plane.p));
        Self {
            p: normal.dot(corners.p.minus(plane.p)),
            q: normal.dot(corners.q.minus(plane.p)),
            r: normal.dot(corners.r.minus(plane.p)),
        }
    }

    /// Where all three surely lie on one side.
    #[inline(always)]
    fn are_one(&self, bound: N) -> N::Mask {
        self.p.min(self.q).min(self.r).exceeds(bound) | (-bound).exceeds(self.p.max(self.q).max(self.r))
    }

    /// Where none is in doubt.
    #[inline(always)]
    fn are_clear(&self, bound: N) -> N::Mask {
        self.p.abs().min(self.q.abs()).min(self.r.abs()).exceeds(bound)
    }

    /// Turns the corners, keeping their cyclic order, so that the first is the one alone on its side; and where that is
    /// above. Meaningful only where no corner is in doubt.
    #[inline(always)]
    fn turned(&self, t: &Corners<N>) -> (Corners<N>, N::Mask) {
        let zero = self.p.everywhere(0.0);
        let (p, q, r) = (self.p.exceeds(zero), self.q.exceeds(zero), self.r.exceeds(zero));
        // If p and q are on one side r is alone; else if q and r are, p; else q.
        let r_alone = !(p ^ q);
        let p_alone = !(q ^ r);
        let turned = Corners {
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
fn tetrahedron<N: Number>(a: Vector<N>, b: Vector<N>, c: Vector<N>, d: Vector<N>) -> N {
    b.minus(a).cross(c.minus(a)).dot(d.minus(a))
}
