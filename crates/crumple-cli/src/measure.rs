//! The frames of `volume`, `distance` and `inside`: bodies move, something is measured, and the answer goes to standard output, a
//! page and a table.
//!
//! ```text
//! files ─► Job ─► each frame: bodies move ─► Measure::frame ─► record ─► page · table · JSON, or a row of text
//!                                                                └─► summary ─► note of the page, text, verdict
//! ```
//!
//! Whatever ends the frames, page and table are completed: they have the frames so far.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use crumple_check::bodies::files::{self, FileBody};
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::{MovingBodies, timeline};
use crumple_check::sink::page::PageFile;
use crumple_check::sink::{FilesInUse, Out};
use crumple_check::{Caller, threads};
use crumple_io::report::{self, BodyRecord, CheckSummary, ContactRecord, FrameName, Header, LastRecord};
use crumple_io::words::{Align, Table, counted, time};
use crumple_io::write::{PageFrame, PageWriter, TableLines, VolumeCsv};
use crumple_io::{Source, WriteError};
use serde::Serialize;

use crate::args::MotionArgs;
use crate::check::Watcher;
use crate::output::frame_rows::FrameRows;
use crate::output::{Verdict, hinted, say, stdout};

/// What `--csv` calls standard output.
const STDOUT: &str = "-";

/// What is measured in each frame, and how it is put.
pub(crate) trait Measure {
    type Record: Serialize;
    type Summary: Serialize + Default;

    /// Measures the bodies, which show this frame; `took` is how long taking it in took.
    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, took: Duration) -> Result<Self::Record>;

    /// The record as a row of text.
    fn row<'r>(&self, record: &'r Self::Record) -> Row<'r>;

    /// Takes a record into the summary.
    fn add(&self, record: &Self::Record, summary: &mut Self::Summary);

    /// What `--fail-above` is about.
    fn worst(&self, _: &Self::Summary) -> f64 {
        0.0
    }

    /// What is printed of a frame before all others are measured.
    fn lines(&self, _: &Self::Record) -> Vec<String> {
        Vec::new()
    }

    /// Writes a frame to the table.
    fn tabulate(&self, _: &Self::Record, _: &mut VolumeCsv) -> Result<(), WriteError> {
        Ok(())
    }

    /// Puts the frame that was measured last on the page.
    fn show(&mut self, _: &Self::Record, _: &mut MovingBodies, _: &mut Page) -> Result<()> {
        Ok(())
    }

    /// What the page says of all frames.
    fn note(&self, _: &Self::Summary, _: &Page) -> Option<String> {
        None
    }

    /// Prints the answer for people.
    fn print(&self, shown: &Shown<Self::Record>, summary: &Self::Summary, out: &mut Out) -> Result<()>;

    /// How it was measured and how fast, for people.
    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String>;
}

/// A record as a row of text.
#[derive(Debug)]
pub(crate) struct Row<'r> {
    pub(crate) frame: u64,
    pub(crate) name: FrameName<'r>,
    /// Microseconds until the question could be asked, and until it was answered.
    pub(crate) times_us: [f64; 2],
    pub(crate) cells: Vec<String>,
}

impl Row<'_> {
    /// The frame for a page, with what meets in it.
    pub(crate) fn found<'a>(&self, now: crumple::Frame<'a>) -> report::Frame<'a> {
        report::Frame {
            frame: self.frame,
            number: Some(self.name.number),
            animation: self.name.animation.map(str::to_owned),
            contacts: now.contacts().iter().map(ContactRecord::from).collect(),
            update_us: self.times_us[0],
            query_us: self.times_us[1],
            ..report::Frame::default()
        }
    }
}

/// The files that are written beside the answer.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    html: Option<PathBuf>,
    csv: Option<PathBuf>,
}

impl Outputs {
    /// Refuses outputs that would overwrite an input or each other, and a table that leaves no room for JSON.
    pub(crate) fn new<F: AsRef<Path>>(
        inputs: &[F],
        html: Option<PathBuf>,
        csv: Option<PathBuf>,
        json: bool,
    ) -> Result<Self> {
        let outputs = Self { html, csv };
        if outputs.table_is_the_answer() && json {
            return Err(hinted("--csv - leaves no room for --json on standard output", "name a file for the table"));
        }
        let mut in_use = FilesInUse::new();
        inputs.iter().for_each(|file| in_use.read(&Source::from(file.as_ref())));
        for (option, file) in [("--html", outputs.html.as_deref()), ("--csv", outputs.table_file())] {
            file.map_or(Ok(()), |file| in_use.write(option, file))?;
        }
        Ok(outputs)
    }

