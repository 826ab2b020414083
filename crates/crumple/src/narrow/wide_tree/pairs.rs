//! The questions that the wide tree's candidates answer: which pairs of triangles of two bodies meet, and which of one.

use super::super::Wanted;
use super::super::self_pair::{Relation, Relations, collide, keep_with_area};
use crate::body::Body;
use crate::contact::TrianglePair;
use crate::exact::{decide, meet};
use crate::geom::lanes::{Simd, Triangle8, WIDTH, bits};
use crate::tree::{Answer, Candidates, Leaves, NeighbourMasks, Question};

/// Pairs of triangles that meet.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) found: Vec<TrianglePair>,
    /// Candidates that lanes of f32 could not decide.
    pub(super) exact_tests: u64,
}

impl Answer for Pairs {
    fn clear(&mut self) {
        self.found.clear();
        self.exact_tests = 0;
    }

    fn append(&mut self, other: &mut Self) {
        self.found.append(&mut other.found);
        self.exact_tests += other.exact_tests;
    }
}

/// Which triangles of two bodies share a point?
pub(super) struct BetweenBodies {
    pub(super) wanted: Wanted,
    /// How many pairs the answer has before the walk.
    pub(super) start: usize,
}

impl Question for BetweenBodies {
    type Answer = Pairs;

    const ONE_BODY: bool = false;

    #[inline(always)]
    fn left_out(&self, _: u32, _: u32) -> u64 {
        0
    }

    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        test(simd, leaves, candidates.as_slice(), answer);
    }

    fn may_end_early(&self) -> bool {
        self.wanted == Wanted::First
    }

    fn is_settled(&self, answer: &Pairs) -> bool {
        answer.found.len() > self.start
    }
}

/// Which triangles of one body collide, leaving out those that belong to one fan?
pub(super) struct WithinBody<'a> {
    pub(super) body: &'a Body,
    pub(super) relations: Relations<'a>,
    pub(super) masks: &'a NeighbourMasks,
    pub(super) wanted: Wanted,
    /// How many pairs the answer has before the walk.
    pub(super) start: usize,
}

impl Question for WithinBody<'_> {
    type Answer = Pairs;

    const ONE_BODY: bool = true;

    #[inline(always)]
    fn left_out(&self, leaf_a: u32, leaf_b: u32) -> u64 {
        self.masks.mask(leaf_a, leaf_b)
    }

    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        if !self.relations.is_plain() {
            self.decide_sharing(leaves, candidates, answer);
        }
        let start = answer.found.len();
        test(simd, leaves, candidates.as_slice(), answer);
        keep_with_area(self.body, start, &mut answer.found);
    }

    fn may_end_early(&self) -> bool {
        self.wanted == Wanted::First
    }

    fn is_settled(&self, answer: &Pairs) -> bool {
        answer.found.len() > self.start
    }
}

impl WithinBody<'_> {
    /// Decides the candidates that share a vertex, although they belong to no fan, one by one; leaves the others.
    fn decide_sharing(&self, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        candidates.retain(|a, b| {
            let (i, j) = leaves.triangles((a, b));
            let is_apart = self.relations.between(i, j) == Relation::Apart;
            if !is_apart {
                answer.exact_tests += 1;
                answer.found.extend(collide(self.body, i, j));
            }
            is_apart
        });
    }
}

/// Tests candidates eight at a time, and those that f32 cannot decide exactly; appends the pairs that meet.
#[inline(always)]
fn test<S: Simd>(simd: S, leaves: &Leaves<'_>, candidates: &[(u32, u32)], answer: &mut Pairs) {
    let (full, rest) = candidates.as_chunks::<WIDTH>();
    let mut last = [(0, 0); WIDTH];
    if let Some(&any) = rest.first() {
        // A last batch that is not full repeats a pair in lanes that are not looked at.
        last = [any; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
    }
    let batches = full.iter().map(|eight| (eight, 0xff));
    for (eight, in_use) in batches.chain((!rest.is_empty()).then_some((&last, (1 << rest.len()) - 1))) {
        let [c, d, e, f, g, h, i, j] = eight.map(|candidate| leaves.corners(candidate));
        let a = Triangle8::gather(simd, [c.0, d.0, e.0, f.0, g.0, h.0, i.0, j.0]);
        let b = Triangle8::gather(simd, [c.1, d.1, e.1, f.1, g.1, h.1, i.1, j.1]);
        let verdict = meet(&a, &b);
        let mut meets = verdict.meets & in_use;
        for lane in bits(verdict.undecided & in_use) {
            answer.exact_tests += 1;
            let (a, b) = leaves.corners(eight[lane]);
            meets |= u32::from(decide(a, b)) << lane;
        }
        for lane in bits(meets) {
            let (i, j) = leaves.triangles(eight[lane]);
            answer.found.push(TrianglePair::new(i, j));
        }
    }
}
