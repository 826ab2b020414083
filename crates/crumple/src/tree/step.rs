//! A walk over a step: pairs of triangles that may meet at any time from the last frame to this one.
//!
//! Down to clusters the boxes are those of this frame, widened by how far any vertex of the body can have moved in the
//! step ([`Span::Step`]). Below, leaves and triangles have a box at each end of the step, fitted from their vertices when
//! the walk gets there, and two of them are dropped if they are apart on the same side along one axis at both ends. For
//! linear motion that is exact, and it takes no error bound: comparisons only.
//!
//! Departs from the walk of one frame ([`super::walk`]) in having two boxes for everything, and in handing out triangles by
//! their numbers: what is asked about a step reads the vertices of both frames anyway.
//!
//! Cost: O(clusters reached) fits of 64 triangles at two frames, then eight by eight comparisons.

use super::TreeSide;
use super::build::WIDTH;
use super::open::{Front, Opening, Span};
use super::slots::SlotTable;
use super::threads::{Shares, Worker, share_out};
use super::walk::{Answer, NOT_LATER, triangles_in_use};
use crate::body::Vertices;
use crate::geom::lanes::{Bounds, Boxes8, Instructions, Simd, Widening, bits, dispatch};
use crate::threads;
use crate::work::spend;

/// Pairs of clusters that are worth another thread: they take some tens of microseconds.
const WORTH_A_THREAD: usize = 64;

/// Candidates are handed over when there are about this many.
const BATCH: usize = 1 << 12;

/// A candidate has up to fifteen pairs of features, whose boxes are compared at both ends of the step.
const STEPS_PER_CANDIDATE: usize = 8;

/// What is asked about the candidates of a step.
pub(crate) trait StepQuestion: Sync {
    /// What candidates add up to.
    type Answer: Answer;

    /// Whether both sides are one body; each pair of its triangles is then handed out once, in either order.
    const ONE_BODY: bool;

    /// Adds a batch of candidates, as numbers of triangles of both bodies, to the answer.
    fn take<S: Simd>(&self, simd: S, candidates: &[(u32, u32)], answer: &mut Self::Answer);
}

/// Working memory of walks over steps.
#[derive(Debug)]
pub(crate) struct StepMemory<A> {
    front: Front,
    walkers: Vec<Worker<StepWalker, A>>,
}

impl<A> Default for StepMemory<A> {
    fn default() -> Self {
        Self { front: Front::default(), walkers: Vec::new() }
    }
}

/// Hands all candidates of two bodies, or of a body and itself, to a question, and adds what follows to `answer`.
pub(crate) fn walk_step<Q: StepQuestion>(
    simd: Instructions,
    question: &Q,
    (a, b): (TreeSide<'_>, TreeSide<'_>),
    distance: f64,
    memory: &mut StepMemory<Q::Answer>,
    answer: &mut Q::Answer,
) {
    let StepMemory { front, walkers } = memory;
    let span = Span::Step { distance };
    if Q::ONE_BODY {
        dispatch!(simd, simd => front.reach_self(simd, a, span, None));
    } else {
        dispatch!(simd, simd => front.reach(simd, a, b, span));
    }
    let clusters = front.reached();
    let threads = threads::for_work(clusters.len(), WORTH_A_THREAD);
    let shares = &Shares::new(clusters, threads, false);
    share_out(threads, walkers, answer, |share, walker, answer| {
        walker.run_at(simd, question, (a, b), span, (shares, share), answer);
    });
}

/// Boxes of eight things at both ends of a step, fetched once per walk and thread.
#[derive(Debug, Default)]
struct BoxCache {
    slots: SlotTable,
    boxes: Vec<[Boxes8; 2]>,
}

impl BoxCache {
    #[inline(always)]
    fn fetch(&mut self, item: u32, fit: impl FnOnce() -> [Boxes8; 2]) -> u32 {
        let taken = self.slots.len();
        let slot = self.slots.slot(item);
        if self.slots.len() > taken {
            if slot as usize == self.boxes.len() {
                self.boxes.push([Boxes8::EMPTY; 2]);
            }
            self.boxes[slot as usize] = fit();
        }
        slot
    }
}

/// Of two memories, which serves side b: one body needs but one.
const fn memory_of_b<Q: StepQuestion>() -> usize {
    if Q::ONE_BODY { 0 } else { 1 }
}

/// Working memory of one thread.
#[derive(Debug, Default)]
struct StepWalker {
    /// For each side the boxes of the leaves of clusters, and those of the triangles of leaves.
    clusters: [BoxCache; 2],
    leaves: [BoxCache; 2],
    leaf_pairs: Vec<(u32, u32)>,
    candidates: Vec<(u32, u32)>,
}

