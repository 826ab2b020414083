//! What the papers' methods do with their candidates: the leaf test they share.
//!
//! A search hands its candidates over one by one; they are collected and decided eight at a time, by the same test that
//! the wide tree uses (`exact::quick`), and what f32 cannot decide exactly. A search of one body against itself first
//! asks how the two triangles are related (`self_pair`): those that share a vertex are not its business, and are most
//! of what it finds.
//!
//! Where one pair is wanted, candidates are decided as they come.

use std::ops::ControlFlow::{self, Break, Continue};

use glam::Vec4;

use super::Wanted;
use super::limit::shorten;
use super::neighbours::{self, Doubtful};
use super::self_pair::{Relation, Relations, STEPS_PER_SELF_PAIR, collide, keep_with_area, meet_unrounded};
use crate::body::Body;
use crate::exact::{Verdict, corners_meet, decide, meet};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Level, Simd, Triangle8, WIDTH, bits, chosen_level, dispatch};
use crate::narrow::Stats;
use crate::tree::SettledHubs;
use crate::work::{STEPS_PER_EXACT_TEST, spend};

/// Working memory of the leaf test.
#[derive(Debug, Default)]
pub(super) struct TestMemory {
    batch: Batch,
    hubs: SettledHubs,
    doubtful: Doubtful,
}

/// The candidates of a search of two bodies.
pub(super) struct PairTest<'a> {
    body_a: &'a Body,
    body_b: &'a Body,
    wanted: Wanted,
    level: Level,
    batch: &'a mut Batch,
    found: &'a mut Vec<TrianglePair>,
    /// Where the pairs of this search start.
    start: usize,
    exact_tests: u64,
    left_out: u64,
}

impl<'a> PairTest<'a> {
    pub(super) fn new(
        (body_a, body_b): (&'a Body, &'a Body),
        wanted: Wanted,
        memory: &'a mut TestMemory,
        found: &'a mut Vec<TrianglePair>,
    ) -> Self {
        memory.batch.start(body_a.rounding().max(body_b.rounding()));
        let (level, start) = (chosen_level(), found.len());
        Self { body_a, body_b, wanted, level, batch: &mut memory.batch, found, start, exact_tests: 0, left_out: 0 }
    }

    /// The instructions to use.
    pub(super) fn level(&self) -> Level {
        self.level
    }

    /// Takes in a candidate; breaks off once nothing more is wanted.
    #[inline]
    pub(super) fn candidate(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        let corners_a = corners(self.body_a, i);
        let corners_b = corners(self.body_b, j);
        if self.wanted == Wanted::First {
            let meets = if self.batch.rounding == 0.0 {
                corners_meet(&corners_a, &corners_b)
            } else {
                meet_unrounded((self.body_a, self.body_b), (i, j))
            };
            if meets {
                self.found.push(TrianglePair::new(i, j));
                return Break(());
            }
        } else if self.batch.push((i, j), corners_a, corners_b) {
            self.exact_tests += self.batch.decide(self.level, (self.body_a, self.body_b), self.found);
            self.left_out += shorten(self.found, self.start, self.wanted.most());
        }
        Continue(())
    }

    /// Decides what is left.
    pub(super) fn finish(self, stats: &mut Stats) {
        let bodies = (self.body_a, self.body_b);
        stats.exact_tests += self.exact_tests + self.batch.decide(self.level, bodies, self.found);
        stats.pairs_left_out += self.left_out;
    }
}

/// The candidates of a search of one body against itself.
pub(super) struct SelfTest<'a> {
    pairs: PairTest<'a>,
    pub(super) relations: Relations<'a>,
    hubs: &'a SettledHubs,
    doubtful: &'a mut Doubtful,
}

impl<'a> SelfTest<'a> {
    pub(super) fn new(
        body: &'a Body,
        wanted: Wanted,
        memory: &'a mut TestMemory,
        found: &'a mut Vec<TrianglePair>,
    ) -> Self {
        let TestMemory { batch, hubs, doubtful } = memory;
        batch.start(body.rounding());
        hubs.find(body);
        let (level, start) = (chosen_level(), found.len());
        let (body_a, body_b) = (body, body);
        let pairs = PairTest { body_a, body_b, wanted, level, batch, found, start, exact_tests: 0, left_out: 0 };
        Self { pairs, relations: Relations::of(body.mesh()), hubs, doubtful }
    }

    /// The instructions to use.
    pub(super) fn level(&self) -> Level {
        self.pairs.level()
    }

    /// Takes in a candidate of two triangles that share no vertex; breaks off once nothing more is wanted.
    #[inline]
    pub(super) fn candidate_apart(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        if self.pairs.wanted == Wanted::First {
            return self.candidate_by_itself(i, j);
        }
        let body = self.pairs.body_a;
        if self.pairs.batch.push((i, j), corners(body, i), corners(body, j)) {
            self.decide();
        }
        Continue(())
    }

    /// Takes in a candidate of two triangles that share a vertex; breaks off once nothing more is wanted.
    #[cold]
    pub(super) fn candidate_sharing(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        let mesh = self.pairs.body_a.mesh();
        let triangle = |number: u32| mesh.triangles()[number as usize];
        match self.relations.between(i, j) {
            Relation::InOneFan => Continue(()),
            Relation::Sharing if self.hubs.settle(mesh.fans(), triangle(i), triangle(j)) => Continue(()),
            _ => self.candidate_by_itself(i, j),
        }
    }

