//! What a solver acts on: regions, curves, depths and separations of a frame.

use bytemuck::{Pod, Zeroable};
use crumple::{Between, BodyId, Curve, Region, Separation, VertexDepth};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;

/// The class in `crumple._response` of that name, made with these fields.
fn object<'py>(py: Python<'py>, class: &str, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "crumple._response"))?.getattr(class)?.call((), Some(fields))
}

fn vector(py: Python<'_>, values: [f64; 3]) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &values)
}

/// A region as it leaves the library.
#[derive(Debug)]
pub(crate) struct FoundRegion {
    pub(crate) bodies: (BodyId, BodyId),
    id: u64,
    volume: f64,
    area: f64,
    contact_area: f64,
    centroid: [f64; 3],
    normal: [f64; 3],
    surface_centroid: [f64; 3],
    surface_moments: [[f64; 3]; 3],
    triangles: [Vec<u32>; 2],
    vertices: [Vec<u32>; 2],
}

impl From<Between<Region<'_>>> for FoundRegion {
    fn from(found: Between<Region<'_>>) -> Self {
        let region = &found.of;
        Self {
            bodies: (found.a, found.b),
            id: region.id.0,
            volume: region.volume,
            area: region.area,
            contact_area: region.contact_area,
            centroid: region.centroid,
            normal: region.normal,
            surface_centroid: region.surface_centroid,
            surface_moments: region.surface_moments,
            triangles: [region.triangles_a, region.triangles_b].map(|list| list.iter().map(|id| id.0).collect()),
            vertices: [region.vertices_a, region.vertices_b].map(|list| list.iter().map(|id| id.0).collect()),
        }
    }
}

impl FoundRegion {
    /// A `crumple.Region` of bodies with these names.
    pub(crate) fn into_object(self, py: Python<'_>, a: Py<PyAny>, b: Py<PyAny>) -> PyResult<Bound<'_, PyAny>> {
        let fields = PyDict::new(py);
        fields.set_item("a", a)?;
        fields.set_item("b", b)?;
        fields.set_item("id", self.id)?;
        fields.set_item("volume", self.volume)?;
        fields.set_item("area", self.area)?;
        fields.set_item("contact_area", self.contact_area)?;
        fields.set_item("centroid", vector(py, self.centroid))?;
        fields.set_item("normal", vector(py, self.normal))?;
        fields.set_item("surface_centroid", vector(py, self.surface_centroid))?;
        fields.set_item("surface_moments", arrays::rows(py, self.surface_moments.to_vec())?)?;
        let ([triangles_a, triangles_b], [vertices_a, vertices_b]) = (self.triangles, self.vertices);
        fields.set_item("triangles_a", PyArray1::from_vec(py, triangles_a))?;
        fields.set_item("triangles_b", PyArray1::from_vec(py, triangles_b))?;
        fields.set_item("vertices_a", PyArray1::from_vec(py, vertices_a))?;
        fields.set_item("vertices_b", PyArray1::from_vec(py, vertices_b))?;
        object(py, "Region", &fields)
    }
}

/// A curve as it leaves the library.
#[derive(Debug)]
pub(crate) struct FoundCurve {
    pub(crate) bodies: (BodyId, BodyId),
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 2]>,
    barycentric: Vec<[f64; 6]>,
    is_closed: bool,
}

impl FoundCurve {
    pub(crate) fn new(bodies: (BodyId, BodyId), curve: Curve<'_>) -> Self {
        let Curve { points, is_closed } = curve;
        Self {
            bodies,
            points: points.iter().map(|point| point.position).collect(),
            triangles: points.iter().map(|point| point.triangles.map(|id| id.0)).collect(),
            barycentric: points.iter().map(|point| bytemuck::cast(point.barycentric)).collect(),
            is_closed,
        }
    }

    /// A `crumple.Curve` of bodies with these names.
    pub(crate) fn into_object(self, py: Python<'_>, a: Py<PyAny>, b: Py<PyAny>) -> PyResult<Bound<'_, PyAny>> {
        let (fields, len) = (PyDict::new(py), self.points.len());
        fields.set_item("a", a)?;
        fields.set_item("b", b)?;
        fields.set_item("points", arrays::rows(py, self.points)?)?;
        fields.set_item("triangles", arrays::rows(py, self.triangles)?)?;
        fields.set_item("barycentric", arrays::rows(py, self.barycentric)?.reshape([len, 2, 3])?)?;
        fields.set_item("is_closed", self.is_closed)?;
        object(py, "Curve", &fields)
    }
}

/// A `crumple.Separation`.
pub(crate) fn separation<'py>(py: Python<'py>, found: &Separation) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("depth", found.depth)?;
    fields.set_item("direction", vector(py, found.direction))?;
    object(py, "Separation", &fields)
}

/// A row of `Frame.depths`, as `crumple._response` describes it to NumPy.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Depth {
    vertex: u32,
    triangle: u32,
    depth: f64,
    point: [f64; 3],
    normal: [f64; 3],
    barycentric: [f64; 3],
}

impl From<&VertexDepth> for Depth {
    fn from(found: &VertexDepth) -> Self {
        let VertexDepth { depth, point, normal, barycentric, .. } = *found;
        Self { vertex: found.vertex.0, triangle: found.triangle.0, depth, point, normal, barycentric }
    }
}
