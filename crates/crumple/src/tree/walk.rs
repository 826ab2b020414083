//! The loop of a walk: pairs of clusters into pairs of leaves, those into candidates, and candidates to a question.
//!
//! A question is compiled into the loop, so handing candidates over costs no call. It gets them in batches of up to some
//! thousands, with the corners of all triangles involved at hand ([`Leaves`]), and adds what follows from them to its
//! answer; each thread has an answer of its own, and they are joined in the end.

use std::ops::AddAssign;

use super::build::WIDTH;
use super::candidates::Candidates;
use super::cluster::ClustersOnGrid;
use super::grids::Grids;
use super::hubs::ClearNodes;
use super::leaf::LeafCache;
use super::open::squared;
use super::overlaps::{Overlap, Overlaps};
use super::threads::Shares;
use super::{Tree, TreeSide};
use crate::geom::lanes::{Instructions, Simd, bits, dispatch};
use crate::work::spend;
use glam::Vec4;

/// What is asked about the candidates of two trees, or of one with itself.
pub(crate) trait Question: Sync {
    /// What candidates add up to.
    type Answer: Answer;

    /// Whether both sides are one body. A pair of its triangles is then handed out once; of a leaf and itself, those
    /// pairs whose second triangle comes after the first.
    const ONE_BODY: bool;

    /// Candidates are triangles whose boxes are within this distance of each other; 0 where they have to overlap.
    fn within(&self) -> f64 {
        0.0
    }

    /// Which pairs of the triangles of two leaves of one body are not to be handed out: bit 8 · row + lane.
    #[inline(always)]
    fn left_out(&self, _leaf_a: u32, _leaf_b: u32) -> u64 {
        0
    }

    /// Which pairs of nodes of one body are not to be opened, if any.
    fn clear_nodes(&self) -> Option<ClearNodes<'_>> {
        None
    }

    /// Adds a batch of candidates to the answer; what it leaves in the list is dropped.
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Self::Answer);

    /// Whether the walk may end before all candidates were handed out: `is_done` is then asked often.
    fn may_end_early(&self) -> bool;

    /// Whether the walk can end with this answer.
    fn is_done(&self, answer: &Self::Answer) -> bool;
}

/// What a question adds up.
pub(crate) trait Answer: Default + Send {
    /// Empties the answer; its memory stays.
    fn clear(&mut self);
    /// Adds what another thread has added up.
    fn append(&mut self, other: &mut Self);
}

/// The leaves a thread has fetched, by which candidates are named.
pub(crate) struct Leaves<'a> {
    a: &'a LeafCache,
    b: &'a LeafCache,
}

impl<'a> Leaves<'a> {
    pub(super) fn new(a: &'a LeafCache, b: &'a LeafCache) -> Self {
        Self { a, b }
    }

    /// The corners of the triangles of the leaves in two slots; their fourth coordinates are not to be looked at.
    #[inline(always)]
    pub(crate) fn in_slots(&self, (a, b): (u32, u32)) -> (&'a [[Vec4; 3]; WIDTH], &'a [[Vec4; 3]; WIDTH]) {
        (self.a.in_slot(a), self.b.in_slot(b))
    }

    /// The corners of both triangles of a candidate; their fourth coordinates are not to be looked at.
    #[inline(always)]
    pub(crate) fn corners(&self, (a, b): (u32, u32)) -> (&'a [Vec4; 3], &'a [Vec4; 3]) {
        (self.a.corners(a), self.b.corners(b))
    }

    /// The numbers of both triangles of a candidate in their meshes.
    #[inline(always)]
    pub(crate) fn triangles(&self, (a, b): (u32, u32)) -> (u32, u32) {
        (self.a.number(a), self.b.number(b))
    }
}

/// How much a walk did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Pairs of boxes compared above the leaves.
    pub(crate) box_tests: u64,
    /// Boxes of triangles computed.
    pub(crate) boxes_fitted: u64,
    /// Pairs of triangles handed out.
    pub(crate) candidates: u64,
    /// Pairs of leaves whose boxes overlap.
    pub(crate) leaf_pairs: usize,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.box_tests += other.box_tests;
        self.boxes_fitted += other.boxes_fitted;
        self.candidates += other.candidates;
        self.leaf_pairs += other.leaf_pairs;
    }
}

/// Working memory of one thread that walks.
#[derive(Debug, Default)]
pub(super) struct Walker {
    clusters: [ClustersOnGrid; 2],
    /// Pairs of slots of leaves.
    leaf_pairs: Vec<(u32, u32)>,
    pub(super) leaves: [LeafCache; 2],
    /// Pairs of slots of clusters.
    slots: Vec<(u32, u32)>,
    overlaps: Overlaps,
    pub(super) candidates: Candidates,
}

