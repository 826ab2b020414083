//! Scans triangles into row segments so that no column ever counts an edge twice or not at all.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 3.2 (there, the graphics card's fill rule).
//!
//! Departs: a triangle is not tested sample by sample. Each row of samples is crossed with the *edges*:
//!
//! ```text
//!              hi            a row at y crosses an edge when  lo.y < y <= hi.y   (half-open, by the ends' cells)
//!              /\            there it has  t = (y − lo.y) / (hi.y − lo.y)
//!    row ─────/──\──────                   x = lo.x + t · (hi.x − lo.x),  z likewise
//!            /    \          and the triangle covers the samples from cell(left x) up to cell(right x)
//!         lo ──────  mid
//! ```
//!
//! An edge always runs from its lower end up, so both triangles at it compute the same numbers, bit for bit. Write
//! `above(e)` for "sample i is at or beyond cell(x of edge e)": a triangle covers the samples where its two edges differ,
//! with the sign of `above(up edge) − above(down edge)`. Along a closed, balanced surface every edge is run through as
//! often upwards as downwards, so these signs add up to zero in *every* column whatever the rounding: the count of
//! crossings is even, as many entries as exits, without any epsilon. Ends that lie in one cell never cross a row, which
//! is why rows of ends decide everything and horizontal edges need no rule.
//!
//! Rounding may carry a crossing past the edge's ends by a last bit. It is brought back between them: a triangle whose
//! corners all fall into one cell is left out before it is scanned, and its neighbours must not see an edge elsewhere.
//!
//! Cost: 4 bytes and two products per vertex; three loads and a comparison per triangle, most of which end there when a
//! mesh is finer than the image; what is left is scanned four triangles at a time (`lanes`). Nothing is allocated.

mod lanes;

use self::lanes::{BATCH, BatchCorners, LANES, WindowConstants};
use super::window::{Far, Placed, Window};
use crate::exact;
use crate::simd::{chosen_level, dispatch};
use crumple::Coordinate;
use fearless_simd::Simd;

/// What a triangle covers of one row: depths along consecutive samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    /// Depth at the first sample.
    z: f64,
    /// How much it grows from sample to sample.
    slope: f64,
    pub(super) row: u16,
    /// The first sample covered.
    pub(super) first: u16,
    /// One beyond the last.
    pub(super) end: u16,
    /// 1 where rays leave the body, 0 where they enter it.
    pub(super) exit: u16,
}

impl Segment {
    /// Depth at the `k`-th sample, not yet brought within the window.
    #[inline]
    pub(super) fn depth(&self, k: u16) -> f64 {
        self.z + f64::from(k) * self.slope
    }

    /// What is left when everything beyond a depth is dropped.
    #[inline]
    fn before(mut self, far: f64) -> Option<Self> {
        let last = self.end - self.first - 1;
        if self.z <= far && self.depth(last) <= far {
            return Some(self);
        }
        if self.z > far && self.depth(last) > far {
            return None;
        }
        // Depth grows or shrinks along the row, so what stays is one piece at one end.
        let stays = (0..=last).filter(|&k| self.depth(k) <= far).count() as u16;
        if self.z <= far {
            self.end = self.first + stays;
        } else {
            let dropped = last + 1 - stays;
            self.z = self.depth(dropped);
            self.first += dropped;
        }
        Some(self)
    }
}

/// Brings a depth that rounding carried past the near or the far plane back between them.
#[inline]
pub(super) fn within(depth: f64, far: f64) -> f64 {
    lesser(greater(depth, 0.0), far)
}

// `f64::min` looks out for NaN, of which there is none here; a comparison is one instruction.

#[inline]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

// A vertex's two cells in one word, 13 bits each, and whether it lies beyond the far plane.
const COLUMN: u32 = 0x1fff;
const ROW: u32 = COLUMN << ROW_SHIFT;
const ROW_SHIFT: u32 = 16;
const BEYOND: u32 = 1 << 31;

/// Writes the cells of all vertices.
pub(super) fn place_vertices<C: Coordinate>(window: &Window, vertices: &[[C; 3]], cells: &mut [u32]) {
    let to_window = window.placer();
    let (columns, rows) = (window.resolution.columns, window.resolution.rows);
    let far = far_plane(window);
    for (&vertex, word) in vertices.iter().zip(cells) {
        let Placed { x, y, z } = to_window(exact(vertex));
        *word = cell(x, columns) | cell(y, rows) << ROW_SHIFT | u32::from(z > far) << 31;
    }
}

