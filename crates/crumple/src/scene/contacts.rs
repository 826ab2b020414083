//! The bodies that meet in one frame, and where; which of them began to meet, which go on, which ended.
//!
//! What is known of two bodies of which neither moved is taken over from the last answer. An event is a difference between
//! two answers: this frame's contacts and the last ones that were asked for. So no event is lost where contacts are not asked
//! for in every frame.

use std::ops::Range;
use std::sync::Arc;

use super::engine::{Engine, FoundPairs};
use super::jobs::{Gathered, Job};
use super::per_frame::{Reusable, Room, at_least};
use super::{BodyId, BodyPair, Frame, Scene};
use crate::contact::{CompletePairs, Contact};
use crate::geom::TrianglePair;
use crate::narrow::{Stats, Wanted};

/// All bodies that meet in one frame, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    answer: &'a PairAnswer,
    scene: &'a Scene,
}

impl<'a> Contacts<'a> {
    /// The contacts in order.
    pub fn iter(&self) -> ContactIter<'a> {
        ContactIter { records: self.answer.records.iter(), contacts: *self }
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

    /// The contact of a job, if there is one.
    pub(super) fn of(&self, job: Job) -> Option<Contact<'a>> {
        let record = self.answer.record(job)?;
        (record.count() > 0).then(|| self.contact(record))
    }

    fn contact(&self, record: &Record) -> Contact<'a> {
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

impl<'a> Frame<'a> {
    /// All pairs of triangles that meet, grouped by bodies; sorted by bodies, and by triangles within them.
    pub fn contacts(&self) -> Contacts<'a> {
        let scene = self.scene;
        let find = |before: Option<&_>, answer: &mut _| scene.find_pairs(Asks::Kept(scene.wanted), before, answer);
        Contacts { answer: scene.answers.contacts.get((), find), scene }
    }

    /// One pair of triangles, any one, for each two bodies that meet: what it takes to know *whether* they do.
    pub fn witnesses(&self) -> Contacts<'a> {
        let scene = self.scene;
        let find = |before: Option<&_>, answer: &mut _| scene.find_pairs(Asks::Kept(Wanted::First), before, answer);
        Contacts { answer: scene.answers.witnesses.get((), find), scene }
    }

    /// The contacts of one body, with others and with itself; none if there is no such body.
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        self.contacts().into_iter().filter(move |contact| contact.a == id || contact.b == id)
    }

    /// The contact of two bodies, in either order, or of one with itself; `None` if they do not meet.
    pub fn contact(&self, a: BodyId, b: BodyId) -> Option<Contact<'a>> {
        self.contacts().of(Job::of(a, b))
    }

    /// The contacts of bodies that did not meet when contacts were last asked for in an earlier frame.
    pub fn began(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.answers.contacts.before(());
        self.contacts().into_iter().filter(move |contact| !meet(before, contact.a, contact.b))
    }

    /// The contacts of bodies that also met when contacts were last asked for in an earlier frame.
    pub fn persisted(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.answers.contacts.before(());
        self.contacts().into_iter().filter(move |contact| meet(before, contact.a, contact.b))
    }

    /// The bodies that met when contacts were last asked for in an earlier frame and do not meet now, sorted. Bodies that
    /// were removed since are included.
    pub fn ended(&self) -> impl Iterator<Item = BodyPair> + use<'a> {
        let (now, before) = (self.contacts().answer, self.scene.answers.contacts.before(()));
        let ended = move |record: &&Record| record.count() > 0 && !meet(Some(now), record.job.a, record.job.b);
        let ended = before.map_or(&[][..], |before| &before.records).iter().filter(ended);
        ended.map(|record| BodyPair { a: record.job.a, b: record.job.b })
    }
}

/// Whether two bodies, in the order of their ids, meet by an answer.
fn meet(answer: Option<&PairAnswer>, a: BodyId, b: BodyId) -> bool {
    answer.and_then(|answer| answer.record(Job { a, b })).is_some_and(|record| record.count() > 0)
}

