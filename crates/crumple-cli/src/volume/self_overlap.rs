//! `volume --self-overlap`: how much of a body is covered by itself more than once, frame by frame.

use std::io;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::time::Instant;

use anyhow::Result;
use crumple::Body;
use crumple_bench::gpu::{Device, GpuFailure, Path, SelfOverlaps};
use crumple_io::report::{Header, LastRecord, Samples, SelfOverlapFrame, VolumeSummary, micros};
use crumple_io::words::{Align, Table, count, counted, size, time};
use crumple_io::write::SelfOverlapCsv;
use crumple_ldi::{ImageOptions, Resolution, SelfOverlap};

use super::page::{Page, Sampled};
use super::{METHOD, PER_FRAME, check_outputs, quiet_if_unread, table_file};
use crate::args::VolumeArgs;
use crate::bodies;
use crate::frames;
use crate::output::frame_rows::FrameRows;
use crate::output::{Answer, Verdict, refusal, say};
use crumple_check::MaxWork;
use crumple_check::bodies::files;
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::moving::MovingBody;
use crumple_check::bodies::timeline;
use crumple_check::threads;

/// What to measure, checked.
struct Plan {
    body: MovingBody,
    header: Header,
    frames: Range<usize>,
    options: ImageOptions,
    /// The volume above which the exit code is 1.
    fail_above: Option<f64>,
    /// The GPU, if the image is made there.
    gpu: Option<(Device, Path)>,
    json: bool,
    /// Whether the table takes the place of the answer on stdout.
    is_table: bool,
    quiet: bool,
    max_work: MaxWork,
}

pub(super) fn run(args: VolumeArgs) -> Result<Verdict> {
    let VolumeArgs { a: file, body, fail_above, html, csv, image, motion, .. } = args;
    let (table, is_table) = table_file(csv.as_deref(), motion.json)?;
    let files = [file];
    check_outputs(&files, html.as_deref(), table)?;
    let mut body = files::one(bodies::read(&files, &motion.options.reading)?, body.as_deref())?;
    let (_, frames) = timeline::chosen([&mut body], &motion.options)?;
    Memory::new(motion.options.max_memory).take([&body], (frames.len(), PER_FRAME))?;
    let body = MovingBody::new(body, frames.start)?;
    let mut options = ImageOptions::default().with_resolution(image.resolution);
    options.assume_closed = image.assume_closed;
    let gpu = image.gpu.device()?;
    let header = Header::new(METHOD, vec![body.record(0)], frames.len() as u64);
    let page = html.map(|file| Page::new(&file, &header, &[body.body()], motion.options.reading.frames_per_second()));
    let has_animations = files::animation([body.file()], frames.start).is_some();
    let outputs = Outputs {
        page: page.transpose()?,
        table: csv.is_some().then(|| OutputTable::start(table, &header.bodies[0].name, has_animations)).transpose()?,
    };
    let (json, quiet, max_work) = (motion.json, motion.quiet, motion.options.max_work);
    let plan = Plan { body, header, frames, options, fail_above, gpu, json, is_table, quiet, max_work };
    threads::within(motion.options.threads, || measure(plan, outputs))
}

fn measure(mut plan: Plan, mut outputs: Outputs) -> Result<Verdict> {
    let mut answer = Answer::whose_exit_code(plan.fail_above.is_some());
    if plan.json {
        answer.record(&plan.header)?;
    }
    let gpu = plan.gpu.as_ref().map(|(device, path)| device.self_overlaps(*path, plan.options)).transpose()?;
    let mut finder = Finder { options: plan.options, on_cpu: SelfOverlap::new(plan.options), gpu };
    let (mut shown, mut summary) = (Shown::default(), VolumeSummary::default());
    let (body, many) = (&mut plan.body, plan.frames.len() > 1);
    let verdict = frames::each_frame(plan.frames.clone(), plan.quiet, plan.json, plan.max_work, |frame| {
        body.go_to(frame)?;
        let explained = |error| refusal::explained(error, &[&body.shown()], many.then_some(frame));
        let mut record = finder.frame(frame, body.body()).map_err(explained)?;
        (record.number, record.animation) = files::numbered([body.file()], frame);
        summary.add_self_overlap(&record);
        if let Some(page) = &mut outputs.page {
            finder.show(page, &record, body.body())?;
        }
        if let Some(table) = &mut outputs.table {
            table.csv.write_frame(&record).map_err(quiet_if_unread)?;
        }
        if plan.json {
            return answer.record(&record);
        }
        shown.add(record);
        Ok(())
    });
    // Whatever ended the walk, the files are completed: they have the frames so far.
    let written = outputs.finish(&summary);
    let (verdict, written) = (verdict?, written?);
    let verdict = verdict.of_worst(summary.worst.map_or(0.0, |worst| worst.volume), plan.fail_above);
    match (plan.json, plan.is_table) {
        (true, _) => answer.record(&LastRecord { summary })?,
        (_, true) => {}
        _ => shown.print(&plan, &summary, &mut answer)?,
    }
    answer.finish()?;
    if !plan.quiet && !plan.json {
        written.iter().for_each(say);
    }
    Ok(verdict)
}

/// The files asked for.
#[derive(Debug)]
struct Outputs {
    page: Option<Page>,
    table: Option<OutputTable>,
}

#[derive(Debug)]
struct OutputTable {
    /// `None` for standard output.
    file: Option<PathBuf>,
    csv: SelfOverlapCsv,
}

