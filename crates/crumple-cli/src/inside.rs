//! `crumple inside`: which points lie inside a body, frame by frame.

use std::path::Path as FilePath;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use crumple::{Body, Precision};
use crumple_bench::gpu::{Device, GpuFailure, Images, Path};
use crumple_check::bodies::MovingBodies;
use crumple_check::bodies::files::{self, FileBody};
use crumple_check::sink::Out;
use crumple_io::report::{InsideFrame, InsideSummary, micros};
use crumple_io::words::{Align, count, counted, size};
use crumple_ldi::{ImageOptions, PointsInside, PointsOptions};

use crate::args::InsideArgs;
use crate::bodies;
use crate::measure::{Job, Measure, Outputs, Row, Shown};
use crate::output::{Verdict, hinted, refusal};
use crate::volume::{EXACT, METHOD, PER_FRAME, inside_rule, on, unordered};

pub(crate) fn run(args: InsideArgs) -> Result<Verdict> {
    let InsideArgs { body, points, name, exact, list, fail_above, image, motion } = args;
    let [bodies, mut files] = bodies::read_with_points(body, FilePath::new(&points), &motion.options.reading)?;
    let body = files::one(bodies, name.as_deref())?;
    if files.iter().all(|file| file.vertex_count() == 0) {
        bail!("{}: there are no points in it", points.display());
    }
    let method = if exact { EXACT } else { METHOD };
    let (json, outputs) = (motion.json, Outputs::default());
    let mut job = Job::start(vec![body], &mut files, method, motion, outputs, PER_FRAME)?;
    job.fail_above = fail_above.map(|most| most as f64);
    job.prints |= list;
    if json {
        for (id, file) in (1..).zip(&files) {
            job.header.bodies.push(file.record(id, &file.mesh::<f32>(None)?));
        }
    }
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
    let many = job.has_many_frames();
    job.run(move || Tester::new(points, options, gpu, list, many))
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

/// Makes the depth image and looks the points up in it.
struct Tester {
    points: Points,
    points_inside: PointsInside,
    options: PointsOptions,
    /// If it is done on the GPU.
    gpu: Option<Images>,
    /// Where, in words.
    on: String,
    list: bool,
    /// The most columns that do not alternate in any frame.
    unordered: u64,
    /// Whether there are several frames.
    many: bool,
}

impl Tester {
    fn new(
        points: Points,
        options: PointsOptions,
        gpu: Option<(Device, Path)>,
        list: bool,
        many: bool,
    ) -> Result<Self> {
        let PointsOptions { resolution, direction, inside, assume_closed, .. } = options;
        let mut image =
            ImageOptions::default().with_resolution(resolution).with_direction(direction).with_inside(inside);
        image.assume_closed = assume_closed;
        let on = on(gpu.as_ref());
        let gpu = gpu.map(|(device, path)| device.images(path, image)).transpose()?;
        Ok(Self { points, points_inside: PointsInside::new(options), options, gpu, on, list, unordered: 0, many })
    }

    fn test(&mut self, frame: usize, body: &Body) -> Result<InsideFrame, GpuFailure> {
        let start = Instant::now();
        let mut on_gpu = Vec::new();
        let found = match (&mut self.gpu, &self.points.all) {
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
        self.unordered = self.unordered.max(unordered);
        let unordered_columns = (unordered > 0).then_some(unordered);
        Ok(InsideFrame { frame: frame as u64, number: None, animation: None, inside, unordered_columns, query_us })
    }

    /// The distance from the surface below which a sample may be wrong about a point; 0 if points were decided exactly.
    fn in_doubt(&self) -> f64 {
        let [du, dv] = self.points_inside.image().step();
        0.5 * du.hypot(dv)
    }
}

impl Measure for Tester {
    type Record = InsideFrame;
    type Summary = InsideSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, _: Duration) -> Result<InsideFrame> {
        self.points.go_to(frame)?;
        let record = self.test(frame, bodies.body(0)?);
        let mut record = record.map_err(|error| refusal::explained(error, bodies, self.many.then_some(frame)))?;
        let files = self.points.files.iter().map(|(file, _)| file).chain(bodies.files());
        (record.number, record.animation) = files::numbered(files, frame);
        Ok(record)
    }

    fn row<'r>(&self, record: &'r InsideFrame) -> Row<'r> {
        let cells = vec![count(record.inside.len() as u64)];
        Row { frame: record.frame, name: record.name(), times_us: [0.0, record.query_us], cells }
    }

    fn add(&self, record: &InsideFrame, summary: &mut InsideSummary) {
        summary.add(record);
        summary.points = self.points.files.iter().map(|(file, _)| file.vertex_count() as u64).sum();
    }

    fn worst(&self, summary: &InsideSummary) -> f64 {
        summary.worst.map_or(0, |worst| worst.count) as f64
    }

    fn lines(&self, record: &InsideFrame) -> Vec<String> {
        let listed = record.inside.iter().filter(|_| self.list);
        listed.map(|point| format!("frame {}: point {point}", record.name())).collect()
    }

    fn print(&self, shown: &Shown<InsideFrame>, summary: &InsideSummary, out: &mut Out) -> Result<()> {
        let (name, points) = (&shown.names[0], counted(summary.points, "point"));
        let (most, frames) = (count(summary.worst.map_or(0, |worst| worst.count)), counted(summary.frames, "frame"));
        match (&shown.last, summary.worst) {
            (Some(record), _) if !self.many => {
                let (frame, took) = (record.name(), shown.took());
                out.line(format_args!("{most} of {points} inside {name} in frame {frame} ({took})"))?;
            }
            (_, Some(worst)) => {
                let sum = format!(
                    "some of {points} inside {name} in {} of {frames}, most in frame {}: {most}",
                    count(summary.frames_with_points_inside),
                    shown.name_of(worst.frame)
                );
                shown.table(&[("frame", Align::Right), ("points inside", Align::Right)], &sum, out)?;
            }
            _ => out.line(format_args!("none of {points} inside {name} in {frames}"))?,
        }
        if self.unordered > 0 { out.line(unordered(self.unordered, name)) } else { Ok(()) }
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        let (frames, resolution) = (counted(frames, "frame"), self.options.resolution);
        if self.options.exact {
            return vec![format!("{frames} decided exactly, {per_frame} per frame")];
        }
        let mut lines =
            vec![format!("{frames} by a depth image of {resolution} samples{}, {per_frame} per frame", self.on)];
        if self.gpu.is_none() {
            let in_doubt = size(self.in_doubt(), 2);
            lines
                .push(format!("points nearer than {in_doubt} to the surface may be wrong; --exact removes that error"));
        }
        lines
    }
}
