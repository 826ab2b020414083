//! Reads a report line by line.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use crumple_io::report::{Header, Record, SCHEMA};

use crate::output::hinted;

/// A report that is being read.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) file: PathBuf,
    pub(super) header: Header,
    lines: Lines<BufReader<File>>,
    /// Lines read so far.
    line: u64,
}

impl Report {
    /// Reads the header.
    pub(super) fn open(file: &Path) -> Result<Self> {
        let opened = File::open(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let mut lines = BufReader::new(opened).lines();
        let first = lines.next().transpose().with_context(|| format!("{}: cannot be read", file.display()))?;
        let header = first.and_then(|line| serde_json::from_str::<Header>(&line).ok());
        match header {
            Some(header) if header.schema == SCHEMA => Ok(Self { file: file.into(), header, lines, line: 1 }),
            Some(header) => bail!("{}: its schema is {}, not {SCHEMA}", file.display(), header.schema),
            None => {
                let what = format!("{}: it is not a report", file.display());
                Err(hinted(what, "`crumple check --json` prints one"))
            }
        }
    }

    /// The next record with its text; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Record, String)>> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = line.with_context(|| format!("{}: cannot be read", self.file.display()))?;
        self.line += 1;
        match serde_json::from_str(&line) {
            Ok(record) => Ok(Some((record, line))),
            // A run that was ended from outside may have left a part of a line.
            Err(_) => bail!("{}: line {} is not a record", self.file.display(), self.line),
        }
    }
}
