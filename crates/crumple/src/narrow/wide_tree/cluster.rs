//! The boxes of the leaves of a cluster, fitted when a query gets there and kept by the thread that asked: for trees that
//! do not keep them in this frame, see [`super::refit`].

use fearless_simd::prelude::*;

use super::boxes8::Boxes8;
use super::places::Places;
use super::{Side, Tree};

/// The clusters of one body that a thread has fetched in one frame.
#[derive(Debug, Default)]
pub(super) struct ClusterCache {
    places: Places,
    boxes: Vec<Boxes8>,
}

impl ClusterCache {
    /// Forgets everything, for a body with `clusters` clusters.
    pub(super) fn clear(&mut self, clusters: usize) {
        self.places.clear(clusters);
    }

    /// The anchored boxes of the leaves of a cluster.
    #[inline(always)]
    pub(super) fn fetch<'a, S: Simd>(&'a mut self, simd: S, side: Side<'a, Tree>, cluster: u32) -> &'a Boxes8 {
        if side.tree.keeps_leaves() {
            return &side.tree.levels[0][cluster as usize];
        }
        let (place, is_new) = self.places.of(cluster);
        if is_new {
            if place as usize == self.boxes.len() {
                self.boxes.push(Boxes8::EMPTY);
            }
            self.boxes[place as usize] = side.tree.fitted_leaves(simd, cluster as usize, side.body);
        }
        &self.boxes[place as usize]
    }
}
