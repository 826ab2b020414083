//! An octree of buckets over the box of a body, brought up to date each frame.
//!
//! Paper: Ganovelli, Dingliana & O'Sullivan 2000, "BucketTree: Improving Collision Detection Between Deformable
//! Objects". A body is a soup of primitives without topology. Each frame its box is cut into 8^l buckets, every primitive
//! is filed by its reference point — by an equation (`slabs`), or by moving those that three arrays kept in order show to have
//! changed their slab (`sort`, `exchange`) — and pairs of overlapping buckets are found by a descent of two octrees (`traverse`).
//! [`Soup`] is that engine for any primitive, [`BucketTree`] its instance for the triangles of a body.
//!
//! ```text
//! update   buckets: box, bucket and list in one pass    per body     occupancy: stamps up to the root
//! query    view: nodes opened, buckets filed            per query    traverse: pairs of buckets, candidates
//! ```
//!
//! Departs: an update only lists which primitives are in which bucket; a query copies those of the buckets that it
//! reaches, with their boxes, into its own memory (`view`). So primitives far from the other body are never read again, and one
//! octree serves any number of queries at the same time. Nodes are larger than their cells, by as much as primitives stick out of
//! them (`buckets`); crowded buckets are split (`view`); levels are chosen from the data unless fixed (`choose`). The
//! paper's slips stand where they were put right: equation 1 in `slabs`, equation 3 and the procedure in `sort`. Besides,
//! "l levels" counts those below the root, the paper calls what it improves the broad phase once and means the narrow
//! one, and its comparison of both algorithms is figure 3, not table 3.
//!
//! Cost: O(n) per frame; memory 12 bytes per bucket (see [`LevelChoice`]) and 8 per primitive, or about 90 with algorithm 2.
//! Held by: `tests/agreement/bucket_tree.rs`, experiments BE1 to BE3.

mod buckets;
mod choose;
mod error;
mod exchange;
mod occupancy;
mod options;
mod slabs;
mod sort;
mod soup;
mod traverse;
mod view;

#[cfg(test)]
mod tests;

pub use buckets::{BucketStats, UpdateStage};
pub use error::BucketTreeError;
pub use options::{BucketTreeOptions, Filing, LevelChoice, Opening};
pub use soup::{Bucket, Primitive, PrimitiveId, Soup};

use crate::lanes::BoxLanes;
use buckets::Buckets;
use crumple::narrow::{Flow, PairMethod, PairTest, SelfTest, Side};
use crumple::{Aabb, Body, Stats, TriangleId};
use view::{View, ViewMemory};

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

impl BucketTree {
    /// What of a body reaches a region.
    fn view<'a>(
        &self,
        side: Side<'a, Tree>,
        region: Aabb,
        memory: &'a mut ViewMemory,
    ) -> View<'a, impl Fn(u32) -> Aabb + 'a> {
        let bounds_of = move |triangle: u32| side.body.triangle_box(TriangleId(triangle));
        View::of_primitives(&side.tree.buckets, bounds_of, region, self.options.split_above, memory)
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

/// Which boxes of the nodes a search for bucket pairs compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeBoxes {
    /// Cells that hold all primitives filed in them, and the tight boxes of what buckets hold near the other soup:
    /// nothing is ever missed.
    #[default]
    Tight,
    /// The cells of the octree, as in the paper: for points only, since other primitives stick out of their cells.
    Cells,
}

/// Working memory of one thread: the stack of node pairs still to be opened, and what has been opened and filed of
/// both octrees.
#[derive(Debug, Default)]
pub struct BucketScratch {
    open: Vec<(u32, u32)>,
    views: [ViewMemory; 2],
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
        let mesh = body.mesh();
        tree.buckets.update(&self.options, &body.bounds(), mesh.triangles().len(), |triangle| {
            let triangle = TriangleId(triangle as u32);
            mesh.is_live(triangle).then(|| {
                let bounds = body.triangle_box(triangle);
                (bounds, bounds.middle())
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
        scratch: &mut BucketScratch,
        test: &mut PairTest<'_>,
    ) -> Flow {
        let BucketScratch { open, views: [memory_a, memory_b] } = scratch;
        let mut stats = Stats::default();
        let mut view_a = self.view(a, b.body.bounds(), memory_a);
        let mut view_b = self.view(b, a.body.bounds(), memory_b);
        let views = (&mut view_a, &mut view_b);
        let flow = traverse::candidates(views, self.options.opening, open, &mut stats, |i, j| {
            test.candidate(TriangleId(i), TriangleId(j))
        });
        stats.candidates = 0; // The test has counted them.
        *test.stats() += stats;
        flow
    }

    fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut BucketScratch, test: &mut SelfTest<'_>) -> Flow {
        let BucketScratch { open, views: [memory, _] } = scratch;
        let mut stats = Stats::default();
        let mut view = self.view(side, side.body.bounds(), memory);
        let opening = self.options.opening;
        let flow = traverse::self_bucket_pairs(&mut view, opening, open, &mut stats, |(_, a), other, _| match other {
            Some((_, b)) => test.groups(a, b),
            None => test.group(a),
        });
        *test.stats() += stats;
        flow
    }
}
