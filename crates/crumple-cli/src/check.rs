//! `crumple check`: every pair of triangles that meet, frame by frame.

mod containment;
mod ignore;
mod impacts;
mod outputs;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, BodyId, Contact, Mesh, Method, Scene};
use crumple_io::report::{CheckSummary, ContactRecord, Frame, Header, Summary, micros};

use crate::args::CheckArgs;
use crate::frames::chosen;
use crate::moving::Motion;
use crate::out::{Answer, Verdict, say};
use crate::sources::{self, FileBody};
use crate::table::{counted, time};
use crate::{play, threads};
use containment::Containment;
use impacts::Continuous;
use outputs::{Cast, Outputs};
use words::Ranges;

/// What to check, with everything about it known to be right.
struct Plan {
    names: Vec<String>,
    header: Header,
    frames: Range<usize>,
    method: Method,
    own: bool,
    first: bool,
    pairs: bool,
    max_pairs: usize,
    /// Bodies that may touch, the smaller number first.
    ignored: BTreeSet<(u32, u32)>,
    containment: bool,
    continuous: Option<Continuous>,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let bodies = sources::read_with(&args.files, &args.motion.reading.options())?;
    run_on(bodies, args)
}

fn run_on(bodies: Vec<FileBody>, args: CheckArgs) -> Result<Verdict> {
    let continuous = Continuous::new(&args);
    let frames = chosen(args.motion.frames, sources::frame_count(&bodies, args.motion.hold)?)?;
    let names: Vec<String> = bodies.iter().map(|body| body.name().to_owned()).collect();
    let ignored = ignore::pairs(&args.ignore, &names)?;
    let start = |body| Motion::start(body, !args.motion.reading.no_weld, frames.start);
    let bodies: Vec<(Motion, Body)> = bodies.into_iter().map(start).collect::<Result<_>>()?;
    let meshes: Vec<Arc<Mesh>> = bodies.iter().map(|(_, body)| Arc::clone(body.mesh())).collect();
    let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh()));
    let header = Header::new(args.method.name(), records.collect(), frames.len() as u64);
    let outputs = outputs(&args, &header, &meshes, &names, &frames)?;
    let CheckArgs { own, first, pairs, containment, method, motion, .. } = args;
    let max_pairs = args.max_pairs.unwrap_or(usize::MAX);
    let plan = Plan {
        names,
        header,
        frames,
        method,
        own,
        first,
        pairs,
        max_pairs,
        ignored,
        containment,
        continuous,
        json: motion.json,
        quiet: motion.quiet,
    };
    threads::within(motion.threads, || check(&plan, bodies, outputs))
}

