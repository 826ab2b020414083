//! A method with its trees, behind one type for all methods.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

use super::jobs::{BodyIn, Found, Job, WORTH_A_THREAD, Worker, answer};
use super::per_frame::Pool;
use super::trees::{TreeSlot, Trees};
use crate::body::{Body, BodyError};
use crate::geom::{Aabb, BodyId, TrianglePair};
use crate::motion::onset::{Onset, Probe, search};
use crate::narrow::Stats;
use crate::narrow::wide_tree::WideTree;
use crate::narrow::{PairMethod, Search, Side, Wanted};
use crate::threads;
use crate::tree::TreeSide;

/// The pairs of some jobs, and how much work each was.
pub(super) type FoundPairs = Found<TrianglePair, Stats>;

/// What a scene asks of a method, whatever its trees are.
pub(super) trait Engine: Debug + Send + Sync {
    fn insert(&mut self, slot: u32, body: &Body);
    fn remove(&mut self, slot: u32);
    /// Brings trees up to date with their bodies; `slots` are sorted, each once. `near` has, by slot, a box that holds all
    /// that a body will be asked against.
    fn update(&mut self, slots: &[u32], body_in: BodyIn<'_>, near: &[Aabb]);
    fn boxed_clone(&self) -> Box<dyn Engine>;
    /// Appends the pairs of each job, sorted, and what became of it.
    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut FoundPairs);
    /// Searches for the time of first contact of two bodies, or of one with itself, between the last frame and this one.
    ///
    /// Copies of their trees are refitted to the times in between.
    fn onset(
        &self,
        a: (BodyId, &Body),
        b: Option<(BodyId, &Body)>,
        tolerance: f64,
    ) -> Result<Option<Onset>, (BodyId, BodyError)>;
}

impl Clone for Box<dyn Engine> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
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
    workers: Pool<Vec<Worker<Search<M>, FoundPairs>>>,
}

impl<M: PairMethod> Runner<M> {
    pub(super) fn new(method: M) -> Self {
        Self {
            method,
            trees: Trees::default(),
            asked_elsewhere: AtomicBool::new(false),
            behind: Vec::new(),
            workers: Pool::default(),
        }
    }

    /// Appends the pairs of a job, sorted.
    fn find_pairs(
        &self,
        job: Job,
        body_in: BodyIn<'_>,
        wanted: Wanted,
        search: &mut Search<M>,
        found: &mut FoundPairs,
    ) {
        let (method, mut stats) = (&self.method, Stats::default());
        if let Some(kept_a) = &*self.trees.read(job.a.slot()) {
            let a = Side { body: body_in(job.a.slot()), tree: &kept_a.tree };
            if job.is_self() {
                stats = search.self_pairs(method, a, wanted, &mut found.list);
            } else if let Some(kept_b) = &*self.trees.read(job.b.slot()) {
                let b = Side { body: body_in(job.b.slot()), tree: &kept_b.tree };
                stats = search.pairs(method, (a, b), wanted, &mut found.list);
            }
        }
        found.end_job(stats);
    }
}

impl<M: PairMethod> Clone for Runner<M> {
    fn clone(&self) -> Self {
        Self { trees: self.trees.clone(), ..Self::new(self.method.clone()) }
    }
}

