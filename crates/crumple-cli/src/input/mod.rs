//! INPUT: bodies from files, frame by frame.
//!
//! ```text
//! sources: files ─► bodies ─► timeline: which frames belong together ─► moving: a body at one frame ─► frames: calls a subcommand for every frame
//! ```

pub(crate) mod frames;
pub(crate) mod moving;
pub(crate) mod sources;
pub(crate) mod timeline;
