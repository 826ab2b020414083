//! The methods that are held to the truth.

use crumple::narrow::wide_tree::{Lanes, WideTreeOptions};
use crumple_methods::Degree;
use crumple_methods::Method;
use crumple_methods::bucket_tree::{BucketTree, BucketTreeOptions, Filing};
use crumple_methods::gjk_cut::{GjkCut, GjkCutOptions};
use crumple_methods::hybrid_tree::{HybridTreeOptions, TreeKind, Update};
use crumple_methods::local_tree::LocalTreeOptions;

/// A method with options, and what it is called.
pub(crate) type Named = (&'static str, Method);

/// Every method, and those options that make another tree or refit it in another way. Brute force would take days.
pub(crate) fn for_pairs() -> Vec<Named> {
    let hybrid = HybridTreeOptions::default();
    let by_sorting = BucketTreeOptions::default().with_filing(Filing::BySorting);
    let gjk = GjkCutOptions::default();
    let mut methods = with_default_options();
    methods.extend([
        ("bucket-tree, by sorting", bucket_tree(by_sorting)),
        ("bucket-tree, of the paper", bucket_tree(BucketTreeOptions::of_the_paper(6))),
        ("gjk-cut, of the paper", gjk_cut(GjkCutOptions::of_the_paper())),
        ("gjk-cut, below 40 %", gjk_cut(gjk.with_cut_threshold(40))),
        ("hybrid-tree, connectivity", Method::HybridTree(hybrid.with_kind(TreeKind::Connectivity))),
        ("hybrid-tree, bottom-up", Method::HybridTree(hybrid.with_update(Update::BottomUp))),
        ("hybrid-tree, degree 2", Method::HybridTree(hybrid.with_degree(Degree::Two))),
        ("wide-tree, baseline lanes", baseline_lanes()),
        ("local-tree, degree 8", Method::LocalTree(LocalTreeOptions::default().with_degree(Degree::Eight))),
    ]);
    methods
}

/// The methods that are quick about self-collision: those with a tree, or with buckets.
pub(crate) fn for_self_pairs() -> Vec<Named> {
    let mut methods = with_default_options();
    methods.push(("wide-tree, baseline lanes", baseline_lanes()));
    methods.retain(|(_, method)| !matches!(method, Method::GjkCut(_)));
    methods
}

fn bucket_tree(options: BucketTreeOptions) -> Method {
    Method::BucketTree(BucketTree::new(options).expect("the options are in range"))
}

fn gjk_cut(options: GjkCutOptions) -> Method {
    Method::GjkCut(GjkCut::new(options).expect("the options are in range"))
}

/// The wide tree with the instructions every processor of this architecture has.
fn baseline_lanes() -> Method {
    Method::WideTree(WideTreeOptions::default().with_lanes(Lanes::Baseline))
}

fn with_default_options() -> Vec<Named> {
    let methods = Method::all().into_iter().filter(|method| *method != Method::BruteForce);
    methods.map(|method| (method.name(), method)).collect()
}
