//! Where a table of text goes, a file or a stream.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::WholeFile;
use crate::error::WriteError;
use crate::report::FrameName;
use crate::words::cell;

/// Where a table goes.
pub(super) enum Sink {
    File(WholeFile),
    Stream(BufWriter<Box<dyn Write + Send>>),
}

impl Sink {
    /// A file, which takes its name when it is complete.
    pub(super) fn create(file: &Path) -> Result<Self, WriteError> {
        let out = WholeFile::create(file).map_err(|source| WriteError::Io { file: file.into(), source })?;
        Ok(Self::File(out))
    }

    /// A stream, such as standard output.
    pub(super) fn to_stream(out: impl Write + Send + 'static) -> Self {
        Self::Stream(BufWriter::with_capacity(1 << 16, Box::new(out) as Box<dyn Write + Send>))
    }

    /// Completes the table.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::File(out) => out.finish(),
            Self::Stream(mut out) => out.flush(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(out) => out.write(bytes),
            Self::Stream(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(out) => out.flush(),
            Self::Stream(out) => out.flush(),
        }
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File(_) => "File",
            Self::Stream(_) => "Stream",
        })
    }
}

/// A table of text being written, line by line.
#[derive(Debug)]
pub(super) struct Lines {
    out: Sink,
    file: PathBuf,
}

impl Lines {
    /// Starts a file with its first line.
    pub(super) fn create(file: &Path, first: &str) -> Result<Self, WriteError> {
        Self { out: Sink::create(file)?, file: file.into() }.started(first)
    }

    /// The same for a stream; `called` stands for it in errors.
    pub(super) fn to_stream(out: impl Write + Send + 'static, called: &str, first: &str) -> Result<Self, WriteError> {
        Self { out: Sink::to_stream(out), file: called.into() }.started(first)
    }

    fn started(mut self, first: &str) -> Result<Self, WriteError> {
        self.line(format_args!("{first}"))?;
        Ok(self)
    }

    /// Appends a line.
    pub(super) fn line(&mut self, line: fmt::Arguments<'_>) -> Result<(), WriteError> {
        writeln!(self.out, "{line}").map_err(|source| WriteError::Io { file: self.file.clone(), source })
    }

    /// Completes the table; a file takes its name now.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.out.finish().map_err(|source| WriteError::Io { file: self.file, source })
    }
}

/// The names of columns, with one for the animation behind them where several are played.
pub(super) fn columns(names: &str, animations: bool) -> String {
    format!("{names}{}", if animations { ",animation" } else { "" })
}

/// What ends a line in that column, if there is one.
pub(super) fn animation_cell(frame: FrameName<'_>, animations: bool) -> String {
    if animations { format!(",{}", cell(frame.animation.unwrap_or_default())) } else { String::new() }
}
