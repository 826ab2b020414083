//! Boxes, triangles, axes, poses and ids: plain values, no policy.

mod aabb;
mod axis;
pub(crate) mod closest;
mod coordinate;
mod features;
mod ids;
pub(crate) mod lanes;
mod pose;
mod shown;
mod slots;
mod sort;
mod triangle;

pub use aabb::Aabb;
pub use axis::Axis;
pub(crate) use coordinate::Given;
pub use coordinate::{Coordinate, Precision};
pub use features::FeaturePair;
pub use ids::{BodyId, TriangleId, TrianglePair, VertexId};
pub use lanes::{SimdError, SimdLevel, simd_level};
pub use pose::Pose;
pub(crate) use shown::{Shown, ShownPosition};
pub(crate) use slots::{SlotKey, Slots};
pub(crate) use sort::sort_pairs;
pub use triangle::Triangle;
