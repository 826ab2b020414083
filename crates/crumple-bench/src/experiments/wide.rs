//! What the figures of our own experiments mean.

use crumple_io::words::ratio;

use crate::methods::{BASELINE, FLOOR, NEVER_REBUILT, WIDE};
use crate::show::summary::Summaries;

/// The wide tree against the baseline and the floor, in the mean frame.
pub(crate) fn mean(trials: &[Summaries]) -> Vec<String> {
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
pub(crate) fn rebuilds(trials: &[Summaries]) -> Vec<String> {
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
