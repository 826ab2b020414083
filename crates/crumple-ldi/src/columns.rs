//! The crossings of every column, in one flat array: count, prefix sum, fill, sort.
//!
//! A crossing is one word: the bits of its depth, which is not negative, so that words sort as depths do; the last bit
//! of the depth gives way to the side, entry 0 and exit 1. Depths that differ in that bit only count as equal.
//!
//! ```text
//! bounds  0    2    2         6         column p holds keys[bounds[p]..bounds[p + 1]]
//! keys   ├─p0─┤├───── p2 ─────┤
//! ```
//!
//! Segments arrive sorted into bands of rows, each chunk of triangles with its own lists. A band owns its stretch of
//! `bounds` and of `keys`, so bands are filled side by side without a lock. Since every column ends up sorted by whole
//! words, equal words being the same crossing, the order of arrival and so the number of threads leave no trace.
//!
//! Cost: O(samples + crossings · log depth complexity); memory is kept from image to image.

use super::raster::{Segment, within};
use super::window::{Far, Window};
use crate::threads;

const EXIT: u64 = 1;
const DEPTH: u64 = !(1 << 63) & !EXIT;

/// The word of a crossing.
#[inline]
pub(super) fn key(depth: f64, exit: bool) -> u64 {
    (depth.to_bits() & DEPTH) | u64::from(exit)
}

/// The depth of a crossing.
#[inline]
pub(super) fn depth(key: u64) -> f64 {
    f64::from_bits(key & DEPTH)
}

/// Whether a crossing is an exit.
#[inline]
pub(super) fn is_exit(key: u64) -> bool {
    key & EXIT == EXIT
}

/// Whether two crossings lie at one depth.
#[inline]
pub(super) fn same_depth(a: u64, b: u64) -> bool {
    (a ^ b) & DEPTH == 0
}

/// Segments of one chunk of triangles, a list for each band of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    lists: Vec<List>,
    band_shift: u32,
    /// Triangles that were not left out at sight.
    pub(super) scanned: usize,
}

impl Chunk {
    /// Empties the lists, one for each of `bands` bands of `1 << band_shift` rows.
    pub(super) fn clear(&mut self, bands: usize, band_shift: u32) {
        self.band_shift = band_shift;
        if self.lists.len() < bands {
            self.lists.resize_with(bands, List::default);
        }
        self.lists.iter_mut().for_each(|list| (list.len, list.crossings) = (0, 0));
    }

    /// Appends a segment, or not.
    #[inline]
    pub(super) fn push_if(&mut self, segment: Segment, keep: bool) {
        self.lists[usize::from(segment.row) >> self.band_shift].push_if(segment, keep);
    }

    /// The segments of a band.
    fn band(&self, number: usize) -> &[Segment] {
        let List { room, len, .. } = &self.lists[number];
        &room[..*len]
    }
}

/// Segments, with room behind them that may be written to without a look.
#[derive(Clone, Debug, Default)]
struct List {
    room: Vec<Segment>,
    len: usize,
    /// Samples the segments cover, together.
    crossings: usize,
}

impl List {
    #[inline]
    fn push_if(&mut self, segment: Segment, keep: bool) {
        if self.len == self.room.len() {
            self.grow();
        }
        self.room[self.len] = segment;
        self.len += usize::from(keep);
        // What is not kept may be anything.
        self.crossings += usize::from(segment.end.wrapping_sub(segment.first)) * usize::from(keep);
    }

    #[cold]
    fn grow(&mut self) {
        self.room.resize((2 * self.len).max(64), Segment::default());
    }
}

/// What was noticed while columns were sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The most crossings in a column.
    pub(super) depth_complexity: u32,
    /// Columns with an odd number of crossings.
    pub(super) odd: usize,
    /// Columns in which entries and exits do not alternate to the end.
    pub(super) unordered: usize,
}

impl Tally {
    fn join(self, other: Self) -> Self {
        Self {
            depth_complexity: self.depth_complexity.max(other.depth_complexity),
            odd: self.odd + other.odd,
            unordered: self.unordered + other.unordered,
        }
    }
}

/// Sorted crossings of all columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    bounds: Vec<u32>,
    keys: Vec<u64>,
    bands: Vec<Band>,
}

/// A stretch of rows.
#[derive(Clone, Copy, Debug)]
struct Band {
    number: usize,
    samples: usize,
    crossings: usize,
}

