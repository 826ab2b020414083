//! Who takes part in the experiments of our own, and what their figures mean.

use crumple::Method;
use crumple::narrow::bucket_tree::BucketTree;
use crumple::narrow::gjk_cut::GjkCut;
use crumple::narrow::hybrid_tree::HybridTreeOptions;
use crumple::narrow::local_tree::LocalTreeOptions;
use crumple::narrow::wide_tree::{Rebuild, WideTreeOptions};

use super::experiments::{BASELINE, Contestant, FLOOR};
use super::summary::Summaries;
use crate::table::ratio;

const WIDE: &str = "wide-tree";
const NEVER_REBUILT: &str = "wide-tree:never-rebuilt";

/// The trees: the other methods take seconds per frame on large bodies.
pub(super) fn trees() -> Vec<Contestant> {
    vec![
        Contestant::new(WIDE, Method::WideTree(WideTreeOptions::default())),
        Contestant::new("hybrid-tree", Method::HybridTree(HybridTreeOptions::default())),
        Contestant::new(BASELINE, Method::LocalTree(LocalTreeOptions::default())),
    ]
}

/// The trees and the other papers' methods, which are as fast on one body that meets itself.
pub(super) fn every_method() -> Vec<Contestant> {
    let others = [
        Contestant::new("bucket-tree", Method::BucketTree(BucketTree::default())),
        Contestant::new("gjk-cut", Method::GjkCut(GjkCut::default())),
    ];
    trees().into_iter().chain(others).collect()
}

/// The trees, and the wide tree as it is without rebuilds.
pub(super) fn rebuilt_or_not() -> Vec<Contestant> {
    let mut all = trees();
    let never = WideTreeOptions::default().with_rebuild(Rebuild::Never);
    all.insert(1, Contestant::new(NEVER_REBUILT, Method::WideTree(never)));
    all
}

/// The wide tree against the baseline and the floor, in the mean frame.
pub(super) fn mean(trials: &[Summaries]) -> Vec<String> {
    let remark = |trial: &Summaries| {
        let (wide, tree) = trial.method(WIDE).zip(trial.method(BASELINE))?;
        let over = trial.method(FLOOR).map(|floor| format!(", {} the floor", ratio(wide.mean_us / floor.mean_us)));
        let times = ratio(tree.mean_us / wide.mean_us);
        Some(format!(
            "{}: {WIDE} is {times} as fast as {BASELINE} in the mean frame{}",
            trial.trial,
            over.unwrap_or_default()
        ))
    };
    trials.iter().filter_map(remark).collect()
}

/// What rebuilds are worth.
pub(super) fn rebuilds(trials: &[Summaries]) -> Vec<String> {
    let remark = |trial: &Summaries| {
        let (with, without) = trial.method(WIDE).zip(trial.method(NEVER_REBUILT))?;
        let (last, mean) = (ratio(without.last_us / with.last_us), ratio(without.mean_us / with.mean_us));
        Some(format!(
            "{}: with rebuilds {WIDE} is {last} as fast as without in the last frame, {mean} in the mean frame",
            trial.trial
        ))
    };
    trials.iter().filter_map(remark).collect()
}
