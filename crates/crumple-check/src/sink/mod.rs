//! Where frames and findings go: one format per file, none of which computes anything.
//!
//! Files are started before the work is, and take their names when they are complete: with what was found so far, whenever the
//! work ends, unless one of them cannot be written. Then all stay as they were, but for meshes, which are complete one by one.

mod baseline;
mod destination;
mod findings_csv;
mod github;
mod in_use;
mod index;
mod json;
mod junit;
mod meshes;
mod out;
pub mod page;
mod pairs_csv;
mod records;
mod sarif;
mod text;

use std::path::Path;

use anyhow::Result;
use crumple_io::report::Frame;
use crumple_io::{CsvColumns, Source};

use crate::error::hinted;
use crate::options::{Options, OutputFormat};
use crate::outcome::Outcome;
use crate::run::Check;
pub use destination::Destination;
pub use in_use::FilesInUse;
pub use out::{Out, TableStyle};
pub use records::Records;

pub(crate) use findings_csv::write_all as csv_of_each;
pub(crate) use index::page as index_of_each;
pub(crate) use junit::write as junit_of_each;

/// The findings of many files.
type OfEach<'a> = [(&'a str, Result<&'a Outcome, &'a str>)];

pub(crate) fn sarif_of_each(outcomes: &OfEach<'_>, out: &mut Out) -> Result<()> {
    sarif::write(&outcomes.iter().map(|(_, outcome)| *outcome).collect::<Vec<_>>(), out)
}

pub(crate) fn github_of_each(outcomes: &OfEach<'_>, out: &mut Out) -> Result<()> {
    outcomes.iter().try_for_each(|(file, outcome)| match outcome {
        Ok(outcome) => github::write(outcome, out),
        Err(error) => github::write_error(file, error, out),
    })
}

/// What `--csv` calls standard output.
const STDOUT: &str = "-";

/// A frame as sinks see it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// With all pairs that are known.
    pub found: &'a Frame<'a>,
    /// With the pairs to be listed.
    pub listed: &'a Frame<'a>,
    /// The bodies in this frame; `None` where records are read back without them.
    pub now: Option<crumple::Frame<'a>>,
    /// The number of the frame that was checked before this one.
    pub before: Option<u64>,
}

/// Something that is written while frames are checked.
pub trait Sink: Send {
    /// Takes in one more frame; frames come in order.
    ///
    /// # Errors
    /// If it cannot be written.
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        let _ = view;
        Ok(())
    }

    /// Completes what is written, whatever ended the run; returns what there is to say about it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn end(self: Box<Self>, outcome: &Outcome) -> Result<Option<String>>;

    /// Whether it needs to know where the bodies are.
    fn needs_positions(&self) -> bool {
        false
    }

    /// Whether it goes to a stream that nobody reads any more.
    fn is_lost(&self) -> bool {
        false
    }
}

/// Everything that is written: files, in the order in which they take in a frame, and the answer, which comes last.
#[derive(Default)]
pub struct Sinks {
    files: Vec<Box<dyn Sink>>,
    /// The table of pairs, where it goes to a stream.
    stream: Option<Box<dyn Sink>>,
    answer: Option<Box<dyn Sink>>,
    have_failed: bool,
}

impl std::fmt::Debug for Sinks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sinks").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

/// Refuses files to be written that are read or written already, and formats that leave no room for what else is printed.
///
/// # Errors
/// If there are any.
pub fn files_in_use(options: &Options, inputs: &[Source]) -> Result<FilesInUse> {
    let format = options.output_format.unwrap_or_default();
    let csv = options.csv.as_deref().filter(|file| *file != Path::new(STDOUT));
    if csv.is_none() && options.csv.is_some() && (format != OutputFormat::Text || options.pairs) {
        return Err(hinted(
            "--csv - leaves no room for --json or --pairs on standard output",
            "name a file for the table",
        ));
    }
    if options.pairs && !matches!(format, OutputFormat::Text | OutputFormat::Json) {
        let what = "--pairs lists pairs as text or JSON, and --output-format leaves no room for them";
        return Err(hinted(what, "--csv FILE writes the pairs to a file"));
    }
    let mut in_use = FilesInUse::new();
    if options.html.is_some() || csv.is_some() || options.export.is_some() || options.write_baseline.is_some() {
        inputs.iter().for_each(|file| in_use.read(file));
    }
    // Before the baseline that is read, which may be replaced by the one that is written.
    options.write_baseline.as_deref().map_or(Ok(()), |file| in_use.write("--write-baseline", file))?;
    options.baseline.iter().for_each(|file| in_use.read(&Source::File(file.clone())));
    for (option, file) in [("--html", options.html.as_deref()), ("--csv", csv)] {
        file.map_or(Ok(()), |file| in_use.write(option, file))?;
    }
    Ok(in_use)
}

