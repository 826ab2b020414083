//! Answers a query: by one thread, or by several that share the node pairs of a front.
//!
//! Departs from the paper, which has one processor. The trees are opened breadth first, as far as boxes were fitted
//! before the query (`refit`), until there are enough pairs of nodes for every thread. Threads then take them in small
//! pieces, since one may be a hundred times the work of another. Each fits what it needs below into its own memory
//! (`late`) and adds to its own list; the lists are joined, and what leaves the library is sorted, so that it does not
//! depend on how many threads there were.
//!
//! Held by: `tests/agreement/hybrid_tree.rs`, for several numbers of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::late::{Late, number};
use super::traverse::{Open, Reached, Walk};
use super::{Side, Tree, Wanted};
use crate::geom::TrianglePair;
use crate::narrow::Stats;
use crate::narrow::groups::Item;
use crate::narrow::pair_test::{PairTest, SelfTest, TestMemory};
use crate::threads;

/// Node pairs of the front that are worth another thread: they take some tens of microseconds.
const WORTH_A_THREAD: usize = 128;

/// Working memory of a query.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The node pairs that are shared out, and those below them while they are found.
    front: Open,
    below: Open,
    /// The triangles of a body that is asked about itself, in the order of its tree.
    items: Vec<Item>,
    /// One per thread; the first serves where there is but one.
    workers: Vec<Worker>,
}

/// Working memory of one thread.
#[derive(Debug, Default)]
struct Worker {
    open: Open,
    reached: Reached,
    late: [Late; 2],
    test: TestMemory,
    found: Vec<TrianglePair>,
    stats: Stats,
}

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(
    (a, b): (Side<'_, Tree>, Side<'_, Tree>),
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    scratch.share::<false>((a, b), wanted, found, |_, worker, pieces, found| {
        let Worker { open, reached, late, test, .. } = worker;
        let mut walk = Walk::<false> { a, b, late, reached };
        let (mut stats, mut candidates) = (Stats::default(), 0);
        let mut test = PairTest::new((a.body, b.body), wanted, test, found);
        walk.run(pieces, open, &mut stats, |_, (at_a, at_b)| {
            candidates += 1;
            match (a.tree.boxes.triangle(number(at_a)), b.tree.boxes.triangle(number(at_b))) {
                (Some(i), Some(j)) => test.candidate(i, j),
                _ => ControlFlow::Continue(()),
            }
        });
        stats.candidates += candidates;
        test.finish(&mut stats);
        stats
    })
}

/// Appends the pairs of triangles of one body that collide.
pub(super) fn self_pairs(
    side: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let (boxes, body) = (&side.tree.boxes, side.body);
    let mut items = std::mem::take(&mut scratch.items);
    Item::list(body, boxes.order(), &mut items);
    let group = |node: u32| boxes.group(number(node)).map_or(&[][..], |group| &items[group]);
    let mut stats = scratch.share::<true>((side, side), wanted, found, |nth, worker, pieces, found| {
        let Worker { open, reached, late, test, .. } = worker;
        let mut walk = Walk::<true> { a: side, b: side, late, reached };
        let mut stats = Stats::default();
        let mut test = SelfTest::new(body, wanted, test, found);
        walk.run(pieces, open, &mut stats, |stats, (at_a, at_b)| {
            if at_a == at_b {
                test.compare_within(group(at_a), Item::parts, stats)
            } else {
                test.compare((group(at_a), group(at_b)), Item::parts, stats)
            }
        });
        // Neighbours are decided once, by whoever is the first.
        if nth == 0 {
            test.finish(&mut stats)
        } else {
            test.finish_apart(&mut stats)
        }
        stats
    });
    stats.boxes_fitted += items.len() as u64;
    scratch.items = items;
    stats
}

