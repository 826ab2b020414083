//! How much work an answer took.

use std::ops::AddAssign;

/// Counts that explain a slow frame without a profiler; they add up over bodies and frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Pairs of boxes compared.
    pub box_tests: u64,
    /// Boxes brought up to date while answering.
    pub boxes_fitted: u64,
    /// Pairs of triangles whose boxes overlap.
    pub candidates: u64,
    /// Triangles left out of a self-collision query because they have no area.
    pub degenerate: u64,
}

impl Stats {
    /// What remains true of an answer that is given a second time.
    pub(crate) fn without_work(self) -> Self {
        Self { degenerate: self.degenerate, ..Self::default() }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.box_tests += other.box_tests;
        self.boxes_fitted += other.boxes_fitted;
        self.candidates += other.candidates;
        self.degenerate += other.degenerate;
    }
}
