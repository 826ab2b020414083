//! `crumple bench`: repeats the experiments of the papers, and some of our own.
//!
//! ```text
//! experiments ─► recording ─► run (methods, floor) ─► found: all agree? ─► summary ─► view · records · csv · plot
//! ```

pub(crate) mod experiments;
pub(crate) mod found;
pub(crate) mod plot;
pub(crate) mod recording;
pub(crate) mod run;
pub(crate) mod summary;
pub(crate) mod view;

mod csv;
mod floor;
mod gjk;
mod machine;
mod remarks;

use std::num::NonZeroUsize;

use anyhow::{Result, bail};
use crumple_io::report::{BenchHeader, BenchSummary};

use crate::args::BenchArgs;
use crate::frames::{self, FrameRange};
use crate::out::{Answer, Destination, Verdict, say};
use crate::table::{Align, Table};
use crate::{progress, threads};
use csv::Csv;
use experiments::{BASELINE, Chosen, Contestant, EXPERIMENTS, Experiment, Trial, View};
use plot::Panel;
use recording::Recording;
use run::Outcome;
use summary::Summaries;

/// What to measure, with everything about it known to be right.
#[derive(Debug)]
struct Plan {
    chosen: Vec<Chosen>,
    /// The methods to measure beside the baseline; all of them if there are none.
    methods: Vec<String>,
    frames: Option<FrameRange>,
    repeat: u32,
    threads: NonZeroUsize,
    json: bool,
    csv: Option<Destination>,
    svg: Option<Destination>,
    quiet: bool,
}

pub(crate) fn run(args: BenchArgs) -> Result<Verdict> {
    let chosen = experiments::chosen(&args.names)?;
    if args.list {
        return list(&chosen);
    }
    let BenchArgs { method: methods, frames, repeat, threads, json, quiet, .. } = args;
    check_methods(&chosen, &methods)?;
    let [csv, svg] = [args.csv, args.svg].map(|path| path.as_deref().map(Destination::create).transpose());
    let plan = Plan { chosen, methods, frames, repeat, threads, json, csv: csv?, svg: svg?, quiet };
    threads::within(Some(threads), || bench(plan))
}

fn list(chosen: &[Chosen]) -> Result<Verdict> {
    let mut table = Table::new(&[("experiment", Align::Left), ("what is measured", Align::Left)]);
    for (experiment, _) in chosen {
        table.row(vec![experiment.name.into(), experiment.about.into()]);
    }
    let mut answer = Answer::new();
    answer.line(table.to_string().trim_end())?;
    answer.finish()?;
    Ok(Verdict::Done)
}

/// Refuses a method that no chosen trial has.
fn check_methods(chosen: &[Chosen], methods: &[String]) -> Result<()> {
    let mut known: Vec<String> = Vec::new();
    for trial in chosen.iter().flat_map(|(_, trials)| trials) {
        known.extend((trial.contestants)().into_iter().map(|contestant| contestant.label));
    }
    known.sort_unstable();
    known.dedup();
    match methods.iter().find(|method| !known.contains(method)) {
        Some(unknown) => bail!("there is no method {unknown} in this experiment; hint: there are {}", known.join(", ")),
        None => Ok(()),
    }
}

fn bench(mut plan: Plan) -> Result<Verdict> {
    let mut answer = Answer::new();
    let mut csv = Csv::new(plan.threads);
    let mut panels = Vec::new();
    if plan.json {
        let mut header =
            BenchHeader::new(plan.chosen.iter().map(|(experiment, _)| experiment.name.to_owned()).collect());
        header.machine = Some(machine::machine());
        header.commit = Some(machine::commit());
        header.threads = Some(plan.threads.get() as u64);
        answer.record(&header)?;
    }
    for (experiment, trials) in &plan.chosen {
        let mut summaries = Vec::new();
        for trial in trials {
            let outcome = measure(trial, &plan)?;
            let summary = Summaries::of(trial.name, trial.question, &outcome);
            if plan.json {
                print_records(trial, &outcome, &summary, &mut answer)?;
            }
            csv.add(trial.name, &outcome);
            if experiment.view == View::Frames {
                panels.push(view::frames_panel(view::caption(&summary), &outcome));
            }
            summaries.push(summary);
        }
        if experiment.view == View::Sizes {
            panels.extend(size_panels(experiment, &summaries));
        }
        if !plan.json {
            print_tables(experiment, &summaries, &mut answer)?;
        }
    }
    answer.finish()?;
    if let Some(file) = &mut plan.csv {
        file.write(csv.text())?;
    }
    if let Some(file) = &mut plan.svg {
        file.write(&plot::draw(&panels)?)?;
    }
    for file in [plan.csv, plan.svg].iter().flatten().filter(|_| !plan.quiet) {
        say(format_args!("wrote {}", file.path().display()));
    }
    Ok(Verdict::Done)
}

fn measure(trial: &Trial, plan: &Plan) -> Result<Outcome> {
    let scene = crumple_scenes::by_name(trial.scene)?;
    let frames = frames::chosen(plan.frames, scene.frame_count())?;
    let contestants: Vec<Contestant> = (trial.contestants)().into_iter().filter(|c| wanted(c, &plan.methods)).collect();
    let bar = progress::bar(run::steps(contestants.len(), plan.repeat), plan.quiet);
    bar.set_message(format!("{}: making every frame", trial.scene));
    bar.tick();
    let recording = Recording::of(&scene, frames)?;
    let outcome = run::run(recording, trial.question, &contestants, plan.repeat, &bar)?;
    bar.finish_and_clear();
    Ok(outcome)
}

/// Whether a contestant was asked for; the baseline always is.
fn wanted(contestant: &Contestant, methods: &[String]) -> bool {
    methods.is_empty() || contestant.label == BASELINE || methods.contains(&contestant.label)
}

fn print_records(trial: &Trial, outcome: &Outcome, summaries: &Summaries, answer: &mut Answer) -> Result<()> {
    for record in summary::frame_records(trial.name, outcome) {
        answer.record(&record)?;
    }
    for summary in &summaries.methods {
        answer.record(&BenchSummary { summary: summary.clone() })?;
    }
    Ok(())
}

fn print_tables(experiment: &Experiment, summaries: &[Summaries], answer: &mut Answer) -> Result<()> {
    answer.line(format_args!("{}: {}\n", experiment.name, experiment.about))?;
    for table in view::tables(experiment, summaries) {
        answer.line(table)?;
    }
    for remark in (experiment.remarks)(summaries) {
        answer.line(remark)?;
    }
    answer.line("")
}

fn size_panels(experiment: &Experiment, summaries: &[Summaries]) -> [Panel; 2] {
    let title = |what: &str| format!("{}: {what}", experiment.name);
    [
        view::sizes_panel(title("first contact"), "first contact", summaries, |summary| {
            summary.first_contact_us.unwrap_or(f64::NAN)
        }),
        view::sizes_panel(title("worst frame"), "worst frame", summaries, |summary| summary.worst_us),
    ]
}

/// The experiments there are, for those who look for what to try next.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name)
}
