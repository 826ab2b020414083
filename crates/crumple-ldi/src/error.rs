//! What keeps a volume from being measured.

use super::Resolution;
use crumple::EdgeFault;
use crumple::TriangleId;
pub use crumple::body::WhichBody;

/// Why a depth image was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// Images have between 1 and 4,096 samples per side.
    #[error("a resolution of {resolution} is out of range: each side takes 1 to {most} samples", most = Resolution::MOST)]
    Resolution {
        /// What was asked for.
        resolution: Resolution,
    },
    /// A body without triangles has no inside.
    #[error("{body} has no triangles, so it encloses nothing")]
    NoTriangles {
        /// The body.
        body: WhichBody,
    },
    /// The vertices lie in a plane across an axis, so their box has no volume.
    #[error("{body} is flat: its box from {min:?} to {max:?} has no volume")]
    Flat {
        /// The body.
        body: WhichBody,
        /// The lower corner of its box.
        min: [f32; 3],
        /// The upper corner.
        max: [f32; 3],
    },
    /// The surface ends or branches, so that inside and outside are connected.
    #[error(
        "{body} is open: {} edges belong to an odd number of triangles, the first from vertex {} to vertex {} (triangle {}); \
         close it, or say `with_assumed_closed`",
        fault.count, fault.from, fault.to, triangle_number(&fault.triangle)
    )]
    Open {
        /// The body.
        body: WhichBody,
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// Triangles are turned against each other, so that entries and exits cannot be distinguished.
    #[error(
        "{body} is not oriented: along {} edges more triangles run one way than the other, the first from vertex {} to \
         vertex {} (triangle {}); turn its triangles, use `InsideRule::Parity`, or say `with_assumed_closed`",
        fault.count, fault.from, fault.to, triangle_number(&fault.triangle)
    )]
    Unbalanced {
        /// The body.
        body: WhichBody,
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// Crossings are numbered by 32 bits.
    #[error("the image of {body} would hold {crossings} crossings, more than {}; lower the resolution", u32::MAX)]
    TooManyCrossings {
        /// The body.
        body: WhichBody,
        /// How many there would be.
        crossings: u64,
    },
}

fn triangle_number(triangle: &TriangleId) -> u32 {
    triangle.0
}
