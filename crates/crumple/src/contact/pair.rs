//! Two triangles that share a point.

use std::fmt;

/// The number of a triangle in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TriangleId(pub u32);

/// The number of a vertex in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VertexId(pub u32);

/// A triangle of body `a` and a triangle of body `b` that share a point; of one body, the smaller number is `a`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrianglePair {
    /// The triangle of the first body.
    pub a: TriangleId,
    /// The triangle of the second body.
    pub b: TriangleId,
}

impl TrianglePair {
    /// The pair of triangle `a` of the first body and triangle `b` of the second.
    pub fn new(a: u32, b: u32) -> Self {
        Self { a: TriangleId(a), b: TriangleId(b) }
    }
}

impl fmt::Debug for TrianglePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.a.0, self.b.0)
    }
}
