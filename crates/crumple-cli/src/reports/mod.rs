//! Reports read back: `crumple diff` compares two, `crumple merge` joins parts of one.

mod diff;
mod merge;
mod read;

pub(crate) use diff::run as run_diff;
pub(crate) use merge::run as run_merge;
