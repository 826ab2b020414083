//! The bodies that meet in one frame, and where.

use super::answer::{Answer, Record};
use super::engine::Job;
use super::{BodyId, Scene};
use crate::body::Body;
use crate::contact::{Stats, TriangleId, TrianglePair};
use crate::geom::Triangle;

/// Two bodies that meet, and where.
#[derive(Clone, Copy)]
pub struct Contact<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if a body meets itself.
    pub b: BodyId,
    /// The triangles that meet, sorted; at least one.
    pub pairs: &'a [TrianglePair],
    bodies: [&'a Body; 2],
}

impl<'a> Contact<'a> {
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

    /// The triangles of a pair as they are at this moment: that of `a`, that of `b`.
    ///
    /// A pair that is not of this contact may name a triangle that is not there; such a triangle is returned as three NaN
    /// corners.
    pub fn triangles(&self, pair: TrianglePair) -> [Triangle; 2] {
        let missing = Triangle([[f32::NAN; 3]; 3]);
        [(self.bodies[0], pair.a), (self.bodies[1], pair.b)]
            .map(|(body, triangle)| body.triangle(triangle).unwrap_or(missing))
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
        (self.a, self.b, self.pairs) == (other.a, other.b, other.pairs)
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
        let mut fields = serializer.serialize_struct("Contact", 3)?;
        fields.serialize_field("a", &self.a)?;
        fields.serialize_field("b", &self.b)?;
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

/// All bodies that meet in one frame, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    answer: &'a Answer,
    scene: &'a Scene,
}

impl<'a> Contacts<'a> {
    pub(super) fn new(answer: &'a Answer, scene: &'a Scene) -> Self {
        Self { answer, scene }
    }

    /// The contacts in order.
    pub fn iter(&self) -> ContactIter<'a> {
        ContactIter { records: self.answer.records.iter(), contacts: *self }
    }

    /// The contact of two bodies, in either order, or of one with itself; `None` if they do not meet.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<Contact<'a>> {
        let job = Job { a: a.min(b), b: a.max(b) };
        let index = self.answer.records.binary_search_by_key(&job, |record| record.job).ok()?;
        let record = &self.answer.records[index];
        (!record.pairs.is_empty()).then(|| self.contact(record))
    }

    /// How many pairs of bodies meet.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing meets.
    pub fn is_empty(&self) -> bool {
        self.answer.pairs.is_empty()
    }

    /// How many pairs of triangles meet, over all bodies.
    pub fn pair_count(&self) -> usize {
        self.answer.pairs.len()
    }

    /// How much work it took; what was taken over from the last frame took none.
    pub fn stats(&self) -> Stats {
        self.answer.stats()
    }

    pub(super) fn contact(&self, record: &Record) -> Contact<'a> {
        let Job { a, b } = record.job;
        let bodies = [a, b].map(|id| &self.scene.bodies.in_slot(id.slot()).body);
        Contact { a, b, pairs: &self.answer.pairs[record.pairs.clone()], bodies }
    }
}

impl<'a> IntoIterator for Contacts<'a> {
    type Item = Contact<'a>;
    type IntoIter = ContactIter<'a>;

    fn into_iter(self) -> ContactIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &Contacts<'a> {
    type Item = Contact<'a>;
    type IntoIter = ContactIter<'a>;

    fn into_iter(self) -> ContactIter<'a> {
        self.iter()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Contacts<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Goes through the contacts of a frame.
#[derive(Clone, Debug)]
pub struct ContactIter<'a> {
    records: std::slice::Iter<'a, Record>,
    contacts: Contacts<'a>,
}

impl<'a> Iterator for ContactIter<'a> {
    type Item = Contact<'a>;

    fn next(&mut self) -> Option<Contact<'a>> {
        let record = self.records.find(|record| !record.pairs.is_empty())?;
        Some(self.contacts.contact(record))
    }
}
