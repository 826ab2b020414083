//! Complete 8-ary trees of clusters, traversed and tested eight lanes at a time: the default, and the fastest.
//!
//! In the spirit of Larsson & Akenine-Möller 2001 — build once, refit lazily — but made for today's processors:
//!
//! - the triangles are put in an order once, over which the tree is implicit (`build`);
//! - boxes of leaves of 8 triangles are carried from frame to frame by a bound on how far vertices have moved, and
//!   fitted again, 64 triangles at a time, only where it pays (`refit`); a tree that deformation has spoilt is built
//!   anew (`wear`);
//! - the triangles of a leaf get boxes when a query gets there, in the memory of the querying thread (`leaf`), and so do
//!   the leaves of a cluster where motion is wild (`cluster`);
//! - traversal compares eight boxes with eight (`traverse`), the triangle test takes eight candidates
//!   (`triangle_lanes`); threads share out pairs of clusters (`workers`).
//!
//! A query only reads the trees, so any number of them can run side by side.
//!
//! Cost: build O(n log n) once; a frame O(clusters) plus what is near the other body.
//! Held by: `tests/agreement.rs` and `tests/wide_tree.rs` at every SIMD level, experiments LE1 to LE3 and CR1 to CR4.

mod boxes8;
mod build;
mod cluster;
mod fans;
mod leaf;
mod neighbours;
mod options;
mod places;
mod refit;
mod self_pairs;
mod traverse;
mod triangle_lanes;
mod vec8;
mod wear;
mod workers;

use fearless_simd::{Level, dispatch};

pub use options::{Lanes, WideTreeOptions};
pub use refit::Tree;
pub use wear::Rebuild;

use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::contact::{Stats, TrianglePair};
use traverse::Front;
use workers::{Asked, Work, Worker};

/// The default method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideTree {
    /// How trees are kept and which instructions are used.
    pub options: WideTreeOptions,
}

/// Working memory of one query.
#[derive(Debug, Default)]
pub struct Scratch {
    front: Front,
    /// That of the threads which share the work of one query; the first serves where there is but one.
    workers: Vec<Worker>,
    doubtful: fans::Doubtful,
    /// Pairs of neighbours that collide.
    neighbours: Vec<TrianglePair>,
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
        tree.update(body, self.options.rebuild);
    }

    fn find_pairs(
        &self,
        a: Side<'_, Tree>,
        b: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let Scratch { front, workers, .. } = scratch;
        let (bounds_a, bounds_b) = (a.body.bounds(), b.body.bounds());
        let level = self.level();
        dispatch!(level, simd => front.reach(simd, (a.tree, &bounds_a), (b.tree, &bounds_b)));
        let asked = Asked { a, b, own: None };
        let Work { mut stats, leaf_pairs, .. } =
            workers::find_pairs(level, asked, front.reached(), wanted, workers, found);
        stats.box_tests += front.box_tests;
        for tree in [a.tree, b.tree] {
            tree.wear.note(leaf_pairs, stats.candidates);
            stats.builds += tree.wear.untold_builds();
        }
        stats
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        self_pairs::find(self.level(), side, wanted, scratch, found)
    }
}
