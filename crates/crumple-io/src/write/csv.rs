//! Pairs of triangles as a table: `frame,a,b,i,j`, one line per pair.
//!
//! Where impacts between frames are written too, the columns `kind,t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1`
//! follow and a line is a pair at the frame (`pair`) or an impact of the step that led to it. Columns that a kind does not
//! have are empty: `i,j` stand in lines of the kinds `pair` and `already` only, so that no vertex is taken for a triangle.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::report::{FeaturesRecord, Frame, ImpactRecord};

/// The columns behind those of pairs.
const IMPACT_COLUMNS: &str = ",kind,t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1";

/// A table of pairs being written.
#[derive(Debug)]
pub struct PairsCsv {
    out: BufWriter<File>,
    file: PathBuf,
    has_impacts: bool,
}

impl PairsCsv {
    /// Creates the file and writes the line with the names of the columns: frame, the two bodies, their triangles.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>) -> Result<Self, WriteError> {
        Self::open(file.as_ref(), false)
    }

    /// As [`PairsCsv::create`], with the columns of impacts behind those of pairs.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create_with_impacts(file: impl AsRef<Path>) -> Result<Self, WriteError> {
        Self::open(file.as_ref(), true)
    }

    fn open(file: &Path, has_impacts: bool) -> Result<Self, WriteError> {
        let create = || {
            let mut out = BufWriter::with_capacity(1 << 16, File::create(file)?);
            writeln!(out, "frame,a,b,i,j{}", if has_impacts { IMPACT_COLUMNS } else { "" })?;
            Ok(out)
        };
        match create() {
            Ok(out) => Ok(PairsCsv { out, file: file.into(), has_impacts }),
            Err(source) => Err(WriteError::Io { file: file.into(), source }),
        }
    }

    /// Appends what was found in one frame: impacts of the step that led to it if the table has columns for them, then
    /// pairs. Contacts without a list of pairs add nothing.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), WriteError> {
        if self.has_impacts {
            for impact in frame.impacts.as_deref().unwrap_or_default() {
                self.write_impact(frame.frame, impact)?;
            }
        }
        for contact in &frame.contacts {
            self.write_pairs(frame.frame, contact.a, contact.b, contact.listed())?;
        }
        Ok(())
    }

    fn write_impact(&mut self, frame: u64, impact: &ImpactRecord) -> Result<(), WriteError> {
        let ImpactRecord { t: [lo, hi], a, b, features } = impact;
        let kind = features.kind();
        let written = match features {
            FeaturesRecord::Already { triangles: [i, j] } => {
                writeln!(self.out, "{frame},{a},{b},{i},{j},{kind},{lo},{hi},,,,,,")
            }
            FeaturesRecord::VertexFace { vertex, triangle } => {
                writeln!(self.out, "{frame},{a},{b},,,{kind},{lo},{hi},{vertex},{triangle},,,,")
            }
            FeaturesRecord::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => {
                writeln!(self.out, "{frame},{a},{b},,,{kind},{lo},{hi},,,{p},{q},{r},{s}")
            }
        };
        written.map_err(|source| WriteError::Io { file: self.file.clone(), source })
    }

    /// Appends the pairs of two bodies in one frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_pairs(&mut self, frame: u64, a: u32, b: u32, pairs: &[[u32; 2]]) -> Result<(), WriteError> {
        let rest = if self.has_impacts { ",pair,,,,,,,," } else { "" };
        let mut write = || pairs.iter().try_for_each(|[i, j]| writeln!(self.out, "{frame},{a},{b},{i},{j}{rest}"));
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
