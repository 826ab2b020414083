//! The answer: standard output, and the verdict that becomes the exit code.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

use anyhow::Result;
use crumple_io::words::Table;
use serde::Serialize;

use super::colours;

/// How a subcommand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The work is done; nothing collides, where that was the question.
    Done,
    /// Something collides.
    Collides,
    /// Stopped by the user, after reporting what was found so far.
    Interrupted,
}

impl Verdict {
    /// The verdict of work that is done: whether the worst value is above what is allowed, where something is.
    pub(crate) fn of_worst(self, worst: f64, most: Option<f64>) -> Self {
        let is_above = most.is_some_and(|most| worst > most);
        if self == Self::Done && is_above { Self::Collides } else { self }
    }
}

/// Standard output, buffered. Writing to it may fail: a pipe can be closed at any time.
#[derive(Debug)]
pub(crate) struct Answer {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether the work goes on without a reader, since its exit code matters.
    goes_on: bool,
    /// Whether somebody still reads.
    is_read: bool,
}

impl Answer {
    /// Takes standard output for the rest of the command.
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::new(io::stdout().lock()), goes_on: false, is_read: true }
    }

    /// The same, but a reader who closes the pipe does not end the work if its exit code `matters`.
    pub(crate) fn whose_exit_code(matters: bool) -> Self {
        Self { goes_on: matters, ..Self::new() }
    }

    /// Runs what writes, as long as somebody reads.
    fn write(&mut self, write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>) -> Result<()> {
        if !self.is_read {
            return Ok(());
        }
        match write(&mut self.out) {
            Err(error) if self.goes_on && error.kind() == ErrorKind::BrokenPipe => self.is_read = false,
            written => return Ok(written?),
        }
        Ok(())
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl Display) -> Result<()> {
        self.write(|out| writeln!(out, "{line}"))
    }

    /// Writes a table; its head is bold on a terminal.
    pub(crate) fn table(&mut self, table: &Table) -> Result<()> {
        self.write(|out| write!(out, "{}", styled(table)))
    }

    /// Writes a record as a line of JSON, and flushes it: a reader may be waiting for it.
    pub(crate) fn record(&mut self, record: &impl Serialize) -> Result<()> {
        self.write(|out| {
            serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
            writeln!(out)?;
            out.flush()
        })
    }

    /// Writes bytes as they are and ends the line.
    pub(crate) fn raw_line(&mut self, parts: &[&[u8]]) -> Result<()> {
        self.write(|out| {
            parts.iter().try_for_each(|part| out.write_all(part))?;
            out.write_all(b"\n")
        })
    }

    /// Flushes the buffer. Dropping does so too, but cannot report a failure.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.write(|out| out.flush())
    }
}

/// A table as text for stdout: its head is bold on a terminal.
fn styled(table: &Table) -> String {
    if colours(&io::stdout()) { format!("{table:#}") } else { table.to_string() }
}
