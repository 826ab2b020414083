//! The times of all steps, summed up in one row per question and floor.

use crumple::{Between, Impact};

use super::{Outcome, Times, total};
use crate::measure::Recording;
use crate::show::figures::{Cell, Figures};
use crate::show::summary::median;

/// A table of both questions and their floors.
pub(super) fn summary(recording: &Recording, found: &[Vec<Between<Impact>>], outcomes: &[Outcome]) -> Figures {
    let first = found.iter().position(|impacts| !impacts.is_empty());
    let count: usize = found.iter().map(Vec::len).sum();
    let contact = match first {
        Some(at) => format!("first impact between frames {} and {}", recording.number(at), recording.number(at + 1)),
        None => "no impacts".to_owned(),
    };
    let caption = format!(
        "{} ({}): {} steps, {count} impacts in all, {} in the last step, {contact}",
        recording.scene,
        recording.digest,
        found.len(),
        found.last().map_or(0, Vec::len),
    );
    let mut figures = Figures::new(
        "summary",
        caption,
        &[
            ("question", "question"),
            ("apart", "apart_us"),
            ("first contact", "first_contact_us"),
            ("median", "median_us"),
            ("last", "last_us"),
            ("worst", "worst_us"),
            ("apart / floor", "apart_ratio_to_floor"),
            ("median / floor", "ratio_to_floor"),
            ("last / floor", "last_ratio_to_floor"),
        ],
    );
    for outcome in outcomes {
        let [ours, floor] = [&outcome.best, &outcome.floor].map(|times| Summary::of(times, first));
        let name = outcome.question.name();
        for (label, times) in [(name.to_owned(), &ours), (format!("floor of {name}"), &floor)] {
            let mut row = vec![Cell::text(label)];
            row.extend([times.apart, times.first, Some(times.median), times.last, times.worst].map(microseconds));
            let ratio = |time: Option<f64>, floor: Option<f64>| {
                time.zip(floor).map_or(Cell::Nothing, |(time, floor)| Cell::Ratio(time / floor))
            };
            row.push(ratio(times.apart, floor.apart));
            row.push(ratio(Some(times.median), Some(floor.median)));
            row.push(ratio(times.last, floor.last));
            figures.row(row);
        }
    }
    figures
}

/// Times of whole steps.
struct Summary {
    /// The median of the steps before the first impact.
    apart: Option<f64>,
    /// The first step with an impact.
    first: Option<f64>,
    median: f64,
    last: Option<f64>,
    worst: Option<f64>,
}

impl Summary {
    fn of(times: &[Times], first: Option<usize>) -> Self {
        let totals: Vec<f64> = times.iter().map(total).collect();
        let middle = |of: &[f64]| {
            let mut sorted = of.to_vec();
            sorted.sort_by(f64::total_cmp);
            median(&sorted)
        };
        let apart = &totals[..first.unwrap_or(totals.len())];
        Self {
            apart: (!apart.is_empty()).then(|| middle(apart)),
            first: first.map(|at| totals[at]),
            median: middle(&totals),
            last: totals.last().copied(),
            worst: totals.iter().copied().max_by(f64::total_cmp),
        }
    }
}

fn microseconds(time: Option<f64>) -> Cell {
    time.map_or(Cell::Nothing, Cell::Micros)
}
