//! Which edge of which triangle lies opposite each edge.
//!
//! Along an edge of a closed, oriented surface one triangle runs each way: they are each other's *twins*. Where several run
//! each way, as where two solids touch along an edge, they are matched in the order of their triangles. An edge that only
//! triangles of one direction use has no twin: there the surface ends, or two triangles are turned against each other.
//!
//! Welded vertices count as one. Cost: O(n log n) once per mesh, 12 bytes per triangle.

use super::Mesh;

/// No such edge.
const NONE: u32 = u32::MAX;

/// For each edge of each triangle, its twin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twins(Vec<u32>);

impl Twins {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let triangles = mesh.welded_triangles();
        let mut twins = vec![NONE; 3 * triangles.len()];
        let mut edges = Vec::with_capacity(twins.len());
        for triangle in mesh.live_numbers() {
            let corners = triangles[triangle as usize];
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                if from != to {
                    edges.push((from.min(to), from.max(to), from > to, 3 * triangle + k as u32));
                }
            }
        }
        edges.sort_unstable();
        for uses in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
            let (forward, backward) = uses.split_at(uses.partition_point(|edge| !edge.2));
            for (one, other) in forward.iter().zip(backward) {
                twins[one.3 as usize] = other.3;
                twins[other.3 as usize] = one.3;
            }
        }
        Self(twins)
    }

    /// The twin of the edge of a triangle that starts at a corner: its triangle and the corner it starts at there.
    #[inline]
    pub(crate) fn of_edge(&self, triangle: u32, corner: u8) -> Option<(u32, u8)> {
        let twin = self.0[3 * triangle as usize + corner as usize];
        (twin != NONE).then_some((twin / 3, (twin % 3) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_run_along_the_same_edge_in_opposite_directions() {
        // A tetrahedron, a triangle by itself, and one with a repeated vertex whose two edges are each other's twins.
        let mesh = Mesh::new(8, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [4, 5, 6], [7, 7, 4]]).unwrap();
        let twins = mesh.twins();
        for (triangle, corners) in mesh.live_triangles().take(4) {
            for k in 0..3u8 {
                let (other, corner) = twins.of_edge(triangle.0, k).unwrap();
                let others = mesh.triangles()[other as usize];
                assert_eq!(corners[k as usize], others[(corner as usize + 1) % 3]);
                assert_eq!(corners[(k as usize + 1) % 3], others[corner as usize]);
                assert_eq!(twins.of_edge(other, corner), Some((triangle.0, k)));
            }
        }
        assert_eq!([0, 1, 2].map(|k| twins.of_edge(4, k)), [None; 3]);
        assert_eq!([0, 1, 2].map(|k| twins.of_edge(5, k)), [None, Some((5, 2)), Some((5, 1))]);
    }
}
