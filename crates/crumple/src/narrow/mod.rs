//! WHICH TRIANGLES: the narrow phase. All pairs of triangles of two bodies, or of one body, that share a point.
//!
//! A method keeps what it needs *per body* (its tree) and nothing per pair of bodies; a query borrows both bodies and both
//! trees, with working memory of its own thread. So many pairs of bodies can be asked about side by side. Every method
//! finds the same pairs: methods differ in what they keep and in how they get to candidates. What is done with candidates
//! they share: the test of two triangles (`pair_test`), the rule for triangles of one body (`self_pair`), and the
//! decision of triangles that share a vertex (`neighbours`).
//!
//! Here are the wide tree, which is the default, and brute force, which all others are compared with. The methods of four
//! papers are in the crate `crumple-methods`; they implement [`PairMethod`] as anybody can.

pub mod brute;
pub mod wide_tree;

mod groups;
mod limit;
mod neighbours;
mod pair_test;
mod self_pair;
mod stats;
mod two_bodies;

pub use groups::Boxed;
pub use pair_test::{Flow, PairTest, Search, SelfTest};
pub use stats::Stats;
pub use two_bodies::{pairs, self_pairs};

use std::fmt::Debug;

use crate::body::Body;
use crate::geom::Aabb;

/// A way to find candidates: the part of the narrow phase that methods differ in.
///
/// You do not need it to find pairs ([`Scene::new`](crate::Scene::new) has the fastest method), to leave pairs out
/// ([`Scene::set_pair_filter`](crate::Scene::set_pair_filter)) or to ask about two bodies once ([`crate::pairs`]).
/// Implement it to compare a method of your own with the others, or where you know something about your bodies that no
/// general method knows; [`Scene::with_method`](crate::Scene::with_method) takes it.
///
/// A method says which two triangles may meet, and nothing else: the test that a search is handed decides, lists, limits
/// and sorts. So a method cannot invent a pair, and more candidates than necessary cost time but never change the answer.
///
/// - Hand over every two live triangles whose closed boxes overlap, in any order. Boxes of [`Body::positions`] suffice
///   for f64 bodies, since rounding is monotone.
/// - Leave, with `?`, as soon as the test breaks off.
/// - Trees are only read in queries, and several queries may read one tree at the same time.
///
/// **The one mistake** is to hand over the same two triangles twice: the pair is then listed twice. Debug builds check it.
///
/// The example `my_method` of this crate is a whole method of 58 lines, which sorts boxes along one axis. The shortest
/// one hands over everything:
///
/// ```
/// use crumple::narrow::{Flow, PairMethod, PairTest, SelfTest, Side};
/// use crumple::{Body, Mesh, Scene};
///
/// #[derive(Clone, Debug)]
/// struct Everything;
///
/// impl PairMethod for Everything {
///     type Tree = ();
///     type Scratch = ();
///
///     fn build(&self, _: &Body) {}
///
///     fn update(&self, (): &mut (), _: &Body) {}
///
///     fn find_pairs(&self, a: Side<'_, ()>, b: Side<'_, ()>, (): &mut (), test: &mut PairTest<'_>) -> Flow {
///         for (i, _) in a.body.mesh().live_triangles() {
///             for (j, _) in b.body.mesh().live_triangles() {
///                 test.candidate(i, j)?;
///             }
///         }
///         Flow::Continue(())
///     }
///
///     fn find_self_pairs(&self, side: Side<'_, ()>, (): &mut (), test: &mut SelfTest<'_>) -> Flow {
///         for (i, _) in side.body.mesh().live_triangles() {
///             for (j, _) in side.body.mesh().live_triangles().filter(|(j, _)| *j > i) {
///                 test.candidate(i, j)?;
///             }
///         }
///         Flow::Continue(())
///     }
/// }
///
/// let mesh = || Mesh::new(3, vec![[0, 1, 2]]);
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]];
/// let mut scene = Scene::with_method(Everything);
/// scene.add(Body::new(mesh()?, &corners)?);
/// scene.add(Body::new(mesh()?, &corners)?);
/// assert_eq!(scene.update()?.contacts().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "narrow phase")]
pub trait PairMethod: Clone + Debug + Send + Sync + 'static {
    /// What the method keeps for one body between frames.
    type Tree: Clone + Debug + Send + Sync;
    /// Working memory of one thread, reused from query to query.
    type Scratch: Debug + Default + Send + Sync;

    /// How many triangles of trees to be updated justify another thread. They have to be many: the vertices have just been
    /// written, and are in the caches of the thread that did it.
    const UPDATES_WORTH_A_THREAD: usize = 65_536;

    /// Makes the tree of a body as it is now.
    fn build(&self, body: &Body) -> Self::Tree;

    /// Takes in the new vertices of `body`; called once per frame for each body that moved and is asked about.
    fn update(&self, tree: &mut Self::Tree, body: &Body);

    /// As [`update`](Self::update), where queries will be about what is in the box `near` only: what stays outside it need not
    /// be tight.
    fn update_near(&self, tree: &mut Self::Tree, body: &Body, near: &Aabb) {
        let _ = near;
        self.update(tree, body);
    }

    /// Takes in a body whose triangles have changed as well ([`Body::topology_version`]); called in place of `update`.
    ///
    /// A new tree, unless a method has something better to do.
    fn rebuild(&self, tree: &mut Self::Tree, body: &Body) {
        *tree = self.build(body);
    }

    /// Whether the method decides its candidates itself, neighbours too, and hands none to the test: the code of the test is then
    /// not part of a program that has no other method.
    #[doc(hidden)]
    const DECIDES_ITSELF: bool = false;

    /// The wide tree if this is it: its trees also answer what is not about pairs, so a scene needs no others.
    #[doc(hidden)]
    fn as_wide_tree(&self) -> Option<&wide_tree::WideTree> {
        None
    }

    /// Hands `test` every two triangles of `a` and `b` whose boxes overlap, each once, in any order, until it breaks off.
    ///
    /// Both trees are up to date with their bodies. Boxes of [`Body::positions`] suffice for f64 bodies, too.
    fn find_pairs(
        &self,
        a: Side<'_, Self::Tree>,
        b: Side<'_, Self::Tree>,
        scratch: &mut Self::Scratch,
        test: &mut PairTest<'_>,
    ) -> Flow;

    /// Hands `test` every two triangles of one body whose boxes overlap, each once, in any order, until it breaks off.
    /// Two that share a vertex may be left out.
    fn find_self_pairs(&self, side: Side<'_, Self::Tree>, scratch: &mut Self::Scratch, test: &mut SelfTest<'_>)
    -> Flow;
}

/// One of the two sides of a query: a body and what the method keeps for it.
#[derive(Debug)]
pub struct Side<'a, Tree> {
    /// The body with its vertices.
    pub body: &'a Body,
    /// Its tree, up to date.
    pub tree: &'a Tree,
}

impl<Tree> Clone for Side<'_, Tree> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Tree> Copy for Side<'_, Tree> {}

/// How much of the answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// Every pair.
    #[default]
    All,
    /// One pair, any one, as early as possible.
    First,
    /// So many pairs, the first in order; the others are counted.
    AtMost(usize),
}
