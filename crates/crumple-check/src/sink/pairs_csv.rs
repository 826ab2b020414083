//! `--csv`: every pair of triangles, with impacts and distances where they were asked.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use crumple_io::words::counted;
use crumple_io::{CsvColumns, PairsCsv, WriteError};

use super::{Sink, View};
use crate::error::is_closed_pipe;
use crate::outcome::Outcome;
use crate::run::Check;

/// The table of pairs.
#[derive(Debug)]
pub(super) struct Table {
    /// `None` for standard output.
    file: Option<PathBuf>,
    /// `None` once nobody reads it any more.
    table: Option<PairsCsv>,
    rows: usize,
    /// Impacts written, where they are.
    impacts: Option<usize>,
    /// The same of distances.
    distances: Option<usize>,
}

impl Table {
    /// A table in a file, or on standard output.
    pub(super) fn new(file: Option<&PathBuf>, check: &Check, columns: CsvColumns) -> Result<Self> {
        let names: Vec<&str> = check.header().bodies.iter().map(|body| body.name.as_str()).collect();
        let table = match file {
            Some(file) => PairsCsv::create_with(file, &names, columns)?,
            None => PairsCsv::to_stream(io::stdout(), "standard output", &names, columns)?,
        };
        let (impacts, distances) = (columns.impacts.then_some(0), columns.distances.then_some(0));
        Ok(Self { file: file.cloned(), table: Some(table), rows: 0, impacts, distances })
    }

    /// A reader of standard output who has had enough ends the table, not the work.
    fn unless_lost(&self, written: Result<(), WriteError>) -> Result<bool> {
        match written.map_err(anyhow::Error::from) {
            Err(error) if self.file.is_none() && is_closed_pipe(&error) => Ok(false),
            written => written.map(|()| true),
        }
    }
}

impl Sink for Table {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let written = table.write_frame(view.listed);
        if !self.unless_lost(written)? {
            self.table = None;
            return Ok(());
        }
        let listed = view.listed;
        self.rows += listed.contacts.iter().map(|contact| contact.listed().len()).sum::<usize>();
        if let Some(impacts) = &mut self.impacts {
            *impacts += listed.impacts.as_ref().map_or(0, |found| found.len());
        }
        if let Some(distances) = &mut self.distances {
            *distances += listed.near.as_ref().map_or(0, Vec::len);
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, _: &Outcome) -> Result<Option<String>> {
        let Some(table) = self.table.take() else { return Ok(None) };
        self.unless_lost(table.finish())?;
        let file = self.file.as_deref().unwrap_or(Path::new("standard output"));
        let more = |count: Option<usize>, word| {
            count.map(|count| format!(", {}", counted(count as u64, word))).unwrap_or_default()
        };
        let (impacts, distances) = (more(self.impacts, "impact"), more(self.distances, "distance"));
        Ok(Some(format!("{}: {}{impacts}{distances}", file.display(), counted(self.rows as u64, "pair"))))
    }

    fn is_lost(&self) -> bool {
        self.table.is_none()
    }
}