impl Runner<WideTree> {
    /// As [`find`](Engine::find) for the pairs of one body, whose tree is brought up to date if it is behind.
    pub(super) fn find_self(&self, job: Job, body_in: BodyIn<'_>, wanted: Wanted, found: &mut FoundPairs) {
        self.asked_elsewhere.store(true, Ordering::Relaxed);
        self.trees.bring_up_to_date(job.a.slot(), &self.method, body_in(job.a.slot()));
        self.find(&[job], body_in, wanted, found);
    }

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
        let triangles: usize = behind.iter().map(|&slot| body_in(slot).mesh().triangles().len()).sum();
        let update = |slot: u32, tree: &mut TreeSlot<M::Tree>| {
            if let Some(kept) = tree.get_mut() {
                kept.update(method, body_in(slot), near.map(|near| &near[slot as usize]));
            }
        };
        let threads = threads::for_work(triangles, WORTH_A_THREAD);
        // Bodies are taken to be about alike; where they are not, rayon lets an idle thread take over.
        let parts = if threads > 1 { triangles / M::UPDATES_WORTH_A_THREAD } else { 1 };
        // Nothing is done beside it if there is too little to share; but a thread wakes up, which the query will need.
        threads::join(threads, || threads::each_at(parts, behind, &mut trees.slots, &update), || ());
    }

    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn find(&self, jobs: &[Job], body_in: BodyIn<'_>, wanted: Wanted, found: &mut FoundPairs) {
        let ask = |job: Job, search: &mut _, found: &mut _| self.find_pairs(job, body_in, wanted, search, found);
        self.workers.lend(|workers| answer(jobs, body_in, workers, found, ask));
    }

    fn onset(
        &self,
        a: (BodyId, &Body),
        b: Option<(BodyId, &Body)>,
        tolerance: f64,
    ) -> Result<Option<Onset>, (BodyId, BodyError)> {
        let (trees, method) = (&self.trees, &self.method);
        let (tree_a, tree_b) = (trees.copy(a.0.slot(), method, a.1), b.map(|b| trees.copy(b.0.slot(), method, b.1)));
        search(method, Probe::new(a, tree_a), b.zip(tree_b).map(|(b, tree)| Probe::new(b, tree)), tolerance)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::body::Edit;
    use crate::geom::TriangleId;
    use crate::mesh::Mesh;
    use crate::narrow::wide_tree::{Scratch, Tree, WideTree};
    use crate::narrow::{Flow, PairTest, SelfTest};

    /// A method that counts the trees it builds.
    #[derive(Clone, Debug, Default)]
    struct Counting {
        method: WideTree,
        built: Arc<AtomicUsize>,
    }

    impl PairMethod for Counting {
        type Tree = Tree;
        type Scratch = Scratch;

        fn build(&self, body: &Body) -> Tree {
            self.built.fetch_add(1, Ordering::Relaxed);
            self.method.build(body)
        }

        fn update(&self, tree: &mut Tree, body: &Body) {
            self.method.update(tree, body);
        }

        fn find_pairs(
            &self,
            a: Side<'_, Tree>,
            b: Side<'_, Tree>,
            scratch: &mut Scratch,
            test: &mut PairTest<'_>,
        ) -> Flow {
            self.method.find_pairs(a, b, scratch, test)
        }

        fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
            self.method.find_self_pairs(side, scratch, test)
        }
    }

    /// Two triangles in the plane of height z.
    fn sheet(z: f32) -> Body {
        let corners = [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z], [1.0, 1.0, z]];
        Body::new(Mesh::new(4, vec![[0, 1, 2], [2, 1, 3]]).unwrap(), &corners).unwrap()
    }

    #[test]
    fn a_search_builds_no_tree_unless_the_triangles_have_changed() {
        let counting = Counting::default();
        let built = || counting.built.load(Ordering::Relaxed);
        let mut runner = Runner::new(counting.clone());
        let (fixed, mut moving) = (sheet(0.0), sheet(1.0));
        runner.insert(0, &fixed);
        runner.insert(1, &moving);
        assert_eq!(built(), 2);
        // From 1 to −1, into the fixed sheet after half of the step; one corner stays above it, so that they go on meeting.
        moving.set_positions(&[[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 0.5f32]]).unwrap();
        let id = |slot: u32| BodyId { slot, generation: 0, scene: 0 };
        let onset = runner.onset((id(0), &fixed), Some((id(1), &moving)), 1e-3).unwrap().unwrap();
        assert!(onset.last_free.unwrap() < 0.5 && (0.5..0.502).contains(&onset.in_contact), "{onset:?}");
        assert_eq!(built(), 2, "the trees were refitted");
        moving.edit(&Edit { remove: vec![TriangleId(0)], ..Edit::default() }).unwrap();
        runner.onset((id(0), &fixed), Some((id(1), &moving)), 1e-3).unwrap().unwrap();
        assert_eq!(built(), 3, "of the body that was edited there is a new one");
    }
}
