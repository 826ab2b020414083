//! WHERE TO LOOK: complete 8-ary trees of clusters of triangles, walked eight lanes at a time.
//!
//! In the spirit of Larsson & Akenine-Möller 2001 — build once, refit lazily — but made for today's processors:
//!
//! - the triangles are put in an order once, over which the tree is implicit (`build`); what an edit of the body changes is
//!   taken in where it is (`edit`);
//! - boxes of leaves of 8 triangles are carried from frame to frame by a bound on how far vertices have moved
//!   (`anchor`), and fitted again, 64 triangles at a time, only where it pays (`refit`); a tree that no longer fits its
//!   body is built anew (`wear`);
//! - a walk goes down two trees, or one against itself, comparing eight boxes with eight (`open`, below clusters in
//!   numbers of 16 bits: `grids`), to pairs of leaves, and hands *candidates* — pairs of triangles whose boxes overlap — to
//!   a [`Question`] (`walk`); threads share out pairs of clusters (`threads`);
//! - one against itself is not opened where a piece of surface is shown to lie side by side (`patches`), or around one vertex
//!   (`hubs`);
//! - the triangles of a leaf get boxes when a walk gets there, in the memory of the walking thread (`leaf`), and so do
//!   the leaves of a cluster where motion is wild (`cluster`);
//! - two trees of a cluster or two are compared without all this (`small`);
//! - single points and rays go down one tree (`view`).
//!
//! A walk only reads the trees, so any number of them can run side by side.
//!
//! Cost: build O(n log n) once; a frame O(clusters) plus what is near the other body.
//! Held by: `tests/agreement` and `tests/agreement/wide_tree.rs` with the best and the baseline instructions, experiments LE1 to LE3 and CR1 to CR4.

mod anchor;
mod build;
mod candidates;
mod cluster;
mod edit;
mod grids;
mod hubs;
mod leaf;
mod nearest;
mod neighbours;
mod open;
mod overlaps;
mod patches;
mod refit;
mod slots;
mod small;
mod step;
mod threads;
mod view;
mod walk;
mod wear;

use std::sync::OnceLock;

pub(crate) use candidates::Candidates;
pub(crate) use hubs::{ClearHubs, ClearNodes, HubNodes};
pub(crate) use nearest::{NearestMemory, NearestQuestion, square_bound, walk_nearest};
pub(crate) use neighbours::NeighbourMasks;
pub(crate) use patches::{Flat, FlatPatches, Patches};
pub(crate) use step::{StepMemory, StepQuestion, walk_step};
pub(crate) use threads::{WalkMemory, walk};
pub(crate) use view::{Leaf8, Node, Snapshot, View};
pub(crate) use walk::{Answer, Leaves, Question, Work};
pub use wear::Rebuild;

use crate::body::Body;
use crate::geom::Aabb;
use crate::geom::lanes::{Boxes8, Instructions};
use crate::mesh::Mesh;
use anchor::Anchor;
use build::{Arrangement, WIDTH};
use refit::Cluster;
use wear::{Covered, Wear};

/// The tree of one body.
#[derive(Clone, Debug)]
pub struct Tree {
    /// With which instructions it is refitted.
    simd: Instructions,
    /// The topology version of the body that it is up to date with.
    topology: u64,
    arrangement: Arrangement,
    /// Anchored boxes: those of the leaves, then of the clusters, then of eight clusters each, up to a level of at most
    /// eight nodes.
    levels: Vec<Vec<Boxes8>>,
    clusters: Vec<Cluster>,
    /// Made when the body is first asked about itself.
    neighbour_masks: OnceLock<(NeighbourMasks, HubNodes)>,
    patches: OnceLock<Patches>,
    wear: Wear,
    anchor: Anchor,
    /// Whether most clusters had loosened, so that they were fitted without their leaves; and for how many frames.
    is_wild: bool,
    wild_frames: u32,
}

/// How many groups of eight nodes each level has, from that of the leaves up to a level of at most eight nodes.
fn level_sizes(leaves: usize) -> impl Iterator<Item = usize> + Clone {
    std::iter::successors(Some(leaves), |&nodes| (nodes > WIDTH).then(|| nodes.div_ceil(WIDTH)))
        .map(|nodes| nodes.div_ceil(WIDTH))
}