impl Scratch {
    /// Has `work` done by as many threads as it is worth, each with its number, its memory and its list.
    fn share<const WITHIN: bool>(
        &mut self,
        (a, b): (Side<'_, Tree>, Side<'_, Tree>),
        wanted: Wanted,
        found: &mut Vec<TrianglePair>,
        work: impl Fn(usize, &mut Worker, &Pieces<'_>, &mut Vec<TrianglePair>) -> Stats + Sync,
    ) -> Stats {
        let Self { front, below, workers, .. } = self;
        if workers.is_empty() {
            workers.push(Worker::default());
        }
        let Worker { late, reached, .. } = &mut workers[0];
        let mut walk = Walk::<WITHIN> { a, b, late, reached };
        walk.begin();
        walk.start(front);
        below.clear();
        // Where one pair is wanted, one thread has found it before others are awake.
        let available = if wanted == Wanted::First { 1 } else { threads::available().min(threads::MOST) };
        if available > 1 {
            walk.reach(available * WORTH_A_THREAD, front, below);
        }
        let threads = if available > 1 { threads::for_work(front.pairs().len(), WORTH_A_THREAD) } else { 1 };
        let mut stats = Stats { box_tests: front.box_tests + below.box_tests, ..Stats::default() };
        let pieces = Pieces::new(front.pairs(), threads);
        if threads == 1 {
            stats += work(0, &mut workers[0], &pieces, found);
            return stats;
        }
        while workers.len() < threads {
            workers.push(Worker::default());
        }
        threads::each(threads, &mut workers[..threads], |nth, worker| {
            let mut own = std::mem::take(&mut worker.found);
            own.clear();
            worker.stats = work(nth, worker, &pieces, &mut own);
            worker.found = own;
        });
        for worker in &workers[..threads] {
            found.extend_from_slice(&worker.found);
            stats += worker.stats;
        }
        stats
    }
}

impl<const WITHIN: bool> Walk<'_, WITHIN> {
    /// Opens the pairs of the front, breadth first, until there are `enough` or none can be opened.
    fn reach(&mut self, enough: usize, front: &mut Open, below: &mut Open) {
        let mut has_opened = true;
        while has_opened && front.pairs().len() < enough {
            has_opened = false;
            below.restart();
            for &pair in front.pairs() {
                if self.can_open(pair) {
                    self.open(pair, below);
                    has_opened = true;
                } else {
                    below.push(pair.0, pair.1);
                }
            }
            std::mem::swap(front, below);
        }
    }

    /// Opens everything below the pieces and calls `test` with every pair of nodes that ends the walk.
    #[inline]
    fn run(
        &mut self,
        pieces: &Pieces<'_>,
        open: &mut Open,
        stats: &mut Stats,
        mut test: impl FnMut(&mut Stats, (u32, u32)) -> ControlFlow<()>,
    ) {
        self.begin();
        open.clear();
        'pieces: while let Some(piece) = pieces.take() {
            for &(at_a, at_b) in piece {
                open.push(at_a, at_b);
            }
            while let Some(pair) = open.pop() {
                if !self.is_end(pair) {
                    self.open(pair, open);
                } else if test(stats, pair).is_break() {
                    break 'pieces;
                }
            }
        }
        stats.box_tests += open.box_tests;
        stats.boxes_fitted += self.fitted();
    }
}

/// The pairs of a front, handed out piece by piece.
struct Pieces<'a> {
    pairs: &'a [(u32, u32)],
    size: usize,
    taken: AtomicUsize,
}

impl<'a> Pieces<'a> {
    fn new(pairs: &'a [(u32, u32)], threads: usize) -> Self {
        // Small enough to end at about the same time, large enough for a thread to stay in one part of the bodies.
        let size = if threads == 1 { pairs.len() } else { pairs.len() / (16 * threads) };
        Self { pairs, size: size.max(1), taken: AtomicUsize::new(0) }
    }

    fn take(&self) -> Option<&'a [(u32, u32)]> {
        let start = self.taken.fetch_add(self.size, Ordering::Relaxed);
        let end = self.pairs.len().min(start.saturating_add(self.size));
        (start < end).then(|| &self.pairs[start..end])
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::narrow::PairMethod;
    use crate::narrow::hybrid_tree::HybridTree;

    #[test]
    fn several_threads_share_a_query_and_find_what_one_finds() {
        let scene = crumple_scenes::bumpy_spheres(crumple_scenes::Solid::Icosahedron, 4).unwrap();
        let bodies: Vec<Body> = (scene.bodies().iter())
            .map(|of| {
                let mesh = crate::Mesh::new(of.positions_at(199).len(), of.triangles().to_vec()).unwrap();
                Body::new(mesh, &of.positions_at(199)).unwrap()
            })
            .collect();
        let method = HybridTree::default();
        let mut answers = Vec::new();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            answers.push(pool.install(|| {
                let trees = [0, 1].map(|i| method.build(&bodies[i]));
                let [a, b] = [0, 1].map(|i| Side { body: &bodies[i], tree: &trees[i] });
                let (mut scratch, mut found) = (Scratch::default(), Vec::new());
                let stats = pairs((a, b), Wanted::All, &mut scratch, &mut found);
                assert_eq!(scratch.workers.len(), threads);
                scratch = Scratch::default();
                let mut within = Vec::new();
                let own = self_pairs(a, Wanted::All, &mut scratch, &mut within);
                assert_eq!(scratch.workers.len(), threads);
                found.sort_unstable();
                within.sort_unstable();
                (found, within, [stats.box_tests, stats.candidates, own.box_tests, own.candidates])
            }));
        }
        assert!(answers[0] == answers[1]);
        assert!(answers[0].0.len() > 500);
    }
}
