//! The edges of a mesh, by number and by the triangles that use them: the one table that all others about edges are read
//! off.
//!
//! Half-edge 3t + k is the edge of triangle t from corner k to the next one. The half-edges between the same two vertices
//! are the *uses* of one edge, in order of their numbers, so that the first is the one of the first triangle. Edges are
//! numbered in the order of their ends, the smaller one first. An edge from a vertex to itself (a triangle with a repeated
//! vertex) joins nothing and has no number; the two other edges of such a triangle run back and forth.
//!
//! Along an edge of a closed, oriented surface one triangle runs each way: these half-edges are each other's *twins*.
//! Where several run each way, as where two solids touch along an edge, they are matched in order. A half-edge that only
//! others of its direction run beside has no twin: there the surface ends, or two triangles are turned against each other.
//!
//! Cost: O(n) for the buckets of the smaller vertices and a sort of a few half-edges in each; 40 bytes per triangle.

use super::Mesh;
use super::lists::Lists;

/// No such edge.
const NONE: u32 = u32::MAX;

/// The edges of a mesh, over its own vertices or over welded ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfEdges {
    /// The ends of each edge, the smaller number first.
    ends: Vec<[u32; 2]>,
    /// The uses of each edge.
    uses: Lists<u32>,
    /// The edge of each half-edge.
    edges: Vec<[u32; 3]>,
    /// The twin of each half-edge.
    twins: Vec<u32>,
}

impl HalfEdges {
    /// Reads the edges off triangles, which are those of the mesh or the same over welded vertices.
    pub(super) fn of(mesh: &Mesh, triangles: &[[u32; 3]]) -> Self {
        let half_edges = mesh.live_numbers().flat_map(|triangle| {
            let [p, q, r] = triangles[triangle as usize];
            (3 * triangle..).zip([(p, q), (q, r), (r, p)])
        });
        // By the smaller end: the larger one, and which half-edge it is.
        let proper = half_edges.filter(|(_, (from, to))| from != to);
        let by_smaller = proper.map(|(number, (from, to))| (from.min(to), (from.max(to), number)));
        let mut sorted = Lists::of(mesh.vertex_count, by_smaller);
        let mut found =
            Self { edges: vec![[NONE; 3]; triangles.len()], twins: vec![NONE; 3 * triangles.len()], ..Self::default() };
        for smaller in 0..mesh.vertex_count {
            sorted.at_mut(smaller).sort_unstable();
            for uses in sorted.at(smaller).chunk_by(|one, other| one.0 == other.0) {
                found.add_edge([smaller as u32, uses[0].0], uses.iter().map(|&(_, number)| number), triangles);
            }
        }
        found
    }

    fn add_edge(&mut self, ends: [u32; 2], uses: impl Iterator<Item = u32> + Clone, triangles: &[[u32; 3]]) {
        let edge = self.ends.len() as u32;
        let runs_up = |&half_edge: &u32| triangles[half_edge as usize / 3][half_edge as usize % 3] == ends[0];
        let (forward, backward) = (uses.clone().filter(runs_up), uses.clone().filter(|number| !runs_up(number)));
        for (one, other) in forward.zip(backward) {
            (self.twins[one as usize], self.twins[other as usize]) = (other, one);
        }
        uses.clone().for_each(|half_edge| self.edges.as_flattened_mut()[half_edge as usize] = edge);
        self.ends.push(ends);
        self.uses.push(uses);
    }

    /// The ends of an edge, the smaller number first.
    #[inline]
    pub(crate) fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// The numbers of the edges of a triangle; edge k runs from corner k to the next.
    #[inline]
    pub(crate) fn of_triangle(&self, triangle: u32) -> [u32; 3] {
        self.edges[triangle as usize]
    }

    /// The half-edges of every edge, edge by edge.
    pub(super) fn uses(&self) -> impl Iterator<Item = &[u32]> {
        self.uses.iter()
    }

    /// The twin of the edge of a triangle that starts at a corner: its triangle and the corner it starts at there.
    #[inline]
    pub(crate) fn twin(&self, triangle: u32, corner: u8) -> Option<(u32, u8)> {
        let twin = self.twins[3 * triangle as usize + corner as usize];
        (twin != NONE).then_some((twin / 3, (twin % 3) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::TriangleId;

    #[test]
    fn edges_are_numbered_in_order_and_triangles_know_theirs() {
        let mut mesh = Mesh::new(7, vec![[0, 1, 2], [2, 1, 3], [3, 1, 0], [4, 4, 5], [6, 5, 4]]).unwrap();
        mesh.change(&[TriangleId(4)], &[], 0, &[]);
        let edges = mesh.half_edges();
        assert_eq!(edges.ends, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [4, 5]]);
        assert_eq!(edges.of_triangle(1), [3, 4, 5]);
        assert_eq!(edges.of_triangle(3), [u32::MAX, 6, 6]);
        assert_eq!(edges.of_triangle(4), [u32::MAX; 3]);
        assert_eq!(edges.uses().next(), Some(&[0, 7][..]));
    }

    #[test]
    fn twins_run_along_the_same_edge_in_opposite_directions() {
        // A tetrahedron, a triangle by itself, and one with a repeated vertex whose two edges are each other's twins.
        let mesh = Mesh::new(8, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [4, 5, 6], [7, 7, 4]]).unwrap();
        let edges = mesh.welded_half_edges();
        for (triangle, corners) in mesh.live_indices().take(4) {
            for k in 0..3u8 {
                let (other, corner) = edges.twin(triangle.0, k).unwrap();
                let others = mesh.indices()[other as usize];
                assert_eq!(corners[k as usize], others[(corner as usize + 1) % 3]);
                assert_eq!(corners[(k as usize + 1) % 3], others[corner as usize]);
                assert_eq!(edges.twin(other, corner), Some((triangle.0, k)));
            }
        }
        assert_eq!([0, 1, 2].map(|k| edges.twin(4, k)), [None; 3]);
        assert_eq!([0, 1, 2].map(|k| edges.twin(5, k)), [None, Some((5, 2)), Some((5, 1))]);
    }
}
