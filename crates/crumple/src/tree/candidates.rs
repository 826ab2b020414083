//! The list of candidates that a walk fills and a question empties.

use super::build::WIDTH;
use crate::geom::lanes::bits;

/// Pairs of triangles whose boxes overlap, by their cached indices (see [`LeafCache`](super::leaf::LeafCache)).
///
/// A fixed piece of memory, so that adding one is a store: room is made before a pair of leaves, which has at most 64.
#[derive(Debug)]
pub(crate) struct Candidates {
    pairs: Box<[(u32, u32); Self::MOST_CANDIDATES]>,
    len: usize,
}

impl Default for Candidates {
    fn default() -> Self {
        let pairs = vec![(0, 0); Self::MOST_CANDIDATES].into_boxed_slice().try_into();
        Self { pairs: pairs.unwrap_or_else(|_| unreachable!("the slice has the length of the array")), len: 0 }
    }
}

impl Candidates {
    const MOST_CANDIDATES: usize = 1 << 12;

    pub(crate) fn as_slice(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    /// Keeps those for which `keep` returns true.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(u32, u32) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let (a, b) = self.pairs[index];
            self.pairs[kept] = (a, b);
            kept += usize::from(keep(a, b));
        }
        self.len = kept;
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether they should be handed over now: there may be no room for another pair of leaves.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len > Self::MOST_CANDIDATES - WIDTH * WIDTH
    }

    /// Adds pairs of triangles of the leaves in two slots: bit 8 · row + lane.
    #[inline(always)]
    pub(super) fn add(&mut self, slot_a: u32, slot_b: u32, found: u64) {
        for bit in bits(found) {
            self.push(slot_a * WIDTH as u32 + bit as u32 / 8, slot_b * WIDTH as u32 + bit as u32 % 8);
        }
    }

    #[inline(always)]
    fn push(&mut self, a: u32, b: u32) {
        // The remainder only spares a check: `is_full` is heeded between pairs of leaves.
        self.pairs[self.len % Self::MOST_CANDIDATES] = (a, b);
        self.len += 1;
    }
}
