//! Positions in f64: the numbers as they were given, beside a copy rounded to f32 on which boxes and lanes work.
//!
//! **Why boxes need no margin.** Rounding to the nearest f32 is monotone: x ≤ y implies fl(x) ≤ fl(y), and an f32 number
//! rounds to itself. Least and greatest commute with a monotone map, so the box of the rounded vertices is the rounded
//! box of the vertices. If two sets of vertices have f64 boxes that overlap as closed boxes, then for each axis
//! min_a ≤ max_b and min_b ≤ max_a, hence fl(min_a) ≤ fl(max_b) and so on: the rounded boxes overlap too. Turned round:
//! rounded boxes that are strictly apart along an axis prove that the bodies are. Trees, the broad phase and all that
//! only compares coordinates with each other is therefore right on the rounded copy as it is. Said once more for any number
//! of boxes: a point p that several of them hold is rounded to a point that all the rounded boxes hold.
//!
//! **What computes** with rounded coordinates may be off by [`rounding`](super::Body::rounding), and says where it
//! derives its bound how that enters. What it cannot decide is decided on the f64 numbers.
//!
//! **Range.** A coordinate is 0 or of a size between [`LEAST`] and [`LARGEST`]. At most [`LARGEST`]: its copy is finite.
//! At least [`LEAST`] = 2^-300: it then is a multiple of 2^-352, and so are differences; products of three differences
//! are multiples of 2^-1056 and all their roundings are, so the expansions of the exact predicates, whose parts are
//! such multiples, do not underflow (the least f64 number is 2^-1074). They do not overflow either: 2^129 cubed is
//! 2^387. If the largest coordinate is below [`LEAST_BODY`], the copy loses digits below the least normal f32 number,
//! in the end all vertices become 0 and every triangle a candidate: such a body is refused rather than searched in
//! quadratic time.

use super::BodyError;
use super::positions::{TakenIn, take_in};
use super::vertices::Vertices;
use crate::geom::VertexId;
use crate::geom::lanes::{chosen_simd, dispatch};

/// The least size of a coordinate that is not 0: 2^-300.
pub(super) const LEAST: f64 = f64::from_bits((1023 - 300) << 52);

/// The greatest size of a coordinate: that of an f32 number.
pub(super) const LARGEST: f64 = f32::MAX as f64;

/// The least size of the largest coordinate of a body, unless all are 0: 2^-100.
pub(super) const LEAST_BODY: f64 = f64::from_bits((1023 - 100) << 52);

/// The f64 positions of a body; the buffers take turns as those of the rounded copy do.
#[derive(Clone, Debug, Default)]
pub(super) struct Wide {
    pub(super) now: Doubles,
    pub(super) start: Doubles,
    pub(super) next: Doubles,
}

/// Positions in f64.
#[derive(Debug, Default)]
pub(super) struct Doubles {
    pub(super) positions: Vec<[f64; 3]>,
    /// At least as much as any coordinate differs from its rounded copy.
    pub(super) rounding: f32,
}

impl Clone for Doubles {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), rounding: self.rounding }
    }

    /// Keeps its memory, which the derived one would not.
    fn clone_from(&mut self, other: &Self) {
        self.positions.clone_from(&other.positions);
        self.rounding = other.rounding;
    }
}

impl FromIterator<[f64; 3]> for Doubles {
    fn from_iter<I: IntoIterator<Item = [f64; 3]>>(positions: I) -> Self {
        let mut doubles = Self::default();
        positions.into_iter().for_each(|position| doubles.push(position));
        doubles
    }
}

impl Doubles {
    /// Adds a vertex; −0 becomes +0.
    pub(super) fn push(&mut self, position: [f64; 3]) {
        let position = position.map(|x| x + 0.0);
        let errors = position.map(|x| (x - f64::from(x as f32)).abs());
        self.rounding = self.rounding.max(rounded_up(errors[0].max(errors[1]).max(errors[2])));
        self.positions.push(position);
    }

    /// Takes over positions that are f32 numbers and have been checked.
    pub(super) fn widen(&mut self, checked: &[[f32; 3]]) {
        self.positions.clear();
        self.positions.extend(checked.iter().map(|position| position.map(f64::from)));
        self.rounding = 0.0;
    }

    /// Makes room for so many vertices; where they are is then to be written.
    pub(super) fn resize(&mut self, len: usize) {
        self.positions.resize(len, [0.0; 3]);
    }
}

