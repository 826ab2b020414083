//! Which steps of each column the surface reaches, and how the middle line of the column crosses it.
//!
//! A triangle is entered into every column that its box meets, with all steps from its lowest corner to its highest. If
//! it covers the middle of a column, seen along the axis, that is noted at its lowest step: there can be one entry or one
//! exit per step, an entry and an exit cancel each other, and a column in which two of a kind come together is marked
//! as occupied throughout, so that nothing is read from it.
//!
//! What a triangle covers is found row by row, as in `raster`: where an edge passes the middle of a row is computed from
//! its lower end to its upper end, so that both triangles at an edge get the same number; rounding may move it, but not
//! out of the edge's box.

use super::asked::Place;
use super::grid::{BATCH, DEPTH, Grid, Reaches, column, middle, middles_before, middles_below, parts};
use crate::simd::dispatch;
use fearless_simd::Level;

/// Where the middle line of a column enters and leaves the body: a bit per step.
#[derive(Clone, Copy, Debug, Default)]
struct Crossings {
    entries: u128,
    exits: u128,
}

/// What some of a body's triangles come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The steps of each column that a triangle reaches.
    occupied: Vec<u128>,
    crossings: Vec<Crossings>,
    /// Where each triangle is.
    pub(super) places: Vec<Place>,
}

impl Columns {
    /// Enters triangles, given the words of all vertices. Gives up and returns `false` if those that reach more than four
    /// columns reach more than `most` together.
    pub(super) fn enter(
        &mut self,
        level: Level,
        grid: &Grid,
        words: &[u32],
        triangles: &[[u32; 3]],
        most: usize,
    ) -> bool {
        self.occupied.clear();
        self.occupied.resize(grid.column_count(), 0);
        self.crossings.clear();
        self.crossings.resize(grid.column_count(), Crossings::default());
        self.places.resize(triangles.len(), Place::default());
        let Self { occupied, crossings, places } = self;
        dispatch!(level, _simd => enter(grid, words, triangles, most, (occupied, crossings, places)))
    }

    /// Adds what other triangles come to.
    pub(super) fn add(&mut self, other: &Self) {
        for (here, there) in self.occupied.iter_mut().zip(&other.occupied) {
            *here |= there;
        }
        let columns = self.crossings.iter_mut().zip(&mut self.occupied);
        for ((here, occupied), there) in columns.zip(&other.crossings) {
            let Crossings { entries, exits } = *here;
            here.entries = entries & !there.exits | there.entries & !exits;
            here.exits = exits & !there.entries | there.exits & !entries;
            if entries & there.entries | exits & there.exits != 0 {
                *occupied = !0;
            }
        }
    }

    /// Marks every column as occupied throughout.
    pub(super) fn occupy_all(&mut self) {
        self.occupied.fill(!0);
    }

    /// Whether no triangle reaches a step of a column, and how many more entries than exits come before it if so.
    #[inline(always)]
    pub(super) fn look_up(&self, column: usize, step: u32) -> (bool, i32) {
        let is_free = self.occupied[column] & (below(step + 1) ^ below(step)) == 0;
        (is_free, self.net_before(column, step))
    }

    /// The first of the occupied steps that lead up to an occupied one, and how many more entries than exits come before.
    #[inline(always)]
    pub(super) fn run_up_to(&self, column: usize, step: u32) -> (u32, i32) {
        let first = DEPTH - (!self.occupied[column] & below(step)).leading_zeros();
        (first, self.net_before(column, first))
    }

    #[inline(always)]
    fn net_before(&self, column: usize, step: u32) -> i32 {
        let (Crossings { entries, exits }, before) = (self.crossings[column], below(step));
        (entries & before).count_ones() as i32 - (exits & before).count_ones() as i32
    }
}

impl Crossings {
    /// Notes a crossing at a step; `false` if there is no room for it.
    #[inline(always)]
    fn note(&mut self, step: u128, enters: bool) -> bool {
        let (same, opposite) =
            if enters { (&mut self.entries, &mut self.exits) } else { (&mut self.exits, &mut self.entries) };
        if *opposite & step != 0 {
            *opposite ^= step;
            return true;
        }
        let has_room = *same & step == 0;
        *same |= step;
        has_room
    }
}

/// A bit for every step before one.
#[inline(always)]
fn below(step: u32) -> u128 {
    const BELOW: [u128; DEPTH as usize + 1] = {
        let mut below = [!0; DEPTH as usize + 1];
        let mut step = 0;
        while step < DEPTH {
            below[step as usize] = (1 << step) - 1;
            step += 1;
        }
        below
    };
    BELOW[step as usize]
}

