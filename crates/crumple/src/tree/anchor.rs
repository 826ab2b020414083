//! Carries boxes from frame to frame by what the body's [`Drift`] says about how far any vertex can have moved.
//!
//! Boxes are kept *anchored*: with the drift since the anchor, as it was in the frame of their fitting, subtracted,
//!
//! ```text
//! anchored.min = min − moved_min(fitting)          so that at any later frame the vertices lie between
//! anchored.max = max − moved_max(fitting)          anchored.min + moved_min(now) and anchored.max + moved_max(now)
//! ```
//!
//! All boxes of a tree loosen alike, so one pair of corners, added once per walk, brings every level up to date, and a
//! parent's anchored box is the union of its children's.
//!
//! Rounding: all of it is covered by a slack that the walk adds, see [`Anchor::widening`].

use crate::body::{Body, Drift};
use crate::geom::Aabb;
use crate::geom::lanes::Widening;

/// The frame from which drifts are measured, and how far vertices can have moved since.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    /// The drift of the body in that frame.
    drift: Drift,
    /// The least and the greatest displacement since then, along each axis.
    moved_min: [f64; 3],
    moved_max: [f64; 3],
    /// The largest coordinate that any sum of an anchored box and a displacement can have, for the bound on its rounding.
    largest: f32,
}

impl Anchor {
    /// Anchored at the body as it is now.
    pub(super) fn at(body: &Body) -> Self {
        let mut anchor = Self { drift: body.drift(), moved_min: [0.0; 3], moved_max: [0.0; 3], largest: 0.0 };
        anchor.note_largest(body);
        anchor
    }

    /// Takes in a new frame; returns whether boxes can still be carried to it. If not, they must be anchored anew.
    pub(super) fn carry(&mut self, body: &Body) -> bool {
        let drift = body.drift();
        let since = |now: [f64; 3], then: [f64; 3]| std::array::from_fn(|axis| now[axis] - then[axis]);
        self.moved_min = since(drift.low, self.drift.low);
        self.moved_max = since(drift.high, self.drift.high);
        let size = body.bounds().extent().into_iter().fold(0.0, f32::max);
        let (shift, largest) = (self.shift(), largest(body));
        // Far from the anchor f32 gets coarse, and may overflow; across a jump the drift says nothing.
        let is_far = self.spread() > 4.0 * size || shift > 16.0 * largest || shift + largest > f32::MAX / 16.0;
        if drift.jumps != self.drift.jumps || is_far {
            return false;
        }
        self.note_largest(body);
        true
    }

    /// By how much boxes fitted at the anchor have loosened, along the axis where it is most.
    pub(super) fn spread(&self) -> f32 {
        (0..3).map(|axis| self.moved_max[axis] - self.moved_min[axis]).fold(0.0, f64::max) as f32
    }

    /// How far vertices can have moved since the anchor: the least and the greatest displacement along each axis.
    pub(super) fn moved(&self) -> ([f64; 3], [f64; 3]) {
        (self.moved_min, self.moved_max)
    }

    /// The largest coordinate that any sum of an anchored box and a displacement can have.
    pub(super) fn largest(&self) -> f32 {
        self.largest
    }

    /// What is subtracted from the lower and from the upper corners of boxes fitted now.
    pub(super) fn displacements(&self) -> ([f32; 3], [f32; 3]) {
        (self.moved_min.map(|x| x as f32), self.moved_max.map(|x| x as f32))
    }

    /// How far anchored boxes of `self` have to be widened to be compared with anchored boxes of `other`.
    ///
    /// Boxes overlap along an axis if min_a + moved_min_a ≤ max_b + moved_max_b and the other way round. With all
    /// displacements brought to one side, that is: min_a − (moved_max_b − moved_min_a) ≤ max_b. The difference is
    /// computed in f64, rounded to f32 and subtracted in f32: three roundings, each within 2^-24 of a number that is at
    /// most the sum of both `largest`. Anchoring has rounded a displacement and a difference of each body, all within
    /// 2^-24 of half its `largest`, which together is 2^-24 of the sum of both. The slack of 2^-21 of that sum is twice
    /// all of it, and the smallest normal number covers what underflows.
    pub(super) fn widening(&self, other: &Self) -> Widening {
        let slack = slack(self.largest + other.largest);
        Widening {
            below: std::array::from_fn(|axis| narrowed(other.moved_max[axis] - self.moved_min[axis]) + slack),
            above: std::array::from_fn(|axis| narrowed(self.moved_max[axis] - other.moved_min[axis]) + slack),
        }
    }

    /// How far a box that is right now has to be widened to be compared with anchored boxes of `self`; the argument is
    /// that of [`widening`](Self::widening), with no displacement on the other side.
    pub(super) fn widening_of_box(&self, bounds: &Aabb) -> Widening {
        let largest = bounds.low().abs().max(bounds.high().abs()).max_element();
        let slack = slack(self.largest + largest);
        Widening {
            below: std::array::from_fn(|axis| narrowed(self.moved_max[axis]) + slack),
            above: std::array::from_fn(|axis| narrowed(-self.moved_min[axis]) + slack),
        }
    }

    /// The largest displacement along any axis.
    fn shift(&self) -> f32 {
        self.moved_min.iter().chain(&self.moved_max).fold(0.0, |most: f64, x| most.max(x.abs())) as f32
    }

    fn note_largest(&mut self, body: &Body) {
        if body.bounds().is_empty() {
            return;
        }
        // Twice: once for a coordinate less a displacement, once for a displacement added again.
        self.largest = self.largest.max(2.0 * (largest(body) + self.shift()));
    }
}

/// What covers the rounding of numbers up to `largest`.
fn slack(largest: f32) -> f32 {
    2.0f32.powi(-21) * largest + f32::MIN_POSITIVE
}

/// The largest coordinate of a body, regardless of sign.
fn largest(body: &Body) -> f32 {
    body.bounds().low().abs().max(body.bounds().high().abs()).max_element()
}

/// To f32, but never to minus infinity: a widening may be too large, not too small.
fn narrowed(x: f64) -> f32 {
    (x as f32).max(f32::MIN)
}
