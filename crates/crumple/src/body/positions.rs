//! Takes in vertices: one pass that copies, checks, clears −0 and boxes. Positions in f64 are rounded first (see `wide`).
//!
//! Positions are read as one stream of numbers, eight vertices in three registers:
//!
//! ```text
//! x y z x y z x y │ z x y z x y z x │ y z x y z x y z
//! ```
//!
//! Each register has minima and maxima of its own, so that a lane always holds the same coordinate; only at the end are
//! lanes sorted into x, y and z. If vertices are left over, the last eight are processed once more: to see a vertex twice
//! changes no box, and the sum serves only to find out whether all numbers are finite.
//!
//! SIMD code is written out without closures that compute: the compiler compiles a closure on its own, without the
//! instructions that `simd` stands for.
//!
//! Cost: bound by memory, of which it reads 24 bytes per vertex and writes 12. (Tried and no faster: to store
//! a stretch first and compare it with that of the last frame afterwards, which needs fewer registers.)

use crate::geom::lanes::vectors::*;

use glam::Vec4;

use super::BodyError;
use super::vertices::Vertices;
use crate::geom::lanes::{chosen_simd, dispatch};
use crate::geom::{Aabb, Given, VertexId};

/// Vertices, and numbers, that are processed at a time.
const VERTICES: usize = 8;
const NUMBERS: usize = 3 * VERTICES;

/// What one pass over new positions finds out.
pub(crate) struct TakenIn {
    /// The box of the vertices.
    pub(super) bounds: Aabb,
    /// The box of how far each vertex has moved.
    pub(super) moved: Aabb,
}

/// Copies positions, with −0 made +0, into `kept`, or takes those that were written there; `last` is where the vertices were before.
///
/// On an error the contents of `kept` are unspecified: the caller must not use them.
pub(super) fn take_in(new: Option<&[[f32; 3]]>, last: &Vertices, kept: &mut Vertices) -> Result<TakenIn, BodyError> {
    kept.resize(last.len());
    let simd = chosen_simd();
    let (taken, sum) = dispatch!(simd, simd => stream(simd, new, last.as_slice(), kept.as_mut_slice()));
    if sum.is_finite() { Ok(taken) } else { check_finite(new.unwrap_or(kept.as_slice())).map(|()| taken) }
}

/// For when a sum is not finite: something is not, or so large that its sum is not.
#[cold]
fn check_finite(positions: &[[f32; 3]]) -> Result<(), BodyError> {
    match positions.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
        Some(vertex) => {
            Err(BodyError::NotFinite { vertex: VertexId(vertex as u32), position: positions[vertex].map(f64::from) })
        }
        None => Ok(()),
    }
}

/// The pass itself. All slices are of one length.
#[inline(always)]
fn stream<S: Simd>(simd: S, new: Option<&[[f32; 3]]>, last: &[[f32; 3]], kept: &mut [[f32; 3]]) -> (TakenIn, f32) {
    if last.len() < VERTICES {
        if let Some(new) = new {
            kept.copy_from_slice(new);
        }
        return few(last, kept);
    }
    let (new, last, kept) = (new.map(<[_]>::as_flattened), last.as_flattened(), kept.as_flattened_mut());
    let mut extremes = Extremes::new(simd);
    let rows = last.as_chunks().0.iter().zip(kept.as_chunks_mut().0);
    if let Some(new) = new {
        for (new, (last, kept)) in new.as_chunks().0.iter().zip(rows) {
            extremes.add(new, last, kept);
        }
    } else {
        for (last, kept) in rows {
            extremes.add(&{ *kept }, last, kept);
        }
    }
    if let (Some(last), Some(kept)) = (last.last_chunk(), kept.last_chunk_mut()) {
        let written = *kept;
        extremes.add(new.and_then(<[_]>::last_chunk).unwrap_or(&written), last, kept);
    }
    extremes.total()
}

/// Too few vertices to fill the registers.
fn few(last: &[[f32; 3]], kept: &mut [[f32; 3]]) -> (TakenIn, f32) {
    let mut taken = TakenIn { bounds: Aabb::EMPTY, moved: Aabb::EMPTY };
    let mut sum = 0.0;
    for (kept, &last) in kept.iter_mut().zip(last) {
        *kept = kept.map(|x| x + 0.0);
        let (new, last) = (padded(*kept), padded(last));
        taken.bounds = taken.bounds.with_vertex(new);
        taken.moved = taken.moved.with_vertex(new - last);
        sum += (new - last).element_sum();
    }
    (taken, sum)
}

fn padded([x, y, z]: [f32; 3]) -> Vec4 {
    Vec4::new(x, y, z, 0.0)
}

/// The extremes of positions and displacements so far, in lanes.
struct Extremes<S: Simd> {
    simd: S,
    low: [f32x8<S>; 3],
    high: [f32x8<S>; 3],
    least: [f32x8<S>; 3],
    most: [f32x8<S>; 3],
    /// Of all displacements: not finite if any new coordinate is not.
    moved: f32x8<S>,
}

