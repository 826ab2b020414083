//! Crosses the rows of four triangles at a time, one per lane.
//!
//! The module above says what is computed; here it is computed in lanes. The four walk up their rows side by side, each
//! from its own lowest row, until the last of them is through; a lane that is through goes on computing and keeps
//! nothing. Numbers in a lane are the same as they would be alone: additions, products and quotients of f64, each
//! rounded once, none fused, so every instruction set gives the same image (the tests have a plain twin and compare).
//!
//! Cells are found without leaving f64. Adding 2^52 to a number from 0 to 4,096 rounds it to a whole number, which then
//! stands in the last bits of the sum; where that went up, one is taken back:
//!
//! ```text
//! sum = x + 2^52     whole = sum − 2^52     cell = whole if whole <= x else whole − 1
//! ```

use fearless_simd::prelude::*;
use fearless_simd::{f64x4, mask64x4};

use super::Segment;

/// How many triangles are crossed at a time.
pub(super) const LANES: usize = 4;
/// Triangles per batch: few enough for their corners to stay in the first-level cache, a multiple of the lanes.
pub(super) const BATCH: usize = 128;

/// The corners of a batch of triangles in a window, one array per coordinate and corner.
pub(super) struct BatchCorners {
    pub(super) x: [[f64; BATCH]; 3],
    pub(super) y: [[f64; BATCH]; 3],
    pub(super) z: [[f64; BATCH]; 3],
}

impl BatchCorners {
    pub(super) fn new() -> Self {
        Self { x: [[0.0; BATCH]; 3], y: [[0.0; BATCH]; 3], z: [[0.0; BATCH]; 3] }
    }
}

/// What all triangles of a window have in common.
#[derive(Clone, Copy)]
pub(super) struct WindowConstants {
    pub(super) columns: f64,
    pub(super) rows: f64,
    /// Whether a triangle that runs counter-clockwise across the window faces away from the viewer.
    pub(super) exit_if_counter_clockwise: bool,
}

/// Four corners, one of each triangle.
#[derive(Clone, Copy)]
struct Corner<S: Simd> {
    x: f64x4<S>,
    y: f64x4<S>,
    z: f64x4<S>,
    row: f64x4<S>,
}

/// Four edges, from their lower ends up.
#[derive(Clone, Copy)]
struct Edge<S: Simd> {
    low: Corner<S>,
    dx: f64x4<S>,
    dz: f64x4<S>,
    per_row: f64x4<S>,
    least: f64x4<S>,
    most: f64x4<S>,
}

const MAGIC: f64 = (1u64 << 52) as f64;

/// The cells of four coordinates from 0 to 4,096, as sums with 2^52.
#[inline(always)]
fn cells<S: Simd>(simd: S, coordinate: f64x4<S>) -> f64x4<S> {
    let magic = f64x4::splat(simd, MAGIC);
    let sum = coordinate + magic;
    (sum - magic).simd_gt(coordinate).select(sum - f64x4::splat(simd, 1.0), sum)
}

#[inline(always)]
fn clamped<S: Simd>(simd: S, coordinate: f64x4<S>, most: f64) -> f64x4<S> {
    coordinate.max(f64x4::splat(simd, 0.0)).min(f64x4::splat(simd, most))
}

#[inline(always)]
fn choose<S: Simd>(mask: mask64x4<S>, a: Corner<S>, b: Corner<S>) -> Corner<S> {
    Corner {
        x: mask.select(a.x, b.x),
        y: mask.select(a.y, b.y),
        z: mask.select(a.z, b.z),
        row: mask.select(a.row, b.row),
    }
}

/// The `k`-th corners of the triangles from `at` on.
#[inline(always)]
fn corner<S: Simd>(simd: S, constants: &WindowConstants, corners: &BatchCorners, k: usize, at: usize) -> Corner<S> {
    let x = f64x4::from_slice(simd, &corners.x[k][at..at + LANES]);
    let y = f64x4::from_slice(simd, &corners.y[k][at..at + LANES]);
    let z = f64x4::from_slice(simd, &corners.z[k][at..at + LANES]);
    Corner { x, y, z, row: cells(simd, clamped(simd, y, constants.rows)) - f64x4::splat(simd, MAGIC) }
}

