//! Polynomials of time on whole numbers of any size, and their real roots between 0 and 1: slow and plain.
//!
//! Roots are isolated by Sturm's theorem and halving. A sign at a root is 0 if a common divisor vanishes there; else
//! the root is narrowed down until the other polynomial has no root beside it.

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign};

/// Coefficients, that of the constant first; the last one is not 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polynomial(Vec<BigInt>);

impl Polynomial {
    pub(crate) fn new(coefficients: Vec<BigInt>) -> Self {
        let mut result = Self(coefficients);
        while result.0.last().is_some_and(|c| c.sign() == Sign::NoSign) {
            result.0.pop();
        }
        result
    }

    /// What moves from `start` to `end`.
    pub(crate) fn linear(start: &BigInt, end: &BigInt) -> Self {
        Self::new(vec![start.clone(), end - start])
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The sign at `part` / 2^`level`.
    fn sign_at(&self, part: &BigInt, level: u64) -> i32 {
        let mut value = BigInt::ZERO;
        let mut shift = 0;
        for coefficient in self.0.iter().rev() {
            value = value * part + (coefficient << shift);
            shift += level;
        }
        sign_of(&value)
    }

    /// The sign from `part` to `part` + 1 over 2^`level`, if the Bernstein coefficients show it.
    fn sign_between(&self, part: &BigInt, level: u64) -> Option<i32> {
        // In y with x = (part + y) / 2^level, times a power of two: Taylor's shift by Horner's rule.
        let degree = self.0.len() - 1;
        let mut shifted: Vec<BigInt> =
            self.0.iter().enumerate().map(|(i, c)| c << (level * (degree - i) as u64)).collect();
        for i in 0..degree {
            for j in (i..degree).rev() {
                let next = &shifted[j + 1] * part;
                shifted[j] += next;
            }
        }
        // Coefficient k is the sum over i ≤ k of binomial(k, i) / binomial(degree, i) of the powers' coefficients; the
        // quotient is binomial(degree − i, k − i) / binomial(degree, k).
        let mut sign = None;
        for k in 0..=degree {
            let value: BigInt = (0..=k).map(|i| &shifted[i] * binomial(degree - i, k - i)).sum();
            let own = sign_of(&value);
            if own == 0 || sign.is_some_and(|sign| sign != own) {
                return None;
            }
            sign = Some(own);
        }
        sign
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * BigInt::from(i)).collect())
    }

    /// The remainder by `divisor` times a positive number.
    fn remainder(&self, divisor: &Self) -> Self {
        let leading = divisor.0.last().expect("the divisor is not 0");
        let size = BigInt::from(leading.magnitude().clone());
        let mut result = self.clone();
        while result.0.len() >= divisor.0.len() {
            let shift = result.0.len() - divisor.0.len();
            let factor = result.0.pop().expect("it is as long as the divisor") * sign_of(leading);
            for c in &mut result.0 {
                *c = &*c * &size;
            }
            for (i, c) in divisor.0[..divisor.0.len() - 1].iter().enumerate() {
                result.0[i + shift] -= &factor * c;
            }
            result = Self::new(result.0).primitive();
        }
        result
    }

    /// Divided by a power of two, which keeps numbers short.
    fn primitive(self) -> Self {
        let zeros = self.0.iter().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
        Self(self.0.into_iter().map(|c| c >> zeros).collect())
    }

    /// The signed remainder sequence of `self` and `other`.
    fn sequence(&self, other: &Self) -> Vec<Self> {
        let mut sequence = vec![self.clone(), other.clone()];
        while let [.., before, last] = &sequence[..]
            && !last.is_zero()
        {
            let next = -&before.remainder(last);
            sequence.push(next);
        }
        sequence.pop();
        sequence
    }

    /// Divided by 2^`level` x − `part` as often as that vanishes.
    fn without_root(mut self, part: &BigInt, level: u64) -> Self {
        while !self.is_zero() && self.sign_at(part, level) == 0 {
            // From the highest power down: aᵢ = 2^level bᵢ₋₁ − part bᵢ, divided without remainder (Gauss's lemma).
            let mut quotient = vec![BigInt::ZERO; self.0.len() - 1];
            let mut above = BigInt::ZERO;
            for i in (1..self.0.len()).rev() {
                above = (&self.0[i] + part * above) >> level;
                quotient[i - 1] = above.clone();
            }
            self = Self::new(quotient);
        }
        self
    }
}

fn binomial(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |value, i| value * (n as u64 - i) / (i + 1))
}

fn sign_of(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// Distinct roots strictly between two places, none of which is a root of the sequence's first polynomial.
fn count_between(sequence: &[Polynomial], places: [&BigInt; 2], level: u64) -> i32 {
    let [from, to] = places.map(|place| {
        let (mut changes, mut last) = (0, 0);
        for sign in sequence.iter().map(|polynomial| polynomial.sign_at(place, level)).filter(|&sign| sign != 0) {
            changes += i32::from(sign == -last);
            last = sign;
        }
        changes
    });
    from - to
}

/// A time from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) enum Time {
    /// `part` / 2^`level`.
    Dyadic { part: BigInt, level: u64 },
    /// The only root of a polynomial (the first of `sturm`) strictly between `part` and `part` + 1 over 2^`level`.
    Root { sturm: Vec<Polynomial>, part: BigInt, level: u64 },
}

