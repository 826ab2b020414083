//! Compares groups of eight boxes with others, and lists those of which any overlap.

use crate::geom::lanes::{GridBoxes8, Simd};

/// Two groups of eight, and which of their boxes overlap: bit 8 · row + lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlap {
    pub(super) groups: (u32, u32),
    pub(super) found: u64,
}

impl Overlap {
    /// Which rows, and which lanes, overlap anything: one bit each.
    #[inline(always)]
    pub(super) fn rows_and_lanes(self) -> (u8, u8) {
        let lanes = self.found | self.found >> 32;
        let lanes = lanes | lanes >> 16;
        // In each byte, the lowest bit tells whether any is set; the product brings those together in the highest byte.
        let any = self.found | self.found >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
        let any = any | any >> 2 & 0x3f3f_3f3f_3f3f_3f3f;
        let any = (any | any >> 1) & 0x0101_0101_0101_0101;
        ((any.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8, (lanes | lanes >> 8) as u8)
    }
}

/// Pairs of groups of which any boxes overlap.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    list: Vec<Overlap>,
    len: usize,
}

impl Overlaps {
    /// Empties the list and makes room for so many.
    pub(super) fn clear(&mut self, room: usize) {
        self.len = 0;
        // One more is written than is kept.
        if self.list.len() <= room {
            self.list.resize(room + 1, Overlap::default());
        }
    }

    pub(super) fn as_slice(&self) -> &[Overlap] {
        &self.list[..self.len]
    }

    /// Lists those of `pairs` of groups of which any boxes overlap. Compiled once per level for all walks.
    #[inline(never)]
    pub(super) fn find<S: Simd>(&mut self, simd: S, pairs: &[(u32, u32)], a: &[GridBoxes8], b: &[GridBoxes8]) {
        self.clear(pairs.len());
        simd.vectorize(
            #[inline(always)]
            || {
                for &(group_a, group_b) in pairs {
                    self.add((group_a, group_b), a[group_a as usize].overlaps(simd, &b[group_b as usize]));
                }
            },
        );
    }

    /// Leaves out those pairs of boxes of two groups that `left_out` names.
    #[inline(always)]
    pub(super) fn leave_out(&mut self, left_out: impl Fn((u32, u32)) -> u64) {
        let listed = std::mem::take(&mut self.len);
        for at in 0..listed {
            let Overlap { groups, found } = self.list[at];
            self.add(groups, found & !left_out(groups));
        }
    }

    /// Adds two groups, if any of their boxes overlap: without a branch, since that cannot be predicted.
    #[inline(always)]
    pub(super) fn add(&mut self, groups: (u32, u32), found: u64) {
        self.list[self.len] = Overlap { groups, found };
        self.len += usize::from(found != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_lanes_are_those_that_have_a_bit() {
        let mut random = crumple_scenes::Random::new(3);
        for _ in 0..1000 {
            let found = random.bits() & random.bits() & random.bits() & random.bits();
            let (mut rows, mut lanes) = (0, 0);
            for bit in (0..64).filter(|bit| found >> bit & 1 == 1) {
                rows |= 1 << (bit / 8);
                lanes |= 1 << (bit % 8);
            }
            assert_eq!(Overlap { groups: (0, 0), found }.rows_and_lanes(), (rows, lanes), "{found:x}");
        }
    }
}
