//! The questions that the wide tree's candidates answer: which pairs of triangles of two bodies meet, and which of one.

use super::super::Wanted;
use super::super::limit::shorten;
use super::super::self_pair::{Relation, Relations, STEPS_PER_SELF_PAIR, collide, keep_with_area, meet_unrounded};
use crate::body::Body;
use crate::exact::{Verdict, decide, meet, seen_along_an_axis};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Simd, Triangle8, WIDTH, bits};
use crate::tree::{Answer, Candidates, ClearNodes, Leaves, NeighbourMasks, Question};
use crate::work::{STEPS_PER_ANSWER, STEPS_PER_EXACT_TEST, spend};

/// Pairs of triangles that meet.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) found: Vec<TrianglePair>,
    /// How many of them were there before the walk.
    pub(super) start: usize,
    /// How many more meet.
    pub(super) left_out: u64,
    /// Candidates that lanes of f32 could not decide.
    pub(super) exact_tests: u64,
}

impl Pairs {
    /// An answer that appends to a list.
    pub(super) fn after(found: Vec<TrianglePair>) -> Self {
        Self { start: found.len(), found, left_out: 0, exact_tests: 0 }
    }

    /// Counts the pairs found since there were so many as work, and drops what exceeds the limit by far.
    #[inline(always)]
    fn count_and_shorten(&mut self, before: usize, wanted: Wanted) {
        spend(STEPS_PER_ANSWER * (self.found.len() - before));
        self.left_out += shorten(&mut self.found, self.start, wanted.most());
    }
}

impl Answer for Pairs {
    fn clear(&mut self) {
        self.found.clear();
        (self.start, self.left_out, self.exact_tests) = (0, 0, 0);
    }

    fn append(&mut self, other: &mut Self) {
        self.found.append(&mut other.found);
        self.left_out += other.left_out;
        self.exact_tests += other.exact_tests;
    }
}

/// Which triangles of two bodies share a point?
pub(super) struct BetweenBodies<'a> {
    pub(super) bodies: (&'a Body, &'a Body),
    pub(super) wanted: Wanted,
}

impl Question for BetweenBodies<'_> {
    type Answer = Pairs;

    const ONE_BODY: bool = false;

    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        let before = answer.found.len();
        test(simd, self.bodies, leaves, candidates.as_slice(), answer);
        answer.count_and_shorten(before, self.wanted);
    }

    fn may_end_early(&self) -> bool {
        self.wanted == Wanted::First
    }

    fn is_done(&self, answer: &Pairs) -> bool {
        answer.found.len() > answer.start
    }
}

/// Which triangles of one body collide, leaving out those that belong to one fan?
pub(super) struct WithinBody<'a> {
    pub(super) body: &'a Body,
    pub(super) relations: Relations<'a>,
    pub(super) masks: &'a NeighbourMasks,
    pub(super) clear: ClearNodes<'a>,
    pub(super) wanted: Wanted,
}

impl Question for WithinBody<'_> {
    type Answer = Pairs;

    const ONE_BODY: bool = true;

    #[inline(always)]
    fn left_out(&self, leaf_a: u32, leaf_b: u32) -> u64 {
        self.masks.mask(leaf_a, leaf_b)
    }

    fn clear_nodes(&self) -> Option<ClearNodes<'_>> {
        Some(self.clear)
    }

    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        let before = answer.found.len();
        if !self.relations.is_plain() {
            self.decide_sharing(leaves, candidates, answer);
        }
        let start = answer.found.len();
        test(simd, (self.body, self.body), leaves, candidates.as_slice(), answer);
        keep_with_area(self.body, start, &mut answer.found);
        answer.count_and_shorten(before, self.wanted);
    }

    fn may_end_early(&self) -> bool {
        self.wanted == Wanted::First
    }

    fn is_done(&self, answer: &Pairs) -> bool {
        answer.found.len() > answer.start
    }
}

