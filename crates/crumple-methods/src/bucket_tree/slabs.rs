//! Algorithm 1: the slab numbers of a primitive by equation 1.
//!
//! Paper: Ganovelli et al. 2000, section 3.1, `n_x(p) = (p_x − B_x) / s_x`.
//!
//! Slips: the equation lacks the floor its operation count mentions; a primitive on the upper face of the box gets the
//! index 2^l, one too many; a flat box has s_x = 0 and divides by it.
//!
//! Departs: the equation multiplies by 1 / s_x, clamps to the box, and takes the floor by an addition that leaves a fixed-point
//! number in the mantissa. Each of these operations is monotone whatever it rounds, so the equation is a monotone step
//! function of the coordinate, and a slab *is* what it maps to one number: it starts at the smallest f32 number that the
//! equation puts there. That number is searched for, once per slab and frame. So rounding needs no rule of its own, a cell
//! holds the reference points of its bucket exactly, and algorithm 2, which compares with the starts, files every
//! primitive in the same bucket.
//!
//! Buckets are numbered by interleaving the bits of the three slab numbers: then the parent of bucket n on the level
//! above is n / 8, and eight siblings lie side by side.
//!
//! Cost: a dozen vector instructions per primitive; the starts take about five evaluations of the equation each.

use glam::Vec4;

use super::options::MOST_LEVELS;
use crate::lanes::BoxLanes;
use crumple::Aabb;

/// The slabs of the deepest octree along an axis.
pub(super) const MOST_SLABS: usize = 1 << MOST_LEVELS;

/// Added to a number below 64, leaves it in the mantissa as a fixed-point number: [128, 256) is a range of one exponent.
const FIXED_POINT: f32 = (2 * MOST_SLABS) as f32;
/// The bits of that number behind the point.
const FRACTION: u32 = f32::MANTISSA_DIGITS - 1 - MOST_LEVELS - 1;

/// Equation 1, for three axes at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation {
    low: Vec4,
    /// Slabs per unit of length; 0 along an axis without length, where the first slab holds all.
    per_length: Vec4,
    /// The last fixed-point number of the last slab.
    top: Vec4,
}

impl Equation {
    pub(super) fn new(root: &Aabb, levels: u32) -> Self {
        let count = f64::from(1u32 << levels);
        let extent = root.high().as_dvec4() - root.low().as_dvec4();
        let per_length = (count / extent).as_vec4();
        Self {
            low: root.low(),
            per_length: Vec4::select(per_length.is_finite_mask(), per_length, Vec4::ZERO),
            top: Vec4::splat(count as f32 - 1.0 / (1 << FRACTION) as f32),
        }
    }

    /// The slab numbers of a reference point; points beyond the box lie in its outermost slabs.
    #[inline]
    fn slabs_of(&self, point: Vec4) -> [usize; 3] {
        let slabs = ((point - self.low) * self.per_length).max(Vec4::ZERO).min(self.top);
        let fixed = slabs + Vec4::splat(FIXED_POINT);
        [fixed.x, fixed.y, fixed.z].map(|fixed| (fixed.to_bits() >> FRACTION) as usize % MOST_SLABS)
    }

    /// The bucket of a reference point.
    #[inline]
    pub(super) fn bucket_of(&self, point: Vec4) -> u32 {
        let [x, y, z] = self.slabs_of(point);
        interleaved(0, x) | interleaved(1, y) | interleaved(2, z)
    }
}

/// The slabs of an octree along each axis.
#[derive(Clone, Debug)]
pub(super) struct Slabs {
    pub(super) equation: Equation,
    /// Where each slab starts, and one more that is infinite; infinite too where no number of the box is in this slab or a
    /// later one.
    starts: [[f32; MOST_SLABS + 1]; 3],
    high: [f32; 3],
    count: usize,
}

impl Default for Slabs {
    fn default() -> Self {
        Self::new(&Aabb::new([0.0; 3], [0.0; 3]), 0)
    }
}

impl Slabs {
    /// Cuts a box into 2^`levels` slabs along each axis.
    pub(super) fn new(root: &Aabb, levels: u32) -> Self {
        let (equation, count) = (Equation::new(root, levels), 1 << levels);
        let (low, high) = (root.min(), root.max());
        let mut starts = [[f32::INFINITY; MOST_SLABS + 1]; 3];
        for axis in 0..3 {
            let (from, to) = (f64::from(low[axis]), f64::from(high[axis]));
            starts[axis][0] = low[axis];
            for slab in 1..count {
                let about = (from + (to - from) * (slab as f64 / count as f64)) as f32;
                let is_there = |x: f32| equation.slabs_of(Vec4::splat(x))[axis] >= slab;
                starts[axis][slab] = first([low[axis], about, high[axis]], is_there).unwrap_or(f32::INFINITY);
            }
        }
        Self { equation, starts, high, count }
    }

    /// How many slabs there are along each axis.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Where a slab starts: numbers from here to the start of the next belong to it.
    #[inline]
    pub(super) fn start(&self, axis: usize, slab: usize) -> f32 {
        self.starts[axis][slab]
    }

