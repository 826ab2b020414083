//! Self-overlaps as a table: one line per frame.
//!
//! Frames have the numbers that their files give them; a last column, `animation`, is there where several are played.
//! The name is escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a
//! bit; what was not counted is empty.

use std::io::Write;
use std::path::Path;

use super::sink::{Lines, animation_cell, cell, columns};
use crate::error::WriteError;
use crate::report::SelfOverlapFrame;

const COLUMNS: &str = "frame,self_overlap,inverted,columns,triangles,name";

/// A table of self-overlaps being written.
#[derive(Debug)]
pub struct SelfOverlapCsv {
    lines: Lines,
    name: String,
    animations: bool,
}

impl SelfOverlapCsv {
    /// Starts the file with the names of the columns; `name` is that of the body, `animations` says whether there are
    /// several.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>, name: &str, animations: bool) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::create(file.as_ref(), &columns(COLUMNS, animations))?, name: cell(name), animations })
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream(
        out: impl Write + Send + 'static,
        called: &str,
        name: &str,
        animations: bool,
    ) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::to_stream(out, called, &columns(COLUMNS, animations))?, name: cell(name), animations })
    }

    /// Appends one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &SelfOverlapFrame) -> Result<(), WriteError> {
        let SelfOverlapFrame { self_overlap, inverted, columns, .. } = record;
        let name = record.name();
        let (frame, animation) = (name.number, animation_cell(name, self.animations));
        let triangles = record.triangles.map(|count| count.to_string()).unwrap_or_default();
        self.lines
            .line(format_args!("{frame},{self_overlap},{inverted},{columns},{triangles},{}{animation}", self.name))
    }

    /// Completes the table; a file takes its name now.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        self.lines.finish()
    }
}
