//! The connected components of a mesh.

use super::Mesh;
use super::union_find::{root, unite};
use crate::geom::VertexId;

impl Mesh {
    /// One vertex of each connected component, in the order of the components' first triangles.
    ///
    /// Triangles are connected if they share a vertex; welded vertices count as one. Removed triangles and vertices of no
    /// triangle are left out. The vertex is the smallest number in the component after welding, so that its position can
    /// represent the component, for instance to find out whether it lies inside a body that it does not meet.
    ///
    /// Cost: O(vertices + triangles).
    pub fn component_vertices(&self) -> Vec<VertexId> {
        let triangles = self.welded_indices();
        let mut connected: Vec<u32> = (0..self.vertex_count as u32).collect();
        for triangle in self.live_numbers() {
            let [a, b, c] = triangles[triangle as usize];
            unite(&mut connected, a, b);
            unite(&mut connected, a, c);
        }
        let mut listed = vec![false; self.vertex_count];
        let mut vertices = Vec::new();
        for triangle in self.live_numbers() {
            let vertex = root(&mut connected, triangles[triangle as usize][0]);
            if !std::mem::replace(&mut listed[vertex as usize], true) {
                vertices.push(VertexId(vertex));
            }
        }
        vertices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_has_one_vertex() {
        let mesh = Mesh::new(9, vec![[4, 5, 6], [0, 1, 2], [2, 3, 1], [6, 7, 4]]).unwrap();
        assert_eq!(mesh.component_vertices(), [VertexId(4), VertexId(0)]);
        let mut positions = [[0.0; 3]; 9];
        for (vertex, position) in positions.iter_mut().enumerate() {
            position[0] = vertex as f32;
        }
        positions[7] = positions[0];
        assert_eq!(mesh.welded(&positions).unwrap().component_vertices(), [VertexId(0)]);
        assert!(Mesh::new(3, vec![]).unwrap().component_vertices().is_empty());
    }
}
