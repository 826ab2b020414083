//! Impacts: what meets between two frames.

use crumple::{Between, FeaturePair};
use pyo3::prelude::*;

/// Two features that meet in the step from the last frame to this one.
///
/// `kind` says which: "vertex-face" (`vertex` is of body `a`, `triangle` of body `b`), "edge-edge" (`edge_a`, `edge_b`) or
/// "already", where `triangles` meet at the start of the step. What does not apply is None.
#[pyclass(frozen, get_all, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Impact {
    /// When, as a fraction of the step: two numbers, at most 2**-32 apart, between which the exact time lies.
    time: (f64, f64),
    /// The body of the vertex; of two edges or triangles, that of the first. Its name, or its id if it has none.
    a: Py<PyAny>,
    /// The other body; the same one where a body meets itself.
    b: Py<PyAny>,
    /// "vertex-face", "edge-edge" or "already".
    kind: &'static str,
    /// The vertex, of body `a`.
    vertex: Option<u32>,
    /// The triangle, of body `b`.
    triangle: Option<u32>,
    /// The ends of the edge of body `a`.
    edge_a: Option<(u32, u32)>,
    /// The ends of the edge of body `b`.
    edge_b: Option<(u32, u32)>,
    /// The first triangles that meet at the start of the step.
    triangles: Option<(u32, u32)>,
    /// Where they meet.
    point: (f64, f64, f64),
    /// A unit vector across the contact: from the face to the side the vertex came from, or from the second edge to the first.
    normal: (f64, f64, f64),
    /// Where on the features: weights of the corners of the face, or how far along the first and the second edge.
    barycentric: (f64, f64, f64),
    /// 0 if exact; with a thickness, how much farther apart than it they may still be at the time given.
    slack: f64,
}

impl Impact {
    pub(crate) fn new(impact: &Between<crumple::Impact>, a: Py<PyAny>, b: Py<PyAny>) -> Self {
        let mut found = Self {
            time: (impact.time.lo, impact.time.hi),
            a,
            b,
            kind: "already",
            vertex: None,
            triangle: None,
            edge_a: None,
            edge_b: None,
            triangles: None,
            point: impact.point.into(),
            normal: impact.normal.into(),
            barycentric: impact.barycentric.into(),
            slack: impact.slack,
        };
        match impact.features {
            FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
                found.kind = "vertex-face";
                (found.vertex, found.triangle) = (Some(vertex.0), Some(triangle.0));
                if vertex_of_b {
                    std::mem::swap(&mut found.a, &mut found.b);
                }
            }
            FeaturePair::EdgeEdge { edge_a, edge_b } => {
                found.kind = "edge-edge";
                found.edge_a = Some((edge_a[0].0, edge_a[1].0));
                found.edge_b = Some((edge_b[0].0, edge_b[1].0));
            }
            FeaturePair::Triangles { pair } => found.triangles = Some((pair.a.0, pair.b.0)),
            _ => found.kind = "other",
        }
        found
    }
}

#[pymethods]
impl Impact {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b) = (self.a.bind(py).repr()?, self.b.bind(py).repr()?);
        Ok(format!("Impact({}, {a}, {b}, time={:?})", self.kind, self.time))
    }
}
