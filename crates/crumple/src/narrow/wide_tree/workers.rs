//! From pairs of clusters to pairs of triangles, by one thread or several.
//!
//! A thread opens some pairs of clusters into pairs of leaves, fetches those, and tests what their boxes leave over. The
//! pairs of clusters are shared out in the order the traversal found them, an equal share a thread, so that each stays in
//! one part of the bodies and few leaves are fetched twice. Shares are worked off in pieces, and who is done helps the
//! next: a thread that is slow to wake up, or never does, holds nobody up. Each thread appends to a list of its own; the
//! lists are joined, and what leaves the library is sorted, so the answer does not depend on how many there were.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};

use super::cluster::ClusterCache;
use super::leaf::LeafCache;
use super::self_pairs::{self, Connectivity};
use super::traverse::{self, Candidates, Opening};
use super::{Side, Tree, Wanted, build, triangle_lanes};
use crate::contact::{Stats, TrianglePair};

/// Pairs of clusters a thread must have to be worth waking: they take some tens of microseconds.
#[cfg(feature = "parallel")]
const WORTH_A_THREAD: usize = 128;

/// More do not help: the lists are joined by one.
const MOST_THREADS: usize = 64;

/// Two bodies, or one against itself.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) a: Side<'a, Tree>,
    pub(super) b: Side<'a, Tree>,
    /// Of one body, which of its triangles are neighbours.
    pub(super) own: Option<&'a Connectivity>,
}

impl Asked<'_> {
    /// Notes in the trees which clusters are reached.
    fn note_reached(&self, clusters: &[(u32, u32)]) {
        for &(a, b) in clusters {
            self.a.tree.note_reached(a);
            self.b.tree.note_reached(b);
        }
    }
}

/// Which of two places of memory is the second body's: of one body there is need for but one.
#[inline(always)]
fn second(own: bool) -> usize {
    usize::from(!own)
}

/// Working memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    clusters: [ClusterCache; 2],
    leaf_pairs: Vec<(u32, u32)>,
    leaves: [LeafCache; 2],
    candidates: Candidates,
    #[cfg(feature = "parallel")]
    found: Vec<TrianglePair>,
    #[cfg(feature = "parallel")]
    work: Work,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) stats: Stats,
    pub(super) leaf_pairs: usize,
    /// Pairs of triangles that were appended.
    pub(super) found: usize,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.stats += other.stats;
        self.leaf_pairs += other.leaf_pairs;
        self.found += other.found;
    }
}

/// Appends the pairs of triangles that meet in the given pairs of clusters.
pub(super) fn find_pairs(
    level: Level,
    asked: Asked<'_>,
    clusters: &[(u32, u32)],
    wanted: Wanted,
    workers: &mut Vec<Worker>,
    found: &mut Vec<TrianglePair>,
) -> Work {
    if wanted == Wanted::All {
        asked.note_reached(clusters);
    }
    #[cfg(feature = "parallel")]
    {
        let threads = rayon::current_num_threads().min(clusters.len() / WORTH_A_THREAD).min(MOST_THREADS);
        if wanted == Wanted::All && threads > 1 {
            return by_threads(level, asked, clusters, threads, workers, found);
        }
    }
    if workers.is_empty() {
        workers.push(Worker::default());
    }
    let shares = Shares::new(clusters, 1, wanted);
    workers[0].run(level, asked, (&shares, 0), wanted, found)
}

#[cfg(feature = "parallel")]
fn by_threads(
    level: Level,
    asked: Asked<'_>,
    clusters: &[(u32, u32)],
    threads: usize,
    workers: &mut Vec<Worker>,
    found: &mut Vec<TrianglePair>,
) -> Work {
    while workers.len() < threads {
        workers.push(Worker::default());
    }
    let shares = &Shares::new(clusters, threads, Wanted::All);
    rayon::scope(|scope| {
        for (share, worker) in workers[..threads].iter_mut().enumerate() {
            scope.spawn(move |_| {
                let mut own = std::mem::take(&mut worker.found);
                own.clear();
                worker.work = worker.run(level, asked, (shares, share), Wanted::All, &mut own);
                worker.found = own;
            });
        }
    });
    let mut work = Work::default();
    for worker in &workers[..threads] {
        found.extend_from_slice(&worker.found);
        work += worker.work;
    }
    work
}

/// Pairs of clusters in equal shares, each worked off from its start.
struct Shares<'a> {
    clusters: &'a [(u32, u32)],
    count: usize,
    piece: usize,
    /// How much of each share has been taken.
    taken: [AtomicUsize; MOST_THREADS],
}

impl<'a> Shares<'a> {
    fn new(clusters: &'a [(u32, u32)], count: usize, wanted: Wanted) -> Self {
        // Small enough for the pairs of leaves to stay in the nearest cache; where one pair will do, not much larger than
        // what it takes to find one.
        let piece = if wanted == Wanted::First { 4 } else { 64 };
        Self { clusters, count, piece, taken: [const { AtomicUsize::new(0) }; MOST_THREADS] }
    }

    /// Another piece, of a thread's own share if there is one.
    fn take(&self, own: usize) -> Option<&'a [(u32, u32)]> {
        let size = self.clusters.len().div_ceil(self.count);
        (own..own + self.count).map(|share| share % self.count).find_map(|share| {
            let start = share * size + self.taken[share].fetch_add(self.piece, Ordering::Relaxed);
            let end = self.clusters.len().min((share + 1) * size).min(start + self.piece);
            (start < end).then(|| &self.clusters[start..end])
        })
    }
}

