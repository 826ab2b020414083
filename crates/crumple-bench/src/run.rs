//! Runs the chosen experiments and passes on what they find.
//!
//! ```text
//! Selection ─┬► trials: recording ─► passes (methods, floor) ─► do all agree? ─► summary ─┬► tables · records · csv · plot
//!            └► custom: a function of the settings ─► figures, panels, remarks ───────────┘
//! ```

use anyhow::{Result, bail};
use crumple_io::Hinted;
use crumple_io::report::{BenchHeader, BenchSummary, Record};
use crumple_io::words::{Align, Table};

use crate::catalogue::{self, Chosen};
use crate::experiment::{Experiment, Findings, Kind, SceneSource, Trial, Variant, View};
use crate::measure::machine;
use crate::measure::{Outcome, Recording, passes};
use crate::methods::{BASELINE, WITHOUT_REFIT};
use crate::settings::Settings;
use crate::show::csv::Csv;
use crate::show::plot::{self, Panel};
use crate::show::summary::{self, Summaries};
use crate::show::tables;

/// Where results go while the experiments run.
pub trait Output {
    /// Takes a line of text.
    ///
    /// # Errors
    /// If it cannot be written.
    fn line(&mut self, line: &str) -> Result<()>;

    /// Takes a table.
    ///
    /// # Errors
    /// If it cannot be written.
    fn table(&mut self, table: &Table) -> Result<()>;

    /// Takes a record, where records were asked for.
    ///
    /// # Errors
    /// If it cannot be written.
    fn record(&mut self, record: &Record) -> Result<()>;
}

/// What is handed to [`Output`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines and tables for people.
    Text,
    /// Records for programs.
    Records,
}

/// The experiments to run.
#[derive(Debug)]
pub struct Selection {
    chosen: Vec<Chosen>,
}

impl Selection {
    /// The experiments or trials of these names, upper and lower case alike, in this order; all if there is no name.
    ///
    /// Trials on real meshes need a folder of `data`.
    ///
    /// # Errors
    /// If a name is unknown, or a trial needs data and there is none.
    pub fn new(names: &[String], data: bool) -> Result<Self> {
        Ok(Self { chosen: catalogue::chosen(names, data)? })
    }

    /// A table of the experiments and what they measure.
    pub fn list(&self) -> Table {
        let mut table = Table::new(&[("experiment", Align::Left), ("what is measured", Align::Left)]);
        for (experiment, _) in &self.chosen {
            table.row(vec![experiment.name.into(), experiment.about.into()]);
        }
        table
    }

    /// Whether one of the experiments has this name.
    pub fn includes(&self, name: &str) -> bool {
        self.chosen.iter().any(|(experiment, _)| experiment.name == name)
    }

    /// Refuses a method that no chosen trial has.
    ///
    /// # Errors
    /// Names the first such method.
    pub fn check_methods(&self, methods: &[String]) -> Result<()> {
        let mut known: Vec<String> = Vec::new();
        for (experiment, trials) in &self.chosen {
            for trial in trials {
                known.extend((trial.variants)().into_iter().map(|variant| variant.label));
            }
            if let Kind::Custom(custom) = &experiment.kind {
                known.extend((custom.methods)());
            }
        }
        known.sort_unstable();
        known.dedup();
        match methods.iter().find(|method| !known.contains(method)) {
            Some(unknown) if known.is_empty() => {
                bail!("there is no method {unknown} in this experiment, nor any other")
            }
            Some(unknown) => {
                let hint = format!("there are {}", known.join(", "));
                Err(Hinted::new(format!("there is no method {unknown} in this experiment"), hint).into())
            }
            None => Ok(()),
        }
    }

    /// Runs the experiments, in the rayon pool it is called in.
    ///
    /// # Errors
    /// If methods disagree, a mesh cannot be read, the frames asked for do not exist, or `output` fails.
    pub fn run(&self, settings: &Settings, form: Form, output: &mut dyn Output) -> Result<Results> {
        let results = Results { csv: Csv::new(settings.threads), panels: Vec::new() };
        let mut run = Run { output, form, results };
        if form == Form::Records {
            let mut header = BenchHeader::new(self.chosen.iter().map(|(it, _)| it.name.to_owned()).collect());
            header.machine = Some(machine::machine());
            header.commit = Some(machine::commit());
            header.threads = Some(settings.threads.get() as u64);
            run.output.record(&Record::BenchHeader(header))?;
        }
        for (experiment, trials) in &self.chosen {
            match &experiment.kind {
                Kind::Trials { view, remarks, .. } => {
                    let summaries = run.trials(trials, *view, settings)?;
                    if *view == View::Sizes {
                        run.results.panels.extend(size_panels(experiment, &summaries));
                    }
                    run.show(experiment, tables::tables(*view, &summaries), remarks(&summaries))?;
                }
                Kind::Custom(custom) => run.findings(experiment, (custom.run)(settings)?)?,
            }
        }
        Ok(run.results)
    }
}