/// A body with its tree, up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeSide<'a> {
    pub(crate) body: &'a Body,
    pub(crate) tree: &'a Tree,
}

impl Tree {
    /// The tree of a body, which is refitted with the instructions of a SIMD level.
    pub(crate) fn new(body: &Body, simd: Instructions) -> Self {
        let mut tree = Self {
            simd,
            topology: body.topology_version(),
            arrangement: Arrangement::default(),
            levels: Vec::new(),
            clusters: Vec::new(),
            neighbour_masks: OnceLock::new(),
            patches: OnceLock::new(),
            wear: Wear::default(),
            anchor: Anchor::at(body),
            is_wild: false,
            wild_frames: 0,
        };
        tree.build_anew(body);
        tree
    }

    /// Builds it over the triangles there are, in the memory there is.
    fn build_anew(&mut self, body: &Body) {
        self.arrangement.arrange_anew(body);
        self.neighbour_masks.take();
        self.patches.take();
        self.resize(0);
        self.fit_all(body);
        self.wear.begin();
    }

    /// Makes room for as many clusters as there are now, of which the first ones stay as they are.
    fn resize(&mut self, kept: usize) {
        for dropped in self.clusters.drain(kept.min(self.clusters.len())..) {
            self.wear.add(dropped.covered, Covered::default());
        }
        self.clusters.resize_with(self.arrangement.cluster_count(), Cluster::new);
        let sizes = level_sizes(self.arrangement.leaf_count());
        self.levels.resize_with(sizes.clone().count(), Vec::new);
        self.levels.iter_mut().zip(sizes).for_each(|(level, size)| level.resize(size, Boxes8::EMPTY));
    }

    /// Takes in the new vertices of the body; builds the tree anew if `rebuild` says so. Boxes outside `near` may stay loose.
    pub(crate) fn update(&mut self, body: &Body, rebuild: Rebuild, near: Option<&Aabb>) {
        let (triangles, has_masks) = (self.triangle_count(), self.neighbour_masks.get().is_some());
        let is_due = match rebuild {
            Rebuild::WhenItPays => self.wear.calls_for_a_build(triangles, has_masks),
            Rebuild::Never => false,
            Rebuild::Always => true,
        };
        if is_due {
            self.build_anew(body);
            self.wear.count_build();
        } else {
            self.refit(body, near);
        }
    }

    /// With which instructions it is refitted, and is to be walked.
    pub(crate) fn instructions(&self) -> Instructions {
        self.simd
    }

    /// How many triangles there are.
    pub(crate) fn triangle_count(&self) -> usize {
        self.arrangement.used
    }

    /// Builds of this tree that were not reported yet; they count as reported then.
    pub(crate) fn take_unreported_builds(&self) -> u64 {
        self.wear.take_unreported_builds()
    }

    /// Which triangles of each two leaves share a vertex, and which nodes a hub, made at the first call; `mesh` is that of
    /// the body.
    pub(crate) fn neighbour_masks(&self, mesh: &Mesh) -> (&NeighbourMasks, &HubNodes) {
        let (masks, hubs) = self.neighbour_masks.get_or_init(|| {
            let fans = mesh.fans();
            (NeighbourMasks::of(&self.arrangement, fans), HubNodes::of(&self.arrangement, fans))
        });
        (masks, hubs)
    }

    /// Which nodes are patches, made at the first call; `mesh` is that of the body.
    pub(crate) fn patches(&self, mesh: &Mesh) -> &Patches {
        self.patches.get_or_init(|| Patches::of(self, mesh.vertex_count(), mesh.fans()))
    }

    /// The anchored boxes of a level, eight together, and how many nodes it has; level 0 is that of the leaves.
    pub(crate) fn level(&self, level: usize) -> (&[Boxes8], usize) {
        let count = (0..level).fold(self.arrangement.leaf_count(), |nodes, _| nodes.div_ceil(WIDTH));
        (&self.levels[level], count)
    }
}
