//! OUTPUT: the answer on stdout, messages on stderr, files.

mod answer;
pub(crate) mod frame_rows;
mod messages;
pub(crate) mod progress;
pub(crate) mod refusal;

pub(crate) use answer::{Answer, Verdict};
pub(crate) use crumple_check::error::{hinted, is_closed_pipe};
pub(crate) use crumple_check::sink::{Destination, FilesInUse};
pub(crate) use messages::{colours, complain, complain_of, print, say, stdout_is_terminal};
