//! Whole numbers of any size: sums, differences, products and signs, which is all the exact stage asks for.
//!
//! Why not a library: the polynomials of two features need no division, no text and no bit tricks, only the operations
//! below, and they must not allocate: a caller's second pass over the same motion allocates nothing. A number of up to
//! N limbs therefore lives in the value itself; only a longer one is kept in a vector. With B bits per difference of
//! coordinates (after scaling to whole numbers), polynomials and their values on the grid of times have 3 B + 110 bits
//! and are [`Short`]; remainders of polynomials have up to 16 B bits (see `roots`) and are [`Long`]. So up to B = 130
//! nothing is allocated: f64 numbers that span 75 binary orders of magnitude, f32 numbers that span 100. (A multiple
//! root is a quotient of remainders and may be longer; on numbers of so many bits it is rare.) One size for all took
//! three times as long, since a value is cleared and moved as a whole.
//!
//! Cost: schoolbook products, 10 to 20 ns up to four limbs.
//! Held by: the tests below (num-bigint as the reference), `tests/exactness/impacts/cases.rs` (allocations).

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use super::super::Sign;

/// A whole number: sign and magnitude, least limb first, the last limb not 0.
#[derive(Clone)]
pub(in crate::exact) struct Int<const N: usize> {
    negative: bool,
    len: usize,
    inline: [u64; N],
    /// All limbs of a number of more than N limbs, else empty.
    long: Vec<u64>,
}

/// Limbs of the coefficients of forms and of their values.
pub(super) const SHORT: usize = 8;

/// Limbs of the coefficients of remainders.
pub(super) const LONG: usize = 36;

pub(in crate::exact) type Short = Int<SHORT>;
pub(super) type Long = Int<LONG>;

impl<const N: usize> Int<N> {
    pub(in crate::exact) const ZERO: Self = Self { negative: false, len: 0, inline: [0; N], long: Vec::new() };

    pub(super) fn new(value: i64) -> Self {
        let mut result = Self::ZERO;
        result.negative = value < 0;
        result.inline[0] = value.unsigned_abs();
        result.len = usize::from(value != 0);
        result
    }

    /// `value` · 2^`shift`.
    pub(in crate::exact) fn shifted(value: i64, shift: usize) -> Self {
        let (limbs, bits) = (shift / 64, shift % 64);
        let wide = u128::from(value.unsigned_abs()) << bits;
        let mut result = Self::with_len(limbs + 2);
        result.negative = value < 0;
        result.limbs_mut()[limbs] = wide as u64;
        result.limbs_mut()[limbs + 1] = (wide >> 64) as u64;
        result.trim();
        result
    }

