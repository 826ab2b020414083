//! `crumple volume`: how much two bodies overlap, frame by frame.
//!
//! By depth images here; by the exact pairs of triangles in `exact`; a body and itself in `self_overlap`.

mod exact;
mod page;
mod self_overlap;
mod words;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path as FilePath;
use std::time::Instant;

use anyhow::{Error, Result};
use crumple::{Aabb, Axis, Body};
use crumple_bench::gpu::{Device, GpuFailure, Overlaps, Path};
use crumple_io::report::{
    self, BoxRecord, Header, LastRecord, PenetrationRecord, Samples, VolumeFrame, VolumeSummary, micros,
};
use crumple_io::words::{count, counted, size};
use crumple_io::{Source, WriteError};
use crumple_ldi::{InsideRule, OverlapOptions, OverlapSampler, OverlapSpan, Penetration, Resolution, VolumeError};

use crate::args::{ImageArgs, VolumeArgs};
use crate::bodies;
use crate::frames;
use crate::output::{Answer, FilesInUse, Verdict, hinted, refusal, say};
use crumple_check::MaxWork;
use crumple_check::bodies::files;
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::moving::MovingBody;
use crumple_check::bodies::timeline;
use crumple_check::threads;
use page::{Page, Sampled};
use words::Shown;
pub(crate) use words::unordered;

/// The name of depth images in reports.
pub(crate) const METHOD: &str = "depth-images";

/// Bytes kept of each frame: a row of the table.
pub(crate) const PER_FRAME: u64 = 256;

/// What `--csv` calls standard output.
const STDOUT: &str = "-";

/// What to measure, checked.
struct Plan {
    bodies: [MovingBody; 2],
    header: Header,
    frames: Range<usize>,
    options: OverlapOptions,
    penetration: bool,
    /// The volume above which the exit code is 1.
    fail_above: Option<f64>,
    /// The GPU, if images are made there.
    gpu: Option<(Device, Path)>,
    json: bool,
    quiet: bool,
    max_work: MaxWork,
}

pub(crate) fn run(args: VolumeArgs) -> Result<Verdict> {
    if args.exact {
        return exact::run(args);
    }
    if args.self_overlap {
        return self_overlap::run(args);
    }
    let VolumeArgs { a, b, bodies: bodies_named, penetration, fail_above, html, image, motion, .. } = args;
    let files: Vec<OsString> = [Some(a), b].into_iter().flatten().collect();
    check_outputs(&files, html.as_deref(), None)?;
    let bodies = bodies::read(&files, &motion.options.reading)?;
    let mut bodies = files::two(bodies, bodies_named.as_deref(), overlaps_itself)?;
    let (_, frames) = timeline::chosen(&mut bodies, &motion.options)?;
    Memory::new(motion.options.max_memory).take(&bodies, (frames.len(), PER_FRAME))?;
    let [a, b] = bodies.map(|body| MovingBody::new(body, frames.start));
    let options = options(&image);
    let gpu = image.gpu.device()?;
    let (json, quiet, max_work) = (motion.json, motion.quiet, motion.options.max_work);
    let bodies = [a?, b?];
    let records = bodies.iter().enumerate().map(|(id, body)| body.record(id)).collect();
    let header = Header::new(METHOD, records, frames.len() as u64);
    let page = html.map(|file| {
        let bodies = bodies.each_ref().map(MovingBody::body);
        Page::new(&file, &header, &bodies, motion.options.reading.frames_per_second())
    });
    let page = page.transpose()?;
    let plan = Plan { bodies, header, frames, options, penetration, fail_above, gpu, json, quiet, max_work };
    threads::within(motion.options.threads, || measure(plan, page))
}

/// Refuses outputs that would overwrite an input or each other.
fn check_outputs(files: &[OsString], html: Option<&FilePath>, table: Option<&FilePath>) -> Result<()> {
    let mut in_use = FilesInUse::new();
    files.iter().for_each(|file| in_use.read(&Source::from(FilePath::new(file))));
    for (option, file) in [("--html", html), ("--csv", table)] {
        file.map_or(Ok(()), |file| in_use.write(option, file))?;
    }
    Ok(())
}

