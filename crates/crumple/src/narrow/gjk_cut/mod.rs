//! GJK for bodies that deform: triangles far from the common region are cut away, the rest is split and searched again.
//!
//! Paper: Hatab & Kheddar 2006, "GJK for Deformable Object Collision Detection". The search looks along one direction
//! after another for the extreme vertices of two triangle lists (`support`, `corners`), drops what cannot meet the other list
//! (`cut`, `lists`), chooses the next direction from the extreme vertices (`direction`), and where nothing more can be dropped
//! splits both lists and takes the four combinations (`recurse`). Nothing is kept between frames: a body may have any
//! triangles in any frame at no cost. [`GjkCutOptions::of_the_paper`] is the search as published; what the default changes for
//! speed is said in `cut`, `recurse` and `corners`. [`cut_steps`] shows the cuts one by one.
//!
//! The distance between the convex hulls of two point sets, from which the method grew, is here by itself:
//! [`gjk_distance`], [`gjk_separating_axis`].
//!
//! The listings' slips stand where they were put right, in `cut` and `recurse`; besides, algorithm 3.1 tests a
//! `Result` that nothing sets, and the arguments of `SupportVertex` change places between algorithms 3.1 and 4.1.
//!
//! Cost: no build, no update; a query is O((m + n) log(m + n)) where bodies meet along a curve.
//! Held by: `tests/agreement/gjk_cut.rs`, `tests/exactness/gjk_distance.rs`, experiments GE1 to GE3.

mod corners;
mod cut;
mod direction;
mod error;
mod gjk;
mod lists;
mod options;
mod recurse;
mod simplex;
mod support;
mod trace;

pub use error::{GjkError, PointSet};
pub use gjk::{GjkOutcome, GjkResult, GjkWeight, gjk_distance, gjk_separating_axis};
pub use options::{Cuts, GjkCutOptions, Split, Support};
pub use trace::{CutStep, cut_steps};

use super::groups::{GROUP, Item};
use super::pair_test::{PairTest, SelfTest, TestMemory};
use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::geom::TrianglePair;
use crate::narrow::Stats;
use corners::LocalCoordinates;
use lists::{ListStack, Memory};
use recurse::Search;

/// The method of Hatab & Kheddar 2006.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "GjkCutOptions", into = "GjkCutOptions")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GjkCut {
    options: GjkCutOptions,
}

impl GjkCut {
    /// The method with these options.
    ///
    /// # Errors
    /// If they are out of range.
    pub fn new(options: GjkCutOptions) -> Result<Self, GjkError> {
        Ok(Self { options: options.check()? })
    }

    /// When lists are cut and how far they are split.
    pub fn options(&self) -> GjkCutOptions {
        self.options
    }
}

impl TryFrom<GjkCutOptions> for GjkCut {
    type Error = GjkError;

    fn try_from(options: GjkCutOptions) -> Result<Self, GjkError> {
        Self::new(options)
    }
}

impl From<GjkCut> for GjkCutOptions {
    fn from(method: GjkCut) -> Self {
        method.options
    }
}

/// Working memory of one thread: the lists of both sides.
#[derive(Debug, Default)]
pub struct Scratch {
    lists: [Memory; 2],
    test: TestMemory,
}

impl PairMethod for GjkCut {
    type Tree = ();
    type Scratch = Scratch;

    fn build(&self, _: &Body) -> Self::Tree {}

    fn update(&self, _: &mut Self::Tree, _: &Body) {}

    // Nothing is kept, so nothing can have become stale.
    fn rebuild(&self, _: &mut Self::Tree, _: &Body) {}

    fn find_pairs(
        &self,
        a: Side<'_, ()>,
        b: Side<'_, ()>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let (a, b) = (a.body, b.body);
        let region = a.bounds().intersection(&b.bounds());
        if region.is_empty() {
            return Stats { box_tests: 1, ..Stats::default() };
        }
        let Scratch { lists: [lists_a, lists_b], test } = scratch;
        let local = LocalCoordinates::new(&a.bounds().union(&b.bounds()), &region, a.rounding().max(b.rounding()));
        let stacks = [
            ListStack::new(a, &local, lists_a, self.options.support),
            ListStack::new(b, &local, lists_b, self.options.support),
        ];
        let mut test = PairTest::new((a, b), wanted, test, found);
        let visit = |a: &[Item], b: Option<&[Item]>, stats: &mut Stats| test.compare((a, b.unwrap_or(a)), stats);
        let mut stats = Search::new(stacks, self.options, visit).across(&region);
        test.finish(&mut stats);
        stats.box_tests += 1;
        stats
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, ()>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let body = side.body;
        let Scratch { lists: [lists_a, lists_b], test } = scratch;
        let mut test = SelfTest::new(body, wanted, test, found);
        let visit = |a: &[Item], b: Option<&[Item]>, stats: &mut Stats| match b {
            Some(b) => test.compare((a, b), Item::parts, stats),
            None => test.compare_within(a, Item::parts, stats),
        };
        let local = LocalCoordinates::new(&body.bounds(), &body.bounds(), body.rounding());
        let stacks = [lists_a, lists_b].map(|lists| ListStack::new(body, &local, lists, self.options.support));
        // Most candidates within a body are neighbours, which are dropped in lanes: shorter lists would not pay.
        let options = GjkCutOptions { leaf_size: self.options.leaf_size.max(GROUP), ..self.options };
        let mut stats = Search::new(stacks, options, visit).within();
        test.finish(&mut stats);
        stats
    }
}
