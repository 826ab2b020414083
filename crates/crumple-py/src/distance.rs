//! How far apart bodies are, and which features are near.

use bytemuck::{Pod, Zeroable};
use crumple::{Closest, FeaturePair, NearPair};
use numpy::PyArray2;
use pyo3::intern;
use pyo3::prelude::*;

use crate::arrays;

/// How far apart the surfaces of two bodies are, and where they are nearest. `float(d)` is the upper bound.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Distance {
    found: Closest,
}

impl Distance {
    pub(crate) fn new(found: Closest) -> Self {
        Self { found }
    }
}

#[pymethods]
impl Distance {
    /// The surfaces are at least this far apart: 0 if and only if they share a point, which is decided exactly.
    #[getter]
    fn lo(&self) -> f64 {
        self.found.distance.lo
    }

    /// The surfaces have two points that are at most this far apart.
    #[getter]
    fn hi(&self) -> f64 {
        self.found.distance.hi
    }

    /// The nearest point of the first body and that of the second: (2, 3) float64.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::rows(py, self.found.points.to_vec())
    }

    /// A triangle of each body on which these points lie.
    #[getter]
    fn triangles(&self) -> (u32, u32) {
        (self.found.triangles.a.0, self.found.triangles.b.0)
    }

    fn __float__(&self) -> f64 {
        self.hi()
    }

    fn __repr__(&self) -> String {
        format!("Distance(lo={:?}, hi={:?}, triangles={:?})", self.lo(), self.hi(), self.triangles())
    }
}

/// A row of `Near.vertex_face`, as `crumple._near` describes it to NumPy.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct VertexFace {
    a: u32,
    b: u32,
    vertex: u32,
    triangle: u32,
    distance: f64,
    barycentric: [f64; 3],
    direction: [f64; 3],
}

/// A row of `Near.edge_edge`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct EdgeEdge {
    a: u32,
    b: u32,
    edge_a: [u32; 2],
    edge_b: [u32; 2],
    distance: f64,
    along: [f64; 2],
    direction: [f64; 3],
}

/// Near features, by kind.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    vertex_face: Vec<VertexFace>,
    edge_edge: Vec<EdgeEdge>,
}

impl Rows {
    /// Takes in a pair of two bodies, by their numbers.
    pub(crate) fn add(&mut self, a: u32, b: u32, near: &NearPair) {
        let (distance, barycentric, direction) = (near.distance(), near.barycentric, near.direction);
        match near.features {
            FeaturePair::VertexFace { vertex_of_b, vertex, triangle } => {
                let (a, b) = if vertex_of_b { (b, a) } else { (a, b) };
                let (vertex, triangle) = (vertex.0, triangle.0);
                self.vertex_face.push(VertexFace { a, b, vertex, triangle, distance, barycentric, direction });
            }
            FeaturePair::EdgeEdge { edge_a, edge_b } => self.edge_edge.push(EdgeEdge {
                a,
                b,
                edge_a: edge_a.map(|vertex| vertex.0),
                edge_b: edge_b.map(|vertex| vertex.0),
                distance,
                along: [barycentric[0], barycentric[1]],
                direction,
            }),
            // A kind that Python has no table for yet.
            _ => {}
        }
    }

    /// The tables: a `crumple.Near`.
    pub(crate) fn into_tables(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let (vertex_face, edge_edge) = (arrays::words(py, self.vertex_face), arrays::words(py, self.edge_edge));
        let tables = py.import(intern!(py, "crumple._near"))?.getattr(intern!(py, "tables"))?;
        tables.call1((vertex_face, edge_edge))
    }
}
