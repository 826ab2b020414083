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
//! Cost: 4 bytes and two products a vertex; three loads and a comparison a triangle, most of which end there when a
//! mesh is finer than the image; then a division an edge and one a segment. Nothing is allocated.

use super::window::{Far, Placed, Window};

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
pub(super) fn place_vertices(window: &Window, vertices: &[[f32; 4]], cells: &mut [u32]) {
    let place = window.placer();
    let (columns, rows) = (window.resolution.columns, window.resolution.rows);
    let far = match window.far {
        Far::Beyond => f64::INFINITY,
        Far::Cuts => window.depth(),
    };
    for (vertex, word) in vertices.iter().zip(cells) {
        let Placed { x, y, z } = place(vertex);
        *word = cell(x, columns) | cell(y, rows) << ROW_SHIFT | u32::from(z > far) << 31;
    }
}

/// How many of `samples` samples lie at or before a place; `as` takes what is negative to 0.
#[inline]
fn cell(place: f64, samples: u32) -> u32 {
    (place as u32).min(samples)
}

/// Whether a triangle may cover a sample: its corners differ in column and in row, and not all lie beyond the far plane.
#[inline]
fn may_cover(a: u32, b: u32, c: u32) -> bool {
    let differ = (a ^ b) | (a ^ c);
    (differ & COLUMN != 0) & (differ & ROW != 0) & (a & b & c & BEYOND == 0)
}

/// Scans `triangles`, the first of which has the number `first`, and hands each segment to `emit` with the triangle's
/// number and whether it is to be kept: half of them cover no sample, at random, so it is cheaper to write them all and
/// go on to the next place for some. Returns how many triangles were not left out at sight.
pub(super) fn scan(
    window: &Window,
    vertices: &[[f32; 4]],
    cells: &[u32],
    first: u32,
    triangles: &[[u32; 3]],
    mut emit: impl FnMut(u32, Segment, bool),
) -> usize {
    /// Few enough for a batch's corners to stay in the first-level cache.
    const BATCH: usize = 256;
    let scanner = Scanner::new(window);
    let place = window.placer();
    let mut kept = [0u32; BATCH];
    let mut corners = [[[0.0f32; 4]; 3]; BATCH];
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
        for (&number, corners) in kept[..count].iter().zip(&mut corners) {
            *corners = batch[number as usize].map(|vertex| vertices[vertex as usize]);
        }
        for (&number, corners) in kept[..count].iter().zip(&corners) {
            let corners = corners.each_ref().map(|vertex| scanner.corner(place(vertex)));
            scanner.triangle(corners, |segment, keep| emit(base + number, segment, keep));
        }
    }
    scanned
}

#[derive(Clone, Copy)]
struct Corner {
    x: f64,
    y: f64,
    z: f64,
    row: u32,
}

/// An edge from its lower end up.
struct Edge {
    low: Corner,
    high: Corner,
    per_row: f64,
    least: f64,
    most: f64,
}

impl Edge {
    #[inline]
    fn new(low: Corner, high: Corner) -> Self {
        let (least, most) = (lesser(low.x, high.x), greater(low.x, high.x));
        Self { low, high, per_row: 1.0 / (high.y - low.y), least, most }
    }

    /// How far up the edge a row is, from 0 to 1.
    #[inline]
    fn part(&self, y: f64) -> f64 {
        lesser((y - self.low.y) * self.per_row, 1.0)
    }

    /// Where the edge is at a part of its way.
    #[inline]
    fn x(&self, part: f64) -> f64 {
        lesser(greater(self.low.x + part * (self.high.x - self.low.x), self.least), self.most)
    }

    /// How deep the edge is at a part of its way.
    #[inline]
    fn z(&self, part: f64) -> f64 {
        self.low.z + part * (self.high.z - self.low.z)
    }
}

/// The corners of a triangle by row, and whether that keeps their turn, by whether the first is at most the second (1), the
/// second at most the third (2), the first at most the third (4). Two of the eight cannot be.
const ORDERS: [([u8; 3], bool); 8] = [
    ([2, 1, 0], false),
    ([2, 0, 1], true),
    ([1, 2, 0], true),
    ([0, 1, 2], true),
    ([0, 1, 2], true),
    ([0, 2, 1], false),
    ([1, 0, 2], false),
    ([0, 1, 2], true),
];

