//! What every method but the wide tree does with its candidates: the leaf test, which a search is handed.
//!
//! A search hands its candidates over one by one or in groups; they are collected and decided eight at a time, by the
//! same test that the wide tree uses (`exact::quick`), and what f32 cannot decide exactly. A search of one body against
//! itself need not know how two triangles are related (`self_pair`): those that share a vertex are decided with the fan of
//! that vertex, after the search or beside it.
//!
//! Where one pair is wanted, candidates are decided as they come.

use std::ops::ControlFlow::{self, Break, Continue};

use glam::Vec4;

use super::limit::{cut, shorten};
use super::neighbours::{self, Doubtful};
use super::self_pair::{Relation, Relations, STEPS_PER_SELF_PAIR, collide, keep_with_area, meet_unrounded};
use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::exact::{Verdict, corners_meet, decide, meet};
use crate::geom::lanes::{Instructions, Simd, Triangle8, WIDTH, bits, chosen_simd, dispatch};
use crate::geom::{TriangleId, TrianglePair, sort_pairs};
use crate::narrow::Stats;
use crate::threads;
use crate::tree::{ClearHubs, Flat};
use crate::work::{STEPS_PER_EXACT_TEST, spend};

/// Whether a search goes on: it leaves, with `?`, as soon as nothing more is wanted.
pub type Flow = ControlFlow<()>;

/// Asks a method about bodies, without a scene; keeps the memory that the method and the leaf test work in.
#[derive(Debug)]
pub struct Search<M: PairMethod> {
    scratch: M::Scratch,
    leaf: LeafMemory,
    hubs: ClearHubs,
    sorting: Vec<TrianglePair>,
}

impl<M: PairMethod> Default for Search<M> {
    fn default() -> Self {
        Self {
            scratch: M::Scratch::default(),
            leaf: LeafMemory::default(),
            hubs: ClearHubs::default(),
            sorting: Vec::new(),
        }
    }
}

impl<M: PairMethod> Search<M> {
    /// Appends the pairs of triangles of two bodies that share a point, sorted. Both trees must be up to date.
    pub fn pairs(
        &mut self,
        method: &M,
        (a, b): (Side<'_, M::Tree>, Side<'_, M::Tree>),
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let start = found.len();
        let mut test = PairTest::new((a.body, b.body), wanted, &mut self.leaf, found);
        // A search that broke off has what was wanted.
        let _ = method.find_pairs(a, b, &mut self.scratch, &mut test);
        let stats = if M::DECIDES_ITSELF { test.stats } else { test.finish() };
        in_order(stats, wanted, start, found, &mut self.sorting)
    }

    /// Appends the pairs of triangles of one body that collide by the rule of [`crate::exact::self_pair_meets`], sorted.
    /// The tree must be up to date.
    pub fn self_pairs(
        &mut self,
        method: &M,
        side: Side<'_, M::Tree>,
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let start = found.len();
        self.hubs.find(side.body);
        let mut test = SelfTest::new(side.body, wanted, &self.hubs, &mut self.leaf, found);
        let _ = method.find_self_pairs(side, &mut self.scratch, &mut test);
        let stats = if M::DECIDES_ITSELF { test.pairs.stats } else { test.finish() };
        in_order(stats, wanted, start, found, &mut self.sorting)
    }
}

/// Drops what is not wanted of a list from `start` on and sorts the rest; `spare` is working memory. One function for all methods.
#[inline(never)]
fn in_order(
    mut stats: Stats,
    wanted: Wanted,
    start: usize,
    found: &mut Vec<TrianglePair>,
    spare: &mut Vec<TrianglePair>,
) -> Stats {
    if wanted == Wanted::First {
        found.truncate(start + 1);
    }
    stats.pairs_left_out += cut(found, start, wanted.most());
    sort_pairs(&mut found[start..], spare);
    debug_assert!(found[start..].is_sorted_by(|a, b| a < b), "a candidate was handed over twice");
    stats
}

/// Working memory of the leaf test: its own, and that of the threads that share a search.
#[derive(Debug, Default)]
struct LeafMemory {
    batch: Batch,
    doubtful: Doubtful,
    shared: Vec<Shared>,
}

/// Memory and answer of one of the threads that share a search.
#[derive(Debug, Default)]
struct Shared {
    memory: LeafMemory,
    found: Vec<TrianglePair>,
    stats: Stats,
    broke_off: bool,
}

/// Takes in the candidates of a search of two bodies ([`PairMethod::find_pairs`]) and decides them.
///
/// Candidates that do not meet cost time and never change the answer; one that is handed over twice is listed twice.
#[derive(Debug)]
pub struct PairTest<'a> {
    bodies: (&'a Body, &'a Body),
    wanted: Wanted,
    simd: Instructions,
    batch: &'a mut Batch,
    shared: &'a mut Vec<Shared>,
    found: &'a mut Vec<TrianglePair>,
    /// Where the pairs of this search start.
    start: usize,
    stats: Stats,
}

