//! Puts pairs of numbers in order: pairs of triangles, or of features.
//!
//! Thousands of pairs of two small numbers: sorting by digits takes a fifth of the instructions of sorting by
//! comparison (LE1, last frame). Only the digits that occur are looked at. Few pairs are sorted by comparison.

/// Below this many pairs, the tables of digits cost more than they save.
const FEW: usize = 256;
/// Bits of a digit, of few pairs and of many: with larger digits there are fewer of them, but tables to be filled.
const DIGIT_OF_FEW: u32 = 8;
const DIGIT_OF_MANY: u32 = 11;
const MANY: usize = 1 << 16;

/// Sorts `pairs`; `spare` is working memory.
pub(crate) fn sort_pairs<T: Copy + Ord + Into<[u32; 2]>>(pairs: &mut [T], spare: &mut Vec<T>) {
    if pairs.len() < FEW {
        pairs.sort_unstable();
        return;
    }
    spare.clear();
    spare.extend_from_slice(pairs);
    let all = pairs.iter().fold([0; 2], |all, &pair| {
        let [a, b] = pair.into();
        [all[0] | a, all[1] | b]
    });
    let digit = if pairs.len() < MANY { DIGIT_OF_FEW } else { DIGIT_OF_MANY };
    let mut in_spare = true;
    for of in [1, 0] {
        for shift in (0..u32::BITS - all[of].leading_zeros()).step_by(digit as usize) {
            let (from, to): (&[T], &mut [T]) = if in_spare { (spare, pairs) } else { (pairs, spare) };
            if digit == DIGIT_OF_FEW {
                scatter::<_, { 1 << DIGIT_OF_FEW }>(from, to, |&pair| (pair.into()[of] >> shift) as usize);
            } else {
                scatter::<_, { 1 << DIGIT_OF_MANY }>(from, to, |&pair| (pair.into()[of] >> shift) as usize);
            }
            in_spare = !in_spare;
        }
    }
    if in_spare {
        pairs.copy_from_slice(spare);
    }
}

/// Writes `from` to `to` in the order of one digit, pairs of equal digits in the order they had.
fn scatter<T: Copy, const DIGITS: usize>(from: &[T], to: &mut [T], shifted: impl Fn(&T) -> usize) {
    let mut starts = [0usize; DIGITS];
    for pair in from {
        starts[shifted(pair) % DIGITS] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        (*start, end) = (end, end + *start);
    }
    for pair in from {
        let at = &mut starts[shifted(pair) % DIGITS];
        to[*at] = *pair;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::TrianglePair;

    #[test]
    fn sorting_by_digits_is_sorting() {
        let mut random = crumple_scenes::Random::new(1);
        let mut random = |below: u32| random.below(below.into()) as u32;
        for (count, most_a, most_b) in [
            (0, 1, 1),
            (300, 1, 7),
            (300, 255, 1),
            (5000, 70_000, 300),
            (2000, 1 << 24, 1 << 24),
            (70_000, 1 << 20, 1 << 24),
        ] {
            let mut pairs: Vec<_> = (0..count).map(|_| TrianglePair::new(random(most_a), random(most_b))).collect();
            let mut sorted = pairs.clone();
            sorted.sort();
            sort_pairs(&mut pairs, &mut Vec::new());
            assert_eq!(pairs, sorted);
        }
    }
}
