//! `crumple check`: every pair of triangles that meet, frame by frame.

mod words;

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
use crate::{interrupt, progress, threads};
use words::Ranges;

/// What to check, with everything about it known to be right.
struct Plan {
    bodies: Vec<FileBody>,
    meshes: Vec<Arc<Mesh>>,
    frames: Range<usize>,
    method: Method,
    own: bool,
    first: bool,
    pairs: bool,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let mut bodies = sources::read(&args.files)?;
    let frames = chosen(args.frames, sources::frame_count(&bodies, args.hold)?)?;
    let meshes = bodies.iter_mut().map(|body| body.mesh(!args.no_weld)).collect::<Result<_>>()?;
    let CheckArgs { own, first, pairs, method, json, quiet, .. } = args;
    let plan = Plan { bodies, meshes, frames, method, own, first, pairs, json, quiet };
    threads::within(args.threads, || check(plan))
}

fn check(mut plan: Plan) -> Result<Verdict> {
    let mut answer = Answer::new();
    let names: Vec<String> = plan.bodies.iter().map(|body| body.name().to_owned()).collect();
    if plan.json {
        let records = plan.bodies.iter().zip(&plan.meshes).enumerate();
        let records = records.map(|(id, (body, mesh))| body.record(id, mesh)).collect();
        answer.record(&Header::new(plan.method.name(), records, plan.frames.len() as u64))?;
    }
    let mut scene = Stage::new(&mut plan)?;
    let mut summary = CheckSummary::default();
    let mut ranges = Ranges::default();
    let mut busy = Duration::ZERO;
    let bar = progress::bar(plan.frames.len(), plan.quiet || plan.json);
    interrupt::watch();
    for frame in plan.frames.clone() {
        if interrupt::asked() {
            break;
        }
        let (record, took) = scene.frame(frame, &mut plan)?;
        busy += took;
        summary.add(&record);
        if plan.json {
            answer.record(&record)?;
        } else {
            if plan.pairs {
                words::list_pairs(&record, &names, &mut answer)?;
            }
            ranges.add(&record);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let interrupted = interrupt::asked() && summary.frames < plan.frames.len() as u64;
    if plan.json {
        answer.record(&Summary { summary: summary.clone() })?;
    } else {
        answer.line(ranges.told(&names, &summary))?;
        if !plan.quiet {
            let a_frame = time(micros(busy) / summary.frames.max(1) as f64);
            let frames = counted(summary.frames, "frame");
            say(format_args!(
                "{frames} of {} by {}, {a_frame} a frame",
                counted(names.len() as u64, "body"),
                plan.method
            ));
        }
    }
    answer.finish()?;
    Ok(match (interrupted, summary.frames_in_contact) {
        (true, _) => Verdict::Interrupted,
        (_, 0) => Verdict::Done,
        _ => Verdict::Collides,
    })
}

/// The scene, and the memory a frame is read into.
struct Stage {
    scene: Scene,
    ids: Vec<BodyId>,
    positions: Vec<Vec<[f32; 3]>>,
}

impl Stage {
    /// Builds the scene as it is in the first frame that is checked.
    fn new(plan: &mut Plan) -> Result<Self> {
        let mut scene = Scene::new(plan.method);
        let (mut ids, mut positions) = (Vec::new(), Vec::new());
        for (body, mesh) in plan.bodies.iter_mut().zip(&plan.meshes) {
            let mut at_start = Vec::new();
            body.frame(held(body, plan.frames.start), &mut at_start)?;
            let file = || body.file().display().to_string();
            let id = scene.add(Body::new(Arc::clone(mesh), &at_start).with_context(file)?);
            scene.set_self_collision(id, plan.own)?;
            ids.push(id);
            positions.push(at_start);
        }
        Ok(Self { scene, ids, positions })
    }

    /// Moves the bodies to a frame and asks.
    fn frame(&mut self, frame: usize, plan: &mut Plan) -> Result<(Frame, Duration)> {
        for (body, positions) in plan.bodies.iter_mut().zip(&mut self.positions) {
            if body.frame_count() > 1 {
                body.frame(held(body, frame), positions)?;
            }
        }
        let start = Instant::now();
        for ((body, positions), &id) in plan.bodies.iter().zip(&self.positions).zip(&self.ids) {
            if body.frame_count() > 1 {
                self.scene.set_positions(id, positions)?;
            }
        }
        self.scene.update()?;
        let updated = Instant::now();
        let contacts = if plan.first { self.scene.first_pairs()? } else { self.scene.contacts()? };
        let done = Instant::now();
        let record = Frame {
            frame: frame as u64,
            contacts: records(contacts, plan.pairs),
            update_us: micros(updated - start),
            query_us: micros(done - updated),
        };
        Ok((record, done - start))
    }
}

/// The frame a body shows in frame `frame` of the scene: its last one once it has no more.
fn held(body: &FileBody, frame: usize) -> usize {
    frame.min(body.frame_count() - 1)
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
