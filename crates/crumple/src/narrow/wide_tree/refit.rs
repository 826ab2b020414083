//! Keeps the boxes of leaves, and those above them, right from frame to frame without reading most of the vertices.
//!
//! Larsson & Akenine-Möller 2001 refit the upper levels every frame, which reads every vertex. Here a leaf's box is
//! computed from its vertices now and then; in between it is carried along by what the body's [`Drift`] says about how
//! far any vertex can have moved. Boxes are kept *anchored*: with the drift of the frame of their fitting taken off,
//!
//! ```text
//! anchored.low = low − drift.low(fitting)          so that at any later frame the leaf lies between
//! anchored.high = high − drift.high(fitting)       anchored.low + drift.low(now) and anchored.high + drift.high(now)
//! ```
//!
//! All boxes of a tree loosen alike, so one pair of corners, added once a query, brings every level up to date, and a
//! parent's anchored box is the union of its children's. A cluster of eight leaves is fitted again when a query reached
//! it in the last frame — it will be reached again — or when it has loosened by a good part of its size. Where that happens
//! to most clusters in one frame, the motion is *wild*: the next frame will loosen them as much, and most are far from
//! everything. Then clusters are fitted without their leaves, at half the cost, and a query fits the leaves it comes by.
//!
//! Rounding: all of it is covered by a slack that the query adds, see [`Tree::widening`].
//!
//! Cost: O(clusters) a frame, O(vertices) for the clusters fitted; a tree that is far from everything pays once in
//! several frames for each cluster, a tree that jumps about pays for all clusters every frame.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x4};

use super::boxes8::{Boxes8, Corners, Widening};
use super::build::{Arrangement, WIDTH};
use super::self_pairs::Connectivity;
use super::vec8::{Vec8, load};
use super::wear::{Covered, Rebuild, Wear, surface, surfaces};
use crate::body::{Body, Drift, Vertices};
use crate::geom::Aabb;

/// A cluster is fitted again once it has loosened by this part of its longest side. Measured on LE1 and LE3 from a half
/// to a hundred: the mean frame is flat; tighter pays for fitting, looser for clusters reached in vain. What a query
/// reached is fitted every frame: to wait until it has loosened by a tenth saved nothing, by a fifth it lost. It also
/// tells wild motion: at twenty that of CR2 went unnoticed, and its queries took eighty times as long.
const LOOSE: f32 = 2.0;

/// A tree of fewer clusters is fitted with its leaves, wild or not.
const MANY: usize = 64;

/// After so many wild frames leaves are fitted once: `wear` wants to know what has become of them.
const MOST_WILD: u32 = 16;

/// The tree of one body.
#[derive(Debug)]
pub struct Tree {
    pub(super) arrangement: Arrangement,
    /// Anchored boxes: those of the leaves, then of the clusters, then of eight clusters each, up to a level of at most
    /// eight nodes.
    pub(super) levels: Vec<Vec<Boxes8>>,
    clusters: Vec<Cluster>,
    connectivity: OnceLock<Connectivity>,
    pub(super) wear: Wear,
    /// The drift of the body by which boxes are anchored.
    base: Drift,
    /// The drift of the body now, less `base`.
    low: [f64; 3],
    high: [f64; 3],
    /// Whether most clusters had loosened, so that they were fitted without their leaves; and for how many frames.
    is_wild: bool,
    wild_frames: u32,
    /// The largest coordinate that any sum of anchored box and drift can have, for the bound on its rounding.
    scale: f32,
}

#[derive(Debug, Default)]
struct Cluster {
    /// Whether a query has reached the cluster since it was last looked at.
    reached: AtomicBool,
    /// The loosening, as `Tree::spread`, when it was last fitted, and by how much more it must be fitted again.
    fitted_at: f32,
    slack: f32,
    /// What its boxes covered when it was last fitted.
    covered: Covered<f32>,
}

