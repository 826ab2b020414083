//! Meshes: faces that do not move.

use std::sync::{Arc, Mutex, PoisonError};

use crumple::Coordinate;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays::{self, Given};
use crate::errors::Refusal;

/// What a mesh is pickled as: its faces, and its number of vertices if that is fixed.
type FacesAndCount<'py> = (Bound<'py, PyArray2<u32>>, Option<usize>);

/// Triangles over numbered vertices; positions belong to a body in a scene.
///
/// `faces` is an integer array of shape (m, 3), or a mesh of trimesh, meshio or PyVista. The number of vertices is that of the
/// positions it is used with, unless `vertex_count` fixes it.
///
/// >>> import crumple as cr
/// >>> tetrahedron = cr.Mesh([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
/// >>> len(tetrahedron), tetrahedron.vertex_count, tetrahedron.is_closed
/// (4, 4, True)
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Mesh {
    /// For as many vertices as the faces name, or as were given.
    mesh: Arc<crumple::Mesh>,
    is_fixed: bool,
    /// The same faces for more vertices, of which some are unused: what it was last used with.
    larger: Mutex<Option<Arc<crumple::Mesh>>>,
}

impl Mesh {
    fn of(triangles: Vec<[u32; 3]>, vertex_count: Option<usize>) -> Result<Self, Refusal> {
        let named = triangles.as_flattened().iter().max().map_or(0, |&most| most as usize + 1);
        let mesh = Arc::new(crumple::Mesh::new(vertex_count.unwrap_or(named), triangles)?);
        Ok(Self { mesh, is_fixed: vertex_count.is_some(), larger: Mutex::default() })
    }

    pub(crate) fn with_vertex_count(triangles: Vec<[u32; 3]>, vertex_count: usize) -> Result<Self, Refusal> {
        Self::of(triangles, Some(vertex_count))
    }

    /// The mesh for a number of positions. A fixed number is left for the body to compare.
    pub(crate) fn with_positions(&self, count: usize) -> Result<Arc<crumple::Mesh>, Refusal> {
        if self.is_fixed || count == self.mesh.vertex_count() {
            return Ok(Arc::clone(&self.mesh));
        }
        let mut larger = self.larger.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mesh) = larger.as_ref().filter(|mesh| mesh.vertex_count() == count) {
            return Ok(Arc::clone(mesh));
        }
        let mesh = Arc::new(crumple::Mesh::new(count, self.mesh.indices().to_vec())?);
        *larger = Some(Arc::clone(&mesh));
        Ok(mesh)
    }

    /// A body of this mesh; with `weld`, vertices at equal positions count as one for topology.
    pub(crate) fn body(&self, positions: Given<'_>, weld: bool) -> Result<crumple::Body, Refusal> {
        match positions {
            Given::F32(positions) => self.body_of(positions, weld),
            Given::F64(positions) => self.body_of(positions, weld),
        }
    }

    fn body_of<C: Coordinate>(&self, positions: &[[C; 3]], weld: bool) -> Result<crumple::Body, Refusal> {
        let mut mesh = self.with_positions(positions.len())?;
        if weld {
            mesh = Arc::new(crumple::Mesh::clone(&mesh).welded(positions)?);
        }
        Ok(crumple::Body::with_positions(mesh, positions)?)
    }
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (faces, *, vertex_count=None))]
    fn new(faces: &Bound<'_, PyAny>, vertex_count: Option<usize>) -> PyResult<Self> {
        Ok(Self::of(arrays::faces(faces)?, vertex_count)?)
    }

    /// The faces: (m, 3) uint32, a copy.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        arrays::rows(py, self.mesh.indices().to_vec())
    }

    /// How many vertices there are: as given, or as the faces name.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.mesh.vertex_count()
    }

    /// Whether every edge belongs to an even number of triangles.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.mesh.topology().is_closed())
    }

    /// Whether the triangles run along every edge equally often both ways, so that the surface encloses a volume.
    #[getter]
    fn is_solid(&self, py: Python<'_>) -> bool {
        py.detach(|| self.mesh.topology().is_solid())
    }

    fn __len__(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn __repr__(&self) -> String {
        format!("Mesh({} triangles, {} vertices)", self.mesh.triangles().len(), self.mesh.vertex_count())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, FacesAndCount<'py>)> {
        let restore = py.import("crumple._arrays")?.getattr("restored_mesh")?;
        Ok((restore, (self.faces(py)?, self.is_fixed.then(|| self.mesh.vertex_count()))))
    }
}
