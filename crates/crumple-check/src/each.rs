//! `--each`: a check per file, side by side on the cores, and one answer about all of them.
//!
//! Each check has one thread, unless there are fewer files than cores, and its share of the memory. What is written about all files has
//! the order of the files, whichever was done first.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use crumple_io::Source;
use crumple_io::report::CheckSummary;
use crumple_io::words::counted;
use serde::Serialize;

use crate::bodies::memory;
use crate::error::{hint, hinted, what_happened};
use crate::options::{Options, OutputFormat};
use crate::outcome::{Ended, Outcome};
use crate::run::{Caller, Check};
use crate::sink::{self, Destination, FilesInUse, Out, Sinks};

/// What was found in one of many files.
#[derive(Debug)]
pub struct Each {
    /// The file, as it was named.
    pub file: String,
    /// Its page, if one was asked for.
    pub page: Option<PathBuf>,
    /// What was found, or why the file could not be checked.
    pub outcome: Result<Outcome, String>,
}

/// The record of a file, one per line, with `--json`.
#[derive(Serialize)]
struct Record<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a CheckSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl Each {
    /// Whether there is a finding.
    pub fn collides(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Outcome::collides)
    }

    /// Whether the run was ended before its last frame.
    pub fn is_stopped(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|outcome| matches!(outcome.ended, Ended::Stopped))
    }

    /// Whether the file, or a frame of it, could not be checked.
    pub fn has_failed(&self) -> bool {
        self.outcome.as_ref().map_or(true, |outcome| matches!(outcome.ended, Ended::Failed(_)))
    }

    /// What was found, in one line.
    fn line(&self) -> String {
        let file = crumple_io::words::escaped(&self.file);
        match &self.outcome {
            Ok(outcome) => {
                let worst = outcome.findings().first().map(|worst| format!("; {}", outcome.sentence(worst)));
                let incomplete = outcome.incomplete().map(|sentence| format!("; incomplete: {sentence}"));
                let [worst, incomplete] = [worst, incomplete].map(Option::unwrap_or_default);
                format!("{file}: {}{worst}{incomplete}", outcome.total())
            }
            Err(error) => format!("{file}: error: {error}"),
        }
    }

    fn parts(&self) -> (&str, Result<&Outcome, &str>) {
        (&self.file, self.outcome.as_ref().map_err(String::as_str))
    }
}

/// Checks every file on its own. `caller` makes one caller per check, which is told about its frames.
///
/// # Errors
/// If the options ask for what cannot be written about many files, or a page would overwrite something.
pub fn check_each<C: Caller + Send>(
    files: &[OsString],
    options: &Options,
    caller: impl Fn() -> C + Sync,
) -> Result<Vec<Each>> {
    refuse_files_of_one(options)?;
    let pages = pages(files, options)?;
    let cores = options.motion.threads.map_or_else(cores, NonZeroUsize::get);
    let workers = cores.min(files.len()).max(1);
    let mut options = options.clone();
    options.motion.threads = NonZeroUsize::new(cores / workers);
    options.motion.max_memory = Some(memory::most(options.motion.max_memory) / workers as u64);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(at) else { break };
                    let page = pages.get(at).cloned();
                    let outcome = one(file, page.as_deref(), &options, &mut caller());
                    // A file that cannot be read has no page.
                    let page = page.filter(|_| outcome.is_ok());
                    let each = Each { file: file.to_string_lossy().into_owned(), page, outcome };
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((at, each));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(at, _)| *at);
    Ok(found.into_iter().map(|(_, each)| each).collect())
}

/// Writes the answer about all files, and the page that links theirs; returns what there is to say about it.
///
/// # Errors
/// If something cannot be written.
pub fn write(results: &[Each], options: &Options, mut out: Out) -> Result<Option<String>> {
    let parts: Vec<_> = results.iter().map(Each::parts).collect();
    match options.output_format.unwrap_or_default() {
        OutputFormat::Text => results.iter().try_for_each(|each| out.line(each.line()))?,
        OutputFormat::Json => {
            for (file, outcome) in parts {
                let (summary, error) = (outcome.ok().map(|outcome| &outcome.summary), outcome.err());
                out.record(&Record { file, summary, error })?;
            }
        }
        OutputFormat::Csv => sink::csv_of_each(&parts, &mut out)?,
        OutputFormat::Junit => sink::junit_of_each(&parts, &mut out)?,
        OutputFormat::Sarif => sink::sarif_of_each(&parts, &mut out)?,
        OutputFormat::Github => sink::github_of_each(&parts, &mut out)?,
    }
    out.finish()?;
    let Some(index) = &options.html else { return Ok(None) };
    Destination::create(index)?.write(&sink::index_of_each(results))?;
    let pages = counted(results.iter().filter(|each| each.page.is_some()).count() as u64, "page");
    Ok(Some(format!("{}: links to {pages} to open in a browser", index.display())))
}

fn one(
    file: &OsString,
    page: Option<&Path>,
    options: &Options,
    caller: &mut (dyn Caller + Send),
) -> Result<Outcome, String> {
    let mut options = options.clone();
    options.html = page.map(Path::to_owned);
    // The answer is written about all files together.
    options.output_format = Some(OutputFormat::Junit);
    let mut run = || {
        let check = Check::of_files(std::slice::from_ref(file), &options)?;
        let sinks = Sinks::of_files(&check, &FilesInUse::default())?;
        check.run(sinks, caller)
    };
    run().map(|(outcome, _)| outcome).map_err(|error| {
        let hint = hint(&error).map(|hint| format!("; {hint}")).unwrap_or_default();
        what_happened(&error) + &hint
    })
}

/// Refuses files that are about one check.
fn refuse_files_of_one(options: &Options) -> Result<()> {
    let files = [
        ("--csv", options.csv.is_some()),
        ("--export", options.export.is_some()),
        ("--write-baseline", options.write_baseline.is_some()),
        ("--baseline", options.baseline.is_some()),
        ("--pairs", options.pairs),
    ];
    match files.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let what = format!("{option} is about one check, and --each makes one per file");
            Err(hinted(what, "leave one of the two out"))
        }
        None => Ok(()),
    }
}

/// A page for each file, beside the one that links them: `report-walk.html` for `walk.glb` and `report.html`.
fn pages(files: &[OsString], options: &Options) -> Result<Vec<PathBuf>> {
    let Some(index) = &options.html else { return Ok(Vec::new()) };
    let mut in_use = FilesInUse::new();
    files.iter().for_each(|file| in_use.read(&Source::from(Path::new(file))));
    in_use.write("--html", index)?;
    let stem = index.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut pages: Vec<PathBuf> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        let mut page = index.with_file_name(format!("{stem}-{plain}.html"));
        if pages.contains(&page) {
            page = index.with_file_name(format!("{stem}-{plain}-{number}.html"));
        }
        in_use.write("--html", &page)?;
        pages.push(page);
    }
    Ok(pages)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