impl Tree {
    pub(super) fn new(body: &Body) -> Self {
        let arrangement = Arrangement::of(body);
        let mut levels = Vec::new();
        let mut nodes = arrangement.leaf_count();
        loop {
            levels.push(vec![Boxes8::EMPTY; nodes.div_ceil(WIDTH)]);
            if nodes <= WIDTH {
                break;
            }
            nodes = nodes.div_ceil(WIDTH);
        }
        let clusters = (0..arrangement.cluster_count()).map(|_| Cluster::default()).collect();
        let base = body.drift();
        let mut tree = Self {
            arrangement,
            levels,
            clusters,
            connectivity: OnceLock::new(),
            wear: Wear::default(),
            base,
            low: [0.0; 3],
            high: [0.0; 3],
            is_wild: false,
            wild_frames: 0,
            scale: 0.0,
        };
        tree.fit_all(body);
        tree.wear.begin(false);
        tree
    }

    /// Takes in the new vertices of the body; builds the tree anew if that is to be.
    pub(super) fn update(&mut self, body: &Body, rebuild: Rebuild) {
        let (triangles, has_neighbours) = (self.arrangement.triangles.len(), self.connectivity.get().is_some());
        let is_due = match rebuild {
            Rebuild::WhenItPays => self.wear.is_too_much(triangles, has_neighbours),
            Rebuild::Never => false,
            Rebuild::Always => true,
        };
        if is_due {
            // The same triangles make a tree of the same shape: only what stands in it changes.
            self.arrangement.arrange_anew(body);
            self.connectivity.take();
            self.fit_all(body);
            self.wear.begin(true);
        } else {
            self.refit(body);
        }
    }

    fn refit(&mut self, body: &Body) {
        let (drift, spread_before) = (body.drift(), self.spread());
        let since = |now: [f64; 3], base: [f64; 3]| std::array::from_fn(|axis| now[axis] - base[axis]);
        (self.low, self.high) = (since(drift.low, self.base.low), since(drift.high, self.base.high));
        let size = body.bounds().extent().into_iter().fold(0.0, f32::max);
        let (shift, largest) = (self.shift(), largest(body));
        // Far from the anchor f32 gets coarse, and may overflow; across a jump the drift says nothing.
        let is_far = self.spread() > 4.0 * size || shift > 16.0 * largest || shift + largest > f32::MAX / 16.0;
        if drift.jumps != self.base.jumps || is_far {
            self.fit_all(body);
            return;
        }
        self.note_scale(body);
        let spread = self.spread();
        let step = spread - spread_before;
        // Some of them speak for all.
        let (mut asked, mut loosened) = (0, 0);
        for cluster in self.clusters.iter_mut().step_by(WIDTH) {
            asked += 1;
            loosened += usize::from(!*cluster.reached.get_mut() && step > cluster.slack);
        }
        self.is_wild = self.clusters.len() >= MANY && 2 * loosened > asked && self.wild_frames < MOST_WILD;
        if self.is_wild {
            self.wild_frames += 1;
            let level = Level::new();
            dispatch!(level, simd => self.fit_clusters(simd, body));
            return;
        }
        self.wild_frames = 0;
        for cluster in &mut self.clusters {
            *cluster.reached.get_mut() |= spread - cluster.fitted_at > cluster.slack;
        }
        self.fit_reached(body);
    }

    /// Fits all clusters, but not their leaves.
    #[inline(always)]
    fn fit_clusters<S: Simd>(&mut self, simd: S, body: &Body) {
        for cluster in 0..self.clusters.len() {
            *self.clusters[cluster].reached.get_mut() = false;
            self.fit_without_leaves(simd, cluster, body);
        }
        self.join_levels(simd);
    }

    /// Whether the boxes of leaves are right in this frame; else a query has to fit those it comes by.
    #[inline(always)]
    pub(super) fn keeps_leaves(&self) -> bool {
        !self.is_wild
    }

    /// Fits the clusters that [`note_reached`](Self::note_reached) has noted since the last time.
    fn fit_reached(&mut self, body: &Body) {
        let level = Level::new();
        dispatch!(level, simd => self.fit_reached_in(simd, body));
    }

    #[inline(always)]
    fn fit_reached_in<S: Simd>(&mut self, simd: S, body: &Body) {
        let mut changed = false;
        for cluster in 0..self.clusters.len() {
            if std::mem::take(self.clusters[cluster].reached.get_mut()) {
                self.fit(simd, cluster, body);
                changed = true;
            }
        }
        if changed {
            self.join_levels(simd);
        }
    }

