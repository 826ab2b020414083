//! `crumple check`: every pair of triangles that meet, frame by frame.

mod clearance;
mod containment;
mod depth;
mod ignore;
mod impacts;
mod outputs;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, BodyId, Mesh, Method, Scene};
use crumple_io::report::{CheckSummary, ContactRecord, Frame, Header, Summary, micros};
use crumple_io::words::shown;
use crumple_io::{FrameRange, Source};

use crate::args::CheckArgs;
use crate::input::frames;
use crate::input::moving::Motion;
use crate::input::sources::{self, FileBody};
use crate::memory::{Memory, PER_PAIR};
use crate::output::{Answer, FilesInUse, Verdict, hinted, is_closed_pipe, print, say};
use crate::threads;
use clearance::TooClose;
use containment::Containment;
use crumple_io::words::{bytes, count, counted, time};
use impacts::Continuous;
use outputs::{Outputs, SceneMeshes};
use words::Ranges;

/// What to check, with arguments resolved.
struct Plan {
    /// The names of the bodies as they are shown in text.
    names: Vec<String>,
    header: Header,
    frames: Range<usize>,
    method: Method,
    own: bool,
    first: bool,
    pairs: bool,
    max_pairs: usize,
    /// How many pairs of two bodies are kept at most.
    kept_pairs: usize,
    memory: Memory,
    /// Bodies that may touch, the smaller number first.
    ignored: BTreeSet<(u32, u32)>,
    containment: bool,
    continuous: Option<Continuous>,
    /// How far apart bodies must be, if that is asked.
    clearance: Option<f64>,
    /// Whether the depth of every contact is asked.
    depth: bool,
    json: bool,
    /// Whether the table of pairs takes the place of the answer on stdout.
    is_table: bool,
    quiet: bool,
}

/// What `--csv` calls standard output.
const STDOUT: &str = "-";

/// Bytes kept of each frame for a page, and without one: the frames in which bodies meet.
const PER_FRAME: [u64; 2] = [96, 16];

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let in_use = files_in_use(&args)?;
    let bodies = sources::read_with(&args.files, &args.motion.reading.options())?;
    run_on(bodies, args, &in_use)
}

/// Refuses files to be written that are read or written already.
fn files_in_use(args: &CheckArgs) -> Result<FilesInUse> {
    let csv = args.csv.as_deref().filter(|file| *file != Path::new(STDOUT));
    if csv.is_none() && args.csv.is_some() && (args.motion.json || args.pairs) {
        return Err(hinted(
            "--csv - leaves no room for --json or --pairs on standard output",
            "name a file for the table",
        ));
    }
    let mut in_use = FilesInUse::new();
    if args.html.is_some() || csv.is_some() || args.export.is_some() {
        args.files.iter().for_each(|file| in_use.read(&Source::from(Path::new(file))));
    }
    for (option, file) in [("--html", args.html.as_deref()), ("--csv", csv)] {
        file.map_or(Ok(()), |file| in_use.write(option, file))?;
    }
    Ok(in_use)
}

