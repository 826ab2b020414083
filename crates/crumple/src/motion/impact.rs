//! Two features that meet within a step.

use std::cmp::Ordering;

use crate::body::Body;
use crate::exact::ImpactTime;
use crate::geom::{FeaturePair, TrianglePair};

/// The first time within a step at which two features meet (the time of impact), and where.
#[doc(alias = "TOI")]
#[doc(alias = "time of impact")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Impact {
    /// The time, as a fraction of the step: certified bounds, at most 2^-32 apart.
    pub time: ImpactTime,
    /// Which features of the bodies `a` and `b` meet, which are one body for self-collision.
    pub features: FeaturePair,
    /// Where on the features: for a vertex and a face, the weights of the three corners of the face; for two edges, how
    /// far along the first and along the second, and 0. Computed in f64 at `time.hi`.
    pub barycentric: [f64; 3],
    /// The point where they meet, computed in f64.
    pub point: [f64; 3],
    /// 0 if the impact is exact: the features touch between `time.lo` and `time.hi`, and not before. For bodies with a
    /// thickness the answer is conservative: before `time.lo` they are farther apart than it demands, and at `time.lo` the
    /// distance exceeds that by at most this much.
    pub slack: f64,
    /// A unit vector across the contact, from the face to the side the vertex came from, or from the second edge to the
    /// first; all zeros where the features are too degenerate to have one.
    pub normal: [f64; 3],
}

impl Impact {
    /// That surfaces meet at the start; the point is a corner of the first triangle.
    pub(super) fn already(a: &Body, pair: TrianglePair) -> Self {
        let corner = a.mesh().indices()[pair.a.index()][0];
        Self {
            time: ImpactTime { lo: 0.0, hi: 0.0 },
            features: FeaturePair::Triangles { pair },
            barycentric: [1.0, 0.0, 0.0],
            point: a.exact_previous_position(corner),
            normal: [0.0; 3],
            slack: 0.0,
        }
    }

    /// The order of an answer: by time, then by features, so that it does not depend on who found it.
    pub(crate) fn in_order(&self, other: &Self) -> Ordering {
        let times = self.time.lo.total_cmp(&other.time.lo).then(self.time.hi.total_cmp(&other.time.hi));
        times.then(self.features.cmp(&other.features))
    }
}
