//! Boxes, triangles, axes, poses and ids: plain values, no policy.

mod aabb;
mod axis;
mod ids;
pub(crate) mod lanes;
mod pose;
mod slots;
mod sort;
mod triangle;

pub use aabb::Aabb;
pub use axis::Axis;
pub use ids::{BodyId, TriangleId, TrianglePair, VertexId};
pub use pose::Pose;
pub(crate) use slots::{SlotKey, Slots};
pub(crate) use sort::sort_pairs;
pub use triangle::Triangle;