impl Worker {
    fn run(
        &mut self,
        level: Level,
        asked: Asked<'_>,
        shares: (&Shares<'_>, usize),
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
    ) -> Work {
        // Compiled apart: what one body needs beside two would spread out the code of the inner loops.
        if asked.own.is_some() {
            dispatch!(level, simd => self.find::<_, true>(simd, asked, shares, wanted, found))
        } else {
            dispatch!(level, simd => self.find::<_, false>(simd, asked, shares, wanted, found))
        }
    }

    #[inline(always)]
    fn find<S: Simd, const OWN: bool>(
        &mut self,
        simd: S,
        asked: Asked<'_>,
        (shares, own): (&Shares<'_>, usize),
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
    ) -> Work {
        for (cache, tree) in self.clusters.iter_mut().zip([asked.a.tree, asked.b.tree]) {
            cache.clear(tree.arrangement.cluster_count());
        }
        for (cache, tree) in self.leaves.iter_mut().zip([asked.a.tree, asked.b.tree]) {
            cache.clear(tree.arrangement.leaf_count());
        }
        self.candidates.clear();
        let start = found.len();
        let mut work = Work::default();
        loop {
            let clusters = shares.take(own);
            if wanted == Wanted::First {
                // Only what is opened: the next frame's query, too, will hardly get further.
                asked.note_reached(clusters.unwrap_or_default());
            }
            self.open::<_, OWN>(simd, asked, clusters.unwrap_or_default());
            work.stats.box_tests += (clusters.map_or(0, <[_]>::len) * build::WIDTH * build::WIDTH) as u64;
            work.leaf_pairs += self.leaf_pairs.len();
            let mut held = 0;
            loop {
                held = self.hold_against_each_other::<_, OWN>(simd, asked, held);
                let is_done = held == self.leaf_pairs.len();
                // Candidates of several pieces fill the lanes better, where all are wanted.
                if is_done && clusters.is_some() && wanted == Wanted::All {
                    break;
                }
                self.test::<_, OWN>(simd, asked, found, &mut work.stats);
                if is_done || (wanted == Wanted::First && found.len() > start) {
                    break;
                }
            }
            if clusters.is_none() || (wanted == Wanted::First && found.len() > start) {
                break;
            }
        }
        if wanted == Wanted::First {
            found.truncate(start + 1);
        }
        work.found = found.len() - start;
        work.stats.boxes_fitted += (build::WIDTH * (self.leaves[0].len() + self.leaves[1].len())) as u64;
        work
    }

    /// Opens pairs of clusters into pairs of leaves.
    #[inline(always)]
    fn open<S: Simd, const OWN: bool>(&mut self, simd: S, asked: Asked<'_>, clusters: &[(u32, u32)]) {
        let Self { clusters: [clusters_a, clusters_b], leaf_pairs, .. } = self;
        leaf_pairs.clear();
        let (tree_a, tree_b) = (asked.a.tree, asked.b.tree);
        let opening = Opening::new(0, tree_a, tree_b);
        let are_kept = tree_a.keeps_leaves() && tree_b.keeps_leaves();
        for &(a, b) in clusters {
            let boxes = if are_kept {
                (&tree_a.levels[0][a as usize], &tree_b.levels[0][b as usize])
            } else {
                (clusters_a.fetch(simd, asked.a, a), clusters_b.fetch(simd, asked.b, b))
            };
            opening.open(simd, (a, b), boxes, leaf_pairs);
        }
        if OWN {
            // A cluster against itself finds every pair twice; keep the ones in order.
            leaf_pairs.retain(|&(a, b)| a <= b);
        }
    }

    /// Finds the candidates of pairs of leaves, from some pair on until there is no room for more; returns how far it got.
    #[inline(always)]
    fn hold_against_each_other<S: Simd, const OWN: bool>(&mut self, simd: S, asked: Asked<'_>, from: usize) -> usize {
        let Self { leaf_pairs, leaves, candidates, .. } = self;
        let second = second(OWN);
        for (at, &(a, b)) in leaf_pairs.iter().enumerate().skip(from) {
            if candidates.is_full() {
                return at;
            }
            let (at_a, at_b) = (leaves[0].fetch(simd, asked.a, a), leaves[second].fetch(simd, asked.b, b));
            let left_out = match asked.own {
                Some(connectivity) if OWN => connectivity.left_out(a, b),
                _ => 0,
            };
            let boxes = (leaves[0].boxes(at_a), leaves[second].boxes(at_b));
            traverse::candidates(simd, (at_a, boxes.0), (at_b, boxes.1), left_out, candidates);
        }
        leaf_pairs.len()
    }

    /// Tests the candidates so far and starts a new list.
    #[inline(always)]
    fn test<S: Simd, const OWN: bool>(
        &mut self,
        simd: S,
        asked: Asked<'_>,
        found: &mut Vec<TrianglePair>,
        stats: &mut Stats,
    ) {
        let Self { leaves, candidates, .. } = self;
        stats.candidates += candidates.as_slice().len() as u64;
        if OWN {
            stats.exact_tests += self_pairs::decide_sharing(asked.a, &leaves[0], candidates, found);
        }
        let start = found.len();
        let sides = ((asked.a.tree, &leaves[0]), (asked.b.tree, &leaves[second(OWN)]));
        stats.exact_tests += triangle_lanes::test(simd, sides.0, sides.1, candidates.as_slice(), found);
        if OWN {
            self_pairs::keep_with_area(asked.a.body, start, found);
        }
        candidates.clear();
    }
}
