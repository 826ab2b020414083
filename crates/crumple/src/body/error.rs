//! What can be wrong with positions.

use crate::geom::{Aabb, Precision, ShownPosition, VertexId};

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
    #[error("vertex {vertex} is at {}: not finite", ShownPosition(*position))]
    NotFinite {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f64; 3],
    },
    /// A vertex lies outside the box that was promised to hold the body.
    #[error("vertex {vertex} at {} leaves the loose box {promised:?}", ShownPosition(*position))]
    LeavesLooseBox {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f64; 3],
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
    /// An f64 coordinate is too large or too small for exact decisions.
    #[error(
        "vertex {vertex} is at {}: the size of an f64 coordinate must be 0 or from 2^-300 (4.9e-91) to 3.4e38; \
         multiply all positions by a power of two, which changes no digit",
        ShownPosition(*position)
    )]
    OutOfRange {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f64; 3],
    },
    /// A body in f64 is so small that f32 numbers cannot tell its vertices apart.
    #[error(
        "the largest coordinate is {largest:?}: that of an f64 body must be at least 2^-100 (7.9e-31); multiply all \
         positions by a power of two, which changes no digit"
    )]
    TooSmall {
        /// The largest size of a coordinate.
        largest: f64,
    },
    /// A body that was made with f32 positions was given others.
    #[error(
        "vertex {vertex} is at {}, which are not f32 numbers, but the body was made with f32 positions: make it with \
         f64 positions, or round them to f32",
        ShownPosition(*position)
    )]
    NotF32 {
        /// The first such vertex.
        vertex: VertexId,
        /// Its position as given.
        position: [f64; 3],
    },
    /// Positions were to be written in place as numbers that the body does not hold.
    #[error(
        "the body was made with {precision} positions, and they can be written in place as {precision} numbers only (in \
         Rust a number without a type is an f64)"
    )]
    OtherPrecision {
        /// What the body was made with.
        precision: Precision,
    },
}
