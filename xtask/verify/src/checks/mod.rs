//! The checks, a file for each kind of truth.

pub(crate) mod mesh_pairs;
pub(crate) mod reading;
pub(crate) mod scenes;
pub(crate) mod self_pairs;
pub(crate) mod triangles;
