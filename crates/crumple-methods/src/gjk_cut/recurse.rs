//! All pairs: cut, split what is left, and look at the four combinations.
//!
//! Paper: Hatab & Kheddar 2006, algorithm 5.1. What a cut leaves over is flat along its last direction, so it is split
//! across one orthogonal to it.
//!
//! Slips: `Split(TL1) = false And Split(TL2) = false`, read as most languages would, leaves the second list unsplit
//! whenever the first could be split; the triangle test is cited as Möller & Trumbore 1997, which is about rays.
//!
//! Departs, for speed: a list is split along the longer of the two axes farthest from the last direction, in the middle of
//! its box ([`Split::MiddleOfBox`](super::Split)), and at the median by count only where that would be lopsided, so that each
//! split makes progress and the depth stays below log(m) + log(n) to the base 8/7 even for triangles in one place. Lists are
//! halved three times before their pieces are compared, not once, which gives up to 64 combinations instead of four: what is
//! far apart is separated at once by the boxes of the pieces, and what is not is copied and cut a third as often. Leaves hold
//! a few triangles, whose boxes are compared in lanes; the triangle test is exact. [`GjkCutOptions::of_the_paper`] brings
//! back the paper's choices. Pairs within one body, which the paper leaves out, split the list against itself: each half with
//! itself, and one with the other.
//!
//! Cost: O((m + n) log(m + n)) for two bodies that meet along a curve; nothing is kept between frames.

use std::ops::ControlFlow::Continue;
use std::ops::Range;

use super::cut::{Cutter, Remainder, TopList};
use super::lists::{ListStack, SplitPlane};
use super::options::{Cuts, GjkCutOptions, MOST_HALVINGS};
use crumple::Aabb;
use crumple::narrow::{Boxed, Flow, Stats};

/// A search for pairs; `visit` gets every two short lists that no cut has separated, or one list and nothing where it
/// is to be compared with itself.
pub(super) struct Search<'a, Visit> {
    a: ListStack<'a>,
    b: ListStack<'a>,
    options: GjkCutOptions,
    cutter: Cutter,
    stats: Stats,
    visit: Visit,
}

