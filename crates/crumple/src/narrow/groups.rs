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

use std::ops::ControlFlow::Continue;

use super::pair_test::{Flow, PairTest, SelfTest};
use crate::geom::lanes::{Bounds, Boxes8, Simd, Triples8, WIDTH, bits, dispatch};
use crate::geom::{Aabb, TriangleId};

/// A triangle with its box.
#[derive(Clone, Copy, Debug)]
pub struct Boxed {
    /// A box that holds the triangle.
    pub bounds: Aabb,
    /// Which triangle of its body.
    pub triangle: TriangleId,
}

impl PairTest<'_> {
    /// Takes in a group of triangles of each body: compares their boxes in lanes first.
    #[inline]
    pub fn groups(&mut self, a: &[Boxed], b: &[Boxed]) -> Flow {
        self.stats().box_tests += (a.len() * b.len()) as u64;
        let simd = self.simd();
        dispatch!(simd, simd => self.groups_in(simd, a, b))
    }

    #[inline(always)]
    fn groups_in<S: Simd>(&mut self, simd: S, a: &[Boxed], b: &[Boxed]) -> Flow {
        for eight in b.chunks(WIDTH) {
            let boxes = Boxes8::gather(simd, eight.iter().map(|other| &other.bounds));
            for one in a {
                let overlapping = boxes.overlapping(simd, &Bounds::of(&one.bounds));
                self.stats().candidates += u64::from(overlapping.count_ones());
                for lane in bits(overlapping) {
                    self.take(one.triangle.0, eight[lane].triangle.0)?;
                }
            }
        }
        Continue(())
    }
}

impl SelfTest<'_> {
    /// Takes in two groups of triangles that have none in common: compares their boxes in lanes first.
    #[inline]
    pub fn groups(&mut self, a: &[Boxed], b: &[Boxed]) -> Flow {
        if self.are_clear(a.iter().map(|one| one.triangle.0), b.iter().map(|one| one.triangle.0)) {
            return Continue(());
        }
        self.stats().box_tests += (a.len() * b.len()) as u64;
        let simd = self.simd();
        dispatch!(simd, simd => self.groups_in::<_, false>(simd, a, b))
    }

    /// Takes in the triangles of one group against each other.
    #[inline]
    pub fn group(&mut self, group: &[Boxed]) -> Flow {
        let numbers = group.iter().map(|one| one.triangle.0);
        if self.are_clear(numbers.clone(), numbers) {
            return Continue(());
        }
        self.stats().box_tests += (group.len() * group.len().saturating_sub(1) / 2) as u64;
        let simd = self.simd();
        dispatch!(simd, simd => self.groups_in::<_, true>(simd, group, group))
    }

    #[inline(always)]
    fn groups_in<S: Simd, const WITHIN: bool>(&mut self, simd: S, a: &[Boxed], b: &[Boxed]) -> Flow {
        // Of two groups side by side, most triangles of one reach nothing of the other.
        let whole_b =
            if WITHIN { Aabb::EMPTY } else { b.iter().fold(Aabb::EMPTY, |whole, one| whole.union(&one.bounds)) };
        for (part, a) in a.chunks(64).enumerate() {
            let near =
                if WITHIN { u64::MAX >> (64 - a.len()) } else { whole_b.overlap_mask(a.iter().map(|one| &one.bounds)) };
            if near == 0 {
                continue;
            }
            let first_b = if WITHIN { 64 * part } else { 0 };
            for (nth, eight) in b[first_b..].chunks(WIDTH).enumerate() {
                let boxes = Boxes8::gather(simd, eight.iter().map(|other| &other.bounds));
                let mut vertices = Triples8::default();
                for (lane, other) in eight.iter().enumerate() {
                    vertices.set(lane, self.relations.vertices(other.triangle.0));
                }
                for index in bits(near) {
                    let Boxed { bounds, triangle } = &a[index];
                    let mut overlapping = boxes.overlapping(simd, &Bounds::of(bounds));
                    if WITHIN {
                        // Only those that come later in the group.
                        overlapping &= 0xff << (index + 1).saturating_sub(nth * WIDTH).min(WIDTH);
                    }
                    if overlapping != 0 {
                        self.stats().candidates += u64::from(overlapping.count_ones());
                        let sharing = vertices.sharing(simd, self.relations.vertices(triangle.0));
                        self.take_lanes(triangle.0, (overlapping & !sharing, overlapping & sharing), eight)?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Takes in the candidates of one triangle and those of eight that a mask names: those that share no vertex with it,
    /// and those that do.
    #[inline(always)]
    fn take_lanes(&mut self, i: u32, (apart, sharing): (u32, u32), eight: &[Boxed]) -> Flow {
        for lane in bits(apart) {
            self.candidate_apart(i, eight[lane].triangle.0)?;
        }
        if !self.relations.is_plain() {
            for lane in bits(sharing) {
                self.candidate_sharing(i, eight[lane].triangle.0)?;
            }
        }
        Continue(())
    }
}
