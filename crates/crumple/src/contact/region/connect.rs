//! Which parts of the surface of an overlap hang together.
//!
//! Vertices inside the other body are *grouped* along the spanning tree: an edge of the tree that crosses nothing connects
//! its ends. Groups and curves are few, and what connects them is
//!
//! - a triangle that is not cut: the groups of its corners;
//! - an edge that is cut: its crossings are sorted along it, and each stretch of the edge that lies inside connects what
//!   is at its two ends;
//! - a hole in a triangle, that is a curve that closes within one triangle with the inside around it: it is connected with
//!   the next curve or edge in some direction within the triangle.
//!
//! Crossings closer together than rounding can order are taken in the order in which winding numbers allow them.

use super::{Given, NONE};
use crate::mesh::union_find::{root, unite};

/// Crossings of one edge closer than this may be in the wrong order: fractions of the edge's length.
const SAME_PLACE: f64 = 1e-6;

/// Connected parts: sets of groups of vertices and of curves.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections {
    /// Per body and vertex the group it is in.
    group_of: [Vec<u32>; 2],
    /// How many groups there are, of both bodies.
    groups: u32,
    /// A forest of groups and, after them, curves (see `mesh::union_find`).
    forest: Vec<u32>,
    /// Per body the triangles that are cut, each with the curve of its first segment.
    cut: [Vec<(u32, u32)>; 2],
    /// Per body and triangle its index among these plus 1; 0 if it is not cut. All 0 between uses.
    cut_of: [Vec<u32>; 2],
    crossings: Vec<EdgeCrossing>,
    is_crossed: Vec<bool>,
    /// Cut triangles and the parts they are in, other than that of their first segment.
    more_parts: Vec<(u32, u32)>,
}

/// Where the other surface crosses an edge.
#[derive(Clone, Copy, Debug)]
struct EdgeCrossing {
    /// Three times the triangle plus the corner at which the edge starts.
    edge: u32,
    /// How far along the edge.
    at: f64,
    enters: bool,
    curve: u32,
}

impl Connections {
    /// Connects everything; `crossed` are the vertices of each body, by their indices in its spanning tree, whose edge
    /// from their parent is crossed.
    pub(super) fn find(&mut self, given: Given<'_>, crossed: [&[u32]; 2]) {
        self.groups = 0;
        for side in 0..2 {
            self.group(given, side, crossed[side]);
        }
        self.forest.clear();
        self.forest.extend(0..self.groups + given.links.curves.len() as u32);
        for side in 0..2 {
            self.connect_whole_triangles(given, side);
            self.connect_edges(given, side);
            self.connect_holes(given, side);
        }
        for node in 0..self.forest.len() as u32 {
            let root = root(&mut self.forest, node);
            self.forest[node as usize] = root;
        }
    }

    /// How many parts there may be: they are numbered below this.
    pub(super) fn part_count(&self) -> usize {
        self.forest.len()
    }

    /// The part another one was joined with, or itself.
    pub(super) fn part_of(&self, part: usize) -> usize {
        self.forest[part] as usize
    }

    /// The part of a vertex that is inside.
    #[inline]
    pub(super) fn of_vertex(&self, side: usize, vertex: u32) -> usize {
        self.forest[self.group_of[side][vertex as usize] as usize] as usize
    }

    /// The part of a curve.
    #[inline]
    pub(super) fn of_curve(&self, curve: u32) -> usize {
        self.forest[(self.groups + curve) as usize] as usize
    }

    /// Whether a curve passes through a triangle.
    #[inline]
    pub(super) fn is_cut(&self, side: usize, triangle: u32) -> bool {
        self.cut_of[side][triangle as usize] != 0
    }

    /// How many triangles of a body are cut.
    pub(super) fn cut_count(&self, side: usize) -> usize {
        self.cut[side].len()
    }

    /// The index of a triangle among those that are cut, and the part of its first segment.
    #[inline]
    pub(super) fn cut_triangle(&self, side: usize, triangle: u32) -> Option<(usize, usize)> {
        let index = (self.cut_of[side][triangle as usize] as usize).checked_sub(1)?;
        Some((index, self.of_curve(self.cut[side][index].1)))
    }

    /// Makes one part of two.
    pub(super) fn join(&mut self, part: usize, with: usize) {
        let into = self.forest[with];
        let from = self.forest[part];
        self.forest.iter_mut().filter(|node| **node == from).for_each(|node| *node = into);
    }

