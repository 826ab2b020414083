//! Depth images: volumes, points inside, penetration depths.

#[path = "../../../crumple/tests/support/mod.rs"]
mod support;

mod depth;
mod extremes;
mod images;
mod overlap;
mod points;
#[cfg(feature = "parallel")]
mod threads;
