//! Which bodies are asked about together, and how many such questions are answered, by several threads if it is worth it.
//!
//! Every question about a frame goes this way: a broad phase gives the pairs of bodies that come near enough ([`Within`]);
//! each of them, and each body that is asked about itself, is a [`Job`]; [`answer`] shares the jobs among threads and puts
//! the answers together in the order of the jobs, so that they are the same at any number of threads.
//!
//! The pool is the one the caller is in, or rayon's own. Work is shared only where there is enough of it: to wake a
//! thread takes some microseconds. What a job does may be shared out by itself; where there are several jobs for each
//! thread, that is left to it only within its job.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::table::Table;
use super::{BodyId, Entry, Scene, SceneError};
use crate::body::{Body, TakenIn};
use crate::broad::{Auto, BroadPhase};
use crate::geom::Aabb;
use crate::threads;

/// Triangles of the smaller bodies of jobs that are worth another thread: they take some tens of microseconds, several
/// times what it takes to wake one.
pub(super) const WORTH_A_THREAD: usize = 8_192;

/// Two bodies to ask about; a body and itself for self-collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Job {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
}

impl Job {
    /// Two bodies in either order.
    pub(super) fn of(one: BodyId, other: BodyId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }

    pub(super) fn is_self(&self) -> bool {
        self.a == self.b
    }
}

/// How near bodies must come to be asked about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Within {
    /// Their boxes overlap in this frame, as far as they are known.
    Touching,
    /// They may be closer than this in this frame.
    Distance(f64),
    /// They may come as close as their thicknesses say at any time of the step that leads to this frame.
    Step,
}

impl Within {
    /// A box that overlaps the box of every body that comes so near. Except for touching, a body known only by its loose
    /// box takes no part.
    fn bounds(self, entry: &Entry) -> Aabb {
        let bounds = entry.body.bounds();
        match self {
            Self::Touching => entry.bounds(),
            _ if entry.loose.is_some() => Aabb::EMPTY,
            Self::Distance(d) => {
                // What f64 rounds in the distance of two features, see `crate::distance`, is far less than that. Vertices may
                // lie outside the box of their copies, of which half is added on every side.
                let size = bounds.extent().into_iter().fold(0.0, f32::max);
                let outside = 2.0 * f64::from(entry.body.rounding());
                grown(bounds, d + (f64::from(size) + d) * 2f64.powi(-45) + outside)
            }
            Self::Step => grown(bounds.union(&entry.body.previous_bounds()), kept_clear(entry)),
        }
    }

    /// Whether two bodies whose boxes overlap come so near, as far as boxes can say.
    fn may_meet(self, a: &Entry, b: &Entry) -> bool {
        match self {
            Self::Touching => a.bounds().overlaps(&b.bounds()),
            Self::Distance(_) => true,
            Self::Step => !stay_apart(a, b),
        }
    }
}

/// The jobs of a question that looks farther than this frame's boxes; working memory.
#[derive(Debug, Default)]
pub(super) struct JobFinder {
    broad: Auto,
    jobs: Vec<Job>,
}

impl JobFinder {
    /// The bodies that are asked about themselves, and the pairs that come near enough; sorted.
    pub(super) fn find(&mut self, scene: &Scene, within: Within) -> &[Job] {
        let Self { broad, jobs } = self;
        let (bodies, filter) = (&scene.bodies, &scene.filter);
        jobs.clear();
        for (id, entry) in bodies.iter() {
            broad.put(id.slot(), within.bounds(entry));
            if entry.loose.is_none() && entry.settings.asks_itself {
                jobs.push(Job { a: id, b: id });
            }
        }
        for &(slot_a, slot_b) in broad.pairs() {
            let (Some(a), Some(b)) = (bodies.id_in(slot_a), bodies.id_in(slot_b)) else { continue };
            let (entry_a, entry_b) = (bodies.in_slot(slot_a), bodies.in_slot(slot_b));
            if !filter.leaves_out((a, entry_a), (b, entry_b)) && within.may_meet(entry_a, entry_b) {
                jobs.push(Job { a, b });
            }
        }
        jobs.sort_unstable();
        jobs
    }
}