/// What was found out about two bodies, or about one and itself.
#[derive(Clone, Debug)]
struct Record {
    job: Job,
    pairs: Range<usize>,
    /// Whether no pair was left out, for whichever reason.
    is_complete: bool,
    stats: Stats,
    /// The versions of the two bodies and of the filter when it was asked: as long as they stay, so does the answer.
    versions: [u64; 3],
}

/// The pairs of one frame: a record for each job, sorted by bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct PairAnswer {
    records: Vec<Record>,
    /// Shared with whoever holds it beyond the frame ([`Contacts::shared_pairs`](super::Contacts::shared_pairs)).
    pairs: Arc<Vec<TrianglePair>>,
    /// Working memory: the jobs that the answer before does not answer too, and their answers.
    open: Vec<Job>,
    found: FoundPairs,
}

/// A list that nobody else reads: this one, or another with as much room.
fn own(pairs: &mut Arc<Vec<TrianglePair>>) -> &mut Vec<TrianglePair> {
    if Arc::get_mut(pairs).is_none() {
        *pairs = Arc::new(Vec::with_capacity(pairs.capacity()));
    }
    Arc::get_mut(pairs).unwrap_or_else(|| unreachable!("nobody else has it"))
}

impl Record {
    /// How many pairs meet, listed or not.
    fn count(&self) -> u64 {
        self.pairs.len() as u64 + self.stats.pairs_left_out
    }
}

impl Reusable for PairAnswer {
    const IS_READ_NEXT: bool = true;

    fn clear(&mut self) {
        self.records.clear();
        own(&mut self.pairs).clear();
        self.open.clear();
        self.found.clear();
    }

    fn room(&self) -> Room {
        let found = [self.found.list.capacity(), self.found.ends.capacity()];
        [self.records.capacity(), self.pairs.capacity(), self.open.capacity(), found[0], found[1]]
    }

    fn make_room(&mut self, &[records, pairs, open, found, ends]: &Room) {
        at_least(&mut self.records, records);
        at_least(own(&mut self.pairs), pairs);
        at_least(&mut self.open, open);
        at_least(&mut self.found.list, found);
        at_least(&mut self.found.ends, ends);
    }
}

impl PairAnswer {
    fn record(&self, job: Job) -> Option<&Record> {
        self.records.binary_search_by_key(&job, |record| record.job).ok().map(|at| &self.records[at])
    }

    /// All pairs of a job; `None` if some were left out, or it was not asked about.
    pub(super) fn complete_pairs(&self, job: Job) -> Option<CompletePairs<'_>> {
        let record = self.record(job)?;
        record.is_complete.then(|| CompletePairs::promised(&self.pairs[record.pairs.clone()]))
    }

    /// All pairs of a body and itself, and how many of its triangles have no area; `None` if some were left out, or it was not
    /// asked about.
    pub(super) fn complete_self_pairs(&self, job: Job) -> Option<(&[TrianglePair], u64)> {
        let record = self.record(job).filter(|record| record.is_complete)?;
        Some((&self.pairs[record.pairs.clone()], record.stats.degenerate))
    }

    fn stats(&self) -> Stats {
        let mut sum = Stats::default();
        self.records.iter().for_each(|record| sum += record.stats);
        sum
    }
}

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// Pairs that pass the filter, of two bodies and of bodies with themselves: all, the first few, or any one.
    Kept(Wanted),
    /// Every pair of two bodies, whatever limit and filter are set.
    Complete,
}

