//! All pairs: cut, split what is left, and look at the four combinations.
//!
//! Paper: Hatab & Kheddar 2006, algorithm 5.1. What a cut leaves over is flat along its last direction, so it is split
//! across one orthogonal to it: here the longer of the two axes farthest from it.
//!
//! Slips: `Split(TL1) = false And Split(TL2) = false`, read as most languages would, leaves the second list unsplit
//! whenever the first could be split; the triangle test is cited as Möller & Trumbore 1997, which is about rays.
//!
//! Departs, for speed: lists are halved three times before their pieces are compared, not once, which gives up to 64
//! combinations instead of four. What is far apart is separated at once by the boxes of the pieces, and what is not is
//! copied and cut a third as often ([`GjkCutOptions::halvings`] brings the four back). A list is halved in the middle of
//! its box, and at the median by count only where that would be lopsided, so that each split makes progress and the depth
//! stays below log(m) + log(n) to the base 8/7 even for triangles in one place. Leaves hold a few triangles, whose boxes
//! are compared first; the triangle test is exact. Pairs within one body, which the paper leaves out, split the list
//! against itself: each half with itself, and one with the other.
//!
//! Cost: O((m + n) log(m + n)) for two bodies that meet along a curve; nothing is kept between frames.

use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;

use glam::DVec3;

use super::corners::{LocalCoordinates, Parts};
use super::cut::{Cutter, Remainder};
use super::options::{GjkCutOptions, MOST_HALVINGS};
use super::support::{ListStack, Memory};
use crate::geom::lanes::bits;
use crate::geom::{Aabb, Axis};
use crate::narrow::Stats;

/// How far lists are split.
#[derive(Clone, Copy, Debug)]
struct Limits {
    leaf_size: usize,
    halvings: u32,
}

/// A list of triangles that is short enough not to be split.
#[derive(Clone, Copy)]
pub(super) struct ShortList<'a> {
    pub(super) parts: &'a Parts,
    pub(super) list: &'a [u32],
}

/// A search for pairs; `visit` gets every two short lists that no cut has separated, or one list and nothing where it
/// is to be compared with itself.
pub(super) struct Search<'a, Visit> {
    a: ListStack<'a>,
    b: ListStack<'a>,
    limits: Limits,
    cutter: Cutter,
    stats: Stats,
    visit: Visit,
}

