//! Where words go: the answer to stdout, talk and complaints to stderr.

use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple_io::{ReadError, WriteError};
use serde::Serialize;

/// How a subcommand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The work is done; nothing collides, where that was the question.
    Done,
    /// Something collides.
    Collides,
    /// Stopped by the user, after telling what was found so far.
    Interrupted,
}

/// Standard output, buffered. Writing to it may fail: a pipe can be closed at any time.
#[derive(Debug)]
pub(crate) struct Answer {
    out: BufWriter<StdoutLock<'static>>,
}

impl Answer {
    /// Takes standard output for the rest of the command.
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::new(io::stdout().lock()) }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl Display) -> Result<()> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Writes a record as a line of JSON, and hands it on at once: whoever reads it may be waiting.
    pub(crate) fn record(&mut self, record: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.out, record).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(self.out.flush()?)
    }

    /// Hands on what is buffered. Dropping would do so too, but could not say that it failed.
    pub(crate) fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// Whether an error only says that nobody reads the answer any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Says something to the person who runs the command. A closed stderr is no reason to stop.
pub(crate) fn say(words: impl Display) {
    let _ = writeln!(io::stderr(), "{words}");
}

/// An error of the command itself, with what to try.
#[derive(Debug)]
pub(crate) struct Hinted {
    what: String,
    hint: String,
}

impl Hinted {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }
}

impl Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Hinted {}

/// An error with what to try; see [`Hinted`].
pub(crate) fn hinted(what: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    Hinted::new(what, hint).into()
}

/// Says what went wrong in one line, and in another what to try.
pub(crate) fn complain(error: &anyhow::Error) {
    complain_of(&what_happened(error), hint(error));
}

/// The error and its causes, each once.
pub(crate) fn what_happened(error: &anyhow::Error) -> String {
    let words = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(cause) => system_error(cause),
        None => cause.to_string(),
    };
    error.chain().map(words).collect::<Vec<_>>().join(": ")
}

/// The common errors of the system without their number; the rest as the system puts them.
fn system_error(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file or directory".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "is a directory, not a file".into(),
        _ => error.to_string(),
    }
}

/// What to try, from whichever cause knows it.
pub(crate) fn hint(error: &anyhow::Error) -> Option<&str> {
    // A hint of our own may be the context of another error, where only `anyhow` finds it.
    let own = error.downcast_ref::<Hinted>().map(|hinted| hinted.hint.as_str());
    let read = || error.chain().find_map(|cause| cause.downcast_ref::<ReadError>()?.hint());
    let written = || error.chain().find_map(|cause| cause.downcast_ref::<WriteError>()?.hint());
    own.or_else(read).or_else(written)
}

/// As [`complain`], from parts.
pub(crate) fn complain_of(what: &str, hint: Option<&str>) {
    let [error, tip] = match colours(&io::stderr()) {
        true => ["\x1b[1;31merror:\x1b[0m", "\x1b[1mhint:\x1b[0m"],
        false => ["error:", "hint:"],
    };
    say(format_args!("{error} {what}"));
    if let Some(hint) = hint {
        say(format_args!("{tip} {hint}"));
    }
}

/// Whether to colour what goes to `stream`: a person looks at it and has not said `NO_COLOR`.
pub(crate) fn colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A file to be written at the end of the work, created before it starts: a path that cannot be written should not
/// cost a minute first.
#[derive(Debug)]
pub(crate) struct Destination {
    path: PathBuf,
    file: File,
}

impl Destination {
    /// Creates the file, empty.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("{}: cannot be written", path.display()))?;
        Ok(Self { path: path.into(), file })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Fills the file.
    pub(crate) fn write(&mut self, content: &str) -> Result<()> {
        let written = self.file.write_all(content.as_bytes());
        written.with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}
