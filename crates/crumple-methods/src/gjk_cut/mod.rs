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

use crate::groups::GROUP;
use corners::LocalCoordinates;
use crumple::Body;
use crumple::narrow::{Boxed, Flow, PairMethod, PairTest, SelfTest, Side};
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
}

impl PairMethod for GjkCut {
    type Tree = ();
    type Scratch = Scratch;

    fn build(&self, _: &Body) -> Self::Tree {}

    fn update(&self, _: &mut Self::Tree, _: &Body) {}

    // Nothing is kept, so nothing can have become stale.
    fn rebuild(&self, _: &mut Self::Tree, _: &Body) {}

    fn find_pairs(&self, a: Side<'_, ()>, b: Side<'_, ()>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
        let (a, b) = (a.body, b.body);
        let region = a.bounds().intersection(&b.bounds());
        test.stats().box_tests += 1;
        if region.is_empty() {
            return Flow::Continue(());
        }
        let [lists_a, lists_b] = &mut scratch.lists;
        let local = LocalCoordinates::new(&a.bounds().union(&b.bounds()), &region, a.rounding().max(b.rounding()));
        let stacks = [
            ListStack::new(a, &local, lists_a, self.options.support),
            ListStack::new(b, &local, lists_b, self.options.support),
        ];
        let visit = |a: &[Boxed], b: Option<&[Boxed]>| test.groups(a, b.unwrap_or(a));
        let (flow, stats) = Search::new(stacks, self.options, visit).across(&region);
        *test.stats() += stats;
        flow
    }

    fn find_self_pairs(&self, side: Side<'_, ()>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        let body = side.body;
        let [lists_a, lists_b] = &mut scratch.lists;
        let visit = |a: &[Boxed], b: Option<&[Boxed]>| match b {
            Some(b) => test.groups(a, b),
            None => test.group(a),
        };
        let local = LocalCoordinates::new(&body.bounds(), &body.bounds(), body.rounding());
        let stacks = [lists_a, lists_b].map(|lists| ListStack::new(body, &local, lists, self.options.support));
        // Most candidates within a body are neighbours, which are dropped in lanes: shorter lists would not pay.
        let options = GjkCutOptions { leaf_size: self.options.leaf_size.max(GROUP), ..self.options };
        let (flow, stats) = Search::new(stacks, options, visit).within();
        *test.stats() += stats;
        flow
    }
}
