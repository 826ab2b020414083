//! A cubic that surely changes its sign just once: where, to 2^-32 of the step, and whether the features meet there.
//!
//! With Bernstein coefficients of the signs s, ?, ?, −s a cubic has one root or three. It has one if c₁ surely has the
//! sign s or c₂ surely has −s: then the signs change once along the coefficients, whatever the other one is (Descartes).
//! Nearly all features that meet in meshes, and nearly all that pass by each other, are of this kind.
//!
//! *Where.* Newton's method in f64, kept within a bracket, guesses the cell [k, k + 1] 2^-32 of the root. The guess
//! may be wrong; what counts is the cubic's value at both ends of the cell, with a bound on its error: surely s at k
//! and surely −s at k + 1 proves that the root is strictly between them. A sure sign to the contrary moves the cell by
//! one; a sign in doubt leaves the query to the exact stage.
//!
//! *Error of a value.* De Casteljau at t = j 2^-n: 1 − t and t are exact, and (1 − t) p + t q with |p|, |q| ≤ M is off
//! by at most ε (1 − t) M + ε t M for the products and ε M for the sum, 2 ε M to first order, besides the mean of the
//! errors of p and q. Three rounds: error of the coefficients + 6 ε M. [`VALUE`] = 8 covers the terms in ε² and the
//! roundings of the bound; what underflows is covered as in `filter`.
//!
//! *Whether they meet.* The root r is in the cell, so within 2^-32 of t = k 2^-32. The offsets at t are computed as
//! (1 − t) a + t b: off by ε Mx for a and b, which are rounded themselves, 2 ε Mx as above, and 2^-32 |b − a| ≤
//! 2^-31 Mx from their value at r: δ Mx with δ = 2^-31 + 3 ε. In λ₁ = u₂ × u₃ along x each of two products is off by
//! (2 δ + δ² + ε) My Mz and their difference by another 2 ε My Mz: 2^-29 My Mz and less than 2^-40 of that more. The
//! sum of three of them is off by 3 · 2^-29 My Mz and as little. [`NEAR`] = 2^-27 is larger than both by a quarter.
//! With the signs of μ that are then beyond doubt `whole` decides as it does at an exact root.
//!
//! Tried: halving down to the cell, cubic and areas together. On 32,797 candidates of the last step of LE1, 9,810 of which
//! come this far, all of them took 5.8 ms that way and 3.0 ms this way (on a busy machine).
//! Cost: some steps of Newton's method, two values of the cubic, three cross products.
//! Held by: `tests.rs` here, `tests/exactness/impacts`.

use super::Features;
use super::ImpactTime;
use super::bisect::{Inside, Verdict};
use super::filter::{AREA, EPSILON, Offsets, pow2};
use super::roots::GRID_LEVEL;
use crate::geom::lanes::Vec3Ops;

/// Error of a value of a polynomial beyond that of its coefficients, in units of ε times the largest coefficient.
pub(super) const VALUE: f64 = 8.0;

/// Error of an area within 2^-32 of the time at which it is computed, in units of the product of two extents.
const NEAR: f64 = pow2(-27);

/// Steps of Newton's method, most of which take 3 to 5.
const STEPS: u32 = 48;

/// Whether a cubic whose coefficients are off by at most `error` surely has exactly one root, a simple one.
#[inline]
pub(super) fn crosses_once(&[c0, c1, c2, c3]: &[f64; 4], error: f64) -> bool {
    let falls = c0 > error && c3 < -error && (c1 > error || c2 < -error);
    let rises = c0 < -error && c3 > error && (c1 < -error || c2 > error);
    falls || rises
}

/// The cell [k, k + 1] 2^-`level` that has the root of a cubic that crosses once strictly between its ends; nothing if
/// a sign is in doubt.
#[inline]
pub(super) fn cell(cubic: &[f64; 4], error: f64, level: u32) -> Option<u64> {
    let largest = cubic.iter().fold(0.0, |max: f64, x| if x.abs() > max { x.abs() } else { max });
    let error = error + VALUE * EPSILON * largest;
    let (count, unit) = (1u64 << level, pow2(-i64::from(level)));
    let falls = cubic[0] > 0.0;
    // Whether the root is surely after a line of the grid, or surely before it.
    let side = |line: u64| {
        let value = value_at(cubic, line as f64 * unit);
        let value = if falls { value } else { -value };
        (value > error, value < -error)
    };
    let mut k = ((root(cubic) * count as f64) as u64).min(count - 1);
    for _ in 0..3 {
        match (side(k), side(k + 1)) {
            ((true, _), (_, true)) => return Some(k),
            ((_, true), _) => k = k.checked_sub(1)?,
            (_, (true, _)) if k + 2 <= count => k += 1,
            _ => return None,
        }
    }
    None
}

