//! How far the vertices of a body can have moved since any earlier frame.
//!
//! Each frame the displacement of every vertex lies between two corners, `low` and `high`, along each axis. Summed up
//! over frames they bound the displacement between any two frames: a box that held some vertices at frame f holds them
//! at frame g once its lower corner is moved by low(g) − low(f) and its upper corner by high(g) − high(f). A body that
//! is only pushed along moves such boxes without loosening them at all.
//!
//! Rounding: a displacement is computed in f32 as new − old, to within 2^-24 of its size (differences of f32 numbers do
//! not underflow); rounding is monotonic, so the least rounded displacement is the rounding of the least true one. It is
//! widened by 2^-23 of its size, and summed in f64; the sum of n frames of sizes up to d is off by at most n² · d · 2^-53,
//! which for a million frames is n · d · 2^-33: the widening of 2^-24 · n · d left over covers it.

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
            self.low[axis] += widened(low[axis], -2.0f64.powi(-23));
            self.high[axis] += widened(high[axis], 2.0f64.powi(-23));
        }
    }
}
