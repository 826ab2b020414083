//! What was found: pairs of triangles, the first contact in time, and the statistics that explain a frame.

mod pair;
mod sort;
mod stats;

pub use pair::{TriangleId, TrianglePair, VertexId};
pub(crate) use sort::sort_pairs;
pub use stats::Stats;
