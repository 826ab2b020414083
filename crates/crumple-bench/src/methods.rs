//! Which methods take part in which experiment, with which options and by which names.

use crumple::narrow::wide_tree::{Rebuild, WideTreeOptions};
use crumple_methods::Method;
use crumple_methods::bucket_tree::BucketTree;
use crumple_methods::gjk_cut::{GjkCut, GjkCutOptions};
use crumple_methods::hybrid_tree::{HybridTreeOptions, TreeKind, Update};
use crumple_methods::local_tree::LocalTreeOptions;
use crumple_methods::{Degree, SplitAt};

use crate::experiment::Variant;

/// The name of the floor among the methods.
pub(crate) const FLOOR: &str = "floor";

/// The method that every ratio compares with.
pub(crate) const BASELINE: &str = "local-tree";

/// The same without the time of its refit, where an experiment shows that.
pub(crate) const WITHOUT_REFIT: &str = "local-tree:without-refit";

/// The wide tree with its default options.
pub(crate) const WIDE: &str = "wide-tree";

/// The wide tree that is never rebuilt.
pub(crate) const NEVER_REBUILT: &str = "wide-tree:never-rebuilt";

/// Every method with its default options, without brute force, which takes seconds per frame.
pub fn methods() -> Vec<Variant> {
    let methods = Method::all().into_iter().filter(|method| *method != Method::BruteForce);
    methods.map(|method| Variant::new(method.name(), method)).collect()
}

/// Every method with its default options, brute force first.
pub(crate) fn with_brute_force() -> Vec<Variant> {
    let mut all = methods();
    all.insert(0, Variant::new(Method::BruteForce.name(), Method::BruteForce));
    all
}

pub(crate) fn labels(variants: Vec<Variant>) -> Vec<String> {
    variants.into_iter().map(|variant| variant.label).collect()
}

fn hybrid_tree(option: &str, options: HybridTreeOptions) -> Variant {
    Variant::new(&format!("hybrid-tree:{option}"), Method::HybridTree(options))
}

/// The methods, and the two updates between which the hybrid one is the compromise: the paper's figure 3.
pub(crate) fn methods_and_updates() -> Vec<Variant> {
    let hybrid = HybridTreeOptions::default();
    let mut all = methods();
    all.push(hybrid_tree("top-down", hybrid.with_update(Update::TopDown)));
    all.push(hybrid_tree("bottom-up", hybrid.with_update(Update::BottomUp)));
    all
}

/// What the paper also tried and mentions in its text.
pub(crate) fn methods_and_variants() -> Vec<Variant> {
    let hybrid = HybridTreeOptions::default();
    let mut all = methods_and_updates();
    for (option, levels_below) in [("1-level", 1), ("2-levels", 2), ("3-levels", 3)] {
        all.push(hybrid_tree(option, hybrid.with_update(Update::Hybrid { levels_below })));
    }
    all.push(hybrid_tree("degree-2", hybrid.with_degree(Degree::Two)));
    all.push(hybrid_tree("degree-4", hybrid.with_degree(Degree::Four)));
    all.push(hybrid_tree("connectivity", hybrid.with_kind(TreeKind::Connectivity)));
    all.push(hybrid_tree("mean-split", hybrid.with_split_at(SplitAt::Mean)));
    let eight = LocalTreeOptions::default().with_degree(Degree::Eight);
    all.push(Variant::new("local-tree:degree-8", Method::LocalTree(eight)));
    all
}

/// The methods, and what else could be the fastest among bodies that rotate: connectivity trees, van den Bergen's trees of
/// degree eight, and his binary ones without the poses of the bodies, so that boxes are aligned with the world.
pub(crate) fn methods_in_a_crowd() -> Vec<Variant> {
    let local = LocalTreeOptions::default();
    let mut all = methods();
    all.push(hybrid_tree("connectivity", HybridTreeOptions::default().with_kind(TreeKind::Connectivity)));
    all.push(Variant::new("local-tree:degree-8", Method::LocalTree(local.with_degree(Degree::Eight))));
    all.push(Variant { with_poses: false, ..Variant::new("local-tree:no-poses", Method::LocalTree(local)) });
    all
}

/// The overlaps below which the paper tries to cut, in per cent; at 100 lists are always cut.
pub(crate) const CUT_THRESHOLDS: [u32; 5] = [40, 55, 70, 85, 100];

/// The names of GJK with the cut below a threshold, by the paper's options and by ours.
pub(crate) fn cut_labels(percent: u32) -> [String; 2] {
    [format!("gjk-cut:paper-{percent}"), format!("gjk-cut:{percent}")]
}

/// GJK with the cut below every threshold the paper tries, as in the paper and as it is by default, and the tree it is
/// compared with.
pub(crate) fn cut_thresholds() -> Vec<Variant> {
    let options = [GjkCutOptions::of_the_paper(), GjkCutOptions::default()];
    let mut all = Vec::new();
    for (kind, options) in options.into_iter().enumerate() {
        for percent in CUT_THRESHOLDS {
            let method = GjkCut::new(options.with_cut_threshold(percent)).unwrap_or_default();
            all.push(Variant::new(&cut_labels(percent)[kind], Method::GjkCut(method)));
        }
    }
    all.push(Variant::new(BASELINE, Method::LocalTree(LocalTreeOptions::default())));
    all
}

/// The trees: the other methods take seconds per frame on large bodies.
pub(crate) fn trees() -> Vec<Variant> {
    vec![
        Variant::new(WIDE, Method::WideTree(WideTreeOptions::default())),
        Variant::new("hybrid-tree", Method::HybridTree(HybridTreeOptions::default())),
        Variant::new(BASELINE, Method::LocalTree(LocalTreeOptions::default())),
    ]
}

/// The trees and the other papers' methods, which are as fast on one body that meets itself.
pub(crate) fn every_method() -> Vec<Variant> {
    let others = [
        Variant::new("bucket-tree", Method::BucketTree(BucketTree::default())),
        Variant::new("gjk-cut", Method::GjkCut(GjkCut::default())),
    ];
    trees().into_iter().chain(others).collect()
}

/// The trees, and the wide tree as it is without rebuilds.
pub(crate) fn rebuilt_or_not() -> Vec<Variant> {
    let mut all = trees();
    let never = WideTreeOptions::default().with_rebuild(Rebuild::Never);
    all.insert(1, Variant::new(NEVER_REBUILT, Method::WideTree(never)));
    all
}