struct Scanner {
    columns: u32,
    rows: u32,
    /// The far plane if it cuts, else beyond everything.
    far: f64,
    /// Whether a triangle that runs counter-clockwise across the window faces away from the viewer.
    exit_if_counter_clockwise: bool,
}

impl Scanner {
    fn new(window: &Window) -> Self {
        Self {
            columns: window.resolution.columns,
            rows: window.resolution.rows,
            far: if window.far == Far::Cuts { window.depth() } else { f64::INFINITY },
            // (u, v, w) is right-handed, so the normal of such a triangle points along +w.
            exit_if_counter_clockwise: window.direction.is_positive(),
        }
    }

    #[inline]
    fn corner(&self, Placed { x, y, z }: Placed) -> Corner {
        Corner { x, y, z, row: cell(y, self.rows) }
    }

    #[inline]
    fn triangle(&self, [a, b, c]: [Corner; 3], mut emit: impl FnMut(Segment, bool)) {
        let at_most = |a: &Corner, b: &Corner| usize::from(a.row <= b.row);
        let (order, kept) = ORDERS[at_most(&a, &b) | at_most(&b, &c) << 1 | at_most(&a, &c) << 2];
        // Four places for three corners, so that two bits always name one.
        let corners = [a, b, c, c];
        let [low, middle, high] = order.map(|corner| corners[usize::from(corner & 3)]);
        // low → middle → high runs counter-clockwise exactly if the middle corner lies right of the long edge.
        let exit_if_right = kept == self.exit_if_counter_clockwise;

        let long = Edge::new(low, high);
        let shorts = [Edge::new(low, middle), Edge::new(middle, high)];
        for row in low.row..high.row {
            let short = &shorts[usize::from(row >= middle.row)];
            let y = f64::from(row + 1);
            let (long_part, short_part) = (long.part(y), short.part(y));
            let (long_x, short_x) = (long.x(long_part), short.x(short_part));
            let (long_cell, short_cell) = (cell(long_x, self.columns), cell(short_x, self.columns));
            let (long_z, short_z) = (long.z(long_part), short.z(short_part));
            let right = long_cell < short_cell;
            let (first, end, x, z) =
                if right { (long_cell, short_cell, long_x, long_z) } else { (short_cell, long_cell, short_x, short_z) };
            // If the cells differ, a sample lies between the crossings, which then are at least 2^-53 apart. If not,
            // whatever comes out here is not kept.
            let slope = (short_z - long_z) / (short_x - long_x);
            let segment = Segment {
                z: z + (f64::from(first + 1) - x) * slope,
                slope,
                row: row as u16,
                first: first as u16,
                end: end as u16,
                exit: u16::from(right == exit_if_right),
            };
            self.hand_on(segment, first != end, &mut emit);
        }
    }

    #[inline]
    fn hand_on(&self, segment: Segment, keep: bool, emit: &mut impl FnMut(Segment, bool)) {
        if self.far == f64::INFINITY {
            emit(segment, keep);
        } else if keep && let Some(segment) = self.before_far(segment) {
            emit(segment, true);
        }
    }

    /// What is left of a segment when everything beyond the far plane is dropped.
    #[inline]
    fn before_far(&self, mut segment: Segment) -> Option<Segment> {
        let last = segment.end - segment.first - 1;
        if segment.z <= self.far && segment.depth(last) <= self.far {
            return Some(segment);
        }
        if segment.z > self.far && segment.depth(last) > self.far {
            return None;
        }
        // Depth grows or shrinks along the row, so what stays is one piece at one end.
        let stays = (0..=last).filter(|&k| segment.depth(k) <= self.far).count() as u16;
        if segment.z <= self.far {
            segment.end = segment.first + stays;
        } else {
            let dropped = last + 1 - stays;
            segment.z = segment.depth(dropped);
            segment.first += dropped;
        }
        Some(segment)
    }
}