    /// Whether the table takes the place of the answer on standard output.
    fn table_is_the_answer(&self) -> bool {
        self.csv.as_deref() == Some(Path::new(STDOUT))
    }

    fn table_file(&self) -> Option<&Path> {
        self.csv.as_deref().filter(|_| !self.table_is_the_answer())
    }
}

/// A page being written.
pub(crate) struct Page {
    file: PageFile,
    summary: CheckSummary,
}

impl Page {
    /// Adds a frame: the bodies of the scene, and behind them one more if the page has one.
    pub(crate) fn frame(
        &mut self,
        now: crumple::Frame<'_>,
        more: Option<&[[f32; 3]]>,
        shown: PageFrame<'_>,
    ) -> Result<()> {
        self.file.frame(now, more, shown)?;
        self.summary.add(shown.found);
        Ok(())
    }

    /// What a frame is called.
    pub(crate) fn name_of(&self, frame: u64) -> FrameName<'_> {
        self.file.name_of(frame)
    }
}

/// What is printed when all frames are measured.
pub(crate) struct Shown<R> {
    /// The bodies as they are shown in text.
    pub(crate) names: Vec<String>,
    /// The frame that was measured last.
    pub(crate) last: Option<R>,
    rows: FrameRows,
    measured: u64,
    busy_us: f64,
}

impl<R> Shown<R> {
    /// How long measuring took.
    pub(crate) fn took(&self) -> String {
        time(self.busy_us)
    }

    /// What a frame is called.
    pub(crate) fn name_of(&self, frame: u64) -> String {
        self.rows.name_of(frame)
    }

