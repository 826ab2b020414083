//! Self-overlaps as a table: one line per frame.
//!
//! The name is escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a
//! bit; what was not counted is empty.

use std::io::Write;
use std::path::Path;

use super::sink::{Lines, cell};
use crate::error::WriteError;
use crate::report::SelfOverlapFrame;

const COLUMNS: &str = "frame,self_overlap,inverted,columns,triangles,name";

/// A table of self-overlaps being written.
#[derive(Debug)]
pub struct SelfOverlapCsv {
    lines: Lines,
    name: String,
}

impl SelfOverlapCsv {
    /// Starts the file with the names of the columns; `name` is that of the body.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>, name: &str) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::create(file.as_ref(), COLUMNS)?, name: cell(name) })
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream(out: impl Write + Send + 'static, called: &str, name: &str) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::to_stream(out, called, COLUMNS)?, name: cell(name) })
    }

    /// Appends one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &SelfOverlapFrame) -> Result<(), WriteError> {
        let SelfOverlapFrame { frame, self_overlap, inverted, columns, .. } = record;
        let triangles = record.triangles.map(|count| count.to_string()).unwrap_or_default();
        self.lines.line(format_args!("{frame},{self_overlap},{inverted},{columns},{triangles},{}", self.name))
    }

    /// Completes the table; a file takes its name now.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        self.lines.finish()
    }
}
