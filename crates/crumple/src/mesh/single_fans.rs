//! Whether every vertex of a closed surface lies in one sheet of it, and where the edges at each vertex begin.
//!
//! Around a vertex, triangles follow one another across their common edges: they form a *fan*, or several where parts of the
//! surface touch in the vertex. Which triangle follows which is what the twins of half-edges say (`half_edges`), also along
//! edges of four triangles and more. A mesh is *plain* if it is closed, every vertex has one fan, no edge has more than two
//! triangles and no triangle names a vertex twice. What walks along the surface from vertex to vertex needs a plain mesh;
//! `resolved` makes one of any closed mesh.
//!
//! Welded vertices count as one. Cost: O(triangles) once per mesh, 4 bytes per vertex.

use super::Mesh;

/// No half-edge.
const NONE: u32 = u32::MAX;

/// The fans of a mesh, if each vertex has one.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingleFans {
    /// Per vertex a half-edge that starts there: three times the triangle plus the corner.
    first: Vec<u32>,
    is_plain: bool,
}

impl SingleFans {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let mut fans = Self { first: vec![NONE; mesh.vertex_count()], is_plain: false };
        let topology = mesh.topology();
        if topology.unbalanced.is_some() || topology.non_manifold.is_some() {
            return fans;
        }
        let triangles = mesh.welded_indices();
        let mut is_reached = vec![[false; 3]; triangles.len()];
        for triangle in mesh.live_numbers() {
            let corners = triangles[triangle as usize];
            if names_a_vertex_twice(corners) {
                return fans;
            }
            for corner in 0..3u8 {
                if is_reached[triangle as usize][corner as usize] {
                    continue;
                }
                let first = &mut fans.first[corners[corner as usize] as usize];
                if *first != NONE {
                    return fans;
                }
                *first = 3 * triangle + u32::from(corner);
                around(mesh, *first, |half_edge| is_reached[half_edge as usize / 3][half_edge as usize % 3] = true);
            }
        }
        fans.is_plain = true;
        fans
    }

    /// Whether the mesh is plain.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// A half-edge that starts at a vertex of a plain mesh; `None` if it is of no triangle.
    pub(crate) fn first(&self, vertex: u32) -> Option<u32> {
        Some(self.first[vertex as usize]).filter(|&first| first != NONE)
    }
}

/// Calls `each` with the half-edges that start at the vertex of one of them, once round its fan, beginning with that one. Ends at
/// the border of the surface, if there is one.
pub(crate) fn around(mesh: &Mesh, first: u32, mut each: impl FnMut(u32)) {
    let edges = mesh.welded_half_edges();
    let mut half_edge = first;
    loop {
        each(half_edge);
        // The edge of the same triangle that leads to the vertex, and the triangle beyond it.
        let Some((triangle, corner)) = edges.twin(half_edge / 3, ((half_edge + 2) % 3) as u8) else { return };
        half_edge = 3 * triangle + u32::from(corner);
        if half_edge == first {
            return;
        }
    }
}

/// Whether a triangle, given by its vertices, has an edge from a vertex to itself.
pub(super) fn names_a_vertex_twice([p, q, r]: [u32; 3]) -> bool {
    p == q || q == r || r == p
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    fn fans(vertex_count: usize, triangles: Vec<[u32; 3]>) -> SingleFans {
        SingleFans::of(&Mesh::new(vertex_count, triangles).unwrap())
    }

    #[test]
    fn solids_that_share_nothing_are_plain_and_such_as_touch_are_not() {
        let shifted = |by: [u32; 4]| TETRAHEDRON.map(|corners| corners.map(|vertex| by[vertex as usize]));
        let two = |by: [u32; 4]| TETRAHEDRON.into_iter().chain(shifted(by)).collect::<Vec<_>>();
        let apart = fans(9, two([4, 5, 6, 7]));
        assert!(apart.is_plain() && apart.first(8).is_none());
        for vertex in 0..8 {
            let first = apart.first(vertex).unwrap();
            assert_eq!(two([4, 5, 6, 7])[first as usize / 3][first as usize % 3], vertex);
        }
        assert!(!fans(7, two([0, 4, 5, 6])).is_plain(), "in a vertex");
        assert!(!fans(6, two([0, 1, 4, 5])).is_plain(), "along an edge");
        assert!(!fans(4, TETRAHEDRON[1..].to_vec()).is_plain(), "open");
        let mut with_sliver = TETRAHEDRON.to_vec();
        with_sliver.push([1, 1, 2]);
        assert!(!fans(4, with_sliver).is_plain(), "a vertex twice in a triangle");
    }

    #[test]
    fn a_walk_round_a_vertex_passes_each_of_its_triangles_once() {
        let mesh = Mesh::new(4, TETRAHEDRON.to_vec()).unwrap();
        let mut found = Vec::new();
        around(&mesh, mesh.single_fans().first(3).unwrap(), |half_edge| found.push(half_edge / 3));
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3]);
    }
}
