//! A method with its trees, behind one type for all methods.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

use super::BodyId;
use super::onset::{Motion, Onset, Probe, search};
use super::parallel;
use super::per_frame::Pool;
use super::trees::{TreeSlot, Trees};
use crate::body::{Body, BodyError};
use crate::geom::{Aabb, TrianglePair};
use crate::narrow::Stats;
use crate::narrow::wide_tree::WideTree;
use crate::narrow::{PairMethod, Search, Side, Wanted};
use crate::tree::TreeSide;

/// Two bodies to ask about; a body and itself for self-collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Job {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
}

/// The body in a slot.
pub(super) type BodyIn<'a> = &'a (dyn Fn(u32) -> &'a Body + Sync);

/// The answers to some jobs, one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) pairs: Vec<TrianglePair>,
    /// For each job where its pairs end, and how much work it was.
    pub(super) ends: Vec<(usize, Stats)>,
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.ends.clear();
    }

    /// The pairs of a job, by its index among the jobs.
    pub(super) fn of(&self, at: usize) -> (&[TrianglePair], Stats) {
        let start = if at == 0 { 0 } else { self.ends[at - 1].0 };
        let (end, stats) = self.ends[at];
        (&self.pairs[start..end], stats)
    }
}

/// What a scene asks of a method, whatever its trees are.
pub(super) trait Engine: Debug + Send + Sync {
    fn insert(&mut self, slot: u32, body: &Body);
    fn remove(&mut self, slot: u32);
    /// Brings trees up to date with their bodies; `slots` are sorted, each once. `near` has, by slot, a box that holds all
    /// that a body will be asked against.
    fn update(&mut self, slots: &[u32], body_in: BodyIn<'_>, near: &[Aabb]);
    /// A copy, for `Scene: Clone`.
    fn boxed_clone(&self) -> Box<dyn Engine>;
    /// Appends the pairs of each job, sorted, and what became of it.
    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut Found);
    /// Searches for the time of first contact of two bodies, or of one with itself, between the last frame and this one.
    ///
    /// Bodies come with their slots, whose trees are refitted to the times in between.
    fn onset(
        &self,
        a: (u32, &Body),
        b: Option<(u32, &Body)>,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<Onset>, BodyError>;
}

/// The wide tree, and the method as a second engine unless it is the wide tree.
pub(super) fn engines(method: impl PairMethod) -> (Runner<WideTree>, Option<Box<dyn Engine>>) {
    match method.as_wide_tree().cloned() {
        Some(wide) => (Runner::new(wide), None),
        None => (Runner::new(WideTree::default()), Some(Box::new(Runner::new(method)))),
    }
}

/// A method with its trees.
#[derive(Debug)]
pub(super) struct Runner<M: PairMethod> {
    pub(super) method: M,
    pub(super) trees: Trees<M::Tree>,
    /// Whether, since the last update, trees were asked about more than the neighbourhood of other bodies. Then they are kept
    /// tight everywhere for the next frame, which will be asked about in the same way; a tree that is loose gives the same
    /// answers, but later.
    asked_elsewhere: AtomicBool,
    /// Working memory: the slots whose trees are behind.
    behind: Vec<u32>,
    /// Working memory of queries: one for each thread that shares a query, the first where there is but one.
    memories: Pool<Vec<Memory<M>>>,
}

/// Working memory of one thread.
#[derive(Debug)]
pub(super) struct Memory<M: PairMethod> {
    search: Search<M>,
    /// What it found, where several threads share the jobs.
    pub(super) found: Found,
    /// Which of the jobs these are the answers to.
    pub(super) jobs: Vec<usize>,
}

impl<M: PairMethod> Memory<M> {
    fn new() -> Self {
        Self { search: Search::default(), found: Found::default(), jobs: Vec::new() }
    }

