//! What a frame is called.

use std::fmt;

use super::{
    DistanceFrame, ExactSelfOverlapFrame, ExactVolumeFrame, Frame, InsideFrame, SelfOverlapFrame, VolumeFrame,
};
use crate::words::shown;

/// What a frame is called: the number that its files give it and, where several animations are played one after another, the
/// animation in which it has that number. Written as `12` or `12 of animation walk`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameName<'a> {
    /// The number; the frame as reports count it where files give none.
    pub number: u64,
    /// The animation, where several are played.
    pub animation: Option<&'a str>,
}

impl fmt::Display for FrameName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, of_animation(self.animation))
    }
}

/// An animation after what is in it: ` of animation walk`; nothing if there is none.
pub fn of_animation(animation: Option<&str>) -> String {
    animation.map(|name| format!(" of animation {}", shown(name))).unwrap_or_default()
}

macro_rules! name_frames {
    ($($record:ty),*) => {$(
        impl $record {
            /// The number that its files give it, or the frame itself where they give none.
            pub fn own_number(&self) -> u64 {
                self.number.unwrap_or(self.frame)
            }

            /// What it is called.
            pub fn name(&self) -> FrameName<'_> {
                FrameName { number: self.own_number(), animation: self.animation.as_deref() }
            }
        }
    )*};
}

name_frames!(
    Frame<'_>,
    VolumeFrame,
    ExactVolumeFrame,
    ExactSelfOverlapFrame,
    SelfOverlapFrame,
    InsideFrame,
    DistanceFrame
);

/// What many frames are called, gathered frame by frame. Memory grows only where the numbers do not go on by one.
#[derive(Clone, Debug, Default)]
pub struct FrameNames {
    runs: Vec<Run>,
}

/// Frames from `first` on, up to the next run.
#[derive(Clone, Debug)]
struct Run {
    first: u64,
    number: u64,
    animation: Option<String>,
}

impl FrameNames {
    /// Takes in one more frame; frames must come in order.
    pub fn add(&mut self, frame: u64, name: FrameName<'_>) {
        if self.runs.is_empty() || self.of(frame) != name {
            let animation = name.animation.map(str::to_owned);
            self.runs.push(Run { first: frame, number: name.number, animation });
        }
    }

    /// What a frame is called.
    pub fn of(&self, frame: u64) -> FrameName<'_> {
        match self.runs.iter().rfind(|run| run.first <= frame) {
            Some(Run { first, number, animation }) => {
                FrameName { number: number + (frame - first), animation: animation.as_deref() }
            }
            None => FrameName { number: frame, animation: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_called_by_its_number_within_its_animation() {
        let mut frame = Frame { frame: 352, ..Frame::default() };
        assert_eq!(frame.name().to_string(), "352");
        (frame.number, frame.animation) = (Some(12), Some("walk".into()));
        assert_eq!(frame.name().to_string(), "12 of animation walk");
    }

    #[test]
    fn names_of_many_frames_come_back() {
        let all = [
            (3, 1003, None),
            (4, 1004, None),
            (5, 1006, None),
            (6, 0, Some("walk")),
            (7, 1, Some("walk")),
            (8, 0, Some("run")),
        ];
        let mut names = FrameNames::default();
        for (frame, number, animation) in all {
            names.add(frame, FrameName { number, animation });
        }
        for (frame, number, animation) in all {
            assert_eq!(names.of(frame), FrameName { number, animation });
        }
        assert_eq!((names.runs.len(), names.of(0).number), (4, 0));
    }
}
