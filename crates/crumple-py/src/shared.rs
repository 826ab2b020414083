//! Pairs in memory that the library and NumPy share.
//!
//! `unsafe` is lifted in this file only, for the one call that lets an array look at memory it does not own. It is sound
//! because the owner is the array's base, so the memory lives as long as any view of it; because the list is behind an `Arc`, so the
//! library writes its next answer elsewhere as long as the owner lives; and because the array is read-only. NumPy does not let
//! Python change that: the owner is no buffer that can be written.
#![allow(unsafe_code)]

use std::sync::Arc;

use crumple::TrianglePair;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Keeps a list of pairs alive for the arrays that look at it.
#[pyclass(frozen, module = "crumple._crumple")]
#[derive(Debug)]
struct PairsMemory(Arc<Vec<TrianglePair>>);

/// A read-only array over a list of pairs: (k, 2) uint32.
pub(crate) fn pairs(py: Python<'_>, list: Arc<Vec<TrianglePair>>) -> PyResult<Bound<'_, PyArray2<u32>>> {
    let owner = Bound::new(py, PairsMemory(list))?;
    let rows: &[[u32; 2]] = bytemuck::cast_slice(&owner.get().0);
    let view = ArrayView2::from(rows);
    // SAFETY: the memory belongs to `owner`, which becomes the base of the array and never changes: the class is frozen, and
    // nobody can write to a list behind an `Arc` that is shared.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone().into_any()) };
    array.try_readwrite()?.make_nonwriteable();
    Ok(array)
}