impl<'a> PairTest<'a> {
    fn new(
        bodies: (&'a Body, &'a Body),
        wanted: Wanted,
        memory: &'a mut LeafMemory,
        found: &'a mut Vec<TrianglePair>,
    ) -> Self {
        let LeafMemory { batch, shared, .. } = memory;
        batch.start(bodies.0.rounding().max(bodies.1.rounding()));
        Self { bodies, wanted, simd: chosen_simd(), batch, shared, start: found.len(), found, stats: Stats::default() }
    }

    /// Takes in two triangles whose boxes overlap, of the first body and of the second.
    #[inline]
    pub fn candidate(&mut self, a: TriangleId, b: TriangleId) -> Flow {
        self.stats.candidates += 1;
        self.take(a.0, b.0)
    }

    #[inline]
    pub(super) fn take(&mut self, i: u32, j: u32) -> Flow {
        let corners_a = corners(self.bodies.0, i);
        let corners_b = corners(self.bodies.1, j);
        if self.wanted == Wanted::First {
            let meets = if self.batch.rounding == 0.0 {
                corners_meet(&corners_a, &corners_b)
            } else {
                meet_unrounded(self.bodies, (i, j))
            };
            if meets {
                self.found.push(TrianglePair::new(i, j));
                return Break(());
            }
        } else if self.batch.push((i, j), corners_a, corners_b) {
            self.decide();
        }
        Continue(())
    }

    /// What is wanted of the search.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// How many threads may share `items` pieces of work, if `worth_one` pieces justify waking a thread. Where one pair is
    /// wanted it is 1: one thread finds it before another is awake.
    pub fn threads_for(&self, items: usize, worth_one: usize) -> usize {
        if self.wanted == Wanted::First { 1 } else { threads::for_work(items, worth_one) }
    }

    /// Has `work` done once for every worker, on as many threads, each with a test of its own.
    pub fn share<W: Send>(
        &mut self,
        workers: &mut [W],
        work: impl Fn(usize, &mut W, &mut PairTest<'_>) -> Flow + Sync,
    ) -> Flow {
        if let [worker] = workers {
            return work(0, worker, self);
        }
        let (bodies, wanted) = (self.bodies, self.wanted);
        self.share_out(workers, |nth, worker, memory, found| {
            let mut test = PairTest::new(bodies, wanted, memory, found);
            let flow = work(nth, worker, &mut test);
            (flow, test.finish())
        })
    }

    fn share_out<W: Send>(
        &mut self,
        workers: &mut [W],
        work: impl Fn(usize, &mut W, &mut LeafMemory, &mut Vec<TrianglePair>) -> (Flow, Stats) + Sync,
    ) -> Flow {
        if self.shared.len() < workers.len() {
            self.shared.resize_with(workers.len(), Shared::default);
        }
        let shared = &mut self.shared[..workers.len()];
        threads::each_beside(
            workers.len(),
            workers,
            shared,
            |nth, worker, Shared { memory, found, stats, broke_off }| {
                found.clear();
                let flow;
                (flow, *stats) = work(nth, worker, memory, found);
                *broke_off = flow.is_break();
            },
        );
        let mut flow = Continue(());
        for one in shared {
            self.found.append(&mut one.found);
            self.stats += one.stats;
            if one.broke_off {
                flow = Break(());
            }
        }
        flow
    }

    /// The counts of this search, for the method to add to.
    pub fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }

    /// What is wanted, the list and the counts, for methods that decide by themselves.
    pub(super) fn direct(&mut self) -> (Wanted, &mut Vec<TrianglePair>, &mut Stats) {
        (self.wanted, self.found, &mut self.stats)
    }

    /// The instructions to use.
    pub(super) fn simd(&self) -> Instructions {
        self.simd
    }

    fn decide(&mut self) {
        self.stats.exact_tests += self.batch.decide(self.simd, self.bodies, self.found);
        self.stats.pairs_left_out += shorten(self.found, self.start, self.wanted.most());
    }

    /// Decides what is left.
    fn finish(mut self) -> Stats {
        self.decide();
        self.stats
    }
}

/// Takes in the candidates of a search of one body against itself ([`PairMethod::find_self_pairs`]) and decides them.
///
/// Triangles that share a vertex may be handed over, or not: those whose boxes would always overlap are decided
/// with the fan of their vertex, without the search.
#[derive(Debug)]
pub struct SelfTest<'a> {
    pairs: PairTest<'a>,
    pub(super) relations: Relations<'a>,
    hubs: &'a ClearHubs,
    /// Memory to decide the neighbours in; nothing where another thread, or the method, decides them.
    neighbours: Option<&'a mut Doubtful>,
}

