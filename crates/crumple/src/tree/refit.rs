//! Keeps the boxes of leaves, and those above them, right from frame to frame without reading most of the vertices.
//!
//! Larsson & Akenine-Möller 2001 refit the upper levels every frame, which reads every vertex. Here a leaf's box is
//! computed from its vertices now and then; in between it is carried along, see [`super::anchor`]. A cluster of eight
//! leaves is fitted again when a walk reached it in the last frame — it will be reached again — or when it has loosened
//! by a good part of its size. Where that happens to most clusters in one frame, the motion is *wild*: the next frame
//! will loosen them as much, and most are far from everything. Then clusters are fitted without their leaves, at half
//! the cost, and a walk fits the leaves it reaches.
//!
//! What is outside the boxes of all bodies that this one is asked against is reached by no walk, however loose its box: it
//! is left alone until its loose box comes near one of them, or somebody asks about the whole body.
//!
//! Cost: O(clusters) per frame, O(vertices) for the clusters fitted; a tree that is far from everything pays once in
//! several frames for each cluster, a tree that jumps about pays for all clusters every frame.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::geom::lanes::vectors::*;

use super::Tree;
use super::anchor::Anchor;
use super::build::WIDTH;
use super::wear::{Covered, surface, surfaces};
use crate::body::{Body, Vertices};
use crate::geom::Aabb;
use crate::geom::lanes::{Bounds, Boxes8, Vec8, bits, dispatch, load};

/// A cluster is fitted again once it has loosened by this part of its longest side. Measured on LE1 and LE3 from a half
/// to a hundred: the mean frame is flat; tighter pays for fitting, looser for clusters reached in vain. What a walk
/// reached is fitted every frame: to wait until it has loosened by a tenth saved nothing, by a fifth it lost. It also
/// detects wild motion: at twenty that of CR2 went unnoticed, and its queries took eighty times as long.
const LOOSE: f32 = 2.0;

/// A tree of fewer clusters is fitted with its leaves, wild or not.
const MANY: usize = 64;

/// After so many wild frames leaves are fitted once: `wear` needs their surfaces.
const MOST_WILD: u32 = 16;

#[derive(Debug)]
pub(super) struct Cluster {
    /// Whether a walk has reached the cluster since it was last looked at.
    reached: AtomicBool,
    /// The loosening, as `Anchor::spread`, when it was last fitted, and by how much more it must be fitted again.
    fitted_at: f32,
    slack: f32,
    /// What its boxes covered when it was last fitted.
    pub(super) covered: Covered<f32>,
}

impl Cluster {
    /// One that was never fitted, and will be whatever the motion is.
    pub(super) fn new() -> Self {
        Self { reached: AtomicBool::new(true), fitted_at: 0.0, slack: -1.0, covered: Covered::default() }
    }
}

impl Clone for Cluster {
    fn clone(&self) -> Self {
        Self { reached: AtomicBool::new(self.reached.load(Ordering::Relaxed)), ..*self }
    }
}

impl Tree {
    /// Takes in a frame; where walks will stay within `near`, only for what is there.
    pub(super) fn refit(&mut self, body: &Body, near: Option<&Aabb>) {
        let spread_before = self.anchor.spread();
        if !self.anchor.carry(body) {
            self.fit_all(body);
            return;
        }
        let spread = self.anchor.spread();
        let step = spread - spread_before;
        // Every eighth cluster is a sample of all.
        let (mut sampled, mut loosened) = (0, 0);
        for cluster in self.clusters.iter_mut().step_by(WIDTH) {
            sampled += 1;
            loosened += usize::from(!*cluster.reached.get_mut() && step > cluster.slack);
        }
        self.is_wild = self.clusters.len() >= MANY && 2 * loosened > sampled && self.wild_frames < MOST_WILD;
        if self.is_wild {
            self.wild_frames += 1;
        } else {
            self.wild_frames = 0;
        }
        let near = near.map(|near| Bounds::of(near).widened(&self.anchor.widening_of_box(near)));
        dispatch!(self.simd, simd => self.fit_some(simd, body, near.as_ref()));
    }

    /// Fits every cluster and anchors them anew.
    pub(super) fn fit_all(&mut self, body: &Body) {
        self.anchor = Anchor::at(body);
        (self.is_wild, self.wild_frames) = (false, 0);
        self.clusters.iter_mut().for_each(|cluster| *cluster.reached.get_mut() = true);
        dispatch!(self.simd, simd => self.fit_some(simd, body, None));
    }

    /// Whether the boxes of leaves are right in this frame; if not, a walk has to fit those it reaches.
    #[inline(always)]
    pub(super) fn keeps_leaves(&self) -> bool {
        !self.is_wild
    }

    /// Notes that a walk has reached a cluster.
    #[inline]
    pub(super) fn note_reached(&self, cluster: u32) {
        // No order is needed: the flag is read in `update`, which has the tree to itself.
        self.clusters[cluster as usize].reached.store(true, Ordering::Relaxed);
    }

    /// Fits the clusters that have been reached or have loosened, with their leaves; where motion is wild all, without.
    /// Except those that are outside `near`, to be compared with anchored boxes, loose as they are: no walk gets there.
    #[inline(always)]
    fn fit_some<S: Simd>(&mut self, simd: S, body: &Body, near: Option<&Bounds>) {
        let spread = self.anchor.spread();
        let mut changed = false;
        for group in 0..self.clusters.len().div_ceil(WIDTH) {
            let is_near = match (near, self.levels.get(1)) {
                (Some(near), Some(clusters)) => clusters[group].overlapping(simd, near),
                _ => 0xff,
            };
            for lane in bits(is_near) {
                let cluster = group * WIDTH + lane;
                // The last group may not be full.
                let Some(state) = self.clusters.get_mut(cluster) else { break };
                let is_reached = std::mem::take(state.reached.get_mut());
                if self.is_wild {
                    self.fit_without_leaves(simd, cluster, body);
                } else if is_reached || spread - state.fitted_at > state.slack {
                    self.fit(simd, cluster, body);
                } else {
                    continue;
                }
                changed = true;
            }
        }
        if changed {
            self.join_levels(simd);
        }
    }

