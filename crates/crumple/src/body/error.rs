//! What can be wrong with positions.

use crate::geom::Aabb;
use crate::geom::VertexId;

/// Why positions were refused; the body then keeps those it had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// There must be one position per vertex.
    #[error("{given} positions were given, but the body has {expected} vertices")]
    WrongNumberOfPositions {
        /// How many were given.
        given: usize,
        /// How many vertices the mesh has.
        expected: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is at {position:?}: not finite")]
    NotFinite {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f32; 3],
    },
    /// A vertex lies outside the box that was promised to hold the body.
    #[error("vertex {vertex} at {position:?} leaves the loose box {promised:?}")]
    LeavesLooseBox {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f32; 3],
        /// The box that was promised.
        promised: Aabb,
    },
    /// A box without a point in it, or with NaN for a bound, was promised to hold a body.
    #[error("the loose box {promised:?} holds no point, but the body has {vertices} vertices")]
    EmptyLooseBox {
        /// The box that was promised.
        promised: Aabb,
        /// How many vertices the body has.
        vertices: usize,
    },
}
