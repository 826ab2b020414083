//! The door for vertices: one pass that copies, checks, clears −0 and boxes.
//!
//! SIMD code is written out without closures that compute: the compiler compiles a closure on its own, without the
//! instructions that `simd` stands for.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x4, f32x8, mask32x8};
use glam::Vec4;

use super::BodyError;
use crate::geom::Aabb;

/// What one pass over new positions tells.
pub(super) struct TakenIn {
    /// The box of the vertices.
    pub(super) bounds: Aabb,
    /// The box of how far each vertex has moved.
    pub(super) moved: Aabb,
}

/// Copies `positions`, padded and with −0 made +0, into `kept`; `last` is where the vertices were before.
///
/// On an error `kept` holds rubbish: the caller must not use it.
pub(super) fn take_in(positions: &[[f32; 3]], last: &[Vec4], kept: &mut Vec<Vec4>) -> Result<TakenIn, BodyError> {
    debug_assert_eq!(positions.len(), last.len());
    kept.resize(positions.len(), Vec4::ZERO);
    let level = Level::new();
    let (taken, sum) = dispatch!(level, simd => stream(simd, positions, last, kept));
    if sum.is_finite() {
        return Ok(taken);
    }
    // Something is not finite, or so large that its sum is not.
    match positions.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
        Some(vertex) => Err(BodyError::NotFinite { vertex, position: positions[vertex] }),
        None => Ok(taken),
    }
}

/// As [`take_in`], of positions that were written into `kept` itself: padded, with anything for padding.
pub(super) fn settle(last: &[Vec4], kept: &mut [Vec4]) -> Result<TakenIn, BodyError> {
    debug_assert_eq!(kept.len(), last.len());
    let level = Level::new();
    let (taken, sum) = dispatch!(level, simd => stream_in_place(simd, last, kept));
    if sum.is_finite() {
        return Ok(taken);
    }
    match kept.iter().position(|position| !position.is_finite()) {
        Some(vertex) => Err(BodyError::NotFinite { vertex, position: kept[vertex].truncate().to_array() }),
        None => Ok(taken),
    }
}

/// The pass itself: four vertices at a time, as two pairs.
#[inline(always)]
fn stream<S: Simd>(simd: S, positions: &[[f32; 3]], last: &[Vec4], kept: &mut [Vec4]) -> (TakenIn, Vec4) {
    let flat: &[f32] = bytemuck::cast_slice(positions);
    let mut sums = Sums::new(simd);
    let mut done = 0;
    // Loads of four floats read one beyond the vertex; the last vertices of all are left to the loop below.
    let windows = flat.windows(13).step_by(12);
    for ((four, last), kept) in windows.zip(last.as_chunks::<4>().0).zip(kept.as_chunks_mut::<4>().0) {
        let (last, kept): (&[f32], &mut [f32]) = (bytemuck::cast_slice(last), bytemuck::cast_slice_mut(kept));
        for pair in 0..2 {
            let vertex = |at: usize| f32x4::from_slice(simd, &four[at..at + 4]);
            let loaded = vertex(6 * pair).combine(vertex(6 * pair + 3));
            let range = 8 * pair..8 * pair + 8;
            sums.add(pair, loaded, &last[range.clone()], &mut kept[range]);
        }
        done += 4;
    }
    let (mut taken, mut sum) = sums.total(done);
    for (vertex, &[x, y, z]) in (done..).zip(&positions[done..]) {
        kept[vertex] = Vec4::new(x, y, z, 0.0);
        sum += taken.add(last[vertex], &mut kept[vertex]);
    }
    (taken, sum)
}