fn run_on(bodies: Vec<FileBody>, args: CheckArgs, in_use: &FilesInUse) -> Result<Verdict> {
    let continuous = Continuous::new(&args);
    let frames = FrameRange::chosen(args.motion.frames, sources::frame_count(&bodies, args.motion.hold)?)?;
    let names: Vec<String> = bodies.iter().map(|body| body.name().to_owned()).collect();
    let ignored = ignore::pairs(&args.ignore, &names)?;
    let mut memory = Memory::new(args.motion.max_memory);
    memory.take(&bodies, (frames.len(), PER_FRAME[usize::from(args.html.is_none())]))?;
    let start = |body| Motion::start(body, !args.motion.reading.no_weld, frames.start);
    let bodies: Vec<(Motion, Body)> = bodies.into_iter().map(start).collect::<Result<_>>()?;
    let meshes: Vec<Arc<Mesh>> = bodies.iter().map(|(_, body)| Arc::clone(body.mesh())).collect();
    let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh()));
    let header = Header::new(args.method.name(), records.collect(), frames.len() as u64);
    let outputs = outputs(&args, &header, &meshes, &names, &frames, in_use)?;
    let CheckArgs { own, first, pairs, containment, clearance, depth, method, motion, .. } = args;
    let max_pairs = args.max_pairs.unwrap_or(usize::MAX);
    let plan = Plan {
        names: names.iter().map(|name| shown(name).into_owned()).collect(),
        header,
        frames,
        method,
        own,
        first,
        pairs,
        max_pairs,
        // An export marks the triangles of all pairs.
        kept_pairs: if args.export.is_some() { memory.pairs() } else { max_pairs.min(memory.pairs()) },
        memory,
        ignored,
        containment,
        continuous,
        clearance,
        depth,
        json: motion.json,
        is_table: args.csv.as_deref() == Some(Path::new(STDOUT)),
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
    in_use: &FilesInUse,
) -> Result<Outputs> {
    let scene = SceneMeshes { header, triangles: meshes.iter().map(|mesh| mesh.triangles()).collect() };
    let mut outputs = Outputs::default();
    if let Some(folder) = &args.export {
        outputs = outputs.with_meshes(folder, args.export_format, &scene, frames, in_use)?;
    }
    if let Some(file) = &args.html {
        outputs = outputs.with_page(file, &words::title(names), &scene, args.motion.reading.frames_per_second())?;
        // The page has to say what it leaves out, or it would be taken for complete.
        if args.first {
            outputs.note("At most one pair per two bodies was searched for.".to_owned());
        } else if let Some(most) = args.max_pairs {
            outputs.note(format!("At most {} per two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
    }
    if let Some(file) = &args.csv {
        outputs = match file == Path::new(STDOUT) {
            true => outputs.with_pairs_on_stdout(names, args.continuous)?,
            false => outputs.with_pairs(file, names, args.continuous)?,
        };
    }
    Ok(outputs)
}

impl Plan {
    /// Refuses a frame with more pairs than there is memory for. Where few are to be listed, no more were kept.
    fn check_room(&self, frame: usize, contacts: crumple::Contacts<'_>) -> Result<()> {
        let room = self.memory.pairs();
        let total: usize = contacts.iter().map(|contact| contact.pairs.len()).sum();
        let cut = contacts.iter().find(|contact| contact.count > contact.pairs.len() as u64 && self.kept_pairs == room);
        let (bodies_meet, pairs) = match cut {
            _ if total > room => ("bodies meet".to_owned(), total as u64),
            Some(contact) => {
                let [a, b] = [contact.a, contact.b].map(|id| &self.names[id.index()]);
                let meet = if contact.is_self() { format!("{a} meets itself") } else { format!("{a} and {b} meet") };
                (meet, contact.count)
            }
            None => return Ok(()),
        };
        let (needed, most) = (bytes(pairs.saturating_mul(PER_PAIR)), bytes(self.memory.most()));
        let what = format!(
            "frame {frame}: {bodies_meet} in {} pairs of triangles, which need about {needed}, more than is left of the \
             {most} of --max-memory",
            count(pairs)
        );
        Err(hinted(what, "--max-pairs N keeps N of them and counts all"))
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings {
    summary: CheckSummary,
    ranges: Ranges,
    too_close: TooClose,
    busy: Duration,
}

impl Findings {
    /// Whether anything collides.
    fn collide(&self) -> bool {
        let CheckSummary { frames_in_contact, frames_with_containment, impacts, frames_too_close, .. } = &self.summary;
        let more = [impacts, frames_too_close].into_iter().flatten().sum::<u64>();
        frames_in_contact + frames_with_containment + more > 0
    }
}

fn check(plan: &Plan, bodies: Vec<(Motion, Body)>, mut outputs: Outputs) -> Result<Verdict> {
    let mut answer = Readable::new();
    if plan.json {
        answer.put(|answer| answer.record(&plan.header))?;
    }
    let mut findings = Findings::default();
    let walked = walk(plan, bodies, &mut outputs, &mut answer, &mut findings);
    if walked.is_err() && outputs.have_failed() {
        // Not even the others are completed: what an earlier run wrote is worth more than a part of this one.
        drop(outputs);
        return walked;
    }
    if let Some(clearance) = plan.clearance {
        outputs.note(findings.too_close.note(&plan.names, clearance, findings.summary.frames));
    }
    // Whatever else ended the walk, the files are completed first: they have the frames so far.
    let written = outputs.finish(&findings.summary);
    let verdict = walked?;
    let written = written?;
    let collides = findings.collide();
    let Findings { summary, ranges, too_close, busy } = findings;
    answer.put(|answer| match (plan.json, plan.is_table) {
        (true, _) => answer.record(&Summary { summary: summary.clone() }),
        (_, true) => Ok(()),
        _ => {
            answer.line(ranges.text(&plan.names, &summary, plan.depth))?;
            if let Some(clearance) = plan.clearance {
                answer.line(too_close.text(&plan.names, clearance, summary.frames))?;
            }
            Ok(())
        }
    })?;
    answer.finish()?;
    if plan.is_table && !plan.quiet {
        print(ranges.text(&plan.names, &summary, plan.depth));
    }
    if !plan.quiet && !plan.json {
        let per_frame = time(micros(busy) / summary.frames.max(1) as f64);
        let (frames, bodies) = (counted(summary.frames, "frame"), counted(plan.names.len() as u64, "body"));
        say(format_args!("{frames} of {bodies} by {}, {per_frame} per frame", plan.method));
        if verdict == Verdict::Interrupted {
            say(format_args!("interrupted: {} were asked for", counted(plan.header.frames, "frame")));
        }
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
    answer: &mut Readable,
    findings: &mut Findings,
) -> Result<Verdict> {
    let mut moving = MovingScene::new(plan, bodies)?;
    let walked = frames::each_frame(
        plan.frames.clone(),
        plan.quiet,
        plan.json || plan.pairs || plan.continuous.is_some(),
        |frame| {
            let FrameAnswer { found, now, took } = moving.frame(frame, plan)?;
            // Views of one record, which is not changed: output with fewer pairs has a view of its own.
            let listed = found.listing_at_most(plan.max_pairs);
            let positions: Vec<_> = now.bodies().map(|(_, body)| body.positions()).collect();
            outputs.frame(&found, &listed, &positions)?;
            findings.busy += took;
            findings.summary.add(&found);
            findings.too_close.add(&found);
            findings.ranges.add(&found);
            answer.put(|answer| {
                if plan.json {
                    return if plan.pairs { answer.record(&listed) } else { answer.record(&found.without_pairs()) };
                }
                if let Some(found) = found.impacts.as_ref().filter(|_| !plan.is_table) {
                    impacts::list((listed.frame, listed.number), found, plan.first, &plan.names, answer)?;
                }
                if plan.pairs {
                    words::list_pairs(&listed, &plan.names, answer)?;
                }
                Ok(())
            })?;
            // Nobody reads on, and the exit code is decided.
            let is_read = answer.is_read() && !outputs.have_lost_stdout();
            if !is_read && findings.collide() && !outputs.have_files() { Err(Unread.into()) } else { Ok(()) }
        },
    );
    match walked {
        Err(error) if error.is::<Unread>() => Ok(Verdict::Done),
        walked => walked,
    }
}

/// Nothing more has to be found.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("nobody reads the answer")]
struct Unread;

/// The answer, as long as somebody reads it: a closed pipe ends the answer, not the check, which has files to write and
/// an exit code to find.
struct Readable(Option<Answer>);

impl Readable {
    fn new() -> Self {
        Self(Some(Answer::new()))
    }

    fn is_read(&self) -> bool {
        self.0.is_some()
    }

    fn put(&mut self, put: impl FnOnce(&mut Answer) -> Result<()>) -> Result<()> {
        let Some(answer) = &mut self.0 else { return Ok(()) };
        match put(answer) {
            Err(error) if is_closed_pipe(&error) => self.0 = None,
            written => return written,
        }
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        match self.0.take().map_or(Ok(()), Answer::finish) {
            Err(error) if is_closed_pipe(&error) => Ok(()),
            finished => finished,
        }
    }
}

/// The scene, and the files its bodies come from.
struct MovingScene {
    scene: Scene,
    ids: Vec<BodyId>,
    motions: Vec<Motion>,
    containment: Option<Containment>,
}

/// What was found in a frame.
struct FrameAnswer<'a> {
    /// With all pairs, borrowed from the scene.
    found: Frame<'a>,
    now: crumple::Frame<'a>,
    /// How long it took, without the reading.
    took: Duration,
}

impl MovingScene {
    fn new(plan: &Plan, bodies: Vec<(Motion, Body)>) -> Result<Self> {
        let mut scene = Scene::new(plan.method);
        scene.set_max_pairs(Some(plan.kept_pairs));
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

    /// Moves the bodies to a frame and finds what meets.
    fn frame<'a>(&'a mut self, frame: usize, plan: &Plan) -> Result<FrameAnswer<'a>> {
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
        plan.check_room(frame, contacts)?;
        let mut found = Frame {
            frame: frame as u64,
            number: sources::frame_number(motions.iter().map(Motion::file), frame),
            contacts: contacts.iter().map(ContactRecord::from).collect(),
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
        if let Some(clearance) = plan.clearance {
            let start = Instant::now();
            found.near = Some(clearance::find(now, ids, clearance, plan.own, &plan.ignored)?);
            let done = start.elapsed();
            found.near_us = Some(micros(done));
            took += done;
        }
        if plan.depth {
            let start = Instant::now();
            depth::fill(now, ids, &mut found.contacts)?;
            let done = start.elapsed();
            found.depth_us = Some(micros(done));
            took += done;
        }
        if let Some(containment) = containment {
            found.contained = containment.find(now, ids, &found.contacts, &plan.ignored)?;
        }
        Ok(FrameAnswer { found, now, took })
    }
}