impl<'a, Visit> Search<'a, Visit>
where
    Visit: FnMut(ShortList<'_>, Option<ShortList<'_>>, &mut Stats) -> ControlFlow<()>,
{
    /// A search among triangles that were taken in; for pairs within a body both sides have the same.
    pub(super) fn new(
        [parts_a, parts_b]: [&'a Parts; 2],
        [memory_a, memory_b]: [&'a mut Memory; 2],
        local: &LocalCoordinates,
        options: GjkCutOptions,
        visit: Visit,
    ) -> Self {
        let limits = Limits { leaf_size: options.leaf_size, halvings: options.halvings };
        let cutter = Cutter::new(local, options.cut_threshold, options.leaf_size);
        let (a, b) =
            (ListStack::new(parts_a, memory_a, options.support), ListStack::new(parts_b, memory_b, options.support));
        Self { a, b, limits, cutter, stats: Stats::default(), visit }
    }

    /// Visits the pairs of the two sides.
    pub(super) fn across(mut self) -> Stats {
        self.a.push_all();
        self.b.push_all();
        let (bounds_a, bounds_b) = (self.a.bounds(0..self.a.top()), self.b.bounds(0..self.b.top()));
        let _ = self.check(usize::MAX, (0, bounds_a), (0, bounds_b));
        self.finish()
    }

    /// Visits the pairs within the body, which is the same on both sides; each pair once, in any order.
    pub(super) fn within(mut self) -> Stats {
        self.a.push_all();
        let bounds = self.a.bounds(0..self.a.top());
        let _ = self.check_self(0, bounds);
        self.finish()
    }

    fn finish(mut self) -> Stats {
        self.stats.dot_products += self.a.dot_products + self.b.dot_products;
        self.stats.box_tests += self.a.box_tests + self.b.box_tests;
        self.stats
    }

    /// The lists on top of both stacks, from `start_a` and `start_b` on, against each other; takes them off.
    ///
    /// With the box of each list, and how many triangles both had before they were last cut along the axes.
    fn check(
        &mut self,
        before: usize,
        (start_a, bounds_a): (usize, Aabb),
        (start_b, bounds_b): (usize, Aabb),
    ) -> ControlFlow<()> {
        let left = self.cutter.cut(before, (&mut self.a, start_a, bounds_a), (&mut self.b, start_b, bounds_b));
        let flow = match left {
            None => Continue(()),
            Some(left) => self.check_left(start_a, start_b, left),
        };
        self.a.pop(start_a);
        self.b.pop(start_b);
        flow
    }

    fn check_left(&mut self, start_a: usize, start_b: usize, left: Remainder) -> ControlFlow<()> {
        let (top_a, top_b) = (self.a.top(), self.b.top());
        let leaf = self.limits.leaf_size;
        if top_a - start_a <= leaf && top_b - start_b <= leaf {
            return self.visit_leaves(start_a, start_b);
        }
        let across = across(left.direction);
        let pieces_a = Pieces::of(&mut self.a, start_a..top_a, left.bounds[0], across, self.limits);
        let pieces_b = Pieces::of(&mut self.b, start_b..top_b, left.bounds[1], across, self.limits);
        for (bounds_a, piece_a) in pieces_a.iter() {
            for (bounds_b, piece_b) in pieces_b.iter() {
                self.stats.box_tests += 1;
                if !bounds_a.overlaps(bounds_b) {
                    continue;
                }
                // The cut along the axes, while the pieces are copied anyway.
                let bounds_a = self.a.push_overlapping(piece_a.clone(), bounds_b);
                let bounds_b = self.b.push_overlapping(piece_b.clone(), &bounds_a);
                self.check(piece_a.len() + piece_b.len(), (top_a, bounds_a), (top_b, bounds_b))?;
            }
        }
        Continue(())
    }

    /// The list on top of the first stack, from `start` on, whose box is given, against itself; leaves it there, in
    /// another order.
    fn check_self(&mut self, start: usize, bounds: Aabb) -> ControlFlow<()> {
        let top = self.a.top();
        if top - start <= self.limits.leaf_size {
            return self.visit_leaf(start);
        }
        let middle = self.a.split(start..top, &bounds, bounds.longest_axis());
        let [bounds_a, bounds_b] = [start..middle, middle..top].map(|half| self.a.bounds(half));
        for (half, bounds) in [(start..middle, bounds_a), (middle..top, bounds_b)] {
            self.a.push_copy(half);
            self.check_self(top, bounds)?;
            self.a.pop(top);
        }
        self.b.push_from(&self.a, middle..top);
        self.a.push_copy(start..middle);
        self.check(usize::MAX, (top, bounds_a), (0, bounds_b))
    }

    fn visit_leaves(&mut self, start_a: usize, start_b: usize) -> ControlFlow<()> {
        let a = ShortList { parts: self.a.parts, list: self.a.list(start_a) };
        let b = ShortList { parts: self.b.parts, list: self.b.list(start_b) };
        (self.visit)(a, Some(b), &mut self.stats)
    }

    fn visit_leaf(&mut self, start: usize) -> ControlFlow<()> {
        let list = ShortList { parts: self.a.parts, list: self.a.list(start) };
        (self.visit)(list, None, &mut self.stats)
    }
}

/// Calls `visit` with the triangles of two lists whose boxes overlap.
#[inline]
pub(super) fn candidates(
    (a, b): (ShortList<'_>, ShortList<'_>),
    stats: &mut Stats,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stats.box_tests += (a.list.len() * b.list.len()) as u64;
    for &i in a.list {
        let bounds = &a.parts.boxes[i as usize];
        for list in b.list.chunks(64) {
            let mask = bounds.overlap_mask(list.iter().map(|&j| &b.parts.boxes[j as usize]));
            stats.candidates += u64::from(mask.count_ones());
            for j in bits(mask) {
                visit(a.parts.triangles[i as usize], b.parts.triangles[list[j] as usize])?;
            }
        }
    }
    Continue(())
}

/// A list in pieces, each with its box.
struct Pieces {
    all: [(Aabb, Range<usize>); 1 << MOST_HALVINGS],
    count: usize,
}

impl Pieces {
    /// Halves a list, and each half again, but none that is short enough to be compared as it is.
    fn of(stack: &mut ListStack<'_>, list: Range<usize>, bounds: Aabb, axes: [Axis; 2], limits: Limits) -> Self {
        let mut pieces = Self { all: std::array::from_fn(|_| (Aabb::EMPTY, 0..0)), count: 1 };
        pieces.all[0] = (bounds, list);
        for _ in 0..limits.halvings {
            for at in 0..pieces.count {
                let (bounds, piece) = pieces.all[at].clone();
                if piece.len() > limits.leaf_size {
                    let middle = stack.split(piece.clone(), &bounds, longer(axes, &bounds));
                    let [low, high] = [piece.start..middle, middle..piece.end];
                    pieces.all[at] = (stack.bounds(low.clone()), low);
                    pieces.all[pieces.count] = (stack.bounds(high.clone()), high);
                    pieces.count += 1;
                }
            }
        }
        pieces
    }

    fn iter(&self) -> impl Iterator<Item = &(Aabb, Range<usize>)> {
        self.all[..self.count].iter()
    }
}

/// The two axes that are nearest to orthogonal to a direction.
fn across(direction: DVec3) -> [Axis; 2] {
    let size = direction.abs();
    if size.x >= size.y && size.x >= size.z {
        [Axis::Y, Axis::Z]
    } else if size.y >= size.z {
        [Axis::X, Axis::Z]
    } else {
        [Axis::X, Axis::Y]
    }
}

/// The one of two axes along which a box is longer.
fn longer([one, other]: [Axis; 2], bounds: &Aabb) -> Axis {
    let extent = bounds.extent();
    if extent[one as usize] >= extent[other as usize] { one } else { other }
}
