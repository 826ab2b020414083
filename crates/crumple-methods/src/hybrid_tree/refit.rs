//! Brings the boxes of a tree up to date after the vertices have moved.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.3 and figure 2.
//!
//! ```text
//! level 0         ■            ■ fitted before the queries, children first
//! level 1      ■     ■
//! level 2    ■   ■ ■   ■       the dividing level
//! level 3   ▣ ▣ □ □ □ □ ◌ ◌    ▣ reached in the last frame: fitted before the queries, too ([`Update::Coherent`])
//! level 4  ▣▣▣▣ □□□□◌◌◌◌       ◌ reached now: fitted then, from its vertices, by the query (`late`)
//!                              □ stale, never read
//! ```
//!
//! The dividing level is the last of the first half of the levels, rounded up, for the hybrid updates; the last level for
//! bottom-up; the root for top-down. Boxes made from vertices read each distinct vertex below the node once, from a list
//! made when the tree is built; so do leaves.
//!
//! Departs: nodes lie level by level, so "the upper half" is a prefix of the array and nothing recurses; siblings are
//! fitted together, since a traversal that opens their parent looks at all of them, and one stamp tells for all.
//! What the last frame's queries reached is fitted before this frame's. A traversal that fits node after node on its
//! way down reads the vertices of a subtree once for each level below the dividing one. Children first, they are read
//! once, and boxes above are joined from boxes. What is reached for the first time is still fitted on the way.
//! Cost: O(vertices + upper nodes + nodes reached in the last frame) per frame; no allocation.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Update;
use crate::groups::GROUP;
use crate::levels::Levels;
use crumple::{Aabb, Body, VertexId};

/// What a traversal asks of a node besides its box.
#[derive(Clone, Copy, Debug)]
struct Node {
    first_child: u32,
    end_child: u32,
    /// The triangle of a leaf; `NO_TRIANGLE` for an inner node.
    triangle: u32,
    /// The frame for which the boxes of the children are right.
    fitted: u32,
}

/// No triangle: a mesh has fewer.
const NO_TRIANGLE: u32 = u32::MAX;

/// The boxes of a tree, some of them up to date. Apart from what lies below them: a traversal reads mostly boxes.
#[derive(Debug)]
pub(super) struct Boxes {
    boxes: Vec<Aabb>,
    nodes: Vec<Node>,
    /// Whether a query has opened a node since the last update: not 0. Atomic, since queries share the tree.
    opened: Vec<AtomicU8>,
    /// The triangles in the order in which those below any node stand together, and which of them are below each node.
    order: Vec<u32>,
    groups: Vec<(u32, u32)>,
    /// The distinct vertices below each node whose box may be made from vertices, one list after another, and where the
    /// list of each node starts. Filled up to multiples of four with a vertex of the list.
    vertices: Vec<VertexId>,
    lists: Vec<u32>,
    /// The current frame; starts at 1, so that 0 marks a node whose children were never fitted.
    frame: u32,
    /// How many nodes are fitted in any case.
    eager: usize,
    /// Which of these are made from vertices although they are no leaves.
    dividing: Range<usize>,
    levels_below: usize,
    /// The first node whose opening is remembered until the next frame.
    remembered: usize,
}

impl Clone for Boxes {
    fn clone(&self) -> Self {
        Self {
            boxes: self.boxes.clone(),
            nodes: self.nodes.clone(),
            opened: self.opened.iter().map(|mark| AtomicU8::new(mark.load(Ordering::Relaxed))).collect(),
            order: self.order.clone(),
            groups: self.groups.clone(),
            vertices: self.vertices.clone(),
            lists: self.lists.clone(),
            dividing: self.dividing.clone(),
            ..*self
        }
    }
}

impl Boxes {
    pub(super) fn new(levels: &Levels, body: &Body, update: Update) -> Self {
        let count = levels.level_count();
        let (eager_levels, levels_below) = match update {
            Update::BottomUp => (count, 1),
            // The root has no parent to be fitted with.
            Update::TopDown => (count.min(1), 1),
            Update::Hybrid { levels_below } => (count.div_ceil(2), levels_below.max(1)),
            Update::Coherent => (count.div_ceil(2), 1),
        };
        let dividing = if eager_levels == 0 { 0..0 } else { levels.level(eager_levels - 1) };
        let node_count = levels.node_count();
        let mut boxes = Self {
            boxes: vec![Aabb::EMPTY; node_count],
            nodes: Vec::with_capacity(node_count),
            opened: (0..node_count).map(|_| AtomicU8::new(0)).collect(),
            order: levels.order().to_vec(),
            groups: (0..node_count).map(|node| (levels.below(node).start, levels.below(node).end)).collect(),
            vertices: Vec::new(),
            lists: Vec::with_capacity(node_count + 1),
            frame: 0,
            eager: dividing.end,
            remembered: if update == Update::Coherent { dividing.start } else { node_count },
            dividing,
            levels_below,
        };
        let triangles = body.mesh().triangles();
        let mut distinct = Vec::new();
        for node in 0..node_count {
            let (children, below) = (levels.children(node), levels.triangles(node));
            let is_leaf = children.is_empty();
            boxes.lists.push(boxes.vertices.len() as u32);
            if is_leaf || node >= boxes.dividing.start {
                distinct.clear();
                distinct.extend(below.iter().flat_map(|&t| triangles[t as usize]));
                // In order of number, which is the order in memory.
                distinct.sort_unstable();
                distinct.dedup();
                distinct.resize(distinct.len().next_multiple_of(4), distinct[0]);
                boxes.vertices.extend_from_slice(&distinct);
            }
            boxes.nodes.push(Node {
                first_child: children.start as u32,
                end_child: children.end as u32,
                triangle: if is_leaf { below[0] } else { NO_TRIANGLE },
                fitted: 0,
            });
        }
        boxes.lists.push(boxes.vertices.len() as u32);
        boxes.begin_frame(body);
        boxes
    }

