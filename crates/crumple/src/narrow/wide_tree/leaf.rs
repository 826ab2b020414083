//! The triangles of a leaf and their boxes, fetched when a query gets there and kept by the thread that asked.
//!
//! A copy of the corners costs little where they are read anyway, and makes up for it when candidates are tested: one
//! place in memory a triangle in place of four. All this lives in the memory of the querying thread, not in the tree: trees stay untouched by queries, so any number of
//! threads can ask about one body, and none waits for another's memory.

use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use glam::Vec4;

use super::boxes8::{Boxes8, Corners};
use super::build::WIDTH;
use super::places::Places;
use super::vec8::{Vec8, load};
use super::{Side, Tree};

/// The triangles of a leaf, three corners each, with anything for fourth coordinates.
type Corners8 = [[Vec4; 3]; WIDTH];

/// The leaves of one body that a thread has fetched in one frame.
///
/// A triangle of a fetched leaf is named by its *slot*: eight times the place of the leaf, plus its lane.
#[derive(Debug, Default)]
pub(super) struct LeafCache {
    places: Places,
    boxes: Vec<Boxes8>,
    /// The corners of the triangles by their slots.
    corners: Vec<[Vec4; 3]>,
}

impl LeafCache {
    /// Forgets everything, for a body with `leaves` leaves.
    pub(super) fn clear(&mut self, leaves: usize) {
        self.places.clear(leaves);
    }

    /// How many leaves have been fetched since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Makes sure that a leaf is here; returns its place.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(&mut self, simd: S, side: Side<'_, Tree>, leaf: u32) -> u32 {
        let (place, is_new) = self.places.of(leaf);
        if !is_new {
            return place;
        }
        if place as usize == self.boxes.len() {
            self.boxes.push(Boxes8::EMPTY);
            self.corners.extend([[Vec4::ZERO; 3]; WIDTH]);
        }
        let room = &mut self.corners.as_chunks_mut::<WIDTH>().0[place as usize];
        let corners = side.tree.arrangement.leaf(leaf as usize);
        self.boxes[place as usize] = match corners.as_array::<WIDTH>() {
            Some(corners) => eight(simd, side, corners, room),
            None => some(side, corners, room),
        };
        place
    }

    /// The boxes of the triangles of the leaf at a place.
    #[inline(always)]
    pub(super) fn boxes(&self, place: u32) -> &Boxes8 {
        &self.boxes[place as usize]
    }

    /// The corners of the triangle in a slot; their fourth coordinates are not to be looked at.
    #[inline(always)]
    pub(super) fn corners(&self, slot: u32) -> &[Vec4; 3] {
        &self.corners[slot as usize]
    }

    /// The place in the order of the tree of the triangle in a slot.
    #[inline(always)]
    pub(super) fn in_tree(&self, slot: u32) -> u32 {
        self.places.thing(slot / WIDTH as u32) * WIDTH as u32 + slot % WIDTH as u32
    }
}

/// Fetches eight triangles: their boxes first, one vertex an instruction, then turned into lanes.
#[inline(always)]
fn eight<S: Simd>(simd: S, side: Side<'_, Tree>, corners: &[[u32; 3]; WIDTH], room: &mut Corners8) -> Boxes8 {
    let vertices = side.body.vertices();
    let (mut low, mut high) = ([f32x4::splat(simd, 0.0); WIDTH], [f32x4::splat(simd, 0.0); WIDTH]);
    for lane in 0..WIDTH {
        let [p, q, r] = corners[lane];
        room[lane] = [vertices.four(p), vertices.four(q), vertices.four(r)];
        let (p, q, r) = (load(simd, &room[lane][0]), load(simd, &room[lane][1]), load(simd, &room[lane][2]));
        (low[lane], high[lane]) = (p.min(q).min(r), p.max(q).max(r));
    }
    Boxes8::of(Vec8::of(low), Vec8::of(high))
}

/// The last leaf of a tree may have fewer triangles than eight.
fn some(side: Side<'_, Tree>, corners: &[[u32; 3]], room: &mut Corners8) -> Boxes8 {
    let mut boxes = Boxes8::EMPTY;
    for (lane, &corners) in corners.iter().enumerate() {
        let [p, q, r] = corners.map(|vertex| side.body.vertices().four(vertex));
        room[lane] = [p, q, r];
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        boxes.set(lane, &Corners { low: low.truncate().to_array(), high: high.truncate().to_array() });
    }
    boxes
}
