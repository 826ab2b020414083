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
    /// Whether a run that ended early is accepted.
    allow_partial: bool,
    /// Whether a summary has been read that says that all frames were checked.
    is_complete: bool,
}

impl Report {
    /// Reads the header.
    pub(super) fn open(file: &Path, allow_partial: bool) -> Result<Self> {
        let opened = File::open(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let mut lines = BufReader::new(opened).lines();
        let first = lines.next().transpose().with_context(|| format!("{}: cannot be read", file.display()))?;
        let header = first.and_then(|line| serde_json::from_str::<Header>(&line).ok());
        match header {
            Some(header) if header.schema == SCHEMA => {
                Ok(Self { file: file.into(), header, lines, line: 1, allow_partial, is_complete: false })
            }
            Some(header) => bail!("{}: its schema is {}, not {SCHEMA}", file.display(), header.schema),
            None => {
                let what = format!("{}: it is not a report", file.display());
                Err(hinted(what, "`crumple check --json` prints one"))
            }
        }
    }

    /// The end of a report of a run that was interrupted or stopped by an error.
    fn ended_early(&mut self) -> Result<Option<(Record, String)>> {
        // Said once: by the summary, or by the end of a report that has none.
        self.is_complete = true;
        if self.allow_partial {
            return Ok(None);
        }
        let what = format!("{}: this run ended before its last frame, so findings may be missing", self.file.display());
        Err(hinted(what, "run it again, or accept what there is with --allow-partial"))
    }

    /// The next record with its text; `None` at the end.
    ///
    /// # Errors
    /// If a line is no record, or the run ended early and that is not accepted.
    pub(super) fn next(&mut self) -> Result<Option<(Record, String)>> {
        let Some(line) = self.lines.next() else {
            return if self.is_complete { Ok(None) } else { self.ended_early() };
        };
        let line = line.with_context(|| format!("{}: cannot be read", self.file.display()))?;
        self.line += 1;
        match serde_json::from_str(&line) {
            Ok(record) => {
                match frames_of_summary(&record) {
                    Some(frames) if frames < self.header.frames => drop(self.ended_early()?),
                    Some(_) => self.is_complete = true,
                    None => {}
                }
                Ok(Some((record, line)))
            }
            // A run that was ended from outside may have left a part of a line.
            Err(_) => bail!("{}: line {} is not a record", self.file.display(), self.line),
        }
    }
}

/// How many frames were looked at, if it is the last record of a report; 0 if some are known to be missing.
fn frames_of_summary(record: &Record) -> Option<u64> {
    match record {
        Record::Summary(last) if !last.summary.missing.is_empty() => Some(0),
        Record::Summary(last) => Some(last.summary.frames),
        Record::VolumeSummary(last) => Some(last.summary.frames),
        Record::InsideSummary(last) => Some(last.summary.frames),
        Record::DistanceSummary(last) => Some(last.summary.frames),
        _ => None,
    }
}
