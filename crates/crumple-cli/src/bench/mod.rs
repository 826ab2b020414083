//! `crumple bench`: repeats the experiments of the papers, and some of our own.
//!
//! ```text
//! experiments ─┬► recording ─► run (methods, floor) ─► found: all agree? ─► summary ─┬► view · records · csv · plot
//!              └► own: a function of the settings ─► figures, panels, remarks ───────┘
//! ```

pub(crate) mod experiments;
pub(crate) mod found;
pub(crate) mod plot;
pub(crate) mod recording;
pub(crate) mod run;
pub(crate) mod summary;
pub(crate) mod view;
mod wide;

mod bucket_bodies;
mod buckets;
mod csv;
mod cutting;
mod depth_images;
mod figures;
mod floor;
mod gjk;
mod machine;
mod motion;
mod own;
mod particles;
mod remarks;
mod removal;

use anyhow::{Result, bail};
use crumple_io::report::{BenchHeader, BenchSummary};

use crate::args::BenchArgs;
use crate::gpu::{Device, Path};
use crate::out::{Answer, Destination, Verdict, hinted, say};
use crate::table::{Align, Table};
use crate::threads;
use csv::Csv;
use experiments::{BASELINE, Chosen, Contestant, EXPERIMENTS, Experiment, Kind, Stage, Trial, View};
use own::{Findings, Settings};
use plot::Panel;
use recording::Recording;
use run::Outcome;
use summary::Summaries;

/// What to measure, with everything about it known to be right.
#[derive(Debug)]
struct Plan {
    chosen: Vec<Chosen>,
    settings: Settings,
    json: bool,
    csv: Option<Destination>,
    svg: Option<Destination>,
}

pub(crate) fn run(args: BenchArgs) -> Result<Verdict> {
    let chosen = experiments::chosen(&args.names, args.data.is_some())?;
    if args.list {
        return list(&chosen);
    }
    let BenchArgs { method: methods, frames, repeat, threads, data, picture, gpu, adapter, json, quiet, .. } = args;
    check_methods(&chosen, &methods)?;
    if let Some(folder) = data.as_ref().filter(|folder| !folder.is_dir()) {
        let what = format!("{}: there is no such folder", folder.display());
        return Err(hinted(what, "--data names a folder of meshes"));
    }
    let [csv, svg] = [args.csv, args.svg].map(|path| path.as_deref().map(Destination::create).transpose());
    if picture.is_some() && !chosen.iter().any(|(experiment, _)| experiment.name == "HE3") {
        let hint = "--svg draws the times of every experiment";
        return Err(hinted("only HE3 has something to draw a picture of", hint));
    }
    let on_gpu = |experiment: &str| ["HE1", "HE2", "HE3"].contains(&experiment);
    if gpu.is_some() && !chosen.iter().any(|(experiment, _)| on_gpu(experiment.name)) {
        bail!("only HE1, HE2 and HE3 can be measured on the gpu");
    }
    let gpu = match gpu {
        Some(path) => Some((Device::open(adapter.as_deref())?, path.map_or(Path::ALL.to_vec(), |path| vec![path]))),
        None => None,
    };
    let settings = Settings { methods, frames, repeat, threads, data, picture, gpu, quiet };
    let plan = Plan { chosen, settings, json, csv: csv?, svg: svg? };
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
    for (experiment, trials) in chosen {
        for trial in trials {
            known.extend((trial.contestants)().into_iter().map(|contestant| contestant.label));
        }
        if let Kind::Own(own) = &experiment.kind {
            known.extend((own.methods)());
        }
    }
    known.sort_unstable();
    known.dedup();
    match methods.iter().find(|method| !known.contains(method)) {
        Some(unknown) if known.is_empty() => bail!("there is no method {unknown} in this experiment, nor any other"),
        Some(unknown) => {
            let hint = format!("there are {}", known.join(", "));
            Err(hinted(format!("there is no method {unknown} in this experiment"), hint))
        }
        None => Ok(()),
    }
}

