//! Every box anew, children first.

use std::ops::Range;

use glam::DVec3;

use crate::groups::GROUP;
use crate::lanes::{BoxLanes, PoseLanes};
use crate::levels::Levels;
use crumple::{Aabb, Body, Mesh, Pose, TriangleId, VertexId};

/// A box in body coordinates and what lies below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    first_child: u32,
    end_child: u32,
    triangle: u32,
}

impl Node {
    pub(super) fn is_leaf(&self) -> bool {
        self.first_child == self.end_child
    }

    pub(super) fn children(&self) -> Range<u32> {
        self.first_child..self.end_child
    }

    /// The triangle of a leaf.
    pub(super) fn triangle(&self) -> TriangleId {
        TriangleId(self.triangle)
    }
}

/// The nodes of a tree, levels one after another.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
    /// The vertices of the triangle of each leaf, in the order of the nodes.
    corners: Vec<[VertexId; 3]>,
    /// The triangles in the order in which those below any node stand together, and which of them are below each node.
    order: Vec<u32>,
    groups: Vec<(u32, u32)>,
    /// The vertices in body coordinates, where a pose makes them differ from the world's.
    local: Vec<[f32; 3]>,
    /// The largest coordinate on the way from the world to the body, by which roundings are measured.
    scale: f32,
}

impl Boxes {
    pub(super) fn new(levels: &Levels, mesh: &Mesh) -> Self {
        let node = |node: usize| {
            let children = levels.children(node);
            Node {
                bounds: Aabb::EMPTY,
                first_child: children.start as u32,
                end_child: children.end as u32,
                triangle: levels.triangles(node)[0],
            }
        };
        let group = |node: usize| (levels.below(node).start, levels.below(node).end);
        let nodes: Vec<Node> = (0..levels.node_count()).map(node).collect();
        let leaves = nodes.iter().filter(|node| node.is_leaf());
        Self {
            corners: leaves.map(|leaf| mesh.triangles()[leaf.triangle as usize]).collect(),
            nodes,
            order: levels.order().to_vec(),
            groups: (0..levels.node_count()).map(group).collect(),
            local: Vec::new(),
            scale: 0.0,
        }
    }

    pub(super) fn refit(&mut self, body: &Body) {
        let largest = body.bounds().low().abs().max(body.bounds().high().abs()).max_element();
        let translation = body.pose().translation_vector().abs().max_element() as f32;
        // A vertex minus the translation, turned: at most √3 · (both), below twice their sum.
        self.scale = 2.0 * (largest + translation);
        let Self { nodes, corners, local, .. } = self;
        local.clear();
        let is_in_place = body.pose() == Pose::IDENTITY;
        if !is_in_place {
            let vertices = (0..body.positions().len() as u32).filter_map(|vertex| body.point(VertexId(vertex)));
            local.extend(vertices.map(|exact| body.pose().to_body(DVec3::from_array(exact)).as_vec3().to_array()));
        }
        let box_of = |corners: [VertexId; 3]| {
            if is_in_place {
                body.box_of(&corners)
            } else {
                Aabb::of_points(&corners.map(|vertex| local[vertex.index()]))
            }
        };
        let mut corners = corners.iter().rev();
        for at in (0..nodes.len()).rev() {
            let Range { start, end } = nodes[at].children();
            let children = &nodes[start as usize..end as usize];
            let joined = children.iter().fold(Aabb::EMPTY, |joined, child| joined.union(&child.bounds));
            let leaf = if start == end { corners.next() } else { None };
            nodes[at].bounds = leaf.map_or(joined, |&corners| box_of(corners));
        }
    }

    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
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

    /// The children of a node; a group stands for itself.
    #[inline]
    pub(super) fn opened_to_group(&self, node: u32) -> Range<u32> {
        if self.group(node).is_some() { node..node + 1 } else { self.node(node).children() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
