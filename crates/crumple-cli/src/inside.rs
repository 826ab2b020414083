//! `crumple inside`: which points lie inside a body, frame by frame.

use std::ops::Range;
use std::path::Path as FilePath;
use std::time::Instant;

use anyhow::{Result, bail};
use crumple::{Body, Precision};
use crumple_bench::gpu::{Device, GpuFailure, Images, Path};
use crumple_io::report::{Header, InsideFrame, InsideSummary, LastRecord, micros};
use crumple_ldi::{ImageOptions, PointsInside, PointsOptions};

use crate::args::InsideArgs;
use crate::bodies;
use crate::frames;
use crate::output::frame_rows::FrameRows;
use crate::output::{Answer, Verdict, hinted, refusal, say};
use crate::volume::{METHOD, PER_FRAME, inside_rule, unordered};
use crumple_check::MaxWork;
use crumple_check::bodies::files::{self, FileBody};
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::moving::MovingBody;
use crumple_check::bodies::timeline;
use crumple_check::threads;
use crumple_io::words::{Align, Table, count, counted, size, time};

/// The name of exact point tests in reports.
const EXACT: &str = "exact";

/// What to test, checked.
struct Plan {
    body: MovingBody,
    points: Points,
    frames: Range<usize>,
    options: PointsOptions,
    /// The GPU, if the image is made there.
    gpu: Option<(Device, Path)>,
    list: bool,
    /// The number of points above which the exit code is 1.
    fail_above: Option<f64>,
    json: bool,
    quiet: bool,
    max_work: MaxWork,
}

pub(crate) fn run(args: InsideArgs) -> Result<Verdict> {
    let InsideArgs { body, points, name, exact, list, fail_above, image, motion } = args;
    let [bodies, mut files] = bodies::read_with_points(body, FilePath::new(&points), &motion.options.reading)?;
    let mut body = files::one(bodies, name.as_deref())?;
    if files.iter().all(|file| file.vertex_count() == 0) {
        bail!("{}: there are no points in it", points.display());
    }
    let (_, frames) = timeline::chosen(files.iter_mut().chain([&mut body]), &motion.options)?;
    Memory::new(motion.options.max_memory).take(files.iter().chain([&body]), (frames.len(), PER_FRAME))?;
    let body = MovingBody::new(body, frames.start)?;
    let mut options = PointsOptions::default().with_resolution(image.resolution).with_inside(inside_rule(&image));
    (options.exact, options.assume_closed) = (exact, image.assume_closed);
    let points = Points::of(files);
    let gpu = image.gpu.device()?;
    if exact && gpu.is_some() {
        return Err(hinted("--exact decides points without an image", "leave out --gpu or --exact"));
    }
    if gpu.is_some() && matches!(points.all, Coordinates::F64(_)) {
        return Err(hinted("--gpu tests f32 points", "leave out --gpu or --f64"));
    }
    let (fail_above, json, quiet) = (fail_above.map(|most| most as f64), motion.json, motion.quiet);
    let max_work = motion.options.max_work;
    let plan = Plan { body, points, frames, options, gpu, list, fail_above, json, quiet, max_work };
    threads::within(motion.options.threads, || test(plan))
}

/// Points, from frame to frame.
struct Points {
    /// Where they come from, and which frame of each file is shown.
    files: Vec<(FileBody, Option<usize>)>,
    /// The points of all files, one file after another.
    all: Coordinates,
}

/// Points in f64 where a file has such, else in f32.
enum Coordinates {
    F32(Vec<[f32; 3]>),
    F64(Vec<[f64; 3]>),
}

impl Points {
    fn of(files: Vec<FileBody>) -> Self {
        let count = files.iter().map(FileBody::vertex_count).sum();
        let all = if files.iter().any(|file| file.precision() == Precision::F64) {
            Coordinates::F64(vec![[0.0; 3]; count])
        } else {
            Coordinates::F32(vec![[0.0; 3]; count])
        };
        Self { files: files.into_iter().map(|file| (file, None)).collect(), all }
    }

    fn len(&self) -> usize {
        match &self.all {
            Coordinates::F32(points) => points.len(),
            Coordinates::F64(points) => points.len(),
        }
    }

    /// Goes on to a frame. No body takes these points in, so they are checked here.
    fn go_to(&mut self, frame: usize) -> Result<()> {
        let mut start = 0;
        for (file, shown) in &mut self.files {
            let own = start..start + file.vertex_count();
            start = own.end;
            let next = file.frame_shown_in(frame);
            if *shown == Some(next) {
                continue;
            }
            match &mut self.all {
                Coordinates::F32(points) => {
                    file.frame(next, &mut points[own.clone()])?;
                    file.check(next, &points[own])?;
                }
                Coordinates::F64(points) => {
                    file.frame_f64(next, &mut points[own.clone()])?;
                    file.check_f64(next, &points[own])?;
                }
            }
            *shown = Some(next);
        }
        Ok(())
    }
}

