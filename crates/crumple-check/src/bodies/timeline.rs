//! Which frames of the files are shown together.
//!
//! Files may number their frames: PC2 caches by their start frame, numbered meshes by their names. Bodies are then matched by
//! these numbers, and `--frames` means them. Bodies without numbers are matched by position, and so are all with `--by-position`.

use std::ops::Range;
use std::sync::Arc;

use anyhow::Result;
use crumple_io::FrameRange;

use super::files::{self, FileBody};
use crate::error::hinted;
use crate::options::MotionOptions;

/// The frames of all bodies together.
#[derive(Debug)]
pub struct Timeline {
    /// How many there are.
    pub frames: usize,
    /// The numbers that the files give them, in rising order, where they do.
    numbers: Option<Arc<[u64]>>,
}

/// Which frame of a body is shown in each frame of the scene, for bodies whose files number frames differently.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// One entry per frame of the scene; `None` where the body has no such frame.
    shown: Vec<Option<u32>>,
    numbers: Arc<[u64]>,
}

impl Schedule {
    /// The frame of the body, of those that [`chosen`] has let through.
    pub fn shown_in(&self, frame: usize) -> usize {
        self.shown.get(frame).copied().flatten().unwrap_or_default() as usize
    }

    /// The number of a frame of the scene.
    pub fn number(&self, frame: usize) -> Option<u64> {
        self.numbers.get(frame).copied()
    }

    fn has_all(&self, frames: &Range<usize>) -> bool {
        self.shown[frames.clone()].iter().all(Option::is_some)
    }
}

/// Matches the frames of bodies and chooses those that are asked for.
///
/// # Errors
/// If bodies do not have the same frames, or the range names frames that do not exist.
pub fn chosen<'a>(
    bodies: impl IntoIterator<Item = &'a mut FileBody>,
    motion: &MotionOptions,
) -> Result<(Timeline, Range<usize>)> {
    let mut bodies: Vec<&mut FileBody> = bodies.into_iter().collect();
    let timeline = Timeline::of(&mut bodies, motion.hold, motion.by_position)?;
    let frames = match (motion.frames, timeline.numbers.as_deref()) {
        (Some(range), Some(numbers)) => range.among(numbers)?,
        (range, _) => FrameRange::chosen(range, timeline.frames)?,
    };
    check_numbers(&bodies, &frames)?;
    Ok((timeline, frames))
}

impl Timeline {
    /// Matches the frames of bodies; a body that lacks some is refused only if these are asked for.
    pub fn of(bodies: &mut [&mut FileBody], hold: bool, by_position: bool) -> Result<Self> {
        let is_numbered = |body: &FileBody| !by_position && body.frame_count() > 1;
        let lists: Vec<Option<Vec<u64>>> =
            bodies.iter().map(|body| if is_numbered(body) { body.numbers() } else { None }).collect();
        let mut numbered = lists.iter().flatten();
        let Some(first) = numbered.next() else { return Self::by_position(bodies, hold) };
        let longest =
            numbered.clone().fold(first, |longest, list| if list.len() > longest.len() { list } else { longest });
        // One that only ends earlier is a matter of `--hold`.
        if lists.iter().flatten().all(|list| longest.starts_with(list)) {
            let mut timeline = Self::by_position(bodies, hold)?;
            timeline.numbers = (timeline.frames == longest.len()).then(|| longest.as_slice().into());
            return Ok(timeline);
        }
        let mut all: Vec<u64> = lists.iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let numbers: Arc<[u64]> = all.into();
        for (body, list) in bodies.iter_mut().zip(&lists) {
            if let Some(list) = list {
                let shown = numbers.iter().map(|number| match list.binary_search(number) {
                    Ok(frame) => Some(frame as u32),
                    // Before its first frame a body is nowhere.
                    Err(after) if hold => after.checked_sub(1).map(|frame| frame as u32),
                    Err(_) => None,
                });
                body.set_schedule(Schedule { shown: shown.collect(), numbers: Arc::clone(&numbers) });
            } else if body.frame_count() > 1 && body.frame_count() != numbers.len() {
                let what = format!(
                    "{} has {} frames without numbers, but those of the others are numbered {} to {}",
                    body.shown(),
                    body.frame_count(),
                    numbers[0],
                    numbers[numbers.len() - 1]
                );
                return Err(hinted(what, "--by-position matches first frame with first frame"));
            }
        }
        Ok(Self { frames: numbers.len(), numbers: Some(numbers) })
    }

    fn by_position(bodies: &[&mut FileBody], hold: bool) -> Result<Self> {
        Ok(Self { frames: files::frame_count(bodies.iter().map(|body| &**body), hold)?, numbers: None })
    }

    /// The frame that a user means by a number, if there is one.
    pub fn index_of(&self, number: usize) -> Option<usize> {
        match &self.numbers {
            Some(numbers) => numbers.binary_search(&(number as u64)).ok(),
            None => (number < self.frames).then_some(number),
        }
    }

    /// The first and the last frame, by number where there are numbers.
    pub fn ends(&self) -> [u64; 2] {
        match self.numbers.as_deref() {
            Some([first, .., last]) => [*first, *last],
            _ => [0, self.frames as u64 - 1],
        }
    }
}

/// Refuses frames that some body does not have.
pub fn check_numbers(bodies: &[&mut FileBody], frames: &Range<usize>) -> Result<()> {
    let scheduled = || bodies.iter().filter_map(|body| body.schedule().map(|schedule| (&**body, schedule)));
    let Some((lacking, _)) = scheduled().find(|(_, schedule)| !schedule.has_all(frames)) else { return Ok(()) };
    let ends = |body: &FileBody| {
        let numbers = body.numbers().unwrap_or_default();
        [numbers.first().copied().unwrap_or_default(), numbers.last().copied().unwrap_or_default()]
    };
    let [first, last] = ends(lacking);
    let others = scheduled().map(|(body, _)| body);
    let other = others.clone().find(|body| ends(body) != [first, last]).unwrap_or(lacking);
    let [other_first, other_last] = ends(other);
    let what = format!(
        "frames do not match: {} has frames {first} to {last}, but {} has frames {other_first} to {other_last}",
        lacking.shown(),
        other.shown()
    );
    let common = others.map(ends).reduce(|[a, b], [c, d]| [a.max(c), b.min(d)]);
    let range = match common {
        Some([first, last]) if first <= last => format!("--frames {first}..={last} takes those that all have; "),
        _ => String::new(),
    };
    Err(hinted(what, format!("{range}--by-position matches first frame with first frame")))
}
