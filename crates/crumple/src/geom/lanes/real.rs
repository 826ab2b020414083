//! What a computation in f64 needs, for one number or for a number in each of four lanes, and vectors of such numbers.
//!
//! Unlike [`Number`](super::Number) it has no multiply-add: every operation rounds once, in one lane as in four, so that
//! both give the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

use fearless_simd::f64x4;
use fearless_simd::prelude::*;

use super::Simd;

/// A number, or one in each lane.
pub(crate) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A value in every lane; `self` only says what kind of lanes.
    fn everywhere(self, value: f64) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// `yes` where `self` is greater than 0, `no` elsewhere.
    fn if_positive(self, yes: Self, no: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn everywhere(self, value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        if self > 0.0 { yes } else { no }
    }
}

impl<S: Simd> Real for f64x4<S> {
    #[inline(always)]
    fn everywhere(self, value: f64) -> Self {
        SimdBase::splat(self.token(), value)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        SimdBase::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        SimdBase::max(self, other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        SimdBase::abs(self)
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Select::select(self.simd_gt(self.everywhere(0.0)), yes, no)
    }
}

/// A vector, or one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3<R>(pub(crate) [R; 3]);

impl<R: Real> Vec3<R> {
    #[inline(always)]
    pub(crate) fn minus(self, v: Self) -> Self {
        Self([self.0[0] - v.0[0], self.0[1] - v.0[1], self.0[2] - v.0[2]])
    }

    #[inline(always)]
    pub(crate) fn plus(self, v: Self) -> Self {
        Self([self.0[0] + v.0[0], self.0[1] + v.0[1], self.0[2] + v.0[2]])
    }

    #[inline(always)]
    pub(crate) fn times(self, factor: R) -> Self {
        Self([self.0[0] * factor, self.0[1] * factor, self.0[2] * factor])
    }

    #[inline(always)]
    pub(crate) fn dot(self, v: Self) -> R {
        self.0[0] * v.0[0] + self.0[1] * v.0[1] + self.0[2] * v.0[2]
    }

    #[inline(always)]
    pub(crate) fn cross(self, v: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, v.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// The larger of the sizes of the coordinates, axis by axis.
    #[inline(always)]
    pub(crate) fn max_abs(self, v: Self) -> Self {
        Self([self.0[0].abs().max(v.0[0].abs()), self.0[1].abs().max(v.0[1].abs()), self.0[2].abs().max(v.0[2].abs())])
    }

    #[inline(always)]
    pub(crate) fn product_of_coordinates(self) -> R {
        self.0[0] * self.0[1] * self.0[2]
    }

    /// This vector where `sign` is greater than 0, the other elsewhere.
    #[inline(always)]
    pub(crate) fn if_positive(sign: R, yes: Self, no: Self) -> Self {
        Self([
            sign.if_positive(yes.0[0], no.0[0]),
            sign.if_positive(yes.0[1], no.0[1]),
            sign.if_positive(yes.0[2], no.0[2]),
        ])
    }
}
