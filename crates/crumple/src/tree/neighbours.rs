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
#[derive(Clone, Debug, Default)]
pub(crate) struct NeighbourMasks {
    /// For each leaf, where its masks start; one entry more than there are leaves.
    starts: Vec<u32>,
    /// The other leaf, which is not before this one, and the mask: bit 8 · row + lane.
    masks: Vec<(u32, u64)>,
}

impl NeighbourMasks {
    pub(super) fn of(arrangement: &Arrangement, fans: &Fans) -> Self {
        let triangles = &arrangement.triangles;
        let mut index_in_tree = vec![0; triangles.iter().max().map_or(0, |&last| last as usize + 1)];
        for (index, &triangle) in (0u32..).zip(triangles) {
            index_in_tree[triangle as usize] = index;
        }
        let mut found = Self::default();
        found.starts.push(0);
        for leaf in 0..arrangement.leaf_count() {
            let start = found.masks.len();
            for (row, &vertices) in arrangement.leaf(leaf).iter().enumerate() {
                let index = (WIDTH * leaf + row) as u32;
                for &other in distinct(vertices).flat_map(|vertex| fans.triangles_at(vertex)) {
                    let other = index_in_tree[other as usize];
                    if other > index {
                        let (leaf, lane) = (other / WIDTH as u32, other as usize % WIDTH);
                        add(&mut found.masks, start, leaf, 1 << (WIDTH * row + lane));
                    }
                }
            }
            found.starts.push(found.masks.len() as u32);
        }
        found
    }

    /// The pairs of neighbours between a leaf and one that is not before it: bit 8 · row + lane.
    #[inline]
    pub(crate) fn mask(&self, leaf: u32, other: u32) -> u64 {
        let range = self.starts[leaf as usize] as usize..self.starts[leaf as usize + 1] as usize;
        self.masks[range].iter().find(|(to, _)| *to == other).map_or(0, |(_, mask)| *mask)
    }
}

/// Sets a bit in the mask for a leaf, among the masks from `start` on.
fn add(masks: &mut Vec<(u32, u64)>, start: usize, leaf: u32, bit: u64) {
    match masks[start..].iter_mut().find(|(to, _)| *to == leaf) {
        Some((_, mask)) => *mask |= bit,
        None => masks.push((leaf, bit)),
    }
}
