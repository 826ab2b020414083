//! How far the vertices of a body can have moved since any earlier frame.
//!
//! Each frame the displacement of every vertex lies between two corners, `low` and `high`, along each axis. Summed up
//! over frames they bound the displacement between any two frames: a box that held some vertices at frame f holds them
//! at frame g once its lower corner is moved by low(g) − low(f) and its upper corner by high(g) − high(f). A body that
//! is only pushed along moves such boxes without loosening them at all.
//!
//! Rounding: a displacement is computed in f32 as new − old, to within 2^-24 of its size (differences of f32 numbers do
//! not underflow); rounding is monotonic, so the least rounded displacement is the rounding of the least true one. It is
//! widened by 2^-23 of its size and added in f64, and the sum is moved outward to the next number, which is more than its
//! rounding. So low(g) − low(f) never exceeds what was truly moved, whatever the sums have come to: after a leap of 1e20
//! and back they hold no more than two or three digits of a small step.

use crate::geom::Aabb;

/// Sums of the least and of the greatest displacements, along each axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drift {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
    /// How often a displacement was too large for f32: across such a frame the sums say nothing.
    pub(crate) jumps: u64,
}

impl Drift {
    /// Makes the displacement from here to `later` allow for vertices that did not move.
    pub(super) fn include_rest(&mut self, later: &Self) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].max(later.low[axis]);
            self.high[axis] = self.high[axis].min(later.high[axis]);
        }
    }

    /// Adds one frame, in which every displacement lay in `moved`.
    pub(super) fn add(&mut self, moved: &Aabb) {
        if moved.is_empty() {
            return;
        }
        let (low, high) = (moved.min(), moved.max());
        if !low.iter().chain(&high).all(|x| x.is_finite()) {
            self.jumps += 1;
            return;
        }
        for axis in 0..3 {
            let widened = |x: f32, towards: f64| f64::from(x) + towards * f64::from(x).abs();
            self.low[axis] = (self.low[axis] + widened(low[axis], -2.0f64.powi(-23))).next_down();
            self.high[axis] = (self.high[axis] + widened(high[axis], 2.0f64.powi(-23))).next_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_are_bounded_even_after_a_leap_and_back() {
        let along = |step: f32| Aabb::new([step; 3], [step; 3]);
        let mut drift = Drift::default();
        drift.add(&along(1e20));
        drift.add(&along(-1e20));
        let (before, mut moved) = (drift, 0.0);
        for step in (0..1000).map(|i| [0.3, -0.1, 0.01][i % 3]) {
            drift.add(&along(step));
            moved += f64::from(step);
            assert!(drift.low[0] - before.low[0] <= moved && moved <= drift.high[0] - before.high[0]);
        }
    }
}
