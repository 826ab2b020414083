//! Pairs of triangles as a table: `frame,a,b,i,j`, one line per pair.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::report::Frame;

/// A table of pairs being written.
#[derive(Debug)]
pub struct PairsCsv {
    out: BufWriter<File>,
    file: PathBuf,
}

impl PairsCsv {
    /// Creates the file and writes the line with the names of the columns: frame, the two bodies, their triangles.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>) -> Result<Self, WriteError> {
        let file = file.as_ref();
        let create = || {
            let mut out = BufWriter::with_capacity(1 << 16, File::create(file)?);
            writeln!(out, "frame,a,b,i,j")?;
            Ok(out)
        };
        match create() {
            Ok(out) => Ok(PairsCsv { out, file: file.into() }),
            Err(source) => Err(WriteError::Io { file: file.into(), source }),
        }
    }

    /// Appends the pairs of one frame; contacts without a list of pairs add nothing.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), WriteError> {
        for contact in &frame.contacts {
            self.write_pairs(frame.frame, contact.a, contact.b, contact.listed())?;
        }
        Ok(())
    }

    /// Appends the pairs of two bodies in one frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_pairs(&mut self, frame: u64, a: u32, b: u32, pairs: &[[u32; 2]]) -> Result<(), WriteError> {
        let mut write = || pairs.iter().try_for_each(|[i, j]| writeln!(self.out, "{frame},{a},{b},{i},{j}"));
        write().map_err(|source| WriteError::Io { file: self.file.clone(), source })
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.out.flush().map_err(|source| WriteError::Io { file: self.file, source })
    }
}
