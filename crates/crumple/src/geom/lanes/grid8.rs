//! Eight boxes side by side in numbers of 16 bits: four rows of eight are compared by one instruction where registers have
//! 512 bits, and 96 bytes hold what takes 192 in f32.
//!
//! Coordinates are rounded to the points of a [`Grid`]. Rounding never changes an order: multiplication by a positive
//! number, addition, all clampings and the conversion, which drops what is behind the point, are each non-decreasing. So if
//! one box begins before another ends, it does so on the grid, too: boxes that overlap do so on any grid. On a grid of 65,533
//! points along each axis hardly any others do.
//!
//! The conversion returns the least number for whatever is not within its range. Below it, that is right; numbers above it
//! are clamped before, and there is nothing that is not a number: see [`Grid::over`].

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, i16x8, i16x16, i16x32, mask16x32, u8x64};

use super::{Bounds, Vec8, WIDTH, bits};

/// The last point of a grid on either side of its centre. One less than there could be: numbers beyond it stand for boxes
/// that are not there.
const LAST: i16 = 32_766;

/// More than any number of 16 bits, and within the range of the conversion.
const LARGEST: f32 = 65_536.0;

/// Points at equal distances along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// Points per unit of length, which is positive, and the point at the origin.
    per_unit: [f32; 3],
    origin: [f32; 3],
}

impl Grid {
    /// The grid that spans a box; what is beyond the box is rounded to its sides.
    ///
    /// A coordinate x is taken to x · per_unit + origin. Both numbers are finite, whatever the box, and the first is positive:
    /// so the product may be infinite, if x is large or infinite itself, but the sum is a number. A grid so fine that the
    /// point at the origin would be beyond 2^29 is made coarser; f32 has no digits for it anyway.
    pub(crate) fn over(bounds: &Bounds) -> Self {
        const FARTHEST: f32 = (1 << 29) as f32;
        let (mut per_unit, mut origin) = ([1.0; 3], [0.0; 3]);
        for axis in 0..3 {
            // Halves first: sums and differences of finite numbers may overflow.
            let (low, high) = (0.5 * bounds.min[axis], 0.5 * bounds.max[axis]);
            let centre = low + high;
            if centre.is_finite() {
                let finest = (FARTHEST / centre.abs()).min(f32::MAX);
                per_unit[axis] = (f32::from(LAST) / (high - low).abs()).min(finest).max(f32::MIN_POSITIVE);
                origin[axis] = -centre * per_unit[axis];
            }
        }
        Self { per_unit, origin }
    }

