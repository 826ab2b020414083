//! The triangles of a leaf and their boxes, fetched when a walk gets there and kept by the thread that asked.
//!
//! A copy of the corners costs little where they are read anyway, and makes up for it when candidates are tested: one
//! load per triangle, where three vertices would be looked up by number. All this lives in the memory of the walking
//! thread, not in the tree: trees stay untouched by walks, so any number of threads can ask about one body, and none
//! waits for another's memory.

use fearless_simd::{f32x4, f32x8};
use fearless_simd::prelude::*;
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
/// Each cluster that is reached gets a slot and room for its leaves. A leaf has eight times the slot of its cluster, plus
/// its lane, for a slot of its own; a triangle of a fetched leaf is named by its *cached index*: eight times the slot of
/// the leaf, plus its lane.
#[derive(Debug, Default)]
pub(crate) struct LeafCache {
    clusters: SlotTable,
    /// Of each cluster, which leaves are wanted and which are here: one bit per lane.
    wanted: Vec<u8>,
    fetched: Vec<u8>,
    /// How many leaves are here.
    len: usize,
    /// The boxes of the triangles by the slots of their leaves, in one of both forms.
    boxes: Vec<Boxes8>,
    on_grid: Vec<GridBoxes8>,
    /// The corners of the triangles, and their numbers in the mesh, by their cached indices.
    corners: Vec<[Vec4; 3]>,
    numbers: Vec<u32>,
}

impl LeafCache {
    /// Forgets everything, for a body with `clusters` clusters.
    pub(super) fn clear(&mut self, clusters: usize) {
        self.clusters.clear(clusters);
        self.wanted.clear();
        self.fetched.clear();
        self.len = 0;
    }

    /// How many leaves have been fetched since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The clusters that have got a slot.
    pub(super) fn clusters(&self) -> &SlotTable {
        &self.clusters
    }

    /// The slot of a cluster.
    #[inline(always)]
    pub(super) fn slot_of_cluster(&mut self, cluster: u32) -> u32 {
        self.clusters.slot(cluster)
    }