impl WithinBody<'_> {
    /// Whether two triangles share a hub at which triangles lie side by side.
    fn is_clear(&self, i: u32, j: u32) -> bool {
        let mesh = self.body.mesh();
        let triangles = mesh.indices();
        self.clear.hubs.clears(mesh.fans(), triangles[i as usize], triangles[j as usize])
    }

    /// Decides the candidates that share a vertex, although they belong to no fan, one by one; leaves the others.
    fn decide_sharing(&self, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Pairs) {
        let before = answer.exact_tests;
        candidates.retain(|a, b| {
            let (i, j) = leaves.triangles((a, b));
            let is_apart = self.relations.between(i, j) == Relation::Apart;
            if !is_apart && !self.is_clear(i, j) {
                answer.exact_tests += 1;
                answer.found.extend(collide(self.body, i, j));
            }
            is_apart
        });
        spend(STEPS_PER_SELF_PAIR * (answer.exact_tests - before) as usize);
    }
}

/// Tests candidates eight at a time, and those that f32 cannot decide exactly; appends the pairs that meet. Compiled once
/// per level for all questions: a batch is large enough for the call not to matter.
#[inline(never)]
fn test<S: Simd>(simd: S, bodies: (&Body, &Body), leaves: &Leaves<'_>, candidates: &[(u32, u32)], answer: &mut Pairs) {
    simd.vectorize(
        #[inline(always)]
        || test_in(simd, bodies, leaves, candidates, answer),
    );
}

#[inline(always)]
fn test_in<S: Simd>(
    simd: S,
    bodies: (&Body, &Body),
    leaves: &Leaves<'_>,
    candidates: &[(u32, u32)],
    answer: &mut Pairs,
) {
    let rounding = bodies.0.rounding().max(bodies.1.rounding());
    // As many verdicts as a word has bits, then the pairs: a loop over the bits of a verdict of eight would end where the
    // processor does not expect it, eight times as often.
    for word in candidates.chunks(u64::BITS as usize) {
        let (mut meets, mut undecided) = (0, 0);
        let (full, rest) = word.as_chunks::<WIDTH>();
        for (at, eight) in full.iter().enumerate() {
            let verdict = verdict(simd, leaves, eight, rounding);
            meets |= u64::from(verdict.meets) << (WIDTH * at);
            undecided |= u64::from(verdict.undecided) << (WIDTH * at);
        }
        if let Some(&any) = rest.first() {
            // A last batch that is not full repeats a pair in lanes that are not looked at.
            let mut last = [any; WIDTH];
            last[..rest.len()].copy_from_slice(rest);
            let (verdict, in_use) = (verdict(simd, leaves, &last, rounding), (1 << rest.len()) - 1);
            meets |= u64::from(verdict.meets & in_use) << (WIDTH * full.len());
            undecided |= u64::from(verdict.undecided & in_use) << (WIDTH * full.len());
        }
        if undecided != 0 {
            spend(STEPS_PER_EXACT_TEST * undecided.count_ones() as usize);
        }
        for at in bits(undecided) {
            answer.exact_tests += 1;
            let does = if rounding == 0.0 {
                let (a, b) = leaves.corners(word[at]);
                decide(a, b)
            } else {
                meet_unrounded(bodies, leaves.triangles(word[at]))
            };
            meets |= u64::from(does) << at;
        }
        for at in bits(meets) {
            let (i, j) = leaves.triangles(word[at]);
            answer.found.push(TrianglePair::new(i, j));
        }
    }
}

/// What f32 can tell about eight candidates.
#[inline(always)]
fn verdict<S: Simd>(simd: S, leaves: &Leaves<'_>, eight: &[(u32, u32); WIDTH], rounding: f32) -> Verdict {
    let [c, d, e, f, g, h, i, j] = eight.map(|candidate| leaves.corners(candidate));
    let a = Triangle8::gather(simd, [c.0, d.0, e.0, f.0, g.0, h.0, i.0, j.0]);
    let b = Triangle8::gather(simd, [c.1, d.1, e.1, f.1, g.1, h.1, i.1, j.1]);
    let verdict = meet(&a, &b, rounding);
    if verdict.undecided == 0 { verdict } else { seen_along_an_axis(&a, &b, rounding, verdict) }
}
