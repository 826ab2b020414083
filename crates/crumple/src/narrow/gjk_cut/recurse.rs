//! All pairs: cut, split what is left, and look at the four combinations.
//!
//! Paper: Hatab & Kheddar 2006, algorithm 5.1. What a cut leaves over is flat along its last direction, so it is split
//! across one orthogonal to it, of which the one along which it reaches farthest is taken.
//!
//! Slips: `Split(TL1) = false And Split(TL2) = false`, read as most languages would, leaves the second list unsplit
//! whenever the first could be split; the triangle test is cited as Möller & Trumbore 1997, which is about rays.
//!
//! Departs: lists are halved at the median by count, so that each split makes progress and the depth is at most
//! log2(m) + log2(n) even for triangles in one place; leaves hold a few triangles (see
//! [`GjkCutOptions`](super::GjkCutOptions)), whose boxes are compared first; the triangle test is exact. Pairs within one
//! body, which the paper leaves out, split the list against itself: each half with itself, and one with the other.
//!
//! Cost: O((m + n) log(m + n)) for two bodies that meet along a curve; nothing is kept between frames.

use std::ops::ControlFlow::{self, Break, Continue};

use glam::DVec3;

use super::GjkCutOptions;
use super::cut::Cutter;
use super::direction::orthogonal;
use super::support::{Half, Memory};
use crate::body::Body;
use crate::contact::Stats;
use crate::geom::Aabb;

/// A search for pairs; `visit` gets every two triangles whose boxes overlap and that no cut has told apart.
pub(super) struct Search<'a, Visit> {
    a: Half<'a>,
    b: Half<'a>,
    bodies: [&'a Body; 2],
    leaf_size: usize,
    cutter: Cutter,
    boxes: &'a mut Vec<Aabb>,
    stats: Stats,
    visit: Visit,
}

impl<'a, Visit: FnMut(u32, u32) -> ControlFlow<()>> Search<'a, Visit> {
    pub(super) fn new(
        bodies: [&'a Body; 2],
        [memory_a, memory_b]: [&'a mut Memory; 2],
        boxes: &'a mut Vec<Aabb>,
        options: GjkCutOptions,
        visit: Visit,
    ) -> Self {
        let largest = |body: &Body| {
            let bounds = body.bounds();
            let corners = bounds.min().into_iter().chain(bounds.max());
            if bounds.is_empty() { 0.0 } else { corners.fold(0.0, |largest: f32, x| largest.max(x.abs())) }
        };
        let [a, b] = bodies;
        let cutter = Cutter::new(largest(a).max(largest(b)), options.cut_threshold);
        let (half_a, half_b) = (Half::new(a, memory_a), Half::new(b, memory_b));
        let (leaf_size, stats) = (options.leaf_size, Stats::default());
        Self { a: half_a, b: half_b, bodies, leaf_size, cutter, boxes, stats, visit }
    }

    /// Visits the pairs of the two bodies.
    pub(super) fn across(mut self) -> Stats {
        self.stats.box_tests += 1;
        if self.bodies[0].bounds().overlaps(&self.bodies[1].bounds()) {
            self.a.push_all();
            self.b.push_all();
            let _ = self.check(0, 0);
        }
        self.finish()
    }

    /// Visits the pairs within the body, which is the same on both sides; each pair once, in any order.
    pub(super) fn within(mut self) -> Stats {
        self.a.push_all();
        let _ = self.check_self(0);
        self.finish()
    }

    fn finish(mut self) -> Stats {
        self.stats.dot_products += self.a.dot_products + self.b.dot_products;
        self.stats
    }

    /// The lists on top of both stacks, from `start_a` and `start_b` on, against each other; takes them off.
    fn check(&mut self, start_a: usize, start_b: usize) -> ControlFlow<()> {
        let left = self.cutter.cut((&mut self.a, start_a), (&mut self.b, start_b));
        let flow = match left {
            None => Continue(()),
            Some(direction) => self.check_left(start_a, start_b, direction),
        };
        self.a.pop(start_a);
        self.b.pop(start_b);
        flow
    }

    fn check_left(&mut self, start_a: usize, start_b: usize, direction: DVec3) -> ControlFlow<()> {
        let (top_a, top_b) = (self.a.top(), self.b.top());
        let leaf = self.leaf_size;
        let [is_leaf_a, is_leaf_b] = [top_a - start_a <= leaf, top_b - start_b <= leaf];
        if is_leaf_a && is_leaf_b {
            return self.test_leaves(start_a, start_b);
        }
        let across = orthogonal(direction);
        // A list that cannot be split is its own first half; the second is empty and ends at once.
        let middle_a = if is_leaf_a { top_a } else { self.a.split(start_a, &across) };
        let middle_b = if is_leaf_b { top_b } else { self.b.split(start_b, &across) };
        for half_b in [start_b..middle_b, middle_b..top_b] {
            for half_a in [start_a..middle_a, middle_a..top_a] {
                if half_a.is_empty() || half_b.is_empty() {
                    continue;
                }
                self.a.push_copy(half_a);
                self.b.push_copy(half_b.clone());
                self.check(top_a, top_b)?;
            }
        }
        Continue(())
    }

    /// The list on top of the first stack, from `start` on, against itself; leaves it there.
    fn check_self(&mut self, start: usize) -> ControlFlow<()> {
        let top = self.a.top();
        if top - start <= self.leaf_size {
            return self.test_within(start);
        }
        self.a.gather_vertices(start);
        let middle = self.a.split(start, &[DVec3::X, DVec3::Y, DVec3::Z]);
        for half in [start..middle, middle..top] {
            self.a.push_copy(half);
            self.check_self(top)?;
            self.a.pop(top);
        }
        self.b.push_from(&self.a, middle..top);
        self.a.push_copy(start..middle);
        self.check(top, 0)
    }

    fn test_leaves(&mut self, start_a: usize, start_b: usize) -> ControlFlow<()> {
        let (list_a, list_b) = (self.a.list(start_a), self.b.list(start_b));
        self.boxes.clear();
        self.boxes.extend(list_b.iter().map(|&triangle| bounds(self.bodies[1], triangle)));
        for &i in list_a {
            let bounds_a = bounds(self.bodies[0], i);
            for (&j, bounds_b) in list_b.iter().zip(self.boxes.iter()) {
                self.stats.box_tests += 1;
                if bounds_a.overlaps(bounds_b) {
                    self.stats.candidates += 1;
                    (self.visit)(i, j)?;
                }
            }
        }
        Continue(())
    }

    fn test_within(&mut self, start: usize) -> ControlFlow<()> {
        let list = self.a.list(start);
        for (k, &i) in list.iter().enumerate() {
            let bounds_a = bounds(self.bodies[0], i);
            for &j in &list[k + 1..] {
                self.stats.box_tests += 1;
                if bounds_a.overlaps(&bounds(self.bodies[0], j)) {
                    self.stats.candidates += 1;
                    if (self.visit)(i, j).is_break() {
                        return Break(());
                    }
                }
            }
        }
        Continue(())
    }
}

fn bounds(body: &Body, triangle: u32) -> Aabb {
    let vertices = body.mesh().triangles()[triangle as usize];
    vertices.iter().fold(Aabb::EMPTY, |grown, &vertex| grown.with_vertex(body.vertices()[vertex as usize]))
}
