//! A method with its trees, behind one type for all methods.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use super::BodyId;
use super::onset::{Motion, Onset, search};
#[cfg(feature = "parallel")]
use super::parallel;
use crate::body::{Body, BodyError};
use crate::contact::{Stats, TrianglePair, sort_pairs};
use crate::narrow::brute::BruteForce;
use crate::narrow::hybrid_tree::HybridTree;
use crate::narrow::local_tree::LocalTree;
use crate::narrow::wide_tree::WideTree;
use crate::narrow::{Method, PairMethod, Side, Wanted};

/// Two bodies to ask about; a body and itself for self-collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Job {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
}

/// A tree that is behind its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stale {
    pub(super) slot: u32,
    /// Whether the triangles have changed too.
    pub(super) has_other_triangles: bool,
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
    /// Brings trees up to date with their bodies; they are named in the order of their slots, each once.
    fn update(&mut self, stale: &[Stale], body_in: BodyIn<'_>);
    /// Appends the pairs of each job, sorted, and what became of it.
    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut Found);
    /// Searches for the time of first contact of two bodies, or of one with itself, between the last frame and this one.
    fn onset(&self, a: &Body, b: Option<&Body>, tolerance: f64, motion: Motion<'_>)
    -> Result<Option<Onset>, BodyError>;
}

pub(super) fn engine(method: Method) -> Box<dyn Engine> {
    match method {
        Method::BruteForce => Box::new(Runner::new(BruteForce)),
        Method::HybridTree(options) => Box::new(Runner::new(HybridTree { options })),
        Method::BucketTree(method) => Box::new(Runner::new(method)),
        Method::GjkCut(method) => Box::new(Runner::new(method)),
        Method::LocalTree(options) => Box::new(Runner::new(LocalTree { options })),
        Method::WideTree(options) => Box::new(Runner::new(WideTree { options })),
    }
}

#[derive(Debug)]
pub(super) struct Runner<M: PairMethod> {
    pub(super) method: M,
    pub(super) trees: Trees<M>,
    /// Working memory that no query uses at the moment.
    pub(super) spare: Mutex<Vec<Memories<M>>>,
}

/// Working memory of one query: one for each thread that shares it, the first where there is but one.
pub(super) type Memories<M> = Vec<Memory<M>>;

/// The trees by the slots of their bodies.
pub(super) type Trees<M> = Vec<Option<<M as PairMethod>::Tree>>;

/// Working memory of one thread.
#[derive(Debug)]
pub(super) struct Memory<M: PairMethod> {
    scratch: M::Scratch,
    spare: Vec<TrianglePair>,
    /// What it found, where several threads share the jobs.
    #[cfg(feature = "parallel")]
    pub(super) found: Found,
    /// Which of the jobs these are the answers to.
    #[cfg(feature = "parallel")]
    pub(super) jobs: Vec<usize>,
}

impl<M: PairMethod> Memory<M> {
    fn new() -> Self {
        Self {
            scratch: M::Scratch::default(),
            spare: Vec::new(),
            #[cfg(feature = "parallel")]
            found: Found::default(),
            #[cfg(feature = "parallel")]
            jobs: Vec::new(),
        }
    }

    /// Appends the pairs of a job, sorted.
    pub(super) fn find(
        &mut self,
        (method, trees): (&M, &Trees<M>),
        job: Job,
        body_in: BodyIn<'_>,
        wanted: Wanted,
        found: &mut Found,
    ) {
        let start = found.pairs.len();
        let mut stats = Stats::default();
        if let (Some(tree_a), Some(tree_b)) = (&trees[job.a.index()], &trees[job.b.index()]) {
            let a = Side { body: body_in(job.a.slot()), tree: tree_a };
            let b = Side { body: body_in(job.b.slot()), tree: tree_b };
            stats = if job.a == job.b {
                method.find_self_pairs(a, wanted, &mut self.scratch, &mut found.pairs)
            } else {
                method.find_pairs(a, b, wanted, &mut self.scratch, &mut found.pairs)
            };
            sort_pairs(&mut found.pairs[start..], &mut self.spare);
        }
        found.ends.push((found.pairs.len(), stats));
    }
}

impl<M: PairMethod> Runner<M> {
    pub(super) fn new(method: M) -> Self {
        Self { method, trees: Vec::new(), spare: Mutex::default() }
    }

    /// Lends working memory for so many threads.
    pub(super) fn with_memories<T>(&self, threads: usize, query: impl FnOnce(&mut [Memory<M>]) -> T) -> T {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memories = spare().pop().unwrap_or_default();
        while memories.len() < threads {
            memories.push(Memory::new());
        }
        let answer = query(&mut memories[..threads]);
        spare().push(memories);
        answer
    }
}

/// Brings one tree up to date.
pub(super) fn update_tree<M: PairMethod>(method: &M, tree: &mut Option<M::Tree>, stale: Stale, body: &Body) {
    match tree {
        Some(tree) if stale.has_other_triangles => method.rebuild(tree, body),
        Some(tree) => method.update(tree, body),
        None => {}
    }
}

impl<M: PairMethod> Engine for Runner<M> {
    fn insert(&mut self, slot: u32, body: &Body) {
        let slot = slot as usize;
        if self.trees.len() <= slot {
            self.trees.resize_with(slot + 1, || None);
        }
        self.trees[slot] = Some(self.method.build(body));
    }

    fn remove(&mut self, slot: u32) {
        self.trees[slot as usize] = None;
    }

    fn update(&mut self, stale: &[Stale], body_in: BodyIn<'_>) {
        #[cfg(feature = "parallel")]
        if parallel::update(&self.method, &mut self.trees, stale, body_in) {
            return;
        }
        for &stale in stale {
            update_tree(&self.method, &mut self.trees[stale.slot as usize], stale, body_in(stale.slot));
        }
    }

    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut Found) {
        #[cfg(feature = "parallel")]
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
        a: &Body,
        b: Option<&Body>,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<Onset>, BodyError> {
        search(&self.method, a, b, tolerance, motion)
    }
}
