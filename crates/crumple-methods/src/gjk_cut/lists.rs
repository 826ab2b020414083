//! The triangles of one side that are still in question, with their boxes.
//!
//! Lists live on one stack: a call of the search puts its lists on top, cuts and splits them there, and takes them off
//! again. Halves are half as long, so the stack stays at about twice the body, and nothing is allocated once the deepest
//! search has been seen. A list holds the boxes themselves and not numbers of them: they are read in order, and what is
//! left after a cut lies together.

use std::ops::Range;

use glam::DVec3;

use super::corners::LocalCoordinates;
use super::support::Kept;
use super::{Split, Support};
use crate::lanes::BoxLanes;
use crumple::narrow::Boxed;
use crumple::{Aabb, Axis, Body, TriangleId};

/// Working memory of one side, reused from query to query.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The stack of lists; what lies above its top is not in use.
    pub(super) items: Vec<Boxed>,
    pub(super) kept: Kept,
}

/// What fills memory that is not in use.
const NOTHING: Boxed = Boxed { bounds: Aabb::EMPTY, triangle: TriangleId(0) };

/// The stack of one side's lists.
pub(super) struct ListStack<'a> {
    pub(super) body: &'a Body,
    pub(super) local: &'a LocalCoordinates,
    pub(super) memory: &'a mut Memory,
    pub(super) support: Support,
    /// Where the next list will start.
    pub(super) top: usize,
    pub(super) box_tests: u64,
    pub(super) dot_products: u64,
}

impl<'a> ListStack<'a> {
    /// An empty stack.
    pub(super) fn new(body: &'a Body, local: &'a LocalCoordinates, memory: &'a mut Memory, support: Support) -> Self {
        Self { body, local, memory, support, top: 0, box_tests: 0, dot_products: 0 }
    }

    /// Puts all triangles of the body on the stack whose boxes overlap a region; returns the box of these.
    pub(super) fn push_body(&mut self, region: &Aabb) -> Aabb {
        let (body, mesh) = (self.body, self.body.mesh());
        self.make_room(mesh.live_count());
        self.box_tests += mesh.live_count() as u64;
        let room = &mut self.memory.items[self.top..];
        let (mut kept, mut joined) = (0, Aabb::EMPTY);
        for (triangle, _) in mesh.live_triangles() {
            let bounds = body.triangle_box(triangle);
            // Triangles that are near each other have numbers that are: the answer can be predicted.
            if bounds.overlaps(region) {
                room[kept] = Boxed { bounds, triangle };
                kept += 1;
                joined = joined.union(&bounds);
            }
        }
        self.top += kept;
        joined
    }

    /// Puts a copy of a part of the stack on top of it.
    pub(super) fn push_copy(&mut self, of: Range<usize>) {
        self.make_room(of.len());
        let (from, room) = self.memory.items.split_at_mut(self.top);
        room[..of.len()].copy_from_slice(&from[of.clone()]);
        self.top += of.len();
    }

    /// Puts a part of another stack on top of this one.
    pub(super) fn push_from(&mut self, other: &ListStack<'_>, of: Range<usize>) {
        self.make_room(of.len());
        self.memory.items[self.top..][..of.len()].copy_from_slice(&other.memory.items[of.clone()]);
        self.top += of.len();
    }

    /// Puts on top of the stack those of a part of it whose boxes overlap `region`; returns the box of these.
    pub(super) fn push_overlapping(&mut self, of: Range<usize>, region: &Aabb) -> Aabb {
        self.make_room(of.len());
        self.box_tests += of.len() as u64;
        let (from, room) = self.memory.items.split_at_mut(self.top);
        let mut kept = 0;
        for &item in &from[of] {
            // Written in any case: whether to keep it is hard to predict, and this way nothing has to be.
            room[kept] = item;
            kept += usize::from(item.bounds.overlaps(region));
        }
        self.top += kept;
        bounds_of(&room[..kept])
    }

    /// Takes everything from `start` on off the stack.
    pub(super) fn pop(&mut self, start: usize) {
        self.top = start;
    }

    /// The list from `start` on.
    pub(super) fn list(&self, start: usize) -> &[Boxed] {
        &self.memory.items[start..self.top]
    }

    /// Drops the triangles whose boxes do not overlap `region`; returns the box of those that are left.
    pub(super) fn retain_in(&mut self, start: usize, region: &Aabb) -> Aabb {
        self.box_tests += (self.top - start) as u64;
        self.retain(start, |item, _| item.bounds.overlaps(region));
        bounds_of(self.list(start))
    }

