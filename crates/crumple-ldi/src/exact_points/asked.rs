//! Whether any point is in doubt where a triangle is: one look into a table.
//!
//! The table has an entry per column, and one per quarter of a column, with a bit for each band of steps in which a point
//! of it is in doubt. There are four of each kind, one after another: for triangles that reach one of them, two beside
//! each other, two above each other, and four. A small triangle looks up the quarters that it reaches, a larger one the
//! columns; one that reaches more has entry 0, in which every bit is set.

use super::grid::{FINE, Grid, parts};

/// Bits of a place that are the index of an entry; the others are bands.
const INDEX_BITS: u32 = 19;
/// How many bands of steps there are.
const BANDS: u32 = 32 - INDEX_BITS;

/// Where a triangle is: which entry to look up, and the bands that the triangle reaches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place(u32);

impl Place {
    /// Of a triangle with these least and greatest parts.
    #[inline(always)]
    pub(super) fn new(side: u32, low: [u32; 3], high: [u32; 3]) -> Self {
        let entry = |shift: u32, side: u32| {
            let [u0, v0, u1, v1] = [low[0] >> shift, low[1] >> shift, high[0] >> shift, high[1] >> shift];
            let (wider, higher) = (u1 - u0, v1 - v0);
            (wider <= 1 && higher <= 1, (wider + 2 * higher) * (side * side) + v0 * side + u0)
        };
        let ((is_small, quarters), (is_medium, columns)) = (entry(FINE - 1, 2 * side), entry(FINE, side));
        let index = if is_medium { 1 + columns } else { 0 };
        let index = if is_small { 1 + 4 * side * side + quarters } else { index };
        Self(index | bands(low[2], high[2]) << INDEX_BITS)
    }

    /// Whether the triangle may reach more than two columns along a side.
    #[inline(always)]
    pub(super) fn is_large(self) -> bool {
        self.0 & ((1 << INDEX_BITS) - 1) == 0
    }
}

/// The bands from the one that holds a step to the one that holds another: a bit each.
#[inline(always)]
fn bands(low: u32, high: u32) -> u32 {
    let band = |step: u32| (step * BANDS) >> 7;
    (2 << band(high)) - (1 << band(low))
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(Vec<u16>);

impl Asked {
    /// Nothing is in doubt.
    pub(super) fn clear(&mut self, grid: &Grid) {
        self.0.clear();
        self.0.resize(1 + 20 * grid.column_count(), 0);
        self.0[0] = !0;
    }

    /// A point with this word is in doubt, and what matters are the steps from `first` to its own.
    #[inline]
    pub(super) fn add(&mut self, grid: &Grid, word: u32, first: u32) {
        let ([u, v, step], side) = (parts(word), grid.side);
        let bands = bands(first, step) as u16;
        self.0[(1 + (v >> FINE) * side + (u >> FINE)) as usize] |= bands;
        let (u, v) = (u >> (FINE - 1), v >> (FINE - 1));
        self.0[(1 + 4 * side * side + v * 2 * side + u) as usize] |= bands;
    }

    /// Fills the entries for more than one column or quarter after all points have been added.
    pub(super) fn spread(&mut self, grid: &Grid) {
        let (columns, quarters) = self.0[1..].split_at_mut(4 * grid.column_count());
        for (entries, side) in [(columns, grid.side as usize), (quarters, 2 * grid.side as usize)] {
            let (one, more) = entries.split_at_mut(side * side);
            let (beside, more) = more.split_at_mut(side * side);
            let (above, four) = more.split_at_mut(side * side);
            // Beyond the end of a row this takes in the start of the next, which no triangle asks about.
            join(beside, one, 1);
            join(above, one, side);
            join(four, beside, side);
        }
    }

    /// Whether a point may be in doubt where a triangle is.
    #[inline(always)]
    pub(super) fn at(&self, Place(place): Place) -> bool {
        let bands = u32::from(self.0[(place & ((1 << INDEX_BITS) - 1)) as usize]);
        bands & place >> INDEX_BITS != 0
    }
}

/// Each entry with the one that comes so much later.
fn join(joined: &mut [u16], entries: &[u16], later: usize) {
    joined.copy_from_slice(entries);
    joined.iter_mut().zip(&entries[later..]).for_each(|(here, there)| *here |= there);
}
