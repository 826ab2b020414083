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
use crate::geom::TrianglePair;
use crate::narrow::Stats;
use crate::narrow::Wanted;

/// What was found out about two bodies, or about one and itself.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) job: Job,
    pub(super) pairs: Range<usize>,
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

    pub(super) fn stats(&self) -> Stats {
        let mut sum = Stats::default();
        self.records.iter().for_each(|record| sum += record.stats);
        sum
    }
}

/// A question that can be asked of every frame.
#[derive(Debug)]
pub(super) struct Question {
    wanted: Wanted,
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
    pub(super) fn wanted(&self) -> Wanted {
        self.wanted
    }

    pub(super) fn new(wanted: Wanted) -> Self {
        Self { wanted, now: OnceLock::new(), before: Answer::default(), spare: Mutex::default() }
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

    /// This frame's answer.
    pub(super) fn answer(&self, scene: &Scene) -> &Answer {
        if let Some(answer) = self.now.get() {
            return answer;
        }
        let mut answer = self.spare().answers.pop().unwrap_or_default();
        scene.answer(self.wanted, &self.before, &mut answer);
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
        Self { now: self.now.clone(), before: self.before.clone(), ..Self::new(self.wanted) }
    }
}

impl Scene {
    /// Answers this frame's jobs, taking over what neither body's motion has touched.
    fn answer(&self, wanted: Wanted, before: &Answer, answer: &mut Answer) {
        let Answer { records, pairs, open, found } = answer;
        let pairs = own(pairs);
        records.clear();
        pairs.clear();
        open.clear();
        found.clear();
        let versions_of = |job: Job| {
            let [a, b] = [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.version());
            [a, b, self.filter.version()]
        };
        // Both lists are sorted by bodies: walk them side by side.
        let mut earlier = before.records.iter().peekable();
        for &job in &self.jobs {
            while earlier.next_if(|record| record.job < job).is_some() {}
            let is_same = |record: &&&Record| record.job == job && record.versions == versions_of(job);
            if earlier.peek().filter(is_same).is_none() {
                open.push(job);
            }
        }
        // A filter may leave out the pair that would be found first.
        let asked = if self.filter.has_pair_filter() { Wanted::All } else { wanted };
        self.engine.find(open, &|slot| &self.bodies.in_slot(slot).body, asked, found);
        let mut earlier = before.records.iter().peekable();
        let mut open = open.iter().enumerate().peekable();
        for &job in &self.jobs {
            let start = pairs.len();
            let stats = match open.next_if(|(_, asked)| **asked == job) {
                Some((index, _)) => {
                    let (all, stats) = found.of(index);
                    let pairs_left_out = stats.pairs_left_out + self.filter.extend_with_kept(job, all, wanted, pairs);
                    Stats { pairs_left_out, ..stats }
                }
                None => {
                    while earlier.next_if(|record| record.job < job).is_some() {}
                    let Some(record) = earlier.peek() else { continue };
                    pairs.extend_from_slice(&before.pairs[record.pairs.clone()]);
                    record.stats.without_work()
                }
            };
            records.push(Record { job, versions: versions_of(job), pairs: start..pairs.len(), stats });
        }
    }
}