    /// Refits what is fitted before the queries; everything else becomes stale.
    pub(super) fn begin_frame(&mut self, body: &Body) {
        self.frame = self.frame.checked_add(1).unwrap_or_else(|| {
            self.nodes.iter_mut().for_each(|node| node.fitted = 0);
            1
        });
        self.refit_remembered(body);
        // Levels lie one after another, so walking backwards meets every child before its parent.
        for node in (0..self.eager).rev() {
            if self.are_children_fitted(node) {
                continue;
            }
            if self.is_leaf(node) || self.dividing.contains(&node) {
                self.boxes[node] = self.tight_box(node, body);
            } else {
                self.join_children(node);
            }
        }
    }

    /// Refits the children of every node that was opened since the last update, children first, and forgets which these
    /// were.
    fn refit_remembered(&mut self, body: &Body) {
        let mut end = self.nodes.len();
        while end > self.remembered {
            let start = self.remembered.max(end.saturating_sub(64));
            // Most marks of most frames are not set: they are looked at many at a time.
            let any = self.opened[start..end].iter_mut().fold(0, |any, mark| any | *mark.get_mut());
            for node in (start..end).rev().take(if any == 0 { 0 } else { 64 }) {
                if std::mem::take(self.opened[node].get_mut()) != 0 {
                    self.refit_opened(node, body);
                }
            }
            end = start;
        }
    }

    /// Refits the children of a node that was opened, after those of its children that were.
    ///
    /// Tried: to refit everything below the other children, too, where half of them were opened. In the last frame of LE1
    /// the update took 430 us instead of 270, which the query did not gain.
    fn refit_opened(&mut self, node: usize, body: &Body) {
        for child in self.children(node) {
            if !self.are_children_fitted(child) {
                self.boxes[child] = self.tight_box(child, body);
            }
        }
        self.join_children(node);
    }

    /// Makes the box of a node from those of its children, which have been fitted.
    fn join_children(&mut self, node: usize) {
        let children = self.children(node);
        self.boxes[node] = self.boxes[children].iter().fold(Aabb::EMPTY, |joined, child| joined.union(child));
        self.nodes[node].fitted = self.frame;
    }

    /// Remembers until the next frame that a node is opened. In every case, since whether it is the first time is hard to
    /// predict: to ask costs more than to write.
    #[inline]
    pub(super) fn note_opened(&self, node: usize) {
        self.opened[node].store(1, Ordering::Relaxed);
    }

    /// The root's box; nothing for a tree without nodes.
    pub(super) fn root(&self) -> Option<Aabb> {
        self.boxes.first().copied()
    }

    pub(super) fn node_count(&self) -> usize {
        self.boxes.len()
    }

    /// Every box; those of the children of a node are right if [`are_children_fitted`](Self::are_children_fitted).
    #[inline]
    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    #[inline]
    pub(super) fn are_children_fitted(&self, node: usize) -> bool {
        self.nodes[node].fitted == self.frame
    }

    /// How many levels of a reached subtree a query refits at a time.
    pub(super) fn levels_below(&self) -> usize {
        self.levels_below
    }

    /// The triangle of a leaf; `None` for an inner node.
    #[inline]
    pub(super) fn triangle(&self, node: usize) -> Option<u32> {
        let triangle = self.nodes[node].triangle;
        (triangle != NO_TRIANGLE).then_some(triangle)
    }

    /// The triangles in the order in which those below any node stand together.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The part of that order below a node, if it is few enough to be compared as a group.
    #[inline]
    pub(super) fn group(&self, node: usize) -> Option<Range<usize>> {
        let (start, end) = self.groups[node];
        ((end - start) as usize <= GROUP).then_some(start as usize..end as usize)
    }

    #[inline]
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].triangle != NO_TRIANGLE
    }

    #[inline]
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].first_child as usize..self.nodes[node].end_child as usize
    }

    /// The box of a node, made from its vertices.
    pub(super) fn tight_box(&self, node: usize, body: &Body) -> Aabb {
        let (start, end) = (self.lists[node], self.lists[node + 1]);
        body.box_of(&self.vertices[start as usize..end as usize])
    }
}
