//! Complete 8-ary trees of clusters, traversed and tested eight lanes at a time: the default, and the fastest.
//!
//! In the spirit of Larsson & Akenine-Möller 2001 — build once, refit lazily — but made for today's processors:
//!
//! - the triangles are put in an order once, over which the tree is implicit ([`build`]);
//! - boxes of clusters of 64 triangles are carried from frame to frame by a bound on how far vertices have moved, and
//!   fitted again only where it pays ([`refit`]);
//! - what lies inside a cluster is fitted when a query gets there, in the memory of the querying thread ([`cluster`]);
//! - traversal compares eight boxes with eight ([`traverse`]), the triangle test takes eight candidates
//!   ([`triangle_lanes`]).
//!
//! A query only reads the trees, so any number of them can run side by side.
//!
//! Cost: build O(n log n) once; a frame O(clusters) plus what is near the other body.
//! Held by: `tests/agreement.rs` at every SIMD level, experiments LE1 to LE3 and CR1 to CR4.

mod boxes8;
mod build;
mod cluster;
mod fans;
mod neighbours;
mod options;
mod refit;
mod self_pairs;
mod traverse;
mod triangle_lanes;
mod vec8;

use fearless_simd::{Level, Simd, dispatch};

pub use options::{Lanes, WideTreeOptions};
pub use refit::Tree;

use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::contact::{Stats, TrianglePair};
use cluster::ClusterCache;
use traverse::{Candidates, Front};

/// The default method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideTree {
    /// How trees are kept and which instructions are used.
    pub options: WideTreeOptions,
}

/// Working memory of one thread.
#[derive(Debug, Default)]
pub struct Scratch {
    front: Front,
    clusters_a: ClusterCache,
    clusters_b: ClusterCache,
    candidates: Candidates,
    doubtful: fans::Doubtful,
}

impl WideTree {
    fn level(&self) -> Level {
        match self.options.lanes {
            Lanes::Best => Level::new(),
            Lanes::Baseline => Level::baseline(),
        }
    }
}

impl PairMethod for WideTree {
    type Tree = Tree;
    type Scratch = Scratch;

    fn build(&self, body: &Body) -> Tree {
        Tree::new(body)
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        tree.update(body);
    }

    fn find_pairs(
        &self,
        a: Side<'_, Tree>,
        b: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        dispatch!(self.level(), simd => find_pairs(simd, a, b, wanted, scratch, found))
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        dispatch!(self.level(), simd => self_pairs::find(simd, side, wanted, scratch, found))
    }
}

#[inline(always)]
fn find_pairs<S: Simd>(
    simd: S,
    a: Side<'_, Tree>,
    b: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let Scratch { front, clusters_a, clusters_b, candidates, .. } = scratch;
    clusters_a.clear(a.tree.arrangement.cluster_count());
    clusters_b.clear(b.tree.arrangement.cluster_count());
    candidates.clear();
    let start = found.len();
    let mut stats = Stats::default();
    let (bounds_a, bounds_b) = (a.body.bounds(), b.body.bounds());
    for &(cluster_a, cluster_b) in front.reach(simd, (a.tree, &bounds_a), (b.tree, &bounds_b)) {
        a.tree.note_reached(cluster_a as usize);
        b.tree.note_reached(cluster_b as usize);
        let boxes_a = clusters_a.fit(simd, a.tree, a.body, cluster_a);
        let boxes_b = clusters_b.fit(simd, b.tree, b.body, cluster_b);
        let (boxes_a, boxes_b) = (clusters_a.at(boxes_a), clusters_b.at(boxes_b));
        traverse::candidates(simd, (cluster_a, boxes_a), (cluster_b, boxes_b), candidates);
        if candidates.is_full() || wanted == Wanted::First {
            stats += test(simd, a, b, candidates, found);
            if wanted == Wanted::First && found.len() > start {
                found.truncate(start + 1);
                break;
            }
        }
    }
    stats += test(simd, a, b, candidates, found);
    stats.box_tests += front.box_tests;
    stats.boxes_fitted += (build::CLUSTER * (clusters_a.len() + clusters_b.len())) as u64;
    stats
}

/// Tests the candidates so far and starts a new list.
#[inline(always)]
fn test<S: Simd>(
    simd: S,
    a: Side<'_, Tree>,
    b: Side<'_, Tree>,
    candidates: &mut Candidates,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let exact_tests = triangle_lanes::test(simd, (a.tree, a.body), (b.tree, b.body), candidates.as_slice(), found);
    let stats = Stats { candidates: candidates.as_slice().len() as u64, exact_tests, ..Stats::default() };
    candidates.clear();
    stats
}
