//! The bodies that meet in one frame, and where.

use std::sync::Arc;

use super::answer::{Answer, Record};
use super::engine::Job;
use super::{BodyId, Scene};
use crate::contact::Contact;
use crate::geom::TrianglePair;
use crate::narrow::Stats;

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
        (record.count() > 0).then(|| self.contact(record))
    }

    /// How many pairs of bodies meet.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing meets.
    pub fn is_empty(&self) -> bool {
        self.answer.records.iter().all(|record| record.count() == 0)
    }

    /// How many pairs of triangles meet, over all bodies; also those that a limit leaves out of the lists.
    pub fn pair_count(&self) -> usize {
        self.answer.records.iter().map(|record| record.count() as usize).sum()
    }

    /// The pairs of all contacts, one after another, in memory that may be held beyond the frame: [`Contact::pairs`] are
    /// parts of it. For bindings that hand lists to another language without a copy.
    ///
    /// As long as it is held, the scene writes its answers to other memory, which it then has to allocate.
    pub fn shared_pairs(&self) -> Arc<Vec<TrianglePair>> {
        Arc::clone(&self.answer.pairs)
    }

    /// How much work it took; contacts kept from the last frame took none.
    pub fn stats(&self) -> Stats {
        self.answer.stats()
    }

    pub(super) fn contact(&self, record: &Record) -> Contact<'a> {
        let Job { a, b } = record.job;
        let bodies = [a, b].map(|id| &self.scene.bodies.in_slot(id.slot()).body);
        Contact::new([a, b], bodies, &self.answer.pairs[record.pairs.clone()], record.count(), record.is_complete)
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

/// Iterates over the contacts of a frame.
#[derive(Clone, Debug)]
pub struct ContactIter<'a> {
    records: std::slice::Iter<'a, Record>,
    contacts: Contacts<'a>,
}

impl<'a> Iterator for ContactIter<'a> {
    type Item = Contact<'a>;

    fn next(&mut self) -> Option<Contact<'a>> {
        let record = self.records.find(|record| record.count() > 0)?;
        Some(self.contacts.contact(record))
    }
}
