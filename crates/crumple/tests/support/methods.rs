//! Every method with every option, behind one trait object.

use std::fmt;

use crumple::narrow::brute::BruteForce;
use crumple::narrow::wide_tree::{Lanes, Rebuild, WideTree, WideTreeOptions};
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, Scene, TrianglePair};
use crumple_methods::Method;
use crumple_methods::bucket_tree::{BucketTree, BucketTreeOptions, Filing, LevelChoice, Opening};
use crumple_methods::gjk_cut::{GjkCut, GjkCutOptions, Support};
use crumple_methods::hybrid_tree::{HybridTree, HybridTreeOptions, TreeKind, Update};
use crumple_methods::local_tree::{LocalTree, LocalTreeOptions};
use crumple_methods::{Degree, SplitAt};

use super::counts::full_counts;

#[path = "../../examples/my_method/sweep.rs"]
mod sweep;

/// A method with its options, ready to be run with or without a scene.
pub(crate) trait AnyMethod: Send + Sync {
    /// The method's name, then its options.
    fn name(&self) -> &str;

    /// A scene that finds its pairs by this method.
    fn scene(&self) -> Scene;

    /// The trees of some bodies as they are now, to be asked about by their places in the list.
    fn trees(&self, bodies: &[Body]) -> Box<dyn AnyTrees>;
}

impl fmt::Display for dyn AnyMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The trees of some bodies.
pub(crate) trait AnyTrees {
    /// Takes in the new vertices of all bodies.
    fn update(&mut self, bodies: &[Body]);

    /// The pairs of bodies `a` and `b`, sorted; of a body with itself if they are the same.
    fn pairs(&mut self, bodies: &[Body], a: usize, b: usize, wanted: Wanted) -> Vec<TrianglePair>;
}

/// Every method with its default options. A new method is one more line here; its options go into [`methods`].
pub(crate) fn default_methods() -> Vec<Box<dyn AnyMethod>> {
    vec![
        any("brute-force", BruteForce),
        any("hybrid-tree", HybridTree::default()),
        any("bucket-tree", BucketTree::default()),
        any("gjk-cut", GjkCut::default()),
        any("local-tree", LocalTree::default()),
        any("wide-tree", WideTree::default()),
        any("the example of a method", sweep::Sweep),
    ]
}

/// Every method with its default options, but for trees that are never built anew: of a body that is asked about itself
/// a build allocates.
pub(crate) fn steady_methods() -> Vec<Box<dyn AnyMethod>> {
    let mut all = default_methods();
    all.retain(|method| method.name() != "wide-tree");
    let options = WideTreeOptions::default().with_rebuild(Rebuild::Never);
    all.push(with("wide-tree", options, WideTree { options }));
    all
}

/// Of the lists of options that are long, how many every test runs; `agreement::fixtures` runs them all.
const MOST_DIFFERENT: usize = 3;

/// Every method with every option that can make a difference to how pairs are found.
pub(crate) fn methods() -> Vec<Box<dyn AnyMethod>> {
    let mut all = default_methods();
    let is_new = |options: &HybridTreeOptions| *options != HybridTreeOptions::default();
    all.extend(hybrid_trees().filter(is_new).map(|options| with("hybrid-tree", options, HybridTree { options })));
    all.extend(
        bucket_trees()
            .take(MOST_DIFFERENT)
            .map(|options| with("bucket-tree", options, BucketTree::new(options).unwrap())),
    );
    all.extend(gjk_cuts().take(MOST_DIFFERENT).map(|options| with("gjk-cut", options, GjkCut::new(options).unwrap())));
    // The first is the default.
    all.extend(local_trees().skip(1).map(|options| with("local-tree", options, LocalTree { options })));
    all.extend(wide_trees().map(|options| with("wide-tree", options, WideTree { options })));
    all
}

/// A method that builds its boxes and compares them faster than brute force.
pub(crate) fn fast() -> Box<dyn AnyMethod> {
    any("hybrid-tree", HybridTree::default())
}

/// The answer the others are held to.
pub(crate) fn brute_force() -> Box<dyn AnyMethod> {
    any("brute-force", BruteForce)
}

const DEGREES: [Degree; 3] = [Degree::Two, Degree::Four, Degree::Eight];

/// Combinations of options in which every two of them meet; all combinations with full counts.
pub(crate) fn hybrid_trees() -> impl Iterator<Item = HybridTreeOptions> {
    let kinds = [
        (TreeKind::InitialShape, SplitAt::Centre),
        (TreeKind::InitialShape, SplitAt::Mean),
        (TreeKind::Connectivity, SplitAt::Centre),
    ];
    let hybrids = [1, 2, 3].map(|levels_below| Update::Hybrid { levels_below });
    let updates = move || [Update::BottomUp, Update::TopDown, Update::Coherent].into_iter().chain(hybrids);
    // Fewer levels than make sense, and more than any tree has.
    let odd = [0, usize::MAX].map(|levels_below| Update::Hybrid { levels_below });
    let odd = odd.map(|update| HybridTreeOptions::default().with_degree(Degree::Two).with_update(update));
    let all = DEGREES.into_iter().enumerate().flat_map(move |(i, degree)| {
        kinds.into_iter().enumerate().flat_map(move |(k, (kind, split_at))| {
            // Each of three options with each of the others is in a third of all combinations: those whose numbers add up to
            // a multiple of three, since any two of them leave one choice for the third.
            let is_taken = move |update: usize| full_counts() || (i + k + update).is_multiple_of(3);
            updates().enumerate().filter(move |(update, _)| is_taken(*update)).map(move |(_, update)| {
                let options = HybridTreeOptions::default().with_degree(degree).with_kind(kind);
                options.with_split_at(split_at).with_update(update)
            })
        })
    });
    all.chain(odd)
}

