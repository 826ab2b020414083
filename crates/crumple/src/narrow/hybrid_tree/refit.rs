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
//! Departs: nodes lie level by level, so "the upper half" is a prefix of the array and nothing recurses.
//! Cost: O(vertices + upper nodes) a frame, then O(vertices below) for each node reached; no allocation.

use std::ops::Range;

use glam::Vec4;

use super::Update;
use crate::body::Body;
use crate::geom::Aabb;
use crate::narrow::levels::Levels;

/// A node as a traversal wants it: everything on one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    first_child: u32,
    end_child: u32,
    /// The frame for which `bounds` is right.
    stamp: u32,
    /// A leaf's triangle; otherwise where the list of distinct vertices starts.
    list: u32,
    list_end: u32,
}

impl Node {
    pub(super) fn is_leaf(&self) -> bool {
        self.first_child == self.end_child
    }

    pub(super) fn children(&self) -> Range<u32> {
        self.first_child..self.end_child
    }

    /// The triangle of a leaf.
    pub(super) fn triangle(&self) -> u32 {
        self.list
    }
}

/// The nodes of a tree with their boxes, some of them up to date.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
    /// The distinct vertices below each node whose box is made from vertices, one list after another.
    vertices: Vec<u32>,
    /// The current frame; starts at 1, so that 0 marks a node never fitted.
    stamp: u32,
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
            Update::TopDown => (0, 1),
            Update::Hybrid { levels_below } => (count.div_ceil(2), levels_below.max(1)),
        };
        let eager = if eager_levels == 0 { 0 } else { levels.level(eager_levels - 1).end };
        let dividing = if eager_levels == 0 { 0..0 } else { levels.level(eager_levels - 1) };
        let mut boxes = Self {
            nodes: Vec::with_capacity(levels.node_count()),
            vertices: Vec::new(),
            stamp: 0,
            eager,
            dividing,
            levels_below,
            fitted: 0,
        };
        let first_made_from_vertices = boxes.dividing.start;
        let triangles = body.mesh().triangles();
        let mut distinct = Vec::new();
        for node in 0..levels.node_count() {
            let (children, below) = (levels.children(node), levels.triangles(node));
            let list = boxes.vertices.len() as u32;
            if !children.is_empty() && node >= first_made_from_vertices {
                distinct.clear();
                distinct.extend(below.iter().flat_map(|&t| triangles[t as usize]));
                // In order of number, which is the order in memory.
                distinct.sort_unstable();
                distinct.dedup();
                boxes.vertices.extend_from_slice(&distinct);
            }
            boxes.nodes.push(Node {
                bounds: Aabb::EMPTY,
                first_child: children.start as u32,
                end_child: children.end as u32,
                stamp: 0,
                list: if children.is_empty() { below[0] } else { list },
                list_end: boxes.vertices.len() as u32,
            });
        }
        boxes.begin_frame(levels, body);
        boxes
    }

    /// Refits what is fitted before a query; everything else becomes stale.
    pub(super) fn begin_frame(&mut self, levels: &Levels, body: &Body) {
        debug_assert_eq!(levels.node_count(), self.nodes.len());
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.nodes.iter_mut().for_each(|node| node.stamp = 0);
            1
        });
        // Levels lie one after another, so walking backwards meets every child before its parent.
        for node in (0..self.eager).rev() {
            let bounds = if self.nodes[node].is_leaf() || self.dividing.contains(&node) {
                self.tight_box(node, body)
            } else {
                self.box_of_children(node)
            };
            self.set(node, bounds);
        }
    }

    /// The root's box up to date, or nothing for a tree without nodes.
    pub(super) fn root(&mut self, body: &Body) -> Option<Aabb> {
        (!self.nodes.is_empty()).then(|| self.fit(0, body))
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The box of a node, brought up to date if it is not.
    #[inline]
    pub(super) fn fit(&mut self, node: u32, body: &Body) -> Aabb {
        let at = &self.nodes[node as usize];
        if at.stamp == self.stamp {
            return at.bounds;
        }
        self.fit_levels(node as usize, self.levels_below, body);
        self.nodes[node as usize].bounds
    }

    /// Fits a stale node: from its vertices, or from its children where more than one level is asked for.
    fn fit_levels(&mut self, node: usize, levels: usize, body: &Body) {
        let bounds = if levels == 1 || self.nodes[node].is_leaf() {
            self.tight_box(node, body)
        } else {
            for child in self.nodes[node].children() {
                self.fit_levels(child as usize, levels - 1, body);
            }
            self.box_of_children(node)
        };
        self.fitted += 1;
        self.set(node, bounds);
    }

    fn set(&mut self, node: usize, bounds: Aabb) {
        let node = &mut self.nodes[node];
        node.bounds = bounds;
        node.stamp = self.stamp;
    }

    fn box_of_children(&self, node: usize) -> Aabb {
        let Range { start, end } = self.nodes[node].children();
        let children = &self.nodes[start as usize..end as usize];
        children.iter().fold(Aabb::EMPTY, |joined, child| joined.union(&child.bounds))
    }

    fn tight_box(&self, node: usize, body: &Body) -> Aabb {
        let node = &self.nodes[node];
        if node.is_leaf() {
            return box_of(body.vertices(), &body.mesh().triangles()[node.list as usize]);
        }
        box_of(body.vertices(), &self.vertices[node.list as usize..node.list_end as usize])
    }
}

#[inline]
fn box_of(positions: &[Vec4], vertices: &[u32]) -> Aabb {
    vertices.iter().fold(Aabb::EMPTY, |grown, &vertex| grown.with_vertex(positions[vertex as usize]))
}