fn bench(plan: Plan) -> Result<Verdict> {
    let mut shown =
        Shown { answer: Answer::new(), json: plan.json, csv: Csv::new(plan.settings.threads), panels: Vec::new() };
    if plan.json {
        let mut header =
            BenchHeader::new(plan.chosen.iter().map(|(experiment, _)| experiment.name.to_owned()).collect());
        header.machine = Some(machine::machine());
        header.commit = Some(machine::commit());
        header.threads = Some(plan.settings.threads.get() as u64);
        shown.answer.record(&header)?;
    }
    for (experiment, trials) in &plan.chosen {
        match &experiment.kind {
            Kind::Trials { view, remarks, .. } => {
                let summaries = run_trials(trials, *view, &plan.settings, &mut shown)?;
                shown
                    .panels
                    .extend((*view == View::Sizes).then(|| size_panels(experiment, &summaries)).into_iter().flatten());
                shown.words(experiment, view::tables(*view, &summaries), remarks(&summaries))?;
            }
            Kind::Own(own) => {
                let findings = (own.run)(&plan.settings)?;
                shown.findings(experiment, findings)?;
            }
        }
    }
    let Shown { answer, csv, panels, .. } = shown;
    answer.finish()?;
    let Plan { csv: mut csv_file, svg: mut svg_file, settings, .. } = plan;
    if let Some(file) = &mut csv_file {
        file.write(&csv.text())?;
    }
    if let Some(file) = &mut svg_file {
        file.write(&plot::draw(&panels)?)?;
    }
    for file in [csv_file, svg_file].iter().flatten().filter(|_| !settings.quiet) {
        say(format_args!("wrote {}", file.path().display()));
    }
    Ok(Verdict::Done)
}

/// Everything that was found so far, told or still to be written.
#[derive(Debug)]
struct Shown {
    answer: Answer,
    json: bool,
    csv: Csv,
    panels: Vec<Panel>,
}

impl Shown {
    /// Takes in what became of a trial.
    fn trial(&mut self, trial: &Trial, outcome: &Outcome, summaries: &Summaries) -> Result<()> {
        self.csv.add(trial.name, outcome);
        if !self.json {
            return Ok(());
        }
        for record in summary::frame_records(trial.name, outcome) {
            self.answer.record(&record)?;
        }
        for summary in &summaries.methods {
            self.answer.record(&BenchSummary { summary: summary.clone() })?;
        }
        Ok(())
    }

    /// Takes in what an experiment found in its own way.
    fn findings(&mut self, experiment: &Experiment, findings: Findings) -> Result<()> {
        let Findings { tables, details, panels, remarks } = findings;
        self.panels.extend(panels);
        for figures in tables.iter().chain(&details) {
            self.csv.add_figures(experiment.name, figures);
            for record in figures.records(experiment.name).filter(|_| self.json) {
                self.answer.record(&record)?;
            }
        }
        let tables = tables.iter().map(|figures| format!("{}\n{}", figures.caption, figures.table())).collect();
        self.words(experiment, tables, remarks)
    }

    /// Tells people about an experiment.
    fn words(&mut self, experiment: &Experiment, tables: Vec<String>, remarks: Vec<String>) -> Result<()> {
        if self.json {
            return Ok(());
        }
        self.answer.line(format_args!("{}: {}\n", experiment.name, experiment.about))?;
        for line in tables.into_iter().chain(remarks) {
            self.answer.line(line)?;
        }
        self.answer.line("")
    }
}

fn run_trials(trials: &[Trial], view: View, settings: &Settings, shown: &mut Shown) -> Result<Vec<Summaries>> {
    let mut all = Vec::new();
    for trial in trials {
        let outcome = measure(trial, settings)?;
        let summaries = Summaries::of(trial.name, trial.question, &outcome);
        shown.trial(trial, &outcome, &summaries)?;
        if view == View::Frames {
            shown.panels.push(view::frames_panel(view::caption(&summaries), &outcome));
        }
        all.push(summaries);
    }
    Ok(all)
}

fn measure(trial: &Trial, settings: &Settings) -> Result<Outcome> {
    let scene = match trial.scene {
        Stage::Published(name) => crumple_scenes::by_name(name)?,
        Stage::Waving(file) => crumple_scenes::waving(trial.name, settings.shape(file)?),
    };
    let frames = settings.frames_of(scene.frame_count())?;
    let contestants: Vec<Contestant> =
        (trial.contestants)().into_iter().filter(|c| c.label == BASELINE || settings.wants(&c.label)).collect();
    let bar = settings.bar(run::steps(contestants.len(), settings.repeat));
    bar.set_message(format!("{}: making every frame", trial.name));
    bar.tick();
    let recording = Recording::of(&scene, frames)?;
    let outcome = run::run(recording, trial.question, &contestants, settings.repeat, &bar)?;
    bar.finish_and_clear();
    Ok(outcome)
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
