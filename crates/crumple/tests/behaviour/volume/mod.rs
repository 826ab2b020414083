//! Depth images: volumes, points inside, penetration depths.

mod depth;
mod extremes;
mod images;
mod overlap;
mod points;
#[cfg(feature = "parallel")]
mod threads;