impl Time {
    pub(crate) fn start() -> Self {
        Self::Dyadic { part: BigInt::ZERO, level: 0 }
    }

    /// The sign of a polynomial at this time. May narrow the time down.
    pub(crate) fn sign(&mut self, other: &Polynomial) -> i32 {
        if other.is_zero() {
            return 0;
        }
        let mut may_vanish = true;
        loop {
            match self {
                Self::Dyadic { part, level } => return other.sign_at(part, *level),
                Self::Root { sturm, part, level } => {
                    if let Some(sign) = other.sign_between(part, *level) {
                        return sign;
                    }
                    // Not at once, since it is slow and seldom so.
                    if may_vanish && *level >= 64 {
                        let common = sturm[0].sequence(other).pop().expect("a sequence has members");
                        let sequence = common.sequence(&common.derivative());
                        // A divisor of the polynomial does not vanish at the ends either.
                        if count_between(&sequence, [part, &(&*part + 1)], *level) > 0 {
                            return 0;
                        }
                        may_vanish = false;
                    }
                }
            }
            self.narrow();
        }
    }

    fn narrow(&mut self) {
        let Self::Root { sturm, part, level } = self else { return };
        let middle: BigInt = 2 * &*part + 1;
        if sturm[0].sign_at(&middle, *level + 1) == 0 {
            *self = Self::Dyadic { part: middle, level: *level + 1 };
            return;
        }
        let signs = [0, 1].map(|i| sturm[0].sign_at(&(&*part + i), *level));
        (*part, *level) = (2 * &*part, *level + 1);
        let is_later = if signs[0] != signs[1] {
            sturm[0].sign_at(&middle, *level) == signs[0]
        } else {
            count_between(sturm, [part, &middle], *level) == 0
        };
        if is_later {
            *part = middle;
        }
    }

    /// The time rounded down and up to multiples of 2^-32.
    pub(crate) fn on_grid(mut self) -> [f64; 2] {
        loop {
            let number = |part: &BigInt| u64::try_from(part).expect("a time is not negative") as f64 / 2f64.powi(32);
            match &self {
                Self::Dyadic { part, level } if *level <= 32 => return [number(&(part << (32 - level))); 2],
                Self::Dyadic { part, level } => {
                    let lower: BigInt = part >> (level - 32);
                    let exact = &lower << (level - 32) == *part;
                    return [number(&lower), number(&(lower + i32::from(!exact)))];
                }
                Self::Root { part, level, .. } if *level >= 32 => {
                    let lower: BigInt = part >> (level - 32);
                    return [number(&lower), number(&(lower + 1))];
                }
                Self::Root { .. } => self.narrow(),
            }
        }
    }
}

/// The roots from 0 to 1, in order; none for the polynomial 0.
pub(crate) fn roots(polynomial: &Polynomial) -> Vec<Time> {
    let mut found = Vec::new();
    if polynomial.is_zero() {
        return found;
    }
    let [start, end] = [BigInt::ZERO, BigInt::from(1)];
    let inner = polynomial.clone().without_root(&start, 0).without_root(&end, 0);
    if polynomial.sign_at(&start, 0) == 0 {
        found.push(Time::start());
    }
    inner_roots(&inner, &start, 0, &mut found);
    if polynomial.sign_at(&end, 0) == 0 {
        found.push(Time::Dyadic { part: end, level: 0 });
    }
    found
}

/// Roots strictly inside a piece at whose ends the polynomial is not 0.
fn inner_roots(polynomial: &Polynomial, part: &BigInt, level: u64, found: &mut Vec<Time>) {
    let sturm = polynomial.sequence(&polynomial.derivative());
    match count_between(&sturm, [part, &(part + 1)], level) {
        0 => {}
        1 => found.push(Time::Root { sturm, part: part.clone(), level }),
        _ => {
            let middle: BigInt = 2 * part + 1;
            let rest = polynomial.clone().without_root(&middle, level + 1);
            inner_roots(&rest, &(2 * part), level + 1, found);
            if rest != *polynomial {
                found.push(Time::Dyadic { part: middle.clone(), level: level + 1 });
            }
            inner_roots(&rest, &middle, level + 1, found);
        }
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        let at = |p: &Polynomial, i: usize| p.0.get(i).cloned().unwrap_or_default();
        Polynomial::new((0..self.0.len().max(other.0.len())).map(|i| at(self, i) + at(other, i)).collect())
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        Polynomial(self.0.iter().map(|c| -c).collect())
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        self + &-other
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: &Polynomial) -> Polynomial {
        let mut result = vec![BigInt::ZERO; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, x) in self.0.iter().enumerate() {
            for (j, y) in other.0.iter().enumerate() {
                result[i + j] += x * y;
            }
        }
        Polynomial::new(result)
    }
}
