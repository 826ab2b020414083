//! What keeps an overlap from being computed.

use crate::body::{Body, WhichBody};
use crate::geom::TriangleId;
use crate::mesh::EdgeFault;

/// Why the overlap of two bodies was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlapError {
    /// The surface does not enclose a volume.
    #[error(
        "{body} encloses no volume: along {} edges more triangles run one way than the other, the first from vertex {} to \
         vertex {} (triangle {}); close the surface and turn its triangles the same way round",
        fault.count, fault.from, fault.to, fault.triangle
    )]
    NotClosed {
        /// The body.
        body: WhichBody,
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// A pair names a triangle that the body does not have.
    #[error("a pair names triangle {triangle} of {body}, which has {len}, counted from 0")]
    NoSuchTriangle {
        /// The body.
        body: WhichBody,
        /// The number.
        triangle: TriangleId,
        /// How many triangles there are.
        len: usize,
    },
}

/// Refuses bodies that have no inside. The mesh remembers the answer, so this costs something in the first frame only.
pub(in crate::contact) fn check_closed(a: &Body, b: &Body) -> Result<(), OverlapError> {
    for (body, which) in [(a, WhichBody::A), (b, WhichBody::B)] {
        if let Some(fault) = body.mesh().topology().unbalanced {
            return Err(OverlapError::NotClosed { body: which, fault });
        }
    }
    Ok(())
}
