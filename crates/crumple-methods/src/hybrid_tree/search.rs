//! Answers a query: by one thread, or by several that share the node pairs of a front.
//!
//! Departs from the paper, which has one processor. The trees are opened breadth first, as far as boxes were fitted
//! before the query (`refit`), until there are enough pairs of nodes for every thread. Threads then take them in small
//! pieces, since one may be a hundred times the work of another. Each fits what it needs below into its own memory
//! (`late`) and adds to its own list; the lists are joined, and what leaves the library is sorted, so that it does not
//! depend on how many threads there were.
//!
//! Held by: `tests/agreement/hybrid_tree.rs`, for several numbers of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Tree;
use super::late::{Late, number};
use super::traverse::{Open, Reached, Walk};
use crate::groups::list_boxed;
use crumple::TriangleId;
use crumple::narrow::{Boxed, Flow, PairTest, SelfTest, Side, Stats};

/// Node pairs of the front that are worth another thread: they take some tens of microseconds.
const WORTH_A_THREAD: usize = 128;

/// Working memory of a query.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The node pairs that are shared out, and those below them while they are found.
    front: Open,
    below: Open,
    /// The triangles of a body that is asked about itself, in the order of its tree.
    items: Vec<Boxed>,
    /// One per thread; the first serves where there is but one.
    workers: Vec<Worker>,
}

/// Working memory of one thread.
#[derive(Debug, Default)]
struct Worker {
    open: Open,
    reached: Reached,
    late: [Late; 2],
}

/// Hands over the candidates of two bodies.
pub(super) fn pairs((a, b): (Side<'_, Tree>, Side<'_, Tree>), scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
    let (threads, box_tests) = scratch.reach::<false>((a, b), |items, worth_one| test.threads_for(items, worth_one));
    test.stats().box_tests += box_tests;
    let Scratch { front, workers, .. } = scratch;
    let pieces = Pieces::new(front.pairs(), threads);
    test.share(&mut workers[..threads], |_, Worker { open, reached, late }, test| {
        let mut walk = Walk::<false> { a, b, late, reached };
        let (flow, stats) = walk.run(&pieces, open, |(at_a, at_b)| {
            match (a.tree.boxes.triangle(number(at_a)), b.tree.boxes.triangle(number(at_b))) {
                (Some(i), Some(j)) => test.candidate(TriangleId(i), TriangleId(j)),
                _ => Flow::Continue(()),
            }
        });
        *test.stats() += stats;
        flow
    })
}

/// Hands over the candidates of one body and itself.
pub(super) fn self_pairs(side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
    let (boxes, body) = (&side.tree.boxes, side.body);
    let (threads, box_tests) =
        scratch.reach::<true>((side, side), |items, worth_one| test.threads_for(items, worth_one));
    let Scratch { front, items, workers, .. } = scratch;
    list_boxed(body, boxes.order(), items);
    test.stats().box_tests += box_tests;
    test.stats().boxes_fitted += items.len() as u64;
    let group = |node: u32| boxes.group(number(node)).map_or(&[][..], |group| &items[group]);
    let pieces = Pieces::new(front.pairs(), threads);
    test.share(&mut workers[..threads], |_, Worker { open, reached, late }, test| {
        let mut walk = Walk::<true> { a: side, b: side, late, reached };
        let (flow, stats) = walk.run(&pieces, open, |(at_a, at_b)| {
            if at_a == at_b { test.group(group(at_a)) } else { test.groups(group(at_a), group(at_b)) }
        });
        *test.stats() += stats;
        flow
    })
}

impl Scratch {
    /// Finds the front and memory for as many threads as it is worth; returns how many, and the boxes compared.
    fn reach<const WITHIN: bool>(
        &mut self,
        (a, b): (Side<'_, Tree>, Side<'_, Tree>),
        threads_for: impl Fn(usize, usize) -> usize,
    ) -> (usize, u64) {
        let Self { front, below, workers, .. } = self;
        if workers.is_empty() {
            workers.push(Worker::default());
        }
        let Worker { late, reached, .. } = &mut workers[0];
        let mut walk = Walk::<WITHIN> { a, b, late, reached };
        walk.begin();
        walk.start(front);
        below.clear();
        let available = threads_for(usize::MAX, 1);
        let mut threads = 1;
        if available > 1 {
            walk.reach(available * WORTH_A_THREAD, front, below);
            threads = threads_for(front.pairs().len(), WORTH_A_THREAD);
        }
        if workers.len() < threads {
            workers.resize_with(threads, Worker::default);
        }
        (threads, front.box_tests + below.box_tests)
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
    fn run(&mut self, pieces: &Pieces<'_>, open: &mut Open, mut test: impl FnMut((u32, u32)) -> Flow) -> (Flow, Stats) {
        self.begin();
        open.clear();
        let mut flow = Flow::Continue(());
        'pieces: while let Some(piece) = pieces.take() {
            for &(at_a, at_b) in piece {
                open.push(at_a, at_b);
            }
            while let Some(pair) = open.pop() {
                if !self.is_end(pair) {
                    self.open(pair, open);
                    continue;
                }
                flow = test(pair);
                if flow.is_break() {
                    break 'pieces;
                }
            }
        }
        let mut stats = Stats::default();
        (stats.box_tests, stats.boxes_fitted) = (open.box_tests, self.fitted());
        (flow, stats)
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
    use crate::HybridTree;
    use crumple::Body;
    use crumple::narrow::{PairMethod, Search, Wanted};

    #[test]
    fn several_threads_share_a_query_and_find_what_one_finds() {
        let scene = crumple_scenes::bumpy_spheres(crumple_scenes::Solid::Icosahedron, 4).unwrap();
        let bodies: Vec<Body> = (scene.bodies().iter())
            .map(|of| {
                let mesh = crumple::Mesh::new(of.positions_at(199).len(), of.triangles().to_vec()).unwrap();
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
                let mut found = [Vec::new(), Vec::new()];
                let between = Search::default().pairs(&method, (a, b), Wanted::All, &mut found[0]);
                let within = Search::default().self_pairs(&method, a, Wanted::All, &mut found[1]);
                let mut scratch = Scratch::default();
                assert_eq!(
                    scratch.reach::<false>((a, b), |items, worth_one| { (items / worth_one).clamp(1, threads) }).0,
                    threads,
                    "the search is worth all threads"
                );
                (found, [between, within].map(|stats| (stats.box_tests, stats.candidates)))
            }));
        }
        assert!(answers[0] == answers[1]);
        assert!(answers[0].0[0].len() > 500);
    }
}
