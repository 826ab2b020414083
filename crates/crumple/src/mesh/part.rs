//! Meshes made of other meshes: a part of one, or two joined; and which old vertex and triangle is which new one.
//!
//! What comes out is compact: no removed triangles, and in a part no vertices that it does not use. Order is kept.
//! Cost: O(vertices + triangles).

use std::collections::HashMap;

use super::union_find::{root, unite};
use super::{DistinctPositions, Mesh};
use crate::geom::{Coordinate, TriangleId, VertexId};

/// Which vertices and triangles of a new body are which of an old one.
///
/// Both ways: [`vertex`](Self::vertex) leads from the old number to the new one, [`old_vertices`](Self::old_vertices)
/// lists the old number of each new vertex, which is what it takes to gather positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbering {
    vertices: Vec<Option<VertexId>>,
    triangles: Vec<Option<TriangleId>>,
    old_vertices: Vec<VertexId>,
    old_triangles: Vec<TriangleId>,
}

impl Renumbering {
    /// The new number of an old vertex; `None` if it is not in the new body.
    pub fn vertex(&self, old: VertexId) -> Option<VertexId> {
        self.vertices.get(old.0 as usize).copied().flatten()
    }

    /// The new number of an old triangle; `None` if it is not in the new body.
    pub fn triangle(&self, old: TriangleId) -> Option<TriangleId> {
        self.triangles.get(old.0 as usize).copied().flatten()
    }

    /// The old numbers of the vertices that the new body has of the old one, in the order of their new numbers.
    pub fn old_vertices(&self) -> &[VertexId] {
        &self.old_vertices
    }

    /// The old numbers of the triangles that the new body has of the old one, in the order of their new numbers.
    pub fn old_triangles(&self) -> &[TriangleId] {
        &self.old_triangles
    }

    /// Numbers what of a mesh is kept, from the given numbers on.
    fn of(
        mesh: &Mesh,
        (first_vertex, first_triangle): (usize, usize),
        keeps_vertex: impl Fn(u32) -> bool,
        keeps_triangle: impl Fn(u32) -> bool,
    ) -> Self {
        let mut numbers = Self::default();
        for old in 0..mesh.vertex_count as u32 {
            let new = VertexId((first_vertex + numbers.old_vertices.len()) as u32);
            let keeps = keeps_vertex(old);
            numbers.vertices.push(keeps.then_some(new));
            numbers.old_vertices.extend(keeps.then_some(VertexId(old)));
        }
        for old in 0..mesh.triangles.len() as u32 {
            let new = TriangleId((first_triangle + numbers.old_triangles.len()) as u32);
            let keeps = mesh.live.holds(old) && keeps_triangle(old);
            numbers.triangles.push(keeps.then_some(new));
            numbers.old_triangles.extend(keeps.then_some(TriangleId(old)));
        }
        numbers
    }

    /// The kept triangles of `mesh` over their new vertices.
    fn renumbered<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = [u32; 3]> + 'a {
        self.old_triangles.iter().map(|old| {
            let new = |vertex: u32| self.vertices[vertex as usize].map_or(0, |new| new.0);
            mesh.triangles[old.0 as usize].map(new)
        })
    }
}

/// What becomes of vertices of two bodies that lie in the same place when the bodies are fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Seam {
    /// They stay separate: triangles of the two bodies that touch collide, if self-collision is switched on.
    #[default]
    Open,
    /// They count as one for topology, as if [welded](Mesh::welded): triangles that touch in them are neighbours.
    Welded,
}

impl Mesh {
    /// The part of a mesh made of some of its triangles.
    pub(crate) fn part(&self, chosen: impl Fn(u32) -> bool) -> (Self, Renumbering) {
        let mut used = vec![false; self.vertex_count];
        for triangle in self.live_numbers().filter(|&triangle| chosen(triangle)) {
            self.triangles[triangle as usize].into_iter().for_each(|vertex| used[vertex as usize] = true);
        }
        let numbers = Renumbering::of(self, (0, 0), |vertex| used[vertex as usize], chosen);
        let representatives = self.representatives.as_ref().map(|of| {
            // Of those that were one, the first that is kept represents the others.
            let mut first_here = HashMap::new();
            (0..)
                .zip(&numbers.old_vertices)
                .map(|(new, old)| *first_here.entry(of[old.0 as usize]).or_insert(new))
                .collect()
        });
        let mesh = Self {
            vertex_count: numbers.old_vertices.len(),
            triangles: numbers.renumbered(self).collect(),
            ..Self::default()
        };
        (mesh.with_representatives(representatives), numbers)
    }

    /// Two meshes as one: the vertices and triangles of `a`, then those of `b`. Positions serve to find the seam.
    pub(crate) fn joined<C: Coordinate>(
        [a, b]: [&Self; 2],
        positions: [&[[C; 3]]; 2],
        seam: Seam,
    ) -> (Self, [Renumbering; 2]) {
        let numbers_a = Renumbering::of(a, (0, 0), |_| true, |_| true);
        let numbers_b = Renumbering::of(b, (a.vertex_count, a.live_count()), |_| true, |_| true);
        let representatives = match seam {
            Seam::Open if a.representatives.is_none() && b.representatives.is_none() => None,
            Seam::Open => Some(side_by_side(a, b)),
            Seam::Welded => Some(welded_across(side_by_side(a, b), positions)),
        };
        let mesh = Self {
            vertex_count: a.vertex_count + b.vertex_count,
            triangles: numbers_a.renumbered(a).chain(numbers_b.renumbered(b)).collect(),
            ..Self::default()
        };
        (mesh.with_representatives(representatives), [numbers_a, numbers_b])
    }

    fn representative(&self, vertex: u32) -> u32 {
        self.representatives.as_ref().map_or(vertex, |of| of[vertex as usize])
    }
}

/// The representatives of the vertices of two meshes with nothing in common.
fn side_by_side(a: &Mesh, b: &Mesh) -> Vec<u32> {
    let offset = a.vertex_count as u32;
    let of_a = (0..a.vertex_count as u32).map(|vertex| a.representative(vertex));
    let of_b = (0..b.vertex_count as u32).map(|vertex| offset + b.representative(vertex));
    of_a.chain(of_b).collect()
}

/// Makes one of the vertices of both meshes that lie in the same place, and of all that they represent.
fn welded_across<C: Coordinate>(mut of: Vec<u32>, [a, b]: [&[[C; 3]]; 2]) -> Vec<u32> {
    let mut distinct = DistinctPositions::with_capacity(a.len());
    let mut numbers = Vec::with_capacity(a.len() + b.len());
    distinct.number(a, &mut numbers);
    let in_a = distinct.len();
    distinct.number(b, &mut numbers);
    // Whether `b` has a position of `a` too, and the first vertex there.
    let mut is_shared = vec![false; in_a];
    for &number in numbers[a.len()..].iter().filter(|&&number| (number as usize) < in_a) {
        is_shared[number as usize] = true;
    }
    let mut first: Vec<Option<u32>> = vec![None; in_a];
    for (vertex, &number) in (0..).zip(&numbers) {
        if is_shared.get(number as usize) == Some(&true) {
            let first = *first[number as usize].get_or_insert(vertex);
            unite(&mut of, first, vertex);
        }
    }
    (0..of.len() as u32).map(|vertex| root(&mut of, vertex)).collect()
}
