//! WHAT TO ACT ON: two bodies that meet, the triangles at which they do, and how much they overlap.

mod complete;
mod contact_region;
mod curve;
mod cut_off;
mod overlap;
mod region;
mod self_overlap;
mod separation;

pub use complete::CompletePairs;
pub use contact_region::{ContactRegion, ContactRegionFinder, ContactRegions};
pub(crate) use curve::CurveFinder;
pub use curve::{Curve, CurvePoint, Curves, curves};
pub use cut_off::RegionDepth;
pub(crate) use cut_off::{CutOffFinder, Known};
pub(crate) use overlap::{Cuts, Summation, WindingMemory, Windings};
pub use overlap::{Overlap, OverlapError, OverlapFinder, VertexGradient, overlap};
pub(crate) use region::{History, Naming, RegionFinder};
pub use region::{Region, RegionId, Regions, regions};
pub(crate) use self_overlap::SelfRegionFinder;
pub use self_overlap::{
    Holes, SelfLoss, SelfOverlap, SelfOverlapError, SelfOverlapFinder, SelfRegion, SelfRegions, enclosed_volume,
    self_overlap, self_regions,
};
pub use separation::{Separation, separation};

use crate::body::Body;
use crate::geom::{BodyId, Triangle, TriangleId, TrianglePair};

/// Two bodies that meet, and where.
#[derive(Clone, Copy)]
pub struct Contact<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if a body meets itself.
    pub b: BodyId,
    /// The pairs of triangles that meet, sorted; empty only if [`Scene::set_max_pairs`](crate::Scene::set_max_pairs) allows
    /// none.
    pub pairs: &'a [TrianglePair],
    /// How many meet: as many as are listed, and more if there is a limit.
    pub count: u64,
    bodies: [&'a Body; 2],
    is_complete: bool,
}

impl<'a> Contact<'a> {
    /// `is_complete` says that no pair was left out of the list, be it for a limit or a filter.
    pub(crate) fn new(
        [a, b]: [BodyId; 2],
        bodies: [&'a Body; 2],
        pairs: &'a [TrianglePair],
        count: u64,
        is_complete: bool,
    ) -> Self {
        Self { a, b, pairs, count, bodies, is_complete }
    }

    /// The pairs, for computing overlaps. `None` if a limit or a filter left some out, if the contact is one of
    /// [`Frame::witnesses`](crate::Frame::witnesses), or if a body meets itself.
    pub fn complete_pairs(&self) -> Option<CompletePairs<'a>> {
        (self.is_complete && !self.is_self()).then(|| CompletePairs::promised(self.pairs))
    }

    /// Whether a body meets itself.
    pub fn is_self(&self) -> bool {
        self.a == self.b
    }

    /// Body `a` at this moment.
    pub fn body_a(&self) -> &'a Body {
        self.bodies[0]
    }

    /// Body `b` at this moment.
    pub fn body_b(&self) -> &'a Body {
        self.bodies[1]
    }

    /// The triangles of a pair as they are at this moment: that of `a`, that of `b`; rounded to f32 if they have f64
    /// positions, see [`triangles_f64`](Self::triangles_f64). `None` if one is not there: the pair is not of this contact.
    pub fn triangles(&self, pair: TrianglePair) -> Option<[Triangle; 2]> {
        let [a, b] = self.bodies;
        Some([a.triangle(pair.a)?, b.triangle(pair.b)?])
    }

    /// The corners of the triangles of a pair as they are at this moment, without rounding whatever the bodies were made
    /// with: those of `a`, those of `b`. `None` if a triangle is not there: the pair is not of this contact.
    pub fn triangles_f64(&self, pair: TrianglePair) -> Option<[[[f64; 3]; 3]; 2]> {
        let [a, b] = self.bodies;
        Some([a.triangle_f64(pair.a)?, b.triangle_f64(pair.b)?])
    }

    /// The contact as one of its bodies sees it; `None` if the body takes no part in it.
    pub fn seen_from(&self, id: BodyId) -> Option<ContactSide<'a>> {
        let [a, b] = self.bodies;
        match id {
            _ if id == self.a => {
                Some(ContactSide { own: a, other: b, other_id: self.b, pairs: self.pairs, is_a: true })
            }
            _ if id == self.b => {
                Some(ContactSide { own: b, other: a, other_id: self.a, pairs: self.pairs, is_a: false })
            }
            _ => None,
        }
    }
}

impl PartialEq for Contact<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.a, self.b, self.pairs, self.count) == (other.a, other.b, other.pairs, other.count)
    }
}

impl Eq for Contact<'_> {}

impl std::fmt::Debug for Contact<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contact").field("a", &self.a).field("b", &self.b).field("pairs", &self.pairs).finish()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Contact<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Contact", 4)?;
        fields.serialize_field("a", &self.a)?;
        fields.serialize_field("b", &self.b)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("pairs", self.pairs)?;
        fields.end()
    }
}

/// A contact as one of its two bodies sees it; see [`Contact::seen_from`].
#[derive(Clone, Copy, Debug)]
pub struct ContactSide<'a> {
    /// The body that looks.
    pub own: &'a Body,
    /// The body it meets.
    pub other: &'a Body,
    /// The id of the body it meets.
    pub other_id: BodyId,
    pairs: &'a [TrianglePair],
    is_a: bool,
}

impl<'a> ContactSide<'a> {
    /// The triangles that meet: the body's own and the other's.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (TriangleId, TriangleId)> + use<'a> {
        let is_a = self.is_a;
        self.pairs.iter().map(move |pair| if is_a { (pair.a, pair.b) } else { (pair.b, pair.a) })
    }
}

/// Two bodies; the same one twice for a body and itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyPair {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
}