    /// Prints the rows of all frames, and below them what they come to.
    pub(crate) fn table(&self, columns: &[(&'static str, Align)], sum: &str, out: &mut Out) -> Result<()> {
        out.table(&self.rows.fill(Table::new(columns)))?;
        out.line("")?;
        out.line(sum)
    }
}

/// Bodies to be measured in some frames, checked.
pub(crate) struct Job {
    pub(crate) bodies: MovingBodies,
    pub(crate) header: Header,
    /// The value above which the exit code is 1.
    pub(crate) fail_above: Option<f64>,
    /// Whether lines of the answer are printed meanwhile.
    pub(crate) prints: bool,
    frames: Range<usize>,
    motion: MotionArgs,
    outputs: Outputs,
    page: Option<Page>,
    table: Option<VolumeCsv>,
}

impl Job {
    /// Chooses the frames of bodies, and of other files that move with them; `per_frame` bytes are kept of each.
    pub(crate) fn start(
        mut bodies: Vec<FileBody>,
        others: &mut [FileBody],
        method: &str,
        motion: MotionArgs,
        outputs: Outputs,
        per_frame: u64,
    ) -> Result<Self> {
        let (_, frames) = timeline::chosen(others.iter_mut().chain(&mut bodies), &motion.options)?;
        Memory::new(motion.options.max_memory).take(others.iter().chain(&bodies), (frames.len(), per_frame))?;
        let bodies = MovingBodies::start(bodies, frames.start)?;
        let header = Header::new(method, bodies.records(), frames.len() as u64);
        let prints = motion.json;
        Ok(Self { bodies, header, fail_above: None, prints, frames, motion, outputs, page: None, table: None })
    }

    /// Whether there are several frames, so that errors have to say in which one they are.
    pub(crate) fn has_many_frames(&self) -> bool {
        self.frames.len() > 1
    }

    /// Whether there is to be a page.
    pub(crate) fn has_page(&self) -> bool {
        self.outputs.html.is_some()
    }

    /// Starts the page, if there is to be one; `more` is a body that only the page has, `clearance` up to where vertices are coloured.
    pub(crate) fn start_page(&mut self, more: Option<(BodyRecord, &[[u32; 3]])>, clearance: Option<f64>) -> Result<()> {
        let Some(file) = &self.outputs.html else { return Ok(()) };
        let mut header = self.header.clone();
        let names: Vec<&str> = self.header.bodies.iter().map(|body| body.name.as_str()).collect();
        let mut triangles: Vec<&[[u32; 3]]> = self.bodies.all().map(|body| body.mesh().indices()).collect();
        if let Some((record, of_more)) = more {
            header.bodies.push(record);
            triangles.push(of_more);
        }
        let fps = self.motion.options.reading.frames_per_second();
        let file = PageFile::create(file, |out| {
            let writer = PageWriter::new(out, &names.join(" and "), &header, &triangles)?.with_fps(fps);
            Ok(if let Some(clearance) = clearance { writer.with_clearance(clearance) } else { writer })
        })?;
        self.page = Some(Page { file, summary: CheckSummary::default() });
        Ok(())
    }

    /// Starts the table, if there is to be one.
    pub(crate) fn start_table<R: TableLines>(&mut self) -> Result<()> {
        if self.outputs.csv.is_some() {
            let names: Vec<&str> = self.header.bodies.iter().map(|body| body.name.as_str()).collect();
            let has_animations = files::animation(self.bodies.files(), self.frames.start).is_some();
            self.table = Some(VolumeCsv::create::<R>(self.outputs.table_file(), &names, has_animations)?);
        }
        Ok(())
    }

    /// Measures all frames by what `make` makes.
    pub(crate) fn run<M: Measure>(self, make: impl FnOnce() -> Result<M> + Send) -> Result<Verdict> {
        threads::within(self.motion.options.threads, || self.run_here(make))
    }

    fn run_here<M: Measure>(mut self, make: impl FnOnce() -> Result<M>) -> Result<Verdict> {
        let MotionArgs { json, quiet, .. } = self.motion;
        let mut out = stdout().alone(self.fail_above.is_none());
        if json {
            out.record(&self.header)?;
        }
        let (mut measure, mut summary) = (make()?, M::Summary::default());
        let names = self.bodies.files().map(|file| file.shown().into_owned()).collect();
        let mut shown = Shown { names, last: None, rows: FrameRows::default(), measured: 0, busy_us: 0.0 };
        let walked = self.each_frame(|job, frame| {
            let took = job.bodies.go_to(frame)?;
            let record = measure.frame(&mut job.bodies, frame, took)?;
            measure.add(&record, &mut summary);
            if let Some(table) = &mut job.table {
                measure.tabulate(&record, table)?;
            }
            if let Some(page) = &mut job.page {
                measure.show(&record, &mut job.bodies, page)?;
            }
            if json {
                return out.record(&record);
            }
            measure.lines(&record).iter().try_for_each(|line| out.line(line))?;
            let Row { frame, name, times_us: [update_us, query_us], cells } = measure.row(&record);
            shown.rows.add(frame, name, cells);
            shown.measured += 1;
            shown.busy_us += update_us + query_us;
            shown.last = Some(record);
            Ok(())
        });
        let written = self.complete(|page| measure.note(&summary, page));
        let (verdict, written) = (walked?, written?);
        let verdict = verdict.of_worst(measure.worst(&summary), self.fail_above);
        if json {
            out.record(&LastRecord { summary })?;
        } else if !self.outputs.table_is_the_answer() {
            measure.print(&shown, &summary, &mut out)?;
            if !quiet {
                let per_frame = time(shown.busy_us / shown.measured.max(1) as f64);
                measure.pace(shown.measured, &per_frame).iter().for_each(say);
            }
        }
        out.finish()?;
        if !quiet && !json {
            written.iter().for_each(say);
        }
        Ok(verdict)
    }

    /// Calls `process` with every frame in order, with a progress bar, until the last one or until the user interrupts.
    fn each_frame(&mut self, mut process: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<Verdict> {
        let mut watcher = Watcher::new(self.frames.len(), self.motion.quiet, self.prints);
        let max_work = self.motion.options.max_work;
        for frame in self.frames.clone() {
            if watcher.is_stopped() {
                return Ok(Verdict::Interrupted);
            }
            max_work.frame(frame, || process(self, frame))?;
            watcher.frame_is_done();
        }
        Ok(Verdict::Done)
    }

    /// Completes page and table; returns a line for each.
    fn complete(&mut self, note: impl FnOnce(&Page) -> Option<String>) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(mut page) = self.page.take() {
            note(&page).into_iter().for_each(|note| page.file.note(note));
            lines.push(page.file.finish(page.summary)?);
        }
        if let Some(table) = self.table.take() {
            let rows = counted(table.finish()?, "row");
            let file = self.outputs.table_file().unwrap_or(Path::new("standard output"));
            lines.push(format!("{}: {rows}", file.display()));
        }
        Ok(lines)
    }
}
