//! Which features of two bodies a question is about.

use super::{TriangleId, TrianglePair, VertexId};

/// Two features: one of body `a` and one of body `b`, which are the same body for self-collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FeaturePair {
    /// Two triangles that meet at the start of the step. Only impacts have it: their contact began in an earlier step.
    Triangles {
        /// The first pair of triangles that meet then.
        pair: TrianglePair,
    },
    /// A vertex and a face.
    VertexFace {
        /// Whether the vertex is of body `b`, and the triangle of `a`.
        vertex_of_b: bool,
        /// The vertex.
        vertex: VertexId,
        /// The triangle of the other body.
        triangle: TriangleId,
    },
    /// Two edges.
    EdgeEdge {
        /// The ends of the edge of `a`, the smaller number first.
        edge_a: [VertexId; 2],
        /// The ends of the edge of `b`, the smaller number first.
        edge_b: [VertexId; 2],
    },
}

impl FeaturePair {
    /// The same, with `a` and `b` exchanged.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Triangles { pair } => Self::Triangles { pair: TrianglePair { a: pair.b, b: pair.a } },
            Self::VertexFace { vertex_of_b, vertex, triangle } => {
                Self::VertexFace { vertex_of_b: !vertex_of_b, vertex, triangle }
            }
            Self::EdgeEdge { edge_a, edge_b } => Self::EdgeEdge { edge_a: edge_b, edge_b: edge_a },
        }
    }
}