/// The same for positions that are there already.
#[inline(always)]
fn stream_in_place<S: Simd>(simd: S, last: &[Vec4], kept: &mut [Vec4]) -> (TakenIn, Vec4) {
    let mut sums = Sums::new(simd);
    let mut done = 0;
    for (last, kept) in last.as_chunks::<4>().0.iter().zip(kept.as_chunks_mut::<4>().0) {
        let (last, kept): (&[f32], &mut [f32]) = (bytemuck::cast_slice(last), bytemuck::cast_slice_mut(kept));
        for pair in 0..2 {
            let range = 8 * pair..8 * pair + 8;
            let loaded = f32x8::from_slice(simd, &kept[range.clone()]);
            sums.add(pair, loaded, &last[range.clone()], &mut kept[range]);
        }
        done += 4;
    }
    let (mut taken, mut sum) = sums.total(done);
    for vertex in done..kept.len() {
        sum += taken.add(last[vertex], &mut kept[vertex]);
    }
    (taken, sum)
}

/// What is summed up in lanes, two vertices in each of two places: one place would wait for itself.
struct Sums<S: Simd> {
    simd: S,
    low: [f32x8<S>; 2],
    high: [f32x8<S>; 2],
    least: [f32x8<S>; 2],
    most: [f32x8<S>; 2],
    /// Of all displacements: not finite if any new coordinate is not.
    moved: [f32x8<S>; 2],
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let (zero, far) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        Self { simd, low: [far; 2], high: [-far; 2], least: [far; 2], most: [-far; 2], moved: [zero; 2] }
    }

    /// Takes in two vertices and keeps them.
    #[inline(always)]
    fn add(&mut self, place: usize, loaded: f32x8<S>, last: &[f32], kept: &mut [f32]) {
        let zero = f32x8::splat(self.simd, 0.0);
        // −0 + 0 is +0; every other number stays as it is.
        let new = mask32x8::from_bitmask(self.simd, 0b0111_0111).select(loaded, zero) + zero;
        let moved = new - f32x8::from_slice(self.simd, last);
        new.store_slice(kept);
        (self.low[place], self.high[place]) = (self.low[place].min(new), self.high[place].max(new));
        (self.least[place], self.most[place]) = (self.least[place].min(moved), self.most[place].max(moved));
        self.moved[place] += moved;
    }

    /// The boxes of all vertices and displacements so far, of which there are `count`, and the sum of the latter.
    #[inline(always)]
    fn total(self, count: usize) -> (TakenIn, Vec4) {
        let [a, b] = halves(self.moved[0] + self.moved[1]);
        let taken = match count {
            0 => TakenIn { bounds: Aabb::EMPTY, moved: Aabb::EMPTY },
            _ => TakenIn { bounds: joined(self.low, self.high), moved: joined(self.least, self.most) },
        };
        (taken, a + b)
    }
}

#[inline(always)]
fn halves<S: Simd>(v: f32x8<S>) -> [Vec4; 2] {
    let (a, b) = v.split();
    [Vec4::from_array(a.into()), Vec4::from_array(b.into())]
}

#[inline(always)]
fn joined<S: Simd>(low: [f32x8<S>; 2], high: [f32x8<S>; 2]) -> Aabb {
    let ([a, b], [c, d]) = (halves(low[0].min(low[1])), halves(high[0].max(high[1])));
    Aabb::from_corners(a.min(b), c.max(d))
}

impl TakenIn {
    /// Takes in one more vertex and clears its padding and −0; returns how far it has moved.
    fn add(&mut self, last: Vec4, kept: &mut Vec4) -> Vec4 {
        *kept = kept.with_w(0.0) + Vec4::ZERO;
        let step = *kept - last;
        self.bounds = self.bounds.with_vertex(*kept);
        self.moved = self.moved.with_vertex(step);
        step
    }
}

/// Refuses positions of which one lies outside `promised`.
pub(super) fn check_within(positions: &[[f32; 3]], bounds: Aabb, promised: Aabb) -> Result<(), BodyError> {
    if bounds.is_empty() || promised.union(&bounds) == promised {
        return Ok(());
    }
    let outside = positions.iter().position(|&position| !promised.contains(position));
    let vertex = outside.unwrap_or_default();
    Err(BodyError::LeavesLooseBox { vertex, position: positions[vertex], promised })
}
