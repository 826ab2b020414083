//! OUTPUT: the answer on stdout, messages on stderr, files.

mod answer;
mod destination;
pub(crate) mod frame_rows;
mod in_use;
mod messages;
pub(crate) mod progress;
pub(crate) mod refusal;

pub(crate) use answer::{Answer, Readable, Verdict, is_closed_pipe, styled};
pub(crate) use destination::Destination;
pub(crate) use in_use::FilesInUse;
pub(crate) use messages::{Hinted, colours, complain, complain_of, hinted, print, say};
#[cfg(test)]
pub(crate) use messages::{hint, what_happened};
