//! OUTPUT: the answer on stdout, messages on stderr, files.

pub(crate) mod frame_rows;
mod messages;
pub(crate) mod progress;
pub(crate) mod refusal;

pub(crate) use crumple_check::error::{hinted, is_closed_pipe};
pub(crate) use crumple_check::sink::{Destination, FilesInUse, Out, TableStyle};
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
    Out::new(std::io::stdout(), table_style()).alone(true)
}

/// How tables on standard output look: as wide as the terminal, if it is one.
pub(crate) fn table_style() -> TableStyle {
    let of_terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    TableStyle { is_bold: colours(&std::io::stdout()), columns: of_terminal.unwrap_or(TableStyle::PLAIN.columns) }
}
