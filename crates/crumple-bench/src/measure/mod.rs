//! Runs methods over the frames of a scene and times them.

pub(crate) mod floor;
mod found;
pub mod machine;
pub mod passes;
mod recording;

pub use found::Found;
pub use passes::{FrameTime, Outcome, Times};
pub use recording::Recording;
