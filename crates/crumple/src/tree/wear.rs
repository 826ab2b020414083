//! Decides when a tree fits its body so badly that building a new one pays.
//!
//! A tree is made for the shape a body had when it was built. Deformation may draw the triangles of a leaf apart —
//! torn, twisted, turned inside out — and then its box covers much and excludes little. Measured is how much of a cluster's
//! box its leaves cover: the sum of the surfaces of all leaf boxes over that of all cluster boxes. Leaves that lie side
//! by side cover about as much as their cluster, leaves drawn apart up to eight times as much. A body that grows, bends
//! or rolls up as a sheet does changes both alike. The sums are kept as clusters are fitted, at a few instructions each.
//! (Tried and lost: cluster boxes over the body's box. A cloth that rolls up shrinks the latter, and a tree built anew
//! mixes its layers: CR1 took half as long again.)
//!
//! If leaves cover r times what they did when the tree was new, about 1 − 1/r of what the last query spent is waste. The
//! waste is summed up, and once it comes to four times what a build costs the tree is built anew: so builds never cost
//! more than a quarter of what was lost by not building, whatever comes. Costs are counted in instructions, not in time:
//! the same frames lead to the same builds on every machine. A build uses the memory of the tree it replaces; but for a
//! body that is asked about itself the masks of neighbours have to be made again, which allocates.
//!
//! Held by: experiment CR4, where the scattered sheet gains most.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::geom::lanes::vectors::*;

use crate::geom::lanes::{Bounds, Vec8};

/// When trees are built anew while bodies deform; the answers are the same.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rebuild {
    /// Once a tree that no longer fits has wasted several times what a new one costs.
    #[default]
    WhenItPays,
    /// Never: no frame pays for a build.
    Never,
    /// In every frame in which the body has moved and is asked about: for bodies that change beyond recognition.
    Always,
}

/// Instructions that a walk spends on two leaves, and on a candidate (callgrind, LE1).
const LEAVES: u64 = 450;
const CANDIDATE: u64 = 100;

/// Instructions that a build spends on a triangle; and what is counted for the masks of its neighbours, if a body is asked
/// about itself. They take about 700 (callgrind, CR1); more is counted, since making them allocates.
const BUILD: f64 = 1_500.0;
const MASKS: f64 = 6_000.0;

/// How many times the cost of a build must have been wasted. The estimate is rough, and a shape in between, of a body
/// that is just being turned inside out, say, may make a worse tree than the first one.
const PAYS: f64 = 4.0;

/// Below this, boxes are as good as new: deformation that is only wobbling counts for nothing.
const AS_NEW: f64 = 1.25;

/// What the boxes of a cluster, or of all, cover: half their surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Covered<T> {
    pub(super) by_leaves: T,
    pub(super) by_clusters: T,
}

/// What has become of a tree since it was built.
#[derive(Debug, Default)]
pub(super) struct Wear {
    /// The surfaces of all boxes, each as it was last fitted.
    covered: Covered<f64>,
    /// Those of leaves over those of clusters when the tree was new.
    when_new: f64,
    /// Instructions wasted since then.
    wasted: f64,
    /// Instructions spent by walks since the last update.
    spent: AtomicU64,
    /// Builds that no answer's statistics have reported yet.
    unreported_builds: AtomicU64,
}

impl Clone for Wear {
    fn clone(&self) -> Self {
        let copy = |count: &AtomicU64| AtomicU64::new(count.load(Ordering::Relaxed));
        Self { spent: copy(&self.spent), unreported_builds: copy(&self.unreported_builds), ..*self }
    }
}

impl Wear {
    /// That of a new tree, whose clusters have been counted by [`add`](Self::add).
    pub(super) fn begin(&mut self) {
        self.when_new = self.covered.by_leaves / self.covered.by_clusters;
        self.wasted = 0.0;
    }

    /// Counts a build of a tree that no longer fitted.
    pub(super) fn count_build(&mut self) {
        self.unreported_builds = AtomicU64::new(1);
    }

    /// Counts a cluster that covered one thing and now covers another.
    pub(super) fn add(&mut self, before: Covered<f32>, now: Covered<f32>) {
        self.covered.by_leaves += f64::from(now.by_leaves) - f64::from(before.by_leaves);
        self.covered.by_clusters += f64::from(now.by_clusters) - f64::from(before.by_clusters);
    }

    /// Notes what a walk found to do.
    pub(super) fn note(&self, leaf_pairs: usize, candidates: u64) {
        self.spent.fetch_add(LEAVES * leaf_pairs as u64 + CANDIDATE * candidates, Ordering::Relaxed);
    }

    /// Builds since this was last asked.
    pub(super) fn take_unreported_builds(&self) -> u64 {
        // The load alone where there is nothing to report: a swap makes threads wait for each other.
        let builds = &self.unreported_builds;
        if builds.load(Ordering::Relaxed) == 0 { 0 } else { builds.swap(0, Ordering::Relaxed) }
    }

    /// Whether a tree over so many triangles should be built anew.
    pub(super) fn calls_for_a_build(&mut self, triangles: usize, has_masks: bool) -> bool {
        let spent = std::mem::take(self.spent.get_mut()) as f64;
        let ratio = self.covered.by_leaves / self.covered.by_clusters / self.when_new;
        // A body that is a point, or wider than f32 can say, makes this no number; then nothing is known to be wasted.
        if ratio > AS_NEW {
            self.wasted += spent * (1.0 - 1.0 / ratio);
        }
        let build = BUILD + if has_masks { MASKS } else { 0.0 };
        self.wasted > PAYS * build * triangles as f64
    }
}

/// Half the surfaces of eight boxes with these extents.
#[inline(always)]
pub(super) fn surfaces<S: Simd>(extent: Vec8<S>) -> f32 {
    let Vec8 { x, y, z } = extent;
    (x * y + y * z + z * x).reduce_sum()
}

/// Half the surface of a box.
#[inline(always)]
pub(super) fn surface(bounds: &Bounds) -> f32 {
    let extent = |axis: usize| bounds.max[axis] - bounds.min[axis];
    extent(0) * extent(1) + extent(1) * extent(2) + extent(2) * extent(0)
}
