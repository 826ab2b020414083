//! `crumple check`: every pair of triangles that meet, frame by frame.

mod containment;
mod ignore;
mod outputs;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crumple::{Body, BodyId, Contacts, Mesh, Method, Scene};
use crumple_io::report::{CheckSummary, ContactRecord, Frame, Header, Summary, micros};

use crate::args::CheckArgs;
use crate::frames::chosen;
use crate::out::{Answer, Verdict, say};
use crate::sources::{self, FileBody};
use crate::table::{counted, time};
use crate::{play, threads};
use containment::Containment;
use outputs::{Cast, Outputs};
use words::Ranges;

/// What to check, with everything about it known to be right.
struct Plan {
    bodies: Vec<FileBody>,
    meshes: Vec<Arc<Mesh>>,
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
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let mut bodies = sources::read_with(&args.files, &args.motion.reading.options())?;
    let frames = chosen(args.motion.frames, sources::frame_count(&bodies, args.motion.hold)?)?;
    let names: Vec<String> = bodies.iter().map(|body| body.name().to_owned()).collect();
    let ignored = ignore::pairs(&args.ignore, &names)?;
    let meshes: Vec<Arc<Mesh>> =
        bodies.iter_mut().map(|body| body.mesh(!args.motion.reading.no_weld)).collect::<Result<_>>()?;
    let records = bodies.iter().zip(&meshes).enumerate().map(|(id, (body, mesh))| body.record(id, mesh));
    let header = Header::new(args.method.name(), records.collect(), frames.len() as u64);
    let outputs = outputs(&args, &header, &meshes, &names, &frames)?;
    let CheckArgs { own, first, pairs, containment, method, motion, .. } = args;
    let max_pairs = args.max_pairs.unwrap_or(usize::MAX);
    let plan = Plan {
        bodies,
        meshes,
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
        json: motion.json,
        quiet: motion.quiet,
    };
    threads::within(motion.threads, || check(plan, outputs))
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
        outputs = outputs.with_page(file, &words::title(names), &cast, args.motion.reading.frames_a_second())?;
        // What is not drawn must be told, or the page would be taken for the whole.
        if args.first {
            outputs.note("Only one pair of each two bodies was looked for.".to_owned());
        } else if let Some(most) = args.max_pairs {
            outputs.note(format!("At most {} of each two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
    }
    if let Some(file) = &args.csv {
        outputs = outputs.with_pairs(file)?;
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

fn check(mut plan: Plan, mut outputs: Outputs) -> Result<Verdict> {
    let mut answer = Answer::new();
    if plan.json {
        answer.record(&plan.header)?;
    }
    let mut findings = Findings::default();
    let walked = walk(&mut plan, &mut outputs, &mut answer, &mut findings);
    // Whatever ended the walk, the files are made complete first: they hold the frames so far.
    let written = outputs.finish();
    let verdict = walked?;
    let written = written?;
    let Findings { summary, ranges, busy } = findings;
    let collides = summary.frames_in_contact + summary.frames_with_containment > 0;
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
        if plan.containment {
            words::say_what_is_open(&plan.header.bodies);
        }
        written.iter().for_each(say);
    }
    Ok(if verdict == Verdict::Done && collides { Verdict::Collides } else { verdict })
}

/// Goes through the frames until the last one or an interruption.
fn walk(plan: &mut Plan, outputs: &mut Outputs, answer: &mut Answer, findings: &mut Findings) -> Result<Verdict> {
    let mut stage = Stage::new(plan)?;
    let with_pairs = plan.pairs || outputs.want_pairs();
    play::each_frame(plan.frames.clone(), plan.quiet, plan.json || plan.pairs, |frame| {
        let (mut record, took) = stage.frame(frame, plan, with_pairs)?;
        findings.busy += took;
        outputs.mark(&record, &stage.positions)?;
        for pairs in record.contacts.iter_mut().filter_map(|contact| contact.pairs.as_mut()) {
            pairs.truncate(plan.max_pairs);
        }
        outputs.frame(&record, &stage.positions)?;
        if !plan.pairs {
            record.contacts.iter_mut().for_each(|contact| contact.pairs = None);
        }
        findings.summary.add(&record);
        if plan.json {
            return answer.record(&record);
        }
        if plan.pairs {
            words::list_pairs(&record, &plan.names, answer)?;
        }
        findings.ranges.add(&record);
        Ok(())
    })
}

/// The scene, and the memory a frame is read into.
struct Stage {
    scene: Scene,
    ids: Vec<BodyId>,
    positions: Vec<Vec<[f32; 3]>>,
    containment: Option<Containment>,
}

impl Stage {
    /// Builds the scene as it is in the first frame that is checked.
    fn new(plan: &mut Plan) -> Result<Self> {
        let mut scene = Scene::new(plan.method);
        let (mut ids, mut positions) = (Vec::new(), Vec::new());
        for (number, (body, mesh)) in (0..).zip(plan.bodies.iter_mut().zip(&plan.meshes)) {
            let mut at_start = Vec::new();
            body.frame_or_last(plan.frames.start, &mut at_start)?;
            let file = || body.file().display().to_string();
            let id = scene.add(Body::new(Arc::clone(mesh), &at_start).with_context(file)?);
            scene.set_self_collision(id, plan.own && !plan.ignored.contains(&(number, number)))?;
            ids.push(id);
            positions.push(at_start);
        }
        for &(a, b) in plan.ignored.iter().filter(|(a, b)| a != b) {
            scene.ignore(ids[a as usize], ids[b as usize])?;
        }
        let containment = plan.containment.then(|| Containment::new(&plan.meshes));
        Ok(Self { scene, ids, positions, containment })
    }

    /// Moves the bodies to a frame and asks.
    fn frame(&mut self, frame: usize, plan: &mut Plan, with_pairs: bool) -> Result<(Frame, Duration)> {
        for (body, positions) in plan.bodies.iter_mut().zip(&mut self.positions) {
            if body.frame_count() > 1 {
                body.frame_or_last(frame, positions)?;
            }
        }
        let start = Instant::now();
        for ((body, positions), &id) in plan.bodies.iter().zip(&self.positions).zip(&self.ids) {
            if body.frame_count() > 1 {
                self.scene.set_positions(id, positions)?;
            }
        }
        let now = self.scene.update()?;
        let updated = Instant::now();
        let contacts = if plan.first { now.witnesses() } else { now.contacts() };
        let done = Instant::now();
        let mut record = Frame {
            frame: frame as u64,
            contacts: records(contacts, with_pairs),
            contained: Vec::new(),
            update_us: micros(updated - start),
            query_us: micros(done - updated),
        };
        if let Some(containment) = &mut self.containment {
            record.contained = containment.find(&self.scene, &self.ids, &record.contacts, &plan.ignored)?;
        }
        Ok((record, done - start))
    }
}

fn records(contacts: Contacts<'_>, with_pairs: bool) -> Vec<ContactRecord> {
    let record = |contact: crumple::Contact<'_>| ContactRecord {
        a: contact.a.index() as u32,
        b: contact.b.index() as u32,
        count: contact.pairs.len() as u64,
        pairs: with_pairs.then(|| contact.pairs.iter().map(|pair| [pair.a.0, pair.b.0]).collect()),
    };
    contacts.iter().map(record).collect()
}
