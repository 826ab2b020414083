//! The search for the nearest triangles of two bodies.
//!
//! Branch and bound over the wide tree ([`crate::tree::walk_nearest`]), from a first guess: the triangles that were nearest
//! before, if the caller knows them. Pairs of leaves come in about the order of their distance. Of their 64 pairs of
//! triangles those are measured in f64 (`triangles`) that pass two tests in lanes of f32: the distance of their boxes, and
//! the width of the slab between them across the direction from the nearest point of b so far to that of a. Near the
//! closest points, surfaces are about perpendicular to that direction, so the slab tells almost as much as the distance.
//!
//! *Error of the slab.* Corners x are taken relative to a point c near the closest ones, and the heights u·(x − c) computed
//! in f32 with ε = 2^-24: the difference is within ε of itself, the products and sums add 3ε, so a height is within
//! 4ε |u|·|x − c| with absolute values componentwise, which is less than 4ε r, r = |x − c|₁, as |u| ≤ 1 + 2^-22. 2^-20 r is
//! taken off on both sides, which is four times as much and covers its own rounding and |u|. Underflow adds less than
//! 2^-147. A pair is dropped if the width is greater than (1 + 2^-20) hi + 2^-126, rounded up. Numbers that overflow make
//! no comparison true.
//!
//! *Rounded copies.* Of f64 positions, boxes and slabs are those of copies rounded to f32, off by at most r per coordinate,
//! which moves a corner by √3 r and its height by |u|₁ r ≤ √3 (1 + 2^-22) r. Boxes and slabs of two bodies may so seem
//! farther apart than what is in them by √3 (r_a + r_b); 1.75 (r_a + r_b) is added to the distance that they are compared
//! with ([`slack`](super::slack)). What is measured is measured on the f64 positions, and triangles can only meet if the
//! boxes of their copies do (`body::wide`).
//!
//! What is found does not depend on the order of the search: of all pairs the one with the smallest `hi`, of equal ones the
//! first. Only pairs with a larger distance than the best `hi` are ever dropped. Triangles that meet have `hi` = 0.
//! Multiplication and addition round separately, so that all processors search alike.
//!
//! Cost: what the walk reaches, then some dozens of pairs in f64, since around the closest vertex or edge several pairs of
//! triangles are equally near. No allocation once the lists have grown.

use crate::geom::lanes::vectors::*;
use glam::Vec4;

use super::closest::{Closest, Distance};
use super::slack;
use super::triangles::{Corners, Measured, common_point, measure, widened};
use crate::body::Body;
use crate::exact::{corners_meet, triangles_meet_f64};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Arithmetic, Simd, Squares, Triangle8, Vec8, WIDTH, bits, dispatch};
use crate::tree::{Leaves, NearestMemory, NearestQuestion, TreeSide, square_bound, walk_nearest};
use crate::work::{STEPS_PER_EXACT_TEST, spend};

/// Two triangles in f64.
const STEPS_PER_DISTANCE: usize = 100;

/// What is wanted of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// Triangles of which the search starts.
    pub(crate) guess: Option<TrianglePair>,
    /// Ends with the first pair that is certainly nearer than this, and does not look at what is farther; infinity to find
    /// the nearest.
    pub(crate) nearer_than: f64,
}

/// The nearest triangles of two bodies whose trees are up to date; `None` if one has no triangles, or if nothing is as
/// near as asked.
pub(crate) fn search(
    (a, b): (TreeSide<'_>, TreeSide<'_>),
    asked: Asked,
    memory: &mut NearestMemory,
) -> Option<Closest> {
    let slack = slack(a.body, b.body);
    let mut question = Question {
        a: a.body,
        b: b.body,
        asked,
        is_wide: a.body.is_wide() || b.body.is_wide(),
        slack,
        best: None,
        lo: f64::INFINITY,
        bound: square_bound(asked.nearer_than + slack),
    };
    if let Some(guess) = asked.guess {
        let corners = |body: &Body, triangle: u32| body.padded_corners(body.mesh().indices()[triangle as usize]);
        let (of_a, of_b) = (corners(a.body, guess.a.0), corners(b.body, guess.b.0));
        dispatch!(a.tree.instructions(), simd => question.measure(simd, guess, &of_a, &of_b, true));
    }
    if !question.is_done() {
        walk_nearest(&mut question, (a, b), memory);
    }
    dispatch!(a.tree.instructions(), simd => question.closest(simd))
}