/// As [`take_in`], of f64 positions, which `wide` keeps: they are rounded into `kept` and taken in there.
///
/// On an error what they hold is unspecified.
pub(super) fn take_in_wide(
    new: Option<&[[f64; 3]]>,
    last: &Vertices,
    kept: &mut Vertices,
    wide: &mut Doubles,
) -> Result<TakenIn, BodyError> {
    wide.resize(last.len());
    kept.resize(last.len());
    let simd = chosen_simd();
    let checks = dispatch!(simd, _simd => round_all(new, &mut wide.positions, kept.as_mut_slice()));
    wide.rounding = checks.verdict(new.unwrap_or(&wide.positions))?;
    take_in(None, last, kept)
}

/// Refuses a coordinate that an f64 body cannot hold.
pub(super) fn check_range(vertex: VertexId, position: [f64; 3]) -> Result<(), BodyError> {
    match () {
        _ if !position.iter().all(|x| x.is_finite()) => Err(BodyError::NotFinite { vertex, position }),
        _ if position.iter().any(|&x| is_outside(x)) => Err(BodyError::OutOfRange { vertex, position }),
        _ => Ok(()),
    }
}

/// Whether a coordinate cannot be kept; NaN cannot.
#[inline(always)]
fn is_outside(x: f64) -> bool {
    let size = x.abs();
    // Without short cuts, so that the compiler makes lanes of it.
    !((size <= LARGEST) & ((size >= LEAST) | (size == 0.0)))
}

/// The least f32 number that is not below.
pub(super) fn rounded_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// What is found out while numbers are rounded; in eight parts, so that the compiler makes lanes of them.
#[derive(Default)]
struct Checks {
    error: [f64; 8],
    largest: [f64; 8],
    outside: [u64; 8],
}

impl Checks {
    /// Rounds eight numbers.
    #[inline(always)]
    fn round(&mut self, new: &[f64; 8], wide: &mut [f64; 8], kept: &mut [f32; 8]) {
        for lane in 0..8 {
            // −0 + 0 is +0; every other number stays as it is.
            let x = new[lane] + 0.0;
            let rounded = x as f32;
            (wide[lane], kept[lane]) = (x, rounded);
            // Exact: x has 53 digits, the first 24 of which, up to one unit, are the rounded number.
            let error = (x - f64::from(rounded)).abs();
            let size = x.abs();
            self.error[lane] = if error > self.error[lane] { error } else { self.error[lane] };
            self.largest[lane] = if size > self.largest[lane] { size } else { self.largest[lane] };
            self.outside[lane] |= u64::from(is_outside(x));
        }
    }

    /// The largest rounding, or why `positions` are refused.
    fn verdict(&self, positions: &[[f64; 3]]) -> Result<f32, BodyError> {
        let largest = self.largest.iter().copied().fold(0.0, f64::max);
        if self.outside.iter().any(|&outside| outside != 0) {
            (0..).zip(positions).try_for_each(|(vertex, &position)| check_range(VertexId(vertex), position))?;
        }
        if largest > 0.0 && largest < LEAST_BODY {
            return Err(BodyError::TooSmall { largest });
        }
        Ok(rounded_up(self.error.iter().copied().fold(0.0, f64::max)))
    }
}

/// Keeps numbers, or those that were written already, and rounds them.
#[inline(always)]
fn round_all(new: Option<&[[f64; 3]]>, wide: &mut [[f64; 3]], kept: &mut [[f32; 3]]) -> Checks {
    let mut checks = Checks::default();
    let (wide, wide_rest) = wide.as_flattened_mut().as_chunks_mut();
    let (kept, kept_rest) = kept.as_flattened_mut().as_chunks_mut();
    let (new, new_rest) = new.map(|new| new.as_flattened().as_chunks()).unzip();
    // Without closures: see `positions`.
    if let Some(new) = new {
        for (new, (wide, kept)) in new.iter().zip(wide.iter_mut().zip(kept)) {
            checks.round(new, wide, kept);
        }
    } else {
        for (wide, kept) in wide.iter_mut().zip(kept) {
            checks.round(&{ *wide }, wide, kept);
        }
    }
    let (mut last, mut rounded) = ([0.0; 8], [0.0; 8]);
    last[..wide_rest.len()].copy_from_slice(new_rest.unwrap_or(wide_rest));
    checks.round(&{ last }, &mut last, &mut rounded);
    wide_rest.copy_from_slice(&last[..wide_rest.len()]);
    kept_rest.copy_from_slice(&rounded[..kept_rest.len()]);
    checks
}