/// Of two memories, which serves side b: one body needs but one.
const fn memory_of_b<Q: Question>() -> usize {
    if Q::ONE_BODY { 0 } else { 1 }
}

/// Notes in the trees which clusters are reached.
pub(super) fn note_reached((a, b): (TreeSide<'_>, TreeSide<'_>), clusters: &[(u32, u32)]) {
    for &(cluster_a, cluster_b) in clusters {
        a.tree.note_reached(cluster_a);
        b.tree.note_reached(cluster_b);
    }
}

impl Walker {
    /// Walks the pairs of clusters of a share, then helps with the others. Compiled once for all callers: with every
    /// level and question it is a quarter of the library's code.
    #[inline(never)]
    pub(super) fn run<Q: Question>(
        &mut self,
        simd: Instructions,
        question: &Q,
        sides: (TreeSide<'_>, TreeSide<'_>),
        shares: (&Shares<'_>, usize),
        answer: &mut Q::Answer,
    ) -> Work {
        dispatch!(simd, simd => self.run_in(simd, question, sides, shares, answer))
    }

    #[inline(always)]
    fn run_in<S: Simd, Q: Question>(
        &mut self,
        simd: S,
        question: &Q,
        sides: (TreeSide<'_>, TreeSide<'_>),
        (shares, own_share): (&Shares<'_>, usize),
        answer: &mut Q::Answer,
    ) -> Work {
        self.clusters.iter_mut().for_each(ClustersOnGrid::clear);
        for (cache, side) in self.leaves.iter_mut().zip([sides.0, sides.1]) {
            cache.clear(side.tree.arrangement.cluster_count());
        }
        self.candidates.clear();
        let may_end_early = question.may_end_early();
        let grids = Grids::over(sides, question.within());
        let mut work = Work::default();
        loop {
            let clusters = shares.take(own_share);
            if may_end_early {
                // Only what is opened: the next frame's walk, too, will hardly get further.
                note_reached(sides, clusters.unwrap_or_default());
            }
            self.open(simd, question, sides, &grids, clusters.unwrap_or_default());
            work.box_tests += (clusters.map_or(0, <[_]>::len) * WIDTH * WIDTH) as u64;
            work.leaf_pairs += self.leaf_pairs.len();
            // Few of them are not worth counting.
            if self.leaf_pairs.len() > 64 {
                spend(self.leaf_pairs.len());
            }
            self.compare_leaves(simd, question, sides, &grids);
            let mut listed = 0;
            loop {
                listed = self.list_candidates(listed);
                let is_done = listed == self.overlaps.as_slice().len();
                // Candidates of several pieces fill the lanes better, where all are wanted.
                if is_done && clusters.is_some() && !may_end_early {
                    break;
                }
                self.hand_over(simd, question, answer, &mut work);
                if is_done || may_end_early && question.is_done(answer) {
                    break;
                }
            }
            if clusters.is_none() || may_end_early && question.is_done(answer) {
                break;
            }
        }
        work.boxes_fitted += (WIDTH * (self.leaves[0].len() + self.leaves[1].len())) as u64;
        work
    }

    /// Opens pairs of clusters into pairs of leaves, which it fetches.
    ///
    /// One step after another for all pairs, here and below, and not pair by pair: steps of one kind need no branch that
    /// cannot be predicted, and those of different pairs do not wait for each other.
    #[inline(always)]
    fn open<S: Simd, Q: Question>(
        &mut self,
        simd: S,
        question: &Q,
        (side_a, side_b): (TreeSide<'_>, TreeSide<'_>),
        grids: &Grids,
        pairs: &[(u32, u32)],
    ) {
        let Self { clusters: [clusters_a, clusters_b], leaf_pairs, leaves, slots, overlaps, .. } = self;
        let of_b = memory_of_b::<Q>();
        slots.clear();
        slots.extend(pairs.iter().map(|&(a, b)| (leaves[0].slot_of_cluster(a), leaves[of_b].slot_of_cluster(b))));
        clusters_a.round_new(simd, side_a, leaves[0].clusters(), Some(&grids.widening), &grids.of_clusters);
        clusters_b.round_new(simd, side_b, leaves[of_b].clusters(), None, &grids.of_clusters);
        overlaps.find(simd, slots, clusters_a.boxes(), clusters_b.boxes());
        if Q::ONE_BODY {
            // A cluster against itself finds every pair twice.
            overlaps.leave_out(|(a, b)| if a == b { EARLIER } else { 0 });
        }
        let form = grids.triangle_boxes();
        leaves[0].make_room();
        leaves[of_b].make_room();
        for overlap in overlaps.as_slice() {
            let (rows, lanes) = overlap.rows_and_lanes();
            leaves[0].want(overlap.groups.0, rows);
            leaves[of_b].want(overlap.groups.1, lanes);
        }
        leaves[0].fetch_wanted(simd, side_a, overlaps.as_slice().iter().map(|overlap| overlap.groups.0), form);
        leaves[of_b].fetch_wanted(simd, side_b, overlaps.as_slice().iter().map(|overlap| overlap.groups.1), form);
        leaf_pairs.clear();
        for &Overlap { groups, found } in overlaps.as_slice() {
            for bit in bits(found) {
                let (row, lane) = (bit as u32 / 8, bit as u32 % 8);
                leaf_pairs.push((leaves[0].slot_of_leaf(groups.0, row), leaves[of_b].slot_of_leaf(groups.1, lane)));
            }
        }
        if let Some(clear) = question.clear_nodes() {
            clear.remove_from(0, leaf_pairs, |(a, b)| (leaves[0].leaf(a), leaves[of_b].leaf(b)));
        }
    }

    /// Finds out which triangles of the pairs of leaves have boxes that overlap.
    #[inline(always)]
    fn compare_leaves<S: Simd, Q: Question>(
        &mut self,
        simd: S,
        question: &Q,
        (side_a, side_b): (TreeSide<'_>, TreeSide<'_>),
        grids: &Grids,
    ) {
        let Self { leaf_pairs, leaves, overlaps, .. } = self;
        let (leaves_a, leaves_b) = (&leaves[0], &leaves[memory_of_b::<Q>()]);
        match grids.within {
            None => overlaps.find(simd, leaf_pairs, leaves_a.on_grid(), leaves_b.on_grid()),
            Some(bound) => {
                overlaps.clear(leaf_pairs.len());
                for &(slot_a, slot_b) in &*leaf_pairs {
                    let near = leaves_a.boxes(slot_a).squares(simd, leaves_b.boxes(slot_b), bound).0;
                    let (a, b) = ((side_a.tree, leaves_a.leaf(slot_a)), (side_b.tree, leaves_b.leaf(slot_b)));
                    overlaps.add((slot_a, slot_b), near & triangles_in_use(a, b));
                }
            }
        }
        if Q::ONE_BODY {
            overlaps.leave_out(|(slot_a, slot_b)| {
                let (a, b) = (leaves_a.leaf(slot_a), leaves_b.leaf(slot_b));
                question.left_out(a, b) | if a == b { NOT_LATER } else { 0 }
            });
        }
    }

    /// Lists the candidates of pairs of leaves, from pair `from` on until there is no room for more; returns how far it
    /// got.
    #[inline(always)]
    fn list_candidates(&mut self, from: usize) -> usize {
        let Self { overlaps, candidates, .. } = self;
        for (index, &Overlap { groups, found }) in overlaps.as_slice().iter().enumerate().skip(from) {
            if candidates.is_full() {
                return index;
            }
            candidates.add(groups.0, groups.1, found);
        }
        overlaps.as_slice().len()
    }

    /// Hands the candidates so far to the question and starts a new list.
    #[inline(always)]
    pub(super) fn hand_over<S: Simd, Q: Question>(
        &mut self,
        simd: S,
        question: &Q,
        answer: &mut Q::Answer,
        work: &mut Work,
    ) {
        let Self { leaves, candidates, .. } = self;
        work.candidates += candidates.as_slice().len() as u64;
        spend(candidates.as_slice().len());
        let leaves = Leaves::new(&leaves[0], &leaves[memory_of_b::<Q>()]);
        question.take(simd, &leaves, candidates, answer);
        candidates.clear();
    }
}

/// Which pairs of lanes of two leaves hold triangles: bit 8 · row + lane.
#[inline(always)]
pub(super) fn triangles_in_use((tree_a, leaf_a): (&Tree, u32), (tree_b, leaf_b): (&Tree, u32)) -> u64 {
    let lanes = |tree: &Tree, leaf: u32| tree.arrangement.in_use[leaf as usize].into();
    squared(lanes(tree_a, leaf_a), lanes(tree_b, leaf_b))
}

/// Of a cluster with itself, the pairs of which the second leaf comes before the first.
const EARLIER: u64 = 0x7f3f_1f0f_0703_0100;

/// Of a leaf with itself, the pairs of which the second triangle does not come after the first.
pub(super) const NOT_LATER: u64 = 0xff7f_3f1f_0f07_0301;
