//! The figures of Larsson & Akenine-Möller 2001 beside ours.

use crumple_io::report::MethodSummary;

use crate::experiment::Question;
use crate::methods::BASELINE;
use crate::show::summary::Summaries;
use crumple_io::words::{count, ratio};

/// The method the remarks are about.
const HYBRID: &str = "hybrid-tree";

/// The updates that are compared with the default one: their names, labels and what the paper says.
const UPDATES: [(&str, &str, &str); 5] = [
    ("top-down", "hybrid-tree:top-down", "paper: hybrid is the fastest"),
    ("bottom-up", "hybrid-tree:bottom-up", "paper: hybrid is the fastest"),
    ("hybrid by single nodes, nothing remembered,", "hybrid-tree:1-level", "the paper's choice"),
    ("refit 2 levels of a reached subtree", "hybrid-tree:2-levels", "paper: slower than single nodes"),
    ("refit 3 levels of a reached subtree", "hybrid-tree:3-levels", "paper: slower than single nodes"),
];

/// Larsson & Akenine-Möller 2001, table 1: triangles per body, milliseconds at first contact and in the worst frame, and
/// the pairs of the worst frame.
const PAPER_SIZES: [(f64, f64, f64, u64); 7] = [
    (1_280.0, 2.0, 4.0, 138),
    (5_120.0, 6.0, 15.0, 562),
    (8_192.0, 8.0, 28.0, 1_010),
    (16_384.0, 15.0, 64.0, 2_422),
    (20_480.0, 20.0, 98.0, 3_760),
    (32_768.0, 30.0, 151.0, 4_775),
    (65_536.0, 62.0, 334.0, 12_358),
];

pub(crate) fn le1(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let question = match trial.question {
            Question::FirstPair => "first pair",
            _ => "all pairs",
        };
        let Some((hybrid, baseline)) = trial.method(HYBRID).zip(trial.method(BASELINE)) else { continue };
        let at_first = faster(hybrid, baseline, |summary| summary.first_contact_us.unwrap_or(f64::NAN));
        let at_median = faster(hybrid, baseline, |summary| summary.median_us);
        let at_last = faster(hybrid, baseline, |summary| summary.last_us);
        remarks.push(format!(
            "{question}: {HYBRID} is {at_median} as fast as {BASELINE} at the median, {at_first} at first contact, \
             {at_last} in the last frame (paper: about 5x)"
        ));
        for (update, label, paper) in UPDATES {
            if let Some(other) = trial.method(label) {
                let at_median = ratio(other.median_us / hybrid.median_us);
                let at_last = ratio(other.last_us / hybrid.last_us);
                remarks.push(format!(
                    "{question}: {update} takes {at_median} the time of {HYBRID} at the median, {at_last} in the last \
                     frame ({paper})"
                ));
            }
        }
        let variants = [
            (HYBRID, "hybrid-tree:degree-4", "degree 4", "degree 8", "paper: a little slower"),
            (HYBRID, "hybrid-tree:degree-2", "degree 2", "degree 8", "paper: a little slower"),
            (
                HYBRID,
                "hybrid-tree:connectivity",
                "connectivity trees",
                "initial shape trees",
                "paper: 0 to 10 % faster",
            ),
            (
                HYBRID,
                "hybrid-tree:mean-split",
                "split at the mean",
                "split at the centre",
                "paper: no significant difference",
            ),
            (BASELINE, "local-tree:degree-8", "local-tree of degree 8", "degree 2", "paper: 10 to 20 % faster"),
        ];
        for (usual, label, variant, against, paper) in variants {
            if let Some((usual, other)) = trial.method(usual).zip(trial.method(label)) {
                let change = percent(other.mean_us, usual.mean_us);
                remarks.push(format!("{question}: {variant}: mean frame {change} than with {against} ({paper})"));
            }
        }
    }
    remarks
}

