//! From pairs of leaves to pairs of triangles, by one thread or several.
//!
//! The pairs of leaves are shared out in one piece a thread, in the order the traversal found them, so that a thread
//! stays in one part of the bodies and fits few leaves that another fits too. Each appends to a list of its own; the
//! lists are joined, and what leaves the library is sorted, so the answer does not depend on how many there were.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};

use super::leaf::LeafCache;
use super::traverse::{self, Candidates};
use super::{Side, Tree, Wanted, build, triangle_lanes};
use crate::contact::{Stats, TrianglePair};

/// Pairs of leaves a thread must have to be worth waking: it takes some microseconds, a pair of leaves about a tenth of
/// one.
#[cfg(feature = "parallel")]
const WORTH_A_THREAD: usize = 256;

/// Working memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub(super) leaves_a: LeafCache,
    leaves_b: LeafCache,
    pub(super) candidates: Candidates,
    #[cfg(feature = "parallel")]
    found: Vec<TrianglePair>,
    #[cfg(feature = "parallel")]
    stats: Stats,
}

/// The working memory of the thread that asks.
pub(super) fn own(workers: &mut Vec<Worker>) -> &mut Worker {
    if workers.is_empty() {
        workers.push(Worker::default());
    }
    &mut workers[0]
}

/// Appends the pairs of triangles that meet in the given pairs of leaves.
pub(super) fn find_pairs(
    level: Level,
    sides: (Side<'_, Tree>, Side<'_, Tree>),
    leaves: &[(u32, u32)],
    wanted: Wanted,
    workers: &mut Vec<Worker>,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    #[cfg(feature = "parallel")]
    {
        let threads = rayon::current_num_threads().min(leaves.len() / WORTH_A_THREAD);
        if wanted == Wanted::All && threads > 1 {
            return by_threads(level, sides, leaves, threads, workers, found);
        }
    }
    let worker = own(workers);
    dispatch!(level, simd => worker.find(simd, sides, leaves, wanted, found))
}

#[cfg(feature = "parallel")]
fn by_threads(
    level: Level,
    sides: (Side<'_, Tree>, Side<'_, Tree>),
    leaves: &[(u32, u32)],
    threads: usize,
    workers: &mut Vec<Worker>,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    while workers.len() < threads {
        workers.push(Worker::default());
    }
    rayon::scope(|scope| {
        for (share, worker) in leaves.chunks(leaves.len().div_ceil(threads)).zip(&mut *workers) {
            scope.spawn(move |_| {
                let mut own = std::mem::take(&mut worker.found);
                own.clear();
                worker.stats = dispatch!(level, simd => worker.find(simd, sides, share, Wanted::All, &mut own));
                worker.found = own;
            });
        }
    });
    let mut stats = Stats::default();
    for worker in &workers[..threads] {
        found.extend_from_slice(&worker.found);
        stats += worker.stats;
    }
    stats
}

impl Worker {
    #[inline(always)]
    fn find<S: Simd>(
        &mut self,
        simd: S,
        (a, b): (Side<'_, Tree>, Side<'_, Tree>),
        leaves: &[(u32, u32)],
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        self.leaves_a.clear(a.tree.arrangement.leaf_count());
        self.leaves_b.clear(b.tree.arrangement.leaf_count());
        self.candidates.clear();
        let start = found.len();
        let mut stats = Stats::default();
        for &(leaf_a, leaf_b) in leaves {
            let (at_a, at_b) = (self.leaves_a.fetch(simd, a, leaf_a), self.leaves_b.fetch(simd, b, leaf_b));
            let (boxes_a, boxes_b) = ((at_a, self.leaves_a.boxes(at_a)), (at_b, self.leaves_b.boxes(at_b)));
            traverse::candidates(simd, boxes_a, boxes_b, 0, &mut self.candidates);
            if self.candidates.is_full() || wanted == Wanted::First {
                stats += self.test(simd, a, b, found);
                if wanted == Wanted::First && found.len() > start {
                    found.truncate(start + 1);
                    break;
                }
            }
        }
        stats += self.test(simd, a, b, found);
        stats.boxes_fitted += (build::WIDTH * (self.leaves_a.len() + self.leaves_b.len())) as u64;
        stats
    }

    /// Tests the candidates so far and starts a new list.
    #[inline(always)]
    fn test<S: Simd>(&mut self, simd: S, a: Side<'_, Tree>, b: Side<'_, Tree>, found: &mut Vec<TrianglePair>) -> Stats {
        let candidates = self.candidates.as_slice();
        let sides = ((a.tree, &self.leaves_a), (b.tree, &self.leaves_b));
        let exact_tests = triangle_lanes::test(simd, sides.0, sides.1, candidates, found);
        let stats = Stats { candidates: candidates.len() as u64, exact_tests, ..Stats::default() };
        self.candidates.clear();
        stats
    }
}