    /// The lower sides of eight boxes along an axis, then the upper ones.
    #[inline(always)]
    fn rounded<S: Simd>(&self, simd: S, axis: usize, low: f32x8<S>, high: f32x8<S>) -> [i16; 2 * WIDTH] {
        let (per_unit, origin) = (f32x8::splat(simd, self.per_unit[axis]), f32x8::splat(simd, self.origin[axis]));
        // Multiplied and added apart: with one rounding for both, processors would differ in their candidates.
        let (low, high) = ((low * per_unit + origin).min(LARGEST), (high * per_unit + origin).min(LARGEST));
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
    /// Rounds eight boxes, given by their lower and upper corners, to a grid; those not in use, one bit each, get empty ones.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, min: Vec8<S>, max: Vec8<S>, in_use: u8, grid: &Grid) -> Self {
        let mut rounded = Self {
            sides: [
                grid.rounded(simd, 0, min.x, max.x),
                grid.rounded(simd, 1, min.y, max.y),
                grid.rounded(simd, 2, min.z, max.z),
            ],
        };
        for lane in bits(!in_use) {
            for axis in 0..3 {
                rounded.sides[axis][lane] = i16::MAX;
                rounded.sides[axis][WIDTH + lane] = i16::MIN;
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
        let along = [
            self.overlap_along(simd, lanes, rows, 0),
            self.overlap_along(simd, lanes, rows, 1),
            self.overlap_along(simd, lanes, rows, 2),
        ];
        (along[0] & along[1] & along[2]).to_bitmask()
    }

    /// Where four rows and the lanes overlap along an axis.
    #[inline(always)]
    fn overlap_along<S: Simd>(&self, simd: S, lanes: &Self, rows: u8x64<S>, axis: usize) -> mask16x32<S> {
        let (low, high) = self.four_times(simd, axis);
        let (low, high) = (low.swizzle_dyn_within_blocks(rows), high.swizzle_dyn_within_blocks(rows));
        let (low_of_lanes, high_of_lanes) = lanes.four_times(simd, axis);
        low_of_lanes.simd_le(high) & high_of_lanes.simd_ge(low)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::{Boxes8, Instructions, all_simd, chosen_simd};
    use crumple_scenes::Random;

    /// Boxes of many sizes around a place.
    fn boxes(random: &mut Random, scale: f64, centre: f64) -> Boxes8 {
        let mut boxes = Boxes8::EMPTY;
        for lane in 0..WIDTH {
            let size = scale * 0.5f64.powi(random.integer(0, 3) as i32);
            let low = [0; 3].map(|_| centre + scale * random.between(-1.0, 1.0));
            let high = low.map(|low| low + size * random.between(0.0, 1.0));
            boxes.set(lane, &Bounds { min: low.map(|x| x as f32), max: high.map(|x| x as f32) });
        }
        boxes
    }

    fn on_grid(simd: Instructions, boxes: &Boxes8, in_use: u8, grid: &Grid) -> GridBoxes8 {
        dispatch!(simd, simd => {
            let (min, max) = boxes.corners(simd);
            GridBoxes8::of(simd, min, max, in_use, grid)
        })
    }

    #[test]
    fn boxes_that_overlap_do_so_on_every_grid_and_on_a_fine_one_no_others() {
        let mut random = Random::new(7);
        let (mut overlapping, mut more) = (0, 0);
        for round in 0..2000 {
            // Up to where boxes reach the largest number there is, and beyond.
            let scale = 10f64.powi(random.integer(-44, 38) as i32);
            let centre = scale * random.between(-4.0, 4.0);
            let (a, b) = (boxes(&mut random, scale, centre), boxes(&mut random, scale, centre));
            // One that spans the boxes, one that is coarse, one that lies elsewhere, one without extent, and one without end.
            let spans =
                [(centre, 2.0), (centre, 1e4), (centre + 3.0 * scale, 0.5), (centre, 0.0), (centre, f64::INFINITY)];
            for (at, (centre, width)) in spans.into_iter().enumerate() {
                let (low, high) = ((centre - width * scale) as f32, (centre + width * scale) as f32);
                let grid = Grid::over(&Bounds { min: [low; 3], max: [high; 3] });
                let found = all_simd().into_iter().map(|simd| {
                    let (a, b) = (on_grid(simd, &a, 0xff, &grid), on_grid(simd, &b, 0xff, &grid));
                    dispatch!(simd, simd => a.overlaps(simd, &b))
                });
                let found: Vec<u64> = found.collect();
                let true_ones = dispatch!(chosen_simd(), simd => a.overlaps(simd, &b));
                assert!(found.iter().all(|&other| other == found[0]), "the same at every simd");
                assert_eq!(true_ones & !found[0], 0, "round {round}, grid {at}");
                // At the ends of the range of f32 grids are coarse.
                if at == 0 && (1e-30..1e30).contains(&scale) {
                    overlapping += true_ones.count_ones();
                    more += (found[0] & !true_ones).count_ones();
                }
            }
        }
        assert!(overlapping > 1000 && more * 1000 < overlapping, "{more} besides {overlapping}");
    }

    #[test]
    fn lanes_that_hold_no_box_overlap_nothing_not_even_a_box_that_spans_the_grid() {
        let grid = Grid::over(&Bounds { min: [0.0; 3], max: [1.0; 3] });
        let mut all = Boxes8::EMPTY;
        (0..WIDTH).for_each(|lane| all.set(lane, &Bounds { min: [-10.0; 3], max: [10.0; 3] }));
        for simd in all_simd() {
            for in_use in 0..=u8::MAX {
                let (some, all) = (on_grid(simd, &all, in_use, &grid), on_grid(simd, &all, 0xff, &grid));
                let rows = bits(in_use).fold(0, |rows, row| rows | 0xff << (WIDTH * row));
                assert_eq!(dispatch!(simd, simd => some.overlaps(simd, &all)), rows);
                let lanes = u64::from(in_use) * 0x0101_0101_0101_0101;
                assert_eq!(dispatch!(simd, simd => all.overlaps(simd, &some)), lanes);
            }
        }
    }
}
