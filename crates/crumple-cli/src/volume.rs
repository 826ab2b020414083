//! `crumple volume`: how much two bodies overlap, frame by frame.

use std::ops::Range;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use crumple::volume::{InsideRule, Overlap, OverlapOptions, Resolution, VolumeError};
use crumple::{Axis, Body};
use crumple_io::report::{self, BoxRecord, Header, LastRecord, Samples, VolumeFrame, VolumeSummary, micros};

use crate::args::{ImageArgs, VolumeArgs};
use crate::frames::chosen;
use crate::moving::MovingBody;
use crate::out::{Answer, Verdict, say};
use crate::runs::Runs;
use crate::sources::{self, FileBody};
use crate::table::{Align, Table, count, counted, size, time};
use crate::{play, refusal, threads};

/// What reports call depth images.
pub(crate) const METHOD: &str = "depth-images";

/// What to measure, with everything about it known to be right.
struct Plan {
    bodies: [MovingBody; 2],
    frames: Range<usize>,
    options: OverlapOptions,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: VolumeArgs) -> Result<Verdict> {
    let VolumeArgs { a, b, bodies, image, motion } = args;
    let read = sources::read(&[Some(a), b].into_iter().flatten().collect::<Vec<_>>())?;
    let bodies = two(read, bodies.as_deref())?;
    let frames = chosen(motion.frames, sources::frame_count(&bodies, motion.hold)?)?;
    let [a, b] = bodies.map(|body| MovingBody::new(body, !motion.no_weld, frames.start));
    let options = options(&image);
    let plan = Plan { bodies: [a?, b?], frames, options, json: motion.json, quiet: motion.quiet };
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
    let mut images = Images { overlap: Overlap::new(plan.options) };
    let (mut told, mut summary) = (Told::default(), VolumeSummary::default());
    let (bodies, many) = (&mut plan.bodies, plan.frames.len() > 1);
    let verdict = play::each_frame(plan.frames.clone(), plan.quiet || plan.json, |frame| {
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
}

impl Images {
    fn frame(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, VolumeError> {
        let Resolution { columns, rows } = self.overlap.options().resolution;
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

/// What is told to people: a line for a single frame, a table for more.
#[derive(Debug, Default)]
struct Told {
    runs: Runs,
    /// The last frame.
    last: Option<VolumeFrame>,
    /// The most columns of each body that do not alternate in any frame.
    unordered: [u64; 2],
    busy_us: f64,
}

impl Told {
    fn add(&mut self, record: VolumeFrame) {
        let cells = if record.volume > 0.0 {
            vec![size(record.volume, 6), size(record.error_estimate.unwrap_or_default(), 2), around(&record)]
        } else {
            vec!["0".into()]
        };
        self.runs.add(record.frame, cells);
        self.busy_us += record.stage12_us + record.stage3_us;
        for (most, here) in self.unordered.iter_mut().zip(record.unordered_columns.unwrap_or_default()) {
            *most = here.max(*most);
        }
        self.last = Some(record);
    }

    fn tell(self, names: &[&str; 2], summary: &VolumeSummary, plan: &Plan, answer: &mut Answer) -> Result<()> {
        let bodies = format!("{} × {}", names[0], names[1]);
        match (&self.last, summary.worst) {
            (Some(record), Some(_)) if summary.frames == 1 => answer.line(format_args!(
                "{bodies}: a volume of {} ± {} around {} in frame {} ({})",
                size(record.volume, 6),
                size(record.error_estimate.unwrap_or_default(), 2),
                around(record),
                record.frame,
                time(self.busy_us)
            ))?,
            (_, None) => answer.line(format_args!("{bodies}: no overlap in {}", counted(summary.frames, "frame")))?,
            (_, Some(worst)) => {
                let columns =
                    [("frame", Align::Right), ("volume", Align::Right), ("±", Align::Right), ("around", Align::Left)];
                answer.line(self.runs.fill(Table::new(&columns)))?;
                answer.line(format_args!(
                    "{bodies}: they overlap in {} of {}, most in frame {}: a volume of {}",
                    count(summary.frames_overlapping),
                    counted(summary.frames, "frame"),
                    worst.frame,
                    size(worst.volume, 6)
                ))?;
            }
        }
        for (&columns, name) in self.unordered.iter().zip(names).filter(|(columns, _)| **columns > 0) {
            answer.line(unordered(columns, name))?;
        }
        if !plan.quiet {
            let a_frame = time(self.busy_us / summary.frames.max(1) as f64);
            let frames = counted(summary.frames, "frame");
            say(format_args!("{frames} by depth images of {} samples, {a_frame} a frame", plan.options.resolution));
        }
        Ok(())
    }
}

/// Says that a body is not what volumes need.
pub(crate) fn unordered(columns: u64, name: &str) -> String {
    let columns = counted(columns, "column");
    format!("entries and exits do not alternate in {columns} of {name}: there it overlaps itself or is not closed")
}

/// The centre of an overlap.
fn around(record: &VolumeFrame) -> String {
    let [x, y, z] = record.centroid.unwrap_or_default().map(|x| size(x, 4));
    format!("({x}, {y}, {z})")
}
