//! `crumple volume`: how much two bodies overlap, frame by frame.

mod words;

use std::ops::Range;
use std::time::Instant;

use anyhow::{Result, anyhow};
use crumple::volume::{InsideRule, Overlap, OverlapOptions, Penetration, Resolution, VolumeError};
use crumple::{Aabb, Axis, Body};
use crumple_io::report::{
    self, BoxRecord, Header, LastRecord, PenetrationRecord, Samples, VolumeFrame, VolumeSummary, micros,
};

use crate::args::{ImageArgs, VolumeArgs};
use crate::frames::chosen;
use crate::gpu::{Device, Overlaps, Path, Trouble};
use crate::moving::MovingBody;
use crate::out::{Answer, Verdict, hinted};
use crate::sources::{self, FileBody};
use crate::{play, threads};
use words::Told;
pub(crate) use words::unordered;

/// What reports call depth images.
pub(crate) const METHOD: &str = "depth-images";

/// What to measure, with everything about it known to be right.
struct Plan {
    bodies: [MovingBody; 2],
    frames: Range<usize>,
    options: OverlapOptions,
    penetration: bool,
    /// Where images are taken on the GPU.
    gpu: Option<(Device, Path)>,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: VolumeArgs) -> Result<Verdict> {
    let VolumeArgs { a, b, bodies, penetration, image, motion } = args;
    let files: Vec<String> = [Some(a), b].into_iter().flatten().collect();
    let bodies = two(sources::read_with(&files, &motion.reading.options())?, bodies.as_deref())?;
    let frames = chosen(motion.frames, sources::frame_count(&bodies, motion.hold)?)?;
    let [a, b] = bodies.map(|body| MovingBody::new(body, !motion.reading.no_weld, frames.start));
    let options = options(&image);
    let gpu = device(&image)?;
    let plan = Plan { bodies: [a?, b?], frames, options, penetration, gpu, json: motion.json, quiet: motion.quiet };
    threads::within(motion.threads, || measure(plan))
}

/// The two bodies meant.
fn two(mut bodies: Vec<FileBody>, named: Option<&[String]>) -> Result<[FileBody; 2]> {
    if let Some([a, b]) = named {
        let (a, b) = (sources::place_of(a, &bodies)?, sources::place_of(b, &bodies)?);
        if a == b {
            let what = format!("{} cannot overlap itself", bodies[a].name());
            return Err(hinted(what, "`crumple check --self` finds where it meets itself"));
        }
        let (later, earlier) = (bodies.remove(a.max(b)), bodies.remove(a.min(b)));
        return Ok(if a < b { [earlier, later] } else { [later, earlier] });
    }
    bodies.try_into().map_err(|bodies: Vec<FileBody>| match &bodies[..] {
        [] => anyhow!("there is no body in the file"),
        [only] => hinted(format!("there is only one body, {}", only.name()), "name another file"),
        _ => {
            let hint = format!("choose two of {} with --bodies NAME NAME", sources::names(&bodies));
            hinted(format!("there are {} bodies", bodies.len()), hint)
        }
    })
}

fn options(image: &ImageArgs) -> OverlapOptions {
    let options = OverlapOptions::default().with_resolution(image.resolution).with_inside(inside_rule(image));
    if image.assume_closed { options.with_assumed_closed() } else { options }
}

/// The GPU, where it is asked for.
pub(crate) fn device(image: &ImageArgs) -> Result<Option<(Device, Path)>> {
    let Some(path) = image.gpu.gpu else { return Ok(None) };
    Ok(Some((Device::open(image.gpu.adapter.as_deref())?, path)))
}

/// What counts as inside.
pub(crate) fn inside_rule(image: &ImageArgs) -> InsideRule {
    if image.parity { InsideRule::Parity } else { InsideRule::WindingNumber }
}

fn measure(mut plan: Plan) -> Result<Verdict> {
    let mut answer = Answer::new();
    if plan.json {
        let records = plan.bodies.iter().enumerate().map(|(id, body)| body.record(id)).collect();
        answer.record(&Header::new(METHOD, records, plan.frames.len() as u64))?;
    }
    let penetration = plan.penetration.then(|| Penetration::new(plan.options));
    let gpu = plan.gpu.as_ref().map(|(device, path)| device.overlaps(*path, &plan.options)).transpose()?;
    let mut images = Images { overlap: Overlap::new(plan.options), penetration, gpu };
    let (mut told, mut summary) = (Told::default(), VolumeSummary::default());
    let (bodies, many) = (&mut plan.bodies, plan.frames.len() > 1);
    let verdict = play::each_frame(plan.frames.clone(), plan.quiet, plan.json, |frame| {
        for body in &mut *bodies {
            body.go_to(frame)?;
        }
        let [a, b] = &*bodies;
        let record = images.frame(frame, a.body(), b.body());
        let record = record.map_err(|error| error.told(&[a.name(), b.name()], many.then_some(frame)))?;
        summary.add(&record);
        if plan.json {
            return answer.record(&record);
        }
        told.add(record);
        Ok(())
    })?;
    if plan.json {
        answer.record(&LastRecord { summary })?;
    } else {
        let names = plan.bodies.each_ref().map(MovingBody::name);
        told.tell(&names, &summary, &plan, &mut answer)?;
    }
    answer.finish()?;
    Ok(verdict)
}

/// Takes the depth images and combines them: the one place where that is done.
struct Images {
    overlap: Overlap,
    /// Where that was asked for.
    penetration: Option<Penetration>,
    /// Where that is done on the GPU.
    gpu: Option<Overlaps>,
}

impl Images {
    fn frame(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, Trouble> {
        let mut record = if self.gpu.is_some() { self.on_gpu(frame, a, b)? } else { self.on_cpu(frame, a, b)? };
        let deep = self.penetration.as_mut().filter(|_| record.volume > 0.0);
        let deep = deep.map(|penetration| penetration.compute(a, b)).transpose()?;
        record.penetration =
            deep.map(|deep| PenetrationRecord { depth: deep.depth(), translation: deep.translation() });
        Ok(record)
    }

    /// Only the volume comes back from the GPU: no estimate of its error, no centre.
    fn on_gpu(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, Trouble> {
        let start = Instant::now();
        let found = self.gpu.as_mut().map(|gpu| gpu.compute(a, b)).transpose()?;
        let stage12_us = micros(start.elapsed());
        let found = found.filter(|found| found.volume_of_interest.is_some());
        let unordered = found.map_or([0; 2], |found| found.unordered_columns);
        Ok(VolumeFrame {
            frame: frame as u64,
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
        let unordered = answer.unordered_columns().map(|columns| columns as u64);
        Ok(VolumeFrame {
            frame: frame as u64,
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
    let axis = match axis {
        Axis::X => report::Axis::X,
        Axis::Y => report::Axis::Y,
        Axis::Z => report::Axis::Z,
    };
    report::VolumeOfInterest { min: bounds.min(), max: bounds.max(), axis }
}