impl Scene {
    /// Finds the jobs of this frame, and makes sure of the vertices of their bodies.
    ///
    /// Departs from [`JobFinder::find`]: the broad phase is the caller's choice and keeps what has not changed; and `read`
    /// gives the vertices of bodies known only by a loose box.
    pub(super) fn find_jobs(
        &mut self,
        mut read: impl FnMut(BodyId, BodyId, &mut Entry) -> Result<TakenIn, SceneError>,
    ) -> Result<(), SceneError> {
        let Self { broad, bodies, filter, jobs, boxes_changed, moved, .. } = self;
        // From the lowest slot on: a broad phase takes no slot that lies far beyond those it knows.
        boxes_changed.sort_unstable_by_key(|id| std::cmp::Reverse(id.slot()));
        while let Some(&id) = boxes_changed.last() {
            // A body may have been removed since.
            if let Ok(entry) = bodies.get_mut(id) {
                let set = broad.set(id.slot(), Within::Touching.bounds(entry));
                set.map_err(|source| SceneError::BroadPhase { body: id, source })?;
                entry.box_changed = false;
            }
            boxes_changed.pop();
        }
        let mut make_known = |id: BodyId, near: BodyId, entry: &mut Entry| {
            if entry.loose.is_some() {
                let taken = read(id, near, entry)?;
                if entry.accept(&taken) {
                    moved.push(id);
                }
                entry.box_changed = true;
                boxes_changed.push(id);
            }
            Ok(())
        };
        let are_near =
            |bodies: &Table<Entry>, a: BodyId, b: BodyId| Ok(Within::Touching.may_meet(bodies.get(a)?, bodies.get(b)?));
        jobs.clear();
        for (id, entry) in bodies.iter_mut() {
            if entry.settings.asks_itself {
                make_known(id, id, entry)?;
                jobs.push(Job { a: id, b: id });
            }
        }
        for &(slot_a, slot_b) in broad.pairs() {
            let (Some(a), Some(b)) = (bodies.id_in(slot_a), bodies.id_in(slot_b)) else { continue };
            if filter.leaves_out((a, bodies.get(a)?), (b, bodies.get(b)?)) {
                continue;
            }
            // A loose box may come near where the body itself, once it is read, does not. The broad phase keeps such a
            // box for this frame: hence the boxes are compared again before each reading.
            for (id, near) in [(a, b), (b, a)] {
                if are_near(bodies, a, b)? {
                    make_known(id, near, bodies.get_mut(id)?)?;
                }
            }
            if are_near(bodies, a, b)? {
                jobs.push(Job { a, b });
            }
        }
        jobs.sort_unstable();
        Ok(())
    }

    /// Answers jobs one by one or by several threads, see [`answer`].
    pub(super) fn answer_jobs<M: Default + Send, F: Gathered>(
        &self,
        jobs: &[Job],
        workers: &mut Vec<Worker<M, F>>,
        found: &mut F,
        ask: impl Fn(Job, [&Body; 2], &mut M, &mut F) + Sync,
    ) {
        let body = |id: BodyId| &self.bodies.in_slot(id.slot()).body;
        answer(jobs, &|slot| &self.bodies.in_slot(slot).body, workers, found, |job, memory, found| {
            ask(job, [body(job.a), body(job.b)], memory, found);
        });
    }
}

/// The thickness of a body, and twice as much as its vertices may lie outside the box of their copies if they are f64
/// numbers: the other body may have a thickness.
fn kept_clear(entry: &Entry) -> f64 {
    entry.settings.thickness + 2.0 * f64::from(entry.body.rounding().max(entry.body.previous_rounding()))
}

/// A box with room for half a thickness on every side, rounded outwards.
fn grown(bounds: Aabb, thickness: f64) -> Aabb {
    if thickness == 0.0 || bounds.is_empty() {
        return bounds;
    }
    let moved = |x: f32, by: f64| f64::from(x) + by;
    Aabb::new(
        bounds.min().map(|x| (moved(x, -0.5 * thickness) as f32).next_down()),
        bounds.max().map(|x| (moved(x, 0.5 * thickness) as f32).next_up()),
    )
}

/// Whether two bodies are on the same side of each other along one axis at both ends of the step, farther than they must
/// be.
fn stay_apart(a: &Entry, b: &Entry) -> bool {
    let ends = |entry: &Entry| [entry.body.previous_bounds(), entry.body.bounds()].map(|x| grown(x, kept_clear(entry)));
    let ([start_a, end_a], [start_b, end_b]) = (ends(a), ends(b));
    (0..3).any(|axis| {
        (start_a.max()[axis] < start_b.min()[axis] && end_a.max()[axis] < end_b.min()[axis])
            || (start_b.max()[axis] < start_a.min()[axis] && end_b.max()[axis] < end_a.min()[axis])
    })
}

/// What jobs add up to, in their order.
pub(super) trait Gathered: Default + Send {
    fn clear(&mut self);

    /// Takes over what `other` has of a job, the one of this index among those it was asked; it is asked for each once, in
    /// order.
    fn take_over(&mut self, job: Job, other: &mut Self, index: usize);
}

/// Lists, one per job, one after another.
#[derive(Clone, Debug)]
pub(super) struct Found<T, S = ()> {
    pub(super) list: Vec<T>,
    /// For each job where its part of the list ends, and what else is known of it.
    pub(super) ends: Vec<(usize, S)>,
}

impl<T, S> Default for Found<T, S> {
    fn default() -> Self {
        Self { list: Vec::new(), ends: Vec::new() }
    }
}

impl<T, S: Copy> Found<T, S> {
    /// What was found for a job, by its index.
    pub(super) fn of(&self, index: usize) -> (&[T], S) {
        let start = if index == 0 { 0 } else { self.ends[index - 1].0 };
        let (end, more) = self.ends[index];
        (&self.list[start..end], more)
    }

