//! Messages on stderr: what happened, and what to try.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

pub(crate) use crumple_io::Hinted;
use crumple_io::words::escaped;
use crumple_io::{ReadError, WriteError};

/// Says something to the person who runs the command, in one line: what a file or its name holds cannot reach the
/// terminal as anything but text.
pub(crate) fn say(words: impl Display) {
    print(escaped(&words.to_string()));
}

/// Prints to stderr. That it is closed is no reason to stop.
pub(crate) fn print(words: impl Display) {
    let _ = writeln!(io::stderr(), "{words}");
}

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

/// What to try, from the first cause that has a suggestion.
pub(crate) fn hint(error: &anyhow::Error) -> Option<&str> {
    // A hint of our own may be the context of another error, where only `anyhow` finds it.
    let own = error.downcast_ref::<Hinted>().map(Hinted::hint);
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
    print(format_args!("{error} {}", escaped(what)));
    if let Some(hint) = hint {
        print(format_args!("{tip} {}", escaped(hint)));
    }
}

/// Whether to colour what goes to `stream`: a person looks at it and has not said `NO_COLOR`.
pub(crate) fn colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
