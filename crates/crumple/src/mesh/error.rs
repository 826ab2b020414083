//! What can be wrong with a mesh.

use crate::geom::{TriangleId, VertexId};

/// Why a mesh was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle uses a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, but the mesh has {len} vertices")]
    NoSuchVertex {
        /// The first such triangle.
        triangle: TriangleId,
        /// The vertex it names.
        vertex: VertexId,
        /// How many vertices there are.
        len: usize,
    },
    /// A triangle to be removed does not exist.
    #[error("there is no triangle {triangle}: the mesh has {len}, counted from 0")]
    NoSuchTriangle {
        /// The number.
        triangle: TriangleId,
        /// How many triangles there are.
        len: usize,
    },
    /// Triangle numbers are 32 bits wide.
    #[error("{len} triangles are too many: a mesh holds fewer than {}", u32::MAX)]
    TooManyTriangles {
        /// How many were given.
        len: usize,
    },
    /// Positions to weld by do not match the mesh.
    #[error("{given} positions were given to weld by, but the mesh has {len} vertices")]
    WrongNumberOfPositions {
        /// How many positions were given.
        given: usize,
        /// How many vertices there are.
        len: usize,
    },
}
