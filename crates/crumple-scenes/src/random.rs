//! A tiny seeded generator (SplitMix64: Steele, Lea & Flood 2014), so that scenes need no other crate and never change.
//! The tests of all crates draw from it, too.

use crate::vector::{Vector, dot, scale};

/// A stream of numbers that depends on the seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[low, high)`; 53 random bits, so every step is exact until the final product and sum.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * share
    }

    /// Uniform among 0, 1, …, `count` − 1.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// Uniform among the whole numbers from `low` to `high`, both included.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True once in `count` times, on average.
    pub fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Uniform on the unit sphere: points of the cube are drawn until one lies well inside the ball.
    pub(crate) fn direction(&mut self) -> Vector {
        loop {
            let point = self.in_cube(1.0);
            let square = dot(point, point);
            if square > 0.01 && square <= 1.0 {
                return scale(point, 1.0 / square.sqrt());
            }
        }
    }

    /// Uniform in the cube of half side `half` about the origin.
    pub(crate) fn in_cube(&mut self, half: f64) -> Vector {
        [self.between(-half, half), self.between(-half, half), self.between(-half, half)]
    }

    /// An angle in `[0, 2π)`.
    pub(crate) fn angle(&mut self) -> f64 {
        self.between(0.0, std::f64::consts::TAU)
    }
}
