//! Along a column: crossings, the spans between them that are inside, and what two lists of spans have in common.
//!
//! Crossings at one depth are taken together: what counts is whether the ray is inside before and after them. Two parts
//! of a body that touch thus make one span, and a fold without thickness makes none.

use super::InsideRule;
use super::columns::{depth, is_exit, same_depth};

/// Which way a ray crosses a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrossingKind {
    /// Into the body, as its triangles are turned.
    Entry,
    /// Out of it.
    Exit,
}

/// Where the ray of a column meets the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Distance from the near plane.
    pub depth: f64,
    /// Into the body or out of it.
    pub kind: CrossingKind,
}

/// A stretch of a column from where it enters something to where it leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl Span {
    /// How long it is.
    #[inline]
    pub fn length(&self) -> f64 {
        self.high - self.low
    }
}

/// The sorted crossings of one sample's ray.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    pub(super) keys: &'a [u64],
    pub(super) far: f64,
    pub(super) rule: InsideRule,
}

impl<'a> Column<'a> {
    /// How many times the ray crosses the surface before the far plane.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the ray meets nothing.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The crossings, nearest first; at one depth entries first.
    pub fn crossings(&self) -> impl ExactSizeIterator<Item = Crossing> + use<'a> {
        self.keys.iter().map(|&key| Crossing {
            depth: depth(key),
            kind: if is_exit(key) { CrossingKind::Exit } else { CrossingKind::Entry },
        })
    }

    /// What lies inside, by depth, nearest first. A span still open at the far plane ends there.
    pub fn spans(&self) -> Spans<'a> {
        Spans { keys: self.keys, far: self.far, rule: self.rule }
    }
}

/// The spans of a column that lie inside a body.
#[derive(Clone, Debug)]
pub struct Spans<'a> {
    keys: &'a [u64],
    far: f64,
    rule: InsideRule,
}

impl Iterator for Spans<'_> {
    type Item = Span;

    #[inline]
    fn next(&mut self) -> Option<Span> {
        // Between spans the ray is outside, so counting may start again at each.
        let (mut entries, mut exits) = (0, 0);
        let mut low = None;
        while let [first, ..] = *self.keys {
            while let [key, ref rest @ ..] = *self.keys
                && same_depth(key, first)
            {
                exits += u32::from(is_exit(key));
                entries += u32::from(!is_exit(key));
                self.keys = rest;
            }
            match (low, self.rule.holds(entries, exits)) {
                (None, true) => low = Some(depth(first)),
                (Some(low), false) => return Some(Span { low, high: depth(first) }),
                _ => {}
            }
        }
        low.filter(|&low| low < self.far).map(|low| Span { low, high: self.far })
    }
}

/// What to make of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Operation {
    /// What is inside both.
    #[default]
    Intersection,
    /// What is inside either.
    Union,
    /// What is inside `a` but not `b`.
    Difference,
}

/// Combines two sorted lists of spans and hands the result on in order; ends at the first `false` from `emit`.
///
/// ```text
/// a          ├────┤     ├──────┤
/// b             ├────┤    ├─┤
///            ├──┤              ├─ … events, in order; after each, whether either is inside is known
/// ```
#[inline]
pub(super) fn combine(operation: Operation, a: &[Span], b: &[Span], mut emit: impl FnMut(Span) -> bool) {
    if operation == Operation::Intersection {
        return intersect(a, b, emit);
    }
    let wanted = |in_a: bool, in_b: bool| match operation {
        Operation::Intersection => in_a && in_b,
        Operation::Union => in_a || in_b,
        Operation::Difference => in_a && !in_b,
    };
    // Even indices are beginnings, odd ones ends.
    let end_at = |spans: &[Span], at: usize| match spans.get(at / 2) {
        None => f64::INFINITY,
        Some(span) if at.is_multiple_of(2) => span.low,
        Some(span) => span.high,
    };
    let (mut at_a, mut at_b) = (0, 0);
    let mut low = None;
    while at_a < 2 * a.len() || at_b < 2 * b.len() {
        let here = end_at(a, at_a).min(end_at(b, at_b));
        while end_at(a, at_a) == here {
            at_a += 1;
        }
        while end_at(b, at_b) == here {
            at_b += 1;
        }
        match (low, wanted(at_a % 2 == 1, at_b % 2 == 1)) {
            (None, true) => low = Some(here),
            (Some(begin), false) => {
                low = None;
                if !emit(Span { low: begin, high: here }) {
                    return;
                }
            }
            _ => {}
        }
    }
}

#[inline]
fn intersect(mut a: &[Span], mut b: &[Span], mut emit: impl FnMut(Span) -> bool) {
    while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b) {
        let span = Span { low: first_a.low.max(first_b.low), high: first_a.high.min(first_b.high) };
        if span.low < span.high && !emit(span) {
            return;
        }
        if first_a.high < first_b.high {
            a = rest_a;
        } else {
            b = rest_b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::key;
    use super::*;

    fn spans(keys: &[(f64, bool)], rule: InsideRule) -> Vec<(f64, f64)> {
        let mut keys: Vec<u64> = keys.iter().map(|&(depth, exit)| key(depth, exit)).collect();
        keys.sort_unstable();
        Column { keys: &keys, far: 10.0, rule }.spans().map(|span| (span.low, span.high)).collect()
    }

    #[test]
    fn a_span_open_at_the_far_plane_closes_on_it() {
        use InsideRule::WindingNumber as Rule;
        assert_eq!(spans(&[(1.0, false), (2.0, true), (4.0, false)], Rule), [(1.0, 2.0), (4.0, 10.0)]);
        assert_eq!(spans(&[(10.0, false)], Rule), []);
        assert_eq!(spans(&[], Rule), []);
    }

    #[test]
    fn where_a_body_overlaps_itself_the_two_rules_differ() {
        let overlapping = [(1.0, false), (2.0, false), (3.0, true), (4.0, true)];
        assert_eq!(spans(&overlapping, InsideRule::WindingNumber), [(1.0, 4.0)]);
        assert_eq!(spans(&overlapping, InsideRule::Parity), [(1.0, 2.0), (3.0, 4.0)]);
    }

    #[test]
    fn an_inside_out_body_has_the_same_spans_and_touching_parts_are_one() {
        let touching = [(1.0, true), (2.0, false), (2.0, true), (3.0, false), (5.0, false), (5.0, true)];
        for rule in [InsideRule::WindingNumber, InsideRule::Parity] {
            assert_eq!(spans(&touching, rule), [(1.0, 3.0)]);
        }
    }

    #[test]
    fn the_three_operations_agree_with_membership_point_by_point() {
        // Every pair of sets of unit cells out of six, as lists of spans.
        let list = |cells: u32| -> Vec<Span> {
            let mut list: Vec<Span> = Vec::new();
            for k in (0..6).filter(|k| cells >> k & 1 == 1) {
                let (low, high) = (f64::from(k), f64::from(k + 1));
                match list.last_mut() {
                    Some(last) if last.high == low => last.high = high,
                    _ => list.push(Span { low, high }),
                }
            }
            list
        };
        for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
            for (operation, cells) in
                [(Operation::Intersection, a & b), (Operation::Union, a | b), (Operation::Difference, a & !b)]
            {
                let mut found = Vec::new();
                combine(operation, &list(a), &list(b), |span| {
                    found.push(span);
                    true
                });
                assert_eq!(found, list(cells), "{operation:?} of {a:06b} and {b:06b}");
            }
        }
    }
}