impl Scene {
    /// An answer that has all pairs of every two bodies of this frame.
    ///
    /// That of the contacts if these were asked for already and nothing was left out of them. Otherwise one of its own: to
    /// ask contacts here would make events of a frame in which nobody asked for contacts.
    pub(super) fn complete_answer(&self) -> &PairAnswer {
        let mut between_bodies = self.jobs.iter().filter(|job| job.a != job.b);
        match self.answers.contacts.asked(()) {
            Some(contacts) if between_bodies.all(|&job| contacts.complete_pairs(job).is_some()) => contacts,
            _ => self.answers.all_pairs.get((), |before, answer| self.find_pairs(Asks::Complete, before, answer)),
        }
    }

    /// Answers this frame's jobs, taking over what neither body's motion has touched and what the other question for pairs
    /// has found in this frame already.
    fn find_pairs(&self, asks: Asks, before: Option<&PairAnswer>, answer: &mut PairAnswer) {
        let PairAnswer { records, pairs, open, found } = answer;
        let pairs = own(pairs);
        let (known, known_pairs) = before.map_or((&[][..], &[][..]), |before| (&before.records, &before.pairs));
        let (wanted, shared) = match asks {
            // Any pair will do, and it is the same one whatever else is asked.
            Asks::Kept(Wanted::First) => (Wanted::First, None),
            Asks::Kept(wanted) => (wanted, self.answers.all_pairs.asked(())),
            Asks::Complete => (Wanted::All, self.answers.contacts.asked(())),
        };
        let is_asked = |job: &&Job| asks != Asks::Complete || job.a != job.b;
        let shared_pairs = |job: Job| shared.and_then(|shared| shared.complete_pairs(job));
        let versions_of = |job: Job| {
            let [a, b] = [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.version());
            [a, b, self.filter.version()]
        };
        // Both lists are sorted by bodies: walk them side by side.
        let mut earlier = known.iter().peekable();
        for &job in self.jobs.iter().filter(is_asked) {
            while earlier.next_if(|record| record.job < job).is_some() {}
            let is_same = |record: &&&Record| record.job == job && record.versions == versions_of(job);
            if earlier.peek().filter(is_same).is_none() && shared_pairs(job).is_none() {
                open.push(job);
            }
        }
        let has_filter = asks != Asks::Complete && self.filter.has_pair_filter();
        // A filter may leave out the pair that would be found first.
        let searched = if has_filter { Wanted::All } else { wanted };
        let body_in = |slot: u32| &self.bodies.in_slot(slot).body;
        match &self.other {
            None => self.wide.find(open, &body_in, searched, found),
            Some(other) => other.find(open, &body_in, searched, found),
        }
        let mut earlier = known.iter().peekable();
        let mut open = open.iter().enumerate().peekable();
        for &job in self.jobs.iter().filter(is_asked) {
            let start = pairs.len();
            while earlier.next_if(|record| record.job < job).is_some() {}
            let is_same = |record: &&&Record| record.job == job && record.versions == versions_of(job);
            let (stats, is_complete) = if let Some(record) = earlier.peek().filter(is_same) {
                pairs.extend_from_slice(&known_pairs[record.pairs.clone()]);
                (record.stats.without_work(), record.is_complete)
            } else {
                let (all, stats) = match open.next_if(|(_, asked)| **asked == job) {
                    Some((index, _)) => found.of(index),
                    None => (shared_pairs(job).map_or(&[][..], CompletePairs::as_slice), Stats::default()),
                };
                let more = match asks {
                    Asks::Kept(wanted) => {
                        let bodies = [job.a, job.b].map(|id| body_in(id.slot()));
                        self.filter.extend_with_kept((job, bodies), all, wanted, pairs)
                    }
                    Asks::Complete => {
                        pairs.extend_from_slice(all);
                        0
                    }
                };
                let stats = Stats { pairs_left_out: stats.pairs_left_out + more, ..stats };
                let has_all = stats.pairs_left_out == 0 && pairs.len() - start == all.len();
                (stats, has_all && wanted != Wanted::First)
            };
            records.push(Record { job, versions: versions_of(job), pairs: start..pairs.len(), is_complete, stats });
        }
    }
}
