//! Pairs of triangles as a table: `frame,a,b,i,j,name_a,name_b`, one line per pair.
//!
//! Frames have the numbers that their files give them. Where several animations are played, these are numbers within an
//! animation, and a last column, `animation`, names it.
//!
//! Where impacts between frames are written too, the columns `kind,t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1`
//! stand before the names and a line is a pair at the frame (`pair`) or an impact of the step that led to it. Columns that a
//! kind does not have are empty: `i,j` stand in lines of the kinds `pair` and `already` only, so that no vertex is taken for a
//! triangle.
//!
//! Where distances are written too, the last column before the names is `distance`, after `kind` at least, and a line of the
//! kind `near` is two bodies, or one, that are closer than the clearance.
//!
//! Names are escaped as in text (`words::escaped`), so that a line stays a line, and quoted where they hold a comma or a
//! quotation mark. JSON records carry them unchanged.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::sink::{Sink, animation_cell};
use crate::error::WriteError;
use crate::report::{FeaturesRecord, Frame, ImpactRecord, NearRecord};
use crate::words::cell;

/// The columns of impacts, between the kind and the distance.
const IMPACT_COLUMNS: &str = ",t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1";

/// What a table of pairs has columns for besides pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvColumns {
    /// Impacts of the step that led to a frame.
    pub impacts: bool,
    /// Bodies that are closer than the clearance, and their distance.
    pub distances: bool,
    /// The animation of a frame, where several are played.
    pub animations: bool,
}

/// A table of pairs being written.
#[derive(Debug)]
pub struct PairsCsv {
    out: Sink,
    file: PathBuf,
    /// A cell for each body.
    names: Vec<String>,
    columns: CsvColumns,
    /// What the present frame ends its lines with: nothing, or a comma and a cell with its animation.
    animation: String,
}

impl PairsCsv {
    /// Starts the file with the names of the columns: frame, the two bodies, their triangles, the names of the bodies.
    /// `names` are those of all bodies, by their numbers.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create<N: AsRef<str>>(file: impl AsRef<Path>, names: &[N]) -> Result<Self, WriteError> {
        Self::create_with(file, names, CsvColumns::default())
    }

    /// As [`PairsCsv::create`], with more columns.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create_with<N: AsRef<str>>(
        file: impl AsRef<Path>,
        names: &[N],
        columns: CsvColumns,
    ) -> Result<Self, WriteError> {
        Self::start(Sink::create(file.as_ref())?, file.as_ref(), names, columns)
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream<N: AsRef<str>>(
        out: impl Write + Send + 'static,
        called: &str,
        names: &[N],
        columns: CsvColumns,
    ) -> Result<Self, WriteError> {
        Self::start(Sink::to_stream(out), Path::new(called), names, columns)
    }

    fn start<N: AsRef<str>>(out: Sink, file: &Path, names: &[N], columns: CsvColumns) -> Result<Self, WriteError> {
        let names = names.iter().map(|name| cell(name.as_ref())).collect();
        let mut table = Self { out, file: file.into(), names, columns, animation: String::new() };
        if columns.animations {
            table.animation.push(',');
        }
        let kind = if columns.impacts || columns.distances { ",kind" } else { "" };
        let impacts = if columns.impacts { IMPACT_COLUMNS } else { "" };
        let distances = if columns.distances { ",distance" } else { "" };
        let names = format!("frame,a,b,i,j{kind}{impacts}{distances},name_a,name_b");
        let written = writeln!(table.out, "{}", super::sink::columns(&names, columns.animations));
        written.map_err(|source| table.io(source))?;
        Ok(table)
    }

    /// Appends what was found in one frame: impacts of the step that led to it if the table has columns for them, then
    /// pairs, then what is near if it has a column for distances. Contacts without a list of pairs add nothing.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), WriteError> {
        let number = frame.own_number();
        self.animation = animation_cell(frame.name(), self.columns.animations);
        if self.columns.impacts {
            for impact in frame.impacts.as_deref().unwrap_or_default() {
                self.write_impact(number, impact)?;
            }
        }
        for contact in &frame.contacts {
            self.write_pairs(number, contact.a, contact.b, contact.listed())?;
        }
        if self.columns.distances {
            for near in frame.near.iter().flatten() {
                self.write_near(number, near)?;
            }
        }
        Ok(())
    }

    fn write_impact(&mut self, frame: u64, impact: &ImpactRecord) -> Result<(), WriteError> {
        let &ImpactRecord { t: [lo, hi], a, b, ref features } = impact;
        let (kind, names) = (features.kind(), self.names_of(a, b));
        let rest = if self.columns.distances { "," } else { "" };
        let written = match features {
            FeaturesRecord::Already { triangles: [i, j] } => {
                writeln!(self.out, "{frame},{a},{b},{i},{j},{kind},{lo},{hi},,,,,,{rest},{names}")
            }
            FeaturesRecord::VertexFace { vertex, triangle } => {
                writeln!(self.out, "{frame},{a},{b},,,{kind},{lo},{hi},{vertex},{triangle},,,,{rest},{names}")
            }
            FeaturesRecord::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => {
                writeln!(self.out, "{frame},{a},{b},,,{kind},{lo},{hi},,,{p},{q},{r},{s}{rest},{names}")
            }
        };
        written.map_err(|source| self.io(source))
    }

    /// Appends the pairs of two bodies in one frame, which is given by its number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_pairs(&mut self, frame: u64, a: u32, b: u32, pairs: &[[u32; 2]]) -> Result<(), WriteError> {
        let (rest, names) = (self.after_kind("pair", ""), self.names_of(a, b));
        let out = &mut self.out;
        let written = pairs.iter().try_for_each(|[i, j]| writeln!(out, "{frame},{a},{b},{i},{j}{rest},{names}"));
        written.map_err(|source| self.io(source))
    }

    fn write_near(&mut self, frame: u64, near: &NearRecord) -> Result<(), WriteError> {
        let &NearRecord { a, b, distance } = near;
        let (rest, names) = (self.after_kind("near", &distance.to_string()), self.names_of(a, b));
        writeln!(self.out, "{frame},{a},{b},,{rest},{names}").map_err(|source| self.io(source))
    }

    /// The cells from the kind up to the names, of a line that is no impact.
    fn after_kind(&self, kind: &str, distance: &str) -> String {
        let impacts = if self.columns.impacts { ",,,,,,,," } else { "" };
        match self.columns {
            CsvColumns { distances: true, .. } => format!(",{kind}{impacts},{distance}"),
            CsvColumns { impacts: true, .. } => format!(",{kind}{impacts}"),
            _ => String::new(),
        }
    }

    /// Completes the table; a file takes its name now.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        self.out.finish().map_err(|source| WriteError::Io { file: self.file, source })
    }

    /// The last cells of a line: the names of two bodies, empty for a body that has none, and the animation.
    fn names_of(&self, a: u32, b: u32) -> String {
        let [a, b] = [a, b].map(|body| self.names.get(body as usize).map_or("", String::as_str));
        format!("{a},{b}{}", self.animation)
    }

    fn io(&self, source: io::Error) -> WriteError {
        WriteError::Io { file: self.file.clone(), source }
    }
}
