//! What is asked of every frame, one question per file; each fills its part of the record.

pub(crate) mod containment;
pub(crate) mod depth;
pub(crate) mod impacts;
pub(crate) mod near;
pub(crate) mod onsets;
pub(crate) mod overlap;
pub(crate) mod regions;