// Kinds of triangles: those that reach one column, at most two along both sides, or more; and those that may cover the
// middle of one.
const ONE: u32 = 0;
const FEW: u32 = 1;
const MANY: u32 = 2;
const CROSSED: u32 = 8;

#[inline(always)]
fn enter(
    grid: &Grid,
    words: &[u32],
    triangles: &[[u32; 3]],
    most: usize,
    (occupied, crossings, places): (&mut [u128], &mut [Crossings], &mut [Place]),
) -> bool {
    let side = grid.side;
    let mut entries = 0;
    let mut reaches = Reaches::new();
    let [mut one, mut few, mut many, mut crossed] = [[0u32; BATCH]; 4];
    for (triangles, places) in triangles.chunks(BATCH).zip(places.chunks_mut(BATCH)) {
        reaches.take(words, triangles.iter().copied());
        let Reaches { corners, low: lows, high: highs } = &reaches;
        let (mut all, mut kinds) = ([Place::default(); BATCH], [0u32; BATCH]);
        for at in 0..BATCH {
            let [u0, v0, u1, v1] = [lows[0][at], lows[1][at], highs[0][at], highs[1][at]];
            let extent = [column(u1) - column(u0), column(v1) - column(v0)];
            all[at] = Place::new(side, [u0, v0, lows[2][at]], [u1, v1, highs[2][at]]);
            let covers = (middles_below(v0) < middles_below(v1)) & (middles_before(u0) < middles_before(u1));
            let most = extent[0].max(extent[1]).min(MANY);
            kinds[at] = most | if covers { CROSSED } else { 0 };
        }
        let count = triangles.len();
        places.copy_from_slice(&all[..count]);
        // Written always, kept sometimes: of which kind a triangle is cannot be predicted.
        let (mut ones, mut fews, mut manys, mut crosseds) = (0, 0, 0, 0);
        for (at, &kind) in (0..).zip(&kinds[..count]) {
            one[ones] = at;
            few[fews] = at;
            many[manys] = at;
            crossed[crosseds] = at;
            ones += usize::from(kind & 7 == ONE);
            fews += usize::from(kind & 7 == FEW);
            manys += usize::from(kind & 7 == MANY);
            crosseds += usize::from(kind & CROSSED != 0);
        }
        for &at in &one[..ones] {
            let at = at as usize;
            let column = column(lows[1][at]) * side + column(lows[0][at]);
            occupied[column as usize] |= below(highs[2][at] + 1) ^ below(lows[2][at]);
        }
        for &at in &few[..fews] {
            let at = at as usize;
            let steps = below(highs[2][at] + 1) ^ below(lows[2][at]);
            let [from, to] = [lows[0][at], highs[0][at]].map(column);
            let [low, high] = [lows[1][at], highs[1][at]].map(|v| column(v) * side);
            // Four columns, of which two may be the same as the others.
            occupied[(low + from) as usize] |= steps;
            occupied[(high + to) as usize] |= steps;
            occupied[(low + to) as usize] |= steps;
            occupied[(high + from) as usize] |= steps;
        }
        for &at in &many[..manys] {
            let at = at as usize;
            let steps = below(highs[2][at] + 1) ^ below(lows[2][at]);
            let (from, to) = (column(lows[0][at]) as usize, column(highs[0][at]) as usize);
            let rows = column(lows[1][at])..=column(highs[1][at]);
            entries += (to - from + 1) * rows.clone().count();
            for row in rows {
                let row = &mut occupied[(row * side) as usize..];
                row[from..=to].iter_mut().for_each(|column| *column |= steps);
            }
        }
        if entries > most {
            return false;
        }
        for group in crossed[..crosseds].chunks(LANES) {
            let across = CoveredRows::new(group, corners);
            across.hand_out(|lane, row, [first, end], enters| {
                let step = 1 << lows[2][group[lane] as usize];
                for column in (row * side + first) as usize..(row * side + end) as usize {
                    if !crossings[column].note(step, enters) {
                        occupied[column] = !0;
                    }
                }
            });
        }
    }
    true
}

/// Triangles whose rows are looked at together.
const LANES: usize = 16;

/// Edges from their lower ends up, one per lane.
#[derive(Clone, Copy, Default)]
struct Edges {
    low: [[f32; LANES]; 2],
    slope: [f32; LANES],
    least: [f32; LANES],
    most: [f32; LANES],
}

