//! A tree of edges that reaches every vertex of a mesh from one vertex of its component.
//!
//! What changes along edges only, such as on which side of another surface vertices lie, is known for all vertices once it
//! is known for one per component and along the edges of the tree: one pass over the vertices, parents before children.
//! Breadth first, so that paths are short and neighbours lie near each other in the order.
//!
//! Welded vertices count as one, the vertex that represents them. Vertices of no triangle are left out.
//! Cost: O(vertices + triangles) once per mesh; 13 bytes per triangle or so.

use std::ops::Range;

use super::Mesh;
use super::lists::Lists;

/// Which vertices are reached from which, and along which edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpanningTree {
    /// Component after component, parents before children.
    vertices: Vec<u32>,
    /// The parent of each of these, by its index among them; the root of a component is its own.
    parents: Vec<u32>,
    /// Per vertex its index among these; of no meaning for vertices of no triangle.
    indices: Vec<u32>,
    /// Where the components start in both, and where the last one ends.
    starts: Vec<u32>,
    /// Per triangle two bits for each of its edges: 1 if it leads from a parent to its child, 2 if from a child to its
    /// parent. Every edge of the tree is noted at one triangle.
    edges: Vec<u8>,
}

impl SpanningTree {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let triangles = mesh.welded_indices();
        // The triangles at each vertex, with the corner it is.
        let at_vertices = mesh.live_numbers().flat_map(|triangle| {
            triangles[triangle as usize].into_iter().zip([0u8, 1, 2].map(|corner| (triangle, corner)))
        });
        let lists = Lists::of(mesh.vertex_count, at_vertices);
        let mut tree = Self { edges: vec![0; triangles.len()], ..Self::default() };
        let mut is_reached = vec![false; mesh.vertex_count];
        for triangle in mesh.live_numbers() {
            let root = triangles[triangle as usize][0];
            if std::mem::replace(&mut is_reached[root as usize], true) {
                continue;
            }
            let mut next = tree.vertices.len();
            tree.starts.push(next as u32);
            tree.vertices.push(root);
            tree.parents.push(next as u32);
            while let Some(&parent) = tree.vertices.get(next) {
                for &(triangle, corner) in lists.at(parent as usize) {
                    let corners = triangles[triangle as usize];
                    // Edges lead from a corner to the next one: away from this corner, and towards it.
                    for (edge, child, bits) in [
                        (corner, corners[(corner as usize + 1) % 3], 1),
                        ((corner + 2) % 3, corners[(corner as usize + 2) % 3], 2),
                    ] {
                        if !std::mem::replace(&mut is_reached[child as usize], true) {
                            tree.vertices.push(child);
                            tree.parents.push(next as u32);
                            tree.edges[triangle as usize] |= bits << (2 * edge);
                        }
                    }
                }
                next += 1;
            }
        }
        tree.starts.push(tree.vertices.len() as u32);
        tree.indices.resize(mesh.vertex_count, 0);
        for (index, &vertex) in (0..).zip(&tree.vertices) {
            tree.indices[vertex as usize] = index;
        }
        tree
    }

    /// The vertices, component after component, parents before children.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The parent of each of the vertices by its index among them; the root of a component is its own.
    pub(crate) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The index of a vertex among the vertices.
    #[inline]
    pub(crate) fn index_of(&self, vertex: u32) -> u32 {
        self.indices[vertex as usize]
    }

    /// Where among the vertices each component lies; its first vertex is the root.
    pub(crate) fn components(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.starts.windows(2).map(|range| range[0] as usize..range[1] as usize)
    }

    /// How the edge of a triangle that starts at a corner belongs to the tree: +1 if it leads to a child, −1 if to a
    /// parent, 0 if it is not noted here.
    #[inline]
    pub(crate) fn edge(&self, triangle: u32, corner: u8) -> i32 {
        match self.edges[triangle as usize] >> (2 * corner) & 3 {
            1 => 1,
            2 => -1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_in_use_is_reached_once_along_an_edge_noted_once() {
        let mesh = Mesh::new(11, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [7, 6, 5], [5, 5, 8], [10, 10, 10]])
            .unwrap();
        let tree = mesh.spanning_tree();
        let components: Vec<_> = tree.components().collect();
        assert_eq!(components.len(), 3);
        assert_eq!(tree.vertices()[components[0].clone()], [0, 2, 1, 3]);
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (triangle, corners) in mesh.live_indices() {
            for k in 0..3u8 {
                let (from, to) = (corners[k as usize], corners[(k as usize + 1) % 3]);
                match tree.edge(triangle.0, k) {
                    1 => found.push((from, to)),
                    -1 => found.push((to, from)),
                    _ => {}
                }
            }
        }
        found.sort_unstable();
        let mut expected: Vec<(u32, u32)> = Vec::new();
        for component in components {
            assert_eq!(tree.parents()[component.start] as usize, component.start);
            for k in component.start + 1..component.end {
                let parent = tree.parents()[k] as usize;
                assert!((component.start..k).contains(&parent));
                expected.push((tree.vertices()[parent], tree.vertices()[k]));
            }
        }
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
