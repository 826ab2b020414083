//! Polynomials of time with whole coefficients, their values and their remainders.
//!
//! What moves linearly from a (time 0) to b (time 1) is at time τ in the ratio s a + t b, with s : t = 1 − τ : τ. A
//! product of n such is a *form*, Σ cᵢ s^(n−i) t^i; its coefficients are sums of products of coordinates, without
//! a division. A time is a [`TimeRatio`] (s, t) with s, t ≥ 0, whole numbers not both 0; a positive factor changes nothing.
//! With x = t / s, from 0 (the start) to ∞ (the end), a form is the polynomial Σ cᵢ xⁱ, on which the theorems of
//! Descartes and Sturm are used.

use super::super::Sign;
use super::integers::{Int, SHORT, Short};

/// A time between 0 and 1 as the ratio s : t of what is still to come and what has gone by.
#[derive(Clone)]
pub(super) struct TimeRatio<const N: usize> {
    pub(super) s: Int<N>,
    pub(super) t: Int<N>,
}

impl<const N: usize> TimeRatio<N> {
    pub(super) fn start() -> Self {
        Self { s: Int::new(1), t: Int::ZERO }
    }

    pub(super) fn end() -> Self {
        Self { s: Int::ZERO, t: Int::new(1) }
    }

    /// The time `part` / 2^`level`.
    pub(super) fn dyadic(part: u64, level: u32) -> Self {
        Self { s: Int::new(((1u64 << level) - part) as i64), t: Int::new(part as i64) }
    }

    /// The same time with room for other lengths.
    pub(super) fn resized<const M: usize>(&self) -> TimeRatio<M> {
        TimeRatio { s: self.s.resized(), t: self.t.resized() }
    }

    /// The end, with the same sum of s and t as `self`.
    pub(super) fn end_alike(&self) -> Self {
        Self { s: Int::ZERO, t: &self.s + &self.t }
    }

    /// The same time, as a ratio of numbers twice as large.
    pub(super) fn doubled(&self) -> Self {
        Self { s: &self.s + &self.s, t: &self.t + &self.t }
    }

    /// Half-way between two times with the same sum of s and t; all three have the same sum then.
    pub(super) fn halve(a: &mut Self, b: &mut Self) -> Self {
        let middle = Self { s: &a.s + &b.s, t: &a.t + &b.t };
        (*a, *b) = (a.doubled(), b.doubled());
        middle
    }
}

/// What moves from one number to another.
pub(super) type Linear = [Short; 2];
pub(super) type Quadratic = [Short; 3];
pub(super) type Cubic = [Short; 4];

