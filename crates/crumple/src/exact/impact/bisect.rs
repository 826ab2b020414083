//! Decides in f64 when two features meet, where that is beyond doubt.
//!
//! Most cubics cross zero once and are settled by `crossing` as they stand. The others are looked at piece by piece:
//!
//! The coplanarity cubic and the four areas μ (see `whole`), seen along the axis on which the features are largest, are
//! kept by their Bernstein coefficients over a piece of the time, [0, 1] at first. A polynomial lies between the
//! smallest and the largest of these.
//!
//! ```text
//! cubic surely of one sign on the piece                        no impact in it
//! one μ surely positive, another surely negative on the piece  no impact in it
//! all μ surely of one sign                                     every root of the cubic is an impact
//! ```
//!
//! A piece that is not settled is halved (de Casteljau), the earlier half first. A piece whose cubic crosses zero once
//! is settled by `crossing`, which finds the cell of length 2^-32 with the root: if all μ are surely of one sign there,
//! it is the answer, since everything before the piece has been settled. A piece of length 2^-32 that is not settled
//! leaves the query to the exact stage.
//!
//! *Growth of the errors.* Halving forms means, (p + q) / 2, in three rounds for the cubic and two for an area. A mean
//! has the mean of the errors and at most ε M more, M being the largest coefficient before; and no mean exceeds M. So
//!
//! ```text
//! error of the halves ≤ error + 3 ε M (cubic),  error + 2 ε M (areas).
//! ```
//!
//! With [`GROWTH`] = 4 instead of 3 and 2, E as it is computed is at least ((1 − ε) E + 4 (1 − ε)² ε M) after a
//! halving, so after 32 of them at least (1 − ε)^33 (E₀ + 4 ε ΣM). E₀ is larger than the error of the first
//! coefficients by more than a tenth (80 to 68, 48 to 40), and 4 is larger than 3: E stays above the error. Around a root M
//! shrinks with the piece, so the errors stop growing. Halving a subnormal number may lose 2^-1075, which is covered as
//! in `filter`.
//!
//! Cost: up to 256 halvings; most cubics need none.

use super::crossing::{self, VALUE, crosses_once};
use super::filter::{EPSILON, Offsets, have_one_sign, pow2};
use super::roots::GRID_LEVEL;
use super::{Features, ImpactTime};

/// What f64 can tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    Apart,
    Meet(ImpactTime),
    Unsure,
}

/// Error of one halving, in units of ε times the largest coefficient.
const GROWTH: f64 = 4.0;

/// Pieces looked at before the query is left to the exact stage. Decided queries need 1 to 70.
const PIECES: u32 = 256;

/// Decides by `offsets`; `cubic` are the coefficients of the cubic, the errors those of the coefficients.
#[inline]
pub(super) fn decide(
    features: Features,
    offsets: &Offsets,
    cubic: [f64; 4],
    cubic_error: f64,
    area_factor: f64,
) -> Verdict {
    if crosses_once(&cubic, cubic_error) {
        return crossing::decide(features, offsets, &cubic, cubic_error, area_factor);
    }
    by_halving(features, offsets, cubic, cubic_error, area_factor)
}

#[inline(never)]
fn by_halving(features: Features, offsets: &Offsets, cubic: [f64; 4], cubic_error: f64, area_factor: f64) -> Verdict {
    // Seen along the axis on which the normal half-way is largest; any axis would be right.
    let mut best = (-1.0, 0, [[0.0; 3]; 4]);
    for axis in 0..3 {
        let areas = signed_areas(features, offsets, axis);
        let size = areas.iter().map(|c| c[0] + 2.0 * c[1] + c[2]).sum::<f64>().abs() * offsets.extent[axis];
        if size > best.0 {
            best = (size, axis, areas);
        }
    }
    let (_, axis, coefficients) = best;
    first_impact(&Piece::new(cubic, cubic_error), &Areas { coefficients, error: offsets.area_error(axis, area_factor) })
}

/// The first impact in a piece: a root of its cubic at which all areas have one sign.
#[inline]
pub(super) fn first_impact(piece: &Piece, areas: &Areas) -> Verdict {
    Search { pieces: PIECES }.first(piece, Some(areas))
}

/// The four μ along `axis`.
#[inline]
pub(super) fn signed_areas(features: Features, offsets: &Offsets, axis: usize) -> [[f64; 3]; 4] {
    let [l1, l2, l3] = offsets.areas(axis);
    let all = std::array::from_fn(|i| l1[i] + l2[i] + l3[i]);
    match features {
        Features::VertexFace => [all, l1, l2, l3],
        Features::EdgeEdge => [all, l1.map(|x| -x), l2, l3],
    }
}

/// The cubic from `part` / 2^`level` to (`part` + 1) / 2^`level`.
pub(super) struct Piece {
    cubic: [f64; 4],
    error: f64,
    part: u64,
    level: u32,
}

/// The areas over the same piece.
pub(super) struct Areas {
    pub(super) coefficients: [[f64; 3]; 4],
    pub(super) error: f64,
}

/// When the areas of a piece are all of one sign.
pub(super) enum Inside {
    Never,
    Always,
    Unsure,
}

struct Search {
    pieces: u32,
}

