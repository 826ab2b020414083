//! An octree of buckets laid anew over the primitives each frame.
//!
//! Paper: Ganovelli, Dingliana & O'Sullivan 2000, "BucketTree: Improving Collision Detection Between Deformable
//! Objects". A body is a soup of primitives without topology. Each frame its box is cut into 8^l buckets, every primitive
//! is filed by its reference point — by an equation (`place`) or from three arrays kept sorted (`sort`) — and pairs of
//! overlapping buckets are found by a descent of two octrees (`traverse`). [`Soup`] is that engine for any primitive,
//! [`BucketTree`] its instance for the triangles of a body.
//!
//! Departs: nodes carry the tight box of what they hold, and crowded buckets are split (`occupancy`); levels are chosen
//! from the data unless fixed (`choose`). The paper's slips stand where they were put right: equation 1 in `place`,
//! equation 3 and the procedure in `sort`. Besides, "l levels" counts those below the root, the paper calls what it
//! improves the broad phase once and means the narrow one, and its comparison of both algorithms is figure 3, not table 3.
//!
//! Cost: O(n) a frame; memory 48 bytes a node (see [`LevelChoice`]) and about 100 bytes a primitive.
//! Held by: `tests/bucket_tree.rs`, experiments BE1 to BE3.

mod choose;
mod error;
mod occupancy;
mod options;
mod place;
mod sort;
mod soup;
mod traverse;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow::{Break, Continue};

pub use error::BucketTreeError;
pub use options::{BucketTreeOptions, Filing, LevelChoice, Opening};
pub use soup::{Primitive, PrimitiveId, Soup};

use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::contact::{Stats, TriangleId, TrianglePair};
use crate::exact::{SharedVertices, corners_meet, has_no_area, self_pair_meets};
use occupancy::Buckets;

/// The method of Ganovelli, Dingliana & O'Sullivan 2000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BucketTree {
    options: BucketTreeOptions,
}

impl BucketTree {
    /// The method with these options.
    ///
    /// # Errors
    /// If they ask for an octree that cannot be built.
    pub fn new(options: BucketTreeOptions) -> Result<Self, BucketTreeError> {
        Ok(Self { options: options.check()? })
    }

    /// How buckets are chosen, filled and compared.
    pub fn options(&self) -> BucketTreeOptions {
        self.options
    }
}

/// The buckets of one body.
#[derive(Clone, Debug)]
pub struct Tree {
    buckets: Buckets,
}

impl Tree {
    /// How the triangles were spread over the buckets by the last update.
    pub fn stats(&self) -> BucketStats {
        self.buckets.stats
    }
}

/// How primitives are spread over buckets, and what it took to file them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BucketStats {
    /// Primitives filed.
    pub primitives: u64,
    /// Levels of the octree below its root; 0 if it is empty.
    pub levels: u32,
    /// Buckets of the octree that hold something.
    pub buckets: u64,
    /// The most primitives in one bucket of the octree, before it is split: close to all of them is the weakness of
    /// this method.
    pub largest_bucket: u64,
    /// Buckets, and parts of buckets, that were split because they held too much.
    pub splits: u64,
    /// The most primitives that are left together after that.
    pub largest_leaf: u64,
    /// Moves of insertion sort, over all three axes.
    pub sort_moves: u64,
    /// Axes sorted from nothing, because that was less work.
    pub full_sorts: u32,
    /// Steps the pointers to the slabs took to their new places.
    pub pointer_steps: u64,
}

/// Which boxes of the nodes a search for bucket pairs compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeBoxes {
    /// The tight boxes of what they hold: nothing is ever missed.
    #[default]
    Tight,
    /// The cells of the octree, as in the paper: for points only, since other primitives stick out of their cells.
    Cells,
}

/// Working memory of one thread: the stack of node pairs still to be opened.
#[derive(Debug, Default)]
pub struct BucketScratch {
    open: Vec<(u32, u32)>,
}

impl PairMethod for BucketTree {
    type Tree = Tree;
    type Scratch = BucketScratch;

    fn build(&self, body: &Body) -> Tree {
        let mut tree = Tree { buckets: Buckets::default() };
        self.update(&mut tree, body);
        tree
    }

    fn update(&self, tree: &mut Tree, body: &Body) {
        tree.buckets.update(&self.options, body.mesh().triangles().len(), |triangle| {
            let triangle = triangle as u32;
            body.mesh().is_live(TriangleId(triangle)).then(|| {
                let bounds = body.triangle_box(triangle);
                (bounds, soup::centre(&bounds))
            })
        });
    }

    // Buckets are laid anew each frame over whatever triangles there are; sorted arrays take in those that come and go.
    fn rebuild(&self, tree: &mut Tree, body: &Body) {
        self.update(tree, body);
    }

    fn find_pairs(
        &self,
        a: Side<'_, Tree>,
        b: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut BucketScratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let (triangles_a, triangles_b) = (a.body.mesh().triangles(), b.body.mesh().triangles());
        traverse::candidates((&a.tree.buckets, &b.tree.buckets), self.options.opening, scratch, |i, j| {
            let corners_a = a.body.padded_corners(triangles_a[i as usize]);
            let corners_b = b.body.padded_corners(triangles_b[j as usize]);
            if corners_meet(&corners_a, &corners_b) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    return Break(());
                }
            }
            Continue(())
        })
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut BucketScratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let (body, mesh) = (side.body, side.body.mesh());
        let corners = |triangle: u32| body.corners(mesh.triangles()[triangle as usize]);
        let vertices = |triangle: u32| mesh.welded_triangles()[triangle as usize];
        let mut stats = traverse::self_candidates(&side.tree.buckets, self.options.opening, scratch, |i, j| {
            let (i, j) = (i.min(j), i.max(j));
            let (a, b) = (corners(i), corners(j));
            if self_pair_meets(&a, &b, SharedVertices::between(&a, vertices(i), &b, vertices(j))) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    return Break(());
                }
            }
            Continue(())
        });
        let flat = |triangle: &u32| has_no_area(&corners(*triangle));
        stats.degenerate = mesh.live_numbers().filter(flat).count() as u64;
        stats
    }
}