    /// Calls `each` with the parts and triangles of a body, in the order of the triangles.
    pub(super) fn list_triangles(&mut self, given: Given<'_>, side: usize, mut each: impl FnMut(usize, u32)) {
        let mut more = std::mem::take(&mut self.more_parts);
        more.clear();
        let (numbers, triangles) = (given.winding[side], given.bodies[side].mesh().indices());
        for (segment, &curve) in given.segments.iter().zip(&given.links.curve_of) {
            let triangle = segment.triangles[side];
            let part = self.of_curve(curve);
            if self.cut_triangle(side, triangle).is_some_and(|(_, first)| first != part) {
                more.push((triangle, part as u32));
            }
        }
        for &(triangle, curve) in &self.cut[side] {
            let first = self.of_curve(curve);
            for vertex in triangles[triangle as usize] {
                if numbers[vertex as usize] != 0 && self.of_vertex(side, vertex) != first {
                    more.push((triangle, self.of_vertex(side, vertex) as u32));
                }
            }
        }
        more.sort_unstable();
        more.dedup();
        let mut more_parts = more.iter().peekable();
        for (triangle, vertices) in given.bodies[side].mesh().live_indices() {
            if let Some((_, part)) = self.cut_triangle(side, triangle.0) {
                each(part, triangle.0);
                while let Some(&(_, part)) = more_parts.next_if(|of| of.0 == triangle.0) {
                    each(part as usize, triangle.0);
                }
            } else if numbers[vertices[1] as usize] != 0 {
                each(self.of_vertex(side, vertices[1]), triangle.0);
            }
        }
        self.more_parts = more;
    }

    /// Calls `each` with the parts and vertices of a body.
    pub(super) fn list_vertices(&self, given: Given<'_>, side: usize, mut each: impl FnMut(usize, u32)) {
        for (vertex, &group) in (0..).zip(&self.group_of[side]) {
            if group != NONE && given.winding[side][vertex as usize] != 0 {
                each(self.forest[group as usize] as usize, vertex);
            }
        }
    }

    fn group(&mut self, given: Given<'_>, side: usize, crossed: &[u32]) {
        let mesh = given.bodies[side].mesh();
        let (tree, numbers) = (mesh.spanning_tree(), given.winding[side]);
        self.is_crossed.clear();
        self.is_crossed.resize(mesh.vertex_count(), false);
        crossed.iter().for_each(|&index| self.is_crossed[index as usize] = true);
        let group_of = &mut self.group_of[side];
        group_of.clear();
        group_of.resize(mesh.vertex_count(), NONE);
        for (index, (&vertex, &parent)) in tree.vertices().iter().zip(tree.parents()).enumerate() {
            let parent = tree.vertices()[parent as usize];
            if numbers[vertex as usize] == 0 {
                continue;
            }
            group_of[vertex as usize] = if parent == vertex || self.is_crossed[index] {
                self.groups += 1;
                self.groups - 1
            } else {
                group_of[parent as usize]
            };
        }
        if let Some(representatives) = mesh.representatives() {
            for (vertex, &of) in representatives.iter().enumerate() {
                group_of[vertex] = group_of[of as usize];
            }
        }
    }

    fn connect_whole_triangles(&mut self, given: Given<'_>, side: usize) {
        let mesh = given.bodies[side].mesh();
        let (cut, cut_of) = (&mut self.cut[side], &mut self.cut_of[side]);
        cut.drain(..).for_each(|(triangle, _)| cut_of[triangle as usize] = 0);
        cut_of.resize(mesh.triangles().len(), 0);
        for (segment, &curve) in given.segments.iter().zip(&given.links.curve_of) {
            let index = &mut cut_of[segment.triangles[side] as usize];
            if *index == 0 {
                cut.push((segment.triangles[side], curve));
                *index = cut.len() as u32;
            }
        }
        let group_of = &self.group_of[side];
        for (triangle, vertices) in mesh.live_indices() {
            let [p, q, r] = vertices.map(|vertex| group_of[vertex as usize]);
            if (p != q || q != r) && cut_of[triangle.index()] == 0 {
                connect(&mut self.forest, p, q);
                connect(&mut self.forest, q, r);
            }
        }
    }

