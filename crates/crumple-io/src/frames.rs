//! Ranges of frames: as a user writes them ([`FrameRange`]) and as they are found ([`FrameRun`]).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::Hinted;

/// Frames as the user wrote them: `10..20` (10 to 19), `10..=20` or `10–20`, `10..`, `..20`, or one frame
/// `10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    start: usize,
    /// The frame after the last one; `None` if there is no end.
    end: Option<usize>,
}

impl FrameRange {
    /// The frames meant, of `count`.
    ///
    /// # Errors
    /// If some of them do not exist.
    pub fn within(&self, count: usize) -> Result<Range<usize>, Hinted> {
        let end = self.end.unwrap_or(count);
        if self.start >= end || end > count {
            let last = count.saturating_sub(1);
            return Err(Hinted::new(
                format!("there are no frames {self}"),
                format!("there are {count} frames, 0 to {last}"),
            ));
        }
        Ok(self.start..end)
    }

    /// Where the frames meant are in a list of numbers that rise, as files number frames.
    ///
    /// # Errors
    /// If there are none, or the range begins before the first or ends after the last.
    pub fn among(&self, numbers: &[u64]) -> Result<Range<usize>, Hinted> {
        let (first, last) = (numbers.first().copied().unwrap_or(0), numbers.last().copied().unwrap_or(0));
        let position = |number: usize| numbers.partition_point(|&other| other < number as u64);
        let frames = position(self.start)..self.end.map_or(numbers.len(), position);
        // A range without a start begins at 0.
        let is_within =
            (self.start == 0 || self.start as u64 >= first) && self.end.is_none_or(|end| end as u64 <= last + 1);
        if frames.is_empty() || !is_within {
            return Err(Hinted::new(
                format!("there are no frames {self}"),
                format!("the files number their frames from {first} to {last}"),
            ));
        }
        Ok(frames)
    }

    /// The frames of `range`, or all of `count` if there is none.
    ///
    /// # Errors
    /// If some of them do not exist.
    pub fn chosen(range: Option<Self>, count: usize) -> Result<Range<usize>, Hinted> {
        range.map_or(Ok(0..count), |range| range.within(count))
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(f, "{}..{end}", self.start),
            None => write!(f, "{}..", self.start),
        }
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |part: &str| {
            part.parse::<usize>().map_err(|_| format!("{part:?} is not a frame; write 10..20, 10..=20, 10.. or 10"))
        };
        // As reports write them.
        if let Some((first, last)) = text.split_once('–') {
            return format!("{first}..={last}").parse();
        }
        let Some((start, end)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Self { start: only, end: Some(only.saturating_add(1)) });
        };
        let start = if start.is_empty() { 0 } else { number(start)? };
        let end = match end.strip_prefix('=') {
            Some(last) => Some(number(last)?.saturating_add(1)),
            None if end.is_empty() => None,
            None => Some(number(end)?),
        };
        if end.is_some_and(|end| start >= end) {
            return Err("the range is empty; write the first frame first".into());
        }
        Ok(Self { start, end })
    }
}

/// Consecutive frames, from the first to the last; written by their numbers, as `7` or `7–9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRun {
    first: u64,
    last: u64,
    /// What the files call the first and the last.
    numbers: [u64; 2],
}

impl FrameRun {
    /// A run of one frame, with the number that files give it.
    pub fn new(frame: u64, number: u64) -> Self {
        Self { first: frame, last: frame, numbers: [number; 2] }
    }

    /// Whether `frame` is the one after the last.
    pub fn ends_before(&self, frame: u64) -> bool {
        self.last.checked_add(1) == Some(frame)
    }

    /// Takes in another run that overlaps this one or goes on after it; returns whether it does. Runs must come in the order of their
    /// first frames.
    pub fn join(&mut self, other: &Self) -> bool {
        let joins = other.first <= self.last || self.ends_before(other.first);
        if joins && other.last > self.last {
            (self.last, self.numbers[1]) = (other.last, other.numbers[1]);
        }
        joins
    }

    /// Adds `frame` if it is the one after the last; returns whether it is.
    pub fn extend(&mut self, frame: u64, number: u64) -> bool {
        let follows = self.ends_before(frame);
        if follows {
            (self.last, self.numbers[1]) = (frame, number);
        }
        follows
    }

    /// The first frame.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The last frame.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The numbers that files give the first and the last frame.
    pub fn numbers(&self) -> [u64; 2] {
        self.numbers
    }

    /// How many frames it has: at least one.
    pub fn frame_count(&self) -> u64 {
        self.last - self.first + 1
    }
}

impl fmt::Display for FrameRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.numbers {
            [first, last] if first == last => write!(f, "{first}"),
            [first, last] => write!(f, "{first}–{last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameRange, FrameRun};

    #[test]
    fn a_run_takes_the_next_frame_and_no_other() {
        let mut run = FrameRun::new(3, 103);
        assert_eq!(run.to_string(), "103");
        assert!(run.extend(4, 104) && run.extend(5, 106) && !run.extend(7, 108) && !run.extend(5, 106));
        assert_eq!((run.to_string().as_str(), run.frame_count()), ("103–106", 3));
        let mut joined = FrameRun::new(0, 100);
        assert!(!joined.join(&run) && joined.extend(1, 101) && joined.extend(2, 102) && joined.join(&run));
        assert_eq!((joined.to_string().as_str(), joined.frame_count()), ("100–106", 6));
    }

    fn frames(text: &str) -> Option<std::ops::Range<usize>> {
        text.parse::<FrameRange>().ok()?.within(30).ok()
    }

    #[test]
    fn ranges_are_written_as_in_rust() {
        assert_eq!(frames("10..20"), Some(10..20));
        assert_eq!(frames("10..=20"), Some(10..21));
        assert_eq!(frames("10.."), Some(10..30));
        assert_eq!(frames("..5"), Some(0..5));
        assert_eq!(frames("7"), Some(7..8));
        assert_eq!(frames("10–20"), Some(10..21));
        assert_eq!(frames(".."), Some(0..30));
    }

    #[test]
    fn frames_that_do_not_exist_are_refused() {
        for text in ["30", "20..31", "20..=30", "20–30", "–", "30..", "5..5", "9..3", "", "x", "1..y", "-1", "1...3"]
        {
            assert_eq!(frames(text), None, "{text:?}");
        }
    }
}
