//! Which triangle answers for which vertex and which edge.
//!
//! Every vertex and every edge belongs to exactly one of the triangles that use it: the first. A question about features —
//! vertex against face, edge against edge — can then be asked of pairs of triangles without asking anything twice: of a
//! pair, the vertices each triangle owns against the face of the other, and the edges they own against each other
//! (Curtis et al. 2008 call the owners representative triangles).
//!
//! Vertices count by their own numbers, not as welded: vertices in one place may part later.

use super::Mesh;

/// For each triangle, which of its corners and edges it owns. Edge k runs from corner k to corner k + 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnedFeatures(Vec<u8>);

impl OwnedFeatures {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let mut owned = vec![0u8; mesh.triangles.len()];
        let mut has_owner = vec![false; mesh.vertex_count];
        for triangle in mesh.live_numbers() {
            for (k, vertex) in mesh.triangles[triangle as usize].into_iter().enumerate() {
                if !std::mem::replace(&mut has_owner[vertex as usize], true) {
                    owned[triangle as usize] |= 1 << k;
                }
            }
        }
        // An edge between a vertex and itself is that vertex, which is asked about as such, and has no uses.
        for uses in mesh.half_edges().uses() {
            owned[uses[0] as usize / 3] |= 8 << (uses[0] % 3);
        }
        Self(owned)
    }

    /// What a triangle owns: a bit for each corner, then one for each edge, by the corner it starts from.
    #[inline]
    pub(crate) fn bits(&self, triangle: u32) -> u8 {
        self.0[triangle as usize]
    }

    /// The corners that a triangle owns, 0 to 2.
    #[inline]
    pub(crate) fn corners(&self, triangle: u32) -> impl Iterator<Item = usize> + use<> {
        let bits = self.0[triangle as usize];
        (0..3).filter(move |k| bits >> k & 1 == 1)
    }

    /// The edges that a triangle owns, by the corner they start from, 0 to 2.
    #[inline]
    pub(crate) fn edges(&self, triangle: u32) -> impl Iterator<Item = usize> + use<> {
        let bits = self.0[triangle as usize] >> 3;
        (0..3).filter(move |k| bits >> k & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::TriangleId;

    #[test]
    fn every_vertex_and_every_edge_in_use_has_one_owner() {
        let mut mesh = Mesh::new(7, vec![[0, 1, 2], [2, 1, 3], [3, 1, 0], [4, 4, 5], [0, 2, 3]]).unwrap();
        mesh.change(&[TriangleId(0)], &[], 0, &[]);
        let owned = OwnedFeatures::of(&mesh);
        let (mut vertices, mut edges) = (Vec::new(), Vec::new());
        for (triangle, corners) in mesh.live_indices() {
            vertices.extend(owned.corners(triangle.0).map(|k| corners[k]));
            let ends = |k: usize| (corners[k].min(corners[(k + 1) % 3]), corners[k].max(corners[(k + 1) % 3]));
            edges.extend(owned.edges(triangle.0).map(ends));
        }
        vertices.sort_unstable();
        edges.sort_unstable();
        assert_eq!(vertices, [0, 1, 2, 3, 4, 5], "vertex 6 is not used");
        assert_eq!(edges, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (4, 5)]);
    }
}