impl Search {
    /// The first impact in the piece. Without areas every root of the cubic is one.
    fn first(&mut self, piece: &Piece, areas: Option<&Areas>) -> Verdict {
        if have_one_sign(&piece.cubic, piece.error) {
            return Verdict::Apart;
        }
        let areas = match areas.map(|areas| (areas, areas.inside())) {
            Some((_, Inside::Never)) => return Verdict::Apart,
            Some((areas, Inside::Unsure)) => Some(areas),
            Some((_, Inside::Always)) | None => None,
        };
        if crosses_once(&piece.cubic, piece.error) {
            let below = GRID_LEVEL - piece.level;
            let Some(k) = crossing::cell(&piece.cubic, piece.error, below) else { return Verdict::Unsure };
            match areas.map_or(Inside::Always, |areas| areas.inside_near(k, below)) {
                Inside::Never => return Verdict::Apart,
                Inside::Always => return Verdict::Meet(ImpactTime::of_cell((piece.part << below) + k, true)),
                Inside::Unsure => {}
            }
        }
        let largest = piece.cubic.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        if piece.level == GRID_LEVEL {
            return Verdict::Unsure;
        }
        self.pieces -= 1;
        if self.pieces == 0 || (areas.is_none() && largest <= piece.error) {
            return Verdict::Unsure;
        }
        let [early, late] = piece.halves(largest);
        match areas.map(Areas::halves) {
            None => match self.first(&early, None) {
                Verdict::Apart => self.first(&late, None),
                verdict => verdict,
            },
            Some([early_areas, late_areas]) => match self.first(&early, Some(&early_areas)) {
                Verdict::Apart => self.first(&late, Some(&late_areas)),
                verdict => verdict,
            },
        }
    }
}

impl Piece {
    /// The whole time.
    pub(super) fn new(cubic: [f64; 4], error: f64) -> Self {
        Self { cubic, error, part: 0, level: 0 }
    }

    #[inline]
    fn halves(&self, largest: f64) -> [Self; 2] {
        let [c0, c1, c2, c3] = self.cubic;
        let (c01, c12, c23) = (mean(c0, c1), mean(c1, c2), mean(c2, c3));
        let (c012, c123) = (mean(c01, c12), mean(c12, c23));
        let middle = mean(c012, c123);
        let error = self.error + GROWTH * EPSILON * largest;
        let (part, level) = (2 * self.part, self.level + 1);
        [
            Self { cubic: [c0, c01, c012, middle], error, part, level },
            Self { cubic: [middle, c123, c23, c3], error, part: part + 1, level },
        ]
    }
}

impl Inside {
    /// What numbers that are off by at most `error` show of their signs.
    #[inline]
    pub(super) fn of(numbers: &[f64; 4], error: f64) -> Self {
        let (mut positive, mut negative) = (0, 0);
        for &x in numbers {
            positive += u32::from(x > error);
            negative += u32::from(x < -error);
        }
        Self::of_counts(positive, negative)
    }

    /// By how many of four are surely positive and how many surely negative.
    #[inline]
    fn of_counts(positive: u32, negative: u32) -> Self {
        match (positive, negative) {
            (4, _) | (_, 4) => Self::Always,
            (0, _) | (_, 0) => Self::Unsure,
            _ => Self::Never,
        }
    }
}

impl Areas {
    #[inline]
    pub(super) fn inside(&self) -> Inside {
        let (mut positive, mut negative) = (0, 0);
        for coefficients in &self.coefficients {
            positive += u32::from(coefficients.iter().all(|&x| x > self.error));
            negative += u32::from(coefficients.iter().all(|&x| x < -self.error));
        }
        Inside::of_counts(positive, negative)
    }

    /// Whether the areas are all of one sign at a root from `k` to `k` + 1 times 2^-`level` of the piece.
    ///
    /// A quadratic with coefficients up to M changes by at most 2 · 2M from 0 to 1, so by 4 · 2^-`level` M from `k` to the
    /// root; its value at `k`, by two rounds of de Casteljau, is off by 4 ε M (see `crossing`) and the error of the
    /// coefficients. 5 and [`VALUE`] cover the roundings of the bound.
    fn inside_near(&self, k: u64, level: u32) -> Inside {
        let width = pow2(-i64::from(level));
        let (t, largest) = (k as f64 * width, self.largest());
        let s = 1.0 - t;
        let values = self.coefficients.map(|[c0, c1, c2]| s * (s * c0 + t * c1) + t * (s * c1 + t * c2));
        Inside::of(&values, self.error + (VALUE * EPSILON + 5.0 * width) * largest)
    }

    fn largest(&self) -> f64 {
        self.coefficients.as_flattened().iter().fold(0.0, |max: f64, x| max.max(x.abs()))
    }

    #[inline]
    fn halves(&self) -> [Self; 2] {
        let largest = self.largest();
        let error = self.error + GROWTH * EPSILON * largest;
        let mut halves = [self.coefficients; 2];
        for (i, &[c0, c1, c2]) in self.coefficients.iter().enumerate() {
            let (c01, c12) = (mean(c0, c1), mean(c1, c2));
            let middle = mean(c01, c12);
            halves[0][i] = [c0, c01, middle];
            halves[1][i] = [middle, c12, c2];
        }
        halves.map(|coefficients| Self { coefficients, error })
    }
}

#[inline]
fn mean(p: f64, q: f64) -> f64 {
    0.5 * (p + q)
}