    /// Keeps some of the list from `start` on, in their order; whether any went.
    #[inline]
    pub(super) fn retain(&mut self, start: usize, mut keep: impl FnMut(&Boxed, &Kept) -> bool) -> bool {
        let Memory { items, kept: products, .. } = &mut *self.memory;
        let list = &mut items[start..self.top];
        let mut kept = 0;
        for at in 0..list.len() {
            let item = list[at];
            list[kept] = item;
            kept += usize::from(keep(&item, products));
        }
        let any_went = kept < list.len();
        self.top = start + kept;
        any_went
    }

    /// Splits a part of the stack, whose box is given, in two: returns where the second half starts, and the boxes of both.
    pub(super) fn split(&mut self, of: Range<usize>, bounds: &Aabb, how: &SplitPlane) -> (usize, [Aabb; 2]) {
        match how {
            SplitPlane::MiddleOfBox(axes) => self.split_along(of, bounds, longer(*axes, bounds)),
            SplitPlane::MedianAcross(across) => self.split_across(of, *across),
        }
    }

    /// Splits in the middle of the box, which takes one look at each triangle. Where that would leave less than an eighth on
    /// one side, at the median by count: so each split makes progress, even if all triangles lie in one place.
    pub(super) fn split_along(&mut self, of: Range<usize>, bounds: &Aabb, axis: Axis) -> (usize, [Aabb; 2]) {
        // An axis that is known when compiling makes each key two plain loads.
        match axis {
            Axis::X => self.split_along_axis::<0>(of, bounds),
            Axis::Y => self.split_along_axis::<1>(of, bounds),
            Axis::Z => self.split_along_axis::<2>(of, bounds),
        }
    }

    fn split_along_axis<const AXIS: usize>(&mut self, of: Range<usize>, bounds: &Aabb) -> (usize, [Aabb; 2]) {
        // Twice the middle of a box: as good for comparing.
        let key = |bounds: &Aabb| bounds.low()[AXIS] + bounds.high()[AXIS];
        let middle = key(bounds);
        let list = &mut self.memory.items[of.clone()];
        let mut below = 0;
        for at in 0..list.len() {
            // Swapped in any case: on which side a triangle lies is hard to predict, and this way nothing has to be.
            let is_below = key(&list[at].bounds) < middle;
            list.swap(at, below);
            below += usize::from(is_below);
        }
        if 8 * below.min(list.len() - below) < list.len() {
            below = list.len() / 2;
            list.select_nth_unstable_by(below, |i, j| {
                key(&i.bounds).total_cmp(&key(&j.bounds)).then(i.triangle.cmp(&j.triangle))
            });
        }
        let (low, high) = list.split_at(below);
        (of.start + below, [bounds_of(low), bounds_of(high)])
    }

    /// Splits at the median of the barycentres along a direction.
    fn split_across(&mut self, of: Range<usize>, across: DVec3) -> (usize, [Aabb; 2]) {
        let half = of.len() / 2;
        let (triangles, positions) = (self.body.mesh().indices(), self.body.positions());
        // Three times the distance of the barycentre: as good for comparing.
        let key = |item: &Boxed| {
            let corners = triangles[item.triangle.index()].map(|vertex| positions[vertex as usize]);
            corners.iter().map(|corner| DVec3::from_array(corner.map(f64::from)).dot(across)).sum::<f64>()
        };
        // Of triangles in one place the numbers decide, so that the order is always the same.
        let list = &mut self.memory.items[of.clone()];
        list.select_nth_unstable_by(half, |i, j| key(i).total_cmp(&key(j)).then(i.triangle.cmp(&j.triangle)));
        let (low, high) = list.split_at(half);
        (of.start + half, [bounds_of(low), bounds_of(high)])
    }

    fn make_room(&mut self, count: usize) {
        if self.memory.items.len() < self.top + count {
            self.memory.items.resize(self.top + count, NOTHING);
        }
    }
}

/// How lists are split after they were cut along a direction.
#[derive(Clone, Copy, Debug)]
pub(super) enum SplitPlane {
    MiddleOfBox([Axis; 2]),
    MedianAcross(DVec3),
}

impl SplitPlane {
    pub(super) fn new(how: Split, direction: DVec3) -> Self {
        match how {
            Split::MiddleOfBox => Self::MiddleOfBox(across(direction)),
            Split::MedianAcross => Self::MedianAcross(direction.any_orthonormal_vector()),
        }
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

/// The box of a list. By itself, after the list was cut or split: chosen without a branch, triangle by triangle, while that is
/// done, it takes longer than this second look at what lies together.
fn bounds_of(list: &[Boxed]) -> Aabb {
    list.iter().fold(Aabb::EMPTY, |joined, item| joined.union(&item.bounds))
}
