//! Which points lie inside a body, decided exactly, most of them by looking into a table.
//!
//! A point is inside if the line through it along an axis crosses the surface unevenly often before it reaches the point;
//! `exact::before_point_f64` tells by exact signs what a triangle adds to that. To ask every triangle near the line is
//! correct and slow. So space is divided into columns along the axis, and columns into steps (`grid`):
//!
//! ```text
//!            ┊ middle line
//!   step   ┌─┊─┐
//!    6     │ ┊ │  free: 0 entries more than exits before it, outside
//!    5     │▒┊▒│  ┐ occupied by a part of the surface that leaves the body
//!    4     │▒┊▒│  ┘
//!    3     │ ┊ │  free: 1 entry more than exits before it, inside
//!    2     │▒┊▒│    occupied by a part that enters the body
//!    1     │ ┊ │  free
//!          └─┊─┘
//! ```
//!
//! Triangles *occupy* all steps from their lowest to their highest corner in all columns that their box meets. A point in a
//! free step has the answer of the middle line there (`columns`). A point in an occupied step is in doubt: what lies
//! before the whole run of occupied steps is known from the middle line, the triangles of the run are asked (`doubtful`).
//!
//! # Why the middle line answers for the whole column
//!
//! A position is given by three whole numbers, each a growing function of one coordinate, the same one for corners and
//! for points. Take a column and a free step of it, or a step just before a run. Of the triangles that occupy steps of
//! this column let B be those that lie below, wholly, as none occupies the step. A triangle adds the sum of what its
//! three edges add, and an edge adds to a line the opposite of what it adds when it is run the other way: this is so for
//! exact signs and for the middle line as `columns` computes it. If the surface is closed, every edge is run equally often
//! both ways by all triangles together (for parity: an even number of times). So the edges that do not cancel in B belong
//! to triangles outside B as well. Such a triangle does not lie above the step, since it shares two corners with one that
//! lies below. So it does not occupy the column at all: its box misses the column, and so does the box of the edge. What
//! is left of B is the sum over a closed chain of edges whose boxes miss the column.
//!
//! An edge whose box lies beside the column counts for a line through the column if it lies on the left and
//! passes the height v of the line, with the lower end at or below v and the upper end above it; on the right, above or
//! below it does not count. No rounding changes that: the numbers grow with the coordinates, and edges are never moved out
//! of their box. As v goes from the bottom of the column to the top, the sum changes only where a corner on the left is
//! passed, and there not at all: every edge at this corner lies on the left too, as its box misses the column, and the
//! chain is closed. So all lines through the column see the same sum, whether it is computed on coordinates or on the
//! numbers of the grid. No bound on errors is needed.
//!
//! Where the surface is not known to be closed, all steps count as occupied: then every triangle of a point's column is
//! asked.
//!
//! Cost: O(vertices + triangles + points); of 100,000 points in the box of a scanned mesh 3 to 6 % are in doubt, of a
//! coarse one more, and each asks two or three triangles. Memory is reused.
//! Held by: the tests below (all triangles asked), `tests/volume/points.rs`.

mod asked;
mod columns;
mod doubtful;
mod grid;
#[cfg(test)]
mod tests;

use crate::exact;
use std::sync::atomic::{AtomicBool, Ordering};

use self::columns::Columns;
use self::doubtful::{Balance, DoubtfulPoints};
use self::grid::{BATCH, Grid, MOST_COLUMNS};
use super::InsideRule;
use super::window::held_box;
use crate::simd::dispatch;
use crate::threads;
use crumple::Body;
use crumple::{Aabb, Axis, Coordinate, VertexId};
use fearless_simd::Level;

/// A grid in which triangles reach into more columns than this on average is coarsened.
const COLUMNS_PER_TRIANGLE: usize = 16;
/// Each thread has columns of its own, which are added up: more threads than this would not pay.
const MOST_THREADS: usize = 8;

// What the columns tell of a point: nothing if this bit, for which words have no use, is set in its word.
const IN_DOUBT: u32 = 1 << 7;
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;

/// What is asked of all points.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) body: &'a Body,
    /// Along which lines run.
    pub(super) axis: Axis,
    pub(super) rule: InsideRule,
    /// Whether the mesh is known to be closed, as the rule needs it.
    pub(super) is_closed: bool,
}

/// Tests points in memory of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactPoints {
    /// The word of each vertex.
    words: Vec<u32>,
    /// For each thread what its share of the triangles comes to; then the first is all of it.
    columns: Vec<Columns>,
    /// What the columns tell of each point.
    found: Vec<u32>,
    /// Index and word of the points in doubt.
    in_doubt: Vec<[u32; 2]>,
    doubtful: DoubtfulPoints,
    /// For each thread what its share of the triangles adds to the points in doubt.
    balances: Vec<Vec<Balance>>,
}

