//! Puts pairs in order.
//!
//! Thousands of pairs of two small numbers: sorting by digits takes a fifth of the instructions of sorting by
//! comparison (LE1, last frame). Only the digits that occur are looked at. Few pairs are sorted by comparison.

use super::TrianglePair;

/// Below this many pairs, the tables of digits cost more than they save.
const FEW: usize = 256;
const DIGITS: usize = 256;

/// Sorts `pairs`; `spare` is working memory.
pub(crate) fn sort_pairs(pairs: &mut [TrianglePair], spare: &mut Vec<TrianglePair>) {
    if pairs.len() < FEW {
        pairs.sort_unstable();
        return;
    }
    spare.clear();
    spare.extend_from_slice(pairs);
    let (all_a, all_b) = pairs.iter().fold((0, 0), |(a, b), pair| (a | pair.a.0, b | pair.b.0));
    let mut in_spare = true;
    for (all, of_b) in [(all_b, true), (all_a, false)] {
        for shift in (0..u32::BITS - all.leading_zeros()).step_by(8) {
            let (from, to): (&[TrianglePair], &mut [TrianglePair]) =
                if in_spare { (spare, pairs) } else { (pairs, spare) };
            let digit = |pair: &TrianglePair| ((if of_b { pair.b.0 } else { pair.a.0 }) >> shift) as usize % DIGITS;
            scatter(from, to, digit);
            in_spare = !in_spare;
        }
    }
    if in_spare {
        pairs.copy_from_slice(spare);
    }
}

/// Writes `from` to `to` in the order of one digit, pairs of equal digits in the order they had.
fn scatter(from: &[TrianglePair], to: &mut [TrianglePair], digit: impl Fn(&TrianglePair) -> usize) {
    let mut starts = [0usize; DIGITS];
    for pair in from {
        starts[digit(pair)] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        (*start, end) = (end, end + *start);
    }
    for pair in from {
        let at = &mut starts[digit(pair)];
        to[*at] = *pair;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_by_digits_is_sorting() {
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for (count, most_a, most_b) in
            [(0, 1, 1), (300, 1, 7), (300, 255, 1), (5000, 70_000, 300), (2000, 1 << 24, 1 << 24)]
        {
            let mut pairs: Vec<_> = (0..count).map(|_| TrianglePair::new(random(most_a), random(most_b))).collect();
            let mut sorted = pairs.clone();
            sorted.sort();
            sort_pairs(&mut pairs, &mut Vec::new());
            assert_eq!(pairs, sorted);
        }
    }
}
