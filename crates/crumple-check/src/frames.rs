//! Which frames of a timeline are checked: a range of them, or every Nth of one.

use std::ops::Range;

use anyhow::Result;

use crate::error::hinted;
use crate::options::Options;

/// Frames in rising order, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frames {
    range: Range<usize>,
    step: usize,
}

impl Frames {
    /// Those of `range` that the options leave, of all `count`.
    pub(crate) fn new(range: Range<usize>, options: &Options, count: usize) -> Result<Self> {
        let (range, step) = match options.slice {
            Some(slice) => of_slice(slice, count)?,
            None => (range, 1),
        };
        Ok(Self { range, step: step * options.every.map_or(1, std::num::NonZeroUsize::get) })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        self.range.clone().step_by(self.step)
    }

    pub(crate) fn len(&self) -> usize {
        self.range.len().div_ceil(self.step)
    }

    pub(crate) fn first(&self) -> usize {
        self.range.start
    }

    /// The frame before one of them, if there is one.
    pub(crate) fn before(&self, frame: usize) -> Option<usize> {
        (frame > self.range.start).then(|| frame - self.step)
    }

    /// The one at a position.
    pub(crate) fn at(&self, position: usize) -> usize {
        self.range.start + position * self.step
    }

    /// All of them and those between.
    pub(crate) fn span(&self) -> Range<usize> {
        self.first()..self.at(self.len() - 1) + 1
    }

    /// Whether there are none between.
    pub(crate) fn are_consecutive(&self) -> bool {
        self.step == 1 || self.len() == 1
    }
}

/// The frames that Python's `range(count)[first:end:step]` has.
fn of_slice([first, end, step]: [Option<i64>; 3], count: usize) -> Result<(Range<usize>, usize)> {
    let count = count as i64;
    let clipped = |at: Option<i64>, otherwise: i64| match at.unwrap_or(otherwise) {
        at if at < 0 => (at + count).max(0),
        at => at.min(count),
    };
    let (first, end, step) = (clipped(first, 0), clipped(end, count), step.unwrap_or(1));
    if first >= end || step < 1 {
        let what = format!("the slice chooses none of the {count} frames, or goes backwards");
        return Err(hinted(what, "frames count from 0, and a step is 1 or more"));
    }
    Ok((first as usize..end as usize, step as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_means_what_it_does_in_python() {
        let slice = |slice: [Option<i64>; 3]| of_slice(slice, 10).ok();
        assert_eq!(slice([None, None, None]), Some((0..10, 1)));
        assert_eq!(slice([Some(-3), None, Some(2)]), Some((7..10, 2)));
        assert_eq!(slice([Some(2), Some(300), None]), Some((2..10, 1)));
        assert_eq!(slice([Some(5), Some(5), None]), None);
        assert_eq!(slice([None, None, Some(-1)]), None);
    }

    #[test]
    fn every_nth_frame_has_the_one_before_it() {
        let frames = Frames { range: 3..10, step: 3 };
        assert_eq!(frames.iter().collect::<Vec<_>>(), [3, 6, 9]);
        assert_eq!((frames.len(), frames.before(3), frames.before(9), frames.span()), (3, None, Some(6), 3..10));
        assert!(!frames.are_consecutive());
    }
}
