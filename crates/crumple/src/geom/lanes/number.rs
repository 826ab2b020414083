//! What a computation on real numbers needs, for one number or for a number in each of eight lanes.
//!
//! A formula written over [`Number`] is one formula: compiled for `f32` it serves a single case, compiled for eight
//! lanes it serves eight, and what is proved about its rounding holds for both. Multiply-add may round once or twice:
//! proofs have to allow for two roundings.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

/// A number, or one in each lane.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// A yes or no for each lane.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + BitXor<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// How many lanes there are.
    const LANES: u32;

    /// A value in every lane; `self` only says what kind of lanes.
    fn everywhere(self, value: f32) -> Self;
    fn mul_add(self, factor: Self, term: Self) -> Self;
    fn mul_sub(self, factor: Self, term: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Where `self` is greater; nowhere if either is not a number.
    fn exceeds(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// One bit per lane.
    fn bits(mask: Self::Mask) -> u32;
}

impl<S: Simd> Number for f32x8<S> {
    type Mask = mask32x8<S>;

    const LANES: u32 = 8;

    #[inline(always)]
    fn everywhere(self, value: f32) -> Self {
        SimdBase::splat(self.token(), value)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        SimdFloat::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        SimdFloat::mul_sub(self, factor, term)
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
    fn exceeds(self, other: Self) -> Self::Mask {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Select::select(mask, yes, no)
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        mask.to_bitmask() as u32
    }
}

impl Number for f32 {
    type Mask = bool;

    const LANES: u32 = 1;

    #[inline(always)]
    fn everywhere(self, value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // Two roundings: one instruction that rounds once is not there on every processor.
        self * factor + term
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        self * factor - term
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
    fn exceeds(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}
