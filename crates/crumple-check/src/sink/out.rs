//! A stream that lines are written to, as long as somebody reads it.

use std::fmt::{self, Display};
use std::io::{self, BufWriter, ErrorKind, Write};

use anyhow::Result;
use serde::Serialize;

/// A stream of lines. A closed pipe ends the lines, not the work, which has files to write and an exit code to find.
pub struct Out {
    to: Option<BufWriter<Box<dyn Write + Send>>>,
    /// Whether heads of tables are bold.
    is_styled: bool,
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").field("is_styled", &self.is_styled).finish_non_exhaustive()
    }
}

impl Out {
    /// Lines to this writer; with `is_styled` a person looks at them.
    pub fn new(to: impl Write + Send + 'static, is_styled: bool) -> Self {
        Self { to: Some(BufWriter::new(Box::new(to))), is_styled }
    }

    pub(crate) fn is_styled(&self) -> bool {
        self.is_styled
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.to.is_none()
    }

    fn write(&mut self, write: impl FnOnce(&mut BufWriter<Box<dyn Write + Send>>) -> io::Result<()>) -> Result<()> {
        let Some(to) = &mut self.to else { return Ok(()) };
        match write(to) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
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
    pub(crate) fn line(&mut self, line: impl Display) -> Result<()> {
        self.write(|to| writeln!(to, "{line}"))
    }

    /// Writes a record as a line of JSON, and flushes it: a reader may be waiting for it.
    pub(crate) fn record(&mut self, record: &impl Serialize) -> Result<()> {
        self.write(|to| {
            serde_json::to_writer(&mut *to, record).map_err(io::Error::from)?;
            writeln!(to)?;
            to.flush()
        })
    }

    /// Flushes the buffer. Dropping does so too, but cannot report a failure.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.write(|to| to.flush())
    }
}
