//! An octree of buckets laid anew over the primitives each frame.
//!
//! Paper: Ganovelli, Dingliana & O'Sullivan 2000, "BucketTree: Improving Collision Detection Between Deformable
//! Objects". A body is a soup of primitives without topology. Each frame its box is cut into 8^l buckets, every primitive
//! is filed by its reference point — by an equation (`slabs`) or from three arrays kept sorted (`sort`) — and pairs of
//! overlapping buckets are found by a descent of two octrees (`traverse`). [`Soup`] is that engine for any primitive,
//! [`BucketTree`] its instance for the triangles of a body.
//!
//! Departs: nodes carry the tight box of what they hold, and crowded buckets are split (`occupancy`); levels are chosen
//! from the data unless fixed (`choose`). The paper's slips stand where they were put right: equation 1 in `slabs`,
//! equation 3 and the procedure in `sort`. Besides, "l levels" counts those below the root, the paper calls what it
//! improves the broad phase once and means the narrow one, and its comparison of both algorithms is figure 3, not table 3.
//!
//! Cost: O(n) per frame; memory 48 bytes per node (see [`LevelChoice`]) and about 100 bytes per primitive.
//! Held by: `tests/agreement/bucket_tree.rs`, experiments BE1 to BE3.

mod choose;
mod error;
mod occupancy;
mod options;
mod slabs;
mod sort;
mod soup;
mod traverse;

#[cfg(test)]
mod tests;

pub use error::BucketTreeError;
pub use options::{BucketTreeOptions, Filing, LevelChoice, Opening};
pub use soup::{Primitive, PrimitiveId, Soup};

use super::pair_test::{PairTest, SelfTest, TestMemory};
use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::geom::{TriangleId, TrianglePair};
use crate::narrow::Stats;
use occupancy::{Buckets, Item};

/// The method of Ganovelli, Dingliana & O'Sullivan 2000.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "BucketTreeOptions", into = "BucketTreeOptions")
)]
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

impl TryFrom<BucketTreeOptions> for BucketTree {
    type Error = BucketTreeError;

    fn try_from(options: BucketTreeOptions) -> Result<Self, BucketTreeError> {
        Self::new(options)
    }
}

impl From<BucketTree> for BucketTreeOptions {
    fn from(method: BucketTree) -> Self {
        method.options
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
    /// Steps the pointers to the slabs took to their new positions.
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

/// Working memory of one thread: the stack of node pairs still to be opened, and the candidates still to be decided.
#[derive(Debug, Default)]
pub struct BucketScratch {
    open: Vec<(u32, u32)>,
    test: TestMemory,
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
                (bounds, bounds.centre())
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
        let BucketScratch { open, test } = scratch;
        let mut test = PairTest::new((a.body, b.body), wanted, test, found);
        let trees = (&a.tree.buckets, &b.tree.buckets);
        let mut stats = traverse::candidates(trees, self.options.opening, open, |i, j| test.candidate(i, j));
        test.finish(&mut stats);
        stats
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, Tree>,
        wanted: Wanted,
        scratch: &mut BucketScratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let BucketScratch { open, test } = scratch;
        let mut test = SelfTest::new(side.body, wanted, test, found);
        let (buckets, opening) = (&side.tree.buckets, self.options.opening);
        let mut stats = traverse::self_bucket_pairs(buckets, opening, open, |a, b, stats| match b {
            Some(b) => test.compare((buckets.items(a), buckets.items(b)), Item::parts, stats),
            None => test.compare_within(buckets.items(a), Item::parts, stats),
        });
        test.finish(&mut stats);
        stats
    }
}
