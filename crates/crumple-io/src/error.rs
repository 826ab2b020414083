//! What can be wrong with a file: the file, the byte or line, what is there; and, in a field of its own, what to try.
//!
//! A message does not repeat its source, so that a chain of errors prints every cause once. Parsers work on bytes and
//! know no path; they raise a [`Fault`], and the function that knows the path turns it into a [`ReadError`].

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crumple::Precision;

use crate::text::Real;

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    File,
    /// At this byte, counted from 0.
    Byte(u64),
    /// On this line, counted from 1.
    Line(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Byte(byte) => write!(f, "byte {byte}: "),
            Place::Line(line) => write!(f, "line {line}: "),
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read.
    #[error("{}: cannot be read", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The contents of the file do not follow its format.
    #[error("{}: {at}{what}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Where in it.
        at: Place,
        /// What is wrong.
        what: String,
        /// A suggestion, if there is one.
        hint: Option<String>,
    },
    /// A coordinate is NaN, infinite, or too large for the precision it is read in.
    #[error("{}: {}vertex {vertex} has {axis} = {value}, which is not a finite {} number",
            file.display(), in_frame(frame), precision_in_words(*precision))]
    NotFinite {
        /// The file.
        file: PathBuf,
        /// The frame, for a file that has several.
        frame: Option<u64>,
        /// The vertex, counted from 0.
        vertex: u64,
        /// Which coordinate: `x`, `y` or `z`.
        axis: char,
        /// The value as the file gives it.
        value: f64,
        /// What the file is read as.
        precision: Precision,
    },
    /// A body cannot hold the coordinates of a vertex, whose numbers were read without rounding.
    #[error("{}: {}body {body}: {what}", file.display(), in_frame(frame))]
    Refused {
        /// The file.
        file: PathBuf,
        /// The frame, for a file that has several.
        frame: Option<u64>,
        /// The body.
        body: String,
        /// Which vertex, its position and why.
        what: String,
    },
    /// A frame past the last one was asked for.
    #[error("{}: no frame {frame}: it has {frames}, counted from 0", file.display())]
    NoSuchFrame {
        /// The file.
        file: PathBuf,
        /// The frame asked for.
        frame: u64,
        /// How many there are.
        frames: u64,
    },
    /// A caller could not hand over a frame of its own.
    #[error("{body}: frame {frame} cannot be read")]
    Source {
        /// The body.
        body: String,
        /// The frame, counted from 0.
        frame: u64,
        /// What the caller says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A frame was to be written into a slice of another length.
    #[error("{}: a frame has {vertices} vertices, but there is memory for {given} positions", file.display())]
    WrongLength {
        /// The file.
        file: PathBuf,
        /// The length of the slice.
        given: usize,
        /// How many vertices a frame has.
        vertices: usize,
    },
}

impl ReadError {
    /// A suggestion, if there is one.
    pub fn hint(&self) -> Option<&str> {
        match self {
            ReadError::Content { hint, .. } => hint.as_deref(),
            _ => None,
        }
    }
}

#[cfg(test)]
impl ReadError {
    /// What is wrong and what to try, in one line.
    pub(crate) fn with_hint_in_words(&self) -> String {
        self.hint().map_or(self.to_string(), |hint| format!("{self}; hint: {hint}"))
    }
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be created or written.
    #[error("{}: cannot be written", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The arrays handed in do not fit together.
    #[error("{}: {what}", file.display())]
    Mismatch {
        /// The file.
        file: PathBuf,
        /// Both numbers.
        what: String,
        /// A suggestion, if there is one.
        hint: Option<String>,
    },
}

impl WriteError {
    /// A suggestion, if there is one.
    pub fn hint(&self) -> Option<&str> {
        match self {
            WriteError::Mismatch { hint, .. } => hint.as_deref(),
            WriteError::Io { .. } => None,
        }
    }
}

/// An error in what the user asked for, with a suggestion that is shown apart from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Hinted {
    what: String,
    hint: String,
}

