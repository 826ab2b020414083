//! What is answered about how far apart two bodies are.

use crate::geom::{FeaturePair, TrianglePair};

/// A distance between two certified bounds.
///
/// Rounding is accounted for: the exact distance of the surfaces, given by the vertices as they are, is not less than `lo`
/// and not more than `hi`. Both are 0 if the surfaces share a point, which is decided exactly, and neither is 0 if they do
/// not.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distance {
    /// The surfaces are at least this far apart.
    pub lo: f64,
    /// The surfaces have two points that are at most this far apart.
    pub hi: f64,
}

/// Where two surfaces are nearest, and how far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Closest {
    /// How far apart they are.
    pub distance: Distance,
    /// The nearest point of the first surface and that of the second, computed in f64; one and the same point if the
    /// surfaces meet.
    pub points: [[f64; 3]; 2],
    /// A triangle of each on which these points lie: of all that are equally near, the first.
    pub triangles: TrianglePair,
    /// Between which features of these triangles the distance is; `None` if the triangles meet.
    pub features: Option<FeaturePair>,
}

impl Closest {
    /// The same, seen from the other side.
    pub(crate) fn swapped(self) -> Self {
        let TrianglePair { a, b } = self.triangles;
        Self {
            distance: self.distance,
            points: [self.points[1], self.points[0]],
            triangles: TrianglePair { a: b, b: a },
            features: self.features.map(FeaturePair::swapped),
        }
    }
}
