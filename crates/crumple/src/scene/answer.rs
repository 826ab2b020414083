//! One question about a frame, answered when it is first asked and kept until the next frame.
//!
//! Several threads may ask at once. None waits for another: whoever finds no answer yet computes it, and the first to be
//! done publishes it. To wait would be a trap: a thread of a pool that waits inside may be handed the very task that asks
//! again, and would then wait for itself.
//!
//! Memory goes round: this frame's answer becomes the one before, and the memory of that one takes in the next. When an
//! answer needs more room than all before it, memory of that size is set aside for the next one too, and smaller memory is given
//! up when it comes back: so a sequence that is played again allocates nothing, whichever answer falls into which memory.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Scene;
use super::engine::{Found, Job};
use crate::contact::CompletePairs;
use crate::geom::TrianglePair;
use crate::narrow::Stats;
use crate::narrow::Wanted;

/// What was found out about two bodies, or about one and itself.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) job: Job,
    pub(super) pairs: Range<usize>,
    /// Whether no pair was left out, for whichever reason.
    pub(super) is_complete: bool,
    stats: Stats,
    /// The versions of the two bodies and of the filter when it was asked: as long as they stay, so does the answer.
    versions: [u64; 3],
}

/// The answer for one frame: a record for each job, sorted by bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) records: Vec<Record>,
    /// Shared with whoever holds it beyond the frame ([`Contacts::shared_pairs`](super::Contacts::shared_pairs)).
    pub(super) pairs: Arc<Vec<TrianglePair>>,
    /// Working memory: the jobs that the answer before does not answer too, and their answers.
    open: Vec<Job>,
    found: Found,
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
    pub(super) fn count(&self) -> u64 {
        self.pairs.len() as u64 + self.stats.pairs_left_out
    }
}

impl Answer {
    /// How much room its lists have. Not how long they are: a query may find more than it keeps.
    fn room(&self) -> [usize; 5] {
        let found = [self.found.pairs.capacity(), self.found.ends.capacity()];
        [self.records.capacity(), self.pairs.capacity(), self.open.capacity(), found[0], found[1]]
    }

    /// Makes at least this much room.
    fn make_room(&mut self, [records, pairs, open, found, ends]: [usize; 5]) {
        fn at_least<T>(list: &mut Vec<T>, room: usize) {
            list.reserve_exact(room.saturating_sub(list.len()));
        }
        at_least(&mut self.records, records);
        at_least(own(&mut self.pairs), pairs);
        at_least(&mut self.open, open);
        at_least(&mut self.found.pairs, found);
        at_least(&mut self.found.ends, ends);
    }

