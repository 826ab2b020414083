//! A walk by one thread or several.
//!
//! Pairs of clusters are shared out in the order in which they were found, an equal share per thread, so that each stays
//! in one part of the bodies and few leaves are fetched twice. Shares are worked off in pieces, and a thread that has
//! finished its own helps with the next: a thread that is slow to wake up, or never does, delays nobody. Each thread adds
//! to an answer of its own; the answers are joined, and what leaves the library is sorted, so it does not depend on how
//! many threads there were.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::TreeSide;
use super::open::{Front, Span};
use super::small::are_small;
use super::walk::Answer;
use super::walk::{Question, Walker, Work, note_reached};
use crate::geom::lanes::{Instructions, dispatch};
use crate::threads;

/// Pairs of clusters that are worth another thread: they take some tens of microseconds.
const WORTH_A_THREAD: usize = 128;

/// Working memory of walks, reused from one to the next.
#[derive(Debug)]
pub(crate) struct WalkMemory<A> {
    front: Front,
    /// That of each thread; the first serves where there is but one.
    walkers: Vec<Worker<(Walker, Work), A>>,
}

impl<A> Default for WalkMemory<A> {
    fn default() -> Self {
        Self { front: Front::default(), walkers: Vec::new() }
    }
}

/// Hands all candidates of two bodies, or of a body and itself, to a question, and adds what follows to `answer`.
pub(crate) fn walk<Q: Question>(
    simd: Instructions,
    question: &Q,
    (a, b): (TreeSide<'_>, TreeSide<'_>),
    memory: &mut WalkMemory<Q::Answer>,
    answer: &mut Q::Answer,
) -> Work {
    let WalkMemory { front, walkers } = memory;
    if are_small(question, a, b) {
        walkers.resize_with(walkers.len().max(1), Worker::default);
        let work = walkers[0].memory.0.run_small(simd, question, (a, b), answer);
        a.tree.wear.note(work.leaf_pairs, work.candidates);
        b.tree.wear.note(work.leaf_pairs, work.candidates);
        return work;
    }
    let span = Span::Now { distance: question.within() };
    if Q::ONE_BODY {
        dispatch!(simd, simd => front.reach_self(simd, a, span, question.clear_nodes()));
    } else {
        dispatch!(simd, simd => front.reach(simd, a, b, span));
    }
    let mut work = walk_clusters(simd, question, (a, b), front.reached(), walkers, answer);
    work.box_tests += front.box_tests;
    a.tree.wear.note(work.leaf_pairs, work.candidates);
    if !Q::ONE_BODY {
        b.tree.wear.note(work.leaf_pairs, work.candidates);
    }
    work
}

fn walk_clusters<Q: Question>(
    simd: Instructions,
    question: &Q,
    sides: (TreeSide<'_>, TreeSide<'_>),
    clusters: &[(u32, u32)],
    walkers: &mut Vec<Worker<(Walker, Work), Q::Answer>>,
    answer: &mut Q::Answer,
) -> Work {
    let may_end_early = question.may_end_early();
    if !may_end_early {
        note_reached(sides, clusters);
    }
    let threads = if may_end_early { 1 } else { threads::for_work(clusters.len(), WORTH_A_THREAD) };
    let shares = Shares::new(clusters, threads, may_end_early);
    share_out(threads, walkers, answer, |share, (walker, work), answer| {
        *work = walker.run(simd, question, sides, (&shares, share), answer);
    });
    let mut work = Work::default();
    walkers[..threads].iter().for_each(|worker| work += worker.memory.1);
    work
}

/// What one thread that shares a walk needs, and its part of the answer.
#[derive(Debug, Default)]
pub(super) struct Worker<W, A> {
    memory: W,
    answer: A,
}

/// Has `walk` done by so many threads, each in memory of its own, and joins their answers in order.
pub(super) fn share_out<W: Default + Send, A: Answer>(
    threads: usize,
    workers: &mut Vec<Worker<W, A>>,
    answer: &mut A,
    walk: impl Fn(usize, &mut W, &mut A) + Sync,
) {
    workers.resize_with(workers.len().max(threads), Worker::default);
    if let [worker] = &mut workers[..threads] {
        return walk(0, &mut worker.memory, answer);
    }
    threads::each(threads, &mut workers[..threads], |share, Worker { memory, answer }| {
        answer.clear();
        walk(share, memory, answer);
    });
    workers[..threads].iter_mut().for_each(|worker| answer.append(&mut worker.answer));
}

/// Pairs of clusters in equal shares, each worked off from its start.
pub(super) struct Shares<'a> {
    clusters: &'a [(u32, u32)],
    count: usize,
    piece: usize,
    /// How much of each share has been taken.
    taken: [AtomicUsize; threads::MOST_THREADS],
}

impl<'a> Shares<'a> {
    pub(super) fn new(clusters: &'a [(u32, u32)], count: usize, may_end_early: bool) -> Self {
        // Small enough for the pairs of leaves to stay in the nearest cache; where one answer will do, not much larger
        // than what it takes to find one.
        let piece = if may_end_early { 4 } else { 64 };
        Self { clusters, count, piece, taken: [const { AtomicUsize::new(0) }; threads::MOST_THREADS] }
    }

    /// Another piece, of a thread's own share if something is left of it.
    pub(super) fn take(&self, own_share: usize) -> Option<&'a [(u32, u32)]> {
        let size = self.clusters.len().div_ceil(self.count);
        (own_share..own_share + self.count).map(|share| share % self.count).find_map(|share| {
            let start = share * size + self.taken[share].fetch_add(self.piece, Ordering::Relaxed);
            let end = self.clusters.len().min((share + 1) * size).min(start + self.piece);
            (start < end).then(|| &self.clusters[start..end])
        })
    }
}
