//! The tables and plots of trials.

use crumple_io::report::{MethodSummary, micros};

use crate::experiment::{Question, View};
use crate::measure::Outcome;
use crate::show::plot::{Panel, Scale, Series};
use crate::show::summary::Summaries;
use crumple_io::words::{Align, Table, count, counted, ratio, time};

/// The tables of an experiment, with captions.
pub(crate) fn tables(view: View, trials: &[Summaries]) -> Vec<(Option<String>, Table)> {
    match view {
        View::Frames | View::Contact => trials.iter().map(|trial| (Some(caption(trial)), methods(trial))).collect(),
        View::Sizes => vec![(None, sizes(trials))],
    }
}

/// The line above the table of a trial.
pub fn caption(trial: &Summaries) -> String {
    let Some(any) = trial.methods.first() else { return trial.trial.clone() };
    let question = match trial.question {
        Question::AllPairs => "all pairs",
        Question::FirstPair => "first pair",
        Question::SelfPairs => "all pairs, also within a body",
    };
    let contact = match any.first_contact {
        Some(frame) => format!("first contact in frame {frame}"),
        None => "no contact".to_owned(),
    };
    format!(
        "{}: {question}, {}, {contact}, {} in all",
        trial.trial,
        counted(any.frames, "frame"),
        counted(any.pairs, "pair")
    )
}

/// One row per method.
pub fn methods(trial: &Summaries) -> Table {
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        ("method", Align::Left),
        right("median"),
        right("first contact"),
        right("last frame"),
        right("mean"),
        right("worst"),
        right("local-tree / it"),
        right("it / floor"),
    ]);
    for summary in &trial.methods {
        let or_dash = |value: Option<f64>, words: fn(f64) -> String| value.map_or("-".to_owned(), words);
        table.row(vec![
            summary.method.clone(),
            time(summary.median_us),
            or_dash(summary.first_contact_us, time),
            time(summary.last_us),
            time(summary.mean_us),
            time(summary.worst_us),
            or_dash(summary.ratio_to_local_tree, ratio),
            or_dash(summary.ratio_to_floor, ratio),
        ]);
    }
    table
}

/// One row per size and method.
fn sizes(trials: &[Summaries]) -> Table {
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        right("triangles per body"),
        right("most pairs"),
        ("method", Align::Left),
        right("first contact"),
        right("worst frame"),
        right("local-tree / it"),
        right("it / floor"),
    ]);
    for trial in trials {
        for (at, summary) in trial.methods.iter().enumerate() {
            let once = |words: String| if at == 0 { words } else { String::new() };
            table.row(vec![
                once(count(trial.triangles)),
                once(count(trial.most_pairs)),
                summary.method.clone(),
                summary.first_contact_us.map_or("-".to_owned(), time),
                time(summary.worst_us),
                summary.ratio_to_local_tree.map_or("-".to_owned(), ratio),
                summary.ratio_to_floor.map_or("-".to_owned(), ratio),
            ]);
        }
    }
    table
}

/// The time of every frame, one line per method.
pub fn frames_panel(title: String, outcome: &Outcome) -> Panel {
    let series = |times: &crate::measure::Times| Series {
        label: times.label.clone(),
        points: (times.frames.iter().enumerate())
            .map(|(at, frame)| (outcome.recording.number(at) as f64, micros(frame.total()) / 1000.0))
            .collect(),
    };
    Panel {
        title,
        x: "frame".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds per frame".to_owned(),
        series: outcome.times.iter().map(series).collect(),
    }
}

/// The time over the number of triangles, one line per method.
pub(crate) fn sizes_panel(title: String, what: &str, trials: &[Summaries], of: fn(&MethodSummary) -> f64) -> Panel {
    let labels = trials.first().map(|trial| &trial.methods[..]).unwrap_or_default();
    let series = |summary: &MethodSummary| Series {
        label: summary.method.clone(),
        points: (trials.iter())
            .filter_map(|trial| Some((trial.triangles as f64, of(trial.method(&summary.method)?) / 1000.0)))
            .filter(|(_, time)| time.is_finite())
            .collect(),
    };
    Panel {
        title,
        x: "triangles per body".to_owned(),
        x_scale: Scale::Logarithmic,
        y: format!("milliseconds, {what}"),
        series: labels.iter().map(series).collect(),
    }
}