impl<S: Simd> Extremes<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let (zero, far) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        Self { simd, low: [far; 3], high: [-far; 3], least: [far; 3], most: [-far; 3], moved: zero }
    }

    /// Takes in eight vertices and keeps them.
    #[inline(always)]
    fn add(&mut self, new: &[f32; NUMBERS], last: &[f32; NUMBERS], kept: &mut [f32; NUMBERS]) {
        let zero = f32x8::splat(self.simd, 0.0);
        for part in 0..3 {
            let range = 8 * part..8 * part + 8;
            // −0 + 0 is +0; every other number stays as it is.
            let new = f32x8::from_slice(self.simd, &new[range.clone()]) + zero;
            let moved = new - f32x8::from_slice(self.simd, &last[range.clone()]);
            new.store_slice(&mut kept[range]);
            (self.low[part], self.high[part]) = (self.low[part].min(new), self.high[part].max(new));
            (self.least[part], self.most[part]) = (self.least[part].min(moved), self.most[part].max(moved));
            // One sum for all three: there are no more registers, and it is not what the pass waits for.
            self.moved += moved;
        }
    }

    /// The boxes of all vertices and displacements, and the sum of the latter's coordinates.
    #[inline(always)]
    fn total(self) -> (TakenIn, f32) {
        let bounds = Aabb::from_corners(least(self.low), most(self.high));
        let moved = Aabb::from_corners(least(self.least), most(self.most));
        (TakenIn { bounds, moved }, self.moved.reduce_sum())
    }
}

/// The least of eight vectors, given as they lie in memory.
#[inline(always)]
fn least<S: Simd>(flat: [f32x8<S>; 3]) -> Vec4 {
    in_memory(flat).as_chunks().0.iter().fold(Vec4::INFINITY.with_w(0.0), |least, &v| least.min(padded(v)))
}

/// The greatest of them.
#[inline(always)]
fn most<S: Simd>(flat: [f32x8<S>; 3]) -> Vec4 {
    in_memory(flat).as_chunks().0.iter().fold(Vec4::NEG_INFINITY.with_w(0.0), |most, &v| most.max(padded(v)))
}

#[inline(always)]
fn in_memory<S: Simd>(flat: [f32x8<S>; 3]) -> [f32; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    flat[0].store_slice(&mut numbers[..8]);
    flat[1].store_slice(&mut numbers[8..16]);
    flat[2].store_slice(&mut numbers[16..]);
    numbers
}

/// Refuses positions of which one lies outside `promised`.
///
/// `kept` are the positions as they were kept, rounded if they were given in f64: it is their boxes that are compared
/// with the loose ones of other bodies, see [`wide`](super::wide).
pub(super) fn check_within(given: Given<'_>, kept: &Vertices, bounds: Aabb, promised: Aabb) -> Result<(), BodyError> {
    if bounds.is_empty() || promised.union(&bounds) == promised {
        return Ok(());
    }
    let outside = kept.as_slice().iter().position(|&position| !promised.contains(position));
    let vertex = outside.unwrap_or_default();
    Err(BodyError::LeavesLooseBox { vertex: VertexId(vertex as u32), position: given.position(vertex), promised })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::all_simd;

    /// Coordinates of all sizes, zeros of both signs among them.
    fn positions(count: usize, seed: u64) -> Vec<[f32; 3]> {
        let mut random = crumple_scenes::Random::new(seed);
        let mut next = || {
            let x = random.between(-8e6, 8e6) as f32;
            [x, 0.0, -0.0, x * 1e-20][random.below(4) as usize]
        };
        (0..count).map(|_| [next(), next(), next()]).collect()
    }

    fn bits(positions: &[[f32; 3]]) -> Vec<[u32; 3]> {
        positions.iter().map(|position| position.map(f32::to_bits)).collect()
    }

    #[test]
    fn lanes_keep_and_box_what_a_plain_loop_does_for_every_count_at_every_level() {
        for count in 0..70 {
            let (new, last) = (positions(count, 1), positions(count, 2));
            let last: Vec<_> = last.iter().map(|position| position.map(|x| x + 0.0)).collect();
            let mut expected = new.clone();
            let (plain, sum) = few(&last, &mut expected);
            assert!(sum.is_finite() && expected.iter().flatten().all(|x| x.to_bits() != (-0.0f32).to_bits()));
            for simd in all_simd() {
                let (mut kept, mut in_place) = (vec![[f32::NAN; 3]; count], new.clone());
                let (taken, sum) = dispatch!(simd, simd => stream(simd, Some(&new), &last, &mut kept));
                let (in_place_taken, _) = dispatch!(simd, simd => stream(simd, None, &last, &mut in_place));
                assert!(sum.is_finite());
                assert_eq!((bits(&kept), bits(&in_place)), (bits(&expected), bits(&expected)));
                for found in [taken, in_place_taken] {
                    assert_eq!((found.bounds, found.moved), (plain.bounds, plain.moved), "{count} vertices");
                }
            }
        }
    }

    #[test]
    fn one_number_that_is_not_finite_is_found_wherever_it_stands() {
        for (count, bad) in [(5, f32::NAN), (8, f32::INFINITY), (29, f32::NAN), (29, f32::NEG_INFINITY)] {
            let last = Vertices::at_origin(count);
            for at in 0..3 * count {
                let mut new = positions(count, 3);
                new[at / 3][at % 3] = bad;
                let mut written: Vertices = new.iter().copied().collect();
                for refused in
                    [take_in(Some(&new), &last, &mut Vertices::default()), take_in(None, &last, &mut written)]
                {
                    match refused.err() {
                        Some(BodyError::NotFinite { vertex, position }) => {
                            assert_eq!(vertex.index(), at / 3);
                            // As text, since NaN differs from itself; −0 may be reported as given or as kept.
                            let reported = |position: [f64; 3]| format!("{:?}", position.map(|x| x + 0.0));
                            assert_eq!(reported(position), reported(new[vertex.index()].map(f64::from)));
                        }
                        other => panic!("{bad} at {at}: {other:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn finite_positions_whose_sum_is_not_are_taken_in() {
        let (new, last) = ([[f32::MAX, 1.0, f32::MIN]; 20], Vertices::at_origin(20));
        let taken = take_in(Some(&new), &last, &mut Vertices::default()).unwrap();
        assert_eq!(taken.bounds, Aabb::new(new[0], new[0]));
        assert_eq!(taken.moved, taken.bounds);
    }
}
