//! World-space box trees, built once and refitted lazily.
//!
//! Paper: Larsson & Akenine-Möller 2001, "Collision Detection for Continuously Deforming Bodies". The tree is built by
//! the body's first shape ([`TreeKind::InitialShape`]) or by its connectivity alone ([`TreeKind::Connectivity`]). Each
//! frame the upper half of the levels is refitted before the query, and what a traversal reaches below it when it gets
//! there ([`Update::Hybrid`]); the two strategies between which that is the compromise are here too.
//!
//! Departs: leaves hold their triangle's box (the paper says the same), but inner nodes are opened on both sides at
//! once, see `traverse`; the triangle test is exact. What lies below the refitted levels sits behind a mutex, since a
//! query borrows trees shared and a body may take part in several queries at once.
//!
//! Cost: build O(n log n) once; per frame as `refit` says; memory about 130 bytes per triangle at degree eight.
//! Held by: `tests/agreement`, experiments LE1 to LE3.

mod connectivity;
mod options;
mod refit;
mod traverse;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use options::{HybridTreeOptions, TreeKind, Update};

use self::refit::Boxes;
use super::groups::Item;
use super::levels::Levels;
use super::pair_test::TestMemory;
use super::split::PositionSplit;
use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::geom::TrianglePair;
use crate::narrow::Stats;

/// The method of Larsson & Akenine-Möller 2001.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridTree {
    /// How trees are built and kept up to date.
    pub options: HybridTreeOptions,
}

/// The tree of one body.
#[derive(Debug)]
pub struct Tree {
    boxes: Mutex<Boxes>,
}

impl Clone for Tree {
    fn clone(&self) -> Self {
        Self { boxes: Mutex::new(self.lock().clone()) }
    }
}

impl Tree {
    fn lock(&self) -> MutexGuard<'_, Boxes> {
        // A panic elsewhere cannot leave a box half written in a way that matters: its stamp comes last.
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PairMethod for HybridTree {
    type Tree = Tree;
    type Scratch = Scratch;

    fn build(&self, body: &Body) -> Tree {
        let HybridTreeOptions { degree, split_at, kind, .. } = self.options;
        let live = body.mesh().live_numbers();
        let levels = match kind {
            TreeKind::InitialShape => {
                let mut shape = PositionSplit::new(body, degree, split_at);
                Levels::build(live, |triangles, ends| shape.split(triangles, ends))
            }
            TreeKind::Connectivity => {
                let mut patches = connectivity::PatchSplit::new(body.mesh(), degree);
                Levels::build(live, |triangles, ends| patches.split(triangles, ends))
            }
        };
        Tree { boxes: Mutex::new(Boxes::new(&levels, body, self.options.update)) }
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        let boxes = tree.boxes.get_mut().unwrap_or_else(PoisonError::into_inner);
        boxes.begin_frame(body);
    }

    fn find_pairs(
        &self,
        a: Side<'_, Tree>,
        b: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let same_tree = std::ptr::eq(a.tree, b.tree);
        // Two queries about the same two trees must take the locks in one order; addresses give one.
        let (mut boxes_a, mut boxes_b);
        if same_tree {
            // A body against itself as if it were two: rare enough to pay for a copy.
            let mut copy = a.tree.lock().clone();
            boxes_b = b.tree.lock();
            return traverse::pairs((a, &mut copy), (b, &mut boxes_b), wanted, scratch, found);
        }
        if std::ptr::from_ref(a.tree) < std::ptr::from_ref(b.tree) {
            boxes_a = a.tree.lock();
            boxes_b = b.tree.lock();
        } else {
            boxes_b = b.tree.lock();
            boxes_a = a.tree.lock();
        }
        traverse::pairs((a, &mut boxes_a), (b, &mut boxes_b), wanted, scratch, found)
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        traverse::self_pairs(side, &mut side.tree.lock(), wanted, scratch, found)
    }
}

/// The node pairs still to be opened, and the children of one side that reach the other.
#[derive(Debug, Default)]
pub struct Scratch {
    test: TestMemory,
    /// The triangles of a body that is asked about itself, in the order of its tree.
    items: Vec<Item>,
    open: traverse::Open,
    reached: traverse::Reached,
}
