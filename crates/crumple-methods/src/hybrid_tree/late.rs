//! Boxes that a query fits on its way, for itself.
//!
//! A query shares its trees with other queries and with its own threads, and does not change them. What it needs below
//! the boxes that were fitted before the queries (`refit`) it fits into memory of its own, with the numbering of the
//! tree, and marks the numbers of such nodes ([`LATE`]). So no query waits for another; what two of them need in one
//! frame and none needed in the frame before is fitted twice.
//!
//! Cost: O(vertices below) for each node reached; memory 36 bytes per node of the largest tree, thread and side.

use std::ops::Range;

use super::{Side, Tree};
use crumple::{Aabb, Body};

/// Set in the number of a node whose box is in the query's own memory. Never part of a number: a tree of so many nodes
/// would take more than a hundred gigabytes.
const LATE: u32 = 1 << 31;

/// The number of a node in its tree.
#[inline]
pub(super) fn number(node: u32) -> usize {
    (node & !LATE) as usize
}

/// The boxes of one tree that one thread of a query has fitted.
#[derive(Debug, Default)]
pub(super) struct Late {
    boxes: Vec<Aabb>,
    /// The query for which the boxes of a node's children are right.
    children_fitted: Vec<u32>,
    /// The current query; 0 marks a node whose children were never fitted.
    query: u32,
    /// Boxes fitted since the query began.
    pub(super) fitted: u64,
}

impl Late {
    /// Forgets the boxes of the last query.
    pub(super) fn begin(&mut self, tree: &Tree) {
        let nodes = tree.boxes.node_count();
        if self.boxes.len() < nodes {
            self.boxes.resize(nodes, Aabb::EMPTY);
            self.children_fitted.resize(nodes, 0);
        }
        self.query = self.query.checked_add(1).unwrap_or_else(|| {
            self.children_fitted.fill(0);
            1
        });
        self.fitted = 0;
    }

    /// The box of a node whose parent has been opened.
    #[inline]
    pub(super) fn bounds(&self, tree: &Tree, node: u32) -> Aabb {
        if node & LATE == 0 { tree.boxes.boxes()[node as usize] } else { self.boxes[number(node)] }
    }

    /// The boxes of nodes that lie side by side, and whose parent has been opened.
    #[inline]
    pub(super) fn boxes_of<'a>(&'a self, tree: &'a Tree, nodes: Range<u32>) -> &'a [Aabb] {
        let boxes = if nodes.start & LATE == 0 { tree.boxes.boxes() } else { &self.boxes };
        &boxes[number(nodes.start)..number(nodes.end)]
    }

    /// Fits the children of an inner node if nobody has; returns which they are.
    #[inline]
    pub(super) fn open(&mut self, side: Side<'_, Tree>, node: u32) -> Range<u32> {
        let (tree, node) = (&side.tree.boxes, number(node));
        let children = tree.children(node);
        let (start, end) = (children.start as u32, children.end as u32);
        tree.note_opened(node);
        if tree.are_children_fitted(node) {
            return start..end;
        }
        if self.children_fitted[node] != self.query {
            self.fit_children(side, node, tree.levels_below());
        }
        start | LATE..end | LATE
    }

    /// Fits the children of a node: from their vertices, or from their own children where more levels are asked for.
    fn fit_children(&mut self, side: Side<'_, Tree>, node: usize, levels: usize) {
        let (tree, body): (_, &Body) = (&side.tree.boxes, side.body);
        let children = tree.children(node);
        self.fitted += children.len() as u64;
        for child in children {
            self.boxes[child] = if levels == 1 || tree.is_leaf(child) {
                tree.tight_box(child, body)
            } else {
                self.fit_children(side, child, levels - 1);
                self.boxes[tree.children(child)].iter().fold(Aabb::EMPTY, |joined, below| joined.union(below))
            };
        }
        self.children_fitted[node] = self.query;
    }
}
