//! What was found: pairs of triangles, the first contact in time, and the statistics that explain a frame.

mod pair;
mod stats;

pub use pair::{TriangleId, TrianglePair, VertexId};
pub use stats::Stats;
