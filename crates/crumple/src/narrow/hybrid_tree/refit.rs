//! Brings the boxes of a tree up to date after the vertices have moved.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.3 and figure 2.
//!
//! ```text
//! level 0         ■            ■ fitted before the query, children first
//! level 1      ■     ■
//! level 2    ▣   ▣ □   □       ▣ reached by a traversal: fitted then, from its vertices
//! level 3   □ □ ▣ ▣ □ □ □ □    □ stale, never read
//! ```
//!
//! The last level fitted before the query is the *dividing* level: the first half of the levels, rounded up, for the
//! hybrid update; the last level for bottom-up; none for top-down. Boxes made from vertices read each distinct vertex
//! below the node once, from a list made when the tree is built.
//!
//! Departs: nodes lie level by level, so "the upper half" is a prefix of the array and nothing recurses; siblings are
//! fitted together, since a traversal that opens their parent looks at all of them, and one stamp tells for all.
//! Cost: O(vertices + upper nodes) per frame, then O(vertices below) for each node reached; no allocation.

use std::ops::Range;

use super::Update;
use crate::body::Body;
use crate::geom::Aabb;
use crate::narrow::groups::GROUP;
use crate::narrow::levels::Levels;

/// What lies below a node.
#[derive(Clone, Copy, Debug)]
struct Below {
    first_child: u32,
    end_child: u32,
    /// The list of the distinct vertices below an inner node whose box is made from them.
    list: u32,
    list_end: u32,
}

/// No triangle: a mesh has fewer.
const NO_TRIANGLE: u32 = u32::MAX;

/// The boxes of a tree, some of them up to date. Apart from what lies below them: a traversal reads mostly boxes.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    boxes: Vec<Aabb>,
    /// The frame for which the boxes of a node's children are right.
    children_fitted: Vec<u32>,
    below: Vec<Below>,
    /// The triangle of each leaf, by node; `NO_TRIANGLE` for inner nodes.
    leaf_triangles: Vec<u32>,
    /// The triangles in the order in which those below any node stand together, and which of them are below each node.
    order: Vec<u32>,
    groups: Vec<(u32, u32)>,
    /// The distinct vertices below each node whose box is made from vertices, one list after another.
    vertices: Vec<u32>,
    /// The current frame; starts at 1, so that 0 marks a node whose children were never fitted.
    frame: u32,
    /// How many nodes are fitted before a query.
    eager: usize,
    /// Which of these are made from vertices although they are no leaves.
    dividing: Range<usize>,
    levels_below: usize,
    /// Boxes fitted on demand since the last query began.
    pub(super) fitted: u64,
}

impl Boxes {
    pub(super) fn new(levels: &Levels, body: &Body, update: Update) -> Self {
        let count = levels.level_count();
        let (eager_levels, levels_below) = match update {
            Update::BottomUp => (count, 1),
            // The root has no parent to be fitted with.
            Update::TopDown => (count.min(1), 1),
            Update::Hybrid { levels_below } => (count.div_ceil(2), levels_below.max(1)),
        };
        let dividing = if eager_levels == 0 { 0..0 } else { levels.level(eager_levels - 1) };
        let node_count = levels.node_count();
        let mut boxes = Self {
            boxes: vec![Aabb::EMPTY; node_count],
            children_fitted: vec![0; node_count],
            below: Vec::with_capacity(node_count),
            leaf_triangles: Vec::with_capacity(node_count),
            order: levels.order().to_vec(),
            groups: (0..node_count).map(|node| (levels.below(node).start, levels.below(node).end)).collect(),
            vertices: Vec::new(),
            frame: 0,
            eager: dividing.end,
            dividing,
            levels_below,
            fitted: 0,
        };
        let triangles = body.mesh().triangles();
        let mut distinct = Vec::new();
        for node in 0..node_count {
            let (children, below) = (levels.children(node), levels.triangles(node));
            let list = boxes.vertices.len() as u32;
            if !children.is_empty() && node >= boxes.dividing.start {
                distinct.clear();
                distinct.extend(below.iter().flat_map(|&t| triangles[t as usize]));
                // In order of number, which is the order in memory.
                distinct.sort_unstable();
                distinct.dedup();
                boxes.vertices.extend_from_slice(&distinct);
            }
            boxes.leaf_triangles.push(if children.is_empty() { below[0] } else { NO_TRIANGLE });
            boxes.below.push(Below {
                first_child: children.start as u32,
                end_child: children.end as u32,
                list,
                list_end: boxes.vertices.len() as u32,
            });
        }
        boxes.begin_frame(body);
        boxes
    }

