//! Where positions fall in a grid of columns: one word each, found by a growing function of each coordinate.
//!
//! ```text
//! word   ├── u: 12 bits ──┤├── v: 12 bits ──┤├── w: 8 bits ──┤      32 steps of u and v per column, 128 steps of w
//! ```

use crate::exact;
use crumple::{Aabb, Axis, Coordinate};

/// Points or triangles looked at together: few enough for what is known of them to stay in the first-level cache.
pub(super) const BATCH: usize = 128;
/// Steps along a column.
pub(super) const DEPTH: u32 = 128;
/// The most columns per side: twenty times their number, and one, fit into 19 bits (`asked`).
pub(super) const MOST_COLUMNS: u32 = 127;
/// Steps of a word per column, as a power of two.
pub(super) const FINE: u32 = 5;
/// Half a column: where its middle line is.
const HALF: u32 = 1 << (FINE - 1);

/// Columns over two coordinates, with steps along the third.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grid {
    axes: [usize; 3],
    low: [f64; 3],
    per_unit: [f64; 3],
    most: [f64; 3],
    pub(super) side: u32,
}

impl Grid {
    /// A grid of `side` by `side` columns over a box with volume; columns run along `axis`.
    pub(super) fn new(bounds: &Aabb, axis: Axis, side: u32) -> Self {
        let [u, v] = axis.others();
        let axes = [u as usize, v as usize, axis as usize];
        let steps = [side << FINE, side << FINE, DEPTH].map(f64::from);
        let (min, max) = (bounds.min().map(f64::from), bounds.max().map(f64::from));
        Self {
            axes,
            low: axes.map(|k| min[k]),
            // The box has volume, so this divides by no zero.
            per_unit: std::array::from_fn(|k| steps[k] / (max[axes[k]] - min[axes[k]])),
            most: steps.map(|steps| steps - 1.0),
            side,
        }
    }

    /// How many columns there are.
    pub(super) fn column_count(&self) -> usize {
        (self.side * self.side) as usize
    }

    /// The column that a word falls into, and its step there.
    #[inline(always)]
    pub(super) fn cell(&self, word: u32) -> (usize, u32) {
        let [u, v, step] = parts(word);
        ((column(v) * self.side + column(u)) as usize, step)
    }

    /// Writes the words of positions; each part of a word grows with its coordinate, whatever is rounded.
    #[inline(always)]
    pub(super) fn words<C: Coordinate>(&self, positions: &[[C; 3]], words: &mut [u32; BATCH]) {
        /// Added to a number from 0 to 2^32 it leaves the nearest whole number in the last bits.
        const WHOLE: f64 = (1u64 << 52) as f64;
        let mut coordinates = [[0.0; BATCH]; 3];
        for (at, &position) in positions.iter().enumerate() {
            // Those of f64 numbers are rounded, which is a growing function as well.
            let position = exact(position).map(|x| x as f32);
            for k in 0..3 {
                coordinates[k][at] = position[self.axes[k]];
            }
        }
        let part = |k: usize, at: usize| {
            let step = (f64::from(coordinates[k][at]) - self.low[k]) * self.per_unit[k];
            let step = if step > 0.0 { step } else { 0.0 };
            let step = if step < self.most[k] { step } else { self.most[k] };
            (step + WHOLE).to_bits() as u32
        };
        for at in 0..BATCH {
            words[at] = part(0, at) << 20 | part(1, at) << 8 | part(2, at);
        }
    }
}

/// The least and the greatest parts of the corners of triangles.
#[derive(Clone, Copy)]
pub(super) struct Reaches {
    /// The words of the corners.
    pub(super) corners: [[u32; BATCH]; 3],
    pub(super) low: [[u32; BATCH]; 3],
    pub(super) high: [[u32; BATCH]; 3],
}

impl Reaches {
    pub(super) fn new() -> Self {
        Self { corners: [[0; BATCH]; 3], low: [[0; BATCH]; 3], high: [[0; BATCH]; 3] }
    }

    /// Takes at most [`BATCH`] triangles.
    #[inline(always)]
    pub(super) fn take(&mut self, words: &[u32], triangles: impl Iterator<Item = [u32; 3]>) {
        for (at, [a, b, c]) in triangles.enumerate() {
            self.corners[0][at] = words[a as usize];
            self.corners[1][at] = words[b as usize];
            self.corners[2][at] = words[c as usize];
        }
        for at in 0..BATCH {
            let [a, b, c] = [0, 1, 2].map(|k| parts(self.corners[k][at]));
            for k in 0..3 {
                self.low[k][at] = a[k].min(b[k]).min(c[k]);
                self.high[k][at] = a[k].max(b[k]).max(c[k]);
            }
        }
    }
}

/// The parts of a word.
#[inline(always)]
pub(super) fn parts(word: u32) -> [u32; 3] {
    [word >> 20, word >> 8 & 0xfff, word & 0xff]
}

/// The column that a part falls into.
#[inline(always)]
pub(super) fn column(part: u32) -> u32 {
    part >> FINE
}

/// How many columns have their middle before a place across the rows.
#[inline(always)]
pub(super) fn middles_before(part: u32) -> u32 {
    (part + HALF) >> FINE
}

/// How many rows have their middle below a place, one that it is on not counted.
#[inline(always)]
pub(super) fn middles_below(part: u32) -> u32 {
    (part + HALF - 1) >> FINE
}

/// The middle of a column.
#[inline(always)]
pub(super) fn middle(column: u32) -> u32 {
    (column << FINE) + HALF
}
