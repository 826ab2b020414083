//! `--frames`: which frames are meant, in the way Rust writes ranges.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use anyhow::Result;

use crate::out::hinted;

/// Frames as the user wrote them: `10..20` (10 to 19), `10..=20`, `10..`, `..20`, or one frame `10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameRange {
    start: usize,
    /// The frame after the last one; none if there is no end.
    end: Option<usize>,
}

impl FrameRange {
    /// The frames meant, of a scene that has `count`.
    pub(crate) fn within(&self, count: usize) -> Result<Range<usize>> {
        let end = self.end.unwrap_or(count);
        if self.start >= end || end > count {
            let last = count.saturating_sub(1);
            return Err(hinted(
                format!("there are no frames {self}"),
                format!("there are {count} frames, 0 to {last}"),
            ));
        }
        Ok(self.start..end)
    }
}

/// The frames of `range`, or all of them.
pub(crate) fn chosen(range: Option<FrameRange>, count: usize) -> Result<Range<usize>> {
    range.map_or(Ok(0..count), |range| range.within(count))
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

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            part.parse::<usize>().map_err(|_| format!("{part:?} is not a frame; write 10..20, 10..=20, 10.. or 10"))
        };
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
            return Err("it holds no frame; the first one comes first".into());
        }
        Ok(Self { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::FrameRange;

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
        assert_eq!(frames(".."), Some(0..30));
    }

    #[test]
    fn frames_that_are_not_there_are_refused() {
        for text in ["30", "20..31", "20..=30", "30..", "5..5", "9..3", "", "x", "1..y", "-1", "1...3"] {
            assert_eq!(frames(text), None, "{text:?}");
        }
    }
}