    /// Refits what is fitted before a query; everything else becomes stale.
    pub(super) fn begin_frame(&mut self, body: &Body) {
        self.frame = self.frame.checked_add(1).unwrap_or_else(|| {
            self.children_fitted.fill(0);
            1
        });
        // Levels lie one after another, so walking backwards meets every child before its parent.
        for node in (0..self.eager).rev() {
            if self.is_leaf(node) || self.dividing.contains(&node) {
                self.boxes[node] = self.tight_box(node, body);
            } else {
                self.boxes[node] = self.box_of_children(node);
                self.children_fitted[node] = self.frame;
            }
        }
    }

    /// The root's box; nothing for a tree without nodes.
    pub(super) fn root(&self) -> Option<Aabb> {
        self.boxes.first().copied()
    }

    /// The box of a node, which must have been fitted in this frame.
    #[inline]
    pub(super) fn bounds(&self, node: u32) -> Aabb {
        self.boxes[node as usize]
    }

    /// The triangle of a leaf; `None` for an inner node.
    #[inline]
    pub(super) fn triangle(&self, node: u32) -> Option<u32> {
        let triangle = self.leaf_triangles[node as usize];
        (triangle != NO_TRIANGLE).then_some(triangle)
    }

    /// Brings the children of a node up to date if they are not; returns which they are. A leaf stands for itself.
    #[inline]
    pub(super) fn open(&mut self, node: u32, body: &Body) -> Range<u32> {
        let Below { first_child, end_child, .. } = self.below[node as usize];
        if first_child == end_child {
            return node..node + 1;
        }
        if self.children_fitted[node as usize] != self.frame {
            self.fit_children(node as usize, self.levels_below, body);
        }
        first_child..end_child
    }

    /// The triangles in the order in which those below any node stand together.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The part of that order below a node, if it is few enough to be compared as a group.
    #[inline]
    pub(super) fn group(&self, node: u32) -> Option<Range<usize>> {
        let (start, end) = self.groups[node as usize];
        ((end - start) as usize <= GROUP).then_some(start as usize..end as usize)
    }

    /// As [`open`](Self::open), but a group stands for itself.
    #[inline]
    pub(super) fn open_to_group(&mut self, node: u32, body: &Body) -> Range<u32> {
        if self.group(node).is_some() { node..node + 1 } else { self.open(node, body) }
    }

    /// The boxes of some nodes that lie side by side.
    #[inline]
    pub(super) fn boxes_of(&self, nodes: Range<u32>) -> &[Aabb] {
        &self.boxes[nodes.start as usize..nodes.end as usize]
    }

    /// Fits the children of a node: from their vertices, or from their own children where more levels are asked for.
    fn fit_children(&mut self, node: usize, levels: usize, body: &Body) {
        for child in self.children(node) {
            self.boxes[child] = if levels == 1 || self.is_leaf(child) {
                self.tight_box(child, body)
            } else {
                self.fit_children(child, levels - 1, body);
                self.box_of_children(child)
            };
        }
        self.fitted += self.children(node).len() as u64;
        self.children_fitted[node] = self.frame;
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.leaf_triangles[node] != NO_TRIANGLE
    }

    fn children(&self, node: usize) -> Range<usize> {
        self.below[node].first_child as usize..self.below[node].end_child as usize
    }

    fn box_of_children(&self, node: usize) -> Aabb {
        self.boxes[self.children(node)].iter().fold(Aabb::EMPTY, |joined, child| joined.union(child))
    }

    fn tight_box(&self, node: usize, body: &Body) -> Aabb {
        let below = &self.below[node];
        if self.is_leaf(node) {
            return body.triangle_box(self.leaf_triangles[node]);
        }
        body.vertices().box_of(&self.vertices[below.list as usize..below.list_end as usize])
    }
}