    /// Ends the part of a job.
    pub(super) fn end_job(&mut self, more: S) {
        self.ends.push((self.list.len(), more));
    }
}

impl<T: Copy + Send, S: Copy + Send> Gathered for Found<T, S> {
    fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }

    fn take_over(&mut self, _: Job, other: &mut Self, index: usize) {
        let (part, more) = other.of(index);
        self.list.extend_from_slice(part);
        self.end_job(more);
    }
}

/// One value for each of some jobs, in memory that is used again.
#[derive(Debug)]
pub(super) struct Records<T> {
    /// Those in use come first, sorted; the others are memory for more.
    list: Vec<(Job, T)>,
    used: usize,
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Self { list: Vec::new(), used: 0 }
    }
}

/// Memory does not go along.
impl<T: Clone> Clone for Records<T> {
    fn clone(&self) -> Self {
        Self { list: self.used().to_vec(), used: self.used }
    }
}

impl<T> Records<T> {
    pub(super) fn used(&self) -> &[(Job, T)] {
        &self.list[..self.used]
    }

    pub(super) fn used_mut(&mut self) -> &mut [(Job, T)] {
        &mut self.list[..self.used]
    }

    pub(super) fn get(&self, job: Job) -> Option<&T> {
        Some(&self.list[self.index(job)?].1)
    }

    fn index(&self, job: Job) -> Option<usize> {
        self.used().binary_search_by_key(&job, |record| record.0).ok()
    }
}

impl<T: Default> Records<T> {
    /// Adds the value of the next job, if `fill` says that there is one.
    pub(super) fn add(&mut self, job: Job, fill: impl FnOnce(&mut T) -> bool) {
        if self.used == self.list.len() {
            self.list.push((job, T::default()));
        }
        let record = &mut self.list[self.used];
        record.0 = job;
        self.used += usize::from(fill(&mut record.1));
    }
}

impl<T: Default + Send> Gathered for Records<T> {
    fn clear(&mut self) {
        self.used = 0;
    }

    fn take_over(&mut self, job: Job, other: &mut Self, _: usize) {
        if let Some(index) = other.index(job) {
            self.add(job, |value| {
                std::mem::swap(value, &mut other.list[index].1);
                true
            });
        }
    }
}

/// The body in a slot.
pub(super) type BodyIn<'a> = &'a (dyn Fn(u32) -> &'a Body + Sync);

/// What one thread needs to answer jobs.
#[derive(Debug, Default)]
pub(super) struct Worker<M, F> {
    /// Working memory.
    memory: M,
    /// Where several threads share the jobs: what it found, and for which of them.
    found: F,
    jobs: Vec<usize>,
}

/// Calls `ask` with every job, by as many threads as are worth it, and adds what it finds to `found` in the order of the jobs.
pub(super) fn answer<M: Default + Send, F: Gathered>(
    jobs: &[Job],
    body_in: BodyIn<'_>,
    workers: &mut Vec<Worker<M, F>>,
    found: &mut F,
    ask: impl Fn(Job, &mut M, &mut F) + Sync,
) {
    let threads = threads_for(jobs, body_in);
    workers.resize_with(workers.len().max(threads), Worker::default);
    if let [worker] = &mut workers[..threads] {
        return jobs.iter().for_each(|&job| ask(job, &mut worker.memory, found));
    }
    let next = AtomicUsize::new(0);
    // Jobs are taken in small pieces, since one may be a hundred times another.
    let piece = (jobs.len() / (16 * threads)).max(1);
    threads::each(threads, &mut workers[..threads], |_, Worker { memory, found, jobs: taken }| {
        found.clear();
        taken.clear();
        loop {
            let start = next.fetch_add(piece, Ordering::Relaxed);
            if start >= jobs.len() {
                break;
            }
            for at in start..jobs.len().min(start + piece) {
                taken.push(at);
                ask(jobs[at], memory, found);
            }
        }
    });
    // Every thread took its jobs in order: the next one is at the head of one of the lists.
    let mut heads = [0; threads::MOST_THREADS];
    for (at, &job) in jobs.iter().enumerate() {
        for (worker, head) in workers.iter_mut().zip(&mut heads) {
            if worker.jobs.get(*head) == Some(&at) {
                found.take_over(job, &mut worker.found, *head);
                *head += 1;
                break;
            }
        }
    }
}

/// How many threads may share jobs.
fn threads_for(jobs: &[Job], body_in: BodyIn<'_>) -> usize {
    // Several jobs for each thread, or one that takes long leaves the others idle.
    let most = jobs.len() / 4;
    if most < 2 || threads::available() < 2 {
        return 1;
    }
    let triangles = |id: BodyId| body_in(id.slot()).mesh().triangles().len();
    let smaller = jobs.iter().map(|job| triangles(job.a).min(triangles(job.b)));
    threads::for_work(smaller.sum(), WORTH_A_THREAD).min(most)
}