impl Edges {
    #[inline(always)]
    fn new([u0, v0]: [&[f32; LANES]; 2], [u1, v1]: [&[f32; LANES]; 2]) -> Self {
        let mut edges = Self { low: [*u0, *v0], ..Self::default() };
        for lane in 0..LANES {
            edges.slope[lane] = (u1[lane] - u0[lane]) / (v1[lane] - v0[lane]);
            edges.least[lane] = lesser(u0[lane], u1[lane]);
            edges.most[lane] = greater(u0[lane], u1[lane]);
        }
        edges
    }

    /// How many columns have their middle left of where an edge passes a row.
    #[inline(always)]
    fn middles_left(&self, lane: usize, at: f32) -> u32 {
        let place = self.low[0][lane] + (at - self.low[1][lane]) * self.slope[lane];
        middles_before(whole(lesser(greater(place, self.least[lane]), self.most[lane])))
    }
}

// Comparisons that answer with their second number for one that is no number, as the slope of a level edge may be.

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The nearest whole number, of one from 0 to 2^12.
#[inline(always)]
fn whole(x: f32) -> u32 {
    (x + 8_388_608.0).to_bits() & 0xffff
}

/// The middles of columns that triangles cover.
struct CoveredRows {
    long: Edges,
    lower: Edges,
    upper: Edges,
    /// Where the lower short edge ends.
    middle: [f32; LANES],
    /// The first row, and one beyond the last.
    rows: [[u32; LANES]; 2],
    turned: [bool; LANES],
}

impl CoveredRows {
    /// Of some triangles of a batch.
    #[inline(always)]
    fn new(group: &[u32], corners: &[[u32; BATCH]; 3]) -> Self {
        let (mut u, mut v) = ([[0.0f32; LANES]; 3], [[0.0f32; LANES]; 3]);
        for (lane, &at) in group.iter().enumerate() {
            for k in 0..3 {
                let [across, up, _] = parts(corners[k][at as usize]);
                (u[k][lane], v[k][lane]) = (across as f32, up as f32);
            }
        }
        let mut turned = [false; LANES];
        for (k, l) in [(0, 1), (1, 2), (0, 1)] {
            for lane in 0..LANES {
                let swap = v[l][lane] < v[k][lane];
                let choose = |x: f32, y: f32| if swap { [y, x] } else { [x, y] };
                [u[k][lane], u[l][lane]] = choose(u[k][lane], u[l][lane]);
                [v[k][lane], v[l][lane]] = choose(v[k][lane], v[l][lane]);
                turned[lane] ^= swap;
            }
        }
        let corner = |k: usize| [&u[k], &v[k]];
        Self {
            long: Edges::new(corner(0), corner(2)),
            lower: Edges::new(corner(0), corner(1)),
            upper: Edges::new(corner(1), corner(2)),
            middle: v[1],
            rows: [v[0], v[2]].map(|v| v.map(|v| middles_below(whole(v)))),
            turned,
        }
    }

    /// Hands out the columns whose middle a triangle covers: the lane, the row, from which column to before which, and
    /// whether lines enter there.
    #[inline(always)]
    fn hand_out(&self, mut cross: impl FnMut(usize, u32, [u32; 2], bool)) {
        let rows = (0..LANES).map(|lane| self.rows[1][lane] - self.rows[0][lane]).max().unwrap_or(0);
        for row in 0..rows {
            let (mut first, mut end, mut enters) = ([0; LANES], [0; LANES], [false; LANES]);
            for lane in 0..LANES {
                let row = self.rows[0][lane] + row;
                let at = middle(row) as f32;
                let of_long = self.long.middles_left(lane, at);
                let (of_lower, of_upper) = (self.lower.middles_left(lane, at), self.upper.middles_left(lane, at));
                let of_short = if at < self.middle[lane] { of_lower } else { of_upper };
                // Unless turned, the triangle runs up its short edges and down its long one: clockwise, so that lines
                // enter, if the short ones are on the left.
                enters[lane] = (of_short < of_long) ^ self.turned[lane];
                first[lane] = of_long.min(of_short);
                end[lane] = if row < self.rows[1][lane] { of_long.max(of_short) } else { 0 };
            }
            let (mut kept, mut count) = ([0; LANES], 0);
            for lane in 0..LANES {
                kept[count] = lane;
                count += usize::from(first[lane] < end[lane]);
            }
            for &lane in &kept[..count] {
                cross(lane, self.rows[0][lane] + row, [first[lane], end[lane]], enters[lane]);
            }
        }
    }
}
