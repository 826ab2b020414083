//! Walks two trees at once and tests the triangles of leaves that meet.
//!
//! Departs: the paper leaves open which of two overlapping nodes is opened. Here both are: the children of `b` that
//! reach the box of `a` are listed once, then each child of `a` that reaches the box of `b` is held against that list.
//! At degree eight this needs far fewer box tests than opening one side at a time, whose every step repeats the other.
//! Whether two boxes overlap is as good as random here, so nothing branches on it: every pair is written to the end of
//! the list, and the end moves on by 0 or 1.

use std::ops::Range;

use super::refit::Boxes;
use super::{Scratch, Side, Tree, Wanted};
use crate::contact::{Stats, TrianglePair};
use crate::exact::{SharedVertices, corners_meet, has_no_area, self_pair_meets};
use crate::geom::Aabb;

/// The most children of a node.
const MOST: usize = 8;

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(
    (a, boxes_a): (Side<'_, Tree>, &mut Boxes),
    (b, boxes_b): (Side<'_, Tree>, &mut Boxes),
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let Scratch { open, reached } = scratch;
    (boxes_a.fitted, boxes_b.fitted) = (0, 0);
    let (Some(root_a), Some(root_b)) = (boxes_a.root(), boxes_b.root()) else {
        return stats;
    };
    stats.box_tests += 1;
    open.start(root_a.overlaps(&root_b));
    let (triangles_a, triangles_b) = (a.body.mesh().triangles(), b.body.mesh().triangles());
    while let Some((at_a, at_b)) = open.pop() {
        if let (Some(i), Some(j)) = (boxes_a.triangle(at_a), boxes_b.triangle(at_b)) {
            stats.candidates += 1;
            let corners_a = a.body.padded_corners(triangles_a[i as usize]);
            if corners_meet(&corners_a, &b.body.padded_corners(triangles_b[j as usize])) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    break;
                }
            }
            continue;
        }
        let (opened_a, opened_b) = (boxes_a.open(at_a, a.body), boxes_b.open(at_b, b.body));
        reached.fill(&boxes_a.bounds(at_a), boxes_b, opened_b);
        open.push_overlapping(&boxes_b.bounds(at_b), boxes_a, opened_a, reached);
    }
    stats.box_tests += open.box_tests;
    stats.boxes_fitted += boxes_a.fitted + boxes_b.fitted;
    stats
}

/// Appends the pairs of triangles of one body that collide.
///
/// A node against itself opens into its children against themselves and against their later brothers, so that no pair
/// of nodes is met twice.
pub(super) fn self_pairs(
    side: Side<'_, Tree>,
    boxes: &mut Boxes,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let Scratch { open, reached } = scratch;
    boxes.fitted = 0;
    open.start(boxes.root().is_some());
    let (body, mesh) = (side.body, side.body.mesh());
    let corners = |triangle: u32| body.corners(mesh.triangles()[triangle as usize]);
    while let Some((at_a, at_b)) = open.pop() {
        match (boxes.triangle(at_a), boxes.triangle(at_b)) {
            (Some(i), Some(_)) if at_a == at_b => stats.degenerate += u64::from(has_no_area(&corners(i))),
            (Some(i), Some(j)) => {
                stats.candidates += 1;
                let (i, j) = (i.min(j), i.max(j));
                let (a, b) = (corners(i), corners(j));
                let vertices = |triangle: u32| mesh.welded_triangles()[triangle as usize];
                if self_pair_meets(&a, &b, SharedVertices::between(&a, vertices(i), &b, vertices(j))) {
                    found.push(TrianglePair::new(i, j));
                    if wanted == Wanted::First {
                        break;
                    }
                }
            }
            _ if at_a == at_b => {
                let children = boxes.open(at_a, body);
                for first in children.clone() {
                    reached.fill(&boxes.bounds(first), boxes, first + 1..children.end);
                    open.push(first, first);
                    open.push_all(first, reached);
                }
            }
            _ => {
                let (opened_a, opened_b) = (boxes.open(at_a, body), boxes.open(at_b, body));
                reached.fill(&boxes.bounds(at_a), boxes, opened_b);
                open.push_overlapping(&boxes.bounds(at_b), boxes, opened_a, reached);
            }
        }
    }
    stats.box_tests += open.box_tests;
    stats.boxes_fitted += boxes.fitted;
    stats
}

/// The nodes among some brothers that reach a box, with their boxes; what lies beyond `len` is rubbish.
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
    fn fill(&mut self, bounds: &Aabb, boxes: &Boxes, brothers: Range<u32>) {
        (self.len, self.tested) = (0, brothers.len() as u64);
        for (brother, its) in brothers.clone().zip(boxes.boxes_of(brothers)) {
            // At most eight brothers; the remainder tells the compiler so.
            let end = self.len % MOST;
            (self.nodes[end], self.boxes[end]) = (brother, *its);
            self.len += usize::from(its.overlaps(bounds));
        }
    }
}

/// The pairs of nodes still to be opened; memory beyond `top` is rubbish.
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
        self.make_room();
        self.pairs[self.top] = (a, b);
        self.top += 1;
    }

    /// Pushes a node with each of those it was found to reach.
    fn push_all(&mut self, a: u32, reached: &Reached) {
        self.make_room();
        self.box_tests += reached.tested;
        for &b in &reached.nodes[..reached.len] {
            self.pairs[self.top] = (a, b);
            self.top += 1;
        }
    }

    /// Pushes each of some brothers that reaches `bounds` with each node of `reached` that it overlaps.
    #[inline]
    fn push_overlapping(&mut self, bounds: &Aabb, boxes: &Boxes, brothers: Range<u32>, reached: &Reached) {
        self.make_room();
        self.box_tests += reached.tested + brothers.len() as u64;
        let (nodes, their_boxes) = (&reached.nodes[..reached.len], &reached.boxes[..reached.len]);
        let mut top = self.top;
        for (brother, its) in brothers.clone().zip(boxes.boxes_of(brothers)) {
            if !its.overlaps(bounds) {
                continue;
            }
            self.box_tests += nodes.len() as u64;
            for (&node, other) in nodes.iter().zip(their_boxes) {
                self.pairs[top] = (brother, node);
                top += usize::from(its.overlaps(other));
            }
        }
        self.top = top;
    }

    /// Room for every pair that opening two nodes can give, and one to write to in vain.
    fn make_room(&mut self) {
        if self.pairs.len() < self.top + MOST * MOST + 1 {
            self.pairs.resize(2 * self.top + MOST * MOST + 1, (0, 0));
        }
    }
}
