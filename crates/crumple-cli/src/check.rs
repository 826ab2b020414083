//! `crumple check`: every pair of triangles that meet, frame by frame.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use crumple_check::sink::{Out, Sinks, files_in_use};
use crumple_check::{Caller, Check, Each, Ended, Options, OutputFormat, check_each, write_each};
use crumple_io::Source;
use crumple_io::words::counted;
use indicatif::ProgressBar;

use crate::args::CheckArgs;
use crate::interrupt::{self, Watching};
use crate::output::{self, TableStyle, Verdict, hinted, print, progress, say};

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let CheckArgs { files, mut options, json, quiet, .. } = args;
    if json {
        options.output_format = Some(OutputFormat::Json);
    }
    if options.each {
        return run_each(&files, &options, quiet);
    }
    let format = options.output_format.unwrap_or_default();
    let sources: Vec<Source> = files.iter().map(|file| Source::from(Path::new(file))).collect();
    let in_use = files_in_use(&options, &sources)?;
    let check = Check::of_files(&files, &options)?;
    check.notes().iter().for_each(say);
    if !quiet && format != OutputFormat::Json {
        check.choices().iter().for_each(say);
    }
    let is_table = options.csv.as_deref() == Some(Path::new("-"));
    let stdout = Out::new(std::io::stdout(), output::table_style());
    let sinks = Sinks::of_files(&check, &in_use)?.with_answer(&check, stdout)?;
    let prints = format == OutputFormat::Json || options.pairs || options.continuous || options.first_contact;
    let mut watcher = Watcher::new(check.frames().count(), quiet, prints);
    let (outcome, written) = check.run(sinks, &mut watcher)?;
    drop(watcher);
    if !quiet {
        outcome.notes.iter().for_each(say);
    }
    if let Some(sentence) = outcome.incomplete() {
        say(format_args!("incomplete: {sentence}"));
    }
    if is_table && !quiet {
        print(outcome.table(TableStyle::PLAIN));
    }
    let collides = outcome.collides();
    let (stale, pace) = (outcome.stale_entries(), outcome.pace());
    let verdict = match outcome.ended {
        Ended::Failed(error) => return Err(error),
        Ended::Stopped => Verdict::Interrupted,
        _ if collides => Verdict::Collides,
        _ => Verdict::Done,
    };
    if !quiet {
        stale.iter().for_each(say);
    }
    if !quiet && format == OutputFormat::Text {
        say(pace);
        outcome.remarks.iter().chain(&written).for_each(say);
    }
    Ok(verdict)
}

/// Checks every file on its own.
fn run_each(files: &[OsString], options: &Options, quiet: bool) -> Result<Verdict> {
    let watching = interrupt::watch(quiet);
    let bar = progress::files(files.len(), quiet);
    let results = check_each(files, options, || OneOfMany(bar.clone()))?;
    bar.finish_and_clear();
    drop(watching);
    let stdout = Out::new(std::io::stdout(), TableStyle::PLAIN);
    let written = write_each(&results, options, stdout)?;
    if !quiet && options.output_format.unwrap_or_default() == OutputFormat::Text {
        written.iter().for_each(say);
    }
    let failed = results.iter().filter(|each| each.has_failed()).count() as u64;
    if failed > 0 {
        return Err(hinted(
            format!("{} could not be checked", counted(failed, "file")),
            "the others were; see the answer",
        ));
    }
    Ok(match () {
        () if results.iter().any(Each::is_stopped) => Verdict::Interrupted,
        () if results.iter().any(Each::collides) => Verdict::Collides,
        () => Verdict::Done,
    })
}

/// The caller of one of many checks: its end is a step of the bar.
struct OneOfMany(ProgressBar);

impl Caller for OneOfMany {
    fn is_stopped(&mut self) -> bool {
        interrupt::asked()
    }
}

impl Drop for OneOfMany {
    fn drop(&mut self) {
        self.0.inc(1);
    }
}

/// Shows a person how far a check is, and ends it on Ctrl-C.
pub(crate) struct Watcher {
    bar: ProgressBar,
    watching: Watching,
}

impl Watcher {
    /// Watches over this many frames; without a bar if `quiet`, nor if lines of the answer are printed to the same terminal
    /// meanwhile: they would overwrite each other.
    pub(crate) fn new(frames: usize, quiet: bool, prints: bool) -> Self {
        Self {
            bar: progress::frames(frames, quiet || (prints && output::stdout_is_terminal())),
            watching: interrupt::watch(quiet),
        }
    }
}

impl Caller for Watcher {
    fn is_stopped(&mut self) -> bool {
        interrupt::asked()
    }

    fn frame_is_done(&mut self) {
        self.watching.frame_is_done();
        self.bar.inc(1);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
