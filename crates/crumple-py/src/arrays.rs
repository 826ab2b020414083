//! Arrays in and out.
//!
//! An array that already is what the library reads (`float32` or `float64`, shape (n, 3), C order, aligned) is read where it is.
//! Anything else goes through `crumple._arrays`, which converts what can be converted without loss and refuses the rest. What comes out is
//! memory of Rust that NumPy takes over.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;

use crate::errors::Refusal;

/// An array of positions, in either precision.
#[derive(Debug)]
pub(crate) enum Positions<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
}

/// One position per row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    F32(&'a [[f32; 3]]),
    F64(&'a [[f64; 3]]),
}

/// The positions in an object; `what` names them in errors. With `cast`, numbers are rounded to f32.
pub(crate) fn positions<'py>(object: &Bound<'py, PyAny>, cast: bool, what: &str) -> PyResult<Positions<'py>> {
    if let Some(array) = read_in_place::<f32>(object) {
        return Ok(Positions::F32(lend(array)?));
    }
    if let Some(array) = read_in_place::<f64>(object).filter(|_| !cast) {
        return Ok(Positions::F64(lend(array)?));
    }
    let py = object.py();
    let convert = py.import(intern!(py, "crumple._arrays"))?.getattr(intern!(py, "positions"))?;
    let converted = convert.call1((object, cast, what))?;
    match converted.cast::<PyArray2<f32>>() {
        Ok(array) => Ok(Positions::F32(lend(array)?)),
        Err(_) => Ok(Positions::F64(lend(converted.cast::<PyArray2<f64>>()?)?)),
    }
}

/// The positions in an object, widened to f64.
pub(crate) fn wide(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[f64; 3]>> {
    Ok(match positions(object, false, what)?.given()? {
        Given::F32(points) => points.iter().map(|point| point.map(f64::from)).collect(),
        Given::F64(points) => points.to_vec(),
    })
}

/// The points in an object, which are f32 numbers; `what` names them in errors. With `cast`, numbers are rounded.
pub(crate) fn tested<'py>(object: &Bound<'py, PyAny>, cast: bool, what: &str) -> PyResult<PyReadonlyArray2<'py, f32>> {
    if let Some(array) = read_in_place::<f32>(object) {
        return lend(array);
    }
    let py = object.py();
    let convert = py.import(intern!(py, "crumple._arrays"))?.getattr(intern!(py, "points"))?;
    lend(convert.call1((object, cast, what))?.cast::<PyArray2<f32>>()?)
}

impl Positions<'_> {
    pub(crate) fn given(&self) -> PyResult<Given<'_>> {
        Ok(match self {
            Self::F32(array) => Given::F32(points(array)?),
            Self::F64(array) => Given::F64(points(array)?),
        })
    }
}

/// The array, if it lies in memory as the library wants it. One of another byte order is no array of `T` to begin with.
fn read_in_place<'a, 'py, T: numpy::Element>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyArray2<T>>> {
    let array = object.cast::<PyArray2<T>>().ok()?;
    let is_aligned = (array.data() as usize).is_multiple_of(align_of::<T>());
    (array.is_c_contiguous() && array.shape()[1] == 3 && is_aligned).then_some(array)
}

fn lend<'py, T: numpy::Element>(array: &Bound<'py, PyArray2<T>>) -> PyResult<PyReadonlyArray2<'py, T>> {
    array.try_readonly().map_err(|error| Refusal::new("PositionsError", error.to_string()).into())
}

/// One point per row.
pub(crate) fn points<'a, T: numpy::Element>(array: &'a PyReadonlyArray2<'_, T>) -> PyResult<&'a [[T; 3]]> {
    let (points, _) = array.as_slice()?.as_chunks::<3>();
    Ok(points)
}

/// The triangles in an object.
pub(crate) fn faces(object: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let py = object.py();
    let convert = py.import(intern!(py, "crumple._arrays"))?.getattr(intern!(py, "faces"))?;
    let array = lend(convert.call1((object,))?.cast::<PyArray2<u32>>()?)?;
    let (triangles, _) = array.as_slice()?.as_chunks::<3>();
    Ok(triangles.to_vec())
}

/// A list of rows as an array that owns it.
pub(crate) fn rows<T: numpy::Element, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let len = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([len, N])
}

/// A list of rows, each a multiple of eight bytes, as a structured array that owns it; `name` is the function of
/// `crumple._response` that knows the fields.
pub(crate) fn table<'py, T: bytemuck::Pod>(py: Python<'py>, rows: Vec<T>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "crumple._response"))?.getattr(name)?.call1((words(py, rows),))
}

/// The memory of rows, each a multiple of eight bytes, taken over by an array: `view` makes a table of it.
pub(crate) fn words<T: bytemuck::Pod>(py: Python<'_>, rows: Vec<T>) -> Bound<'_, PyArray1<u64>> {
    PyArray1::from_vec(py, bytemuck::cast_vec(rows))
}
