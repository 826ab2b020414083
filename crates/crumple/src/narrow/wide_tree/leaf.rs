//! The boxes inside a cluster, computed when a query gets there and kept by the thread that asked.
//!
//! A cluster is fitted whole: 64 triangle boxes and the boxes of its eight leaves. They live in the memory of the
//! querying thread, not in the tree: trees stay untouched by queries, so any number of threads can ask about one body,
//! and none waits for another's memory.

use fearless_simd::prelude::*;

use super::boxes8::{Boxes8, Corners};
use super::build::{CLUSTER, WIDTH};
use super::refit::Tree;
use super::vec8::Triangle8;
use crate::body::Body;
use crate::geom::Aabb;

/// The boxes of one cluster in this frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterBoxes {
    /// The boxes of the triangles, leaf by leaf.
    pub(super) triangles: [Boxes8; WIDTH],
    pub(super) leaves: Boxes8,
    pub(super) bounds: Corners,
}

impl ClusterBoxes {
    const EMPTY: Self = Self {
        triangles: [Boxes8::EMPTY; WIDTH],
        leaves: Boxes8::EMPTY,
        bounds: Corners { low: [0.0; 3], high: [0.0; 3] },
    };

    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, tree: &Tree, body: &Body, cluster: usize) {
        let corners = &tree.arrangement.corners;
        let range = cluster * CLUSTER..corners.len().min((cluster + 1) * CLUSTER);
        let (leaves, last) = corners[range].as_chunks::<WIDTH>();
        self.leaves = Boxes8::EMPTY;
        for (leaf, corners) in leaves.iter().enumerate() {
            let triangles = Triangle8::gather(simd, body.vertices(), corners);
            self.triangles[leaf].set_all(triangles.low(), triangles.high());
            self.leaves.set_union(leaf, triangles.low(), triangles.high());
        }
        if !last.is_empty() {
            let (leaf, mut bounds) = (leaves.len(), Aabb::EMPTY);
            self.triangles[leaf] = Boxes8::EMPTY;
            for (lane, &corners) in last.iter().enumerate() {
                let [i, j, k] = body.padded_corners(corners);
                let triangle = Aabb::from_corners(i.min(j).min(k), i.max(j).max(k));
                self.triangles[leaf].set(lane, &triangle);
                bounds = bounds.union(&triangle);
            }
            self.leaves.set(leaf, &bounds);
        }
        // Leaves beyond the last are empty in `leaves`, and so their triangles are never looked at.
        self.bounds = self.leaves.union(simd);
    }
}

/// The clusters of one body that a thread has fitted in one frame.
#[derive(Debug, Default)]
pub(super) struct ClusterCache {
    /// For each cluster its place in `fitted`, plus one; 0 if it has none.
    place: Vec<u32>,
    /// Which clusters have a place, so that taking them away does not touch all.
    taken: Vec<u32>,
    fitted: Vec<ClusterBoxes>,
}

impl ClusterCache {
    /// Forgets everything, for a body with `clusters` clusters.
    pub(super) fn clear(&mut self, clusters: usize) {
        for cluster in self.taken.drain(..) {
            self.place[cluster as usize] = 0;
        }
        if self.place.len() < clusters {
            self.place.resize(clusters, 0);
        }
    }

    /// How many clusters have been fitted since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Makes sure that a cluster is fitted; returns its place for [`at`](Self::at).
    #[inline(always)]
    pub(super) fn fit<S: Simd>(&mut self, simd: S, tree: &Tree, body: &Body, cluster: u32) -> usize {
        let place = self.place[cluster as usize];
        if place != 0 {
            return place as usize - 1;
        }
        let place = self.taken.len();
        if place == self.fitted.len() {
            self.fitted.push(ClusterBoxes::EMPTY);
        }
        self.fitted[place].fit(simd, tree, body, cluster as usize);
        self.taken.push(cluster);
        self.place[cluster as usize] = place as u32 + 1;
        place
    }

    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> &ClusterBoxes {
        &self.fitted[place]
    }
}
