//! Errors of a check: what is wrong, and what to try.
//!
//! They are `anyhow` errors, since they only reach people: a caller prints [`what_happened`] and [`hint`].

use std::io::{self, ErrorKind};

use crumple_io::{Hinted, ReadError, WriteError};

/// An error with what to try; see [`Hinted`].
pub fn hinted(what: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    Hinted::new(what, hint).into()
}

/// The error and its causes, each once, in one line.
pub fn what_happened(error: &anyhow::Error) -> String {
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

/// What to try, from the first cause that has a suggestion.
pub fn hint(error: &anyhow::Error) -> Option<&str> {
    // A hint of our own may be the context of another error, where only `anyhow` finds it.
    let own = error.downcast_ref::<Hinted>().map(Hinted::hint);
    let read = || error.chain().find_map(|cause| cause.downcast_ref::<ReadError>()?.hint());
    let written = || error.chain().find_map(|cause| cause.downcast_ref::<WriteError>()?.hint());
    own.or_else(read).or_else(written)
}

/// Whether an error only means that nobody reads a stream any more.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    match error.downcast_ref::<WriteError>() {
        Some(WriteError::Io { source, .. }) => is_pipe(source),
        _ => error.downcast_ref::<io::Error>().is_some_and(is_pipe),
    }
}
