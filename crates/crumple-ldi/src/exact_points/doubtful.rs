//! Decides the points that the columns leave in doubt, triangle by triangle.
//!
//! Points are few and triangles many, so it is points that are sorted by columns, and triangles go through them: most are
//! left out after one look into a table that tells whether any point is in doubt where the triangle is (`asked`). The rest
//! are compared with each of these points by the parts of their words, and what is left is decided by
//! `exact::before_point_f64`. A triangle is asked if its box holds the line of the point, it does not begin above the point,
//! and it does not end below the run of occupied steps that the point lies in.

use super::asked::{Asked, Place};
use super::columns::Columns;
use super::grid::{BATCH, Grid, Reaches, column, parts};
use crate::exact;
use crumple::Body;
use crumple::exact::{BeforePoint, before_point_f64};
use crumple::{Axis, Coordinate, TriangleId};

/// A point in doubt.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// Its word, spread, with its guards set.
    here: u64,
    /// The same with the first step of its run, without guards.
    from: u64,
    /// How many more entries than exits come before the run.
    base: i32,
    index: u32,
}

/// Highest bits of the parts of a spread word: a difference of two keeps them where nothing had to be borrowed.
const GUARDS: u64 = 0x8000_8000_8000;

/// The parts of a word 16 bits apart.
#[inline(always)]
fn spread([u, v, w]: [u32; 3]) -> u64 {
    u64::from(u) | u64::from(v) << 16 | u64::from(w) << 32
}

/// What the triangles before a point come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    /// Entries less exits.
    net: i32,
    on_surface: bool,
}

impl Balance {
    /// Adds a triangle.
    #[inline(always)]
    fn take(&mut self, body: &Body, vertices: &[[impl Coordinate; 3]], axis: Axis, number: u32, point: [f64; 3]) {
        if !body.mesh().is_live(TriangleId(number)) {
            return;
        }
        let corners = body.mesh().indices()[number as usize].map(|vertex| exact(vertices[vertex as usize]));
        match before_point_f64(axis, &corners, point) {
            BeforePoint::Nothing => {}
            BeforePoint::Entry => self.net += 1,
            BeforePoint::Exit => self.net -= 1,
            BeforePoint::OnSurface => self.on_surface = true,
        }
    }
}

/// Points in doubt, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct DoubtfulPoints {
    /// Where the points of each column start, and where the last ones end.
    starts: Vec<u32>,
    points: Vec<Point>,
    asked: Asked,
}

impl DoubtfulPoints {
    /// Takes points by their indices and words.
    pub(super) fn sort_in(&mut self, grid: &Grid, columns: &Columns, doubtful: &[[u32; 2]]) {
        let count = grid.column_count();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.points.resize(doubtful.len(), Point::default());
        self.asked.clear(grid);
        // Count; turn counts into where each list starts; fill, which moves that to where it ends, one entry early.
        let lists = &mut self.starts[1..];
        for &[_, word] in doubtful {
            lists[grid.cell(word).0] += 1;
        }
        let mut start = 0;
        for count in lists.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &[index, word] in doubtful {
            let ((column, step), [u, v, _]) = (grid.cell(word), parts(word));
            let (first, base) = columns.run_up_to(column, step);
            let (here, from) = (spread([u, v, step]) | GUARDS, spread([u, v, first]));
            self.points[lists[column] as usize] = Point { here, from, base, index };
            lists[column] += 1;
            self.asked.add(grid, word, first);
        }
        self.asked.spread(grid);
    }

    /// Writes to `balances` what triangles add to each point: those from number `first` on, which are at `places`.
    #[inline(always)]
    pub(super) fn settle<V: Coordinate, C: Coordinate>(
        &self,
        grid: &Grid,
        body: &Body,
        (words, vertices): (&[u32], &[[V; 3]]),
        (first, places): (u32, &[Place]),
        (points, axis): (&[[C; 3]], Axis),
        balances: &mut Vec<Balance>,
    ) {
        balances.clear();
        balances.resize(self.points.len(), Balance::default());
        let (side, triangles) = (grid.side, body.mesh().indices());
        let mut kept = [(0, Place::default()); BATCH];
        let mut reaches = Reaches::new();
        let mut ranges = [[0; 3]; 2 * BATCH];
        for (batch, places) in (first..).step_by(BATCH).zip(places.chunks(BATCH)) {
            // Written always, kept sometimes: where there are points cannot be predicted.
            let mut count = 0;
            for (number, &place) in (batch..).zip(places) {
                kept[count] = (number, place);
                count += usize::from(self.asked.at(place));
            }
            reaches.take(words, kept[..count].iter().map(|&(number, _)| triangles[number as usize]));
            let Reaches { low, high, .. } = &reaches;
            let mut look = |at: usize, from: u32, to: u32| {
                let [lowest, highest] = [low, high].map(|of| spread([of[0][at], of[1][at], of[2][at]]));
                for index in from..to {
                    let point = &self.points[index as usize];
                    if (point.here - lowest) & ((highest | GUARDS) - point.from) & GUARDS == GUARDS {
                        let exact = exact(points[point.index as usize]);
                        balances[index as usize].take(body, vertices, axis, kept[at].0, exact);
                    }
                }
            };
            let mut range_count = 0;
            for at in 0..count {
                let (from, to) = (column(low[0][at]), column(high[0][at]) + 1);
                let [bottom, top] = [column(low[1][at]), column(high[1][at])];
                let range =
                    |row: u32| [self.starts[(row * side + from) as usize], self.starts[(row * side + to) as usize]];
                if kept[at].1.is_large() {
                    for row in bottom..=top {
                        let [from, to] = range(row);
                        look(at, from, to);
                    }
                    continue;
                }
                // At most two rows.
                let [from, to] = range(bottom);
                ranges[range_count] = [at as u32, from, to];
                range_count += usize::from(from < to);
                let [from, to] = range(top);
                ranges[range_count] = [at as u32, from, to];
                range_count += usize::from((from < to) & (bottom < top));
            }
            for &[at, from, to] in &ranges[..range_count] {
                look(at as usize, from, to);
            }
        }
    }

    /// Hands out each point's index, whether it is on the surface, and how many more entries than exits come before it.
    pub(super) fn answers(&self, balances: &[Vec<Balance>], mut put: impl FnMut(usize, bool, i32)) {
        for (at, point) in self.points.iter().enumerate() {
            let on_surface = balances.iter().any(|balances| balances[at].on_surface);
            let net: i32 = balances.iter().map(|balances| balances[at].net).sum();
            put(point.index as usize, on_surface, point.base + net);
        }
    }
}
