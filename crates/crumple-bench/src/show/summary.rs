//! The times of a trial, summed up by method.

use crumple_io::report::{BenchFrame, MethodSummary, micros};

use crate::experiment::Question;
use crate::measure::{FrameTime, Outcome};
use crate::methods::{BASELINE, FLOOR};

/// A trial summed up, method by method.
#[derive(Clone, Debug)]
pub struct Summaries {
    /// The trial.
    pub trial: String,
    /// What was computed.
    pub question: Question,
    /// Triangles of the largest body.
    pub triangles: u64,
    /// Pairs in the frame that has the most.
    pub most_pairs: u64,
    /// The methods in the order they were run, the floor last.
    pub methods: Vec<MethodSummary>,
}

impl Summaries {
    /// Sums up the result of a trial.
    pub fn of(trial: &str, question: Question, outcome: &Outcome) -> Self {
        let all: Vec<usize> = (0..outcome.found.len()).collect();
        Self::of_frames(trial, question, outcome, &all)
    }

    /// Sums up those frames of a trial in which bodies are in contact; `None` if there is no such frame.
    pub(crate) fn in_contact(trial: &str, question: Question, outcome: &Outcome) -> Option<Self> {
        let frames: Vec<usize> = (0..outcome.found.len()).filter(|&at| outcome.found[at].pair_count() > 0).collect();
        let name = format!("{trial} in contact");
        (!frames.is_empty()).then(|| Self::of_frames(&name, question, outcome, &frames))
    }

    fn of_frames(trial: &str, question: Question, outcome: &Outcome, chosen: &[usize]) -> Self {
        let pairs: Vec<u64> = chosen.iter().map(|&at| outcome.found[at].pair_count()).collect();
        let first = pairs.iter().position(|&count| count > 0);
        let [scene_digest, pairs_digest] =
            [outcome.recording.digest.clone(), outcome.pairs_digest().to_string()].map(Some);
        let summary = |label: &str, frames: &[FrameTime]| {
            let mut all: Vec<f64> = chosen.iter().map(|&at| rounded(micros(frames[at].total()))).collect();
            let first_contact_us = first.map(|at| all[at]);
            let last_us = all.last().copied().unwrap_or(0.0);
            let mean_us = all.iter().sum::<f64>() / all.len().max(1) as f64;
            all.sort_by(f64::total_cmp);
            MethodSummary {
                experiment: trial.to_owned(),
                method: label.to_owned(),
                frames: chosen.len() as u64,
                pairs: pairs.iter().sum(),
                median_us: rounded(median(&all)),
                mean_us: rounded(mean_us),
                first_contact: first.map(|at| outcome.recording.number(chosen[at])),
                first_contact_us,
                last_us,
                worst_us: all.last().copied().unwrap_or(0.0),
                ratio_to_local_tree: None,
                ratio_to_floor: None,
                scene_digest: scene_digest.clone(),
                pairs_digest: pairs_digest.clone(),
            }
        };
        let methods = outcome.times.iter().map(|times| summary(&times.label, &times.frames)).collect();
        let triangles = outcome.recording.triangles_per_body() as u64;
        let most_pairs = pairs.iter().copied().max().unwrap_or(0);
        let mut summaries = Self { trial: trial.to_owned(), question, triangles, most_pairs, methods };
        summaries.fill_in_ratios();
        summaries
    }

    fn fill_in_ratios(&mut self) {
        let median = |label: &str| self.method(label).map(|summary| summary.median_us);
        let (baseline, floor) = (median(BASELINE), median(FLOOR));
        for summary in &mut self.methods {
            summary.ratio_to_local_tree = baseline.map(|baseline| rounded(baseline / summary.median_us));
            summary.ratio_to_floor = floor.map(|floor| rounded(summary.median_us / floor));
        }
    }

    /// The summary of one method, by its label.
    pub fn method(&self, label: &str) -> Option<&MethodSummary> {
        self.methods.iter().find(|summary| summary.method == label)
    }
}

/// The middle of sorted numbers; between two of them, their mean.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => 0.0,
        len if len % 2 == 1 => sorted[len / 2],
        len => (sorted[len / 2 - 1] + sorted[len / 2]) / 2.0,
    }
}

/// The record of every method and frame.
pub(crate) fn frame_records<'a>(trial: &'a str, outcome: &'a Outcome) -> impl Iterator<Item = BenchFrame> + 'a {
    outcome.times.iter().flat_map(move |times| {
        times.frames.iter().zip(&outcome.found).enumerate().map(move |(at, (time, found))| BenchFrame {
            experiment: trial.to_owned(),
            method: times.label.clone(),
            frame: outcome.recording.number(at),
            pairs: found.pair_count(),
            update_us: rounded(micros(time.update)),
            query_us: rounded(micros(time.query)),
        })
    })
}

/// To two digits behind the point: ten nanoseconds, about the resolution of a clock.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_in_the_middle() {
        assert_eq!(
            [median(&[]), median(&[3.0]), median(&[1.0, 2.0, 9.0]), median(&[1.0, 2.0, 4.0, 9.0])],
            [0.0, 3.0, 2.0, 3.0]
        );
    }
}
