//! Which triangles of each two leaves share a vertex, so that a walk can leave them out.
//!
//! Neighbours always overlap in their boxes: on a sheet there are six such pairs per triangle, and they would be most of
//! what a walk finds. They are known beforehand, so each pair of leaves gets a mask of the pairs of triangles that share
//! a tracked vertex (see [`Fans`]); the walk removes them from what it finds with one instruction.
//!
//! Cost: O(n) when a body is first asked about itself; about 10 bytes per triangle.

use super::build::{Arrangement, WIDTH};
use crate::mesh::{Fans, distinct};

/// The masks of one tree.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourMasks {
    /// For each leaf, where its masks start; one entry more than there are leaves.
    starts: Vec<u32>,
    /// The other leaf, which is not after this one, and the mask: bit 8 · row of the other + lane of this one.
    masks: Vec<(u32, u64)>,
    /// Whether all vertices were tracked: then more triangles only mean more neighbours.
    tracked_all: bool,
    /// Whether there were lanes whose triangles had been removed: they are nobody's neighbours here.
    had_removed: bool,
}

impl NeighbourMasks {
    pub(super) fn of(arrangement: &Arrangement, fans: &Fans) -> Self {
        let mut masks = Self { starts: vec![0], masks: Vec::new(), tracked_all: fans.tracks_all(), had_removed: false };
        masks.append(arrangement, fans);
        masks
    }

    /// Takes in an edit, of which all leaves from a number on are new; returns whether that can be done.
    pub(super) fn follow(&mut self, arrangement: &Arrangement, fans: &Fans, first_new: usize, restored: bool) -> bool {
        if !(self.tracked_all && fans.tracks_all()) || restored && self.had_removed {
            return false;
        }
        self.starts.truncate(first_new + 1);
        self.masks.truncate(self.starts.last().map_or(0, |&end| end as usize));
        self.append(arrangement, fans);
        true
    }

    /// Appends the masks of all leaves that have none yet.
    fn append(&mut self, arrangement: &Arrangement, fans: &Fans) {
        self.had_removed |= arrangement.removed > 0;
        let Self { starts, masks, .. } = self;
        for leaf in starts.len() - 1..arrangement.leaf_count() {
            let start = masks.len();
            for (lane, vertices) in arrangement.leaf_in_use(leaf) {
                let own = (WIDTH * leaf + lane) as u32;
                for &other in distinct(vertices).flat_map(|vertex| fans.triangles_at(vertex)) {
                    let other = arrangement.lanes[other as usize];
                    if other < own {
                        let (other, row) = (other / WIDTH as u32, other as usize % WIDTH);
                        add(masks, start, other, 1 << (WIDTH * row + lane));
                    }
                }
            }
            starts.push(masks.len() as u32);
        }
    }

    /// The pairs of neighbours between a leaf and one that is not before it: bit 8 · row + lane.
    #[inline]
    pub(crate) fn mask(&self, leaf: u32, other: u32) -> u64 {
        let range = self.starts[other as usize] as usize..self.starts[other as usize + 1] as usize;
        self.masks[range].iter().find(|(to, _)| *to == leaf).map_or(0, |(_, mask)| *mask)
    }
}

/// Sets a bit in the mask for a leaf, among the masks from `start` on.
fn add(masks: &mut Vec<(u32, u64)>, start: usize, leaf: u32, bit: u64) {
    match masks[start..].iter_mut().find(|(to, _)| *to == leaf) {
        Some((_, mask)) => *mask |= bit,
        None => masks.push((leaf, bit)),
    }
}