    /// All pairs of a job; `None` if some were left out, or it was not asked about.
    pub(super) fn complete_pairs(&self, job: Job) -> Option<CompletePairs<'_>> {
        let record = &self.records[self.records.binary_search_by_key(&job, |record| record.job).ok()?];
        record.is_complete.then(|| CompletePairs::promised(&self.pairs[record.pairs.clone()]))
    }

    pub(super) fn stats(&self) -> Stats {
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

/// A question that can be asked of every frame.
#[derive(Debug)]
pub(super) struct Question {
    asks: Asks,
    now: OnceLock<Answer>,
    /// The last answer before this frame.
    before: Answer,
    spare: Mutex<Spare>,
}

/// Memory for answers to come.
#[derive(Debug, Default)]
struct Spare {
    answers: Vec<Answer>,
    /// The most room that any answer has needed.
    most: [usize; 5],
}

impl Question {
    /// The question for pairs that pass the filter.
    pub(super) fn new(wanted: Wanted) -> Self {
        Self::asking(Asks::Kept(wanted))
    }

    /// The question for every pair of two bodies, which no limit and no filter shortens.
    pub(super) fn complete() -> Self {
        Self::asking(Asks::Complete)
    }

    /// The same question, not asked yet.
    pub(super) fn anew(&self) -> Self {
        Self::asking(self.asks)
    }

    fn asking(asks: Asks) -> Self {
        Self { asks, now: OnceLock::new(), before: Answer::default(), spare: Mutex::default() }
    }

    /// Ends a frame: its answer, if it was asked for, is the one before from now on.
    pub(super) fn retire(&mut self) {
        if let Some(answer) = self.now.take() {
            let oldest = std::mem::replace(&mut self.before, answer);
            self.keep(oldest);
        }
    }

    /// The last answer before this frame.
    pub(super) fn before(&self) -> &Answer {
        &self.before
    }

    /// This frame's answer, if it was asked for.
    pub(super) fn asked(&self) -> Option<&Answer> {
        self.now.get()
    }

    /// This frame's answer.
    pub(super) fn answer(&self, scene: &Scene) -> &Answer {
        if let Some(answer) = self.now.get() {
            return answer;
        }
        let mut answer = self.spare().answers.pop().unwrap_or_default();
        scene.answer(self.asks, &self.before, &mut answer);
        self.note_room(&mut answer);
        if let Err(second) = self.now.set(answer) {
            self.keep(second);
        }
        self.now.get().unwrap_or_else(|| unreachable!("an answer was published above"))
    }

    fn spare(&self) -> MutexGuard<'_, Spare> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// If an answer needed more room than all before it, makes as much for the next one.
    fn note_room(&self, answer: &mut Answer) {
        let mut spare = self.spare();
        let room = answer.room();
        if (0..room.len()).all(|list| room[list] <= spare.most[list]) {
            return;
        }
        spare.most = std::array::from_fn(|list| room[list].max(spare.most[list]));
        let mut next = spare.answers.pop().unwrap_or_default();
        answer.make_room(spare.most);
        next.make_room(spare.most);
        spare.answers.push(next);
    }

    fn keep(&self, answer: Answer) {
        let (mut spare, room) = (self.spare(), answer.room());
        if (0..room.len()).all(|list| room[list] >= spare.most[list]) {
            spare.answers.push(answer);
        }
    }
}

impl Clone for Question {
    fn clone(&self) -> Self {
        Self { now: self.now.clone(), before: self.before.clone(), ..self.anew() }
    }
}

impl Scene {
    /// An answer that has all pairs of every two bodies of this frame.
    ///
    /// That of the contacts if these were asked for already and nothing was left out of them. Otherwise one of its own: to
    /// ask contacts here would make events of a frame in which nobody asked for contacts.
    pub(super) fn complete_answer(&self) -> &Answer {
        let mut between_bodies = self.jobs.iter().filter(|job| job.a != job.b);
        match self.contacts.asked() {
            Some(contacts) if between_bodies.all(|&job| contacts.complete_pairs(job).is_some()) => contacts,
            _ => self.all_pairs.answer(self),
        }
    }

    /// Answers this frame's jobs, taking over what neither body's motion has touched and what the other question for pairs
    /// has found in this frame already.
    fn answer(&self, asks: Asks, before: &Answer, answer: &mut Answer) {
        let Answer { records, pairs, open, found } = answer;
        let pairs = own(pairs);
        records.clear();
        pairs.clear();
        open.clear();
        found.clear();
        let (wanted, shared) = match asks {
            // Any pair will do, and it is the same one whatever else is asked.
            Asks::Kept(Wanted::First) => (Wanted::First, None),
            Asks::Kept(wanted) => (wanted, self.all_pairs.asked()),
            Asks::Complete => (Wanted::All, self.contacts.asked()),
        };
        let is_asked = |job: &&Job| asks != Asks::Complete || job.a != job.b;
        let shared_pairs = |job: Job| shared.and_then(|shared| shared.complete_pairs(job));
        let versions_of = |job: Job| {
            let [a, b] = [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.version());
            [a, b, self.filter.version()]
        };
        // Both lists are sorted by bodies: walk them side by side.
        let mut earlier = before.records.iter().peekable();
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
        self.engine().find(open, &|slot| &self.bodies.in_slot(slot).body, searched, found);
        let mut earlier = before.records.iter().peekable();
        let mut open = open.iter().enumerate().peekable();
        for &job in self.jobs.iter().filter(is_asked) {
            let start = pairs.len();
            while earlier.next_if(|record| record.job < job).is_some() {}
            let is_same = |record: &&&Record| record.job == job && record.versions == versions_of(job);
            let (stats, is_complete) = if let Some(record) = earlier.peek().filter(is_same) {
                pairs.extend_from_slice(&before.pairs[record.pairs.clone()]);
                (record.stats.without_work(), record.is_complete)
            } else {
                let (all, stats) = match open.next_if(|(_, asked)| **asked == job) {
                    Some((index, _)) => found.of(index),
                    None => (shared_pairs(job).map_or(&[][..], CompletePairs::as_slice), Stats::default()),
                };
                let more = match asks {
                    Asks::Kept(wanted) => self.filter.extend_with_kept(job, all, wanted, pairs),
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
