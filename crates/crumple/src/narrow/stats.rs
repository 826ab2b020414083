//! How much work an answer took.

use std::ops::AddAssign;

/// Counts that explain a slow frame without a profiler; they add up over bodies and frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stats {
    /// Pairs of boxes compared.
    pub box_tests: u64,
    /// Boxes brought up to date while answering.
    pub boxes_fitted: u64,
    /// Pairs of triangles whose boxes overlap.
    pub candidates: u64,
    /// Candidates that lanes of f32 could not decide.
    pub exact_tests: u64,
    /// Triangles left out of a self-collision query because they have no area.
    pub degenerate: u64,
    /// Vertices that a search looked at one by one.
    pub vertices_visited: u64,
    /// Trees rebuilt because deformation had made them slow; counted in the first answer afterwards.
    pub builds: u64,
    /// Pairs of triangles that meet but were not listed, since there was a limit.
    pub pairs_left_out: u64,
}

impl Stats {
    /// What remains true of an answer that is given a second time.
    pub(crate) fn without_work(self) -> Self {
        Self { degenerate: self.degenerate, pairs_left_out: self.pairs_left_out, ..Self::default() }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.box_tests += other.box_tests;
        self.boxes_fitted += other.boxes_fitted;
        self.candidates += other.candidates;
        self.exact_tests += other.exact_tests;
        self.degenerate += other.degenerate;
        self.vertices_visited += other.vertices_visited;
        self.builds += other.builds;
        self.pairs_left_out += other.pairs_left_out;
    }
}
