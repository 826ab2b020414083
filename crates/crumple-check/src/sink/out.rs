//! A stream that lines are written to, as long as somebody reads it.

use std::fmt::{self, Display};
use std::io::{self, BufWriter, ErrorKind, Write};

use anyhow::Result;
use crumple_io::words::Table;
use serde::Serialize;

/// How tables look.
#[derive(Clone, Copy, Debug)]
pub struct TableStyle {
    /// Whether their heads are bold.
    pub is_bold: bool,
    /// How many characters a line should have at most: longer names are shortened.
    pub columns: usize,
}

impl TableStyle {
    /// For a file or another program: nothing bold, 80 characters.
    pub const PLAIN: Self = Self { is_bold: false, columns: 80 };
}

/// A stream of lines. A closed pipe ends the lines, not the work, which has files to write and an exit code to find: unless
/// there is [nothing else](Self::alone) to do.
pub struct Out {
    to: Option<BufWriter<Box<dyn Write + Send>>>,
    style: TableStyle,
    /// Whether a closed pipe is an error, which ends the work.
    is_alone: bool,
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").field("style", &self.style).finish_non_exhaustive()
    }
}

impl Out {
    /// Lines to this writer, with tables in this style.
    pub fn new(to: impl Write + Send + 'static, style: TableStyle) -> Self {
        Self { to: Some(BufWriter::new(Box::new(to))), style, is_alone: false }
    }

    /// Says whether the work is for nothing if nobody reads the lines: then a closed pipe is an error.
    pub fn alone(self, is_alone: bool) -> Self {
        Self { is_alone, ..self }
    }

    /// How tables look.
    pub fn style(&self) -> TableStyle {
        self.style
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.to.is_none()
    }

    fn write(&mut self, write: impl FnOnce(&mut BufWriter<Box<dyn Write + Send>>) -> io::Result<()>) -> Result<()> {
        let Some(to) = &mut self.to else { return Ok(()) };
        match write(to) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe && !self.is_alone => {
                // What is left in the buffer has no reader either.
                if let Some(to) = self.to.take() {
                    drop(to.into_parts());
                }
                Ok(())
            }
            written => Ok(written?),
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// As every method that writes: if the stream fails.
    pub fn line(&mut self, line: impl Display) -> Result<()> {
        self.write(|to| writeln!(to, "{line}"))
    }

    /// Writes a table in the style of the stream.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn table(&mut self, table: &Table) -> Result<()> {
        let is_bold = self.style.is_bold;
        self.write(|to| if is_bold { write!(to, "{table:#}") } else { write!(to, "{table}") })
    }

    /// Writes a record as a line of JSON, and flushes it: a reader may be waiting for it.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn record(&mut self, record: &impl Serialize) -> Result<()> {
        self.write(|to| {
            serde_json::to_writer(&mut *to, record).map_err(io::Error::from)?;
            writeln!(to)?;
            to.flush()
        })
    }

    /// Writes bytes as they are and ends the line.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn raw_line(&mut self, parts: &[&[u8]]) -> Result<()> {
        self.write(|to| {
            parts.iter().try_for_each(|part| to.write_all(part))?;
            to.write_all(b"\n")
        })
    }

    /// Flushes the buffer. Dropping does so too, but cannot report a failure.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn finish(mut self) -> Result<()> {
        self.write(|to| to.flush())
    }
}
