//! Contacts of a frame, to be read.

use crumple::Precision;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::scene::Scene;

/// Two bodies that meet, or one that meets itself, and where.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Contact {
    /// The body that was added first: its name, or its id if it has none.
    #[pyo3(get)]
    pub(crate) a: Py<PyAny>,
    /// The other one; the same one if a body meets itself.
    #[pyo3(get)]
    pub(crate) b: Py<PyAny>,
    /// The triangles that meet, of `a` and of `b`, sorted: (k, 2) uint32. A view of the library's list, not a copy; read-only.
    #[pyo3(get)]
    pub(crate) pairs: Py<PyArray2<u32>>,
    pub(crate) scene: Py<Scene>,
    pub(crate) changes: u64,
    pub(crate) bodies: (u32, u32),
}

#[pymethods]
impl Contact {
    /// Whether a body meets itself.
    #[getter]
    fn is_self(&self) -> bool {
        self.bodies.0 == self.bodies.1
    }

    /// The corners of every pair: (k, 2, 3, 3) float32, or float64 if a body has such positions, by pair, body, corner and axis. The
    /// frame must not be over.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scene = self.scene.get();
        let mut inner = scene.lock(py);
        let corners = scene.work(py, &mut inner, |inner| {
            let frame = inner.frame(self.changes)?;
            let (a, b) = (inner.id(self.bodies.0)?, inner.id(self.bodies.1)?);
            let Some(contact) = frame.contact(a, b) else { return Ok(Err(Vec::new())) };
            let bodies = [contact.body_a(), contact.body_b()];
            if bodies.iter().all(|body| body.precision() == Precision::F32) {
                let triangles = contact.pairs.iter().filter_map(|&pair| contact.triangles(pair));
                return Ok(Err(triangles.flatten().flat_map(|found| found.0).collect()));
            }
            let triangles = contact.pairs.iter().filter_map(|&pair| contact.triangles_f64(pair));
            Ok(Ok(triangles.flatten().flatten().collect()))
        })?;
        match corners {
            Ok(wide) => shaped(py, wide),
            Err(narrow) => shaped(py, narrow),
        }
    }

    /// How many pairs of triangles meet.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.pairs.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b, count) = (self.a.bind(py).repr()?, self.b.bind(py).repr()?, self.__len__(py)?);
        Ok(format!("Contact({a}, {b}, {count} {})", if count == 1 { "pair" } else { "pairs" }))
    }
}

/// Corners by pair, body, corner and axis.
fn shaped<T: Element>(py: Python<'_>, corners: Vec<[T; 3]>) -> PyResult<Bound<'_, PyAny>> {
    let len = corners.len() / 6;
    Ok(PyArray1::from_vec(py, corners.into_flattened()).reshape([len, 2, 3, 3])?.into_any())
}
