//! The records of a check, one per line (schema crumple.report/1): as the answer, or as a file.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple_io::report::{Frame, Summary};
use crumple_io::write::WholeFile;
use serde::Serialize;

use super::{Destination, Out, Sink, View};
use crate::outcome::Outcome;
use crate::run::Check;

/// The answer in JSON.
pub(super) struct Json {
    out: Out,
    lists_pairs: bool,
}

impl Json {
    pub(super) fn new(check: &Check, mut out: Out) -> Result<Self> {
        out.record(check.header())?;
        Ok(Self { out, lists_pairs: check.options().pairs })
    }
}

impl Sink for Json {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        if self.lists_pairs { self.out.record(view.listed) } else { self.out.record(&view.found.without_pairs()) }
    }

    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        self.out.record(&Summary { summary: outcome.summary.clone() })?;
        self.out.finish()?;
        Ok(None)
    }

    fn is_lost(&self) -> bool {
        self.out.is_lost()
    }
}

/// A file with the header, all frames with all their pairs, and the summary. Memory does not grow with the frames.
pub(super) struct Report {
    file: PathBuf,
    out: BufWriter<WholeFile>,
    times: bool,
}

impl Report {
    pub(super) fn new(file: &Path, check: &Check, times: bool) -> Result<Self> {
        let out = BufWriter::with_capacity(1 << 16, Destination::create(file)?.into_file());
        let mut report = Self { file: file.into(), out, times };
        report.put(check.header())?;
        Ok(report)
    }

    fn put(&mut self, record: &impl Serialize) -> Result<()> {
        let written = serde_json::to_writer(&mut self.out, record).map_err(std::io::Error::from);
        let written = written.and_then(|()| self.out.write_all(b"\n"));
        written.with_context(|| format!("{}: cannot be written", self.file.display()))
    }
}

impl Sink for Report {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        if self.times { self.put(view.listed) } else { self.put(&without_times(view.listed)) }
    }

    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        self.put(&Summary { summary: outcome.summary.clone() })?;
        let Self { file, out, .. } = *self;
        let finished = out.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(WholeFile::finish);
        finished.with_context(|| format!("{}: cannot be written", file.display()))?;
        Ok(Some(format!("{}: the report, one record per line", file.display())))
    }
}

/// The same record with times of 0, so that the same input makes the same bytes.
pub(super) fn without_times<'a>(frame: &'a Frame<'_>) -> Frame<'a> {
    let mut frame = frame.listing_at_most(usize::MAX);
    (frame.update_us, frame.query_us) = (0.0, 0.0);
    for time in [
        &mut frame.impacts_us,
        &mut frame.onsets_us,
        &mut frame.near_us,
        &mut frame.depth_us,
        &mut frame.volume_us,
        &mut frame.regions_us,
    ] {
        *time = time.map(|_| 0.0);
    }
    frame
}
