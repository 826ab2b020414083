//! How a mesh is written down: what it was made from, checked again when it is read.

use super::{Mesh, MeshError};
use crate::geom::{TriangleId, VertexId};

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    removed: Vec<TriangleId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    representatives: Option<Vec<u32>>,
}

impl From<Mesh> for Saved {
    fn from(mesh: Mesh) -> Self {
        let is_removed = |triangle: &TriangleId| !mesh.is_live(*triangle);
        let removed = (0..mesh.triangles.len() as u32).map(TriangleId).filter(is_removed).collect();
        Self {
            vertex_count: mesh.vertex_count,
            removed,
            triangles: mesh.triangles,
            representatives: mesh.representatives,
        }
    }
}

impl TryFrom<Saved> for Mesh {
    type Error = MeshError;

    fn try_from(saved: Saved) -> Result<Self, MeshError> {
        let (vertices, count) = (saved.vertex_count, saved.triangles.len());
        let mut mesh = Self::new(vertices, saved.triangles)?;
        if let Some(representatives) = &saved.representatives {
            if representatives.len() != vertices {
                return Err(MeshError::WrongNumberOfPositions { given: representatives.len(), len: vertices });
            }
            if let Some(&vertex) = representatives.iter().find(|&&vertex| vertex as usize >= vertices) {
                return Err(MeshError::NoSuchVertex {
                    triangle: TriangleId(0),
                    vertex: VertexId(vertex),
                    len: vertices,
                });
            }
            mesh = mesh.with_representatives(saved.representatives);
        }
        if let Some(&triangle) = saved.removed.iter().find(|triangle| triangle.index() >= count) {
            return Err(MeshError::NoSuchTriangle { triangle, len: count });
        }
        mesh.change(&saved.removed, &[], 0, &[]);
        Ok(mesh)
    }
}
