//! Which bodies are in contact from which frame to which: what a person wants to know first.

use std::collections::BTreeMap;

use crate::FrameRun;
use crate::report::FrameName;

/// Consecutive frames of an animation in which the same two bodies meet, or one lies inside the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) a: u32,
    pub(super) b: u32,
    /// The animation, where several are played.
    pub(super) animation: Option<String>,
    pub(super) frames: FrameRun,
    /// The first of the frames with the most pairs.
    pub(super) worst: FrameRun,
    /// The pairs of that frame.
    pub(super) most: u64,
}

/// Ranges kept as rows; a page with more is not read as a table, and memory stays bounded.
const KEPT: usize = 1000;

/// The ranges of a run, gathered frame by frame.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    open: BTreeMap<(u32, u32), Range>,
    closed: Vec<Range>,
    left_out: usize,
}

/// The ranges in order, and how many more there were.
#[derive(Debug, Default)]
pub(super) struct Finished {
    pub(super) kept: Vec<Range>,
    pub(super) left_out: usize,
}

impl Ranges {
    /// Takes one more frame in: the bodies that meet, and the pairs of each two.
    pub(super) fn add(&mut self, frame: u64, name: FrameName<'_>, meeting: impl Iterator<Item = (u32, u32, u64)>) {
        self.close(|range| !range.frames.ends_before(frame) || range.animation.as_deref() != name.animation);
        let here = FrameRun::new(frame, name.number);
        for (a, b, count) in meeting.filter(|(_, _, count)| *count > 0) {
            let animation = || name.animation.map(str::to_owned);
            let start = || Range { a, b, animation: animation(), frames: here, worst: here, most: 0 };
            let range = self.open.entry((a, b)).or_insert_with(start);
            range.frames.extend(frame, name.number);
            if count > range.most {
                (range.worst, range.most) = (here, count);
            }
        }
    }

    /// Every range by its first frame.
    pub(super) fn finish(mut self) -> Finished {
        self.close(|_| true);
        self.closed.sort_by_key(|range| (range.frames.first(), range.a, range.b));
        Finished { kept: self.closed, left_out: self.left_out }
    }

    fn close(&mut self, ended: impl Fn(&Range) -> bool) {
        for (_, range) in self.open.extract_if(.., |_, range| ended(range)) {
            if self.closed.len() < KEPT {
                self.closed.push(range);
            } else {
                self.left_out += 1;
            }
        }
    }
}