impl StepWalker {
    /// Walks the pairs of clusters of a share, then helps with the others. Compiled once for all callers.
    #[inline(never)]
    fn run_at<Q: StepQuestion>(
        &mut self,
        simd: Instructions,
        question: &Q,
        sides: (TreeSide<'_>, TreeSide<'_>),
        span: Span,
        shares: (&Shares<'_>, usize),
        answer: &mut Q::Answer,
    ) {
        dispatch!(simd, simd => self.run(simd, question, sides, span, shares, answer));
    }

    #[inline(always)]
    fn run<S: Simd, Q: StepQuestion>(
        &mut self,
        simd: S,
        question: &Q,
        (a, b): (TreeSide<'_>, TreeSide<'_>),
        span: Span,
        (shares, own_share): (&Shares<'_>, usize),
        answer: &mut Q::Answer,
    ) {
        for (at, side) in [a, b].into_iter().enumerate() {
            self.clusters[at].slots.clear(side.tree.arrangement.cluster_count());
            self.leaves[at].slots.clear(side.tree.arrangement.leaf_count());
        }
        self.candidates.clear();
        while let Some(clusters) = shares.take(own_share) {
            self.open::<_, Q>(simd, (a, b), span, clusters);
            spend(clusters.len() + self.leaf_pairs.len());
            self.compare_leaves::<_, Q>(simd, question, (a, b), span, answer);
        }
        question.take(simd, &self.candidates, answer);
        self.candidates.clear();
    }

    /// Opens pairs of clusters into pairs of leaves.
    #[inline(always)]
    fn open<S: Simd, Q: StepQuestion>(
        &mut self,
        simd: S,
        (a, b): (TreeSide<'_>, TreeSide<'_>),
        span: Span,
        pairs: &[(u32, u32)],
    ) {
        let Self { clusters, leaf_pairs, .. } = self;
        let of_b = memory_of_b::<Q>();
        let apart = span.keeping_apart(a.body, b.body);
        leaf_pairs.clear();
        let opening = Opening::new(0, (a.tree, b.tree), span.widening(a, b));
        for &(cluster_a, cluster_b) in pairs {
            let slot_a = clusters[0].fetch(cluster_a, || leaf_boxes(simd, a, cluster_a)) as usize;
            let slot_b = clusters[of_b].fetch(cluster_b, || leaf_boxes(simd, b, cluster_b)) as usize;
            let found = may_meet(simd, &clusters[0].boxes[slot_a], &clusters[of_b].boxes[slot_b], apart.as_ref());
            for bit in bits(found & opening.in_use((cluster_a, cluster_b))) {
                leaf_pairs.push((cluster_a * WIDTH as u32 + bit as u32 / 8, cluster_b * WIDTH as u32 + bit as u32 % 8));
            }
        }
        if Q::ONE_BODY {
            // A cluster against itself finds every pair twice; keep the ones in order.
            leaf_pairs.retain(|&(a, b)| a <= b);
        }
    }

    /// Finds the candidates of pairs of leaves, and hands them over when there are enough.
    #[inline(always)]
    fn compare_leaves<S: Simd, Q: StepQuestion>(
        &mut self,
        simd: S,
        question: &Q,
        (a, b): (TreeSide<'_>, TreeSide<'_>),
        span: Span,
        answer: &mut Q::Answer,
    ) {
        let Self { leaves, leaf_pairs, candidates, .. } = self;
        let of_b = memory_of_b::<Q>();
        let apart = span.keeping_apart(a.body, b.body);
        for &(leaf_a, leaf_b) in leaf_pairs.iter() {
            let slot_a = leaves[0].fetch(leaf_a, || triangle_boxes(simd, a, leaf_a)) as usize;
            let slot_b = leaves[of_b].fetch(leaf_b, || triangle_boxes(simd, b, leaf_b)) as usize;
            let mut found = may_meet(simd, &leaves[0].boxes[slot_a], &leaves[of_b].boxes[slot_b], apart.as_ref());
            found &= triangles_in_use((a.tree, leaf_a), (b.tree, leaf_b));
            if Q::ONE_BODY && leaf_a == leaf_b {
                found &= !NOT_LATER;
            }
            let numbers_a = a.tree.arrangement.numbers(leaf_a as usize);
            let numbers_b = b.tree.arrangement.numbers(leaf_b as usize);
            candidates.extend(bits(found).map(|bit| (numbers_a[bit / WIDTH], numbers_b[bit % WIDTH])));
            if candidates.len() >= BATCH {
                spend(STEPS_PER_CANDIDATE * candidates.len());
                question.take(simd, candidates, answer);
                candidates.clear();
            }
        }
    }
}

/// Which of eight moving boxes may meet which of eight others, widened if they must keep a distance.
#[inline(always)]
fn may_meet<S: Simd>(simd: S, a: &[Boxes8; 2], b: &[Boxes8; 2], apart: Option<&Widening>) -> u64 {
    match apart {
        None => Boxes8::may_meet(simd, a, b),
        Some(by) => Boxes8::may_meet(simd, &[a[0].widened(simd, by), a[1].widened(simd, by)], b),
    }
}

/// The boxes of the leaves of a cluster at both ends of the step.
#[inline(always)]
fn leaf_boxes<S: Simd>(simd: S, side: TreeSide<'_>, cluster: u32) -> [Boxes8; 2] {
    let start = side.tree.leaf_extremes(simd, cluster as usize, side.body.previous_vertices());
    let end = side.tree.leaf_extremes(simd, cluster as usize, side.body.vertices());
    [Boxes8::of(start.0, start.1), Boxes8::of(end.0, end.1)]
}

/// The boxes of the triangles of a leaf at both ends of the step.
#[inline(always)]
fn triangle_boxes<S: Simd>(_: S, side: TreeSide<'_>, leaf: u32) -> [Boxes8; 2] {
    let fitted = |vertices: &Vertices| {
        let mut boxes = Boxes8::EMPTY;
        for (lane, triangle) in side.tree.arrangement.leaf(leaf as usize).iter().enumerate() {
            let [p, q, r] = triangle.map(|vertex| vertices.four(vertex));
            let (min, max) = (p.min(q).min(r), p.max(q).max(r));
            boxes.set(lane, &Bounds { min: min.truncate().to_array(), max: max.truncate().to_array() });
        }
        boxes
    };
    [fitted(side.body.previous_vertices()), fitted(side.body.vertices())]
}