    pub(in crate::exact) fn sign(&self) -> Sign {
        match (self.len, self.negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    pub(in crate::exact) fn is_zero(&self) -> bool {
        self.len == 0
    }

    pub(super) fn abs(mut self) -> Self {
        self.negative = false;
        self
    }

    /// The number as m · 2^e with |m| < 2^64, the rest of its bits cut off.
    pub(in crate::exact) fn leading(&self) -> (f64, i64) {
        let Some(&last) = self.limbs().last() else { return (0.0, i64::MIN) };
        let below = if self.len > 1 { self.limbs()[self.len - 2] } else { 0 };
        let wide = u128::from(last) << 64 | u128::from(below);
        let zeros = wide.leading_zeros();
        let magnitude = ((wide << zeros) >> 64) as u64 as f64;
        let exponent = 64 * (self.len as i64 - 1) - i64::from(zeros);
        (if self.negative { -magnitude } else { magnitude }, exponent)
    }

    fn limbs(&self) -> &[u64] {
        if self.len > N { &self.long } else { &self.inline[..self.len] }
    }

    fn limbs_mut(&mut self) -> &mut [u64] {
        if self.len > N { &mut self.long } else { &mut self.inline[..self.len] }
    }

    /// Zeros to be written over; `trim` makes a number of them.
    fn with_len(len: usize) -> Self {
        let long = if len > N { vec![0; len] } else { Vec::new() };
        Self { negative: false, len, inline: [0; N], long }
    }

    fn trim(&mut self) {
        let mut len = self.len;
        while len > 0 && self.limbs()[len - 1] == 0 {
            len -= 1;
        }
        if self.len > N {
            self.long.truncate(len);
            if len <= N {
                self.inline[..len].copy_from_slice(&self.long);
                self.long = Vec::new();
            }
        }
        self.len = len;
        self.negative &= len > 0;
    }

    /// The same number with room for another length.
    pub(super) fn resized<const M: usize>(&self) -> Int<M> {
        let mut result = Int::with_len(self.len);
        result.limbs_mut().copy_from_slice(self.limbs());
        result.negative = self.negative;
        result
    }

    /// A number of two limbs at most.
    fn small(value: i128) -> Self {
        let mut result = Self::ZERO;
        let size = value.unsigned_abs();
        (result.inline[0], result.inline[1]) = (size as u64, (size >> 64) as u64);
        result.len = if result.inline[1] != 0 { 2 } else { usize::from(result.inline[0] != 0) };
        result.negative = value < 0;
        result
    }

    /// Bits of the magnitude.
    pub(super) fn bits(&self) -> usize {
        self.limbs().last().map_or(0, |last| 64 * self.len - last.leading_zeros() as usize)
    }

    /// `a` + `b`, or `a` − `b` if `minus`.
    fn sum(a: &Self, b: &Self, minus: bool) -> Self {
        let b_negative = b.negative != minus;
        if a.len <= 1 && b.len <= 1 {
            let small = |limb: u64, negative: bool| if negative { -i128::from(limb) } else { i128::from(limb) };
            return Self::small(small(a.inline[0], a.negative) + small(b.inline[0], b_negative));
        }
        if a.negative == b_negative {
            let mut result: Self = sum_of_magnitudes(a.limbs(), b.limbs());
            result.negative = a.negative;
            result.trim();
            return result;
        }
        let (mut result, negative): (Self, bool) = match compare_magnitudes(a.limbs(), b.limbs()) {
            Ordering::Equal => return Self::ZERO,
            Ordering::Greater => (difference_of_magnitudes(a.limbs(), b.limbs()), a.negative),
            Ordering::Less => (difference_of_magnitudes(b.limbs(), a.limbs()), b_negative),
        };
        result.negative = negative;
        result.trim();
        result
    }
}

fn compare_magnitudes(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum_of_magnitudes<const N: usize>(a: &[u64], b: &[u64]) -> Int<N> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut result = Int::with_len(long.len() + 1);
    let mut carry = false;
    let (last, limbs) = result.limbs_mut().split_last_mut().expect("there is a limb for the carry");
    for (i, limb) in limbs.iter_mut().enumerate() {
        let (sum, over) = long[i].overflowing_add(short.get(i).copied().unwrap_or(0));
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        (*limb, carry) = (sum, over | again);
    }
    *last = u64::from(carry);
    result
}

/// `a` − `b` where `a` is not the smaller.
fn difference_of_magnitudes<const N: usize>(a: &[u64], b: &[u64]) -> Int<N> {
    let mut result = Int::with_len(a.len());
    let mut borrow = false;
    for (i, limb) in result.limbs_mut().iter_mut().enumerate() {
        let (difference, under) = a[i].overflowing_sub(b.get(i).copied().unwrap_or(0));
        let (difference, again) = difference.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (difference, under | again);
    }
    result
}

impl<const N: usize> Add for &Int<N> {
    type Output = Int<N>;
    fn add(self, other: &Int<N>) -> Int<N> {
        Int::sum(self, other, false)
    }
}

impl<const N: usize> Sub for &Int<N> {
    type Output = Int<N>;
    fn sub(self, other: &Int<N>) -> Int<N> {
        Int::sum(self, other, true)
    }
}

impl<const N: usize> Neg for Int<N> {
    type Output = Int<N>;
    fn neg(mut self) -> Int<N> {
        self.negative = !self.negative && self.len > 0;
        self
    }
}

impl<const N: usize> Mul for &Int<N> {
    type Output = Int<N>;
    fn mul(self, other: &Int<N>) -> Int<N> {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        let (a, b) = (self.limbs(), other.limbs());
        if let ([x], [y]) = (a, b) {
            let wide = u128::from(*x) * u128::from(*y);
            let mut result = Int::ZERO;
            (result.inline[0], result.inline[1]) = (wide as u64, (wide >> 64) as u64);
            result.len = 1 + usize::from(result.inline[1] != 0);
            result.negative = self.negative != other.negative;
            return result;
        }
        let mut result = Int::with_len(a.len() + b.len());
        result.negative = self.negative != other.negative;
        let limbs = result.limbs_mut();
        for (i, &x) in a.iter().enumerate() {
            let mut carry = 0;
            let row = &mut limbs[i..=i + b.len()];
            for (limb, &y) in row.iter_mut().zip(b) {
                // At most (2^64 − 1)² + 2 (2^64 − 1) = 2^128 − 1.
                let wide = u128::from(x) * u128::from(y) + u128::from(*limb) + u128::from(carry);
                (*limb, carry) = (wide as u64, (wide >> 64) as u64);
            }
            row[b.len()] = carry;
        }
        result.trim();
        result
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::{BigInt, Sign as BigSign};

    use super::*;

    fn big<const N: usize>(value: &Int<N>) -> BigInt {
        let digits: Vec<u32> = value.limbs().iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect();
        BigInt::from_slice(if value.negative { BigSign::Minus } else { BigSign::Plus }, &digits)
    }

    /// Numbers around those where carries and lengths change.
    fn samples<const N: usize>() -> Vec<Int<N>> {
        let mut numbers: Vec<Int<N>> = [0, 1, -1, 2, 3, i64::MAX, i64::MIN, 0x1234_5678_9abc_def0].map(Int::new).into();
        for shift in [1, 63, 64, 65, 127, 500, 64 * N - 64, 64 * N - 1, 64 * N, 64 * N + 70] {
            let power = Int::shifted(1, shift);
            numbers.extend([&power - &Int::new(1), &Int::new(-1) - &power, -Int::shifted(0xfff1, shift), power]);
        }
        numbers
    }

    #[test]
    fn sums_differences_and_products_are_those_of_another_library() {
        compare_with_another_library::<SHORT>();
        compare_with_another_library::<LONG>();
    }

    fn compare_with_another_library<const N: usize>() {
        for a in &samples::<N>() {
            for b in &samples::<N>() {
                assert_eq!(big(&(a + b)), big(a) + big(b));
                assert_eq!(big(&(a - b)), big(a) - big(b));
                assert_eq!(big(&(a * b)), big(a) * big(b));
                // What was long and became short is short again.
                let back = &(a + b) - b;
                assert_eq!((back.len, back.long.is_empty()), (a.len, a.len <= N));
            }
            assert_eq!(big(&-a.clone()), -big(a));
            assert_eq!(a.bits() as u64, big(a).bits());
            assert_eq!(big(&a.resized::<3>()), big(a));
            assert_eq!(big(&a.resized::<50>()), big(a));
            let expected = [BigSign::Minus, BigSign::NoSign, BigSign::Plus][(a.sign() as i8 + 1) as usize];
            assert_eq!(big(a).sign(), expected);
        }
    }

    #[test]
    fn the_leading_bits_are_close_to_the_number() {
        for (value, shift) in [(1, 0), (-3, 10), (0x7fff_ffff_ffff_ffff, 64), (5, 900)] {
            let (mantissa, exponent) = Short::shifted(value, shift).leading();
            let expected = value as f64 * 2f64.powi(shift as i32);
            assert!((mantissa * 2f64.powi(exponent as i32) / expected - 1.0).abs() < 1e-15, "{value} {shift}");
        }
        assert_eq!(Short::ZERO.leading().0, 0.0);
    }
}
