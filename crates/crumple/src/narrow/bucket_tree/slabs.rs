//! Algorithm 1: the bucket of a primitive by equation 1, each frame anew.
//!
//! Paper: Ganovelli et al. 2000, section 3.1, `n_x(p) = (p_x − B_x) / s_x`.
//!
//! Slips: the equation lacks the floor its operation count mentions; a primitive on the upper face of the box gets the
//! index 2^l, one too many; a flat box has s_x = 0 and divides by it.
//!
//! Departs: a slab is *defined* by the f32 number at which it starts, and a primitive belongs to the last slab that
//! starts at or below it. The equation only guesses; a comparison with the two neighbouring starts corrects it. So
//! rounding, the upper face and a flat box need no rule of their own, the guess may multiply by 1 / s_x instead of
//! dividing, and algorithm 2, which compares with the same starts, files every primitive in the same bucket.
//!
//! Buckets are numbered by interleaving the bits of the three slab numbers: then the parent of bucket n on the level
//! above is n / 8, and eight siblings lie side by side.
//!
//! Cost: O(1) a primitive.

use super::options::MOST_LEVELS;
use crate::geom::Aabb;

/// The slabs of the deepest octree along an axis.
pub(super) const MOST_SLABS: usize = 1 << MOST_LEVELS;

/// Where the slabs of an octree start along each axis.
#[derive(Clone, Debug)]
pub(super) struct Slabs {
    /// The starts of the slabs at the deepest level, and the end of the last one.
    ///
    /// With fewer levels every 2^(6 − l)-th of them counts: they are the same numbers, since k / 2^l is exact.
    starts: [[f32; MOST_SLABS + 1]; 3],
    /// The starts at the present level, made for the search: the first slab begins, and the last one ends, at infinity,
    /// so that every number lies in one of them and no end has to be looked out for.
    ends: [[f32; MOST_SLABS + 1]; 3],
    /// Slabs a unit of length.
    per_length: [f32; 3],
    /// What the equation starts to count from: 0, and the last slab along an axis without length, where it holds all.
    from_slab: [i32; 3],
    /// How many starts of the deepest level a slab spans.
    stride: usize,
    count: usize,
}

impl Slabs {
    /// Cuts the box of all reference points into 2^`levels` slabs along each axis.
    pub(super) fn new(bounds: &Aabb, levels: u32) -> Self {
        let mut slabs = Self {
            starts: [[0.0; MOST_SLABS + 1]; 3],
            ends: [[0.0; MOST_SLABS + 1]; 3],
            per_length: [0.0; 3],
            from_slab: [0; 3],
            stride: 1,
            count: MOST_SLABS,
        };
        let (low, high) = (bounds.min().map(f64::from), bounds.max().map(f64::from));
        for axis in 0..3 {
            let extent = high[axis] - low[axis];
            for (k, start) in slabs.starts[axis].iter_mut().enumerate() {
                *start = (low[axis] + extent * (k as f64 / MOST_SLABS as f64)) as f32;
            }
        }
        slabs.set_levels(bounds, levels);
        slabs
    }

    /// The same box with another number of levels.
    pub(super) fn set_levels(&mut self, bounds: &Aabb, levels: u32) {
        self.count = 1 << levels;
        self.stride = MOST_SLABS >> levels;
        let (low, high) = (bounds.min(), bounds.max());
        for axis in 0..3 {
            let per_length = (self.count as f64 / (f64::from(high[axis]) - f64::from(low[axis]))) as f32;
            (self.per_length[axis], self.from_slab[axis]) =
                if per_length.is_finite() { (per_length, 0) } else { (0.0, self.count as i32 - 1) };
            for slab in 1..self.count {
                self.ends[axis][slab] = self.starts[axis][slab * self.stride];
            }
            (self.ends[axis][0], self.ends[axis][self.count]) = (f32::NEG_INFINITY, f32::INFINITY);
        }
    }

    /// How many slabs there are along each axis.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Where a slab starts; `slab` may be one past the last.
    #[inline]
    pub(super) fn start(&self, axis: usize, slab: usize) -> f32 {
        self.starts[axis][slab * self.stride]
    }

    /// The last slab that starts at or below `x`.
    #[inline]
    fn slab_of(&self, axis: usize, x: f32) -> usize {
        let ends = &self.ends[axis];
        // The conversion saturates, so a guess far off is corrected like any other.
        let guess = ((x - self.starts[axis][0]) * self.per_length[axis]) as i32 + self.from_slab[axis];
        let mut slab = (guess as usize).min(self.count - 1);
        while x < ends[slab] {
            slab -= 1;
        }
        while ends[slab + 1] <= x {
            slab += 1;
        }
        slab
    }

    /// The bucket of a reference point.
    #[inline]
    pub(super) fn bucket_of(&self, reference: [f32; 3]) -> u32 {
        let [x, y, z] = reference;
        interleaved(0, self.slab_of(0, x)) | interleaved(1, self.slab_of(1, y)) | interleaved(2, self.slab_of(2, z))
    }

    /// The cell of a bucket of the octree with `levels` levels that these slabs refine or equal.
    pub(super) fn cell(&self, levels: u32, bucket: u32) -> Aabb {
        let span = MOST_SLABS >> levels;
        let slab = |axis: u32| -> usize {
            (0..levels).map(|bit| ((bucket >> (3 * bit + axis)) as usize & 1) << bit).sum::<usize>() * span
        };
        let corner = |past: usize| std::array::from_fn(|axis| self.starts[axis][slab(axis as u32) + past]);
        Aabb::new(corner(0), corner(span))
    }
}

/// The bits of a slab number at the positions they have in a bucket number.
#[inline]
pub(super) fn interleaved(axis: usize, slab: usize) -> u32 {
    const SPREAD: [u32; MOST_SLABS] = {
        let mut spread = [0; MOST_SLABS];
        let mut slab = 0;
        while slab < MOST_SLABS {
            let mut bit = 0;
            while bit < MOST_LEVELS {
                spread[slab] |= ((slab as u32 >> bit) & 1) << (3 * bit);
                bit += 1;
            }
            slab += 1;
        }
        spread
    };
    SPREAD[slab] << axis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_lies_in_the_cell_of_its_bucket_at_every_level() {
        let corners = [[-3.0, 1.0e-30, 5.0], [4.0, 1.0e-30, 5.000_001]];
        let bounds = Aabb::of_points(&corners);
        for levels in 1..=MOST_LEVELS {
            let slabs = Slabs::new(&bounds, levels);
            for i in 0..=1000 {
                let x = (-3.0 + 0.007 * i as f32).min(4.0);
                for z in [5.0, 5.000_000_5, 5.000_001] {
                    let bucket = slabs.bucket_of([x, 1.0e-30, z]);
                    assert!(bucket < 1 << (3 * levels));
                    assert!(slabs.cell(levels, bucket).contains([x, 1.0e-30, z]), "{levels} levels, {x} {z}");
                }
            }
        }
    }

    #[test]
    fn the_largest_and_the_smallest_boxes_have_buckets_too() {
        for unit in [f32::MAX, f32::from_bits(1), 0.0] {
            let bounds = Aabb::of_points(&[[-unit; 3], [unit; 3]]);
            let slabs = Slabs::new(&bounds, 3);
            for x in [-unit, 0.0, unit] {
                assert!(slabs.cell(3, slabs.bucket_of([x; 3])).contains([x; 3]), "{x} of {unit}");
            }
        }
    }
}