impl Columns {
    /// The crossings of the column with number `row · width + column`; none for one that is not there.
    #[inline]
    pub(super) fn column(&self, number: usize) -> &[u64] {
        match self.bounds.get(number..number + 2) {
            Some(&[start, end]) => &self.keys[start as usize..end as usize],
            _ => &[],
        }
    }

    /// How many crossings there are in all.
    pub(super) fn crossing_count(&self) -> usize {
        self.keys.len()
    }

    /// Forgets everything: an image with no samples.
    pub(super) fn clear(&mut self) {
        self.bounds.clear();
        self.keys.clear();
    }

    /// Sorts segments into the columns of a window; depths are brought between its near and its far plane.
    ///
    /// Fails with the number of crossings if that needs more than 32 bits.
    pub(super) fn fill(&mut self, chunks: &[Chunk], band_shift: u32, window: &Window) -> Result<Tally, u64> {
        let (width, rows) = (window.resolution.columns as usize, window.resolution.rows as usize);
        let band_rows = 1 << band_shift;
        self.bands.clear();
        let mut total = 0u64;
        for number in 0..rows.div_ceil(band_rows) {
            let crossings = chunks.iter().map(|chunk| chunk.lists[number].crossings).sum();
            let samples = width * band_rows.min(rows - number * band_rows);
            self.bands.push(Band { number, samples, crossings });
            total += crossings as u64;
        }
        if total > u64::from(u32::MAX) {
            self.clear();
            return Err(total);
        }
        self.keys.resize(total as usize, 0);
        self.bounds.resize(width * rows + 1, 0);
        self.bounds[0] = 0;
        let filler = Filler { chunks, width, band_shift, far: window.depth(), whole: window.far == Far::HoldsBody };
        let threads = threads::for_items(total as usize + width * rows);
        Ok(filler.bands(threads, 0, &self.bands, &mut self.bounds[1..], &mut self.keys))
    }
}

struct Filler<'a> {
    chunks: &'a [Chunk],
    width: usize,
    band_shift: u32,
    far: f64,
    /// Whether the body ends before the far plane, so that no column ends inside it.
    whole: bool,
}

impl Filler<'_> {
    /// Fills bands that start at crossing `base`; `bounds` and `keys` are theirs alone.
    fn bands(&self, threads: usize, base: usize, bands: &[Band], bounds: &mut [u32], keys: &mut [u64]) -> Tally {
        match bands {
            [] => Tally::default(),
            [band] => self.band(base, band.number, bounds, keys),
            _ => {
                let (left, right) = bands.split_at(bands.len() / 2);
                let samples = left.iter().map(|band| band.samples).sum();
                let crossings = left.iter().map(|band| band.crossings).sum();
                let (bounds_left, bounds_right) = bounds.split_at_mut(samples);
                let (keys_left, keys_right) = keys.split_at_mut(crossings);
                let (left, right) = threads::join(
                    threads,
                    || self.bands(threads, base, left, bounds_left, keys_left),
                    || self.bands(threads, base + crossings, right, bounds_right, keys_right),
                );
                left.join(right)
            }
        }
    }

    /// Fills one band; `ends[p]` becomes where the column of sample p of the band ends.
    fn band(&self, base: usize, number: usize, ends: &mut [u32], keys: &mut [u64]) -> Tally {
        let first_row = number << self.band_shift;
        let segments = || self.chunks.iter().flat_map(|chunk| chunk.band(number));
        let first_sample =
            |segment: &Segment| (usize::from(segment.row) - first_row) * self.width + usize::from(segment.first);

        // A segment adds one to the count of each of its samples: one more from its first on, one less from its end on.
        // Adding up what was noted so far then gives each count, and adding up counts where each column begins. Filling
        // moves that to where it ends.
        ends.fill(0);
        for segment in segments() {
            let at = first_sample(segment);
            ends[at] = ends[at].wrapping_add(1);
            if let Some(beyond) = ends.get_mut(at + usize::from(segment.end - segment.first)) {
                *beyond = beyond.wrapping_sub(1);
            }
        }
        let (mut count, mut begin) = (0u32, 0u32);
        for noted in ends.iter_mut() {
            count = count.wrapping_add(*noted);
            *noted = begin;
            begin += count;
        }
        for segment in segments() {
            let at = first_sample(segment);
            for (k, end) in (0..).zip(&mut ends[at..at + usize::from(segment.end - segment.first)]) {
                keys[*end as usize] = key(within(segment.depth(k), self.far), segment.exit == 1);
                *end += 1;
            }
        }
        let mut tally = Tally::default();
        let mut begin = 0;
        for end in ends {
            let column = &mut keys[begin..*end as usize];
            begin = *end as usize;
            *end += base as u32;
            if !column.is_empty() {
                sort(column);
                tally.depth_complexity = tally.depth_complexity.max(column.len() as u32);
                tally.odd += column.len() % 2;
                let ends_inside = self.whole && column.len() % 2 == 1;
                tally.unordered += usize::from(ends_inside || !alternates(column));
            }
        }
        tally
    }
}

