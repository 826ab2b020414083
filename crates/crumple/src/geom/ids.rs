//! How bodies, triangles and vertices are named.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// Identifies a body in its scene, and in no other; a clone of the scene has bodies of the same ids.
///
/// Slots are used again after a body is removed; ids are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
    pub(crate) scene: u32,
}

impl BodyId {
    /// The slot of the body in its scene, counted from 0 in the order of adding while none is removed.
    pub fn index(self) -> usize {
        self.slot as usize
    }

    pub(crate) fn slot(self) -> u32 {
        self.slot
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.slot)
    }
}

/// The number of a triangle in its mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[repr(transparent)]
pub struct TriangleId(pub u32);

/// The number of a vertex in its mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[repr(transparent)]
pub struct VertexId(pub u32);

impl TriangleId {
    /// The number as an index into a list with one entry per triangle.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VertexId {
    /// The number as an index into a list with one entry per vertex.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for TriangleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for VertexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A triangle of body `a` and a triangle of body `b` that share a point. Of one body and itself, `a` is the
/// triangle with the smaller number.
///
/// Plain old data: a list of pairs can be read as a list of pairs of 32-bit numbers without a copy
/// (`bytemuck::cast_slice::<TrianglePair, [u32; 2]>`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[u32; 2]", into = "[u32; 2]")
)]
#[repr(C)]
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

impl From<[u32; 2]> for TrianglePair {
    fn from([a, b]: [u32; 2]) -> Self {
        Self::new(a, b)
    }
}

impl From<TrianglePair> for [u32; 2] {
    fn from(pair: TrianglePair) -> Self {
        [pair.a.0, pair.b.0]
    }
}

impl fmt::Debug for TrianglePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.a.0, self.b.0)
    }
}
