//! What keeps a point or a ray from being answered.

use crate::mesh::EdgeFault;

/// Why a question about points or rays was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A point is not finite.
    #[error("point {index} is at {point:?}: not finite")]
    PointNotFinite {
        /// Its index in the list; 0 for a single point.
        index: usize,
        /// Where it was to be.
        point: [f64; 3],
    },
    /// A coordinate of an f64 point is too large or too small.
    #[error(
        "point {index} is at {point:?}: coordinates must be 0, or at least 2^-300 and at most those of the largest f32 \
         number in size"
    )]
    PointOutOfRange {
        /// Its index in the list; 0 for a single point.
        index: usize,
        /// Where it was to be.
        point: [f64; 3],
    },
    /// The origin or the direction of a ray is not finite.
    #[error("ray {index} starts at {origin:?} in the direction {direction:?}: not finite")]
    RayNotFinite {
        /// Its index in the list; 0 for a single ray.
        index: usize,
        /// Where it was to start.
        origin: [f32; 3],
        /// Where it was to go.
        direction: [f32; 3],
    },
    /// A ray has no direction.
    #[error("ray {index} has the direction [0, 0, 0]: give it one that is not zero")]
    NoDirection {
        /// Its index in the list; 0 for a single ray.
        index: usize,
    },
    /// A body without triangles has no closest point.
    #[error("the body has no triangles, so it has no closest point")]
    NoTriangles,
    /// The surface ends or branches, so that inside and outside are connected.
    #[error(
        "the body is open: {} edges belong to an odd number of triangles, the first from vertex {} to vertex {} (triangle {}); \
         close it, or ask for the distance without a sign",
        fault.count, fault.from, fault.to, fault.triangle
    )]
    Open {
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// Triangles are turned against each other, so that entries and exits cannot be distinguished.
    #[error(
        "the body is not oriented: along {} edges more triangles run one way than the other, the first from vertex {} to \
         vertex {} (triangle {}); turn its triangles, or ask for the distance without a sign",
        fault.count, fault.from, fault.to, fault.triangle
    )]
    Unbalanced {
        /// How many edges, and the first.
        fault: EdgeFault,
    },
}