impl<'a> SelfTest<'a> {
    fn new(
        body: &'a Body,
        wanted: Wanted,
        hubs: &'a ClearHubs,
        LeafMemory { batch, shared, doubtful }: &'a mut LeafMemory,
        found: &'a mut Vec<TrianglePair>,
    ) -> Self {
        batch.start(body.rounding());
        let (simd, start, stats) = (chosen_simd(), found.len(), Stats::default());
        let pairs = PairTest { bodies: (body, body), wanted, simd, batch, shared, found, start, stats };
        Self { pairs, relations: Relations::of(body.mesh()), hubs, neighbours: Some(doubtful) }
    }

    /// Takes in two triangles whose boxes overlap, in either order.
    #[inline]
    pub fn candidate(&mut self, a: TriangleId, b: TriangleId) -> Flow {
        self.pairs.stats.candidates += 1;
        match self.relations.between(a.0, b.0) {
            Relation::Apart => self.candidate_apart(a.0, b.0),
            _ => self.candidate_sharing(a.0, b.0),
        }
    }

    /// What is wanted of the search.
    pub fn wanted(&self) -> Wanted {
        self.pairs.wanted
    }

    /// As [`PairTest::threads_for`].
    pub fn threads_for(&self, items: usize, worth_one: usize) -> usize {
        self.pairs.threads_for(items, worth_one)
    }

    /// As [`PairTest::share`].
    pub fn share<W: Send>(
        &mut self,
        workers: &mut [W],
        work: impl Fn(usize, &mut W, &mut SelfTest<'_>) -> Flow + Sync,
    ) -> Flow {
        if let [worker] = workers {
            return work(0, worker, self);
        }
        let (body, wanted, hubs) = (self.pairs.bodies.0, self.pairs.wanted, self.hubs);
        // Neighbours are decided once, by whoever has the first share.
        let mut decides_neighbours = self.neighbours.take().is_some();
        decides_neighbours &= !workers.is_empty();
        self.pairs.share_out(workers, |nth, worker, memory, found| {
            let mut test = SelfTest::new(body, wanted, hubs, memory, found);
            if nth > 0 || !decides_neighbours {
                test.neighbours = None;
            }
            let flow = work(nth, worker, &mut test);
            (flow, test.finish())
        })
    }

    /// The counts of this search, for the method to add to.
    pub fn stats(&mut self) -> &mut Stats {
        &mut self.pairs.stats
    }

    /// What is wanted, the list and the counts, for methods that decide by themselves, neighbours too.
    pub(super) fn direct(&mut self) -> (Wanted, &mut Vec<TrianglePair>, &mut Stats) {
        self.neighbours = None;
        self.pairs.direct()
    }

    /// Hubs whose triangles lie side by side, and the memory to decide the neighbours in: they are then up to the caller.
    pub(super) fn take_neighbours(&mut self) -> (&'a ClearHubs, Option<&'a mut Doubtful>) {
        (self.hubs, self.neighbours.take())
    }

    /// The instructions to use.
    pub(super) fn simd(&self) -> Instructions {
        self.pairs.simd
    }

    /// Takes in a candidate of two triangles that share no vertex; breaks off once nothing more is wanted.
    #[inline]
    pub(super) fn candidate_apart(&mut self, i: u32, j: u32) -> Flow {
        if self.pairs.wanted == Wanted::First {
            return self.candidate_by_itself(i, j);
        }
        let body = self.pairs.bodies.0;
        if self.pairs.batch.push((i, j), corners(body, i), corners(body, j)) {
            self.decide();
        }
        Continue(())
    }

    /// Takes in a candidate of two triangles that share a vertex; breaks off once nothing more is wanted.
    #[cold]
    pub(super) fn candidate_sharing(&mut self, i: u32, j: u32) -> Flow {
        let mesh = self.pairs.bodies.0.mesh();
        let triangle = |number: u32| mesh.indices()[number as usize];
        match self.relations.between(i, j) {
            Relation::InOneFan => Continue(()),
            Relation::Sharing if self.hubs.clears(mesh.fans(), triangle(i), triangle(j)) => Continue(()),
            _ => self.candidate_by_itself(i, j),
        }
    }

    /// Whether all triangles of two groups share a hub at which they lie side by side, so that none collide.
    pub(super) fn are_clear(
        &self,
        mut a: impl Iterator<Item = u32> + Clone,
        mut b: impl Iterator<Item = u32> + Clone,
    ) -> bool {
        if self.hubs.is_empty() {
            return false;
        }
        let mesh = self.pairs.bodies.0.mesh();
        let triangle = |number: u32| mesh.indices()[number as usize];
        let (Some(i), Some(j)) = (a.next(), b.next()) else { return true };
        let mut decided = self.hubs.clearing(mesh.fans(), triangle(i), triangle(j));
        decided.any(|hub| a.clone().chain(b.clone()).all(|number| triangle(number).contains(&hub)))
    }

    #[cold]
    fn candidate_by_itself(&mut self, i: u32, j: u32) -> Flow {
        self.pairs.stats.exact_tests += 1;
        spend(STEPS_PER_SELF_PAIR);
        let found = &mut self.pairs.found;
        found.extend(collide(self.pairs.bodies.0, i, j));
        if self.pairs.wanted == Wanted::First && found.len() > self.pairs.start { Break(()) } else { Continue(()) }
    }

    fn decide(&mut self) {
        let PairTest { bodies, wanted, simd, batch, found, start, stats, .. } = &mut self.pairs;
        let before = found.len();
        stats.exact_tests += batch.decide(*simd, *bodies, found);
        keep_with_area(bodies.0, before, found);
        stats.pairs_left_out += shorten(found, *start, wanted.most());
    }

    /// Decides what is left, then the neighbours; unless one pair is wanted and there is one.
    fn finish(mut self) -> Stats {
        self.decide();
        let PairTest { bodies: (body, _), wanted, simd, found, start, mut stats, .. } = self.pairs;
        // Neighbours hardly ever collide: they come last.
        let is_done = wanted == Wanted::First && found.len() > start;
        if let Some(doubtful) = self.neighbours.filter(|_| !is_done) {
            let decided = neighbours::find_pairs(simd, (body, Flat::default()), wanted, doubtful, found);
            stats.exact_tests += decided.one_by_one;
            stats.degenerate += decided.without_area;
        }
        stats
    }
}

/// The corners of a triangle, with anything for fourth coordinates.
#[inline]
fn corners(body: &Body, triangle: u32) -> [Vec4; 3] {
    body.mesh().indices()[triangle as usize].map(|vertex| body.vertices().four(vertex))
}

/// Up to eight candidates with their corners.
#[derive(Debug)]
struct Batch {
    triangles: [(u32, u32); WIDTH],
    corners_a: [[Vec4; 3]; WIDTH],
    corners_b: [[Vec4; 3]; WIDTH],
    len: usize,
    /// How far the corners may be off.
    rounding: f32,
}

impl Default for Batch {
    fn default() -> Self {
        let corners = [[Vec4::ZERO; 3]; WIDTH];
        Self { triangles: [(0, 0); WIDTH], corners_a: corners, corners_b: corners, len: 0, rounding: 0.0 }
    }
}

impl Batch {
    /// Begins a search among corners that may be off by `rounding`.
    fn start(&mut self, rounding: f32) {
        (self.len, self.rounding) = (0, rounding);
    }

