//! The triangles of one side that are still in question, and how far they reach.
//!
//! Paper: Hatab & Kheddar 2006, section IV. It keeps the dot products of the support search for the cut; here they are
//! made again, since three at a time they cost less than to be written and read.
//!
//! Lists live on one stack: a call of the search copies its lists to the top, cuts and splits them there, and takes them
//! off again. Halves are half as long, so the stack stays at about twice the body, and nothing is allocated once the
//! deepest search has been seen.

use std::ops::Range;

use glam::{DVec3, Vec4};

use super::Support;
use super::corners::{Direction, Parts};
use crate::geom::{Aabb, Axis};

/// Working memory of one side, reused from query to query.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The stack of lists, of triangles by their numbers among those that take part.
    stack: Vec<u32>,
    spare: Vec<u32>,
    seen: Seen,
}

/// Which vertices have been looked at, by stamps, so that nothing has to be cleared.
#[derive(Debug, Default)]
struct Seen {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Seen {
    /// Starts again with no vertex looked at.
    fn forget(&mut self) {
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// Whether this is the first time a vertex is asked for.
    fn is_new(&mut self, vertex: u32) -> bool {
        if self.stamps.len() <= vertex as usize {
            self.stamps.resize(vertex as usize + 1, 0);
        }
        std::mem::replace(&mut self.stamps[vertex as usize], self.stamp) != self.stamp
    }
}

/// How far a list reaches along a direction, and the triangles at its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) low: f32,
    pub(super) high: f32,
    low_at: u32,
    high_at: u32,
}

/// The stack of one side's lists, with the triangles they are made of.
pub(super) struct ListStack<'a> {
    pub(super) parts: &'a Parts,
    memory: &'a mut Memory,
    support: Support,
    pub(super) box_tests: u64,
    pub(super) dot_products: u64,
}

impl<'a> ListStack<'a> {
    /// An empty stack.
    pub(super) fn new(parts: &'a Parts, memory: &'a mut Memory, support: Support) -> Self {
        memory.stack.clear();
        Self { parts, memory, support, box_tests: 0, dot_products: 0 }
    }

    /// Puts all triangles that take part on the stack.
    pub(super) fn push_all(&mut self) {
        self.memory.stack.extend(0..self.parts.triangles.len() as u32);
    }

    /// Where the next list will start.
    pub(super) fn top(&self) -> usize {
        self.memory.stack.len()
    }

    /// Puts a copy of a part of the stack on top of it.
    pub(super) fn push_copy(&mut self, of: Range<usize>) {
        self.memory.stack.extend_from_within(of);
    }

    /// Puts a part of another stack on top of this one.
    pub(super) fn push_from(&mut self, other: &ListStack<'_>, of: Range<usize>) {
        self.memory.stack.extend_from_slice(&other.memory.stack[of]);
    }

    /// Puts on top of the stack those of a part of it whose boxes overlap `region`; returns the box of these.
    pub(super) fn push_overlapping(&mut self, of: Range<usize>, region: &Aabb) -> Aabb {
        let start = self.top();
        self.push_copy(of);
        self.retain_in(start, region)
    }

    /// Takes everything from `start` on off the stack.
    pub(super) fn pop(&mut self, start: usize) {
        self.memory.stack.truncate(start);
    }

    /// The list from `start` on.
    pub(super) fn list(&self, start: usize) -> &[u32] {
        &self.memory.stack[start..]
    }

    /// The box of a part of the stack.
    pub(super) fn bounds(&self, of: Range<usize>) -> Aabb {
        let boxes = &self.parts.boxes;
        self.memory.stack[of].iter().fold(Aabb::EMPTY, |joined, &part| joined.union(&boxes[part as usize]))
    }

    /// Drops the triangles whose boxes do not overlap `region`; returns the box of those that are left.
    pub(super) fn retain_in(&mut self, start: usize, region: &Aabb) -> Aabb {
        let boxes = &self.parts.boxes;
        let mut left = Aabb::EMPTY;
        self.box_tests += (self.memory.stack.len() - start) as u64;
        retain(&mut self.memory.stack, start, |part| {
            let bounds = &boxes[part as usize];
            let overlaps = bounds.overlaps(region);
            left = left.union(if overlaps { bounds } else { &Aabb::EMPTY });
            overlaps
        });
        left
    }