impl OutputTable {
    fn start(file: Option<&FilePath>, name: &str, animations: bool) -> Result<Self> {
        let csv = match file {
            Some(file) => SelfOverlapCsv::create(file, name, animations)?,
            None => SelfOverlapCsv::to_stream(io::stdout(), "standard output", name, animations)?,
        };
        Ok(Self { file: file.map(FilePath::to_owned), csv })
    }
}

impl Outputs {
    /// Completes the files and reports what was written, one line each.
    fn finish(self, summary: &VolumeSummary) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(page) = self.page {
            let frames = counted(summary.frames, "frame");
            let note = match summary.worst {
                None => format!("It does not overlap itself in {frames}."),
                Some(worst) => format!(
                    "It overlaps itself in {}\nof {frames}, most in frame {}:\na volume of {}, sampled.",
                    count(summary.frames_overlapping),
                    page.name_of(worst.frame),
                    size(worst.volume, 6)
                ),
            };
            lines.push(page.finish(note)?);
        }
        if let Some(OutputTable { file, csv }) = self.table {
            csv.finish().map_err(quiet_if_unread)?;
            let file = file.unwrap_or_else(|| "standard output".into());
            lines.push(format!("{}: {}", file.display(), counted(summary.frames, "row")));
        }
        Ok(lines)
    }
}

/// Finds self-overlaps, here or on the GPU.
struct Finder {
    options: ImageOptions,
    on_cpu: SelfOverlap,
    gpu: Option<SelfOverlaps>,
}

impl Finder {
    fn frame(&mut self, frame: usize, body: &Body) -> Result<SelfOverlapFrame, GpuFailure> {
        let Resolution { columns, rows } = self.options.resolution;
        let start = Instant::now();
        let mut record = SelfOverlapFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            self_overlap: 0.0,
            inverted: 0.0,
            columns: 0,
            triangles: None,
            resolution: Samples::from([columns, rows]),
            depth_complexity: 0,
            query_us: 0.0,
        };
        if let Some(gpu) = &mut self.gpu {
            let found = gpu.find(body)?;
            (record.self_overlap, record.inverted) = (found.volume, found.inverted_volume);
            (record.columns, record.depth_complexity) = (found.samples.into(), found.depth_complexity);
        } else {
            let found = self.on_cpu.find(body)?;
            (record.self_overlap, record.inverted) = (found.volume, found.inverted_volume);
            record.columns = found.samples.len() as u64;
            record.triangles = Some(found.triangles.len() as u64);
            record.depth_complexity = self.on_cpu.image().depth_complexity();
        }
        record.query_us = micros(start.elapsed());
        Ok(record)
    }

    /// Puts the frame that was measured last on the page.
    fn show(&mut self, page: &mut Page, record: &SelfOverlapFrame, body: &Body) -> Result<()> {
        let read_back = self.gpu.as_mut().map(SelfOverlaps::spans).transpose()?;
        let spans = read_back.as_deref().unwrap_or(self.on_cpu.spans());
        let ImageOptions { resolution, direction, .. } = self.options;
        let (bounds, axis) = (body.bounds(), direction.axis());
        let sampled = Sampled { volume: record.self_overlap, bounds, axis, resolution, spans };
        page.frame((record.frame, record.name()), &[body], &sampled, [0.0, record.query_us])
    }
}

/// What is printed: a line for a single frame, a table for more.
#[derive(Debug, Default)]
struct Shown {
    rows: FrameRows,
    last: Option<SelfOverlapFrame>,
    busy_us: f64,
}

impl Shown {
    fn add(&mut self, record: SelfOverlapFrame) {
        let mut cells = vec![size(record.self_overlap, 6), size(record.inverted, 6)];
        cells.extend(record.triangles.map(count));
        self.rows.add(record.frame, record.name(), cells);
        self.busy_us += record.query_us;
        self.last = Some(record);
    }

    fn print(self, plan: &Plan, summary: &VolumeSummary, answer: &mut Answer) -> Result<()> {
        let name = plan.body.shown();
        let frames = counted(summary.frames, "frame");
        match &self.last {
            Some(record) if summary.frames == 1 => {
                let inverted = match record.inverted {
                    0.0 => String::new(),
                    volume => format!(", a volume of {} is turned inside out", size(volume, 6)),
                };
                let (frame, took) = (record.name(), time(self.busy_us));
                let twice = match record.self_overlap {
                    0.0 => "it does not overlap itself".to_owned(),
                    volume => format!("a volume of {} is covered more than once", size(volume, 6)),
                };
                answer.line(format_args!("{name}: {twice}{inverted} in frame {frame} ({took})"))?;
            }
            _ => {
                let right = Align::Right;
                let mut columns = vec![("frame", right), ("covered more than once", right), ("inside out", right)];
                columns.extend(plan.gpu.is_none().then_some(("triangles there", right)));
                let worst_frame = summary.worst.map(|worst| self.rows.name_of(worst.frame)).unwrap_or_default();
                answer.table(&self.rows.fill(Table::new(&columns)))?;
                answer.line("")?;
                answer.line(match summary.worst {
                    None => format!("{name}: it does not overlap itself in {frames}"),
                    Some(worst) => format!(
                        "{name}: it overlaps itself in {} of {frames}, most in frame {worst_frame}: a volume of {}",
                        count(summary.frames_overlapping),
                        size(worst.volume, 6)
                    ),
                })?;
            }
        }
        if !plan.quiet {
            let per_frame = time(self.busy_us / summary.frames.max(1) as f64);
            let on = plan.gpu.as_ref().map(|(device, path)| format!(" by {} on {}", path.name(), device.name()));
            let (resolution, on) = (plan.options.resolution, on.unwrap_or_default());
            say(format_args!("{frames} by a depth image of {resolution} samples{on}, {per_frame} per frame"));
        }
        Ok(())
    }
}