    /// Takes in a candidate; returns whether the batch is full and has to be decided.
    #[inline]
    fn push(&mut self, triangles: (u32, u32), corners_a: [Vec4; 3], corners_b: [Vec4; 3]) -> bool {
        // The remainder only spares a check: a full batch is decided at once.
        let lane = self.len % WIDTH;
        self.triangles[lane] = triangles;
        (self.corners_a[lane], self.corners_b[lane]) = (corners_a, corners_b);
        self.len += 1;
        self.len == WIDTH
    }

    /// Appends the pairs that meet and empties the batch; returns how many f32 could not decide.
    #[inline(never)]
    fn decide(&mut self, simd: Instructions, bodies: (&Body, &Body), found: &mut Vec<TrianglePair>) -> u64 {
        // Lanes that are not in use hold what was there before.
        let in_use = (1u32 << self.len) - 1;
        if in_use == 0 {
            return 0;
        }
        let mut verdict = dispatch!(simd, simd => self.verdict(simd));
        let undecided = verdict.undecided & in_use;
        spend(self.len + STEPS_PER_EXACT_TEST * undecided.count_ones() as usize);
        self.len = 0;
        for lane in bits(undecided) {
            let meets = if self.rounding == 0.0 {
                decide(&self.corners_a[lane], &self.corners_b[lane])
            } else {
                meet_unrounded(bodies, self.triangles[lane])
            };
            verdict.meets |= u32::from(meets) << lane;
        }
        for lane in bits(verdict.meets & in_use) {
            let (i, j) = self.triangles[lane];
            found.push(TrianglePair::new(i, j));
        }
        u64::from(undecided.count_ones())
    }

    #[inline(always)]
    fn verdict<S: Simd>(&self, simd: S) -> Verdict {
        let a = Triangle8::gather(simd, self.corners_a.each_ref());
        let b = Triangle8::gather(simd, self.corners_b.each_ref());
        meet(&a, &b, self.rounding)
    }
}
