//! World-space box trees, built once and refitted lazily.
//!
//! Paper: Larsson & Akenine-Möller 2001, "Collision Detection for Continuously Deforming Bodies". The tree is built by
//! the body's first shape ([`TreeKind::InitialShape`]) or by its connectivity alone ([`TreeKind::Connectivity`]). Each
//! frame the upper half of the levels is refitted before the query, and what a traversal reaches below it when it gets
//! there ([`Update::Hybrid`]); the two strategies between which that is the compromise are here too.
//!
//! Departs: leaves hold their triangle's box (the paper says the same); nodes of like size are opened on both sides at
//! once, see `traverse`; what the last frame's queries reached is refitted before this frame's, see `refit`
//! ([`Update::Coherent`]); the triangle test is exact. Queries share trees and do not change them: what lies below the
//! refitted boxes they fit into memory of their own (`late`), so that one may use several threads (`search`).
//!
//! Cost: build O(n log n) once; per frame as `refit` says; memory about 130 bytes per triangle at degree eight.
//! Held by: `tests/agreement`, experiments LE1 to LE3.

mod connectivity;
mod late;
mod options;
mod refit;
mod search;
mod traverse;

pub use options::{HybridTreeOptions, TreeKind, Update};
pub use search::Scratch;

use self::refit::Boxes;
use crate::levels::Levels;
use crate::split::PositionSplit;
use crumple::Body;
use crumple::narrow::{Flow, PairMethod, PairTest, SelfTest, Side};

/// The method of Larsson & Akenine-Möller 2001.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridTree {
    /// How trees are built and kept up to date.
    pub options: HybridTreeOptions,
}

/// The tree of one body.
#[derive(Clone, Debug)]
pub struct Tree {
    boxes: Boxes,
}

impl PairMethod for HybridTree {
    type Tree = Tree;
    type Scratch = Scratch;

    // What the last frame reached is fitted here, which takes several times what a lane of the wide tree takes.
    const UPDATES_WORTH_A_THREAD: usize = 8_192;

    fn build(&self, body: &Body) -> Tree {
        let HybridTreeOptions { degree, split_at, kind, .. } = self.options;
        let live = body.mesh().live_triangles().map(|(triangle, _)| triangle.0);
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
        Tree { boxes: Boxes::new(&levels, body, self.options.update) }
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        tree.boxes.begin_frame(body);
    }

    fn find_pairs(&self, a: Side<'_, Tree>, b: Side<'_, Tree>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
        search::pairs((a, b), scratch, test)
    }

    fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        search::self_pairs(side, scratch, test)
    }
}