    /// The leaf in a slot.
    #[inline(always)]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        self.clusters.item(slot / WIDTH as u32) * WIDTH as u32 + slot % WIDTH as u32
    }

    /// Makes room for the leaves of all clusters that have a slot.
    pub(super) fn make_room(&mut self, form: TriangleBoxes<'_>) {
        let clusters = self.clusters.len();
        self.wanted.resize(clusters, 0);
        self.fetched.resize(clusters, 0);
        let leaves = clusters * WIDTH;
        match form {
            TriangleBoxes::AsTheyAre if self.boxes.len() < leaves => self.boxes.resize(leaves, Boxes8::EMPTY),
            TriangleBoxes::OnGrid(_) if self.on_grid.len() < leaves => self.on_grid.resize(leaves, GridBoxes8::EMPTY),
            _ => {}
        }
        if self.corners.len() < leaves * WIDTH {
            self.corners.resize(leaves * WIDTH, [Vec4::ZERO; 3]);
            self.numbers.resize(leaves * WIDTH, 0);
        }
    }

    /// Notes that leaves of the cluster in a slot, one bit per lane, will be looked at.
    #[inline(always)]
    pub(super) fn want(&mut self, slot_of_cluster: u32, lanes: u8) {
        self.wanted[slot_of_cluster as usize] |= lanes;
    }

    /// Fetches the leaves of the cluster in a slot that are wanted and not here.
    #[inline(always)]
    pub(super) fn fetch_wanted<S: Simd>(
        &mut self,
        simd: S,
        side: TreeSide<'_>,
        slot_of_cluster: u32,
        form: TriangleBoxes<'_>,
    ) {
        let slot = slot_of_cluster as usize;
        let new = self.wanted[slot] & !self.fetched[slot];
        self.fetched[slot] |= new;
        for lane in bits(new) {
            self.fetch_into(simd, side, slot * WIDTH + lane, form);
        }
    }

    /// Makes sure that a leaf is here, with its boxes as they are; returns its slot.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, leaf: u32) -> u32 {
        let (cluster, lane) = (self.clusters.slot(leaf / WIDTH as u32), leaf % WIDTH as u32);
        let slot = cluster * WIDTH as u32 + lane;
        if self.fetched.get(cluster as usize).is_none_or(|fetched| fetched >> lane & 1 == 0) {
            self.make_room(TriangleBoxes::AsTheyAre);
            self.fetched[cluster as usize] |= 1 << lane;
            self.fetch_into(simd, side, slot as usize, TriangleBoxes::AsTheyAre);
        }
        slot
    }

    #[inline(always)]
    fn fetch_into<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, slot: usize, form: TriangleBoxes<'_>) {
        let arrangement = &side.tree.arrangement;
        let leaf = self.leaf(slot as u32) as usize;
        let vertices = arrangement.leaf(leaf);
        let room = &mut self.corners.as_chunks_mut::<WIDTH>().0[slot];
        let numbers = &mut self.numbers.as_chunks_mut::<WIDTH>().0[slot];
        match arrangement.triangles[leaf * WIDTH..].first_chunk() {
            Some(all) => *numbers = *all,
            None => numbers[..vertices.len()].copy_from_slice(&arrangement.triangles[leaf * WIDTH..]),
        }
        self.len += 1;
        let (min, max) = match vertices.as_array::<WIDTH>() {
            Some(vertices) => fetch_eight(simd, side, vertices, room),
            None => fetch_some(simd, side, vertices, room),
        };
        match form {
            TriangleBoxes::AsTheyAre => self.boxes[slot] = Boxes8::of(min, max),
            TriangleBoxes::OnGrid(grid) => self.on_grid[slot] = GridBoxes8::of(simd, min, max, vertices.len(), grid),
        }
    }

    /// The boxes of the triangles of the leaf in a slot, on the grid.
    #[inline(always)]
    pub(super) fn on_grid(&self, slot: u32) -> &GridBoxes8 {
        &self.on_grid[slot as usize]
    }

    /// The boxes of the triangles of the leaf in a slot, as they are.
    #[inline(always)]
    pub(super) fn boxes(&self, slot: u32) -> &Boxes8 {
        &self.boxes[slot as usize]
    }

    /// The corners of a triangle; their fourth coordinates are not to be looked at.
    #[inline(always)]
    pub(crate) fn corners(&self, cached: u32) -> &[Vec4; 3] {
        &self.corners[cached as usize]
    }

    /// The corners of the triangles of the leaf in a slot; in the last leaf of a tree, lanes without a triangle have any.
    #[inline(always)]
    pub(super) fn in_slot(&self, slot: u32) -> &CornersOfLeaf {
        &self.corners.as_chunks::<WIDTH>().0[slot as usize]
    }

    /// The number of a triangle in its mesh.
    #[inline(always)]
    pub(crate) fn number(&self, cached: u32) -> u32 {
        self.numbers[cached as usize]
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

/// The last leaf of a tree may have fewer triangles than eight: lanes without one get empty boxes.
#[inline(always)]
fn fetch_some<S: Simd>(
    simd: S,
    side: TreeSide<'_>,
    triangles: &[[u32; 3]],
    room: &mut CornersOfLeaf,
) -> (Vec8<S>, Vec8<S>) {
    let far = f32x4::splat(simd, f32::INFINITY);
    let (mut min, mut max) = ([far; WIDTH], [-far; WIDTH]);
    for (lane, &triangle) in triangles.iter().enumerate() {
        room[lane] = triangle.map(|vertex| side.body.vertices().four(vertex));
        let (p, q, r) = (load(simd, &room[lane][0]), load(simd, &room[lane][1]), load(simd, &room[lane][2]));
        (min[lane], max[lane]) = (p.min(q).min(r), p.max(q).max(r));
    }
    (Vec8::of(min), Vec8::of(max))
}
