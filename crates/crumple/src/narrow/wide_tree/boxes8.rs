//! Eight boxes side by side, so that one instruction compares a coordinate of all of them.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;

use super::vec8::Vec8;
use crate::geom::Aabb;

/// Eight boxes, coordinate by coordinate; places not in use hold empty ones, which overlap nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Boxes8 {
    low: [[f32; 8]; 3],
    high: [[f32; 8]; 3],
}

impl Boxes8 {
    pub(super) const EMPTY: Self = Self { low: [[f32::INFINITY; 8]; 3], high: [[f32::NEG_INFINITY; 8]; 3] };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, bounds: &Corners) {
        for axis in 0..3 {
            self.low[axis][lane] = bounds.low[axis];
            self.high[axis][lane] = bounds.high[axis];
        }
    }

    /// Eight boxes whose corners are in lanes.
    #[inline(always)]
    pub(super) fn of<S: Simd>(low: Vec8<S>, high: Vec8<S>) -> Self {
        Self { low: low.store(), high: high.store() }
    }

    /// The box that holds all eight.
    #[inline(always)]
    pub(super) fn union<S: Simd>(&self, simd: S) -> Corners {
        Corners {
            low: [
                f32x8::from_slice(simd, &self.low[0]).reduce_min(),
                f32x8::from_slice(simd, &self.low[1]).reduce_min(),
                f32x8::from_slice(simd, &self.low[2]).reduce_min(),
            ],
            high: [
                f32x8::from_slice(simd, &self.high[0]).reduce_max(),
                f32x8::from_slice(simd, &self.high[1]).reduce_max(),
                f32x8::from_slice(simd, &self.high[2]).reduce_max(),
            ],
        }
    }

    /// Which of the eight overlap which of eight others: bit 8 · row + lane, the rows being these. No branch, since what
    /// overlaps what cannot be foretold: a jump guessed wrong costs more than a row.
    #[inline(always)]
    pub(super) fn overlaps<S: Simd>(&self, simd: S, lanes: &Self) -> u64 {
        let (low_x, high_x) = (f32x8::from_slice(simd, &lanes.low[0]), f32x8::from_slice(simd, &lanes.high[0]));
        let (low_y, high_y) = (f32x8::from_slice(simd, &lanes.low[1]), f32x8::from_slice(simd, &lanes.high[1]));
        let (low_z, high_z) = (f32x8::from_slice(simd, &lanes.low[2]), f32x8::from_slice(simd, &lanes.high[2]));
        let mut found = 0;
        for row in 0..8 {
            let x = low_x.simd_le(self.high[0][row]) & high_x.simd_ge(self.low[0][row]);
            let y = low_y.simd_le(self.high[1][row]) & high_y.simd_ge(self.low[1][row]);
            let z = low_z.simd_le(self.high[2][row]) & high_z.simd_ge(self.low[2][row]);
            found |= (x & y & z).to_bitmask() << (8 * row);
        }
        found
    }

    /// The boxes with their corners moved apart.
    #[inline(always)]
    pub(super) fn widened<S: Simd>(&self, simd: S, by: &Widening) -> Self {
        let mut wide = *self;
        for axis in 0..3 {
            (f32x8::from_slice(simd, &self.low[axis]) - by.low[axis]).store_slice(&mut wide.low[axis]);
            (f32x8::from_slice(simd, &self.high[axis]) + by.high[axis]).store_slice(&mut wide.high[axis]);
        }
        wide
    }

    /// Which of the eight overlap a box: a bit a lane.
    #[inline(always)]
    pub(super) fn overlapping<S: Simd>(&self, simd: S, other: &Corners) -> u32 {
        // Written out: a closure would be compiled without the instructions that `simd` stands for.
        let x = f32x8::from_slice(simd, &self.low[0]).simd_le(other.high[0])
            & f32x8::from_slice(simd, &self.high[0]).simd_ge(other.low[0]);
        let y = f32x8::from_slice(simd, &self.low[1]).simd_le(other.high[1])
            & f32x8::from_slice(simd, &self.high[1]).simd_ge(other.low[1]);
        let z = f32x8::from_slice(simd, &self.low[2]).simd_le(other.high[2])
            & f32x8::from_slice(simd, &self.high[2]).simd_ge(other.low[2]);
        (x & y & z).to_bitmask() as u32
    }
}

/// A box as two corners, one of which may lie beyond the other: then it is empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

impl Corners {
    pub(super) fn of(bounds: &Aabb) -> Self {
        Self { low: bounds.min(), high: bounds.max() }
    }

    /// The box with its corners moved apart.
    #[inline(always)]
    pub(super) fn widened(&self, by: &Widening) -> Self {
        self.less(by.low, by.high.map(|x| -x))
    }

    /// The box with something taken off each corner.
    #[inline(always)]
    pub(super) fn less(&self, low: [f32; 3], high: [f32; 3]) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis] - low[axis]),
            high: std::array::from_fn(|axis| self.high[axis] - high[axis]),
        }
    }
}

/// How far the corners of a box are moved apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widening {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

/// The places of the bits that are set.
#[inline(always)]
pub(super) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask: u64 = mask.into();
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