/// The first [`MOST_DIFFERENT`] make the largest difference.
pub(crate) fn bucket_trees() -> impl Iterator<Item = BucketTreeOptions> {
    let options = BucketTreeOptions::default();
    let by_sorting = options.with_filing(Filing::BySorting);
    let opens_smaller = options.with_opening(Opening::Smaller);
    [
        BucketTreeOptions::of_the_paper(3),
        by_sorting.with_split_above(Some(1)),
        opens_smaller.with_levels(LevelChoice::Fixed(1)),
        by_sorting,
        opens_smaller,
        options.with_split_above(None),
        options.with_levels(LevelChoice::Fixed(6)),
    ]
    .into_iter()
}

/// The first [`MOST_DIFFERENT`] make the largest difference.
pub(crate) fn gjk_cuts() -> impl Iterator<Item = GjkCutOptions> {
    let options = GjkCutOptions::default();
    let paper = GjkCutOptions::of_the_paper();
    let always = options.with_leaf_size(1).with_cut_above(0);
    let most_different = [paper, always, always.with_cut_threshold(40).with_support(Support::SharedVertices)];
    let others = [options.with_halvings(4), options.with_leaf_size(8), paper.with_cut_threshold(40)];
    let thresholds = [55, 70, 85].map(|percent| always.with_cut_threshold(percent));
    most_different.into_iter().chain(thresholds).chain(others)
}

pub(crate) fn local_trees() -> impl Iterator<Item = LocalTreeOptions> {
    DEGREES.into_iter().map(|degree| LocalTreeOptions::default().with_degree(degree))
}

pub(crate) fn wide_trees() -> impl Iterator<Item = WideTreeOptions> {
    let options = WideTreeOptions::default();
    [options.with_lanes(Lanes::Baseline), options.with_rebuild(Rebuild::Never), options.with_rebuild(Rebuild::Always)]
        .into_iter()
}

/// Every method, and options that keep more between frames than the default does.
pub(crate) fn methods_that_keep_more() -> Vec<Method> {
    let sorting = BucketTreeOptions::default().with_filing(Filing::BySorting);
    let hybrid = HybridTreeOptions::default();
    let mut methods = Method::all();
    methods.extend([
        Method::HybridTree(hybrid.with_kind(TreeKind::Connectivity).with_degree(Degree::Four)),
        Method::HybridTree(hybrid.with_update(Update::TopDown)),
        Method::BucketTree(BucketTree::new(sorting).unwrap()),
        Method::BucketTree(BucketTree::new(sorting.with_levels(LevelChoice::Fixed(2))).unwrap()),
        Method::GjkCut(GjkCut::new(GjkCutOptions::default().with_cut_threshold(55)).unwrap()),
        Method::LocalTree(LocalTreeOptions::default().with_degree(Degree::Eight)),
    ]);
    methods
}

fn with<M: PairMethod>(name: &str, options: impl fmt::Debug, method: M) -> Box<dyn AnyMethod> {
    any(&format!("{name} with {options:?}"), method)
}

fn any<M: PairMethod>(name: &str, method: M) -> Box<dyn AnyMethod> {
    Box::new(Named { name: name.to_owned(), method })
}

struct Named<M> {
    name: String,
    method: M,
}

impl<M: PairMethod> AnyMethod for Named<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn scene(&self) -> Scene {
        Scene::with_method(self.method.clone())
    }

    fn trees(&self, bodies: &[Body]) -> Box<dyn AnyTrees> {
        let trees = bodies.iter().map(|body| self.method.build(body)).collect();
        Box::new(Trees { method: self.method.clone(), trees, search: Search::default() })
    }
}

struct Trees<M: PairMethod> {
    method: M,
    trees: Vec<M::Tree>,
    search: Search<M>,
}

impl<M: PairMethod> AnyTrees for Trees<M> {
    fn update(&mut self, bodies: &[Body]) {
        for (tree, body) in self.trees.iter_mut().zip(bodies) {
            self.method.update(tree, body);
        }
    }

    fn pairs(&mut self, bodies: &[Body], a: usize, b: usize, wanted: Wanted) -> Vec<TrianglePair> {
        let side = |at: usize| Side { body: &bodies[at], tree: &self.trees[at] };
        let mut found = Vec::new();
        if a == b {
            self.search.self_pairs(&self.method, side(a), wanted, &mut found);
        } else {
            self.search.pairs(&self.method, (side(a), side(b)), wanted, &mut found);
        }
        found
    }
}