/// `a` − `b`.
pub(super) fn difference<const N: usize>(a: &[Short; N], b: &[Short; N]) -> [Short; N] {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// `a` + `b`.
pub(super) fn sum<const N: usize>(a: &[Short; N], b: &[Short; N]) -> [Short; N] {
    std::array::from_fn(|i| &a[i] + &b[i])
}

/// `a` `d` − `b` `c`.
pub(super) fn determinant(a: &Linear, b: &Linear, c: &Linear, d: &Linear) -> Quadratic {
    let minor = |i: usize, j: usize| &(&a[i] * &d[j]) - &(&b[i] * &c[j]);
    [minor(0, 0), &minor(0, 1) + &minor(1, 0), minor(1, 1)]
}

pub(super) fn product(a: &Quadratic, b: &Linear) -> Cubic {
    let inner = |i: usize| &(&a[i] * &b[1]) + &(&a[i + 1] * &b[0]);
    [&a[0] * &b[0], inner(0), inner(1), &a[2] * &b[1]]
}

pub(super) fn is_zero(form: &[Short]) -> bool {
    form.iter().all(Short::is_zero)
}

/// Bits of the largest coefficient.
pub(super) fn bits(form: &[Short]) -> usize {
    form.iter().map(Short::bits).max().unwrap_or(0)
}

/// The value of a linear form at a time, times a positive number that depends on the time alone.
pub(super) fn value_at(form: &Linear, time: &TimeRatio<SHORT>) -> Short {
    match (time.s.is_zero(), time.t.is_zero()) {
        (_, true) => form[0].clone(),
        (true, _) => form[1].clone(),
        _ => &(&form[0] * &time.s) + &(&form[1] * &time.t),
    }
}

/// The sign of a form at a time.
pub(super) fn sign_at<const N: usize>(form: &[Int<N>], time: &TimeRatio<N>) -> Sign {
    let [first, .., last] = form else { return form.first().map_or(Sign::Zero, Int::sign) };
    if time.t.is_zero() {
        return first.sign();
    }
    if time.s.is_zero() {
        return last.sign();
    }
    let mut value = last.clone();
    let mut power = time.s.clone();
    for (i, coefficient) in form.iter().enumerate().rev().skip(1) {
        value = &(&value * &time.t) + &(coefficient * &power);
        if i > 0 {
            power = &power * &time.s;
        }
    }
    value.sign()
}

/// The sign of a form everywhere between start and end, both left out, if its coefficients show it.
pub(super) fn sign_throughout(form: &[Short]) -> Option<Sign> {
    let mut sign = Sign::Zero;
    for coefficient in form {
        match coefficient.sign() {
            Sign::Zero => {}
            other if sign == Sign::Zero || sign == other => sign = other,
            _ => return None,
        }
    }
    Some(sign)
}

/// A polynomial of degree at most 3; the coefficient of its highest power is not 0.
#[derive(Clone)]
pub(super) struct Polynomial<const N: usize> {
    len: usize,
    coefficients: [Int<N>; 4],
}

impl<const N: usize> Polynomial<N> {
    pub(super) fn new(coefficients: &[Short]) -> Self {
        let mut result = Self { len: coefficients.len(), coefficients: [const { Int::ZERO }; 4] };
        for (long, short) in result.coefficients.iter_mut().zip(coefficients) {
            *long = short.resized();
        }
        result.trimmed()
    }

    pub(super) fn coefficients(&self) -> &[Int<N>] {
        &self.coefficients[..self.len]
    }

    pub(super) fn derivative(&self) -> Self {
        let mut result = Self { len: self.len.saturating_sub(1), coefficients: [const { Int::ZERO }; 4] };
        for i in 1..self.len {
            result.coefficients[i - 1] = &self.coefficients[i] * &Int::new(i as i64);
        }
        result
    }

    fn trimmed(mut self) -> Self {
        while self.len > 0 && self.coefficients[self.len - 1].is_zero() {
            self.len -= 1;
        }
        self
    }

    /// The remainder of `self` by `divisor`, which is not constant, times a negative number.
    fn opposite_remainder(&self, divisor: &Self) -> Self {
        let (leading, rest) = divisor.coefficients().split_last().expect("it is not constant");
        let factor = leading.clone().abs();
        let negative = leading.sign() == Sign::Negative;
        let mut result = self.clone();
        while result.len >= divisor.len {
            // Times |leading|, less as much of the divisor as takes the highest power away.
            let shift = result.len - divisor.len;
            let highest = result.coefficients[result.len - 1].clone();
            let highest = if negative { -highest } else { highest };
            for i in 0..result.len - 1 {
                result.coefficients[i] = &result.coefficients[i] * &factor;
                if i >= shift {
                    result.coefficients[i] = &result.coefficients[i] - &(&highest * &rest[i - shift]);
                }
            }
            result.len -= 1;
            result = result.trimmed();
        }
        for coefficient in &mut result.coefficients[..result.len] {
            *coefficient = -std::mem::replace(coefficient, Int::ZERO);
        }
        result
    }
}

/// Visits the signed remainder sequence of `first` and `second`: each polynomial is the remainder of the two before it,
/// times a negative number. The last one is a common divisor.
pub(super) fn remainder_sequence<const N: usize>(
    first: Polynomial<N>,
    second: Polynomial<N>,
    mut visit: impl FnMut(&Polynomial<N>),
) {
    let (mut before, mut now) = (first, second);
    visit(&before);
    while now.len > 0 {
        visit(&now);
        if now.len == 1 {
            break;
        }
        let next = before.opposite_remainder(&now);
        (before, now) = (now, next);
    }
}

/// Counts how often the sign changes along a sequence, zeros left out.
#[derive(Clone, Copy)]
pub(super) struct Changes {
    last: Sign,
    pub(super) count: i32,
}

impl Changes {
    pub(super) fn new() -> Self {
        Self { last: Sign::Zero, count: 0 }
    }

    pub(super) fn add(&mut self, sign: Sign) {
        if sign != Sign::Zero {
            self.count += i32::from(self.last == sign.opposite());
            self.last = sign;
        }
    }
}
