//! Box trees in body coordinates: the baseline that two of the papers measure against.
//!
//! Paper: van den Bergen 1997, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", as
//! described by Larsson & Akenine-Möller 2001, sections 2 and 4. Boxes are aligned with the axes of the *body*, under a
//! rigid pose ([`Body::set_pose`]); after a deformation every box is refitted, children first; boxes of two bodies are
//! compared by the six axes of their faces, leaving out the nine products of edges ("SAT lite"). Binary in his paper;
//! Larsson & Akenine-Möller also tried degree eight.
//!
//! Departs: positions are given in world coordinates, so they are brought into body coordinates first (with the
//! identity, which costs nothing); triangles are tested on the world's vertices, and boxes are compared with a
//! slack that covers every rounding on the way (`sat_lite`), so that the pairs are everybody's.
//!
//! Cost: build O(n log n) once; every box per frame. Held by: `tests/agreement`, experiments LE1 to LE3.

mod refit;
mod sat_lite;
mod traverse;

use crate::levels::Levels;
use crate::split::PositionSplit;
use crate::split::{Degree, SplitAt};
use crumple::Body;
use crumple::narrow::{Boxed, Flow, PairMethod, PairTest, SelfTest, Side};
use refit::Boxes;

/// Options of [`LocalTree`].
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LocalTreeOptions {
    /// The most children a node has; two in the paper.
    pub degree: Degree,
}

impl Default for LocalTreeOptions {
    fn default() -> Self {
        Self { degree: Degree::Two }
    }
}

impl LocalTreeOptions {
    /// The most children a node has.
    pub fn with_degree(self, degree: Degree) -> Self {
        Self { degree }
    }
}

/// The method of van den Bergen 1997.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalTree {
    /// How trees are built.
    pub options: LocalTreeOptions,
}

/// The tree of one body.
#[derive(Clone, Debug)]
pub struct Tree {
    boxes: Boxes,
}

impl PairMethod for LocalTree {
    type Tree = Tree;
    type Scratch = Scratch;

    fn build(&self, body: &Body) -> Tree {
        let mut shape = PositionSplit::new(body, self.options.degree, SplitAt::Centre);
        let levels = Levels::build(body.mesh().live_triangles().map(|(triangle, _)| triangle.0), |triangles, ends| {
            shape.split(triangles, ends)
        });
        let mut tree = Tree { boxes: Boxes::new(&levels, body.mesh()) };
        self.update(&mut tree, body);
        tree
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        tree.boxes.refit(body);
    }

    fn find_pairs(&self, a: Side<'_, Tree>, b: Side<'_, Tree>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
        traverse::pairs(a, b, scratch, test)
    }

    fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        traverse::self_pairs(side, scratch, test)
    }
}

/// The stack of node pairs still to be opened.
#[derive(Debug, Default)]
pub struct Scratch {
    open: Vec<(u32, u32)>,
    /// The triangles of a body that is asked about itself, in the order of its tree.
    items: Vec<Boxed>,
}
