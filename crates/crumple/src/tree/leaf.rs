//! The triangles of a leaf and their boxes, fetched when a walk gets there and kept by the thread that asked.
//!
//! A copy of the corners costs little where they are read anyway, and makes up for it when candidates are tested: one
//! load per triangle, where three vertices would be looked up by number. All this lives in the memory of the walking
//! thread, not in the tree: trees stay untouched by walks, so any number of threads can ask about one body, and none
//! waits for another's memory.

use crate::geom::lanes::vectors::*;
use glam::Vec4;

use super::TreeSide;
use super::build::WIDTH;
use super::slots::SlotTable;
use crate::geom::lanes::{Boxes8, Grid, GridBoxes8, Vec8, bits, load};

/// The triangles of a leaf, three corners each, with anything for fourth coordinates.
pub(super) type CornersOfLeaf = [[Vec4; 3]; WIDTH];

/// In which form the boxes of triangles are kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum TriangleBoxes<'a> {
    AsTheyAre,
    OnGrid(&'a Grid),
}

/// The leaves of one body that a thread has fetched in one frame.
///
/// A cluster that is reached gets a slot, and so does a leaf that is fetched. A triangle of a fetched leaf is named by its
/// *cached index*: eight times the slot of the leaf, plus its lane.
#[derive(Debug, Default)]
pub(crate) struct LeafCache {
    clusters: SlotTable,
    /// What is known of the leaves of each cluster, by its slot.
    leaves_of: Vec<LeavesOfCluster>,
    /// The leaves that are here, by their slots.
    leaves: Vec<u32>,
    /// The boxes of their triangles, in one of both forms.
    boxes: Vec<Boxes8>,
    on_grid: Vec<GridBoxes8>,
    /// The corners of the triangles, and their numbers in the mesh, by their cached indices.
    corners: Vec<CornersOfLeaf>,
    numbers: Vec<[u32; WIDTH]>,
}

/// The leaves of a cluster: which are wanted and which are here, one bit each, and the slots of the latter.
#[derive(Clone, Copy, Debug, Default)]
struct LeavesOfCluster {
    wanted: u8,
    fetched: u8,
    slots: [u32; WIDTH],
}

impl LeafCache {
    /// Forgets everything, for a body with `clusters` clusters.
    pub(super) fn clear(&mut self, clusters: usize) {
        self.clusters.clear(clusters);
        self.leaves_of.clear();
        self.leaves.clear();
    }