impl Hinted {
    /// An error: what is wrong, and what to try.
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }

    /// What to try.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

fn precision_in_words(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "single-precision",
        Precision::F64 => "double-precision",
    }
}

fn in_frame(frame: &Option<u64>) -> String {
    frame.map(|frame| format!("frame {frame}: ")).unwrap_or_default()
}

/// A fault in a file whose path the parser does not know.
#[derive(Debug)]
pub(crate) enum Fault {
    Content { at: Place, what: String, hint: Option<String> },
    NotFinite { vertex: usize, axis: usize, value: f64, precision: Precision },
    Refused { body: String, what: String },
}

impl Fault {
    pub(crate) fn file(what: impl Into<String>) -> Self {
        Fault::Content { at: Place::File, what: what.into(), hint: None }
    }

    pub(crate) fn byte(byte: usize, what: impl Into<String>) -> Self {
        Fault::Content { at: Place::Byte(byte as u64), what: what.into(), hint: None }
    }

    /// A fault at a byte of a text, reported by its line. Lines are counted only here, so that reading need not count
    /// them.
    pub(crate) fn line(text: &[u8], byte: usize, what: impl Into<String>) -> Self {
        let before = &text[..byte.min(text.len())];
        let feeds = before.iter().filter(|&&b| b == b'\n').count();
        // A text without line feeds has lines that end in carriage returns alone.
        let line = 1 + if feeds > 0 { feeds } else { before.iter().filter(|&&b| b == b'\r').count() };
        Fault::Content { at: Place::Line(line as u64), what: what.into(), hint: None }
    }

    pub(crate) fn in_file(self, file: &Path) -> ReadError {
        match self {
            Fault::Content { at, what, hint } => ReadError::Content { file: file.into(), at, what, hint },
            Fault::Refused { body, what } => ReadError::Refused { file: file.into(), frame: None, body, what },
            Fault::NotFinite { vertex, axis, value, precision } => ReadError::NotFinite {
                file: file.into(),
                frame: None,
                vertex: vertex as u64,
                axis: ['x', 'y', 'z'][axis],
                value,
                precision,
            },
        }
    }
}

impl Fault {
    /// The same fault with what to try.
    pub(crate) fn with_hint(mut self, try_this: impl Into<String>) -> Self {
        if let Fault::Content { hint, .. } = &mut self {
            *hint = Some(try_this.into());
        }
        self
    }

    /// The same fault in one of several frames.
    pub(crate) fn in_frame(self, number: usize, file: &Path) -> ReadError {
        let mut error = self.in_file(file);
        if let ReadError::NotFinite { frame, .. } | ReadError::Refused { frame, .. } = &mut error {
            *frame = Some(number as u64);
        }
        error
    }

    /// The same fault, with the part of the file it is in.
    pub(crate) fn inside(self, part: &str) -> Self {
        match self {
            Fault::Content { at, what, hint } => Fault::Content { at, what: format!("{part}: {what}"), hint },
            other => other,
        }
    }
}

/// Refuses NaN and infinity, naming the first vertex that has one.
pub(crate) fn check_finite<C: Real>(positions: &[[C; 3]]) -> Result<(), Fault> {
    // Two passes, since the first one without an early exit runs at the speed of memory.
    let all = positions.as_flattened().iter().fold(true, |all, x| all & x.is_finite());
    if all {
        return Ok(());
    }
    let bad = positions.iter().position(|position| position.iter().any(|x| !x.is_finite()));
    bad.map_or(Ok(()), |vertex| Err(not_finite(vertex, positions[vertex])))
}

/// The fault of a position of which a coordinate is not finite.
pub(crate) fn not_finite<C: Real>(vertex: usize, position: [C; 3]) -> Fault {
    let axis = position.iter().position(|x| !x.is_finite()).unwrap_or_default();
    Fault::NotFinite { vertex, axis, value: position[axis].into(), precision: C::PRECISION }
}