/// Opens the files to be written.
fn outputs(
    args: &CheckArgs,
    header: &Header,
    meshes: &[Arc<Mesh>],
    names: &[String],
    frames: &Range<usize>,
) -> Result<Outputs> {
    let cast = Cast { header, triangles: meshes.iter().map(|mesh| mesh.triangles()).collect() };
    let mut outputs = Outputs::default();
    if let Some(file) = &args.html {
        outputs = outputs.with_page(file, &words::title(names), &cast, args.motion.reading.frames_per_second())?;
        // What is not drawn must be told, or the page would be taken for the whole.
        if args.first {
            outputs.note("Only one pair of each two bodies was looked for.".to_owned());
        } else if let Some(most) = args.max_pairs {
            outputs.note(format!("At most {} of each two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
    }
    if let Some(file) = &args.csv {
        outputs = outputs.with_pairs(file, args.continuous)?;
    }
    if let Some(folder) = &args.export {
        outputs = outputs.with_meshes(folder, args.export_format, &cast, frames.end - 1)?;
    }
    Ok(outputs)
}

/// What was found so far.
#[derive(Default)]
struct Findings {
    summary: CheckSummary,
    ranges: Ranges,
    busy: Duration,
}

fn check(plan: &Plan, bodies: Vec<(Motion, Body)>, mut outputs: Outputs) -> Result<Verdict> {
    let mut answer = Answer::new();
    if plan.json {
        answer.record(&plan.header)?;
    }
    let mut findings = Findings::default();
    let walked = walk(plan, bodies, &mut outputs, &mut answer, &mut findings);
    // Whatever ended the walk, the files are made complete first: they hold the frames so far.
    let written = outputs.finish(&findings.summary);
    let verdict = walked?;
    let written = written?;
    let Findings { summary, ranges, busy } = findings;
    let collides =
        summary.frames_in_contact + summary.frames_with_containment + summary.impacts.unwrap_or_default() > 0;
    if plan.json {
        answer.record(&Summary { summary: summary.clone() })?;
    } else {
        answer.line(ranges.told(&plan.names, &summary))?;
    }
    answer.finish()?;
    if !plan.quiet && !plan.json {
        let a_frame = time(micros(busy) / summary.frames.max(1) as f64);
        let (frames, bodies) = (counted(summary.frames, "frame"), counted(plan.names.len() as u64, "body"));
        say(format_args!("{frames} of {bodies} by {}, {a_frame} a frame", plan.method));
        if plan.names.len() == 1 && !plan.own {
            say("there is only one body; --self finds where it meets itself");
        }
        if plan.continuous.is_some() && plan.frames.len() == 1 {
            say("there is only one frame; --continuous looks between frames");
        }
        if plan.containment {
            words::say_what_is_open(&plan.header.bodies);
        }
        written.iter().for_each(say);
    }
    Ok(if verdict == Verdict::Done && collides { Verdict::Collides } else { verdict })
}

/// Goes through the frames until the last one or an interruption.
fn walk(
    plan: &Plan,
    bodies: Vec<(Motion, Body)>,
    outputs: &mut Outputs,
    answer: &mut Answer,
    findings: &mut Findings,
) -> Result<Verdict> {
    let mut stage = Stage::new(plan, bodies)?;
    play::each_frame(plan.frames.clone(), plan.quiet, plan.json || plan.pairs || plan.continuous.is_some(), |frame| {
        let Looked { found, now, took } = stage.frame(frame, plan)?;
        // Views of one record, which nobody changes: who wants fewer pairs looks at another view.
        let listed = found.listing_at_most(plan.max_pairs);
        let positions: Vec<_> = now.bodies().map(|(_, body)| body.positions()).collect();
        outputs.frame(&found, &listed, &positions)?;
        findings.busy += took;
        findings.summary.add(&found);
        if plan.json {
            return if plan.pairs { answer.record(&listed) } else { answer.record(&found.without_pairs()) };
        }
        if let Some(found) = &found.impacts {
            impacts::list(listed.frame, found, plan.first, &plan.names, answer)?;
        }
        if plan.pairs {
            words::list_pairs(&listed, &plan.names, answer)?;
        }
        findings.ranges.add(&found);
        Ok(())
    })
}

/// The scene, and where its bodies come from.
struct Stage {
    scene: Scene,
    ids: Vec<BodyId>,
    motions: Vec<Motion>,
    containment: Option<Containment>,
}

/// What was found in a frame.
struct Looked<'a> {
    /// With all pairs, borrowed from the scene.
    found: Frame<'a>,
    now: crumple::Frame<'a>,
    /// How long it took, without the reading.
    took: Duration,
}

impl Stage {
    fn new(plan: &Plan, bodies: Vec<(Motion, Body)>) -> Result<Self> {
        let mut scene = Scene::new(plan.method);
        let (mut ids, mut motions, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (motion, body)) in (0..).zip(bodies) {
            meshes.push(Arc::clone(body.mesh()));
            let id = scene.add(body);
            scene.set_self_collision(id, plan.own && !plan.ignored.contains(&(number, number)))?;
            if let Some(continuous) = plan.continuous {
                continuous.prepare(&mut scene, id, &plan.names[number as usize])?;
            }
            ids.push(id);
            motions.push(motion);
        }
        for &(a, b) in plan.ignored.iter().filter(|(a, b)| a != b) {
            scene.ignore(ids[a as usize], ids[b as usize])?;
        }
        let containment = plan.containment.then(|| Containment::new(&meshes));
        Ok(Self { scene, ids, motions, containment })
    }

    /// Moves the bodies to a frame and asks.
    fn frame<'a>(&'a mut self, frame: usize, plan: &Plan) -> Result<Looked<'a>> {
        let Self { scene, ids, motions, containment } = self;
        let mut took = Duration::ZERO;
        for (motion, &id) in motions.iter_mut().zip(&*ids) {
            took += motion.go_to(frame, |read| Ok(scene.write_positions(id, |_, new| read(new))?))?;
        }
        let start = Instant::now();
        let now = scene.update()?;
        let updated = Instant::now();
        let contacts = if plan.first { now.witnesses() } else { now.contacts() };
        let done = Instant::now();
        let record = |contact: Contact<'a>| ContactRecord {
            a: contact.a.index() as u32,
            b: contact.b.index() as u32,
            count: contact.pairs.len() as u64,
            pairs: Some(Cow::Borrowed(bytemuck::cast_slice(contact.pairs))),
        };
        let mut found = Frame {
            frame: frame as u64,
            contacts: contacts.iter().map(record).collect(),
            update_us: micros(took + (updated - start)),
            query_us: micros(done - updated),
            ..Frame::default()
        };
        took += done - start;
        // The first frame has no step: what bodies showed before it is not part of the answer.
        if let Some(continuous) = plan.continuous.filter(|_| frame > plan.frames.start) {
            let start = Instant::now();
            found.impacts = Some(continuous.find(now)?.into());
            let done = start.elapsed();
            found.impacts_us = Some(micros(done));
            took += done;
        }
        if let Some(containment) = containment {
            found.contained = containment.find(now, ids, &found.contacts, &plan.ignored)?;
        }
        Ok(Looked { found, now, took })
    }
}