/// Most columns hold a handful of crossings, for which the general sort is mostly preparation.
#[inline]
fn sort(column: &mut [u64]) {
    if column.len() > 16 {
        return column.sort_unstable();
    }
    for next in 1..column.len() {
        let key = column[next];
        let mut at = next;
        while at > 0 && column[at - 1] > key {
            column[at] = column[at - 1];
            at -= 1;
        }
        column[at] = key;
    }
}

/// Whether entries and exits alternate, in whatever order crossings at one depth are taken.
#[inline]
pub(super) fn alternates(column: &[u64]) -> bool {
    column.windows(2).all(|pair| (pair[0] ^ pair[1]) & EXIT == EXIT) || alternates_with_ties(column)
}

/// Goes depth by depth: between alternating crossings, a depth may hold one more of the side that is due, or as many of
/// each. As long as only such even depths have come, nothing says yet which side is due.
#[cold]
fn alternates_with_ties(column: &[u64]) -> bool {
    let mut due = None;
    for tied in column.chunk_by(|&a, &b| same_depth(a, b)) {
        let exits = tied.iter().filter(|&&key| is_exit(key)).count();
        let entries = tied.len() - exits;
        if entries == exits {
            continue;
        }
        let exit = exits > entries;
        if entries.abs_diff(exits) > 1 || due.is_some_and(|due| due != exit) {
            return false;
        }
        due = Some(!exit);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(crossings: &[(f64, bool)]) -> Vec<u64> {
        let mut column: Vec<u64> = crossings.iter().map(|&(depth, exit)| key(depth, exit)).collect();
        sort(&mut column);
        column
    }

    #[test]
    fn words_sort_by_depth_then_entry_before_exit() {
        let sorted = column(&[(2.0, false), (0.5, true), (0.0, false), (2.0, true), (-0.0, true)]);
        let read: Vec<_> = sorted.iter().map(|&key| (depth(key), is_exit(key))).collect();
        assert_eq!(read, [(0.0, false), (0.0, true), (0.5, true), (2.0, false), (2.0, true)]);
    }

    #[test]
    fn two_entries_in_a_row_do_not_alternate_but_ties_may_be_taken_in_any_order() {
        assert!(alternates(&column(&[(0.0, false), (1.0, true), (2.0, false), (3.0, true)])));
        assert!(!alternates(&column(&[(0.0, false), (1.0, false), (2.0, true), (3.0, true)])));
        // Two parts of a body that touch: an exit and an entry at one depth, in between.
        assert!(alternates(&column(&[(0.0, false), (1.0, true), (1.0, false), (2.0, true)])));
        // Inside out from the start.
        assert!(alternates(&column(&[(0.0, true), (1.0, false), (1.0, true), (2.0, false)])));
        assert!(!alternates(&column(&[(0.0, false), (1.0, true), (1.0, true), (2.0, false)])));
    }

    #[test]
    fn more_crossings_than_can_be_numbered_are_refused_before_memory_is_asked_for() {
        use crate::{Direction, Resolution};
        use crumple::Aabb;
        let mut chunk = Chunk::default();
        chunk.clear(1, 0);
        for _ in 0..(1 << 20) + 1 {
            let mut segment = Segment::default();
            segment.end = 4096;
            chunk.push_if(segment, true);
        }
        let bounds = Aabb::new([0.0; 3], [1.0; 3]);
        let window = Window::new(&bounds, Direction::PositiveX, Resolution::from([4096, 1]), Far::HoldsBody);
        let refused = Columns::default().fill(&[chunk], 0, &window);
        assert_eq!(refused, Err((1 << 32) + 4096));
    }

    #[test]
    fn long_columns_sort_as_short_ones() {
        let mut long: Vec<u64> = (0..100).map(|k| key(f64::from((k * 37) % 100), k % 2 == 0)).collect();
        sort(&mut long);
        assert!(long.is_sorted());
    }
}