/// How many of `samples` samples lie at or before a coordinate; `as` takes what is negative to 0.
#[inline]
fn cell(coordinate: f64, samples: u32) -> u32 {
    (coordinate as u32).min(samples)
}

/// Whether a triangle may cover a sample: its corners differ in column and in row, and not all lie beyond the far
/// plane.
#[inline]
fn may_cover(a: u32, b: u32, c: u32) -> bool {
    let differ = (a ^ b) | (a ^ c);
    (differ & COLUMN != 0) & (differ & ROW != 0) & (a & b & c & BEYOND == 0)
}

/// Scans `triangles`, the first of which has the number `first`, and hands each segment to `emit` with the triangle's
/// number and whether it is to be kept: half of them cover no sample, at random, so it is cheaper to write them all and
/// go on to the next one for some. Returns how many triangles were not left out at sight.
pub(super) fn scan<C: Coordinate>(
    window: &Window,
    vertices: &[[C; 3]],
    cells: &[u32],
    first: u32,
    triangles: &[[u32; 3]],
    emit: impl FnMut(u32, Segment, bool),
) -> usize {
    dispatch!(chosen_level(), simd => scan_lanes(simd, window, vertices, cells, first, triangles, emit))
}

#[inline(always)]
fn scan_lanes<S: Simd, C: Coordinate>(
    simd: S,
    window: &Window,
    vertices: &[[C; 3]],
    cells: &[u32],
    first: u32,
    triangles: &[[u32; 3]],
    mut emit: impl FnMut(u32, Segment, bool),
) -> usize {
    let to_window = window.placer();
    let constants = WindowConstants {
        columns: f64::from(window.resolution.columns),
        rows: f64::from(window.resolution.rows),
        // (u, v, w) is right-handed, so the normal of such a triangle points along +w.
        exit_if_counter_clockwise: window.direction.is_positive(),
    };
    let far = far_plane(window);
    let mut kept = [0u32; BATCH];
    let mut fetched = [[[C::default(); 3]; 3]; BATCH];
    let mut corners = BatchCorners::new();
    let mut scanned = 0;
    for (batch, base) in triangles.chunks(BATCH).zip((first..).step_by(BATCH)) {
        let mut count = 0;
        for (number, &[a, b, c]) in (0..).zip(batch) {
            // Written always, kept sometimes: which triangles stay is too irregular to be predicted.
            kept[count] = number;
            count += usize::from(may_cover(cells[a as usize], cells[b as usize], cells[c as usize]));
        }
        scanned += count;
        // Fetched before anything is computed, so that the processor waits for many vertices at a time.
        for (&number, fetched) in kept[..count].iter().zip(&mut fetched) {
            let [a, b, c] = batch[number as usize];
            *fetched = [vertices[a as usize], vertices[b as usize], vertices[c as usize]];
        }
        for (at, fetched) in fetched[..count].iter().enumerate() {
            for (k, &vertex) in fetched.iter().enumerate() {
                let Placed { x, y, z } = to_window(exact(vertex));
                (corners.x[k][at], corners.y[k][at], corners.z[k][at]) = (x, y, z);
            }
        }
        // Lanes without a triangle get one that crosses no row.
        for at in count..count.next_multiple_of(LANES) {
            corners.y.iter_mut().for_each(|y| y[at] = 0.0);
        }
        for at in (0..count).step_by(LANES) {
            lanes::cross_rows(simd, &constants, &corners, at, |at, segment, keep| {
                let number = base + kept[at];
                if far == f64::INFINITY {
                    emit(number, segment, keep);
                } else if keep && let Some(segment) = segment.before(far) {
                    emit(number, segment, true);
                }
            });
        }
    }
    scanned
}

/// The far plane if it cuts, else beyond everything.
fn far_plane(window: &Window) -> f64 {
    match window.far {
        Far::HoldsBody => f64::INFINITY,
        Far::Cuts => window.depth(),
    }
}

#[cfg(test)]
mod tests;