/// Roughly the root of a cubic that crosses once, from 0 to 1.
#[inline]
fn root(&[c0, c1, c2, c3]: &[f64; 4]) -> f64 {
    const CLOSE: f64 = pow2(-36);
    let linear = 3.0 * (c1 - c0);
    let square = 3.0 * (c2 - c1) - linear;
    let cube = (c3 - c0) - 3.0 * (c2 - c1);
    let (mut low, mut high) = (0.0, 1.0);
    let mut t = c0 / (c0 - c3);
    for _ in 0..STEPS {
        let value = c0 + t * (linear + t * (square + t * cube));
        let slope = linear + t * (2.0 * square + t * (3.0 * cube));
        if (value > 0.0) == (c0 > 0.0) {
            low = t
        } else {
            high = t
        }
        let next = t - value / slope;
        // Also where the slope is 0 and the step is not a number.
        let next = if next >= low && next <= high { next } else { 0.5 * (low + high) };
        let done = (next - t).abs() < CLOSE;
        t = next;
        if done {
            break;
        }
    }
    t
}

/// The value of a cubic by its Bernstein coefficients.
#[inline]
fn value_at(&[c0, c1, c2, c3]: &[f64; 4], t: f64) -> f64 {
    let s = 1.0 - t;
    let (c01, c12, c23) = (s * c0 + t * c1, s * c1 + t * c2, s * c2 + t * c3);
    let (c012, c123) = (s * c01 + t * c12, s * c12 + t * c23);
    s * c012 + t * c123
}

/// Decides by the only root of the cubic of `offsets`, which crosses once; `area_factor` is [`AREA`], or less for a test
/// of the bounds, and then scales this one as well.
#[inline]
pub(super) fn decide(features: Features, offsets: &Offsets, cubic: &[f64; 4], error: f64, area_factor: f64) -> Verdict {
    let Some(k) = cell(cubic, error, GRID_LEVEL) else { return Verdict::Unsure };
    let near = NEAR * (area_factor / AREA);
    match inside_near(features, offsets, k as f64 * pow2(-i64::from(GRID_LEVEL)), near) {
        Inside::Never => Verdict::Apart,
        Inside::Always => Verdict::Meet(ImpactTime::of_cell(k, true)),
        Inside::Unsure => Verdict::Unsure,
    }
}

/// Whether the areas are all of one sign at a root within 2^-32 after `t`; `near` is [`NEAR`].
#[inline]
fn inside_near(features: Features, offsets: &Offsets, t: f64, near: f64) -> Inside {
    let s = 1.0 - t;
    let mut u = [[0.0; 3]; 3];
    for i in 0..3 {
        for axis in 0..3 {
            u[i][axis] = s * offsets.start[i][axis] + t * offsets.end[i][axis];
        }
    }
    let [u1, u2, u3] = u;
    let (l1, l2, l3) = (u2.cross(u3), u3.cross(u1), u1.cross(u2));
    // Seen along the axis on which the normal of the face, or of both edges, is largest; any axis would be right.
    let (mut best, mut axis) = (-1.0, 0);
    for k in 0..3 {
        let edges = l2[k] + l3[k];
        let normal = if features == Features::VertexFace { l1[k] + edges } else { edges };
        let size = normal.abs() * offsets.extent[k];
        if size > best {
            (best, axis) = (size, k);
        }
    }
    let error = near * (offsets.extent[(axis + 1) % 3] * offsets.extent[(axis + 2) % 3]);
    let (l1, l2, l3) = (l1[axis], l2[axis], l3[axis]);
    Inside::of(&[l1 + l2 + l3, if features == Features::VertexFace { l1 } else { -l1 }, l2, l3], error)
}
