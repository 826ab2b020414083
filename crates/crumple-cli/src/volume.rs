//! `crumple volume`: how much two bodies overlap, frame by frame.

mod words;

use std::ops::Range;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use crumple::volume::{InsideRule, Overlap, OverlapOptions, Penetration, Resolution, VolumeError};
use crumple::{Axis, Body};
use crumple_io::report::{
    self, BoxRecord, Header, LastRecord, PenetrationRecord, Samples, VolumeFrame, VolumeSummary, micros,
};

use crate::args::{ImageArgs, VolumeArgs};
use crate::frames::chosen;
use crate::moving::MovingBody;
use crate::out::{Answer, Verdict};
use crate::sources::{self, FileBody};
use crate::{play, refusal, threads};
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
    let plan = Plan { bodies: [a?, b?], frames, options, penetration, json: motion.json, quiet: motion.quiet };
    threads::within(motion.threads, || measure(plan))
}

/// The two bodies meant.
fn two(mut bodies: Vec<FileBody>, named: Option<&[String]>) -> Result<[FileBody; 2]> {
    if let Some([a, b]) = named {
        let (a, b) = (sources::place_of(a, &bodies)?, sources::place_of(b, &bodies)?);
        if a == b {
            bail!(
                "{} cannot overlap itself; hint: `crumple check --self` finds where it meets itself",
                bodies[a].name()
            );
        }
        let (later, earlier) = (bodies.remove(a.max(b)), bodies.remove(a.min(b)));
        return Ok(if a < b { [earlier, later] } else { [later, earlier] });
    }
    bodies.try_into().map_err(|bodies: Vec<FileBody>| match &bodies[..] {
        [] => anyhow!("there is no body in the file"),
        [only] => anyhow!("there is only one body, {}; hint: name another file", only.name()),
        _ => anyhow!(
            "there are {} bodies; hint: choose two of {} with --bodies NAME NAME",
            bodies.len(),
            sources::names(&bodies)
        ),
    })
}

fn options(image: &ImageArgs) -> OverlapOptions {
    let options = OverlapOptions::default().with_resolution(image.resolution).with_inside(inside_rule(image));
    if image.assume_closed { options.assume_closed() } else { options }
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
    let mut images = Images { overlap: Overlap::new(plan.options), penetration };
    let (mut told, mut summary) = (Told::default(), VolumeSummary::default());
    let (bodies, many) = (&mut plan.bodies, plan.frames.len() > 1);
    let verdict = play::each_frame(plan.frames.clone(), plan.quiet, plan.json, |frame| {
        for body in &mut *bodies {
            body.go_to(frame)?;
        }
        let [a, b] = &*bodies;
        let record = images.frame(frame, a.body(), b.body());
        let record = record.map_err(|error| refusal::told(&error, &[a.name(), b.name()], many.then_some(frame)))?;
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
}

impl Images {
    fn frame(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, VolumeError> {
        let Resolution { columns, rows } = self.overlap.options().resolution;
        let start = Instant::now();
        self.overlap.render(a, b)?;
        let rendered = Instant::now();
        let answer = self.overlap.combine();
        let done = Instant::now();
        let deep = self.penetration.as_mut().filter(|_| answer.volume() > 0.0);
        let deep = deep.map(|penetration| penetration.compute(a, b)).transpose()?;
        let unordered = answer.unordered_columns().map(|columns| columns as u64);
        Ok(VolumeFrame {
            frame: frame as u64,
            volume: answer.volume(),
            error_estimate: Some(answer.error_estimate()),
            centroid: answer.centroid(),
            bounds: answer.bounds().map(|bounds| BoxRecord { min: bounds.min(), max: bounds.max() }),
            penetration: deep.map(|deep| PenetrationRecord { depth: deep.depth(), translation: deep.translation() }),
            resolution: Samples::from([columns, rows]),
            depth_complexity: answer.depth_complexity(),
            unordered_columns: (unordered != [0; 2]).then_some(unordered),
            voi: answer.volume_of_interest().map(|voi| report::VolumeOfInterest {
                min: voi.bounds().min(),
                max: voi.bounds().max(),
                axis: match voi.axis() {
                    Axis::X => report::Axis::X,
                    Axis::Y => report::Axis::Y,
                    Axis::Z => report::Axis::Z,
                },
            }),
            stage12_us: micros(rendered - start),
            stage3_us: micros(done - rendered),
        })
    }
}
