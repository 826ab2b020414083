//! The walk of the wide tree (`tree`) with the triangle test in eight lanes: the default, and the fastest.
//!
//! Two bodies: the tree hands out candidates, `pairs` tests them. One body: pairs of triangles without a common vertex
//! are found in the same way, by walking the tree against itself with neighbours masked out; pairs that share a vertex
//! are decided by `narrow::neighbours`, at the same time where there are threads.
//!
//! Cost: build O(n log n) once; a frame O(clusters) plus what is near the other body.
//! Held by: `tests/agreement` and `tests/agreement/wide_tree.rs` with the best and the baseline instructions, experiments LE1 to LE3 and CR1 to CR4.

mod options;
mod pairs;

pub use crate::tree::{Rebuild, Tree};
pub use options::{Lanes, WideTreeOptions};

use super::neighbours::{self, Decided};
use super::{Flow, PairMethod, PairTest, SelfTest, Side, Wanted};
use crate::body::Body;
use crate::geom::lanes::{Instructions, chosen_simd};
use crate::geom::{Aabb, TrianglePair};
use crate::narrow::Stats;
use crate::threads;
use crate::tree::{ClearNodes, FlatPatches, TreeSide, WalkMemory, Work, walk};
use pairs::{BetweenBodies, Pairs, WithinBody};

/// Triangles of a body from which on it pays to let another thread decide the neighbours.
const WORTH_A_THREAD: usize = 8_192;

/// The default method: a bounding volume hierarchy (BVH) of boxes with eight children per node, refitted each frame.
#[doc(alias = "BVH")]
#[doc(alias = "bounding volume hierarchy")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideTree {
    /// How trees are kept and which instructions are used.
    pub options: WideTreeOptions,
}

/// Working memory of one query.
#[derive(Debug, Default)]
pub struct Scratch {
    walk: WalkMemory<Pairs>,
    /// Pairs of neighbours that collide.
    neighbours: Vec<TrianglePair>,
    /// What lies side by side.
    flat: FlatPatches,
}

impl WideTree {
    /// The instructions that queries use.
    pub(crate) fn simd(&self) -> Instructions {
        match self.options.lanes {
            Lanes::Best => chosen_simd(),
            Lanes::Baseline => Instructions::baseline(),
        }
    }
}

impl PairMethod for WideTree {
    type Tree = Tree;
    type Scratch = Scratch;

    const DECIDES_ITSELF: bool = true;

    fn build(&self, body: &Body) -> Tree {
        Tree::new(body, self.simd())
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        tree.update(body, self.options.rebuild, None);
    }

    fn update_near(&self, tree: &mut Tree, body: &Body, near: &Aabb) {
        tree.update(body, self.options.rebuild, Some(near));
    }

    fn rebuild(&self, tree: &mut Tree, body: &Body) {
        tree.follow(body, self.options.rebuild);
    }

    fn as_wide_tree(&self) -> Option<&WideTree> {
        Some(self)
    }

    fn find_pairs(&self, a: Side<'_, Tree>, b: Side<'_, Tree>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
        let (wanted, found, stats) = test.direct();
        let question = BetweenBodies { bodies: (a.body, b.body), wanted };
        let mut answer = Pairs::after(std::mem::take(found));
        let work = walk(self.simd(), &question, (a.into(), b.into()), &mut scratch.walk, &mut answer);
        add(stats, work, &answer);
        stats.builds += a.tree.take_unreported_builds() + b.tree.take_unreported_builds();
        *found = answer.found;
        Flow::Continue(())
    }

    fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        let Side { tree, body } = side;
        let Scratch { walk: memory, neighbours, flat } = scratch;
        let ((hubs, doubtful), relations) = (test.take_neighbours(), test.relations);
        let (wanted, found, stats) = test.direct();
        let (start, simd) = (found.len(), self.simd());
        let (masks, nodes) = tree.neighbour_masks(body.mesh());
        let patches = tree.patches(body.mesh());
        flat.find(simd, side.into(), patches);
        let flat = flat.found(patches);
        let question = WithinBody { body, relations, masks, clear: ClearNodes { nodes, hubs, flat }, wanted };
        let mut answer = Pairs::after(std::mem::take(found));
        let mut find_apart = || walk(simd, &question, (side.into(), side.into()), memory, &mut answer);
        let decide_neighbours = || {
            neighbours.clear();
            doubtful.map_or_else(Decided::default, |doubtful| {
                neighbours::find_pairs(simd, (body, flat), wanted, doubtful, neighbours)
            })
        };
        let (work, decided) = match wanted {
            Wanted::All | Wanted::AtMost(_) => {
                let threads = if tree.triangle_count() < WORTH_A_THREAD { 1 } else { threads::available() };
                threads::join(threads, find_apart, decide_neighbours)
            }
            Wanted::First => {
                let work = find_apart();
                // Neighbours hardly ever collide: they come last.
                let is_done = answer.found.len() > start;
                (work, if is_done { Decided::default() } else { decide_neighbours() })
            }
        };
        add(stats, work, &answer);
        stats.exact_tests += decided.one_by_one;
        stats.degenerate += decided.without_area;
        stats.builds += tree.take_unreported_builds();
        *found = answer.found;
        found.append(neighbours);
        Flow::Continue(())
    }
}

impl<'a> From<Side<'a, Tree>> for TreeSide<'a> {
    fn from(Side { body, tree }: Side<'a, Tree>) -> Self {
        Self { body, tree }
    }
}

/// Counts a walk and what its candidates took.
fn add(stats: &mut Stats, work: Work, answer: &Pairs) {
    stats.box_tests += work.box_tests;
    stats.boxes_fitted += work.boxes_fitted;
    stats.candidates += work.candidates;
    stats.exact_tests += answer.exact_tests;
    stats.pairs_left_out += answer.left_out;
}