    /// How many leaves have been fetched since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.leaves.len()
    }

    /// The clusters that have got a slot.
    pub(super) fn clusters(&self) -> &SlotTable {
        &self.clusters
    }

    /// The slot of a cluster; of one that is new, to be followed by [`make_room`](Self::make_room).
    #[inline(always)]
    pub(super) fn slot_of_cluster(&mut self, cluster: u32) -> u32 {
        self.clusters.slot(cluster)
    }

    /// Makes room for what is known of the leaves of all clusters that have a slot.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        self.leaves_of.resize(self.clusters.len(), LeavesOfCluster::default());
    }

    /// The leaf in a slot.
    #[inline(always)]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        self.leaves[slot as usize]
    }

    /// The slot of a leaf that is here: leaf `lane` of the cluster in a slot.
    #[inline(always)]
    pub(super) fn slot_of_leaf(&self, slot_of_cluster: u32, lane: u32) -> u32 {
        self.leaves_of[slot_of_cluster as usize].slots[lane as usize]
    }

    /// Notes that leaves of the cluster in a slot, one bit per lane, will be looked at.
    #[inline(always)]
    pub(super) fn want(&mut self, slot_of_cluster: u32, lanes: u8) {
        self.leaves_of[slot_of_cluster as usize].wanted |= lanes;
    }

    /// Fetches the leaves that are wanted and not here, of the clusters in some slots. Compiled once per level and kind of
    /// walk.
    #[inline(never)]
    pub(super) fn fetch_wanted<S: Simd>(
        &mut self,
        simd: S,
        side: TreeSide<'_>,
        slots_of_clusters: impl Iterator<Item = u32>,
        form: TriangleBoxes<'_>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                for slot in slots_of_clusters {
                    self.fetch_of(simd, side, slot, form);
                }
            },
        );
    }

    /// Fetches the leaves of the cluster in a slot that are wanted and not here.
    #[inline(always)]
    fn fetch_of<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, slot_of_cluster: u32, form: TriangleBoxes<'_>) {
        let of_cluster = &mut self.leaves_of[slot_of_cluster as usize];
        let new = of_cluster.wanted & !of_cluster.fetched;
        of_cluster.fetched |= new;
        for lane in bits(new) {
            let slot = self.leaves.len();
            self.leaves_of[slot_of_cluster as usize].slots[lane] = slot as u32;
            self.leaves.push(self.clusters.item(slot_of_cluster) * WIDTH as u32 + lane as u32);
            self.fill(simd, side, slot, form);
        }
    }

    /// Makes sure that a leaf is here, with its boxes as they are; returns its slot.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, leaf: u32) -> u32 {
        let (cluster, lane) = (self.clusters.slot(leaf / WIDTH as u32), leaf % WIDTH as u32);
        self.make_room();
        self.want(cluster, 1 << lane);
        self.fetch_of(simd, side, cluster, TriangleBoxes::AsTheyAre);
        self.slot_of_leaf(cluster, lane)
    }

    /// Fills a slot with what its leaf holds.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, slot: usize, form: TriangleBoxes<'_>) {
        if slot == self.corners.len() {
            self.corners.push([[Vec4::ZERO; 3]; WIDTH]);
            self.numbers.push([0; WIDTH]);
        }
        let arrangement = &side.tree.arrangement;
        let leaf = self.leaves[slot] as usize;
        self.numbers[slot] = *arrangement.numbers(leaf);
        let (min, max) = fetch_eight(simd, side, arrangement.leaf(leaf), &mut self.corners[slot]);
        match form {
            TriangleBoxes::AsTheyAre => put(&mut self.boxes, slot, Boxes8::of(min, max)),
            TriangleBoxes::OnGrid(grid) => {
                put(&mut self.on_grid, slot, GridBoxes8::of(simd, min, max, arrangement.in_use[leaf], grid));
            }
        }
    }

    /// The boxes of the triangles of leaves, by the slots of these, on the grid.
    pub(super) fn on_grid(&self) -> &[GridBoxes8] {
        &self.on_grid
    }

    /// The boxes of the triangles of the leaf in a slot, as they are.
    #[inline(always)]
    pub(super) fn boxes(&self, slot: u32) -> &Boxes8 {
        &self.boxes[slot as usize]
    }

    /// The corners of a triangle; their fourth coordinates are not to be looked at.
    #[inline(always)]
    pub(crate) fn corners(&self, cached: u32) -> &[Vec4; 3] {
        &self.corners.as_flattened()[cached as usize]
    }

    /// The corners of the triangles of the leaf in a slot; lanes that are not in use have any.
    #[inline(always)]
    pub(super) fn in_slot(&self, slot: u32) -> &CornersOfLeaf {
        &self.corners[slot as usize]
    }

    /// The number of a triangle in its mesh.
    #[inline(always)]
    pub(crate) fn number(&self, cached: u32) -> u32 {
        self.numbers.as_flattened()[cached as usize]
    }
}

/// Puts an item into a slot that is there or the next one; slots are filled in order.
#[inline(always)]
fn put<T: Copy>(list: &mut Vec<T>, slot: usize, item: T) {
    match list.get_mut(slot) {
        Some(room) => *room = item,
        None => list.resize(slot + 1, item),
    }
}

/// Fetches eight triangles: their boxes first, two at a time, then turned into lanes.
#[inline(always)]
fn fetch_eight<S: Simd>(
    simd: S,
    side: TreeSide<'_>,
    triangles: &[[u32; 3]; WIDTH],
    room: &mut CornersOfLeaf,
) -> (Vec8<S>, Vec8<S>) {
    let vertices = side.body.vertices();
    let (mut min, mut max) = ([f32x8::splat(simd, 0.0); 4], [f32x8::splat(simd, 0.0); 4]);
    for i in 0..4 {
        let [[p, q, r], [s, t, u]] = [triangles[i], triangles[i + 4]];
        room[i] = [vertices.four(p), vertices.four(q), vertices.four(r)];
        room[i + 4] = [vertices.four(s), vertices.four(t), vertices.four(u)];
        let p = load(simd, &room[i][0]).combine(load(simd, &room[i + 4][0]));
        let q = load(simd, &room[i][1]).combine(load(simd, &room[i + 4][1]));
        let r = load(simd, &room[i][2]).combine(load(simd, &room[i + 4][2]));
        (min[i], max[i]) = (p.min(q).min(r), p.max(q).max(r));
    }
    (Vec8::of_twos(min), Vec8::of_twos(max))
}