/// Which triangles are nearest?
struct Question<'a> {
    a: &'a Body,
    b: &'a Body,
    asked: Asked,
    /// Whether corners are to be fetched from the bodies, as those in the leaves are rounded.
    is_wide: bool,
    /// By how much boxes and slabs may be too far apart.
    slack: f64,
    best: Option<Best>,
    /// The least lower bound of all pairs measured.
    lo: f64,
    /// For the squares of the distances of boxes.
    bound: f32,
}

/// The nearest triangles so far.
struct Best {
    hi: f64,
    triangles: TrianglePair,
    /// Unless they meet.
    measured: Option<Measured>,
    slab: Slab,
}

/// A direction across which pairs may be told to be far apart, and where it starts from.
#[derive(Clone, Copy)]
struct Slab {
    origin: [f32; 3],
    direction: [f32; 3],
    /// Wider than this is farther than the best; see the head of this file.
    width: f32,
}

impl NearestQuestion for Question<'_> {
    #[inline(always)]
    fn bound(&self) -> f32 {
        self.bound
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.asked.nearer_than < f64::INFINITY
            && self.best.as_ref().is_some_and(|best| best.hi < self.asked.nearer_than)
    }

    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, leaves: &Leaves<'_>, slots: (u32, u32), near: u64, squares: &Squares) {
        let near = near & !self.apart(simd, leaves, slots);
        for bit in bits(near) {
            let (row, lane) = (bit / WIDTH, bit % WIDTH);
            let square = squares.0[row][lane];
            // The bound may have changed.
            if square > self.bound {
                continue;
            }
            let cached = (slots.0 * WIDTH as u32 + row as u32, slots.1 * WIDTH as u32 + lane as u32);
            let ((i, j), (of_a, of_b)) = (leaves.triangles(cached), leaves.corners(cached));
            self.measure(simd, TrianglePair::new(i, j), of_a, of_b, square == 0.0);
            if self.is_done() {
                return;
            }
        }
    }
}