    /// Appends the pairs of a job, sorted.
    pub(super) fn find(
        &mut self,
        (method, trees): (&M, &Trees<M::Tree>),
        job: Job,
        body_in: BodyIn<'_>,
        wanted: Wanted,
        found: &mut Found,
    ) {
        let mut stats = Stats::default();
        let kept_a = trees.read(job.a.slot());
        if let Some(kept_a) = &*kept_a {
            let a = Side { body: body_in(job.a.slot()), tree: &kept_a.tree };
            if job.a == job.b {
                stats = self.search.self_pairs(method, a, wanted, &mut found.pairs);
            } else if let Some(kept_b) = &*trees.read(job.b.slot()) {
                let b = Side { body: body_in(job.b.slot()), tree: &kept_b.tree };
                stats = self.search.pairs(method, (a, b), wanted, &mut found.pairs);
            }
        }
        found.ends.push((found.pairs.len(), stats));
    }
}

impl<M: PairMethod> Runner<M> {
    pub(super) fn new(method: M) -> Self {
        Self {
            method,
            trees: Trees::default(),
            asked_elsewhere: AtomicBool::new(false),
            behind: Vec::new(),
            memories: Pool::default(),
        }
    }

    /// Lends working memory for so many threads.
    pub(super) fn with_memories<T>(&self, threads: usize, query: impl FnOnce(&mut [Memory<M>]) -> T) -> T {
        self.memories.lend(|memories| {
            while memories.len() < threads {
                memories.push(Memory::new());
            }
            query(&mut memories[..threads])
        })
    }
}

impl<M: PairMethod> Clone for Runner<M> {
    fn clone(&self) -> Self {
        Self { trees: self.trees.clone(), ..Self::new(self.method.clone()) }
    }
}

/// Brings one tree up to date.
pub(super) fn update_tree<M: PairMethod>(method: &M, slot: &mut TreeSlot<M::Tree>, body: &Body, near: Option<&Aabb>) {
    if let Some(kept) = slot.get_mut() {
        kept.update(method, body, near);
    }
}

impl Runner<WideTree> {
    /// Lends two bodies with their trees, or one twice, brought up to date if they are behind.
    pub(super) fn with_sides<T>(
        &self,
        (slot_a, a): (u32, &Body),
        (slot_b, b): (u32, &Body),
        ask: impl FnOnce(TreeSide<'_>, TreeSide<'_>) -> T,
    ) -> Option<T> {
        self.asked_elsewhere.store(true, Ordering::Relaxed);
        self.trees.bring_up_to_date(slot_a, &self.method, a);
        self.trees.bring_up_to_date(slot_b, &self.method, b);
        let kept_a = self.trees.read(slot_a);
        let side_a = TreeSide { body: a, tree: &kept_a.as_ref()?.tree };
        if slot_a == slot_b {
            return Some(ask(side_a, side_a));
        }
        let kept_b = self.trees.read(slot_b);
        Some(ask(side_a, TreeSide { body: b, tree: &kept_b.as_ref()?.tree }))
    }
}

impl<M: PairMethod> Engine for Runner<M> {
    fn insert(&mut self, slot: u32, body: &Body) {
        self.trees.insert(slot, &self.method, body);
    }

    fn remove(&mut self, slot: u32) {
        self.trees.clear(slot);
    }

    fn update(&mut self, slots: &[u32], body_in: BodyIn<'_>, near: &[Aabb]) {
        let Self { method, trees, behind, asked_elsewhere, .. } = self;
        let near = if std::mem::take(asked_elsewhere.get_mut()) { None } else { Some(near) };
        behind.clear();
        behind.extend(slots.iter().filter(|&&slot| trees.slots[slot as usize].is_behind(body_in(slot))));
        if parallel::update(method, &mut trees.slots, behind, body_in, near) {
            return;
        }
        for &slot in behind.iter() {
            update_tree(method, &mut trees.slots[slot as usize], body_in(slot), near.map(|near| &near[slot as usize]));
        }
    }

    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut Found) {
        if parallel::find(self, jobs, body_in, wanted, found) {
            return;
        }
        self.with_memories(1, |memories| {
            for &job in jobs {
                memories[0].find((&self.method, &self.trees), job, body_in, wanted, found);
            }
        });
    }

    fn onset(
        &self,
        a: (u32, &Body),
        b: Option<(u32, &Body)>,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<Onset>, BodyError> {
        let probe = |(slot, body): (u32, &Body)| Probe::new(body.clone(), self.trees.copy(slot, &self.method, body));
        search(&self.method, probe(a), b.map(probe), tolerance, motion)
    }
}