/// The file of a table, and whether the table takes the place of the answer on standard output instead.
fn table_file(csv: Option<&FilePath>, json: bool) -> Result<(Option<&FilePath>, bool)> {
    let is_on_stdout = csv == Some(FilePath::new(STDOUT));
    if is_on_stdout && json {
        return Err(hinted("--csv - leaves no room for --json on standard output", "name a file for the table"));
    }
    Ok((csv.filter(|_| !is_on_stdout), is_on_stdout))
}

/// Refuses one body twice.
fn overlaps_itself(name: &str) -> anyhow::Error {
    hinted(format!("{name} was named twice"), "`crumple volume --self-overlap` measures how much of it overlaps itself")
}

fn options(image: &ImageArgs) -> OverlapOptions {
    let options = OverlapOptions::default().with_resolution(image.resolution).with_inside(inside_rule(image));
    if image.assume_closed { options.with_assumed_closed() } else { options }
}

/// What counts as inside.
pub(crate) fn inside_rule(image: &ImageArgs) -> InsideRule {
    if image.parity { InsideRule::Parity } else { InsideRule::WindingNumber }
}

fn measure(mut plan: Plan, mut page: Option<Page>) -> Result<Verdict> {
    let mut answer = Answer::whose_exit_code(plan.fail_above.is_some());
    if plan.json {
        answer.record(&plan.header)?;
    }
    let penetration = plan.penetration.then(|| Penetration::new(plan.options));
    let gpu = plan.gpu.as_ref().map(|(device, path)| device.overlaps(*path, &plan.options)).transpose()?;
    let spans = page.is_some().then(Vec::new);
    let mut images = Images { overlap: OverlapSampler::new(plan.options), penetration, gpu, spans };
    let (mut shown, mut summary) = (Shown::default(), VolumeSummary::default());
    let (bodies, many) = (&mut plan.bodies, plan.frames.len() > 1);
    let verdict = frames::each_frame(plan.frames.clone(), plan.quiet, plan.json, plan.max_work, |frame| {
        for body in &mut *bodies {
            body.go_to(frame)?;
        }
        let [a, b] = &*bodies;
        let record = images.frame(frame, a.body(), b.body());
        let mut record =
            record.map_err(|error| refusal::explained(error, &[&a.shown(), &b.shown()], many.then_some(frame)))?;
        (record.number, record.animation) = files::numbered([a.file(), b.file()], frame);
        summary.add(&record);
        if let Some(page) = &mut page {
            images.show(page, &record, [a.body(), b.body()])?;
        }
        if plan.json {
            return answer.record(&record);
        }
        shown.add(record);
        Ok(())
    });
    // Whatever ended the walk, the page is completed: it has the frames so far.
    let written = page.map(|page| {
        let note = note(&summary, &page);
        page.finish(note)
    });
    let written = written.transpose();
    let (verdict, written) = (verdict?, written?);
    let largest = summary.worst.map_or(0.0, |worst| worst.volume);
    let verdict = verdict.of_worst(largest, plan.fail_above);
    if plan.json {
        answer.record(&LastRecord { summary })?;
    } else {
        let names = plan.bodies.each_ref().map(MovingBody::shown);
        shown.print(&names.each_ref().map(|name| &**name), &summary, &plan, &mut answer)?;
    }
    answer.finish()?;
    if !plan.quiet && !plan.json {
        written.iter().for_each(say);
    }
    Ok(verdict)
}

/// What all frames come to, for a page.
fn note(summary: &VolumeSummary, page: &Page) -> String {
    let frames = counted(summary.frames, "frame");
    match summary.worst {
        None => format!("They do not overlap in {frames}."),
        Some(worst) => format!(
            "They overlap in {} of {frames},\nmost in frame {}: a volume of\n{}, sampled.",
            count(summary.frames_overlapping),
            page.name_of(worst.frame),
            size(worst.volume, 6)
        ),
    }
}

/// Makes the depth images and combines them.
struct Images {
    overlap: OverlapSampler,
    /// If it was asked for.
    penetration: Option<Penetration>,
    /// If it is done on the GPU.
    gpu: Option<Overlaps>,
    /// The spans of the last frame, if a page shows them.
    spans: Option<Vec<OverlapSpan>>,
}