impl Question<'_> {
    /// Which pairs of the triangles of two leaves are farther apart than the best so far, by the slab between them: bit
    /// 8 · row + lane.
    #[inline(always)]
    fn apart<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, slots: (u32, u32)) -> u64 {
        let Some(Best { slab, .. }) = self.best else { return 0 };
        let (of_a, of_b) = leaves.in_slots(slots);
        let (a, b) = (Triangle8::gather(simd, of_a.each_ref()), Triangle8::gather(simd, of_b.each_ref()));
        let (origin, direction) = (Vec8::splat(simd, slab.origin), Vec8::splat(simd, slab.direction));
        let (least, _) = heights(simd, &a, origin, direction);
        let (_, most) = heights(simd, &b, origin, direction);
        let least: [f32; WIDTH] = least.into();
        let mut apart = 0;
        for row in 0..WIDTH {
            let width = f32x8::splat(simd, least[row]) - most;
            apart |= width.simd_gt(slab.width).to_bitmask() << (WIDTH * row);
        }
        apart
    }

    /// Measures two triangles and notes them if they are nearer than the best so far.
    #[inline(never)]
    fn measure<S: Simd>(
        &mut self,
        simd: S,
        triangles: TrianglePair,
        of_a: &[Vec4; 3],
        of_b: &[Vec4; 3],
        may_meet: bool,
    ) {
        let is_first = |best: &Best| (0.0, triangles) < (best.hi, best.triangles);
        if !self.best.as_ref().is_none_or(is_first) {
            return;
        }
        spend(if may_meet { STEPS_PER_DISTANCE + 3 * STEPS_PER_EXACT_TEST } else { STEPS_PER_DISTANCE });
        let (a, b) = if self.is_wide { self.exact(triangles) } else { (widened(of_a), widened(of_b)) };
        let meet = || if self.is_wide { triangles_meet_f64(&a, &b) } else { corners_meet(of_a, of_b) };
        let (hi, lo, measured) = if may_meet && meet() {
            (0.0, 0.0, None)
        } else {
            let measured = simd.vectorize(
                #[inline(always)]
                || measure(simd, &a, &b),
            );
            (measured.hi, measured.lo, Some(measured))
        };
        self.lo = self.lo.min(lo);
        if self.best.as_ref().is_some_and(|best| (best.hi, best.triangles) <= (hi, triangles)) {
            return;
        }
        self.bound = self.bound.min(square_bound(hi + self.slack));
        let direction = measured.map_or([0.0; 3], |Measured { vector: [x, y, z], .. }| {
            let length = (x * x + y * y + z * z).sqrt();
            if length > 0.0 { [x, y, z].map(|x| x / length) } else { [0.0; 3] }
        });
        let width = ((hi + self.slack) * (1.0 + 2f64.powi(-19)) + f64::from(f32::MIN_POSITIVE)) as f32;
        let slab = Slab {
            origin: of_b[0].truncate().to_array(),
            direction: direction.map(|x| x as f32),
            width: width.next_up(),
        };
        self.best = Some(Best { hi, triangles, measured, slab });
    }

    /// The corners of two triangles, without rounding.
    fn exact(&self, TrianglePair { a, b }: TrianglePair) -> (Corners, Corners) {
        let corners = |body: &Body, triangle: usize| body.exact_corners(body.mesh().indices()[triangle]);
        (corners(self.a, a.index()), corners(self.b, b.index()))
    }

    #[inline(always)]
    fn closest<S: Simd>(self, simd: S) -> Option<Closest> {
        let Best { hi, triangles, measured, .. } = *self.best.as_ref()?;
        if !(hi < self.asked.nearer_than || self.asked.nearer_than == f64::INFINITY) {
            return None;
        }
        let vertices = |body: &Body, triangle: u32| (triangle, body.mesh().indices()[triangle as usize]);
        let (of_a, of_b) = (vertices(self.a, triangles.a.0), vertices(self.b, triangles.b.0));
        let (a, b) = self.exact(triangles);
        let (points, features) = match measured {
            Some(measured) => (measured.points(&a, &b), Some(measured.features(of_a, of_b))),
            None => ([common_point(simd, &a, &b); 2], None),
        };
        let lo = if measured.is_some() { self.lo } else { 0.0 };
        Some(Closest { distance: Distance { lo, hi }, points, triangles, features })
    }
}

/// Bounds of the least and the greatest height of the corners of each triangle.
#[inline(always)]
fn heights<S: Simd>(simd: S, of: &Triangle8<S>, origin: Vec8<S>, u: Vec8<S>) -> (f32x8<S>, f32x8<S>) {
    let error = f32x8::splat(simd, 2f32.powi(-20));
    let (p, q, r) = (of.p.minus(origin), of.q.minus(origin), of.r.minus(origin));
    let (height_p, height_q, height_r) =
        (p.x * u.x + p.y * u.y + p.z * u.z, q.x * u.x + q.y * u.y + q.z * u.z, r.x * u.x + r.y * u.y + r.z * u.z);
    let reach_p = Arithmetic::abs(p.x) + Arithmetic::abs(p.y) + Arithmetic::abs(p.z);
    let reach_q = Arithmetic::abs(q.x) + Arithmetic::abs(q.y) + Arithmetic::abs(q.z);
    let reach_r = Arithmetic::abs(r.x) + Arithmetic::abs(r.y) + Arithmetic::abs(r.z);
    let slack = Arithmetic::max(Arithmetic::max(reach_p, reach_q), reach_r) * error;
    let least = Arithmetic::min(Arithmetic::min(height_p, height_q), height_r) - slack;
    let most = Arithmetic::max(Arithmetic::max(height_p, height_q), height_r) + slack;
    (least, most)
}