    /// Whether all triangles of two groups share a hub at which they lie side by side, so that none collide.
    pub(super) fn are_settled(
        &self,
        mut a: impl Iterator<Item = u32> + Clone,
        mut b: impl Iterator<Item = u32> + Clone,
    ) -> bool {
        if self.hubs.is_empty() {
            return false;
        }
        let mesh = self.pairs.body_a.mesh();
        let triangle = |number: u32| mesh.triangles()[number as usize];
        let (Some(i), Some(j)) = (a.next(), b.next()) else { return true };
        let mut settled = self.hubs.settling(mesh.fans(), triangle(i), triangle(j));
        settled.any(|hub| a.clone().chain(b.clone()).all(|number| triangle(number).contains(&hub)))
    }

    /// Decides what is left but for the neighbours, where another thread decides those.
    pub(super) fn finish_apart(mut self, stats: &mut Stats) {
        self.decide();
        stats.exact_tests += self.pairs.exact_tests;
        stats.pairs_left_out += self.pairs.left_out;
    }

    /// Decides what is left, then the neighbours; unless one pair is wanted and there is one.
    pub(super) fn finish(mut self, stats: &mut Stats) {
        self.decide();
        let PairTest { body_a: body, wanted, level, found, start, exact_tests, left_out, .. } = self.pairs;
        stats.exact_tests += exact_tests;
        stats.pairs_left_out += left_out;
        // Neighbours hardly ever collide: they come last.
        if wanted != Wanted::First || found.len() == start {
            let settled = neighbours::find_pairs(level, body, wanted, self.doubtful, found);
            stats.exact_tests += settled.one_by_one;
            stats.degenerate += settled.without_area;
        }
        if wanted == Wanted::First {
            found.truncate(start + 1);
        }
    }

    #[cold]
    fn candidate_by_itself(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        self.pairs.exact_tests += 1;
        spend(STEPS_PER_SELF_PAIR);
        let found = &mut self.pairs.found;
        found.extend(collide(self.pairs.body_a, i, j));
        if self.pairs.wanted == Wanted::First && found.len() > self.pairs.start { Break(()) } else { Continue(()) }
    }

    fn decide(&mut self) {
        let PairTest { body_a: body, wanted, level, batch, found, start, exact_tests, left_out, .. } = &mut self.pairs;
        let before = found.len();
        *exact_tests += batch.decide(*level, (body, body), found);
        keep_with_area(body, before, found);
        *left_out += shorten(found, *start, wanted.most());
    }
}

/// The corners of a triangle, with anything for fourth coordinates.
#[inline]
fn corners(body: &Body, triangle: u32) -> [Vec4; 3] {
    body.mesh().triangles()[triangle as usize].map(|vertex| body.vertices().four(vertex))
}

/// Up to eight candidates with their corners.
#[derive(Debug)]
struct Batch {
    triangles: [(u32, u32); WIDTH],
    corners_a: [[Vec4; 3]; WIDTH],
    corners_b: [[Vec4; 3]; WIDTH],
    len: usize,
    /// How far the corners may be off.
    rounding: f32,
}

impl Default for Batch {
    fn default() -> Self {
        let corners = [[Vec4::ZERO; 3]; WIDTH];
        Self { triangles: [(0, 0); WIDTH], corners_a: corners, corners_b: corners, len: 0, rounding: 0.0 }
    }
}

impl Batch {
    /// Begins a search among corners that may be off by `rounding`.
    fn start(&mut self, rounding: f32) {
        (self.len, self.rounding) = (0, rounding);
    }

    /// Takes in a candidate; returns whether the batch is full and has to be decided.
    #[inline]
    fn push(&mut self, triangles: (u32, u32), corners_a: [Vec4; 3], corners_b: [Vec4; 3]) -> bool {
        // The remainder only spares a check: a full batch is decided at once.
        let lane = self.len % WIDTH;
        self.triangles[lane] = triangles;
        (self.corners_a[lane], self.corners_b[lane]) = (corners_a, corners_b);
        self.len += 1;
        self.len == WIDTH
    }

    /// Appends the pairs that meet and empties the batch; returns how many f32 could not decide.
    #[inline(never)]
    fn decide(&mut self, level: Level, bodies: (&Body, &Body), found: &mut Vec<TrianglePair>) -> u64 {
        // Lanes that are not in use hold what was there before.
        let in_use = (1u32 << self.len) - 1;
        if in_use == 0 {
            return 0;
        }
        let mut verdict = dispatch!(level, simd => self.verdict(simd));
        let undecided = verdict.undecided & in_use;
        spend(self.len + STEPS_PER_EXACT_TEST * undecided.count_ones() as usize);
        self.len = 0;
        for lane in bits(undecided) {
            let meets = if self.rounding == 0.0 {
                decide(&self.corners_a[lane], &self.corners_b[lane])
            } else {
                meet_unrounded(bodies, self.triangles[lane])
            };
            verdict.meets |= u32::from(meets) << lane;
        }
        for lane in bits(verdict.meets & in_use) {
            let (i, j) = self.triangles[lane];
            found.push(TrianglePair::new(i, j));
        }
        u64::from(undecided.count_ones())
    }

    #[inline(always)]
    fn verdict<S: Simd>(&self, simd: S) -> Verdict {
        let a = Triangle8::gather(simd, self.corners_a.each_ref());
        let b = Triangle8::gather(simd, self.corners_b.each_ref());
        meet(&a, &b, self.rounding)
    }
}
