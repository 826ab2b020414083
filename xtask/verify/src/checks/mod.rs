//! The checks, a file for each kind of truth.

pub(crate) mod command;
pub(crate) mod distances;
pub(crate) mod gpu;
pub(crate) mod images;
pub(crate) mod impacts;
pub(crate) mod in_f64;
pub(crate) mod mesh_pairs;
pub(crate) mod motion;
pub(crate) mod overlaps;
pub(crate) mod points;
pub(crate) mod reading;
pub(crate) mod scenes;
pub(crate) mod self_overlaps;
pub(crate) mod self_pairs;
pub(crate) mod triangles;
pub(crate) mod volumes;
