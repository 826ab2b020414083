//! How much a body overlaps itself.

use crumple::contact::SelfOverlapFinder;
use crumple::{Body, Holes, SelfOverlap, SelfRegion, SelfRegions, VertexGradient};
use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::mesh::Mesh;
use crate::questions::released;

/// An overlap of a body with itself as it leaves the library.
#[derive(Debug)]
pub(crate) struct FoundSelf {
    volume: f64,
    is_inside_out: bool,
    gradient: Vec<[f64; 3]>,
    regions: Vec<FoundSelfRegion>,
}

impl FoundSelf {
    /// What was found about a body.
    pub(crate) fn new(body: &Body, found: &SelfOverlap, regions: &SelfRegions) -> Self {
        let mut gradient = vec![[0.0; 3]; body.positions().len()];
        found.gradient().iter().for_each(|of| gradient[of.vertex.index()] = of.gradient);
        let regions = regions.iter().map(FoundSelfRegion::from).collect();
        Self { volume: found.volume(), is_inside_out: found.is_inside_out(), gradient, regions }
    }

    /// A `crumple.SelfOverlap`.
    pub(crate) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let module = py.import(intern!(py, "crumple._overlap"))?;
        let regions = self.regions.into_iter().map(|region| region.into_object(py, &module));
        let fields = PyDict::new(py);
        fields.set_item("volume", self.volume)?;
        fields.set_item("is_inside_out", self.is_inside_out)?;
        fields.set_item("gradient", arrays::rows(py, self.gradient)?)?;
        fields.set_item("regions", regions.collect::<PyResult<Vec<_>>>()?)?;
        module.getattr(intern!(py, "SelfOverlap"))?.call((), Some(&fields))
    }
}

#[derive(Debug)]
struct FoundSelfRegion {
    volume: f64,
    area: f64,
    centroid: [f64; 3],
    normal: [f64; 3],
    triangles: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    vertices: Vec<u32>,
    gradient: Vec<[f64; 3]>,
}

impl From<SelfRegion<'_>> for FoundSelfRegion {
    fn from(region: SelfRegion<'_>) -> Self {
        let by_vertex = |of: &VertexGradient| (of.vertex.0, of.gradient);
        let (vertices, gradient) = region.gradient.iter().map(by_vertex).unzip();
        Self {
            volume: region.volume,
            area: region.area,
            centroid: region.centroid,
            normal: region.normal,
            triangles: region.triangles.iter().map(|triangle| triangle.0).collect(),
            pairs: region.pairs.iter().map(|pair| [pair.a.0, pair.b.0]).collect(),
            vertices,
            gradient,
        }
    }
}

impl FoundSelfRegion {
    fn into_object<'py>(self, py: Python<'py>, module: &Bound<'py, PyModule>) -> PyResult<Bound<'py, PyAny>> {
        let fields = PyDict::new(py);
        fields.set_item("volume", self.volume)?;
        fields.set_item("area", self.area)?;
        fields.set_item("centroid", PyArray1::from_slice(py, &self.centroid))?;
        fields.set_item("normal", PyArray1::from_slice(py, &self.normal))?;
        fields.set_item("triangles", PyArray1::from_vec(py, self.triangles))?;
        fields.set_item("pairs", arrays::rows(py, self.pairs)?)?;
        fields.set_item("vertices", PyArray1::from_vec(py, self.vertices))?;
        fields.set_item("gradient", arrays::rows(py, self.gradient)?)?;
        module.getattr(intern!(py, "SelfRegion"))?.call((), Some(&fields))
    }
}

/// What to do with holes.
pub(crate) fn holes(cap: bool) -> Holes {
    if cap { Holes::Cap } else { Holes::Refuse }
}

/// How much a body overlaps itself; see `crumple.self_overlap`.
#[pyfunction]
pub(crate) fn self_overlap_of_body<'py>(
    py: Python<'py>,
    mesh: &Bound<'py, Mesh>,
    positions: &Bound<'py, PyAny>,
    weld: bool,
    cap_holes: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let array = arrays::positions(positions, false, "positions")?;
    let (positions, mesh) = (array.given()?, mesh.get());
    let found = released(py, || {
        let body = mesh.body(positions, weld)?;
        let mut finder = SelfOverlapFinder::default();
        let (found, regions) = finder.find_with_regions(&body, holes(cap_holes))?;
        Ok(FoundSelf::new(&body, found, regions))
    })?;
    found.into_object(py)
}
