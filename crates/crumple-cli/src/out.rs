//! Where words go: the answer to stdout, talk and complaints to stderr.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::{BodyError, SceneError};
use crumple_io::write::PageError;
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

/// Says what went wrong in one line, and in another what to try.
///
/// Messages of the crates below carry what to try behind `; hint: `.
pub(crate) fn complain(error: &anyhow::Error) {
    let message = in_words(error);
    match message.split_once("; hint: ") {
        Some((what, hint)) => complain_of(what, Some(hint)),
        None => complain_of(&message, None),
    }
}

/// The error with what caused it. Errors of our own crates already tell their cause, so nothing below them is added.
fn in_words(error: &anyhow::Error) -> String {
    let mut words = Vec::new();
    for cause in error.chain() {
        words.push(cause.to_string());
        let io = cause.is::<ReadError>() || cause.is::<WriteError>() || cause.is::<PageError>();
        if io || cause.is::<SceneError>() || cause.is::<BodyError>() {
            break;
        }
    }
    words.join(": ")
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
