//! The door for vertices: one pass that copies, checks, clears −0 and boxes.

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

/// The pass itself: four vertices at a time, as two pairs with boxes of their own, since one box would wait for itself.
/// Returns also the sum of all displacements, which is not finite if any new coordinate is not.
#[inline(always)]
fn stream<S: Simd>(simd: S, positions: &[[f32; 3]], last: &[Vec4], kept: &mut [Vec4]) -> (TakenIn, Vec4) {
    let flat: &[f32] = bytemuck::cast_slice(positions);
    let (zero, far) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
    let keep_three = mask32x8::from_bitmask(simd, 0b0111_0111);
    let (mut low, mut high, mut least, mut most) = ([far; 2], [-far; 2], [far; 2], [-far; 2]);
    let mut sum = [zero; 2];
    let mut done = 0;
    // Loads of four floats read one beyond the vertex; the last vertices of all are left to the loop below.
    let windows = flat.windows(13).step_by(12);
    for ((four, last), kept) in windows.zip(last.as_chunks::<4>().0).zip(kept.as_chunks_mut::<4>().0) {
        let (last, kept): (&[f32], &mut [f32]) = (bytemuck::cast_slice(last), bytemuck::cast_slice_mut(kept));
        for pair in 0..2 {
            let vertex = |at: usize| f32x4::from_slice(simd, &four[at..at + 4]);
            let loaded = vertex(6 * pair).combine(vertex(6 * pair + 3));
            // −0 + 0 is +0; every other number stays as it is.
            let new = keep_three.select(loaded, zero) + zero;
            let moved = new - f32x8::from_slice(simd, &last[8 * pair..8 * pair + 8]);
            new.store_slice(&mut kept[8 * pair..8 * pair + 8]);
            (low[pair], high[pair]) = (low[pair].min(new), high[pair].max(new));
            (least[pair], most[pair]) = (least[pair].min(moved), most[pair].max(moved));
            sum[pair] += moved;
        }
        done += 4;
    }
    let halves = |v: f32x8<S>| {
        let (a, b) = v.split();
        [a, b].map(|half| Vec4::from_array(half.into()))
    };
    let joined = |low: [f32x8<S>; 2], high: [f32x8<S>; 2]| {
        let ([a, b], [c, d]) = (halves(low[0].min(low[1])), halves(high[0].max(high[1])));
        Aabb::from_corners(a.min(b), c.max(d))
    };
    let (mut bounds, mut moved) =
        if done == 0 { (Aabb::EMPTY, Aabb::EMPTY) } else { (joined(low, high), joined(least, most)) };
    let [a, b] = halves(sum[0] + sum[1]);
    let mut sum = a + b;
    for (vertex, &position) in (done..).zip(&positions[done..]) {
        let new = Vec4::new(position[0], position[1], position[2], 0.0) + Vec4::ZERO;
        let step = new - last[vertex];
        kept[vertex] = new;
        bounds = bounds.with_vertex(new);
        moved = moved.with_vertex(step);
        sum += step;
    }
    (TakenIn { bounds, moved }, sum)
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
