//! What the formulas of `features` need of numbers: one f64, or four side by side.
//!
//! Operations are those of IEEE 754, each rounded by itself, so a lane comes to the same bits as a single number does.

use std::ops::{Add, BitAnd, Div, Mul, Neg, Not, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{f64x4, mask64x4};

/// A number, or one in each lane.
pub(super) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A yes or no for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// A value in every lane; `self` only says what kind of lanes.
    fn everywhere(self, value: f64) -> Self;
    /// Where `self` is less; nowhere if either is not a number.
    fn is_less(self, other: Self) -> Self::Mask;
    /// Where `self` is less or equal; nowhere if either is not a number.
    fn is_at_most(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn everywhere(self, value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn is_less(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl<S: Simd> Real for f64x4<S> {
    type Mask = mask64x4<S>;

    #[inline(always)]
    fn everywhere(self, value: f64) -> Self {
        SimdBase::splat(self.token(), value)
    }

    #[inline(always)]
    fn is_less(self, other: Self) -> mask64x4<S> {
        self.simd_lt(other)
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> mask64x4<S> {
        self.simd_le(other)
    }

    #[inline(always)]
    fn select(mask: mask64x4<S>, yes: Self, no: Self) -> Self {
        Select::select(mask, yes, no)
    }
}

/// Lanes of a vector.
pub(super) const LANES: usize = 4;

/// Four points of each of [`LANES`] pairs of features: point, axis, lane.
pub(super) type LanePoints = [[[f64; LANES]; 3]; 4];

/// A vector, or one in each lane.
pub(super) type Vector<R> = [R; 3];

#[inline(always)]
pub(super) fn plus<R: Real>(u: Vector<R>, v: Vector<R>) -> Vector<R> {
    [u[0] + v[0], u[1] + v[1], u[2] + v[2]]
}

#[inline(always)]
pub(super) fn minus<R: Real>(u: Vector<R>, v: Vector<R>) -> Vector<R> {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

#[inline(always)]
pub(super) fn negative<R: Real>(v: Vector<R>) -> Vector<R> {
    [-v[0], -v[1], -v[2]]
}

#[inline(always)]
pub(super) fn times<R: Real>(v: Vector<R>, by: R) -> Vector<R> {
    [v[0] * by, v[1] * by, v[2] * by]
}

#[inline(always)]
pub(super) fn dot<R: Real>(u: Vector<R>, v: Vector<R>) -> R {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

#[inline(always)]
pub(super) fn cross<R: Real>(u: Vector<R>, v: Vector<R>) -> Vector<R> {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// `yes` where the mask is set, `no` elsewhere.
#[inline(always)]
pub(super) fn select<R: Real>(mask: R::Mask, yes: Vector<R>, no: Vector<R>) -> Vector<R> {
    [R::select(mask, yes[0], no[0]), R::select(mask, yes[1], no[1]), R::select(mask, yes[2], no[2])]
}

/// The four points of each lane.
#[inline(always)]
pub(super) fn loaded<S: Simd>(simd: S, points: &LanePoints) -> [Vector<f64x4<S>>; 4] {
    let [p, q, r, s] = points;
    [vector(simd, p), vector(simd, q), vector(simd, r), vector(simd, s)]
}

#[inline(always)]
fn vector<S: Simd>(simd: S, [x, y, z]: &[[f64; LANES]; 3]) -> Vector<f64x4<S>> {
    [f64x4::from_slice(simd, x), f64x4::from_slice(simd, y), f64x4::from_slice(simd, z)]
}