fn test(mut plan: Plan) -> Result<Verdict> {
    let mut answer = Answer::whose_exit_code(plan.fail_above.is_some());
    if plan.json {
        let mut records = vec![plan.body.record(0)];
        for (id, (file, _)) in (1..).zip(&plan.points.files) {
            records.push(file.record(id, &file.mesh::<f32>(None)?));
        }
        let method = if plan.options.exact { EXACT } else { METHOD };
        answer.record(&Header::new(method, records, plan.frames.len() as u64))?;
    }
    let PointsOptions { resolution, direction, inside, assume_closed, .. } = plan.options;
    let mut image = ImageOptions::default().with_resolution(resolution).with_direction(direction).with_inside(inside);
    image.assume_closed = assume_closed;
    let gpu = plan.gpu.as_ref().map(|(device, path)| device.images(*path, image)).transpose()?;
    let mut tester = Tester { points_inside: PointsInside::new(plan.options), gpu };
    let (mut shown, mut summary) = (Shown::default(), InsideSummary::default());
    let (body, points, many) = (&mut plan.body, &mut plan.points, plan.frames.len() > 1);
    let prints = plan.json || plan.list;
    let verdict = frames::each_frame(plan.frames.clone(), plan.quiet, prints, plan.max_work, |frame| {
        body.go_to(frame)?;
        points.go_to(frame)?;
        let record = tester.frame(frame, body.body(), &points.all);
        let mut record = record.map_err(|error| refusal::explained(error, &[&body.shown()], many.then_some(frame)))?;
        let files_shown = points.files.iter().map(|(file, _)| file).chain([body.file()]);
        (record.number, record.animation) = files::numbered(files_shown, frame);
        summary.add(&record);
        summary.points = points.len() as u64;
        if plan.json {
            return answer.record(&record);
        }
        for point in record.inside.iter().filter(|_| plan.list) {
            answer.line(format_args!("frame {}: point {point}", record.name()))?;
        }
        shown.add(&record);
        Ok(())
    })?;
    let verdict = verdict.of_worst(summary.worst.map_or(0, |worst| worst.count) as f64, plan.fail_above);
    if plan.json {
        answer.record(&LastRecord { summary })?;
    } else {
        shown.print(&summary, &plan, &tester, &mut answer)?;
    }
    answer.finish()?;
    Ok(verdict)
}

/// Makes the depth image and looks the points up in it.
struct Tester {
    points_inside: PointsInside,
    /// If it is done on the GPU.
    gpu: Option<Images>,
}

impl Tester {
    fn frame(&mut self, frame: usize, body: &Body, points: &Coordinates) -> Result<InsideFrame, GpuFailure> {
        let start = Instant::now();
        let mut on_gpu = Vec::new();
        let found = match (&mut self.gpu, points) {
            (Some(images), Coordinates::F32(points)) => {
                images.render(body)?;
                images.contains_points(points, &mut on_gpu)?;
                &on_gpu
            }
            (_, Coordinates::F32(points)) => self.points_inside.test(body, points)?,
            (_, Coordinates::F64(points)) => self.points_inside.test(body, points)?,
        };
        let query_us = micros(start.elapsed());
        let inside = (0..).zip(found).filter(|(_, inside)| **inside).map(|(point, _)| point).collect();
        let unordered = self.points_inside.image().unordered_columns() as u64;
        let unordered_columns = (unordered > 0).then_some(unordered);
        Ok(InsideFrame { frame: frame as u64, number: None, animation: None, inside, unordered_columns, query_us })
    }

    /// The distance from the surface below which a sample may be wrong about a point; 0 if points were decided exactly.
    fn in_doubt(&self) -> f64 {
        let [du, dv] = self.points_inside.image().step();
        0.5 * du.hypot(dv)
    }
}

/// What is printed: a line for a single frame, a table for more.
#[derive(Debug, Default)]
struct Shown {
    rows: FrameRows,
    /// The most columns that do not alternate in any frame.
    unordered: u64,
    busy_us: f64,
}

impl Shown {
    fn add(&mut self, record: &InsideFrame) {
        self.rows.add(record.frame, record.name(), vec![count(record.inside.len() as u64)]);
        self.unordered = self.unordered.max(record.unordered_columns.unwrap_or_default());
        self.busy_us += record.query_us;
    }

    fn print(self, summary: &InsideSummary, plan: &Plan, tester: &Tester, answer: &mut Answer) -> Result<()> {
        let (name, points) = (&*plan.body.shown(), counted(summary.points, "point"));
        let most = summary.worst.map_or(0, |worst| worst.count);
        if plan.frames.len() == 1 {
            let (most, took) = (count(most), time(self.busy_us));
            let frame = self.rows.name_of(plan.frames.start as u64);
            answer.line(format_args!("{most} of {points} inside {name} in frame {frame} ({took})"))?;
        } else if let Some(worst) = summary.worst {
            let columns = [("frame", Align::Right), ("points inside", Align::Right)];
            let frame = self.rows.name_of(worst.frame);
            answer.table(&self.rows.fill(Table::new(&columns)))?;
            answer.line("")?;
            answer.line(format_args!(
                "some of {points} inside {name} in {} of {}, most in frame {frame}: {}",
                count(summary.frames_with_points_inside),
                counted(summary.frames, "frame"),
                count(most)
            ))?;
        } else {
            let frames = counted(summary.frames, "frame");
            answer.line(format_args!("none of {points} inside {name} in {frames}"))?;
        }
        if self.unordered > 0 {
            answer.line(unordered(self.unordered, name))?;
        }
        if !plan.quiet {
            let per_frame = time(self.busy_us / summary.frames.max(1) as f64);
            let frames = counted(summary.frames, "frame");
            if plan.options.exact {
                say(format_args!("{frames} decided exactly, {per_frame} per frame"));
            } else {
                let (resolution, in_doubt) = (plan.options.resolution, size(tester.in_doubt(), 2));
                let on = plan.gpu.as_ref().map(|(device, path)| format!(" by {} on {}", path.name(), device.name()));
                let on = on.unwrap_or_default();
                say(format_args!("{frames} by a depth image of {resolution} samples{on}, {per_frame} per frame"));
                if plan.gpu.is_none() {
                    say(format_args!(
                        "points nearer than {in_doubt} to the surface may be wrong; --exact removes that error"
                    ));
                }
            }
        }
        Ok(())
    }
}
