//! Bodies, from files or a caller's memory, frame by frame.
//!
//! ```text
//! files: what a user names ─► bodies ─► timeline: which frames belong together ─► moving: a body at one frame
//! ```

pub mod files;
pub mod memory;
pub mod moving;
pub mod timeline;

pub use files::{FileBody, read};
pub use moving::{Motion, MovingBodies};
