//! The check behind the command, the Python package, the Blender extension and the cluster.
//!
//! ```text
//! files, arrays ─► bodies ─► plan ─► find: one record per frame ─► sink: text · JSON · CSV · JUnit · SARIF · GitHub · page
//!  options ──────────────────┘        questions, without excuses └─► fold: meetings, findings ─► outcome ──┘
//! ```
//!
//! A caller converts its arguments to [`Options`], hands over bodies, and decides where the answer goes; nothing here prints, ends a
//! process, or knows who asked.
//!
#![doc = include_str!("../README.md")]

pub mod bodies;
mod each;
pub mod error;
pub mod excuse;
mod find;
mod finding;
mod fold;
mod frames;
mod meetings;
mod options;
mod outcome;
mod plan;
mod question;
mod run;
pub mod sink;
mod sizes;
pub mod threads;
mod work;

pub use each::{Each, check_each, write as write_each};
pub use options::{ExportFormat, MaxWork, MotionOptions, Options, OutputFormat, Parts, ReadingOptions, SplitBy};
pub use outcome::{Ended, Outcome};
pub use run::{Caller, Check, Silent};
