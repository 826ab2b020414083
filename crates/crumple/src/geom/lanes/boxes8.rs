//! Eight boxes side by side, so that one instruction compares a coordinate of all of them.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8};

use super::{Vec8, WIDTH, load};
use crate::geom::Aabb;

/// Eight boxes, coordinate by coordinate; lanes not in use hold empty ones, which overlap nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Boxes8 {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

impl Boxes8 {
    pub(crate) const EMPTY: Self = Self { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, bounds: &Bounds) {
        for axis in 0..3 {
            self.min[axis][lane] = bounds.min[axis];
            self.max[axis][lane] = bounds.max[axis];
        }
    }

    /// Eight boxes from their lower and upper corners.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(min: Vec8<S>, max: Vec8<S>) -> Self {
        Self { min: min.store(), max: max.store() }
    }

    /// Up to eight boxes; lanes without one stay empty.
    #[inline(always)]
    pub(crate) fn gather<'a, S: Simd>(simd: S, boxes: impl Iterator<Item = &'a Aabb>) -> Self {
        let far = f32x4::splat(simd, f32::INFINITY);
        let (mut min, mut max) = ([far; WIDTH], [-far; WIDTH]);
        for (lane, bounds) in boxes.take(WIDTH).enumerate() {
            (min[lane], max[lane]) = (load(simd, &bounds.low()), load(simd, &bounds.high()));
        }
        Self::of(Vec8::of(min), Vec8::of(max))
    }

    /// The lower and the upper corners of the eight.
    #[inline(always)]
    pub(crate) fn corners<S: Simd>(&self, simd: S) -> (Vec8<S>, Vec8<S>) {
        (Vec8::load(simd, &self.min), Vec8::load(simd, &self.max))
    }

    /// The box that holds all eight.
    #[inline(always)]
    pub(crate) fn union<S: Simd>(&self, simd: S) -> Bounds {
        Bounds {
            min: [
                f32x8::from_slice(simd, &self.min[0]).reduce_min(),
                f32x8::from_slice(simd, &self.min[1]).reduce_min(),
                f32x8::from_slice(simd, &self.min[2]).reduce_min(),
            ],
            max: [
                f32x8::from_slice(simd, &self.max[0]).reduce_max(),
                f32x8::from_slice(simd, &self.max[1]).reduce_max(),
                f32x8::from_slice(simd, &self.max[2]).reduce_max(),
            ],
        }
    }

    /// Which of the eight overlap which of eight others: bit 8 · row + lane, the rows being these. No branch, since what
    /// overlaps what cannot be predicted: a mispredicted jump costs more than a row.
    #[inline(always)]
    pub(crate) fn overlaps<S: Simd>(&self, simd: S, lanes: &Self) -> u64 {
        let (min_x, max_x) = (f32x8::from_slice(simd, &lanes.min[0]), f32x8::from_slice(simd, &lanes.max[0]));
        let (min_y, max_y) = (f32x8::from_slice(simd, &lanes.min[1]), f32x8::from_slice(simd, &lanes.max[1]));
        let (min_z, max_z) = (f32x8::from_slice(simd, &lanes.min[2]), f32x8::from_slice(simd, &lanes.max[2]));
        let mut found = 0;
        for row in 0..WIDTH {
            let x = min_x.simd_le(self.max[0][row]) & max_x.simd_ge(self.min[0][row]);
            let y = min_y.simd_le(self.max[1][row]) & max_y.simd_ge(self.min[1][row]);
            let z = min_z.simd_le(self.max[2][row]) & max_z.simd_ge(self.min[2][row]);
            found |= (x & y & z).to_bitmask() << (WIDTH * row);
        }
        found
    }

    /// The squares of the distances of the eight to eight others, and which of them are at most `bound`: bit 8 · row + lane,
    /// the rows being these. Multiplication and addition round separately, so that all processors get the same numbers.
    #[inline(always)]
    pub(crate) fn squares<S: Simd>(&self, simd: S, lanes: &Self, bound: f32) -> (u64, Squares) {
        let (min_x, max_x) = (f32x8::from_slice(simd, &lanes.min[0]), f32x8::from_slice(simd, &lanes.max[0]));
        let (min_y, max_y) = (f32x8::from_slice(simd, &lanes.min[1]), f32x8::from_slice(simd, &lanes.max[1]));
        let (min_z, max_z) = (f32x8::from_slice(simd, &lanes.min[2]), f32x8::from_slice(simd, &lanes.max[2]));
        let zero = f32x8::splat(simd, 0.0);
        let mut far = 0;
        let mut squares = Squares([[0.0; WIDTH]; WIDTH]);
        for row in 0..WIDTH {
            let x = (min_x - self.max[0][row]).max(-(max_x - self.min[0][row])).max(zero);
            let y = (min_y - self.max[1][row]).max(-(max_y - self.min[1][row])).max(zero);
            let z = (min_z - self.max[2][row]).max(-(max_z - self.min[2][row])).max(zero);
            let square = x * x + y * y + z * z;
            square.store_slice(&mut squares.0[row]);
            far |= square.simd_gt(bound).to_bitmask() << (WIDTH * row);
        }
        (!far, squares)
    }

    /// Which of eight moving boxes may meet which of eight others: bit 8 · row + lane, the rows being `rows`. Each is
    /// given at both ends of a linear motion. Not those that are apart on the same side along one axis at both ends.
    #[inline(always)]
    pub(crate) fn may_meet<S: Simd>(simd: S, rows: &[Self; 2], lanes: &[Self; 2]) -> u64 {
        let mut apart = 0;
        for axis in 0..3 {
            let (min_t0, max_t0) =
                (f32x8::from_slice(simd, &lanes[0].min[axis]), f32x8::from_slice(simd, &lanes[0].max[axis]));
            let (min_t1, max_t1) =
                (f32x8::from_slice(simd, &lanes[1].min[axis]), f32x8::from_slice(simd, &lanes[1].max[axis]));
            for row in 0..WIDTH {
                let above = min_t0.simd_gt(rows[0].max[axis][row]) & min_t1.simd_gt(rows[1].max[axis][row]);
                let below = max_t0.simd_lt(rows[0].min[axis][row]) & max_t1.simd_lt(rows[1].min[axis][row]);
                apart |= (above | below).to_bitmask() << (WIDTH * row);
            }
        }
        !apart
    }

    /// The boxes with their corners moved apart.
    #[inline(always)]
    pub(crate) fn widened<S: Simd>(&self, simd: S, by: &Widening) -> Self {
        let mut wide = *self;
        for axis in 0..3 {
            (f32x8::from_slice(simd, &self.min[axis]) - by.below[axis]).store_slice(&mut wide.min[axis]);
            (f32x8::from_slice(simd, &self.max[axis]) + by.above[axis]).store_slice(&mut wide.max[axis]);
        }
        wide
    }

    /// The squared distance of each of the eight from a box; some number for lanes not in use.
    #[inline(always)]
    pub(crate) fn squared_distances<S: Simd>(&self, simd: S, from: &Bounds) -> f32x8<S> {
        let mut sum = f32x8::splat(simd, 0.0);
        for axis in 0..3 {
            let above = f32x8::from_slice(simd, &self.min[axis]) - from.max[axis];
            let below = from.min[axis] - f32x8::from_slice(simd, &self.max[axis]);
            let gap = above.max(below).max(0.0);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }

    /// Where along a ray each of the eight begins and ends: a multiple of the coordinate, plus something, for each axis.
    #[inline(always)]
    pub(crate) fn slabs<S: Simd>(&self, simd: S, ray: &Slabs) -> (f32x8<S>, f32x8<S>) {
        let (mut near, mut far) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        for axis in 0..3 {
            let sides = if ray.is_negative[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let per_unit = f32x8::splat(simd, ray.per_unit[axis]);
            let (first, last) = (f32x8::from_slice(simd, &sides.0[axis]), f32x8::from_slice(simd, &sides.1[axis]));
            near = near.max(first.mul_add(per_unit, f32x8::splat(simd, ray.near[axis])));
            far = far.min(last.mul_add(per_unit, f32x8::splat(simd, ray.far[axis])));
        }
        (near, far)
    }

    /// Which of the eight overlap a box: one bit per lane.
    #[inline(always)]
    pub(crate) fn overlapping<S: Simd>(&self, simd: S, other: &Bounds) -> u32 {
        let x = f32x8::from_slice(simd, &self.min[0]).simd_le(other.max[0])
            & f32x8::from_slice(simd, &self.max[0]).simd_ge(other.min[0]);
        let y = f32x8::from_slice(simd, &self.min[1]).simd_le(other.max[1])
            & f32x8::from_slice(simd, &self.max[1]).simd_ge(other.min[1]);
        let z = f32x8::from_slice(simd, &self.min[2]).simd_le(other.max[2])
            & f32x8::from_slice(simd, &self.max[2]).simd_ge(other.min[2]);
        (x & y & z).to_bitmask() as u32
    }
}

/// The squares of the distances of eight boxes, the rows, to eight others.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Squares(pub(crate) [[f32; WIDTH]; WIDTH]);

/// One box without the padding of [`Aabb`], on its way into or out of a lane; empty if `min` exceeds `max` anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Bounds {
    pub(crate) fn of(bounds: &Aabb) -> Self {
        Self { min: bounds.min(), max: bounds.max() }
    }

    /// The box with its corners moved apart.
    #[inline(always)]
    pub(crate) fn widened(&self, by: &Widening) -> Self {
        self.minus(by.below, by.above.map(|x| -x))
    }

    /// The box with something subtracted from each corner.
    #[inline(always)]
    pub(crate) fn minus(&self, from_min: [f32; 3], from_max: [f32; 3]) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis] - from_min[axis]),
            max: std::array::from_fn(|axis| self.max[axis] - from_max[axis]),
        }
    }
}

/// A ray as [`Boxes8::slabs`] takes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slabs {
    /// One over the direction along each axis.
    pub(crate) per_unit: [f32; 3],
    /// What is added for the side of a box that comes first, and for the other one.
    pub(crate) near: [f32; 3],
    pub(crate) far: [f32; 3],
    /// Whether the upper side comes first.
    pub(crate) is_negative: [bool; 3],
}

/// How far the lower corner of a box is moved down and the upper one up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widening {
    pub(crate) below: [f32; 3],
    pub(crate) above: [f32; 3],
}

/// The positions of the bits that are set, from the lowest on.
#[inline(always)]
pub(crate) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> + Clone {
    let mut mask: u64 = mask.into();
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
