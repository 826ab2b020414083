//! Compares groups of triangles in lanes: where the papers' methods end when they look for self-collision, and the lists of
//! GJK with the cut in any case.
//!
//! The boxes of triangles that share a vertex always overlap: on a sheet there are six such pairs per triangle, a hundred
//! times what is left to be tested. So the search of a method ends at groups of some triangles — leaves, buckets, lists —
//! and two groups are compared here: one triangle against eight at a time, first the boxes, then the numbers of the
//! vertices. Pairs that share a vertex are dropped by a mask, as the wide tree does (`tree::neighbours`); they are
//! decided with the fans of their vertices. Two groups that lie around one vertex of very many triangles (a hub, see
//! `tree::hubs`) are not compared at all in a frame in which its triangles lie side by side.
//!
//! Departs from all four papers, which leave self-collision out or treat it as two bodies.
//! Cost: about 30 instructions for one triangle against eight.

use std::ops::ControlFlow::{self, Continue};

use super::pair_test::{PairTest, SelfTest};
use crate::body::Body;
use crate::geom::Aabb;
use crate::geom::lanes::{Bounds, Boxes8, Simd, Triples8, WIDTH, bits, dispatch};
use crate::narrow::Stats;

/// The most triangles of a subtree that are compared as a group. Instructions per frame of CR1 at 16, 32 and 64, in
/// millions: local-tree 93, 92, 103; gjk-cut 173, 150, 143.
pub(super) const GROUP: usize = 32;

/// A triangle with its box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) bounds: Aabb,
    pub(super) triangle: u32,
}

impl Item {
    /// Lists triangles with their boxes as they are now.
    pub(super) fn list(body: &Body, triangles: &[u32], items: &mut Vec<Self>) {
        items.clear();
        items.extend(triangles.iter().map(|&triangle| Self { bounds: body.triangle_box(triangle), triangle }));
    }

    pub(super) fn parts(&self) -> (&Aabb, u32) {
        (&self.bounds, self.triangle)
    }
}

impl PairTest<'_> {
    /// Takes in the candidates of a group of each body.
    #[inline]
    pub(super) fn compare(&mut self, (a, b): (&[Item], &[Item]), stats: &mut Stats) -> ControlFlow<()> {
        stats.box_tests += (a.len() * b.len()) as u64;
        let level = self.level();
        dispatch!(level, simd => self.compare_in(simd, (a, b), stats))
    }

    #[inline(always)]
    fn compare_in<S: Simd>(&mut self, simd: S, (a, b): (&[Item], &[Item]), stats: &mut Stats) -> ControlFlow<()> {
        for eight in b.chunks(WIDTH) {
            let boxes = Boxes8::gather(simd, eight.iter().map(|other| &other.bounds));
            for item in a {
                let overlapping = boxes.overlapping(simd, &Bounds::of(&item.bounds));
                stats.candidates += u64::from(overlapping.count_ones());
                for lane in bits(overlapping) {
                    self.candidate(item.triangle, eight[lane].triangle)?;
                }
            }
        }
        Continue(())
    }
}

impl SelfTest<'_> {
    /// Takes in the candidates of two groups; `item` gives the box and the number of a triangle.
    #[inline]
    pub(super) fn compare<'a, T>(
        &mut self,
        (a, b): (&'a [T], &'a [T]),
        item: impl Fn(&'a T) -> (&'a Aabb, u32) + Copy,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        let numbers = |group: &'a [T]| group.iter().map(move |one| item(one).1);
        if self.are_settled(numbers(a), numbers(b)) {
            return Continue(());
        }
        stats.box_tests += (a.len() * b.len()) as u64;
        let level = self.level();
        dispatch!(level, simd => self.compare_in::<_, _, false>(simd, (a, b), item, stats))
    }

    /// Takes in the candidates within a group.
    #[inline]
    pub(super) fn compare_within<'a, T>(
        &mut self,
        group: &'a [T],
        item: impl Fn(&'a T) -> (&'a Aabb, u32) + Copy,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        let numbers = group.iter().map(|one| item(one).1);
        if self.are_settled(numbers.clone(), numbers) {
            return Continue(());
        }
        stats.box_tests += (group.len() * group.len().saturating_sub(1) / 2) as u64;
        let level = self.level();
        dispatch!(level, simd => self.compare_in::<_, _, true>(simd, (group, group), item, stats))
    }

    #[inline(always)]
    fn compare_in<'a, S: Simd, T, const WITHIN: bool>(
        &mut self,
        simd: S,
        (a, b): (&'a [T], &'a [T]),
        item: impl Fn(&'a T) -> (&'a Aabb, u32) + Copy,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        // Of two groups side by side, most triangles of one reach nothing of the other.
        let whole_b =
            if WITHIN { Aabb::EMPTY } else { b.iter().fold(Aabb::EMPTY, |whole, one| whole.union(item(one).0)) };
        for (part, a) in a.chunks(64).enumerate() {
            let near =
                if WITHIN { u64::MAX >> (64 - a.len()) } else { whole_b.overlap_mask(a.iter().map(|one| item(one).0)) };
            if near == 0 {
                continue;
            }
            let first_b = if WITHIN { 64 * part } else { 0 };
            for (nth, eight) in b[first_b..].chunks(WIDTH).enumerate() {
                let boxes = Boxes8::gather(simd, eight.iter().map(|other| item(other).0));
                let mut vertices = Triples8::default();
                for (lane, other) in eight.iter().enumerate() {
                    vertices.set(lane, self.relations.vertices(item(other).1));
                }
                for index in bits(near) {
                    let (bounds, i) = item(&a[index]);
                    let mut overlapping = boxes.overlapping(simd, &Bounds::of(bounds));
                    if WITHIN {
                        // Only those that come later in the group.
                        overlapping &= 0xff << (index + 1).saturating_sub(nth * WIDTH).min(WIDTH);
                    }
                    if overlapping != 0 {
                        stats.candidates += u64::from(overlapping.count_ones());
                        let sharing = vertices.sharing(simd, self.relations.vertices(i));
                        self.take_lanes(i, (overlapping & !sharing, overlapping & sharing), eight, item)?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Takes in the candidates of one triangle and those of eight that a mask names: those that share no vertex with it,
    /// and those that do.
    #[inline(always)]
    fn take_lanes<'a, T>(
        &mut self,
        i: u32,
        (apart, sharing): (u32, u32),
        eight: &'a [T],
        item: impl Fn(&'a T) -> (&'a Aabb, u32) + Copy,
    ) -> ControlFlow<()> {
        for lane in bits(apart) {
            self.candidate_apart(i, item(&eight[lane]).1)?;
        }
        if !self.relations.is_plain() {
            for lane in bits(sharing) {
                self.candidate_sharing(i, item(&eight[lane]).1)?;
            }
        }
        Continue(())
    }
}