    /// What self-collision needs to know, made at the first call.
    pub(super) fn connectivity(&self, vertex_count: usize) -> &Connectivity {
        self.connectivity.get_or_init(|| Connectivity::of(self, vertex_count))
    }

    /// The anchored boxes of a level, eight together, and how many nodes it has.
    pub(super) fn level(&self, level: usize) -> (&[Boxes8], usize) {
        let count = (0..level).fold(self.arrangement.leaf_count(), |nodes, _| nodes.div_ceil(WIDTH));
        (&self.levels[level], count)
    }

    /// Notes that a query has reached a cluster.
    #[inline]
    pub(super) fn note_reached(&self, cluster: u32) {
        // No order is needed: the flag is read in `update`, which has the tree to itself.
        self.clusters[cluster as usize].reached.store(true, Ordering::Relaxed);
    }

    /// How far anchored boxes of `self`, held against anchored boxes of `other`, have to be widened.
    ///
    /// Boxes overlap along an axis if low_a + drift_a.low ≤ high_b + drift_b.high and the other way round. With all
    /// drifts brought to one side, that is: low_a − (drift_b.high − drift_a.low) ≤ high_b. The difference is computed
    /// in f64, rounded to f32 and subtracted in f32: three roundings, each within 2^-24 of a number that is at most the
    /// sum of both scales. Anchoring has rounded a drift and a difference of each body, all within 2^-24 of half its
    /// scale, which together is 2^-24 of the sum of both. The slack of 2^-21 of that sum is twice all of it, and the
    /// smallest normal number covers what underflows.
    pub(super) fn widening(&self, other: &Self) -> Widening {
        let slack = slack(self.scale + other.scale);
        Widening {
            low: std::array::from_fn(|axis| narrowed(other.high[axis] - self.low[axis]) + slack),
            high: std::array::from_fn(|axis| narrowed(self.high[axis] - other.low[axis]) + slack),
        }
    }

    /// How far a box that is right now has to be widened to be held against anchored boxes of `self`; the argument is
    /// that of [`widening`](Self::widening), with no drift on the other side.
    pub(super) fn widening_of_box(&self, bounds: &Aabb) -> Widening {
        let largest = bounds.low().abs().max(bounds.high().abs()).max_element();
        let slack = slack(self.scale + largest);
        Widening {
            low: std::array::from_fn(|axis| narrowed(self.high[axis]) + slack),
            high: std::array::from_fn(|axis| narrowed(-self.low[axis]) + slack),
        }
    }

