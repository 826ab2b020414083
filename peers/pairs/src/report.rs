//! The ratios as a table, the times as CSV, and a picture.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::measure::{Outcome, Times};

/// The frames a table speaks of.
struct Summary {
    median: f64,
    mean: f64,
    first_contact: f64,
    last: f64,
}

impl Summary {
    fn of(times: &Times, pairs: &[usize]) -> Self {
        let frames: Vec<f64> = times.frames.iter().map(|time| time.total_us()).collect();
        let mut sorted = frames.clone();
        sorted.sort_by(f64::total_cmp);
        let first = pairs.iter().position(|&count| count > 0).unwrap_or(0);
        Self {
            median: sorted[sorted.len() / 2],
            mean: frames.iter().sum::<f64>() / frames.len() as f64,
            first_contact: frames[first],
            last: frames[frames.len() - 1],
        }
    }

    fn figures(&self) -> [f64; 4] {
        [self.median, self.mean, self.first_contact, self.last]
    }
}

/// One table per scene: times, and how many times as long as the first contestant each takes.
pub(crate) fn print(outcomes: &[Outcome]) {
    for outcome in outcomes {
        let most = outcome.pairs.iter().max().copied().unwrap_or(0);
        println!("\n{}: {} frames, up to {most} pairs; microseconds per frame", outcome.scene, outcome.pairs.len());
        println!("{:34} {:>21} {:>21} {:>21} {:>21}", "", "median", "mean", "first contact", "last");
        let base = Summary::of(&outcome.times[0], &outcome.pairs).figures();
        for times in &outcome.times {
            let figures = Summary::of(times, &outcome.pairs).figures();
            let cells: Vec<String> = figures
                .iter()
                .zip(base)
                .map(|(us, base)| format!("{:>13} {:>7}", format!("{us:.1}"), format!("{:.2}x", us / base)))
                .collect();
            println!("{:34} {}", times.label, cells.join(" "));
        }
    }
}

/// What every row of the CSV starts with.
pub(crate) struct Origin {
    pub(crate) machine: String,
    pub(crate) commit: String,
}

/// `peers.csv` with the time of everybody in every frame, and `peers.svg`.
pub(crate) fn write(outcomes: &[Outcome], origin: &Origin, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut csv = String::from("machine,commit,experiment,method,frame,pairs,update_us,query_us\n");
    for outcome in outcomes {
        for times in &outcome.times {
            for (frame, (time, pairs)) in times.frames.iter().zip(&outcome.pairs).enumerate() {
                let (update, query) = (time.update.as_secs_f64() * 1e6, time.query.as_secs_f64() * 1e6);
                let (Origin { machine, commit }, method) = (origin, times.label.replace(',', ""));
                let scene = &outcome.scene;
                writeln!(csv, "{machine},{commit},peers {scene},{method},{frame},{pairs},{update:.2},{query:.2}")?;
            }
        }
    }
    for (name, text) in [("peers.csv", csv), ("peers.svg", drawn(outcomes)?)] {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

const LEFT: f64 = 230.0;
const WIDTH: f64 = 560.0;
const ROW: f64 = 22.0;

/// Bars of the mean frame, each with its figure and how many times the first it is.
fn drawn(outcomes: &[Outcome]) -> Result<String> {
    let rows: usize = outcomes.iter().map(|outcome| outcome.times.len() + 2).sum();
    let (width, height) = (LEFT + WIDTH + 40.0, ROW * rows as f64 + 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut y = 24.0;
    for outcome in outcomes {
        let means: Vec<f64> = outcome.times.iter().map(|times| Summary::of(times, &outcome.pairs).mean).collect();
        let longest = means.iter().copied().fold(0.0, f64::max);
        writeln!(svg, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{}: mean frame</text>", outcome.scene)?;
        for (times, mean) in outcome.times.iter().zip(&means) {
            y += ROW;
            let bar = (0.62 * WIDTH * mean / longest).max(1.0);
            let fill = if times.label.starts_with("crumple") { "#0072b2" } else { "#d55e00" };
            writeln!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>", LEFT - 8.0, times.label)?;
            writeln!(svg, "<rect x=\"{LEFT}\" y=\"{}\" width=\"{bar:.1}\" height=\"14\" fill=\"{fill}\"/>", y - 11.0)?;
            let text = format!("{:.3} ms, {:.2}x", mean / 1e3, mean / means[0]);
            writeln!(svg, "<text x=\"{:.1}\" y=\"{y}\">{text}</text>", LEFT + bar + 6.0)?;
        }
        y += 2.0 * ROW;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}
