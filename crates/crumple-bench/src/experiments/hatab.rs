//! The figures of Hatab & Kheddar 2006 beside ours.

use crate::methods::{BASELINE, CUT_THRESHOLDS, WITHOUT_REFIT, cut_labels};
use crate::show::summary::Summaries;
use crumple_io::words::ratio;

/// Whether it pays to leave a cut out: by the paper's search, and by ours.
pub(crate) fn ge1(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let mean = |label: &String| trial.method(label).map(|summary| summary.mean_us);
        for (kind, search) in ["the paper's search", "our default"].into_iter().enumerate() {
            let times: Vec<String> = CUT_THRESHOLDS
                .into_iter()
                .filter_map(|percent| {
                    let [always, seldom] = [100, percent].map(|percent| mean(&cut_labels(percent)[kind]));
                    Some(format!("{percent} %: {}", ratio(seldom? / always?)))
                })
                .collect();
            if !times.is_empty() {
                remarks.push(format!(
                    "{}: mean time of {search} when it cuts only below an overlap, in times of always cutting (paper: always \
                     cutting is best): {}",
                    trial.trial,
                    times.join(", ")
                ));
            }
        }
        if let Some((paper, ours)) = mean(&cut_labels(100)[0]).zip(mean(&cut_labels(100)[1])) {
            remarks.push(format!(
                "{}: our default is {} as fast as the paper's search",
                trial.trial,
                ratio(paper / ours)
            ));
        }
    }
    remarks
}

/// GJK against the tree, with its refit and without.
pub(crate) fn ge3(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let Some(gjk) = trial.method("gjk-cut") else { continue };
        for label in [BASELINE, WITHOUT_REFIT] {
            let Some(tree) = trial.method(label) else { continue };
            remarks.push(format!(
                "{}: gjk-cut is {} as fast as {label} in the median frame, {} in the mean, {} in the worst (paper: faster)",
                trial.trial,
                ratio(tree.median_us / gjk.median_us),
                ratio(tree.mean_us / gjk.mean_us),
                ratio(tree.worst_us / gjk.worst_us)
            ));
        }
    }
    remarks
}
