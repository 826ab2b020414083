//! How much bodies overlap.

use crumple::{Overlap, VertexGradient};
use crumple_ldi::{OverlapOptions, OverlapSampler};
use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::errors::Refusal;
use crate::mesh::Mesh;
use crate::questions::{released, rule};

/// An overlap as it leaves the library.
#[derive(Debug)]
pub(crate) struct Found {
    volume: f64,
    /// An estimate, where the volume was sampled.
    error: f64,
    centroid: Option<[f64; 3]>,
    /// The rest of an exact answer: the area, and the gradient by every vertex of both bodies.
    exact: Option<(f64, [Vec<[f64; 3]>; 2])>,
}

impl Found {
    /// An exact overlap of bodies with these numbers of vertices; the gradients come in the same order.
    pub(crate) fn exact(found: &Overlap, gradients: [(&[VertexGradient], usize); 2]) -> Self {
        let by_vertex = gradients.map(|(gradient, vertices)| {
            let mut all = vec![[0.0; 3]; vertices];
            gradient.iter().for_each(|of| all[of.vertex.index()] = of.gradient);
            all
        });
        Self { volume: found.volume(), error: 0.0, centroid: found.centroid(), exact: Some((found.area(), by_vertex)) }
    }

    /// A `crumple.Overlap`.
    pub(crate) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let fields = PyDict::new(py);
        fields.set_item("volume", self.volume)?;
        fields.set_item("error", self.error)?;
        fields.set_item("centroid", self.centroid.map(|at| PyArray1::from_slice(py, &at)))?;
        if let Some((area, [of_a, of_b])) = self.exact {
            fields.set_item("area", area)?;
            fields.set_item("gradient_a", arrays::rows(py, of_a)?)?;
            fields.set_item("gradient_b", arrays::rows(py, of_b)?)?;
        }
        let class = py.import(intern!(py, "crumple._overlap"))?.getattr(intern!(py, "Overlap"))?;
        class.call((), Some(&fields))
    }
}

/// How much two bodies overlap, by depth images or, without a resolution, exactly; see `crumple.overlap`.
#[pyfunction]
#[pyo3(signature = (mesh_a, positions_a, mesh_b, positions_b, *, resolution, parity, assume_closed))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn overlap_of_bodies<'py>(
    py: Python<'py>,
    mesh_a: &Bound<'py, Mesh>,
    positions_a: &Bound<'py, PyAny>,
    mesh_b: &Bound<'py, Mesh>,
    positions_b: &Bound<'py, PyAny>,
    resolution: Option<u32>,
    parity: bool,
    assume_closed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let arrays =
        [arrays::positions(positions_a, false, "positions")?, arrays::positions(positions_b, false, "positions")?];
    let (a, b, mesh_a, mesh_b) = (arrays[0].given()?, arrays[1].given()?, mesh_a.get(), mesh_b.get());
    let found = released(py, || {
        let (a, b) = (mesh_a.body(a, false)?, mesh_b.body(b, false)?);
        let Some(resolution) = resolution else {
            let found = crumple::overlap(&a, &b)?;
            let sizes = [&a, &b].map(|body| body.positions().len());
            return Ok(Found::exact(&found, [(found.gradient_a(), sizes[0]), (found.gradient_b(), sizes[1])]));
        };
        let mut options = OverlapOptions::default().with_resolution(resolution).with_inside(rule(parity));
        options.assume_closed = assume_closed;
        let mut overlap = OverlapSampler::new(options);
        let answer = overlap.compute(&a, &b).map_err(Refusal::from)?;
        Ok(Found { volume: answer.volume(), error: answer.error_estimate(), centroid: answer.centroid(), exact: None })
    })?;
    found.into_object(py)
}
