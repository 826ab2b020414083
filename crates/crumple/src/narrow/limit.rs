//! Keeps the first pairs of many, in order, and counts the rest: a list with a limit takes memory by the limit, not by
//! what is found.
//!
//! A list may grow to twice the limit and a little more before it is cut, so that cutting takes constant time per pair.
//! Which pairs are kept does not depend on the order in which they are found, so neither on threads nor on the method.
//!
//! Held by: `tests/behaviour/scene/limits.rs`, against all pairs by every method.

use super::Wanted;
use crate::geom::TrianglePair;

/// A list is not cut before it has this many pairs more than are wanted.
const SLACK: usize = 4096;

impl Wanted {
    /// How many pairs are kept at most; where one is wanted, that is decided elsewhere.
    #[inline]
    pub(crate) fn most(self) -> usize {
        match self {
            Self::AtMost(most) => most,
            _ => usize::MAX,
        }
    }
}

/// Cuts the pairs from `start` on to the first `most` once there are far more; returns how many were dropped.
#[inline]
pub(super) fn shorten(found: &mut Vec<TrianglePair>, start: usize, most: usize) -> u64 {
    if found.len() - start <= most.saturating_mul(2).saturating_add(SLACK) {
        return 0;
    }
    cut(found, start, most)
}

/// Cuts the pairs from `start` on to the first `most`, in no order; returns how many were dropped.
#[cold]
pub(crate) fn cut(found: &mut Vec<TrianglePair>, start: usize, most: usize) -> u64 {
    let pairs = &mut found[start..];
    let dropped = pairs.len().saturating_sub(most);
    if dropped > 0 {
        pairs.select_nth_unstable(most);
        found.truncate(start + most);
    }
    dropped as u64
}