    /// How far the list from `start` on reaches along a direction.
    pub(super) fn reach(&mut self, start: usize, direction: &Direction) -> Reach {
        let mut reach = Reach { low: f32::INFINITY, high: f32::NEG_INFINITY, low_at: 0, high_at: 0 };
        let corners = &self.parts.corners;
        let mut look_at = |part: u32| {
            let along = corners[part as usize].along(direction);
            // Both are seldom so: the extremes of n numbers in random order change about ln n times.
            if along.cmplt(Vec4::splat(reach.low)).any() {
                (reach.low, reach.low_at) = (along.min_element(), part);
            }
            if along.cmpgt(Vec4::splat(reach.high)).any() {
                (reach.high, reach.high_at) = (along.max_element(), part);
            }
        };
        let Memory { stack, seen, .. } = &mut *self.memory;
        match self.support {
            Support::Corners => {
                stack[start..].iter().for_each(|&part| look_at(part));
                self.dot_products += 3 * (stack.len() - start) as u64;
            }
            Support::SharedVertices => {
                seen.forget();
                for &part in &stack[start..] {
                    // A triangle of vertices that have all been looked at can be passed over.
                    let fresh =
                        self.parts.vertices[part as usize].into_iter().filter(|&vertex| seen.is_new(vertex)).count();
                    if fresh > 0 {
                        look_at(part);
                    }
                    self.dot_products += fresh as u64;
                }
            }
        }
        reach
    }

    /// The corner that reaches least far, or farthest, along the direction a reach was found for.
    pub(super) fn support(&self, reach: &Reach, end: End, direction: &Direction) -> DVec3 {
        let corners = &self.parts.corners[match end {
            End::Low => reach.low_at,
            End::High => reach.high_at,
        } as usize];
        let along = corners.along(direction);
        corners.corner(match end {
            End::Low => along.min_position(),
            End::High => along.max_position(),
        })
    }

    /// Drops the triangles that end before `first`; whether any went.
    pub(super) fn retain_from(&mut self, start: usize, direction: &Direction, first: f32) -> bool {
        let (corners, first) = (&self.parts.corners, Vec4::splat(first));
        retain(&mut self.memory.stack, start, |part| corners[part as usize].along(direction).cmpge(first).any())
    }

    /// Drops the triangles that start after `last`; whether any went.
    pub(super) fn retain_to(&mut self, start: usize, direction: &Direction, last: f32) -> bool {
        let (corners, last) = (&self.parts.corners, Vec4::splat(last));
        retain(&mut self.memory.stack, start, |part| corners[part as usize].along(direction).cmple(last).any())
    }

    /// Splits a part of the stack, whose box is given, in two along an axis: returns where the second half starts.
    ///
    /// In the middle of the box, which takes one look at each triangle. Where that would leave less than an eighth on one
    /// side, at the median by count: so each split makes progress, even if all triangles lie in one place.
    pub(super) fn split(&mut self, of: Range<usize>, bounds: &Aabb, axis: Axis) -> usize {
        // An axis that is known when compiling makes each key two plain loads.
        match axis {
            Axis::X => self.split_along::<0>(of, bounds),
            Axis::Y => self.split_along::<1>(of, bounds),
            Axis::Z => self.split_along::<2>(of, bounds),
        }
    }

    fn split_along<const AXIS: usize>(&mut self, of: Range<usize>, bounds: &Aabb) -> usize {
        // Twice the middle of a box: as good for comparing.
        let key = |bounds: &Aabb| bounds.low()[AXIS] + bounds.high()[AXIS];
        let middle = key(bounds);
        let boxes = &self.parts.boxes;
        let Memory { stack, spare, .. } = &mut *self.memory;
        let list = &mut stack[of.clone()];
        if spare.len() < list.len() {
            spare.resize(list.len(), 0);
        }
        let spare = &mut spare[..list.len()];
        let (mut below, mut above) = (0, 0);
        for at in 0..list.len() {
            let part = list[at];
            let is_below = key(&boxes[part as usize]) < middle;
            (list[below], spare[above]) = (part, part);
            below += usize::from(is_below);
            above += usize::from(!is_below);
        }
        list[below..].copy_from_slice(&spare[..above]);
        if 8 * below.min(above) < list.len() {
            below = list.len() / 2;
            list.select_nth_unstable_by(below, |&i, &j| {
                key(&boxes[i as usize]).total_cmp(&key(&boxes[j as usize])).then(i.cmp(&j))
            });
        }
        of.start + below
    }
}

/// One of the two ends of a reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Low,
    High,
}

/// Keeps some entries of a stack from `start` on, in their order; whether any went.
#[inline]
fn retain(stack: &mut Vec<u32>, start: usize, mut keep: impl FnMut(u32) -> bool) -> bool {
    let mut kept = start;
    for at in start..stack.len() {
        let entry = stack[at];
        // Written in any case: whether to keep it is hard to foresee, and this way nothing has to be.
        stack[kept] = entry;
        kept += usize::from(keep(entry));
    }
    let any_went = kept < stack.len();
    stack.truncate(kept);
    any_went
}
