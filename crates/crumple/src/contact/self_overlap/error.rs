//! What keeps the overlap of a body with itself from being computed.

use crate::body::BodyError;
use crate::geom::VertexId;
use crate::mesh::EdgeFault;

/// Why the overlap of a body with itself was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelfOverlapError {
    /// The surface does not enclose a volume.
    #[error(
        "the surface encloses no volume: along {} edges more triangles run one way than the other, the first from vertex {} to \
         vertex {} (triangle {}); close the surface and turn its triangles the same way round, or have its holes capped",
        fault.count, fault.from, fault.to, fault.triangle
    )]
    NotClosed {
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// The surface does not simply end, so it cannot be closed.
    #[error(
        "the holes cannot be capped: along {} edges triangles are turned against each other, the first from vertex {} to \
         vertex {} (triangle {}); turn the triangles the same way round",
        fault.count, fault.from, fault.to, fault.triangle
    )]
    Misoriented {
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// Two vertices that are welded are at different positions.
    #[error("vertices {vertex} and {other} are welded and have parted: give them one position, or weld the mesh anew")]
    Parted {
        /// The first vertex that is not where the one it is welded to is.
        vertex: VertexId,
        /// The one it is welded to.
        other: VertexId,
    },
    /// Positions between those of the body are out of range.
    #[error("a vertex in the middle of others cannot be placed: {source}")]
    Middle {
        /// Why.
        r#source: BodyError,
    },
}
