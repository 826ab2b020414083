//! The answer for one frame.

use std::ops::Range;

use super::BodyId;
use super::engine::Job;
use crate::contact::{Stats, TrianglePair};
use crate::narrow::Wanted;

/// Two bodies that meet, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if a body meets itself.
    pub b: BodyId,
    /// The triangles that meet, sorted; at least one.
    pub pairs: &'a [TrianglePair],
}

/// What was found out about one question.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) job: Job,
    /// The frames of the two bodies when it was asked.
    pub(super) frames: [u64; 2],
    pub(super) wanted: Wanted,
    pub(super) pairs: Range<usize>,
    pub(super) stats: Stats,
}

/// All bodies that meet in one frame, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    records: &'a [Record],
    pairs: &'a [TrianglePair],
}

impl<'a> Contacts<'a> {
    pub(super) fn new(records: &'a [Record], pairs: &'a [TrianglePair]) -> Self {
        Self { records, pairs }
    }

    /// The contacts in order.
    pub fn iter(&self) -> ContactIter<'a> {
        ContactIter { records: self.records.iter(), pairs: self.pairs }
    }

    /// How many pairs of bodies meet.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing meets.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// How many pairs of triangles meet, over all bodies.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// How much work it took; what was taken over from the last frame took none.
    pub fn stats(&self) -> Stats {
        let mut sum = Stats::default();
        self.records.iter().for_each(|record| sum += record.stats);
        sum
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

/// Goes through the contacts of a frame.
#[derive(Clone, Debug)]
pub struct ContactIter<'a> {
    records: std::slice::Iter<'a, Record>,
    pairs: &'a [TrianglePair],
}

impl<'a> Iterator for ContactIter<'a> {
    type Item = Contact<'a>;

    fn next(&mut self) -> Option<Contact<'a>> {
        let record = self.records.find(|record| !record.pairs.is_empty())?;
        Some(Contact { a: record.job.a, b: record.job.b, pairs: &self.pairs[record.pairs.clone()] })
    }
}
