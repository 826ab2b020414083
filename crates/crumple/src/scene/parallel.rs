//! Many bodies, several threads: trees are brought up to date side by side, and so are jobs answered.
//!
//! The pool is the one the caller is in, or rayon's own. Work is shared only where there is enough of it: to wake a
//! thread takes some microseconds. Answers are put together in the order of the jobs, so they are the same at any number
//! of threads. A method may share out the work of one job among threads by itself; where there are several jobs for each
//! thread, that is left to it only within its job.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::engine::{BodyIn, Found, Job, Memory, Runner, update_tree};
use super::trees::TreeSlot;
use crate::geom::Aabb;
use crate::narrow::{PairMethod, Wanted};
use crate::threads;

/// Triangles of the smaller bodies of jobs that are worth another thread: they take some tens of microseconds, several
/// times what it takes to wake one.
const WORTH_A_THREAD: usize = 8_192;

/// Brings trees up to date by several threads; says whether it did.
pub(super) fn update<M: PairMethod>(
    method: &M,
    trees: &mut [TreeSlot<M::Tree>],
    behind: &[u32],
    body_in: BodyIn<'_>,
    near: Option<&[Aabb]>,
) -> bool {
    let triangles: usize = behind.iter().map(|&slot| body_in(slot).mesh().triangles().len()).sum();
    if threads::for_work(triangles, WORTH_A_THREAD) < 2 {
        return false;
    }
    // Nothing is done beside it if there is too little to share; but a thread wakes up, which the query will need.
    threads::join(2, || update_halves(method, (0, trees), behind, (body_in, near), triangles), || ());
    true
}

/// Halves the trees, which begin with slot `first`, until there is too little work left to share.
fn update_halves<M: PairMethod>(
    method: &M,
    (first, trees): (usize, &mut [TreeSlot<M::Tree>]),
    behind: &[u32],
    (body_in, near): (BodyIn<'_>, Option<&[Aabb]>),
    triangles: usize,
) {
    if behind.len() < 2 || triangles < 2 * M::UPDATES_WORTH_A_THREAD {
        for &slot in behind {
            let near = near.map(|near| &near[slot as usize]);
            update_tree(method, &mut trees[slot as usize - first], body_in(slot), near);
        }
        return;
    }
    let (before, after) = behind.split_at(behind.len() / 2);
    let middle = after[0] as usize;
    let (left, right) = trees.split_at_mut(middle - first);
    // Bodies are taken to be about alike; where they are not, rayon lets an idle thread take over.
    threads::join(
        2,
        || update_halves(method, (first, left), before, (body_in, near), triangles / 2),
        || update_halves(method, (middle, right), after, (body_in, near), triangles / 2),
    );
}

/// Answers jobs by several threads; says whether it did.
pub(super) fn find<M: PairMethod>(
    runner: &Runner<M>,
    jobs: &[Job],
    body_in: BodyIn<'_>,
    wanted: Wanted,
    found: &mut Found,
) -> bool {
    let smaller = |job: &Job| {
        let triangles = |slot: u32| body_in(slot).mesh().triangles().len();
        triangles(job.a.slot()).min(triangles(job.b.slot()))
    };
    // Several jobs for each thread, or one that takes long leaves the others idle.
    let most = jobs.len() / 4;
    if most < 2 || threads::available() < 2 {
        return false;
    }
    let threads = threads::for_work(jobs.iter().map(smaller).sum(), WORTH_A_THREAD).min(most);
    if threads < 2 {
        return false;
    }
    runner.with_memories(threads, |memories| share(runner, memories, jobs, body_in, wanted, found));
    true
}

/// Answers jobs by as many threads as there are memories.
fn share<M: PairMethod>(
    runner: &Runner<M>,
    memories: &mut [Memory<M>],
    jobs: &[Job],
    body_in: BodyIn<'_>,
    wanted: Wanted,
    found: &mut Found,
) {
    let (method, trees, threads) = (&runner.method, &runner.trees, memories.len());
    let next = AtomicUsize::new(0);
    // Jobs are taken in small pieces, since one may be a hundred times another.
    let piece = (jobs.len() / (16 * threads)).max(1);
    threads::each(threads, memories, |_, memory| {
        let mut own = std::mem::take(&mut memory.found);
        own.clear();
        memory.jobs.clear();
        loop {
            let start = next.fetch_add(piece, Ordering::Relaxed);
            if start >= jobs.len() {
                break;
            }
            for at in start..jobs.len().min(start + piece) {
                memory.jobs.push(at);
                memory.find((method, trees), jobs[at], body_in, wanted, &mut own);
            }
        }
        memory.found = own;
    });
    // Every thread took its jobs in order: the next one is at the head of one of the lists.
    let mut heads = [0; threads::MOST];
    for at in 0..jobs.len() {
        for (memory, head) in memories.iter().zip(&mut heads) {
            if memory.jobs.get(*head) == Some(&at) {
                let (pairs, stats) = memory.found.of(*head);
                found.pairs.extend_from_slice(pairs);
                found.ends.push((found.pairs.len(), stats));
                *head += 1;
                break;
            }
        }
    }
}
