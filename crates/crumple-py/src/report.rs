//! A report as the command prints it with `--json`, written frame by frame.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::{Mutex, PoisonError};

use crumple_io::report::{CheckSummary, Episodes, Header, LastRecord, PartRecord};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::errors::Refusal;
use crate::records::{self, BodyRow, ContactRow, ImpactRow};

/// A report that is being written; see `Report.save_json`. Needs memory for the findings, not for the frames.
#[pyclass(frozen, module = "crumple._crumple")]
#[derive(Debug)]
pub(crate) struct ReportFile {
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    out: BufWriter<File>,
    summary: CheckSummary,
    episodes: Episodes,
}

impl Open {
    fn put(&mut self, record: &impl serde::Serialize) -> PyResult<()> {
        let refused = |source: std::io::Error| PyOSError::new_err(format!("the report could not be written: {source}"));
        serde_json::to_writer(&mut self.out, record).map_err(|error| refused(error.into()))?;
        self.out.write_all(b"\n").map_err(refused)
    }
}

#[pymethods]
impl ReportFile {
    /// `part` is the first frame and how many the files have, if not all were checked.
    #[new]
    #[pyo3(signature = (path, method, bodies, frames, part=None))]
    fn new(
        path: &str,
        method: &str,
        bodies: Vec<BodyRow<'_>>,
        frames: u64,
        part: Option<(u64, u64)>,
    ) -> PyResult<Self> {
        let (bodies, _) = records::bodies(bodies)?;
        let mut header = Header::new(method, bodies, frames);
        header.part = part.map(|(first, of)| PartRecord { first, of });
        let out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let mut open = Open { out, summary: CheckSummary::default(), episodes: Episodes::default() };
        open.put(&header)?;
        Ok(Self { open: Mutex::new(Some(open)) })
    }

    /// Adds a frame: contacts as (a, b, pairs), impacts, microseconds of update and query.
    fn frame(
        &self,
        number: u64,
        contacts: Vec<ContactRow<'_>>,
        impacts: Option<Vec<ImpactRow>>,
        times: (f64, f64),
    ) -> PyResult<()> {
        let found = records::frame(number, contacts, impacts, times)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.as_mut().ok_or_else(finished)?;
        open.summary.add(&found);
        open.episodes.add(&found);
        open.put(&found)
    }

    /// Completes the report.
    fn finish(&self) -> PyResult<()> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut open = open.ok_or_else(finished)?;
        let mut summary = std::mem::take(&mut open.summary);
        summary.findings = Some(std::mem::take(&mut open.episodes).finish());
        open.put(&LastRecord { summary })?;
        open.out.flush()?;
        Ok(())
    }
}

fn finished() -> PyErr {
    Refusal::new("ReportError", "this report is complete: nothing can be added to it").into()
}
