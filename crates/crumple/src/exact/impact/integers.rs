//! Whole numbers of any size: sums, differences, products and signs, which is all the exact stage asks for.
//!
//! Why not a library: the polynomials of two features need no division, no text and no bit tricks, only the operations
//! below, and they must not allocate: a caller's second pass over the same motion allocates nothing. A number of up to
//! [`INLINE`] limbs therefore lives in the value itself; only a longer one is kept in a vector. The longest number of a
//! query whose differences of coordinates have B bits per axis (after scaling to whole numbers) has about 16 B bits (see
//! `roots`), so nothing is allocated up to B = 128: f64 numbers that span 75 binary orders of magnitude, f32 numbers
//! that span 100.
//!
//! Cost: schoolbook products, 10 to 20 ns up to four limbs.
//! Held by: the tests below and `tests/impact/integers.rs` (num-bigint as the reference).

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use super::super::Sign;

/// Limbs a number may have before it is kept in a vector.
const INLINE: usize = 32;

/// A whole number: sign and magnitude, least limb first, the last limb not 0.
#[derive(Clone)]
pub(super) struct Int {
    negative: bool,
    len: usize,
    inline: [u64; INLINE],
    /// All limbs of a number longer than [`INLINE`], else empty.
    long: Vec<u64>,
}

impl Int {
    pub(super) const ZERO: Self = Self { negative: false, len: 0, inline: [0; INLINE], long: Vec::new() };

    pub(super) fn new(value: i64) -> Self {
        let mut result = Self::ZERO;
        result.negative = value < 0;
        result.inline[0] = value.unsigned_abs();
        result.len = usize::from(value != 0);
        result
    }

    /// `value` · 2^`shift`.
    pub(super) fn shifted(value: i64, shift: usize) -> Self {
        let (limbs, bits) = (shift / 64, shift % 64);
        let wide = u128::from(value.unsigned_abs()) << bits;
        let mut result = Self::with_len(limbs + 2);
        result.negative = value < 0;
        result.limbs_mut()[limbs] = wide as u64;
        result.limbs_mut()[limbs + 1] = (wide >> 64) as u64;
        result.trimmed()
    }

