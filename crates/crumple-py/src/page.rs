//! The page of a report, written frame by frame.

use std::fs::File;
use std::io::BufWriter;
use std::sync::{Mutex, PoisonError};

use crumple_io::report::{CheckSummary, Header};
use crumple_io::write::{PageError, PageWriter};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::arrays::{self, points};
use crate::errors::Refusal;
use crate::records::{self, BodyRow, ContactRow, ImpactRow};

/// A page that is being written; see `Report.save_html`.
#[pyclass(frozen, module = "crumple._crumple")]
#[derive(Debug)]
pub(crate) struct PageFile {
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    writer: PageWriter<BufWriter<File>>,
    summary: CheckSummary,
}

fn refused(error: PageError) -> PyErr {
    match error {
        PageError::Io(source) => PyOSError::new_err(format!("the page could not be written: {source}")),
        other => Refusal::new("ReportError", other.to_string()).into(),
    }
}

#[pymethods]
impl PageFile {
    #[new]
    #[pyo3(signature = (path, title, method, bodies, frames, fps))]
    fn new(path: &str, title: &str, method: &str, bodies: Vec<BodyRow<'_>>, frames: u64, fps: f64) -> PyResult<Self> {
        let (bodies, meshes) = records::bodies(bodies)?;
        let triangles: Vec<&[[u32; 3]]> = meshes.iter().map(|mesh| mesh.indices()).collect();
        let out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let header = Header::new(method, bodies, frames);
        let writer = PageWriter::new(out, title, &header, &triangles).map_err(refused)?.with_fps(fps);
        Ok(Self { open: Mutex::new(Some(Open { writer, summary: CheckSummary::default() })) })
    }

    /// Adds a frame: positions of all bodies, contacts as (a, b, pairs), impacts, microseconds of update and query.
    fn frame(
        &self,
        number: u64,
        positions: Vec<Bound<'_, PyAny>>,
        contacts: Vec<ContactRow<'_>>,
        impacts: Option<Vec<ImpactRow>>,
        times: (f64, f64),
    ) -> PyResult<()> {
        let arrays = positions.iter().map(|array| arrays::tested(array, true, "positions"));
        let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
        let positions = arrays.iter().map(points).collect::<PyResult<Vec<_>>>()?;
        let found = records::frame(number, contacts, impacts, times)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Open { writer, summary }) = open.as_mut() else { return Err(finished()) };
        summary.add(&found);
        writer.frame(&positions, &found).map_err(refused)
    }

    /// Completes the page.
    fn finish(&self) -> PyResult<()> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Open { writer, summary }) = open else { return Err(finished()) };
        writer.finish(summary).map(|_| ()).map_err(refused)
    }
}

fn finished() -> PyErr {
    Refusal::new("ReportError", "this page is complete: nothing can be added to it").into()
}