pub(crate) fn le2(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let paper = PAPER_SIZES.iter().find(|size| size.0 as u64 == trial.triangles);
        if let Some((.., pairs)) = paper {
            let [triangles, ours, pairs] = [trial.triangles, trial.most_pairs, *pairs].map(count);
            remarks.push(format!("{triangles} triangles: {ours} pairs in the worst frame (paper: {pairs})"));
        }
    }
    remarks.extend(growth(trials));
    remarks
}

/// How the time grows with the size.
pub(crate) fn growth(trials: &[Summaries]) -> Vec<String> {
    let paper = |figure: fn(&(f64, f64, f64, u64)) -> f64| {
        exponent(&PAPER_SIZES.iter().map(|size| (size.0, figure(size))).collect::<Vec<_>>())
    };
    let fitted = |figure: fn(&MethodSummary) -> f64, label: &str| {
        let point = |trial: &Summaries| Some((trial.triangles as f64, figure(trial.method(label)?)));
        exponent(&trials.iter().filter_map(point).collect::<Vec<_>>())
    };
    let mut remarks = Vec::new();
    for label in [HYBRID, BASELINE] {
        let first = fitted(|summary| summary.first_contact_us.unwrap_or(f64::NAN), label);
        let worst = fitted(|summary| summary.worst_us, label);
        if let Some((first, worst)) = first.zip(worst) {
            remarks.push(format!(
                "{label}: time grows as triangles^{first:.2} at first contact, ^{worst:.2} in the worst frame"
            ));
        }
    }
    if let Some((first, worst)) = paper(|size| size.1).zip(paper(|size| size.2)) {
        remarks.push(format!(
            "paper: the figures of its table 1 grow as triangles^{first:.2} and ^{worst:.2} (\"roughly linear\")"
        ));
    }
    remarks
}

pub(crate) fn le3(trials: &[Summaries]) -> Vec<String> {
    let mut remarks = Vec::new();
    for trial in trials {
        let Some((hybrid, baseline)) = trial.method(HYBRID).zip(trial.method(BASELINE)) else { continue };
        let (bodies, paper) = if trial.trial.contains("arms") { ("arms", "4.5x") } else { ("spheres", "5.6x") };
        let mean = faster(hybrid, baseline, |summary| summary.mean_us);
        remarks.push(format!("{bodies}: {HYBRID} is {mean} as fast as {BASELINE} in the mean frame (paper: {paper})"));
        let variants = [
            (HYBRID, "hybrid-tree:connectivity", "connectivity trees", "initial shape trees"),
            (BASELINE, "local-tree:degree-8", "local-tree of degree 8", "degree 2"),
            (
                BASELINE,
                "local-tree:no-poses",
                "local-tree with boxes along the axes of the world",
                "those of the bodies",
            ),
        ];
        for (usual, label, variant, against) in variants {
            if let Some((usual, other)) = trial.method(usual).zip(trial.method(label)) {
                let change = percent(other.mean_us, usual.mean_us);
                remarks.push(format!("{bodies}: {variant}: mean frame {change} than with {against}"));
            }
        }
    }
    remarks
}

/// How many times faster one method is than another.
fn faster(method: &MethodSummary, other: &MethodSummary, figure: impl Fn(&MethodSummary) -> f64) -> String {
    match figure(other) / figure(method) {
        times if times.is_finite() => ratio(times),
        _ => "-".to_owned(),
    }
}

/// How much less or more time something takes than is usual.
fn percent(time: f64, usual: f64) -> String {
    let change = 100.0 * (time / usual - 1.0);
    match change {
        less if less < 0.0 => format!("{:.0} % faster", -less),
        more => format!("{more:.0} % slower"),
    }
}

/// The slope of the straight line that fits the logarithms of points best; none for fewer than two sizes.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (sum_x, sum_y) = logs.iter().fold((0.0, 0.0), |(sum_x, sum_y), (x, y)| (sum_x + x, sum_y + y));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn a_power_law_gives_its_exponent() {
        let square: Vec<(f64, f64)> = (1..9).map(|i| (f64::from(i), 3.0 * f64::from(i * i))).collect();
        assert!((exponent(&square).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(exponent(&square[..1]), None);
    }
}
