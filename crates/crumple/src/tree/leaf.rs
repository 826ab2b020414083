//! The triangles of a leaf and their boxes, fetched when a walk gets there and kept by the thread that asked.
//!
//! A copy of the corners costs little where they are read anyway, and makes up for it when candidates are tested: one
//! load per triangle, where three vertices would be looked up by number. All this lives in the memory of the walking
//! thread, not in the tree: trees stay untouched by walks, so any number of threads can ask about one body, and none
//! waits for another's memory.

use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use glam::Vec4;

use super::TreeSide;
use super::build::WIDTH;
use super::slots::SlotTable;
use crate::geom::lanes::{Bounds, Boxes8, Grid, GridBoxes8, Vec8, load};

/// The triangles of a leaf, three corners each, with anything for fourth coordinates.
pub(super) type CornersOfLeaf = [[Vec4; 3]; WIDTH];

/// The leaves of one body that a thread has fetched in one frame.
///
/// A triangle of a fetched leaf is named by its *cached index*: eight times the slot of the leaf, plus its lane.
#[derive(Debug, Default)]
pub(crate) struct LeafCache {
    slots: SlotTable,
    boxes: Vec<Boxes8>,
    /// The corners of the triangles by their cached indices.
    corners: Vec<[Vec4; 3]>,
    /// How many slots are filled.
    fetched: usize,
    /// The boxes on the grid of the walk.
    on_grid: Vec<GridBoxes8>,
    rounded: usize,
}

impl LeafCache {
    /// Forgets everything, for a body with `leaves` leaves.
    pub(super) fn clear(&mut self, leaves: usize) {
        self.slots.clear(leaves);
        (self.fetched, self.rounded) = (0, 0);
    }

    /// How many leaves have been fetched since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The slot of a leaf, to be filled by [`fetch_new`](Self::fetch_new) if the leaf is new.
    #[inline(always)]
    pub(super) fn slot(&mut self, leaf: u32) -> u32 {
        self.slots.slot(leaf)
    }

    /// The leaf in a slot.
    #[inline(always)]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        self.slots.item(slot)
    }

    /// Makes sure that a leaf is here; returns its slot.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, leaf: u32) -> u32 {
        let slot = self.slots.slot(leaf);
        self.fetch_new(simd, side);
        slot
    }

    /// Fetches the leaves that have got a slot since the last time.
    #[inline(always)]
    pub(super) fn fetch_new<S: Simd>(&mut self, simd: S, side: TreeSide<'_>) {
        let Self { slots, boxes, corners, fetched, .. } = self;
        if boxes.len() < slots.len() {
            boxes.resize(slots.len(), Boxes8::EMPTY);
            corners.resize(slots.len() * WIDTH, [Vec4::ZERO; 3]);
        }
        let rooms = corners.as_chunks_mut::<WIDTH>().0;
        for slot in *fetched..slots.len() {
            let vertices = side.tree.arrangement.leaf(slots.item(slot as u32) as usize);
            boxes[slot] = match vertices.as_array::<WIDTH>() {
                Some(vertices) => fetch_eight(simd, side, vertices, &mut rooms[slot]),
                None => fetch_some(side, vertices, &mut rooms[slot]),
            };
        }
        *fetched = slots.len();
    }

    /// Rounds the boxes of the leaves that were fetched since the last time to a grid.
    #[inline(always)]
    pub(super) fn round_new<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, grid: &Grid) {
        let Self { slots, boxes, on_grid, rounded, .. } = self;
        if on_grid.len() < slots.len() {
            on_grid.resize(slots.len(), GridBoxes8::EMPTY);
        }
        let triangles = side.tree.triangle_count();
        for slot in *rounded..slots.len() {
            let first = slots.item(slot as u32) as usize * WIDTH;
            on_grid[slot] = GridBoxes8::of(simd, &boxes[slot], triangles - first, grid);
        }
        *rounded = slots.len();
    }

    /// The boxes of the triangles of the leaf in a slot, on the grid.
    #[inline(always)]
    pub(super) fn on_grid(&self, slot: u32) -> &GridBoxes8 {
        &self.on_grid[slot as usize]
    }

    /// The boxes of the triangles of the leaf in a slot.
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

    /// The index in the order of the tree of a triangle.
    #[inline(always)]
    pub(crate) fn index_in_tree(&self, cached: u32) -> u32 {
        self.slots.item(cached / WIDTH as u32) * WIDTH as u32 + cached % WIDTH as u32
    }
}

/// Fetches eight triangles: their boxes first, one instruction per vertex, then turned into lanes.
#[inline(always)]
fn fetch_eight<S: Simd>(
    simd: S,
    side: TreeSide<'_>,
    triangles: &[[u32; 3]; WIDTH],
    room: &mut CornersOfLeaf,
) -> Boxes8 {
    let vertices = side.body.vertices();
    let (mut min, mut max) = ([f32x4::splat(simd, 0.0); WIDTH], [f32x4::splat(simd, 0.0); WIDTH]);
    for lane in 0..WIDTH {
        let [p, q, r] = triangles[lane];
        room[lane] = [vertices.four(p), vertices.four(q), vertices.four(r)];
        let (p, q, r) = (load(simd, &room[lane][0]), load(simd, &room[lane][1]), load(simd, &room[lane][2]));
        (min[lane], max[lane]) = (p.min(q).min(r), p.max(q).max(r));
    }
    Boxes8::of(Vec8::of(min), Vec8::of(max))
}

/// The last leaf of a tree may have fewer triangles than eight.
fn fetch_some(side: TreeSide<'_>, triangles: &[[u32; 3]], room: &mut CornersOfLeaf) -> Boxes8 {
    let mut boxes = Boxes8::EMPTY;
    for (lane, &triangle) in triangles.iter().enumerate() {
        let [p, q, r] = triangle.map(|vertex| side.body.vertices().four(vertex));
        room[lane] = [p, q, r];
        let (min, max) = (p.min(q).min(r), p.max(q).max(r));
        boxes.set(lane, &Bounds { min: min.truncate().to_array(), max: max.truncate().to_array() });
    }
    boxes
}