    pub(super) fn sign(&self) -> Sign {
        match (self.len, self.negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.len == 0
    }

    pub(super) fn abs(mut self) -> Self {
        self.negative = false;
        self
    }

    /// The number as m · 2^e with |m| < 2^64, the rest of its bits cut off.
    pub(super) fn leading(&self) -> (f64, i64) {
        let Some(&last) = self.limbs().last() else { return (0.0, i64::MIN) };
        let below = if self.len > 1 { self.limbs()[self.len - 2] } else { 0 };
        let wide = u128::from(last) << 64 | u128::from(below);
        let zeros = wide.leading_zeros();
        let magnitude = ((wide << zeros) >> 64) as u64 as f64;
        let exponent = 64 * (self.len as i64 - 1) - i64::from(zeros);
        (if self.negative { -magnitude } else { magnitude }, exponent)
    }

    fn limbs(&self) -> &[u64] {
        if self.len > INLINE { &self.long } else { &self.inline[..self.len] }
    }

    fn limbs_mut(&mut self) -> &mut [u64] {
        if self.len > INLINE { &mut self.long } else { &mut self.inline[..self.len] }
    }

    /// Zeros to be written over; `trimmed` makes a number of them.
    fn with_len(len: usize) -> Self {
        let long = if len > INLINE { vec![0; len] } else { Vec::new() };
        Self { negative: false, len, inline: [0; INLINE], long }
    }

    fn trimmed(mut self) -> Self {
        let len = self.limbs().iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        if self.len > INLINE {
            self.long.truncate(len);
            if len <= INLINE {
                self.inline[..len].copy_from_slice(&self.long);
                self.long = Vec::new();
            }
        }
        self.len = len;
        self.negative &= len > 0;
        self
    }

    /// `a` + `b`, or `a` − `b` if `minus`.
    fn sum(a: &Self, b: &Self, minus: bool) -> Self {
        let b_negative = b.negative != minus;
        if a.negative == b_negative {
            let mut result = sum_of_magnitudes(a.limbs(), b.limbs());
            result.negative = a.negative;
            return result.trimmed();
        }
        let (mut result, negative) = match compare_magnitudes(a.limbs(), b.limbs()) {
            Ordering::Equal => return Self::ZERO,
            Ordering::Greater => (difference_of_magnitudes(a.limbs(), b.limbs()), a.negative),
            Ordering::Less => (difference_of_magnitudes(b.limbs(), a.limbs()), b_negative),
        };
        result.negative = negative;
        result.trimmed()
    }
}

fn compare_magnitudes(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum_of_magnitudes(a: &[u64], b: &[u64]) -> Int {
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
fn difference_of_magnitudes(a: &[u64], b: &[u64]) -> Int {
    let mut result = Int::with_len(a.len());
    let mut borrow = false;
    for (i, limb) in result.limbs_mut().iter_mut().enumerate() {
        let (difference, under) = a[i].overflowing_sub(b.get(i).copied().unwrap_or(0));
        let (difference, again) = difference.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (difference, under | again);
    }
    result
}

impl Add for &Int {
    type Output = Int;
    fn add(self, other: &Int) -> Int {
        Int::sum(self, other, false)
    }
}

impl Sub for &Int {
    type Output = Int;
    fn sub(self, other: &Int) -> Int {
        Int::sum(self, other, true)
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(mut self) -> Int {
        self.negative = !self.negative && self.len > 0;
        self
    }
}

impl Mul for &Int {
    type Output = Int;
    fn mul(self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        let (a, b) = (self.limbs(), other.limbs());
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
        result.trimmed()
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::{BigInt, Sign as BigSign};

    use super::*;

    fn big(value: &Int) -> BigInt {
        let digits: Vec<u32> = value.limbs().iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect();
        BigInt::from_slice(if value.negative { BigSign::Minus } else { BigSign::Plus }, &digits)
    }

    /// Numbers around the places where carries and lengths change.
    fn samples() -> Vec<Int> {
        let mut numbers: Vec<Int> = [0, 1, -1, 2, 3, i64::MAX, i64::MIN, 0x1234_5678_9abc_def0].map(Int::new).into();
        for shift in [1, 63, 64, 65, 127, 500, 64 * INLINE - 64, 64 * INLINE - 1, 64 * INLINE, 64 * INLINE + 70] {
            let power = Int::shifted(1, shift);
            numbers.extend([&power - &Int::new(1), &Int::new(-1) - &power, -Int::shifted(0xfff1, shift), power]);
        }
        numbers
    }

    #[test]
    fn sums_differences_and_products_are_those_of_another_library() {
        for a in &samples() {
            for b in &samples() {
                assert_eq!(big(&(a + b)), big(a) + big(b));
                assert_eq!(big(&(a - b)), big(a) - big(b));
                assert_eq!(big(&(a * b)), big(a) * big(b));
                // What was long and became short is short again.
                let back = &(a + b) - b;
                assert_eq!((back.len, back.long.is_empty()), (a.len, a.len <= INLINE));
            }
            assert_eq!(big(&-a.clone()), -big(a));
            let expected = [BigSign::Minus, BigSign::NoSign, BigSign::Plus][(a.sign() as i8 + 1) as usize];
            assert_eq!(big(a).sign(), expected);
        }
    }

    #[test]
    fn the_leading_bits_are_close_to_the_number() {
        for (value, shift) in [(1, 0), (-3, 10), (0x7fff_ffff_ffff_ffff, 64), (5, 900)] {
            let (mantissa, exponent) = Int::shifted(value, shift).leading();
            let expected = value as f64 * 2f64.powi(shift as i32);
            assert!((mantissa * 2f64.powi(exponent as i32) / expected - 1.0).abs() < 1e-15, "{value} {shift}");
        }
        assert_eq!(Int::ZERO.leading().0, 0.0);
    }
}
