//! Walks two small trees, of at most two clusters each: without a list of clusters, shares for threads and a grid, which for so few
//! triangles take longer than what is found by them.
//!
//! Boxes of leaves are compared with boxes of leaves, as they are kept, and boxes of triangles with boxes of triangles.
//! Held by: `tests/agreement`, experiments CR3 and CR6.

use super::TreeSide;
use super::build::WIDTH;
use super::open::{Opening, Span};
use super::walk::{Question, Walker, Work, triangles_in_use};
use crate::geom::lanes::{Instructions, Simd, bits, dispatch};
use crate::work::spend;

/// Clusters of a small tree: with more of them a walk finds its way faster than all are compared with all.
const MOST_CLUSTERS: usize = 2;
const MOST_LEAVES: usize = MOST_CLUSTERS * WIDTH;

/// Whether two bodies are asked about in this way.
#[inline]
pub(super) fn are_small<Q: Question>(question: &Q, a: TreeSide<'_>, b: TreeSide<'_>) -> bool {
    let is_small =
        |side: TreeSide<'_>| side.tree.arrangement.cluster_count() <= MOST_CLUSTERS && side.tree.keeps_leaves();
    !Q::ONE_BODY && question.within() <= 0.0 && is_small(a) && is_small(b)
}

impl Walker {
    /// Hands the candidates of two small trees to a question.
    #[inline(never)]
    pub(super) fn run_small<Q: Question>(
        &mut self,
        simd: Instructions,
        question: &Q,
        sides: (TreeSide<'_>, TreeSide<'_>),
        answer: &mut Q::Answer,
    ) -> Work {
        dispatch!(simd, simd => self.run_small_in(simd, question, sides, answer))
    }

    #[inline(always)]
    fn run_small_in<S: Simd, Q: Question>(
        &mut self,
        simd: S,
        question: &Q,
        (a, b): (TreeSide<'_>, TreeSide<'_>),
        answer: &mut Q::Answer,
    ) -> Work {
        self.leaves[0].clear(a.tree.arrangement.cluster_count());
        self.leaves[1].clear(b.tree.arrangement.cluster_count());
        self.candidates.clear();
        let mut work = Work::default();
        let (groups_a, groups_b) = (a.tree.level(0).0, b.tree.level(0).0);
        let widening = Span::Now { distance: 0.0 }.widening(a, b);
        let opening = Opening::new(0, (a.tree, b.tree), widening);
        let mut slots_b = [None; MOST_LEAVES];
        for (group_a, boxes_a) in (0u32..).zip(groups_a) {
            let boxes_a = boxes_a.widened(simd, &widening);
            let mut slots_a = [None; WIDTH];
            for (group_b, boxes_b) in (0u32..).zip(groups_b) {
                work.box_tests += (WIDTH * WIDTH) as u64;
                let found = boxes_a.overlaps(simd, boxes_b) & opening.in_use((group_a, group_b));
                if found != 0 {
                    a.tree.note_reached(group_a);
                    b.tree.note_reached(group_b);
                }
                for bit in bits(found) {
                    let [leaves_a, leaves_b] = &mut self.leaves;
                    let (row, lane) = (bit / WIDTH, WIDTH * group_b as usize + bit % WIDTH);
                    let (leaf_a, leaf_b) = (group_a * WIDTH as u32 + row as u32, lane as u32);
                    let slot_a = match slots_a[row] {
                        Some(slot) => slot,
                        None => leaves_a.fetch(simd, a, leaf_a),
                    };
                    slots_a[row] = Some(slot_a);
                    let slot_b = match slots_b[lane] {
                        Some(slot) => slot,
                        None => leaves_b.fetch(simd, b, leaf_b),
                    };
                    slots_b[lane] = Some(slot_b);
                    work.leaf_pairs += 1;
                    let found = leaves_a.boxes(slot_a).overlaps(simd, leaves_b.boxes(slot_b));
                    let found = found & triangles_in_use((a.tree, leaf_a), (b.tree, leaf_b));
                    if self.candidates.is_full() {
                        self.hand_over_few(simd, question, answer, &mut work);
                    }
                    self.candidates.add(slot_a, slot_b, found);
                }
            }
        }
        spend(work.leaf_pairs);
        self.hand_over_few(simd, question, answer, &mut work);
        let [leaves_a, leaves_b] = &self.leaves;
        work.boxes_fitted += (WIDTH * (leaves_a.len() + leaves_b.len())) as u64;
        work
    }
    /// As [`hand_over`](Self::hand_over), compiled once for both places: a question is much code.
    #[inline(never)]
    fn hand_over_few<S: Simd, Q: Question>(&mut self, simd: S, question: &Q, answer: &mut Q::Answer, work: &mut Work) {
        simd.vectorize(
            #[inline(always)]
            || self.hand_over(simd, question, answer, work),
        );
    }
}
