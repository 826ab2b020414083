//! What a computation on real numbers needs, for one number or for a number in each lane of a register.
//!
//! A formula written over these traits is one formula: compiled for one number it serves a single case, compiled for lanes it
//! serves several, and what is proved about its rounding holds for both.
//!
//! Two contracts, not to be merged. Over [`Real`], f64, every operation rounds once, in one lane as in four, so that both give
//! the same bits; bounds of errors, in `exact` above all, count on these operations in this order. Over [`Number`], f32,
//! multiply-add may round once or twice: proofs have to allow for two roundings.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f64x4, mask32x8, mask64x4};

/// A number, or one in each lane.
pub(crate) trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number of one lane.
    type One;
    /// A yes or no for each lane.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + BitXor<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// A value in every lane; `self` only says what kind of lanes.
    fn everywhere(self, value: Self::One) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Where `self` is less; nowhere if either is not a number.
    fn is_less(self, other: Self) -> Self::Mask;
    /// Where `self` is less or equal; nowhere if either is not a number.
    fn is_at_most(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

macro_rules! alone {
    ($one:ty) => {
        impl Arithmetic for $one {
            type One = Self;
            type Mask = bool;

            #[inline(always)]
            fn everywhere(self, value: Self) -> Self {
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
    };
}

macro_rules! in_lanes {
    ($lanes:ident, $mask:ident, $one:ty) => {
        impl<S: Simd> Arithmetic for $lanes<S> {
            type One = $one;
            type Mask = $mask<S>;

            #[inline(always)]
            fn everywhere(self, value: $one) -> Self {
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
            fn is_less(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn is_at_most(self, other: Self) -> Self::Mask {
                self.simd_le(other)
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                Select::select(mask, yes, no)
            }
        }
    };
}

alone!(f32);
alone!(f64);
in_lanes!(f32x8, mask32x8, f32);
in_lanes!(f64x4, mask64x4, f64);

/// An f64 number, or one in each lane: every operation rounds once.
pub(crate) trait Real: Arithmetic<One = f64> {
    /// `yes` where `self` is greater than 0, `no` elsewhere.
    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self::select(self.everywhere(0.0).is_less(self), yes, no)
    }
}

impl<N: Arithmetic<One = f64>> Real for N {}

/// An f32 number, or one in each lane: multiply-add rounds once or twice.
pub(crate) trait Number: Arithmetic<One = f32> {
    /// How many lanes there are.
    const LANES: u32;

    fn mul_add(self, factor: Self, term: Self) -> Self;
    fn mul_sub(self, factor: Self, term: Self) -> Self;
    /// One bit per lane.
    fn bits(mask: Self::Mask) -> u32;

    /// Where `self` is greater; nowhere if either is not a number.
    #[inline(always)]
    fn exceeds(self, other: Self) -> Self::Mask {
        other.is_less(self)
    }
}

impl Number for f32 {
    const LANES: u32 = 1;

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
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

impl<S: Simd> Number for f32x8<S> {
    const LANES: u32 = 8;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        SimdFloat::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        SimdFloat::mul_sub(self, factor, term)
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        mask.to_bitmask() as u32
    }
}
