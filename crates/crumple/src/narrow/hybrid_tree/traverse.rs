//! Walks two trees at once and tests the triangles of leaves that meet.
//!
//! Departs: the paper leaves open which of two overlapping nodes is opened. Here both are: the children of `b` that
//! reach the box of `a` are listed once, then each child of `a` that reaches the box of `b` is held against that list.
//! At degree eight this needs far fewer box tests than opening one side at a time, whose every step repeats the other.
//! Whether two boxes overlap is nearly random here, so nothing branches on it: every pair is written to the end of
//! the list, and the end moves on by 0 or 1.

use std::ops::Range;

use super::refit::Boxes;
use super::{Scratch, Side, Tree, Wanted};
use crate::geom::Aabb;
use crate::geom::TrianglePair;
use crate::narrow::Stats;
use crate::narrow::groups::Item;
use crate::narrow::pair_test::{PairTest, SelfTest};

/// The most children of a node.
const MOST: usize = 8;

/// The most pairs of nodes that are written at once, and more; a power of two, so that a remainder is cheap.
const ROOM: usize = 128;

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(
    (a, boxes_a): (Side<'_, Tree>, &mut Boxes),
    (b, boxes_b): (Side<'_, Tree>, &mut Boxes),
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let Scratch { open, reached, test, .. } = scratch;
    (boxes_a.fitted, boxes_b.fitted) = (0, 0);
    let (Some(root_a), Some(root_b)) = (boxes_a.root(), boxes_b.root()) else {
        return stats;
    };
    stats.box_tests += 1;
    open.start(root_a.overlaps(&root_b));
    let mut test = PairTest::new((a.body, b.body), wanted, test, found);
    while let Some((at_a, at_b)) = open.pop() {
        if let (Some(i), Some(j)) = (boxes_a.triangle(at_a), boxes_b.triangle(at_b)) {
            stats.candidates += 1;
            if test.candidate(i, j).is_break() {
                break;
            }
            continue;
        }
        let (opened_a, opened_b) = (boxes_a.open(at_a, a.body), boxes_b.open(at_b, b.body));
        reached.fill(&boxes_a.bounds(at_a), boxes_b, opened_b);
        open.push_overlapping(&boxes_b.bounds(at_b), boxes_a, opened_a, reached);
    }
    test.finish(&mut stats);
    stats.box_tests += open.box_tests;
    stats.boxes_fitted += boxes_a.fitted + boxes_b.fitted;
    stats
}

/// Appends the pairs of triangles of one body that collide.
///
/// A node against itself opens into its children against themselves and against their later siblings, so that no pair
/// of nodes is met twice. Nodes of few triangles are not opened but compared as groups.
pub(super) fn self_pairs(
    side: Side<'_, Tree>,
    boxes: &mut Boxes,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let Scratch { open, reached, test, items } = scratch;
    boxes.fitted = 0;
    open.start(boxes.root().is_some());
    let body = side.body;
    let mut test = SelfTest::new(body, wanted, test, found);
    Item::list(body, boxes.order(), items);
    while let Some((at_a, at_b)) = open.pop() {
        if let (Some(group_a), Some(group_b)) = (boxes.group(at_a), boxes.group(at_b)) {
            let flow = if at_a == at_b {
                test.compare_within(&items[group_a], Item::parts, &mut stats)
            } else {
                test.compare((&items[group_a], &items[group_b]), Item::parts, &mut stats)
            };
            if flow.is_break() {
                break;
            }
        } else if at_a == at_b {
            let children = boxes.open(at_a, body);
            open.push_within(boxes, children);
        } else {
            let (opened_a, opened_b) = (boxes.open_to_group(at_a, body), boxes.open_to_group(at_b, body));
            reached.fill(&boxes.bounds(at_a), boxes, opened_b);
            open.push_overlapping(&boxes.bounds(at_b), boxes, opened_a, reached);
        }
    }
    stats.boxes_fitted += items.len() as u64;
    test.finish(&mut stats);
    stats.box_tests += open.box_tests;
    stats.boxes_fitted += boxes.fitted;
    stats
}

/// The nodes among some siblings that reach a box, with their boxes; what lies beyond `len` is unspecified.
#[derive(Debug)]
pub(super) struct Reached {
    nodes: [u32; MOST],
    boxes: [Aabb; MOST],
    len: usize,
    tested: u64,
}

impl Default for Reached {
    fn default() -> Self {
        Self { nodes: [0; MOST], boxes: [Aabb::EMPTY; MOST], len: 0, tested: 0 }
    }
}

impl Reached {
    #[inline]
    fn fill(&mut self, bounds: &Aabb, boxes: &Boxes, siblings: Range<u32>) {
        let first = siblings.start;
        let siblings = boxes.boxes_of(siblings);
        let mut end = 0;
        for (nth, its) in siblings.iter().enumerate() {
            // At most eight siblings; the remainder tells the compiler so.
            (self.nodes[end % MOST], self.boxes[end % MOST]) = (first + nth as u32, *its);
            end += usize::from(its.overlaps(bounds));
        }
        (self.len, self.tested) = (end, siblings.len() as u64);
    }
}

/// The pairs of nodes still to be opened; memory beyond `top` is unspecified.
#[derive(Debug, Default)]
pub(super) struct Open {
    pairs: Vec<(u32, u32)>,
    top: usize,
    box_tests: u64,
}

impl Open {
    /// Starts over, with the two roots if they meet.
    fn start(&mut self, roots_meet: bool) {
        (self.top, self.box_tests) = (0, 0);
        if roots_meet {
            self.push(0, 0);
        }
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        self.top = self.top.checked_sub(1)?;
        Some(self.pairs[self.top])
    }

    fn push(&mut self, a: u32, b: u32) {
        self.room()[0] = (a, b);
        self.top += 1;
    }

    /// Pushes each of some siblings with itself and with each later one that it overlaps.
    #[inline]
    fn push_within(&mut self, boxes: &Boxes, siblings: Range<u32>) {
        let (first, room) = (siblings.start, self.room());
        let mut pushed = 0;
        for sibling in siblings.clone() {
            room[pushed % ROOM] = (sibling, sibling);
            pushed += 1;
        }
        let siblings = boxes.boxes_of(siblings);
        for (nth, its) in siblings.iter().enumerate() {
            for (later, other) in siblings.iter().enumerate().skip(nth + 1) {
                room[pushed % ROOM] = (first + nth as u32, first + later as u32);
                pushed += usize::from(its.overlaps(other));
            }
        }
        self.top += pushed;
        self.box_tests += (siblings.len() * (siblings.len() - 1) / 2) as u64;
    }

    /// Pushes each of some siblings that reaches `bounds` with each node of `reached` that it overlaps.
    #[inline]
    fn push_overlapping(&mut self, bounds: &Aabb, boxes: &Boxes, siblings: Range<u32>, reached: &Reached) {
        let (first, room) = (siblings.start, self.room());
        let siblings = boxes.boxes_of(siblings);
        let (nodes, their_boxes) = (&reached.nodes[..reached.len], &reached.boxes[..reached.len]);
        let (mut pushed, mut reaching) = (0, 0);
        for (nth, its) in siblings.iter().enumerate() {
            if !its.overlaps(bounds) {
                continue;
            }
            reaching += 1;
            for (&node, other) in nodes.iter().zip(their_boxes) {
                room[pushed % ROOM] = (first + nth as u32, node);
                pushed += usize::from(its.overlaps(other));
            }
        }
        self.top += pushed;
        self.box_tests += reached.tested + (siblings.len() + reaching * nodes.len()) as u64;
    }

    /// The memory from the top on: enough for every pair that opening two nodes can give, and one to write to in vain.
    #[inline]
    fn room(&mut self) -> &mut [(u32, u32); ROOM] {
        if self.pairs.len() < self.top + ROOM {
            self.pairs.resize(2 * self.top + ROOM, (0, 0));
        }
        let room = self.pairs[self.top..].first_chunk_mut();
        room.unwrap_or_else(|| unreachable!("room has just been made"))
    }
}