impl Images {
    fn frame(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, GpuFailure> {
        let mut record = if self.gpu.is_some() { self.on_gpu(frame, a, b)? } else { self.on_cpu(frame, a, b)? };
        let deep = self.penetration.as_mut().filter(|_| record.volume > 0.0);
        let deep = deep.map(|penetration| penetration.compute(a, b)).transpose()?;
        record.penetration =
            deep.map(|deep| PenetrationRecord { depth: deep.depth(), translation: deep.translation() });
        Ok(record)
    }

    /// Only the volume comes back from the GPU: no estimate of its error, no centre.
    fn on_gpu(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, GpuFailure> {
        let start = Instant::now();
        let found = self.gpu.as_mut().map(|gpu| gpu.compute(a, b)).transpose()?;
        let stage12_us = micros(start.elapsed());
        if let (Some(spans), Some(gpu)) = (&mut self.spans, &mut self.gpu) {
            *spans = gpu.spans()?;
        }
        let found = found.filter(|found| found.volume_of_interest.is_some());
        let unordered = found.map_or([0; 2], |found| found.unordered_columns);
        Ok(VolumeFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            volume: found.map_or(0.0, |found| found.volume),
            error_estimate: None,
            centroid: None,
            bounds: None,
            penetration: None,
            resolution: self.samples(),
            depth_complexity: found.map_or([0; 2], |found| found.depth_complexity),
            unordered_columns: (unordered != [0; 2]).then_some(unordered),
            voi: found
                .and_then(|found| found.volume_of_interest)
                .map(|(bounds, direction)| voi(bounds, direction.axis())),
            stage12_us,
            stage3_us: 0.0,
        })
    }

    /// Puts a frame on the page.
    fn show(&self, page: &mut Page, record: &VolumeFrame, bodies: [&Body; 2]) -> Result<()> {
        let voi = record.voi.as_ref();
        let (bounds, axis) = voi.map_or((Aabb::new([0.0; 3], [0.0; 3]), Axis::X), |voi| {
            (Aabb::new(voi.min, voi.max), Axis::from(voi.axis))
        });
        let resolution = self.overlap.options().resolution;
        // Where the boxes are apart there is nothing to draw, and the volume is 0.
        let spans = self.spans.as_deref().filter(|_| voi.is_some()).unwrap_or_default();
        let sampled = Sampled { volume: record.volume, bounds, axis, resolution, spans };
        page.frame((record.frame, record.name()), &bodies, &sampled, [record.stage12_us, record.stage3_us])
    }

    fn samples(&self) -> Samples {
        let Resolution { columns, rows } = self.overlap.options().resolution;
        Samples::from([columns, rows])
    }

    fn on_cpu(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, VolumeError> {
        let resolution = self.samples();
        let start = Instant::now();
        self.overlap.render(a, b)?;
        let rendered = Instant::now();
        let answer = self.overlap.combine();
        let done = Instant::now();
        if let Some(spans) = &mut self.spans {
            spans.clear();
            spans.extend(answer.spans());
        }
        let unordered = answer.unordered_columns().map(|columns| columns as u64);
        Ok(VolumeFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            volume: answer.volume(),
            error_estimate: Some(answer.error_estimate()),
            centroid: answer.centroid(),
            bounds: answer.bounds().map(|bounds| BoxRecord { min: bounds.min(), max: bounds.max() }),
            penetration: None,
            resolution,
            depth_complexity: answer.depth_complexity(),
            unordered_columns: (unordered != [0; 2]).then_some(unordered),
            voi: answer.volume_of_interest().map(|found| voi(found.bounds(), found.axis())),
            stage12_us: micros(rendered - start),
            stage3_us: micros(done - rendered),
        })
    }
}

fn voi(bounds: Aabb, axis: Axis) -> report::VolumeOfInterest {
    report::VolumeOfInterest { min: bounds.min(), max: bounds.max(), axis: axis.into() }
}

/// A closed pipe as the error of the pipe itself, which ends the command quietly.
fn quiet_if_unread(error: WriteError) -> Error {
    match error {
        WriteError::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe => source.into(),
        other => other.into(),
    }
}