impl Sinks {
    /// The files that the options of a check ask for.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn of_files(check: &Check, in_use: &FilesInUse) -> Result<Self> {
        let options = check.options();
        let mut sinks = Self::default();
        if let Some(folder) = &options.export {
            sinks.files.push(Box::new(meshes::Meshes::new(folder, check, in_use)?));
        }
        let (impacts, distances) = (options.continuous, options.clearance.is_some());
        let columns = CsvColumns { impacts, distances, animations: check.plays_several() };
        if let Some(file) = &options.csv {
            let table = pairs_csv::Table::new(Some(file).filter(|file| **file != Path::new(STDOUT)), check, columns)?;
            if file == Path::new(STDOUT) {
                sinks.stream = Some(Box::new(table));
            } else {
                sinks.files.push(Box::new(table));
            }
        }
        if let Some(file) = &options.html {
            sinks.files.push(Box::new(page::Page::new(file, check, None, true)?));
        }
        if let Some(file) = &options.write_baseline {
            sinks.files.push(Box::new(baseline::NewBaseline::new(file)?));
        }
        Ok(sinks)
    }

    /// Adds the answer in the format that was asked for.
    ///
    /// # Errors
    /// If the first of it cannot be written.
    pub fn with_answer(mut self, check: &Check, out: Out) -> Result<Self> {
        let options = check.options();
        if self.stream.is_some() {
            return Ok(self);
        }
        self.answer = Some(match options.output_format.unwrap_or_default() {
            OutputFormat::Text => Box::new(text::Text::new(check, out)),
            OutputFormat::Json => Box::new(json::Json::new(check, out)?),
            OutputFormat::Csv => Box::new(findings_csv::FindingsCsv(out)),
            OutputFormat::Junit => Box::new(junit::Junit(out)),
            OutputFormat::Sarif => Box::new(sarif::Sarif(out)),
            OutputFormat::Github => Box::new(github::Github(out)),
        });
        Ok(self)
    }

    /// Adds a sink of the caller's.
    pub fn with(mut self, sink: Box<dyn Sink>) -> Self {
        self.files.push(sink);
        self
    }

    /// Adds a page; without `times` it does not differ from run to run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn with_page(self, file: &Path, check: &Check, title: Option<&str>, times: bool) -> Result<Self> {
        Ok(self.with(Box::new(page::Page::new(file, check, title, times)?)))
    }

    /// Adds a report with all pairs; without `times` it does not differ from run to run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn with_report(self, file: &Path, check: &Check, times: bool) -> Result<Self> {
        Ok(self.with(Box::new(json::Report::new(file, check, times)?)))
    }

    /// Takes in a frame.
    pub(crate) fn frame(&mut self, view: &View<'_>) -> Result<()> {
        for file in self.files.iter_mut().chain(&mut self.stream) {
            let taken_in = file.frame(view);
            self.have_failed |= taken_in.is_err();
            taken_in?;
        }
        self.answer.as_mut().map_or(Ok(()), |answer| answer.frame(view))
    }

    /// Whether a file could not be written: then not even the others are completed, since what an earlier run wrote is worth
    /// more than a part of this one.
    pub(crate) fn have_failed(&self) -> bool {
        self.have_failed
    }

    /// Whether nobody reads what goes to a stream, and there is nothing else to write.
    pub(crate) fn are_lost(&self) -> bool {
        let stream = self.answer.as_ref().or(self.stream.as_ref());
        self.files.is_empty() && stream.is_some_and(|stream| stream.is_lost())
    }

    /// Whether any of them has to know where the bodies are.
    pub(crate) fn need_positions(&self) -> bool {
        self.files.iter().any(|file| file.needs_positions())
    }

    /// Completes all of them; returns what was written, one line each.
    pub(crate) fn end(self, outcome: &Outcome) -> Result<Vec<String>> {
        let Self { files, stream, answer, .. } = self;
        let mut lines = Vec::new();
        // As they are listed for people: the baseline, the page, the table, the meshes.
        for file in files.into_iter().rev().chain(stream) {
            lines.extend(file.end(outcome)?);
        }
        if let Some(answer) = answer.filter(|_| !outcome.is_silent) {
            lines.extend(answer.end(outcome)?);
        }
        Ok(lines)
    }
}
