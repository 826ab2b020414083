//! The time of every frame and method as CSV, each row complete in itself: files of several machines can be joined.

use std::fmt::Write;
use std::num::NonZeroUsize;

use super::machine;
use super::run::Outcome;
use super::summary::frame_records;

const HEAD: &str = "machine,commit,threads,scene,scene_digest,experiment,method,frame,pairs,update_us,query_us\n";

/// A CSV file being made.
#[derive(Debug)]
pub(crate) struct Csv {
    text: String,
    machine: String,
    commit: String,
    threads: NonZeroUsize,
}

impl Csv {
    /// A file with its first line.
    pub(crate) fn new(threads: NonZeroUsize) -> Self {
        let (machine, commit) = (quoted(&machine::machine()), quoted(&machine::commit()));
        Self { text: HEAD.to_owned(), machine, commit, threads }
    }

    /// Adds the frames of a trial.
    pub(crate) fn add(&mut self, trial: &str, outcome: &Outcome) {
        let (scene, digest) = (&outcome.recording.scene, &outcome.recording.digest);
        for record in frame_records(trial, outcome) {
            let _ = writeln!(
                self.text,
                "{},{},{},{scene},{digest},{},{},{},{},{},{}",
                self.machine,
                self.commit,
                self.threads,
                record.experiment,
                record.method,
                record.frame,
                record.pairs,
                record.update_us,
                record.query_us
            );
        }
    }

    /// The whole file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// A cell, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}