/// Both in order of their rows, and where that swapped them.
#[inline(always)]
fn sorted<S: Simd>(a: Corner<S>, b: Corner<S>) -> (Corner<S>, Corner<S>, mask64x4<S>) {
    let swap = b.row.simd_lt(a.row);
    (choose(swap, b, a), choose(swap, a, b), swap)
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    fn new(simd: S, low: Corner<S>, high: Corner<S>) -> Self {
        Self {
            low,
            dx: high.x - low.x,
            dz: high.z - low.z,
            per_row: f64x4::splat(simd, 1.0) / (high.y - low.y),
            least: low.x.min(high.x),
            most: low.x.max(high.x),
        }
    }

    #[inline(always)]
    fn choose(mask: mask64x4<S>, a: Self, b: Self) -> Self {
        Self {
            low: choose(mask, a.low, b.low),
            dx: mask.select(a.dx, b.dx),
            dz: mask.select(a.dz, b.dz),
            per_row: mask.select(a.per_row, b.per_row),
            least: mask.select(a.least, b.least),
            most: mask.select(a.most, b.most),
        }
    }

    /// Where the edge crosses a row, and how deep.
    #[inline(always)]
    fn cross(&self, simd: S, y: f64x4<S>) -> (f64x4<S>, f64x4<S>) {
        let part = ((y - self.low.y) * self.per_row).min(f64x4::splat(simd, 1.0));
        ((self.low.x + part * self.dx).max(self.least).min(self.most), self.low.z + part * self.dz)
    }
}

/// Crosses the rows of the triangles `at..at + LANES` of a batch; `emit` gets each segment with its triangle's index in
/// the batch and whether it is to be kept.
#[inline(always)]
pub(super) fn cross_rows<S: Simd>(
    simd: S,
    constants: &WindowConstants,
    corners: &BatchCorners,
    at: usize,
    mut emit: impl FnMut(usize, Segment, bool),
) {
    let one = f64x4::splat(simd, 1.0);
    let magic = f64x4::splat(simd, MAGIC);
    // Sort by row, remembering whether the turn of the corners is kept.
    let (a, b, swapped_ab) = sorted(corner(simd, constants, corners, 0, at), corner(simd, constants, corners, 1, at));
    let (b, high, swapped_bc) = sorted(b, corner(simd, constants, corners, 2, at));
    let (low, middle, swapped_again) = sorted(a, b);
    let turned = (swapped_ab ^ swapped_bc ^ swapped_again).to_bitmask();
    // low → middle → high runs counter-clockwise exactly if the middle corner lies right of the long edge.
    let exit_if_right = if constants.exit_if_counter_clockwise { !turned } else { turned };

    let long = Edge::new(simd, low, high);
    let shorts = [Edge::new(simd, low, middle), Edge::new(simd, middle, high)];
    let mut row = low.row;
    loop {
        let active = row.simd_lt(high.row);
        if active.to_bitmask() == 0 {
            return;
        }
        let short = Edge::choose(row.simd_lt(middle.row), shorts[0], shorts[1]);
        let y = row + one;
        let ((long_x, long_z), (short_x, short_z)) = (long.cross(simd, y), short.cross(simd, y));
        let long_cell = cells(simd, clamped(simd, long_x, constants.columns));
        let short_cell = cells(simd, clamped(simd, short_x, constants.columns));
        let right = long_cell.simd_lt(short_cell);
        let (first, end) = (long_cell.min(short_cell), long_cell.max(short_cell));
        let (x, z) = (right.select(long_x, short_x), right.select(long_z, short_z));
        // If the cells differ, a sample lies between the crossings, which then are at least 2^-53 apart. If not,
        // whatever comes out here is not kept.
        let slope = (short_z - long_z) / (short_x - long_x);
        let z = z + ((first - magic + one) - x) * slope;
        let keep = (active & first.simd_lt(end)).to_bitmask();
        let exit = !(right.to_bitmask() ^ exit_if_right);
        // A lane that is through still has a row: the first.
        let row_bits = active.select(row, f64x4::splat(simd, 0.0)) + magic;
        let lanes = (z.as_slice(), slope.as_slice(), row_bits.as_slice(), first.as_slice(), end.as_slice());
        for lane in 0..LANES {
            let segment = Segment {
                z: lanes.0[lane],
                slope: lanes.1[lane],
                row: lanes.2[lane].to_bits() as u16,
                first: lanes.3[lane].to_bits() as u16,
                end: lanes.4[lane].to_bits() as u16,
                exit: (exit >> lane & 1) as u16,
            };
            emit(at + lane, segment, keep >> lane & 1 == 1);
        }
        row += one;
    }
}
