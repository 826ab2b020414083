//! A method with its trees, behind one type for all methods.

use std::fmt::Debug;

use super::BodyId;
use super::first_contact::{FirstContact, Motion, search};
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

/// What a scene asks of a method, whatever its trees are.
pub(super) trait Engine: Debug + Send + Sync {
    fn insert(&mut self, slot: u32, body: &Body);
    fn remove(&mut self, slot: u32);
    fn update(&mut self, slot: u32, body: &Body);
    /// Takes in a body whose triangles have changed.
    fn rebuild(&mut self, slot: u32, body: &Body);
    /// Appends the pairs of a job, sorted.
    fn find(&mut self, job: Job, a: &Body, b: &Body, wanted: Wanted, found: &mut Vec<TrianglePair>) -> Stats;
    /// Searches for the time of first contact of two bodies, or of one with itself, between the last frame and this one.
    fn first_contact(
        &self,
        a: &Body,
        b: Option<&Body>,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<FirstContact>, BodyError>;
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
    method: M,
    trees: Vec<Option<M::Tree>>,
    scratch: M::Scratch,
    spare: Vec<TrianglePair>,
}

impl<M: PairMethod> Runner<M> {
    pub(super) fn new(method: M) -> Self {
        Self { method, trees: Vec::new(), scratch: M::Scratch::default(), spare: Vec::new() }
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

    fn update(&mut self, slot: u32, body: &Body) {
        if let Some(tree) = &mut self.trees[slot as usize] {
            self.method.update(tree, body);
        }
    }

    fn rebuild(&mut self, slot: u32, body: &Body) {
        if let Some(tree) = &mut self.trees[slot as usize] {
            self.method.rebuild(tree, body);
        }
    }

    fn find(&mut self, job: Job, a: &Body, b: &Body, wanted: Wanted, found: &mut Vec<TrianglePair>) -> Stats {
        let tree = |id: BodyId| self.trees[id.index()].as_ref();
        let (Some(tree_a), Some(tree_b)) = (tree(job.a), tree(job.b)) else { return Stats::default() };
        let start = found.len();
        let (a, b) = (Side { body: a, tree: tree_a }, Side { body: b, tree: tree_b });
        let stats = if job.a == job.b {
            self.method.find_self_pairs(a, wanted, &mut self.scratch, found)
        } else {
            self.method.find_pairs(a, b, wanted, &mut self.scratch, found)
        };
        sort_pairs(&mut found[start..], &mut self.spare);
        stats
    }

    fn first_contact(
        &self,
        a: &Body,
        b: Option<&Body>,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<FirstContact>, BodyError> {
        search(&self.method, a, b, tolerance, motion)
    }
}
