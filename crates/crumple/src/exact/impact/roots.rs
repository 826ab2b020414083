//! The times at which a form vanishes, in order, and the signs of other forms at these times: all exact.
//!
//! A form with its factors s and t taken out is a polynomial f of x, 0 < x < ∞, that is not 0 at either end.
//!
//! - *How many roots.* No change of sign among the coefficients: none; one: one, and it is simple (Descartes).
//!   Otherwise the signed remainder sequence of f and f′ counts the distinct roots (Sturm).
//! - *Multiple roots* are those of the last polynomial of that sequence. The degree of f is at most 3, so f has one
//!   multiple root at most; it is rational, and so is the simple root beside it.
//! - *Simple roots* are kept as an interval with exactly one root, f having opposite signs at its ends: found by
//!   halving with Sturm's count, or at once at the extremum of a quadratic.
//! - *The sign of another form g at a simple root r* between times p and q. By Sylvester's theorem the changes of sign
//!   of the signed remainder sequence of f and g at p less those at q are the sum of sign(f′(r) g(r)) over the roots r
//!   between them: here one root, at which f′ has the sign of f(q).
//!
//! Size: with B bits per linear form, f has 3 B and g has 2 B bits (some bits for sums apart); the remainders of f by g
//! and g by that have 7 B and 16 B.
//! Cost: one to two microseconds for a sign at a root that the coefficients do not show, at f64 numbers of one size.

use std::cmp::Ordering;

use super::super::Sign;
use super::ImpactTime;
use super::forms::{Changes, Polynomial, TimeRatio, bits, remainder_sequence, sign_at, sign_throughout};
use super::integers::{Int, LONG, Long, SHORT, Short};

/// Grid on which times are reported: multiples of 2^-32.
pub(super) const GRID_LEVEL: u32 = 32;

