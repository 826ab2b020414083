//! Algorithm 2 without the order inside slabs: three arrays that last from frame to frame, in the order of slabs only.
//!
//! Paper: Ganovelli et al. 2000, section 3.1. Its arrays are sorted by coordinates, but what it reads of them is equation 2: the
//! primitives of a slab stand together, and a pointer leads to the first of them. That order is kept here and no other.
//! A primitive that has left its slab is exchanged with the one at the border, and the pointer of the border slides by one:
//!
//! ```text
//! slab          k         k + 1                 slab          k       k + 1
//! X        • • ◦ • • • │ • • •         ─►       X        • • • • • │ ◦ • • •
//!              └ beyond the start of slab k + 1
//! ```
//!
//! So a frame costs two comparisons per primitive and axis, and one exchange per border that a primitive crosses; how neighbours
//! within a slab change places, on which insertion sort spends its time (BE1), costs nothing. A primitive that is new
//! starts in the last slab and is exchanged to its own, which takes 2^l steps at most: no other sort is needed.
//!
//! Cost: O(n + borders crossed) per frame. Held by: `tests.rs` (the same buckets as by the equation), BE1.

use glam::Vec4;

use super::slabs::{MOST_SLABS, Slabs, interleaved};
use super::sort::{Axes, SortWork};

/// The arrays X, Y and Z with the pointers into each.
#[derive(Clone, Debug)]
pub(super) struct SlabOrder {
    axes: [Vec<u32>; 3],
    /// Where each slab starts in the array; slabs end where the next one starts, the last one with the array.
    first: [[u32; MOST_SLABS]; 3],
    /// How many slabs there are.
    count: usize,
    work: SortWork,
}

impl Default for SlabOrder {
    fn default() -> Self {
        Self { axes: Default::default(), first: [[0; MOST_SLABS]; 3], count: 1, work: SortWork::default() }
    }
}

impl Axes for SlabOrder {
    fn drop_gone(&mut self, listed: impl Fn(u32) -> bool) {
        for (slots, first) in self.axes.iter_mut().zip(&mut self.first) {
            let first = &mut first[..self.count];
            let (mut at, mut dropped, mut slab) = (0, 0, 0);
            slots.retain(|&slot| {
                while slab < first.len() && first[slab] == at {
                    first[slab] -= dropped;
                    slab += 1;
                }
                at += 1;
                let stays = listed(slot);
                dropped += u32::from(!stays);
                stays
            });
            for start in &mut first[slab..] {
                *start -= dropped;
            }
        }
    }

    fn append(&mut self, slot: u32) {
        for slots in &mut self.axes {
            slots.push(slot);
        }
    }

    fn forget_slabs(&mut self) {
        // All slabs but the last are then empty.
        self.first = [[0; MOST_SLABS]; 3];
    }

    fn len(&self) -> usize {
        self.axes[0].len()
    }

    fn work(&self) -> SortWork {
        self.work
    }

    fn update(&mut self, slabs: &Slabs, references: &[Vec4], _: usize, mut changed: impl FnMut(usize, u32, u32)) {
        (self.work, self.count) = (SortWork::default(), slabs.count());
        for axis in 0..3 {
            let (slots, first) = (&mut self.axes[axis], &mut self.first[axis][..slabs.count()]);
            let last = first.len() - 1;
            for slab in 0..=last {
                let (start, next) = (slabs.start(axis, slab), slabs.start(axis, slab + 1));
                let mut at = first[slab] as usize;
                let mut end = first.get(slab + 1).map_or(slots.len(), |&next| next as usize);
                while at < end {
                    let slot = slots[at];
                    let x = references[slot as usize][axis];
                    if x >= next {
                        // Becomes the first of the next slab, where it is looked at again.
                        end -= 1;
                        slots.swap(at, end);
                        first[slab + 1] = end as u32;
                        self.work.moves += 1;
                        changed(axis, slot, interleaved(axis, slab + 1));
                        continue;
                    }
                    if x < start {
                        // Becomes the last of the slab before, and so on.
                        let (mut from, mut down) = (at, slab);
                        while x < slabs.start(axis, down) {
                            let border = first[down] as usize;
                            slots.swap(from, border);
                            first[down] += 1;
                            (from, down) = (border, down - 1);
                            self.work.moves += 1;
                        }
                        changed(axis, slot, interleaved(axis, down));
                    }
                    at += 1;
                }
            }
        }
        self.work.pointer_steps = self.work.moves;
    }
}
