//! The figures of Hatab & Kheddar 2006 beside ours.

use crate::methods::BASELINE;
use crate::show::summary::Summaries;
use crumple_io::words::ratio;

/// Whether it pays to leave a cut out.
pub(crate) fn ge1(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let Some(always) = trial.method("gjk-cut:100") else { continue };
        for percent in [40, 55, 70, 85] {
            if let Some(seldom) = trial.method(&format!("gjk-cut:{percent}")) {
                let times = ratio(seldom.mean_us / always.mean_us);
                remarks.push(format!(
                    "cutting only below {percent} % overlap takes {times} the mean time of always cutting (paper: always cutting is best)"
                ));
            }
        }
    }
    remarks
}

/// GJK against the refitted tree.
pub(crate) fn ge3(trials: &[Summaries]) -> Vec<String> {
    let remark = |trial: &Summaries| {
        let (gjk, tree) = trial.method("gjk-cut").zip(trial.method(BASELINE))?;
        let (mean, worst) = (ratio(tree.mean_us / gjk.mean_us), ratio(tree.worst_us / gjk.worst_us));
        Some(format!(
            "{}: gjk-cut is {mean} as fast as {BASELINE}, refit counted, in the mean frame, {worst} in the worst (paper: faster)",
            trial.trial
        ))
    };
    trials.iter().filter_map(remark).collect()
}
