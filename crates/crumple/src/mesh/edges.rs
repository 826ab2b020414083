//! The edges of a mesh by numbers, in the order of their ends: so that a list of pairs of edges is a list of pairs of
//! numbers, which is small and quickly sorted.
//!
//! Vertices count by their own numbers, not as welded. An edge between a vertex and itself has no number.

use super::Mesh;

/// The edges in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberedEdges {
    /// The ends of each edge, the smaller number first.
    ends: Vec<[u32; 2]>,
    /// The numbers of the edges of each triangle; edge k runs from corner k to the next.
    of_triangles: Vec<[u32; 3]>,
}

impl NumberedEdges {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let mut uses = Vec::with_capacity(3 * mesh.live_count());
        for (triangle, corners) in mesh.live_triangles() {
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                if from != to {
                    uses.push(([from.min(to), from.max(to)], triangle.0, k));
                }
            }
        }
        uses.sort_unstable();
        let mut numbered = Self { ends: Vec::new(), of_triangles: vec![[u32::MAX; 3]; mesh.triangles().len()] };
        for same in uses.chunk_by(|one, other| one.0 == other.0) {
            for &(_, triangle, k) in same {
                numbered.of_triangles[triangle as usize][k] = numbered.ends.len() as u32;
            }
            numbered.ends.push(same[0].0);
        }
        numbered
    }

    /// The ends of an edge, the smaller number first.
    #[inline]
    pub(crate) fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// The numbers of the edges of a triangle.
    #[inline]
    pub(crate) fn of_triangle(&self, triangle: u32) -> [u32; 3] {
        self.of_triangles[triangle as usize]
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
        let edges = NumberedEdges::of(&mesh);
        assert_eq!(edges.ends, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [4, 5]]);
        assert_eq!(edges.of_triangle(1), [3, 4, 5]);
        assert_eq!(edges.of_triangle(3), [u32::MAX, 6, 6]);
        assert_eq!(edges.of_triangle(4), [u32::MAX; 3]);
    }
}
