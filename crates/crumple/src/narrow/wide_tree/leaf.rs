//! The triangles of a leaf and their boxes, fetched when a query gets there and kept by the thread that asked.
//!
//! A copy of the corners costs little where they are read anyway, and makes up for it when candidates are tested: one
//! place in memory a triangle in place of four. All this lives in the memory of the querying thread, not in the tree: trees stay untouched by queries, so any number of
//! threads can ask about one body, and none waits for another's memory.

use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use glam::Vec4;

use super::boxes8::Boxes8;
use super::build::WIDTH;
use super::vec8::{in_lanes, load};
use super::{Side, Tree};
use crate::geom::Aabb;

/// One leaf in this frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) boxes: Boxes8,
    corners: [[Vec4; 3]; WIDTH],
}

impl Leaf {
    const EMPTY: Self = Self { boxes: Boxes8::EMPTY, corners: [[Vec4::ZERO; 3]; WIDTH] };

    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, side: Side<'_, Tree>, leaf: usize) {
        let corners = side.tree.arrangement.leaf(leaf);
        match corners.as_array::<WIDTH>() {
            Some(corners) => self.fit_eight(simd, side, corners),
            None => self.fit_some(side, corners),
        }
    }

    /// Four triangles at a time: their boxes first, one vertex an instruction, then turned into lanes.
    #[inline(always)]
    fn fit_eight<S: Simd>(&mut self, simd: S, side: Side<'_, Tree>, corners: &[[u32; 3]; WIDTH]) {
        let vertices = side.body.vertices();
        let zero = f32x4::splat(simd, 0.0);
        for (half, four) in corners.as_chunks::<4>().0.iter().enumerate() {
            let (mut low, mut high) = ([zero; 4], [zero; 4]);
            for i in 0..4 {
                let corners =
                    [vertices[four[i][0] as usize], vertices[four[i][1] as usize], vertices[four[i][2] as usize]];
                self.corners[4 * half + i] = corners;
                let (p, q, r) = (load(simd, &corners[0]), load(simd, &corners[1]), load(simd, &corners[2]));
                (low[i], high[i]) = (p.min(q).min(r), p.max(q).max(r));
            }
            self.boxes.set_four(half, in_lanes(low), in_lanes(high));
        }
    }

    /// The last leaf of a tree may have fewer triangles than eight.
    fn fit_some(&mut self, side: Side<'_, Tree>, corners: &[[u32; 3]]) {
        self.boxes = Boxes8::EMPTY;
        for (lane, &corners) in corners.iter().enumerate() {
            let [i, j, k] = side.body.padded_corners(corners);
            self.corners[lane] = [i, j, k];
            self.boxes.set(lane, &Aabb::from_corners(i.min(j).min(k), i.max(j).max(k)));
        }
    }
}

/// The leaves of one body that a thread has fetched in one frame.
///
/// A triangle of a fetched leaf is named by its *slot*: eight times the place of the leaf, plus its lane.
#[derive(Debug, Default)]
pub(super) struct LeafCache {
    /// For each leaf its place in `fetched`, plus one; 0 if it has none.
    place: Vec<u32>,
    /// Which leaves have a place, so that taking them away does not touch all.
    taken: Vec<u32>,
    fetched: Vec<Leaf>,
}

impl LeafCache {
    /// Forgets everything, for a body with `leaves` leaves.
    pub(super) fn clear(&mut self, leaves: usize) {
        for leaf in self.taken.drain(..) {
            self.place[leaf as usize] = 0;
        }
        if self.place.len() < leaves {
            self.place.resize(leaves, 0);
        }
    }

    /// How many leaves have been fetched since the last `clear`.
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Makes sure that a leaf is here; returns its place.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(&mut self, simd: S, side: Side<'_, Tree>, leaf: u32) -> u32 {
        let place = self.place[leaf as usize];
        if place != 0 {
            return place - 1;
        }
        let place = self.taken.len();
        if place == self.fetched.len() {
            self.fetched.push(Leaf::EMPTY);
        }
        self.fetched[place].fit(simd, side, leaf as usize);
        self.taken.push(leaf);
        self.place[leaf as usize] = place as u32 + 1;
        place as u32
    }

    /// The boxes of the leaf at a place.
    #[inline(always)]
    pub(super) fn boxes(&self, place: u32) -> &Boxes8 {
        &self.fetched[place as usize].boxes
    }

    /// The corners of the triangle in a slot.
    #[inline(always)]
    pub(super) fn corners(&self, slot: u32) -> &[Vec4; 3] {
        &self.fetched[slot as usize / WIDTH].corners[slot as usize % WIDTH]
    }

    /// The place in the order of the tree of the triangle in a slot.
    #[inline(always)]
    pub(super) fn in_tree(&self, slot: u32) -> u32 {
        self.taken[slot as usize / WIDTH] * WIDTH as u32 + slot % WIDTH as u32
    }
}