impl ExactPoints {
    /// For each of `points` whether it lies inside a body whose box has volume, or on its surface.
    pub(super) fn test<C: Coordinate>(
        &mut self,
        level: Level,
        question: Question<'_>,
        points: &[[C; 3]],
        inside: &mut Vec<bool>,
    ) {
        let Question { body, axis, rule, is_closed } = question;
        let (bounds, triangles) = (held_box(body), body.mesh().collapsed_indices());
        let threads = threads::for_items(triangles.len().max(points.len())).min(MOST_THREADS);
        let mut side = points.len().isqrt().clamp(1, MOST_COLUMNS as usize) as u32;
        let grid = loop {
            let grid = Grid::new(&bounds, axis, side);
            if self.enter(level, threads, &grid, body, triangles) {
                break grid;
            }
            side = side.div_ceil(2);
        };
        let (columns, _) = self.columns.split_first_mut().expect("there is a share for each thread");
        if !(is_closed && welded_vertices_coincide(body)) {
            columns.occupy_all();
        }

        self.found.resize(points.len(), OUTSIDE);
        threads::each_stretch(threads, points, &mut self.found, &|points, found| {
            dispatch!(level, _simd => look_up(&grid, &bounds, columns, rule, points, found));
        });
        inside.clear();
        inside.resize(points.len(), false);
        self.in_doubt.resize(points.len() + 1, [0; 2]);
        let mut count = 0;
        for (index, (&found, inside)) in (0..).zip(self.found.iter().zip(&mut *inside)) {
            *inside = found == INSIDE;
            // Written always, kept sometimes.
            self.in_doubt[count] = [index, found & !IN_DOUBT];
            count += usize::from(found & IN_DOUBT != 0);
        }

        self.doubtful.sort_in(&grid, columns, &self.in_doubt[..count]);
        match body.positions_f64() {
            None => self.settle(level, threads, &grid, question, body.positions(), points),
            Some(vertices) => self.settle(level, threads, &grid, question, vertices, points),
        }
        self.doubtful.answers(&self.balances, |index, on_surface, net| {
            inside[index] = on_surface || holds(rule, net);
        });
    }

    /// Enters the triangles into the columns. Returns whether the grid is coarse enough for them.
    fn enter(&mut self, level: Level, threads: usize, grid: &Grid, body: &Body, triangles: &[[u32; 3]]) -> bool {
        let vertices = body.positions();
        self.words.resize(vertices.len(), 0);
        threads::each_stretch(threads, vertices, &mut self.words, &|vertices, words| {
            dispatch!(level, _simd => write_words(grid, vertices, words));
        });
        self.columns.resize_with(threads, Columns::default);
        let share = triangles.len().div_ceil(threads);
        let most = if grid.side == 1 { usize::MAX } else { COLUMNS_PER_TRIANGLE * share + 4 * grid.column_count() };
        let (words, all_are_in) = (&self.words, AtomicBool::new(true));
        threads::each(threads, &mut self.columns, |number, columns| {
            let first = (number * share).min(triangles.len());
            let mine = &triangles[first..(first + share).min(triangles.len())];
            if !columns.enter(level, grid, words, mine, most) {
                all_are_in.store(false, Ordering::Relaxed);
            }
        });
        if let Some((all, others)) = self.columns.split_first_mut() {
            others.iter().for_each(|other| all.add(other));
        }
        all_are_in.into_inner()
    }

    /// Asks the triangles about the points in doubt.
    fn settle<V: Coordinate, C: Coordinate>(
        &mut self,
        level: Level,
        threads: usize,
        grid: &Grid,
        Question { body, axis, .. }: Question<'_>,
        vertices: &[[V; 3]],
        points: &[[C; 3]],
    ) {
        self.balances.resize_with(threads, Vec::new);
        let share = body.mesh().triangles().len().div_ceil(threads);
        let (words, columns, doubtful) = (&self.words, &self.columns, &self.doubtful);
        threads::each(threads, &mut self.balances, |number, balances| {
            let places = ((number * share) as u32, &columns[number].places[..]);
            let tested = (points, axis);
            dispatch!(level, _simd => doubtful.settle(grid, body, (words, vertices), places, tested, balances));
        });
    }
}

/// Whether the vertices that count as one in the mesh are in one place, so that a closed mesh is a closed surface.
fn welded_vertices_coincide(body: &Body) -> bool {
    let (triangles, welded) = (body.mesh().triangles().as_flattened(), body.mesh().welded_triangles().as_flattened());
    triangles.iter().zip(welded).all(|(&a, &b)| a == b || position(body, a) == position(body, b))
}

/// Where a vertex is, without rounding.
fn position(body: &Body, vertex: VertexId) -> [f64; 3] {
    let vertex = vertex.index();
    body.positions_f64().map_or_else(|| exact(body.positions()[vertex]), |positions| positions[vertex])
}

#[inline(always)]
fn write_words(grid: &Grid, vertices: &[[f32; 3]], words: &mut [u32]) {
    let mut batch = [0; BATCH];
    for (vertices, words) in vertices.chunks(BATCH).zip(words.chunks_mut(BATCH)) {
        grid.words(vertices, &mut batch);
        words.copy_from_slice(&batch[..words.len()]);
    }
}

/// Looks points up in the columns.
#[inline(always)]
fn look_up<C: Coordinate>(
    grid: &Grid,
    bounds: &Aabb,
    columns: &Columns,
    rule: InsideRule,
    points: &[[C; 3]],
    found: &mut [u32],
) {
    let mut words = [0; BATCH];
    for (points, found) in points.chunks(BATCH).zip(found.chunks_mut(BATCH)) {
        grid.words(points, &mut words);
        for ((&point, &word), found) in points.iter().zip(&words).zip(found) {
            let (column, step) = grid.cell(word);
            let (is_free, net) = columns.look_up(column, step);
            let answer = if holds(rule, net) { INSIDE } else { OUTSIDE };
            let answer = if is_free { answer } else { word | IN_DOUBT };
            // Also turns away what is not finite.
            let is_in_box = bounds.contains(exact(point).map(|x| x as f32));
            *found = if is_in_box { answer } else { OUTSIDE };
        }
    }
}

/// Whether a point is inside after so many more entries than exits.
#[inline(always)]
fn holds(rule: InsideRule, net: i32) -> bool {
    match rule {
        InsideRule::WindingNumber => net != 0,
        InsideRule::Parity => net & 1 == 1,
    }
}
