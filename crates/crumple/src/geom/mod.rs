//! Boxes, triangles, axes, poses: plain values, no policy.

mod aabb;
mod axis;
pub(crate) mod lanes;
mod pose;
mod triangle;

pub use aabb::Aabb;
pub use axis::Axis;
pub use pose::Pose;
pub use triangle::Triangle;