impl<'a, Visit> Search<'a, Visit>
where
    Visit: FnMut(&[Boxed], Option<&[Boxed]>) -> Flow,
{
    /// A search by two empty stacks; for pairs within a body both are of the same body.
    pub(super) fn new([a, b]: [ListStack<'a>; 2], options: GjkCutOptions, visit: Visit) -> Self {
        let cutter = Cutter::new(a.local, &options);
        Self { a, b, options, cutter, stats: Stats::default(), visit }
    }

    /// Visits the pairs of the two sides, whose boxes have this region in common.
    pub(super) fn across(mut self, region: &Aabb) -> (Flow, Stats) {
        let bounds = [&mut self.a, &mut self.b].map(|side| match self.options.cuts {
            Cuts::BoxesFirst => side.push_body(region),
            Cuts::DirectionsOnly => side.push_body(&side.body.bounds()),
        });
        let flow = self.check(usize::MAX, (0, bounds[0]), (0, bounds[1]));
        (flow, self.finish())
    }

    /// Visits the pairs within the body, which is the same on both sides; each pair once, in any order.
    pub(super) fn within(mut self) -> (Flow, Stats) {
        let bounds = self.a.push_body(&self.a.body.bounds());
        let flow = self.check_self(0, bounds);
        (flow, self.finish())
    }

    fn finish(mut self) -> Stats {
        self.stats.vertices_visited += self.a.dot_products + self.b.dot_products;
        self.stats.box_tests += self.a.box_tests + self.b.box_tests;
        self.stats
    }

    /// The lists on top of both stacks, from `start_a` and `start_b` on, against each other; takes them off.
    ///
    /// With the box of each list, and how many triangles both had before they were last cut along the axes.
    fn check(&mut self, before: usize, (start_a, bounds_a): (usize, Aabb), (start_b, bounds_b): (usize, Aabb)) -> Flow {
        let a = TopList { stack: &mut self.a, start: start_a, bounds: bounds_a };
        let b = TopList { stack: &mut self.b, start: start_b, bounds: bounds_b };
        let flow = match self.cutter.cut(before, a, b) {
            None => Continue(()),
            Some(left) => self.check_left(start_a, start_b, left),
        };
        self.a.pop(start_a);
        self.b.pop(start_b);
        flow
    }

    fn check_left(&mut self, start_a: usize, start_b: usize, left: Remainder) -> Flow {
        let (top_a, top_b) = (self.a.top, self.b.top);
        let leaf = self.options.leaf_size;
        if top_a - start_a <= leaf && top_b - start_b <= leaf {
            return (self.visit)(self.a.list(start_a), Some(self.b.list(start_b)));
        }
        let plane = SplitPlane::new(self.options.split, left.direction);
        let pieces_a = Pieces::of(&mut self.a, start_a..top_a, left.bounds[0], &plane, &self.options);
        let pieces_b = Pieces::of(&mut self.b, start_b..top_b, left.bounds[1], &plane, &self.options);
        for (bounds_a, piece_a) in pieces_a.iter() {
            for (bounds_b, piece_b) in pieces_b.iter() {
                self.check_pieces((top_a, *bounds_a, piece_a.clone()), (top_b, *bounds_b, piece_b.clone()))?;
            }
        }
        Continue(())
    }

    /// A piece of each list, with its box, against the other; they are copied to the tops of the stacks.
    fn check_pieces(
        &mut self,
        (top_a, bounds_a, piece_a): (usize, Aabb, Range<usize>),
        (top_b, bounds_b, piece_b): (usize, Aabb, Range<usize>),
    ) -> Flow {
        if self.options.cuts == Cuts::DirectionsOnly {
            self.a.push_copy(piece_a);
            self.b.push_copy(piece_b);
            return self.check(usize::MAX, (top_a, bounds_a), (top_b, bounds_b));
        }
        self.stats.box_tests += 1;
        if !bounds_a.overlaps(&bounds_b) {
            return Continue(());
        }
        // The cut along the axes, while the pieces are copied anyway.
        let before = piece_a.len() + piece_b.len();
        let bounds_a = self.a.push_overlapping(piece_a, &bounds_b);
        let bounds_b = self.b.push_overlapping(piece_b, &bounds_a);
        self.check(before, (top_a, bounds_a), (top_b, bounds_b))
    }

    /// The list on top of the first stack, from `start` on, whose box is given, against itself; leaves it there, in
    /// another order.
    fn check_self(&mut self, start: usize, bounds: Aabb) -> Flow {
        let top = self.a.top;
        if top - start <= self.options.leaf_size {
            return (self.visit)(self.a.list(start), None);
        }
        let (middle, [bounds_a, bounds_b]) = self.a.split_along(start..top, &bounds, bounds.longest_axis());
        for (half, bounds) in [(start..middle, bounds_a), (middle..top, bounds_b)] {
            self.a.push_copy(half);
            self.check_self(top, bounds)?;
            self.a.pop(top);
        }
        self.b.push_from(&self.a, middle..top);
        self.a.push_copy(start..middle);
        self.check(usize::MAX, (top, bounds_a), (0, bounds_b))
    }
}

/// A list in pieces, each with its box.
struct Pieces {
    all: [(Aabb, Range<usize>); 1 << MOST_HALVINGS],
    count: usize,
}

impl Pieces {
    /// Halves a list, and each half again, but none that is short enough to be compared as it is.
    fn of(
        stack: &mut ListStack<'_>,
        list: Range<usize>,
        bounds: Aabb,
        plane: &SplitPlane,
        options: &GjkCutOptions,
    ) -> Self {
        let mut pieces = Self { all: std::array::from_fn(|_| (Aabb::EMPTY, 0..0)), count: 1 };
        pieces.all[0] = (bounds, list);
        for _ in 0..options.halvings {
            for at in 0..pieces.count {
                let (bounds, piece) = pieces.all[at].clone();
                if piece.len() > options.leaf_size {
                    let (middle, [low, high]) = stack.split(piece.clone(), &bounds, plane);
                    pieces.all[at] = (low, piece.start..middle);
                    pieces.all[pieces.count] = (high, middle..piece.end);
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
