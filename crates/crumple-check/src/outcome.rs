//! What a check comes to: the only thing that final formats and exit codes are made of.

use std::time::Duration;

use crumple_io::report::{CheckSummary, Finding, FrameName, Header, micros};
use crumple_io::words::{counted, time};

use crate::excuse::baseline::Baseline;
use crate::meetings::{Meetings, TooClose};

/// Why a run ended before its last frame.
#[derive(Debug)]
pub enum Ended {
    /// It did not: all frames were checked.
    Whole,
    /// Nobody reads the answer any more, and what was found decides it.
    Unread,
    /// It was told to stop.
    Stopped,
    /// A frame could not be checked.
    Failed(anyhow::Error),
}

/// What all frames come to.
#[derive(Debug)]
pub struct Outcome {
    /// What was checked.
    pub header: Header,
    /// The counts of all frames, and the findings.
    pub summary: CheckSummary,
    /// How it ended.
    pub ended: Ended,
    /// Whether findings become a baseline instead of a reason to fail.
    pub accepts: bool,
    /// Entries of the baseline for which nothing was found.
    pub(crate) stale: u64,
    /// What is odd about what was checked, in sentences.
    pub notes: Vec<String>,
    /// What was looked at and what was not, in sentences.
    pub remarks: Vec<String>,
    /// How long finding took, without reading and writing.
    pub took: Duration,
    /// The file of each body.
    pub(crate) files: Vec<String>,
    /// The names of the bodies as they are shown.
    pub(crate) shown: Vec<String>,
    /// The pairs of bodies, or bodies twice, that were tested; `None` if there are very many.
    pub(crate) tested: Option<Vec<(u32, u32)>>,
    /// Where a run has ended that did so early, and which frames were not checked, in words.
    pub(crate) unchecked: String,
    /// The number of the last frame that was checked, and its animation where several are played.
    pub(crate) reached: Option<(u64, Option<String>)>,
    /// Whether nothing is to be said but the error: "nothing collides" would mislead about frames that were not looked at.
    pub(crate) is_silent: bool,
    /// What was asked beside contacts.
    pub(crate) asked: Asked,
    pub(crate) meetings: Meetings,
    pub(crate) too_close: TooClose,
    /// All findings as known ones, and how many they are.
    pub(crate) baseline: (Baseline, u64),
}

/// What a frame is called, from its number and its animation.
pub(crate) fn named(frame: Option<&(u64, Option<String>)>) -> Option<FrameName<'_>> {
    frame.map(|(number, animation)| FrameName { number: *number, animation: animation.as_deref() })
}

/// What was asked beside contacts, as far as an answer shows it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) clearance: Option<f64>,
    pub(crate) depth: bool,
    pub(crate) volume: bool,
}

impl Outcome {
    /// What counts, the most severe first.
    pub fn findings(&self) -> &[Finding] {
        self.summary.findings.as_deref().unwrap_or_default()
    }

    /// How many frames of how many bodies were checked, and how long that took per frame, in words.
    pub fn pace(&self) -> String {
        let per_frame = time(micros(self.took) / self.summary.frames.max(1) as f64);
        let (frames, bodies) = (counted(self.summary.frames, "frame"), counted(self.shown.len() as u64, "body"));
        format!("{frames} of {bodies} by {}, {per_frame} per frame", self.header.method)
    }

    /// That entries of the baseline excuse nothing, if there are some.
    pub fn stale_entries(&self) -> Option<String> {
        let entries = counted(self.stale, "entry");
        let words = format!("the baseline has {entries} for which nothing was found; --write-baseline writes it anew");
        (self.stale > 0).then_some(words)
    }

    /// Whether there is a finding that is not accepted.
    pub fn collides(&self) -> bool {
        !self.findings().is_empty() && !self.accepts
    }

    /// Why the run ended early and which frames were not checked, if it did.
    pub fn incomplete(&self) -> Option<String> {
        let why = match &self.ended {
            Ended::Whole | Ended::Unread => return None,
            Ended::Stopped => "interrupted",
            Ended::Failed(_) => "stopped by an error",
        };
        Some(format!("{why}{}", self.unchecked))
    }

    /// The last frame that was checked.
    pub(crate) fn reached(&self) -> Option<FrameName<'_>> {
        named(self.reached.as_ref())
    }
}

#[cfg(test)]
impl Outcome {
    /// An outcome that says only this.
    pub(crate) fn for_tests(header: Header, summary: CheckSummary) -> Self {
        Self {
            header,
            summary,
            ended: Ended::Whole,
            accepts: false,
            stale: 0,
            notes: Vec::new(),
            remarks: Vec::new(),
            took: Duration::ZERO,
            files: Vec::new(),
            shown: Vec::new(),
            tested: None,
            unchecked: String::new(),
            reached: None,
            is_silent: false,
            asked: Asked::default(),
            meetings: Meetings::default(),
            too_close: TooClose::default(),
            baseline: (Baseline::default(), 0),
        }
    }
}