    /// Fits the leaves of a cluster, and the cluster. In the last cluster, lanes without a leaf repeat the last one: the
    /// walk does not look at them.
    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, cluster: usize, body: &Body) {
        let (min, max) = self.leaf_extremes(simd, cluster, body.vertices());
        let (anchored_min, anchored_max) = self.anchored(simd, min, max);
        self.levels[0][cluster] = Boxes8::of(anchored_min, anchored_max);
        let whole = Bounds { min: min.least(), max: max.most() };
        // Rounding keeps order: this is the union of the leaves' anchored boxes.
        self.set_cluster(cluster, &whole);
        let size = (0..3).map(|axis| whole.max[axis] - whole.min[axis]).fold(0.0, f32::max);
        let spread = self.anchor.spread();
        (self.clusters[cluster].fitted_at, self.clusters[cluster].slack) = (spread, LOOSE * stagger(cluster) * size);
        let covered = Covered { by_leaves: surfaces(max.minus(min)), by_clusters: surface(&whole) };
        self.wear.add(std::mem::replace(&mut self.clusters[cluster].covered, covered), covered);
    }

    /// Fits a cluster without its leaves.
    #[inline(always)]
    fn fit_without_leaves<S: Simd>(&mut self, simd: S, cluster: usize, body: &Body) {
        let (min, max) = box_of(simd, body.vertices(), self.arrangement.cluster_vertices(cluster));
        let ([x, y, z, _], [p, q, r, _]): ([f32; 4], [f32; 4]) = (min.into(), max.into());
        self.set_cluster(cluster, &Bounds { min: [x, y, z], max: [p, q, r] });
    }

    #[inline(always)]
    fn set_cluster(&mut self, cluster: usize, whole: &Bounds) {
        let (moved_min, moved_max) = self.anchor.displacements();
        if let Some(clusters) = self.levels.get_mut(1) {
            clusters[cluster / WIDTH].set(cluster % WIDTH, &whole.minus(moved_min, moved_max));
        }
    }

    /// The anchored boxes of the leaves of a cluster as they are now.
    #[inline(always)]
    pub(super) fn fitted_leaves<S: Simd>(&self, simd: S, cluster: usize, body: &Body) -> (Vec8<S>, Vec8<S>) {
        let (min, max) = self.leaf_extremes(simd, cluster, body.vertices());
        self.anchored(simd, min, max)
    }

    /// The lower and the upper corners of the boxes of the leaves of a cluster. In the last cluster, lanes without a leaf
    /// repeat the last one.
    #[inline(always)]
    pub(super) fn leaf_extremes<S: Simd>(&self, simd: S, cluster: usize, of: &Vertices) -> (Vec8<S>, Vec8<S>) {
        let far = f32x8::splat(simd, f32::INFINITY);
        let (mut min, mut max) = ([far; 4], [-far; 4]);
        for step in self.arrangement.leaf_steps(cluster) {
            for i in 0..4 {
                let vertices = load(simd, &of.four(step[i])).combine(load(simd, &of.four(step[i + 4])));
                (min[i], max[i]) = (min[i].min(vertices), max[i].max(vertices));
            }
        }
        (Vec8::of_twos(min), Vec8::of_twos(max))
    }

    #[inline(always)]
    fn anchored<S: Simd>(&self, simd: S, min: Vec8<S>, max: Vec8<S>) -> (Vec8<S>, Vec8<S>) {
        let (moved_min, moved_max) = self.anchor.displacements();
        (min.minus(Vec8::splat(simd, moved_min)), max.minus(Vec8::splat(simd, moved_max)))
    }

    /// Makes every level above the clusters from the one below it.
    #[inline(always)]
    fn join_levels<S: Simd>(&mut self, simd: S) {
        for level in 2..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            for (node, children) in below[level - 1].iter().enumerate() {
                above[0][node / WIDTH].set(node % WIDTH, &children.union(simd));
            }
        }
    }
}

/// A number between one half and one for each cluster, so that they do not all come due in one frame.
fn stagger(cluster: usize) -> f32 {
    // Steps of the golden ratio fall evenly into the interval, in whatever order they are taken.
    1.0 - 0.5 * (cluster as f32 * 0.618_034).fract()
}

/// The box of some vertices, with anything in the fourth lane: two at a time, since each step of one box would wait for
/// the step before it.
#[inline(always)]
fn box_of<S: Simd>(simd: S, vertices: &Vertices, chosen: &[[u32; 4]]) -> (f32x4<S>, f32x4<S>) {
    let far = f32x4::splat(simd, f32::INFINITY);
    let (mut min, mut max) = ([far; 2], [-far; 2]);
    for &[i, j, k, l] in chosen {
        let (i, j) = (load(simd, &vertices.four(i)), load(simd, &vertices.four(j)));
        let (k, l) = (load(simd, &vertices.four(k)), load(simd, &vertices.four(l)));
        (min[0], max[0]) = (min[0].min(i).min(k), max[0].max(i).max(k));
        (min[1], max[1]) = (min[1].min(j).min(l), max[1].max(j).max(l));
    }
    (min[0].min(min[1]), max[0].max(max[1]))
}
