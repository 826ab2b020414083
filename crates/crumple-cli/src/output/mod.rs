//! OUTPUT: the answer on stdout, messages on stderr, files.

pub(crate) mod frame_rows;
mod messages;
pub(crate) mod progress;
pub(crate) mod refusal;

pub(crate) use crumple_check::error::{hinted, is_closed_pipe};
pub(crate) use crumple_check::sink::{Destination, FilesInUse, Out};
pub(crate) use messages::{colours, complain, complain_of, print, say, stdout_is_terminal};

/// How a subcommand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The work is done; nothing collides, where that was the question.
    Done,
    /// Something collides.
    Collides,
    /// Stopped by the user, after reporting what was found so far.
    Interrupted,
}

impl Verdict {
    /// The verdict of work that is done: whether the worst value is above what is allowed, where something is.
    pub(crate) fn of_worst(self, worst: f64, most: Option<f64>) -> Self {
        let is_above = most.is_some_and(|most| worst > most);
        if self == Self::Done && is_above { Self::Collides } else { self }
    }
}

/// Standard output. A reader who closes the pipe ends the command, unless it is told to go [on](Out::alone).
pub(crate) fn stdout() -> Out {
    let stdout = std::io::stdout();
    let is_styled = colours(&stdout);
    Out::new(stdout, is_styled).alone(true)
}
