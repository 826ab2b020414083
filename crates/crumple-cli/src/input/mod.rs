//! INPUT: bodies from files, frame by frame.
//!
//! ```text
//! sources: files ─► bodies with frames ─► moving: a body at one frame ─► frames: calls a subcommand for every frame
//! ```

pub(crate) mod frames;
pub(crate) mod moving;
pub(crate) mod sources;