/// Everything that was measured, for files.
#[derive(Debug)]
pub struct Results {
    csv: Csv,
    panels: Vec<Panel>,
}

impl Results {
    /// All times as CSV, one row each.
    pub fn csv(&self) -> String {
        self.csv.text()
    }

    /// All plots as one SVG.
    ///
    /// # Errors
    /// If a plot cannot be drawn.
    pub fn svg(&self) -> Result<String> {
        plot::draw(&self.panels)
    }
}

/// What was measured so far, and where it is shown.
struct Run<'a> {
    output: &'a mut dyn Output,
    form: Form,
    results: Results,
}

impl Run<'_> {
    fn trials(&mut self, trials: &[Trial], view: View, settings: &Settings) -> Result<Vec<Summaries>> {
        let mut all = Vec::new();
        for trial in trials {
            let mut outcome = measure(trial, settings)?;
            if view == View::Contact {
                outcome.add_without_update(BASELINE, WITHOUT_REFIT);
            }
            let summaries = Summaries::of(trial.name, trial.question, &outcome);
            self.results.csv.add(trial.name, &outcome);
            self.records(trial, &outcome, &summaries)?;
            if view != View::Sizes {
                self.results.panels.push(tables::frames_panel(tables::caption(&summaries), &outcome));
            }
            all.push(summaries);
            if view == View::Contact
                && let Some(in_contact) = Summaries::in_contact(trial.name, trial.question, &outcome)
            {
                self.summary_records(&in_contact)?;
                all.push(in_contact);
            }
        }
        Ok(all)
    }

    fn records(&mut self, trial: &Trial, outcome: &Outcome, summaries: &Summaries) -> Result<()> {
        if self.form != Form::Records {
            return Ok(());
        }
        for record in summary::frame_records(trial.name, outcome) {
            self.output.record(&Record::BenchFrame(record))?;
        }
        self.summary_records(summaries)
    }

    fn summary_records(&mut self, summaries: &Summaries) -> Result<()> {
        for summary in summaries.methods.iter().filter(|_| self.form == Form::Records) {
            self.output.record(&Record::BenchSummary(BenchSummary { summary: summary.clone() }))?;
        }
        Ok(())
    }

    /// Takes in what an experiment with a function of its own found.
    fn findings(&mut self, experiment: &Experiment, findings: Findings) -> Result<()> {
        let Findings { tables, details, panels, remarks } = findings;
        self.results.panels.extend(panels);
        for figures in tables.iter().chain(&details) {
            self.results.csv.add_figures(experiment.name, figures);
            for record in figures.records(experiment.name).filter(|_| self.form == Form::Records) {
                self.output.record(&Record::BenchRow(record))?;
            }
        }
        let tables = tables.iter().map(|figures| (Some(figures.caption.clone()), figures.table())).collect();
        self.show(experiment, tables, remarks)
    }

    /// Shows an experiment as text: its tables, each below its caption, and what they mean.
    fn show(
        &mut self,
        experiment: &Experiment,
        tables: Vec<(Option<String>, Table)>,
        remarks: Vec<String>,
    ) -> Result<()> {
        if self.form != Form::Text {
            return Ok(());
        }
        self.output.line(&format!("{}: {}\n", experiment.name, experiment.about))?;
        for (caption, table) in tables {
            if let Some(caption) = caption {
                self.output.line(&caption)?;
            }
            self.output.table(&table)?;
            self.output.line("")?;
        }
        for remark in remarks {
            self.output.line(&remark)?;
        }
        self.output.line("")
    }
}

fn measure(trial: &Trial, settings: &Settings) -> Result<Outcome> {
    let scene = match trial.scene {
        SceneSource::Published(name) => crumple_scenes::by_name(name)?,
        SceneSource::Waving(file) => crumple_scenes::waving(trial.name, settings.shape(file)?),
    };
    let frames = settings.frames_of(scene.frame_count())?;
    let variants: Vec<Variant> =
        (trial.variants)().into_iter().filter(|c| c.label == BASELINE || settings.wants(&c.label)).collect();
    let bar = settings.bar(passes::steps(variants.len(), settings.repeat));
    bar.set_message(format!("{}: making every frame", trial.name));
    bar.tick();
    let recording = Recording::of(&scene, frames)?;
    let outcome = passes::run(recording, trial.question, &variants, settings.repeat, &bar)?;
    bar.finish_and_clear();
    Ok(outcome)
}

fn size_panels(experiment: &Experiment, summaries: &[Summaries]) -> [Panel; 2] {
    let title = |what: &str| format!("{}: {what}", experiment.name);
    [
        tables::sizes_panel(title("first contact"), "first contact", summaries, |summary| {
            summary.first_contact_us.unwrap_or(f64::NAN)
        }),
        tables::sizes_panel(title("worst frame"), "worst frame", summaries, |summary| summary.worst_us),
    ]
}
