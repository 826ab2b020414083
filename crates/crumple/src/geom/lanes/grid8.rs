//! Eight boxes side by side in numbers of 16 bits: four rows of eight are compared by one instruction where registers have
//! 512 bits, and 96 bytes hold what takes 192 in f32.
//!
//! Coordinates are rounded to the points of a [`Grid`]. Rounding never changes an order: multiplication by a positive
//! number, addition, the conversion, which drops what is behind the point, and both clampings are each non-decreasing. So
//! if one box begins before another ends, it does so on the grid, too: boxes that overlap do so on any grid. On a grid of
//! 65,533 points along each axis hardly any others do.
//!
//! The conversion takes numbers below 2^31 in size only, which [`Grid::over`] sees to.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i16x8, i16x16, i16x32, u8x64};

use super::{Bounds, Vec8, WIDTH};

/// The last point of a grid on either side of its centre. One less than there could be: numbers beyond it stand for boxes
/// that are not there.
const LAST: i16 = 32_766;

/// Points at equal distances along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// Points per unit of length, which is positive, and the point at the origin.
    per_unit: [f32; 3],
    origin: [f32; 3],
}

impl Grid {
    /// The grid that spans a box, for coordinates up to `largest` in size; what is beyond the box is rounded to its sides.
    ///
    /// A coordinate is taken to x · per_unit + origin. Both terms stay below 2^29, or the grid would have to be coarser; f32
    /// has no digits for a finer one anyway. So neither overflows, whatever the box, and the sum is below 2^31.
    pub(crate) fn over(bounds: &Bounds, largest: f32) -> Self {
        const MOST: f32 = (1 << 29) as f32;
        let (mut per_unit, mut origin) = ([1.0; 3], [0.0; 3]);
        for axis in 0..3 {
            // Halves first: sums and differences of finite numbers may overflow.
            let (low, high) = (0.5 * bounds.min[axis], 0.5 * bounds.max[axis]);
            let centre = (low + high).clamp(-largest, largest);
            let finest = (MOST / largest).min(f32::MAX);
            per_unit[axis] = (f32::from(LAST) / (high - low).abs()).min(finest).max(f32::MIN_POSITIVE);
            origin[axis] = -centre * per_unit[axis];
        }
        Self { per_unit, origin }
    }

    /// The lower sides of eight boxes along an axis, then the upper ones.
    #[inline(always)]
    fn rounded<S: Simd>(&self, simd: S, axis: usize, low: f32x8<S>, high: f32x8<S>) -> [i16; 2 * WIDTH] {
        let (per_unit, origin) = (f32x8::splat(simd, self.per_unit[axis]), f32x8::splat(simd, self.origin[axis]));
        // Multiplied and added apart: with one rounding for both, processors would differ in their candidates.
        let (low, high) = (low * per_unit + origin, high * per_unit + origin);
        let both: i16x16<S> = simd.saturating_narrow_i32x8(simd.cvt_i32_f32x8(low), simd.cvt_i32_f32x8(high));
        both.max(-LAST).min(LAST).into()
    }
}

/// Eight boxes on a grid.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct GridBoxes8 {
    /// Along each axis the lower sides of all eight, then the upper ones.
    sides: [[i16; 2 * WIDTH]; 3],
}

impl GridBoxes8 {
    /// Boxes that are not there: they overlap nothing.
    pub(crate) const EMPTY: Self = {
        let mut sides = [[i16::MIN; 2 * WIDTH]; 3];
        let mut at = 0;
        while at < 3 * WIDTH {
            sides[at / WIDTH][at % WIDTH] = i16::MAX;
            at += 1;
        }
        Self { sides }
    };

    /// Rounds the first `count` of eight boxes, given by their lower and upper corners, to a grid.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, min: Vec8<S>, max: Vec8<S>, count: usize, grid: &Grid) -> Self {
        let mut rounded = Self {
            sides: [
                grid.rounded(simd, 0, min.x, max.x),
                grid.rounded(simd, 1, min.y, max.y),
                grid.rounded(simd, 2, min.z, max.z),
            ],
        };
        if count < WIDTH {
            for axis in 0..3 {
                rounded.sides[axis][count..WIDTH].fill(i16::MAX);
                rounded.sides[axis][WIDTH + count..].fill(i16::MIN);
            }
        }
        rounded
    }

    /// Which of the eight overlap which of eight others on the same grid: bit 8 · row + lane, the rows being these.
    #[inline(always)]
    pub(crate) fn overlaps<S: Simd>(&self, simd: S, lanes: &Self) -> u64 {
        self.half(simd, lanes, FIRST_ROWS) | self.half(simd, lanes, LAST_ROWS) << (4 * WIDTH)
    }

    /// The same for four rows.
    #[inline(always)]
    fn half<S: Simd>(&self, simd: S, lanes: &Self, rows: [u8; 64]) -> u64 {
        let rows = u8x64::load_array(simd, rows);
        let mut overlap = !0;
        for axis in 0..3 {
            let (low, high) = self.four_times(simd, axis);
            let (low, high) = (low.swizzle_dyn_within_blocks(rows), high.swizzle_dyn_within_blocks(rows));
            let (low_of_lanes, high_of_lanes) = lanes.four_times(simd, axis);
            overlap &= low_of_lanes.simd_le(high).to_bitmask() & high_of_lanes.simd_ge(low).to_bitmask();
        }
        overlap
    }

    /// The lower sides along an axis, four times over, and the upper ones.
    #[inline(always)]
    fn four_times<S: Simd>(&self, simd: S, axis: usize) -> (i16x32<S>, i16x32<S>) {
        let (low, high) = self.sides[axis].split_at(WIDTH);
        (i16x32::block_splat(i16x8::from_slice(simd, low)), i16x32::block_splat(i16x8::from_slice(simd, high)))
    }
}

/// Picks rows from registers that hold eight of them in each block of 128 bits: in block i, row i in all lanes; and row
/// i + 4.
const FIRST_ROWS: [u8; 64] = rows_from(0);
const LAST_ROWS: [u8; 64] = rows_from(4);

const fn rows_from(first: usize) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut at = 0;
    while at < 64 {
        bytes[at] = (2 * (first + at / 16) + at % 2) as u8;
        at += 1;
    }
    bytes
}