    /// Makes `cells` the cells of the octree, each larger by `reach` on all sides.
    ///
    /// `reach` is the most that the box of a primitive extends from its reference point, as a difference of f32 numbers:
    /// off by a rounding, 2^-24 of it. So a cell grows by reach · (1 + 2^-22), in f64, whose own rounding and that to
    /// f32 are made up for by the next number. Then it holds every primitive that is filed in it.
    pub(super) fn cells(&self, reach: [f32; 3], cells: &mut Cells) {
        const COVERS_ROUNDING: f64 = 1.0 + 1.0 / (1 << 22) as f64;
        cells.count = self.count;
        for axis in 0..3 {
            let by = f64::from(reach[axis]) * COVERS_ROUNDING;
            for edge in 0..=self.count {
                let at = self.starts[axis][edge].min(self.high[axis]);
                (cells.low[axis][edge], cells.high[axis][edge]) = if reach[axis] == 0.0 {
                    (at, at)
                } else {
                    (((f64::from(at) - by) as f32).next_down(), ((f64::from(at) + by) as f32).next_up())
                };
            }
        }
    }
}

/// The boxes of the nodes of an octree, as tables of where cells begin and end along each axis.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    low: [[f32; MOST_SLABS + 1]; 3],
    high: [[f32; MOST_SLABS + 1]; 3],
    count: usize,
}

impl Default for Cells {
    fn default() -> Self {
        Self { low: [[0.0; MOST_SLABS + 1]; 3], high: [[0.0; MOST_SLABS + 1]; 3], count: 1 }
    }
}

impl Cells {
    /// The cell of a node on a level, by its slab numbers on that level.
    #[inline]
    pub(super) fn cell(&self, level: u32, slabs: [u8; 3]) -> Aabb {
        let span = self.count >> level;
        let at = |axis: usize, past: usize| (usize::from(slabs[axis]) + past) * span;
        let [low, high] = [(&self.low, 0), (&self.high, 1)]
            .map(|(table, past)| Vec4::new(table[0][at(0, past)], table[1][at(1, past)], table[2][at(2, past)], 0.0));
        Aabb::from_corners(low, high)
    }
}

/// The smallest number between `low` and `high` for which a monotone predicate holds, searched for around `about`.
fn first([low, about, high]: [f32; 3], holds: impl Fn(f32) -> bool) -> Option<f32> {
    // Numbers of f32 in order are integers in order: halving works on them.
    let [lowest, about, highest] = [low, about, high].map(in_order);
    let holds = |at: i64| holds(from_order(at));
    let (mut below, mut above, mut step) = (about - 1, about, 1);
    while below >= lowest && holds(below) {
        (above, below, step) = (below, below - step, 2 * step);
    }
    while above <= highest && !holds(above) {
        (below, above, step) = (above, above + step, 2 * step);
    }
    let (mut below, mut above) = (below.max(lowest - 1), above.min(highest + 1));
    // Here nothing up to `below` holds, and everything from `above` on does.
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if holds(middle) {
            above = middle;
        } else {
            below = middle;
        }
    }
    (above <= highest).then(|| from_order(above))
}

/// The position of a number among all f32 numbers.
pub(super) fn in_order(x: f32) -> i64 {
    let bits = x.to_bits() as i32;
    i64::from(bits ^ ((bits >> 31) & i32::MAX))
}

fn from_order(at: i64) -> f32 {
    let bits = at as i32;
    f32::from_bits((bits ^ ((bits >> 31) & i32::MAX)) as u32)
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

    /// The cell of the bucket of a point.
    fn cell_of(slabs: &Slabs, levels: u32, point: [f32; 3]) -> Aabb {
        let numbers = slabs.equation.slabs_of(Aabb::new(point, point).low());
        let mut cells = Cells::default();
        slabs.cells([0.0; 3], &mut cells);
        cells.cell(levels, numbers.map(|slab| slab as u8))
    }

    #[test]
    fn every_point_lies_in_the_cell_of_its_bucket_at_every_level() {
        let corners = [[-3.0, 1.0e-30, 5.0], [4.0, 1.0e-30, 5.000_001]];
        let bounds = Aabb::of_points(&corners);
        for levels in 1..=MOST_LEVELS {
            let slabs = Slabs::new(&bounds, levels);
            for i in 0..=1000 {
                let x = (-3.0 + 0.007 * i as f32).min(4.0);
                for z in [5.0, 5.000_000_5, 5.000_001] {
                    let point = [x, 1.0e-30, z];
                    assert!(slabs.equation.bucket_of(Aabb::new(point, point).low()) < 1 << (3 * levels));
                    assert!(cell_of(&slabs, levels, point).contains(point), "{levels} levels, {x} {z}");
                }
            }
        }
    }

    #[test]
    fn a_slab_starts_at_the_smallest_number_that_the_equation_puts_there() {
        for [low, high] in [[-3.0, 4.0], [-1.0e-3, 5.0e6], [1.0e6, 1.0e6 + 1.0], [-1.0, 0.0], [-f32::MAX, f32::MAX]] {
            let slabs = Slabs::new(&Aabb::new([low; 3], [high; 3]), MOST_LEVELS);
            for slab in 1..MOST_SLABS {
                let start = slabs.start(0, slab);
                let slab_of = |x: f32| slabs.equation.slabs_of(Vec4::splat(x))[0];
                assert!(slabs.start(0, slab - 1) <= start);
                if start.is_finite() {
                    assert!(slab_of(start) >= slab && slab_of(start.next_down()) < slab, "{slab} of {low} to {high}");
                } else {
                    assert!(slab_of(high) < slab, "{slab} of {low} to {high}");
                }
            }
        }
    }

    #[test]
    fn the_largest_and_the_smallest_boxes_have_buckets_too() {
        for unit in [f32::MAX, f32::from_bits(1), 0.0] {
            let slabs = Slabs::new(&Aabb::of_points(&[[-unit; 3], [unit; 3]]), 3);
            for x in [-unit, 0.0, unit] {
                assert!(cell_of(&slabs, 3, [x; 3]).contains([x; 3]), "{x} of {unit}");
            }
        }
    }
}
