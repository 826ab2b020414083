//! Positions written in place.
//!
//! The array that is lent belongs to the scene and is kept for the next time, so nothing is allocated per frame. It is not the
//! memory of the body itself: a view of it may outlive the block, and what is written to that must not change a body behind the
//! library's back. At the end of the block the library checks and copies it in one pass, as it does for any array.

use numpy::{Element, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{self, Given};
use crate::errors::Refusal;
use crate::scene::Scene;

/// Lends the positions of a body; see `Scene.positions`.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct PositionsWriter {
    scene: Py<Scene>,
    body: u32,
}

impl PositionsWriter {
    pub(crate) fn new(scene: Py<Scene>, body: u32) -> Self {
        Self { scene, body }
    }

    /// An array with the current positions: the one that was lent last, or a new one if that cannot be lent again.
    fn lend<'py, T: Element + Copy>(
        py: Python<'py>,
        last: Option<&Bound<'py, PyAny>>,
        positions: &[[T; 3]],
    ) -> PyResult<Bound<'py, PyAny>> {
        match Self::filled(last, positions) {
            Some(array) => Ok(array.into_any()),
            None => Ok(arrays::rows(py, positions.to_vec())?.into_any()),
        }
    }

    /// Writes the current positions into the array that was lent last; `None` if it cannot be lent again.
    fn filled<'py, T: Element + Copy>(
        array: Option<&Bound<'py, PyAny>>,
        positions: &[[T; 3]],
    ) -> Option<Bound<'py, PyArray2<T>>> {
        let array = array?.cast::<PyArray2<T>>().ok()?;
        let mut writable = array.try_readwrite().ok()?;
        let room = writable.as_slice_mut().ok()?;
        if room.len() != positions.len() * 3 {
            return None;
        }
        room.copy_from_slice(positions.as_flattened());
        Some(array.clone())
    }
}

#[pymethods]
impl PositionsWriter {
    fn __enter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut inner = self.scene.get().lock(py);
        let id = inner.id(self.body)?;
        let lent = inner.entry_mut(self.body).and_then(|entry| {
            let was_lent = std::mem::replace(&mut entry.is_lent, true);
            (!was_lent).then(|| entry.lent.take())
        });
        let Some(lent) = lent else {
            let message = "the positions of this body are being written already: leave that block first";
            return Err(Refusal::new("SceneBusyError", message).into());
        };
        let body = inner.scene.body(id).map_err(|error| Refusal::of_scene(&error, "?"))?;
        let last = lent.as_ref().map(|array| array.bind(py));
        let array = match body.positions_f64() {
            Some(positions) => Self::lend(py, last, positions)?,
            None => Self::lend(py, last, body.positions())?,
        };
        if let Some(entry) = inner.entry_mut(self.body) {
            entry.lent = Some(array.clone().unbind());
        }
        Ok(array)
    }

    #[pyo3(signature = (exception_type=None, exception=None, traceback=None))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception_type: Option<&Bound<'_, PyAny>>,
        exception: Option<&Bound<'_, PyAny>>,
        traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let _ = (exception, traceback);
        let scene = self.scene.get();
        let mut inner = scene.lock(py);
        let entry = inner.entry_mut(self.body).ok_or_else(|| Refusal::unknown_body(&self.body.to_string()))?;
        entry.is_lent = false;
        let lent = entry.lent.as_ref().map(|array| array.clone_ref(py));
        let (Some(lent), None) = (lent, exception_type) else { return Ok(false) };
        let array = arrays::positions(lent.bind(py), false, "positions")?;
        let positions = array.given()?;
        scene.work(py, &mut inner, |inner| {
            inner.change(self.body, |scene, id| match positions {
                Given::F32(positions) => scene.set_positions(id, positions),
                Given::F64(positions) => scene.set_positions_f64(id, positions),
            })
        })?;
        Ok(false)
    }
}
