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
    pub(super) fn set(&mut self, lane: usize, bounds: &Aabb) {
        let (low, high) = (bounds.low(), bounds.high());
        for axis in 0..3 {
            self.low[axis][lane] = low[axis];
            self.high[axis][lane] = high[axis];
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Corners {
        Corners { low: self.low.map(|lanes| lanes[lane]), high: self.high.map(|lanes| lanes[lane]) }
    }

    /// Sets all eight boxes.
    #[inline(always)]
    pub(super) fn set_all<S: Simd>(&mut self, low: Vec8<S>, high: Vec8<S>) {
        low.x.store_slice(&mut self.low[0]);
        low.y.store_slice(&mut self.low[1]);
        low.z.store_slice(&mut self.low[2]);
        high.x.store_slice(&mut self.high[0]);
        high.y.store_slice(&mut self.high[1]);
        high.z.store_slice(&mut self.high[2]);
    }

    /// Sets one box to the one that holds eight others.
    #[inline(always)]
    pub(super) fn set_union<S: Simd>(&mut self, lane: usize, low: Vec8<S>, high: Vec8<S>) {
        self.low[0][lane] = low.x.reduce_min();
        self.low[1][lane] = low.y.reduce_min();
        self.low[2][lane] = low.z.reduce_min();
        self.high[0][lane] = high.x.reduce_max();
        self.high[1][lane] = high.y.reduce_max();
        self.high[2][lane] = high.z.reduce_max();
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
        Self {
            low: std::array::from_fn(|axis| self.low[axis] - by.low[axis]),
            high: std::array::from_fn(|axis| self.high[axis] + by.high[axis]),
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
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
