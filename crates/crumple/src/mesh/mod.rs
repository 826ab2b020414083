//! INPUT: what never changes about a body — which vertices make up which triangle, and what follows from that.

mod error;
mod topology;
mod weld;

use std::sync::OnceLock;

pub use error::MeshError;
pub use topology::{Adjacency, EdgeFault, Topology};

/// Triangles over numbered vertices; the vertices' positions belong to a [`Body`](crate::Body).
///
/// ```
/// use crumple::Mesh;
///
/// let tetrahedron = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert!(tetrahedron.topology().is_closed());
/// # Ok::<(), crumple::MeshError>(())
/// ```
#[derive(Debug, Default)]
pub struct Mesh {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    /// The same triangles over welded vertices; none if every vertex stands for itself.
    welded: Option<Vec<[u32; 3]>>,
    adjacency: OnceLock<Adjacency>,
    topology: OnceLock<Topology>,
}

impl Mesh {
    /// Checks that every triangle uses vertices that exist. A mesh may be empty.
    ///
    /// # Errors
    /// Names the first triangle with a vertex out of range, or says that there are too many triangles to number.
    pub fn new(vertex_count: usize, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if triangles.len() >= u32::MAX as usize {
            return Err(MeshError::TooManyTriangles { len: triangles.len() });
        }
        for (triangle, vertices) in triangles.iter().enumerate() {
            if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex as usize >= vertex_count) {
                return Err(MeshError::NoSuchVertex { triangle: triangle as u32, vertex, len: vertex_count });
            }
        }
        Ok(Self { vertex_count, triangles, ..Self::default() })
    }

    /// The same mesh in which vertices at equal positions count as one for topology. Vertices keep their numbers.
    ///
    /// Files that store a vertex once a face or once a texture seam fall apart into loose triangles without this.
    ///
    /// # Errors
    /// If there is not one position a vertex.
    pub fn welded(self, positions: &[[f32; 3]]) -> Result<Self, MeshError> {
        if positions.len() != self.vertex_count {
            return Err(MeshError::WrongNumberOfPositions { given: positions.len(), len: self.vertex_count });
        }
        let representative = weld::by_position(positions);
        let welded = self.triangles.iter().map(|t| t.map(|vertex| representative[vertex as usize])).collect();
        Ok(Self { welded: Some(welded), adjacency: OnceLock::new(), topology: OnceLock::new(), ..self })
    }

    /// How many vertices the triangles may use; some may be unused.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// The vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The vertices of each triangle with welded vertices replaced by one of them: equal numbers mean connected.
    pub fn welded_triangles(&self) -> &[[u32; 3]] {
        self.welded.as_deref().unwrap_or(&self.triangles)
    }

    /// Which triangles share an edge; computed at the first call.
    pub fn adjacency(&self) -> &Adjacency {
        self.adjacency.get_or_init(|| Adjacency::of(self.welded_triangles()))
    }

    /// Whether the surface is closed, manifold and consistently oriented, and where it is not; computed at the first
    /// call.
    pub fn topology(&self) -> &Topology {
        self.topology.get_or_init(|| Topology::of(self.welded_triangles()))
    }
}
