//! Messages on stderr: what happened, and what to try.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use crumple_check::error::{hint, what_happened};
use crumple_io::words::escaped;

/// Says something to the person who runs the command, in one line: what a file or its name holds cannot reach the
/// terminal as anything but text.
pub(crate) fn say(words: impl Display) {
    print(escaped(&words.to_string()));
}

/// Prints to stderr. That it is closed is no reason to stop.
pub(crate) fn print(words: impl Display) {
    let _ = writeln!(io::stderr(), "{words}");
}

/// Says what went wrong in one line, and in another what to try.
pub(crate) fn complain(error: &anyhow::Error) {
    complain_of(&what_happened(error), hint(error));
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

/// Whether a person looks at standard output.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