    /// By how much boxes fitted at the anchor have loosened, along the axis where it is most.
    fn spread(&self) -> f32 {
        (0..3).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max) as f32
    }

    /// The largest drift along any axis.
    fn shift(&self) -> f32 {
        self.low.iter().chain(&self.high).fold(0.0, |most: f64, x| most.max(x.abs())) as f32
    }

    /// Fits every cluster and anchors them anew.
    fn fit_all(&mut self, body: &Body) {
        (self.base, self.low, self.high, self.scale) = (body.drift(), [0.0; 3], [0.0; 3], 0.0);
        self.note_scale(body);
        (self.is_wild, self.wild_frames) = (false, 0);
        self.clusters.iter_mut().for_each(|cluster| *cluster.reached.get_mut() = true);
        self.fit_reached(body);
    }

    fn note_scale(&mut self, body: &Body) {
        if body.bounds().is_empty() {
            return;
        }
        // Twice: once for a coordinate with a drift taken off, once for a drift added again.
        self.scale = self.scale.max(2.0 * (largest(body) + self.shift()));
    }

    /// Fits the leaves of a cluster, and the cluster. In the last cluster, places without a leaf repeat the last one: the
    /// traversal does not look at them.
    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, cluster: usize, body: &Body) {
        let [low, high] = self.leaf_corners(simd, cluster, body);
        self.levels[0][cluster] = self.anchored(simd, low, high);
        let whole = Corners { low: low.least(), high: high.most() };
        // Rounding keeps order: this is the union of the leaves' anchored boxes.
        self.set_cluster(cluster, &whole);
        let size = (0..3).map(|axis| whole.high[axis] - whole.low[axis]).fold(0.0, f32::max);
        let spread = self.spread();
        (self.clusters[cluster].fitted_at, self.clusters[cluster].slack) = (spread, LOOSE * stagger(cluster) * size);
        let covered = Covered { by_leaves: surfaces(high.minus(low)), by_clusters: surface(&whole) };
        self.wear.add(std::mem::replace(&mut self.clusters[cluster].covered, covered), covered);
    }

    /// Fits a cluster without its leaves.
    #[inline(always)]
    fn fit_without_leaves<S: Simd>(&mut self, simd: S, cluster: usize, body: &Body) {
        let (low, high) = box_of(simd, body.vertices(), self.arrangement.cluster_vertices(cluster));
        let ([x, y, z, _], [p, q, r, _]): ([f32; 4], [f32; 4]) = (low.into(), high.into());
        self.set_cluster(cluster, &Corners { low: [x, y, z], high: [p, q, r] });
    }

    #[inline(always)]
    fn set_cluster(&mut self, cluster: usize, whole: &Corners) {
        let (low, high) = self.drifts();
        if let Some(clusters) = self.levels.get_mut(1) {
            clusters[cluster / WIDTH].set(cluster % WIDTH, &whole.less(low, high));
        }
    }

    /// The anchored boxes of the leaves of a cluster as they are now.
    #[inline(always)]
    pub(super) fn fitted_leaves<S: Simd>(&self, simd: S, cluster: usize, body: &Body) -> Boxes8 {
        let [low, high] = self.leaf_corners(simd, cluster, body);
        self.anchored(simd, low, high)
    }

    #[inline(always)]
    fn leaf_corners<S: Simd>(&self, simd: S, cluster: usize, body: &Body) -> [Vec8<S>; 2] {
        let (first, last) = (cluster * WIDTH, self.arrangement.leaf_count() - 1);
        let mut corners = [[f32x4::splat(simd, 0.0); WIDTH]; 2];
        for place in 0..WIDTH {
            let vertices = self.arrangement.vertices((first + place).min(last));
            (corners[0][place], corners[1][place]) = box_of(simd, body.vertices(), vertices);
        }
        [Vec8::of(corners[0]), Vec8::of(corners[1])]
    }

    #[inline(always)]
    fn anchored<S: Simd>(&self, simd: S, low: Vec8<S>, high: Vec8<S>) -> Boxes8 {
        let (drift_low, drift_high) = self.drifts();
        Boxes8::of(low.minus(Vec8::splat(simd, drift_low)), high.minus(Vec8::splat(simd, drift_high)))
    }

    /// The drift since the anchor, as it is taken off the corners of boxes.
    fn drifts(&self) -> ([f32; 3], [f32; 3]) {
        (self.low.map(|x| x as f32), self.high.map(|x| x as f32))
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

/// The box of some vertices, with anything in the fourth lane: two at a time, since one box would wait for itself.
#[inline(always)]
fn box_of<S: Simd>(simd: S, vertices: &Vertices, chosen: &[[u32; 4]]) -> (f32x4<S>, f32x4<S>) {
    let far = f32x4::splat(simd, f32::INFINITY);
    let (mut low, mut high) = ([far; 2], [-far; 2]);
    for &[i, j, k, l] in chosen {
        let (i, j) = (load(simd, &vertices.four(i)), load(simd, &vertices.four(j)));
        let (k, l) = (load(simd, &vertices.four(k)), load(simd, &vertices.four(l)));
        (low[0], high[0]) = (low[0].min(i).min(k), high[0].max(i).max(k));
        (low[1], high[1]) = (low[1].min(j).min(l), high[1].max(j).max(l));
    }
    (low[0].min(low[1]), high[0].max(high[1]))
}

/// What covers the rounding of numbers up to `scale`.
fn slack(scale: f32) -> f32 {
    2.0f32.powi(-21) * scale + f32::MIN_POSITIVE
}

/// The largest coordinate of a body, regardless of sign.
fn largest(body: &Body) -> f32 {
    body.bounds().low().abs().max(body.bounds().high().abs()).max_element()
}

/// To f32, but never to minus infinity: a widening may be too large, not too small.
fn narrowed(x: f64) -> f32 {
    (x as f32).max(f32::MIN)
}