/// A time at which a form vanishes.
pub(super) enum Root<'a> {
    /// A rational time.
    At(&'a TimeRatio<SHORT>),
    /// The only root of `form`, a simple one, strictly between two times; at `after` the form has the sign
    /// `sign_after`.
    Between { form: &'a [Short], before: &'a TimeRatio<SHORT>, after: &'a TimeRatio<SHORT>, sign_after: Sign },
}

impl Root<'_> {
    /// The sign of another form at this time.
    pub(super) fn sign(&self, other: &[Short]) -> Sign {
        let (form, before, after, sign_after) = match self {
            Self::At(time) => return sign_at(other, time),
            Self::Between { form, before, after, sign_after } => (form, before, after, *sign_after),
        };
        if let Some(sign) = sign_throughout(other) {
            return sign;
        }
        // The last remainder, of g by that of f by g, is the longest; or the value of the one before at a time. A limb
        // more for the product of two numbers that do not fill theirs.
        let longest_time = [&before.s, &before.t, &after.s, &after.t].into_iter().map(Short::bits).max().unwrap_or(0);
        let longest = 2 * bits(form) + 5 * bits(other) + 3 * longest_time + 64;
        let changes = if longest <= 64 * SHORT {
            lost_changes::<SHORT>(form, other, before, after)
        } else {
            lost_changes::<LONG>(form, other, before, after)
        };
        match changes.cmp(&0) {
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => sign_after,
            Ordering::Less => sign_after.opposite(),
        }
    }

    /// How this time compares with `part` / 2^32, which is after the start.
    fn compare(&self, part: u64) -> Ordering {
        let (form, before, after, sign_after) = match self {
            Self::At(time) => return compare_with_grid(time, part),
            Self::Between { form, before, after, sign_after } => (form, before, after, *sign_after),
        };
        if !before.t.is_zero() && compare_with_grid(before, part).is_ge() {
            return Ordering::Greater;
        }
        if !after.s.is_zero() && compare_with_grid(after, part).is_le() {
            return Ordering::Less;
        }
        match sign_at(form, &TimeRatio::dyadic(part, GRID_LEVEL)) {
            Sign::Zero => Ordering::Equal,
            sign if sign == sign_after => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// The time, which is after the start, to the grid: its own value if it is a multiple of 2^-32, else the multiples
    /// around it.
    fn time(&self) -> ImpactTime {
        const END: u64 = 1 << GRID_LEVEL;
        // The time is after `low` and before `high`, found from the guess by steps that double, then by halving. A good
        // guess needs two comparisons.
        let guess = ((self.guess() * END as f64) as u64).min(END);
        let (mut low, mut high, mut step) = (0, END + 1, 1);
        let mut part = guess.max(1);
        while high - low > 1 {
            match self.compare(part) {
                Ordering::Equal => return ImpactTime::of_cell(part, false),
                Ordering::Less => high = part,
                Ordering::Greater => low = part,
            }
            part = if high > END {
                (low + step).min(END)
            } else if low == 0 {
                high.saturating_sub(step).max(1)
            } else {
                low + (high - low) / 2
            };
            step *= 2;
        }
        ImpactTime::of_cell(low, true)
    }

    /// Roughly the time, for a start; it may be wrong.
    fn guess(&self) -> f64 {
        let (form, before, after, sign_after) = match self {
            Self::At(time) => return rough(time),
            Self::Between { form, before, after, sign_after } => (form, before, after, *sign_after),
        };
        let mut values = [0.0; 4];
        let exponent = form.iter().map(|coefficient| coefficient.leading().1).max().unwrap_or(0);
        for (value, coefficient) in values.iter_mut().zip(*form) {
            let (mantissa, own) = coefficient.leading();
            *value = mantissa * 2f64.powi(own.saturating_sub(exponent).max(-2000) as i32);
        }
        let degree = form.len() - 1;
        let (mut low, mut high) = (rough(before), rough(after));
        for _ in 0..40 {
            let t = 0.5 * (low + high);
            let s = 1.0 - t;
            let mut value = values[degree];
            let mut power = s;
            for i in (0..degree).rev() {
                value = value * t + values[i] * power;
                power *= s;
            }
            if Sign::of(value) == sign_after { high = t } else { low = t }
        }
        0.5 * (low + high)
    }
}

/// How many more changes of sign the remainder sequence of two forms has at one time than at another.
fn lost_changes<const N: usize>(
    form: &[Short],
    other: &[Short],
    before: &TimeRatio<SHORT>,
    after: &TimeRatio<SHORT>,
) -> i32 {
    let (before, after) = (before.resized(), after.resized());
    let [mut changes_before, mut changes_after] = [Changes::new(); 2];
    remainder_sequence::<N>(Polynomial::new(form), Polynomial::new(other), |polynomial| {
        changes_before.add(sign_at(polynomial.coefficients(), &before));
        changes_after.add(sign_at(polynomial.coefficients(), &after));
    });
    changes_before.count - changes_after.count
}

/// The first time after the start, the end included, at which `form` vanishes and `holds` is true.
///
/// The form is not identically 0 and of degree 3 at most.
pub(super) fn first_root(form: &[Short], mut holds: impl FnMut(&Root<'_>) -> bool) -> Option<ImpactTime> {
    let inner = without_end_roots(form);
    let mut found = None;
    visit_inner_roots(inner, |root| {
        if holds(root) {
            found = Some(root.time());
        }
        found.is_some()
    });
    if found.is_none() && form.last().is_some_and(Short::is_zero) {
        let end = TimeRatio::end();
        let end = Root::At(&end);
        if holds(&end) {
            found = Some(end.time());
        }
    }
    found
}

/// The form divided by its factors s and t.
fn without_end_roots(form: &[Short]) -> &[Short] {
    let first = form.iter().position(|coefficient| !coefficient.is_zero()).unwrap_or(0);
    let last = form.iter().rposition(|coefficient| !coefficient.is_zero()).unwrap_or(0);
    &form[first..=last]
}

/// Visits the roots strictly between start and end, in order, until `visit` returns true. The outer coefficients are
/// not 0.
fn visit_inner_roots(form: &[Short], mut visit: impl FnMut(&Root<'_>) -> bool) {
    let mut changes = Changes::new();
    form.iter().for_each(|coefficient| changes.add(coefficient.sign()));
    if changes.count == 0 {
        return;
    }
    if changes.count == 1 {
        visit(&between(form, &TimeRatio::start(), &TimeRatio::end()));
        return;
    }
    let polynomial = Polynomial::<LONG>::new(form);
    let derivative = polynomial.derivative();
    let mut sequence: [Option<Polynomial<LONG>>; 4] = [const { None }; 4];
    let mut len = 0;
    remainder_sequence(polynomial, derivative, |polynomial| {
        sequence[len] = Some(polynomial.clone());
        len += 1;
    });
    let common = sequence[len - 1].as_ref().expect("the sequence has two members at least").coefficients();
    if common.len() > 1 {
        let long_form: [Long; 4] = std::array::from_fn(|i| form.get(i).map_or(Long::ZERO, Int::resized));
        for time in rational_roots(&long_form[..form.len()], common).into_iter().flatten() {
            if visit(&Root::At(&time)) {
                return;
            }
        }
        return;
    }
    let roots_before = |time: &TimeRatio<SHORT>| {
        let time = time.resized();
        let [mut from, mut to] = [Changes::new(); 2];
        for polynomial in sequence.iter().flatten() {
            from.add(sign_at(polynomial.coefficients(), &TimeRatio::start()));
            to.add(sign_at(polynomial.coefficients(), &time));
        }
        from.count - to.count
    };
    let count = roots_before(&TimeRatio::end());
    // The extremum of a quadratic lies between its roots; its value there has three times the bits.
    let extremum = (form.len() == 3 && 3 * bits(form) + 64 <= 64 * SHORT)
        .then(|| TimeRatio { s: (&form[2] + &form[2]).abs(), t: form[1].clone().abs() });
    let mut before = TimeRatio::start();
    for number in 1..=count {
        // The interval from `before` that holds root `number` alone: its end moves down until no later root is left.
        let (mut low, mut after) = (before.clone(), before.end_alike());
        let mut roots_up_to_after = count;
        while roots_up_to_after > number {
            let middle = if let Some(extremum) = &extremum {
                extremum.clone()
            } else {
                let mut middle = TimeRatio::halve(&mut low, &mut after);
                // Not on a root, so that the signs on both sides tell.
                while sign_at(form, &middle) == Sign::Zero {
                    after = after.doubled();
                    middle = TimeRatio::halve(&mut low, &mut middle);
                }
                middle
            };
            match roots_before(&middle) {
                found if found >= number => (after, roots_up_to_after) = (middle, found),
                _ => low = middle,
            }
        }
        if visit(&between(form, &before, &after)) {
            return;
        }
        before = after;
    }
}

/// The only root of a form between two times.
fn between<'a>(form: &'a [Short], before: &'a TimeRatio<SHORT>, after: &'a TimeRatio<SHORT>) -> Root<'a> {
    Root::Between { form, before, after, sign_after: sign_at(form, after) }
}

/// The roots after the start of a form that shares the factor `common`, of degree 1 or 2, with its derivative: in
/// order.
fn rational_roots(form: &[Long], common: &[Long]) -> [Option<TimeRatio<SHORT>>; 2] {
    let degree = form.len() - 1;
    // The time of −numerator / denominator, if it is after the start.
    let time = |numerator: &Long, denominator: &Long| {
        let positive = numerator.sign() == denominator.sign().opposite() && !numerator.is_zero();
        positive.then(|| TimeRatio { s: denominator.resized().abs(), t: numerator.resized().abs() })
    };
    if common.len() == 3 {
        // c (x − r)³: the sum of the roots, −c₂ / c₃, is 3 r.
        return [time(&form[2], &(&Long::new(3) * &form[3])), None];
    }
    let double = time(&common[0], &common[1]);
    if degree == 2 {
        return [double, None];
    }
    // The other root is −c₂ / c₃ − 2 r with r = −g₀ / g₁.
    let twice = &Long::new(2) * &(&form[3] * &common[0]);
    let simple = time(&(&(&form[2] * &common[1]) - &twice), &(&form[3] * &common[1]));
    match (&double, &simple) {
        (Some(first), Some(second)) if (&(&first.t * &second.s) - &(&second.t * &first.s)).sign() == Sign::Positive => {
            [simple, double]
        }
        _ => [double, simple],
    }
}

/// How a time compares with `part` / 2^32.
fn compare_with_grid(time: &TimeRatio<SHORT>, part: u64) -> Ordering {
    let scaled = &time.t * &Short::new(1 << GRID_LEVEL);
    match (&scaled - &(&(&time.s + &time.t) * &Short::new(part as i64))).sign() {
        Sign::Negative => Ordering::Less,
        Sign::Zero => Ordering::Equal,
        Sign::Positive => Ordering::Greater,
    }
}

/// A time, roughly.
fn rough(time: &TimeRatio<SHORT>) -> f64 {
    let ((t, exponent), (whole, exponent_of_whole)) = (time.t.leading(), (&time.s + &time.t).leading());
    t / whole * 2f64.powi(exponent.saturating_sub(exponent_of_whole).max(-2000) as i32)
}
