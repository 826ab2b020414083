//! Questions about bodies outside of any scene.

use crumple::TrianglePair;
use crumple_ldi::{InsideRule, PointsInside, PointsOptions};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::{self, Given};
use crate::distance::{Distance, Rows};
use crate::errors::Refusal;
use crate::mesh::Mesh;
use crate::pool;

/// Runs `work` without the interpreter.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Refusal> + Send) -> PyResult<T> {
    Ok(py.detach(|| pool::with_all(work))?)
}

pub(crate) fn rule(parity: bool) -> InsideRule {
    if parity { InsideRule::Parity } else { InsideRule::WindingNumber }
}

fn list_pairs(py: Python<'_>, found: Vec<TrianglePair>) -> PyResult<Bound<'_, PyArray2<u32>>> {
    arrays::rows(py, found.into_iter().map(<[u32; 2]>::from).collect())
}

/// Which points are inside a body; see `crumple.inside`.
#[pyfunction]
#[pyo3(signature = (mesh, positions, tested, *, exact, resolution, parity, assume_closed))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn inside_points<'py>(
    py: Python<'py>,
    mesh: &Bound<'py, Mesh>,
    positions: &Bound<'py, PyAny>,
    tested: &Bound<'py, PyAny>,
    exact: bool,
    resolution: u32,
    parity: bool,
    assume_closed: bool,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (positions, tested) =
        (arrays::positions(positions, false, "positions")?, arrays::positions(tested, false, "points")?);
    let (positions, tested, mesh) = (positions.given()?, tested.given()?, mesh.get());
    let mut options = PointsOptions::default().with_resolution(resolution).with_inside(rule(parity));
    (options.exact, options.assume_closed) = (exact, assume_closed);
    let found = released(py, || {
        let body = mesh.body(positions, false)?;
        let mut inside = PointsInside::new(options);
        let found = match tested {
            Given::F32(points) => inside.test(&body, points)?,
            Given::F64(points) => inside.test(&body, points)?,
        };
        Ok(found.to_vec())
    })?;
    Ok(PyArray1::from_vec(py, found))
}

/// All pairs of triangles of two bodies that share a point; see `crumple.pairs`.
#[pyfunction]
pub(crate) fn pairs_of_bodies<'py>(
    py: Python<'py>,
    mesh_a: &Bound<'py, Mesh>,
    positions_a: &Bound<'py, PyAny>,
    mesh_b: &Bound<'py, Mesh>,
    positions_b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let arrays =
        [arrays::positions(positions_a, false, "positions")?, arrays::positions(positions_b, false, "positions")?];
    let (a, b, mesh_a, mesh_b) = (arrays[0].given()?, arrays[1].given()?, mesh_a.get(), mesh_b.get());
    let found = released(py, || Ok(crumple::pairs(&mesh_a.body(a, false)?, &mesh_b.body(b, false)?)))?;
    list_pairs(py, found)
}

/// All pairs of triangles of one body that collide; see `crumple.self_pairs`.
#[pyfunction]
pub(crate) fn pairs_of_one_body<'py>(
    py: Python<'py>,
    mesh: &Bound<'py, Mesh>,
    positions: &Bound<'py, PyAny>,
    weld: bool,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let array = arrays::positions(positions, false, "positions")?;
    let (positions, mesh) = (array.given()?, mesh.get());
    let found = released(py, || Ok(crumple::self_pairs(&mesh.body(positions, weld)?)))?;
    list_pairs(py, found)
}

/// How far apart two bodies are; see `crumple.distance`.
#[pyfunction]
pub(crate) fn distance_of_bodies<'py>(
    py: Python<'py>,
    mesh_a: &Bound<'py, Mesh>,
    positions_a: &Bound<'py, PyAny>,
    mesh_b: &Bound<'py, Mesh>,
    positions_b: &Bound<'py, PyAny>,
) -> PyResult<Distance> {
    let arrays =
        [arrays::positions(positions_a, false, "positions")?, arrays::positions(positions_b, false, "positions")?];
    let (a, b, mesh_a, mesh_b) = (arrays[0].given()?, arrays[1].given()?, mesh_a.get(), mesh_b.get());
    let found = released(py, || {
        let (a, b) = (mesh_a.body(a, false)?, mesh_b.body(b, false)?);
        crumple::distance(&a, &b).ok_or_else(|| Refusal::no_triangles("a or b"))
    })?;
    Ok(Distance::new(found))
}

/// Which features of two bodies are closer than a distance; see `crumple.near`.
#[pyfunction]
pub(crate) fn near_features<'py>(
    py: Python<'py>,
    mesh_a: &Bound<'py, Mesh>,
    positions_a: &Bound<'py, PyAny>,
    mesh_b: &Bound<'py, Mesh>,
    positions_b: &Bound<'py, PyAny>,
    distance: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let arrays =
        [arrays::positions(positions_a, false, "positions")?, arrays::positions(positions_b, false, "positions")?];
    let (a, b, mesh_a, mesh_b) = (arrays[0].given()?, arrays[1].given()?, mesh_a.get(), mesh_b.get());
    let rows = released(py, || {
        let mut rows = Rows::default();
        let found = crumple::near(&mesh_a.body(a, false)?, &mesh_b.body(b, false)?, distance);
        found.iter().for_each(|pair| rows.add(0, 1, pair));
        Ok(rows)
    })?;
    rows.into_tables(py)
}