    fn connect_edges(&mut self, given: Given<'_>, side: usize) {
        let mesh = given.bodies[side].mesh();
        let edges = mesh.welded_half_edges();
        self.crossings.clear();
        for (segment, &curve) in given.segments.iter().zip(&given.links.curve_of) {
            let coordinates = if side == 0 { segment.cut.in_a } else { segment.cut.in_b };
            for (end, edge) in [segment.cut.ends.start, segment.cut.ends.end].into_iter().enumerate() {
                let corner = edge.wrapping_sub(3 * side as u8);
                if corner > 2 {
                    continue;
                }
                let triangle = segment.triangles[side];
                let own = 3 * triangle + u32::from(corner);
                // Both triangles at the edge know of the crossing: one is enough.
                let twin = edges.twin(triangle, corner);
                if twin.is_some_and(|(other, corner)| 3 * other + u32::from(corner) < own) {
                    continue;
                }
                let [beta, gamma] = coordinates[end];
                let at = [beta, gamma, 1.0 - gamma][corner as usize];
                self.crossings.push(EdgeCrossing { edge: own, at, enters: (end == 1) == (side == 0), curve });
            }
        }
        self.crossings
            .sort_unstable_by(|p, q| p.edge.cmp(&q.edge).then(p.at.total_cmp(&q.at)).then(p.curve.cmp(&q.curve)));
        let (numbers, triangles) = (given.winding[side], mesh.indices());
        for on_edge in self.crossings.chunk_by_mut(|p, q| p.edge == q.edge) {
            let (triangle, corner) = (on_edge[0].edge as usize / 3, on_edge[0].edge as usize % 3);
            let (from, to) = (triangles[triangle][corner], triangles[triangle][(corner + 1) % 3]);
            let mut number = numbers[from as usize];
            let mut last = self.group_of[side][from as usize];
            for k in 0..on_edge.len() {
                if let Some(next) = on_edge.get(k + 1) {
                    let is_out_of_order = number == 0 && !on_edge[k].enters && next.enters;
                    if is_out_of_order && next.at - on_edge[k].at < SAME_PLACE {
                        on_edge.swap(k, k + 1);
                    }
                }
                let node = self.groups + on_edge[k].curve;
                if number != 0 {
                    connect(&mut self.forest, last, node);
                }
                number += if on_edge[k].enters { 1 } else { -1 };
                last = node;
            }
            if number != 0 {
                connect(&mut self.forest, last, self.group_of[side][to as usize]);
            }
        }
    }

    fn connect_holes(&mut self, given: Given<'_>, side: usize) {
        let (segments, links) = (given.segments, given.links);
        let coordinates = |index: u32| {
            let cut = &segments[index as usize].cut;
            // Body b sees segments the other way round.
            if side == 0 { cut.in_a } else { [cut.in_b[1], cut.in_b[0]] }
        };
        for (curve, &(first, is_closed)) in links.curves.iter().enumerate() {
            let triangle = segments[first as usize].triangles[side];
            let is_within = |index: u32| segments[index as usize].triangles[side] == triangle;
            if !is_closed || !links.of_curve(curve).all(is_within) {
                continue;
            }
            let turn = |index: u32| {
                let [p, q] = coordinates(index);
                p[0] * q[1] - p[1] * q[0]
            };
            if links.of_curve(curve).map(turn).sum::<f64>() >= 0.0 {
                continue;
            }
            let lowest = |p: [f64; 2], q: [f64; 2]| if q[0] < p[0] { q } else { p };
            let start = links.of_curve(curve).map(|index| coordinates(index)[0]).reduce(lowest);
            let Some([beta, gamma]) = start else { continue };
            let mut nearest = (f64::NEG_INFINITY, None);
            for (index, segment) in (0..).zip(segments) {
                let other = links.curve_of[index as usize];
                if segment.triangles[side] != triangle || other as usize == curve {
                    continue;
                }
                let [p, q] = coordinates(index);
                if (p[1] > gamma) != (q[1] > gamma) {
                    let there = p[0] + (gamma - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
                    if there < beta && there > nearest.0 {
                        nearest = (there, Some(self.groups + other));
                    }
                }
            }
            let node = self.groups + curve as u32;
            if let Some(other) = nearest.1.or_else(|| self.on_last_edge(given, side, triangle, gamma)) {
                unite(&mut self.forest, node, other);
            }
        }
    }

    /// What bounds the stretch of a triangle's edge from corner 2 to corner 0 that holds the point at a height.
    fn on_last_edge(&self, given: Given<'_>, side: usize, triangle: u32, gamma: f64) -> Option<u32> {
        let mesh = given.bodies[side].mesh();
        let own = 3 * triangle + 2;
        let twin =
            mesh.welded_half_edges().twin(triangle, 2).map_or(own, |(other, corner)| 3 * other + u32::from(corner));
        let (edge, at) = if twin < own { (twin, gamma) } else { (own, 1.0 - gamma) };
        let before = |crossing: &&EdgeCrossing| crossing.edge == edge && crossing.at < at;
        if let Some(crossing) = self.crossings.iter().rfind(before) {
            return Some(self.groups + crossing.curve);
        }
        let from = mesh.indices()[edge as usize / 3][edge as usize % 3];
        Some(self.group_of[side][from as usize]).filter(|&group| group != NONE)
    }
}

/// Makes one part of two. Where welded vertices have parted, one of them may be missing.
fn connect(forest: &mut [u32], p: u32, q: u32) {
    if p != NONE && q != NONE {
        unite(forest, p, q);
    }
}
