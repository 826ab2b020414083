//! `crumple check`: every pair of triangles that meet, frame by frame.

pub(crate) mod baseline;
mod clearance;
mod containment;
mod depth;
mod formats;
mod gate;
mod impacts;
mod onsets;
mod outputs;
mod rest;
mod scene;
mod seams;
mod select;
mod shading;
mod sizes;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use crumple::{Body, Mesh};
use crumple_io::report::{CheckSummary, Episodes, FindingKind, Header, PartRecord, Summary, Tested, micros};
use crumple_io::words::{bytes, count, counted, shown, time};
use crumple_io::{CsvColumns, Source};
use crumple_methods::Method;

use crate::args::{CheckArgs, OutputFormat};
use crate::input::frames;
use crate::input::moving::Motion;
use crate::input::sources::{self, FileBody};
use crate::input::timeline;
use crate::memory::{Memory, PER_PAIR};
use crate::output::{Destination, FilesInUse, Readable, Verdict, hinted, print, say};
use crate::threads;
use crate::work::MaxWork;
use baseline::{Baseline, Key, Named};
use clearance::TooClose;
use formats::Told;
use gate::Gate;
use impacts::Continuous;
use outputs::{Outputs, SceneMeshes, Shown};
use rest::Rest;
use scene::{FrameAnswer, MovingScene};
use seams::Seams;
use select::Selection;
use sizes::Sizes;
use words::Ranges;

/// What to check, with arguments resolved.
struct Plan {
    /// The names of the bodies as they are shown in text.
    names: Vec<String>,
    /// The file of each body.
    files: Vec<String>,
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
    /// Which bodies are tested against which.
    selection: Selection,
    tested: Tested,
    /// The pairs of bodies, or bodies twice, that are tested; `None` if there are very many.
    tested_pairs: Option<Vec<(u32, u32)>>,
    /// The parts of one body that touch where they were cut.
    seams: Seams,
    /// What touches in the rest pose.
    rest: Rest,
    gate: Gate,
    /// Whether the baseline that is written takes the place of the one that is read.
    replaces_baseline: bool,
    containment: bool,
    continuous: Option<Continuous>,
    /// Whether it is asked when contacts began.
    first_contact: bool,
    /// How far apart bodies must be, if that is asked.
    clearance: Option<f64>,
    /// Whether the depth of every contact is asked.
    depth: bool,
    format: OutputFormat,
    /// Whether the table of pairs takes the place of the answer on stdout.
    is_table: bool,
    quiet: bool,
    max_work: MaxWork,
}

/// What `--csv` calls standard output.
const STDOUT: &str = "-";

/// More pairs of bodies than these are not named one by one in formats that could.
const MOST_NAMED: u64 = 500;

/// Bytes kept of each frame for a page, and without one: the frames in which bodies meet.
const PER_FRAME: [u64; 2] = [96, 16];

pub(crate) fn run(args: CheckArgs) -> Result<Verdict> {
    let in_use = files_in_use(&args)?;
    let bodies = sources::read_with(&args.files, &args.motion.reading.options())?;
    run_on(bodies, args, &in_use)
}

/// Refuses files to be written that are read or written already, and formats that leave no room for what else is printed.
fn files_in_use(args: &CheckArgs) -> Result<FilesInUse> {
    let csv = args.csv.as_deref().filter(|file| *file != Path::new(STDOUT));
    if csv.is_none() && args.csv.is_some() && (args.format() != OutputFormat::Text || args.pairs) {
        return Err(hinted(
            "--csv - leaves no room for --json or --pairs on standard output",
            "name a file for the table",
        ));
    }
    if args.pairs && !matches!(args.format(), OutputFormat::Text | OutputFormat::Json) {
        let what = "--pairs lists pairs as text or JSON, and --output-format leaves no room for them";
        return Err(hinted(what, "--csv FILE writes the pairs to a file"));
    }
    let mut in_use = FilesInUse::new();
    if args.html.is_some() || csv.is_some() || args.export.is_some() || args.write_baseline.is_some() {
        args.files.iter().for_each(|file| in_use.read(&Source::from(Path::new(file))));
    }
    // Before the baseline that is read, which may be replaced by the one that is written.
    args.write_baseline.as_deref().map_or(Ok(()), |file| in_use.write("--write-baseline", file))?;
    args.baseline.iter().for_each(|file| in_use.read(&Source::File(file.clone())));
    for (option, file) in [("--html", args.html.as_deref()), ("--csv", csv)] {
        file.map_or(Ok(()), |file| in_use.write(option, file))?;
    }
    Ok(in_use)
}

fn run_on(mut bodies: Vec<FileBody>, args: CheckArgs, in_use: &FilesInUse) -> Result<Verdict> {
    let continuous = Continuous::new(&args);
    let (timeline, frames) = timeline::chosen(&mut bodies, &args.motion)?;
    let all_frames = timeline.frames;
    let names: Vec<String> = bodies.iter().map(|body| body.name().to_owned()).collect();
    let selection = Selection::new(&args.ignore, &args.only, &names)?;
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let mut memory = Memory::new(args.motion.max_memory);
    memory.take(&bodies, (frames.len(), PER_FRAME[usize::from(args.html.is_none())]))?;
    let is_chosen = args.motion.reading.animation.is_some();
    let animation = say_animations(&bodies, is_chosen || args.motion.quiet || args.format() == OutputFormat::Json);
    let start = |body| Motion::start(body, !args.motion.reading.no_weld, frames.start);
    let bodies: Vec<(Motion, Body)> = bodies.into_iter().map(start).collect::<Result<_>>()?;
    let meshes: Vec<Arc<Mesh>> = bodies.iter().map(|(_, body)| Arc::clone(body.mesh())).collect();
    let has_triangles: Vec<bool> = meshes.iter().map(|mesh| mesh.live_count() > 0).collect();
    let motions = || bodies.iter().map(|(motion, _)| motion);
    let is_alone = seams::whole_bodies(motions().zip(has_triangles.iter().copied())) == 1;
    let seams = Seams::new(motions());
    let own = args.own || is_alone;
    let tested = selection.tested(&has_triangles, own);
    if tested.is_nothing() {
        return Err(nothing_to_test(&has_triangles, args.own));
    }
    let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh()));
    let mut header = Header::new(args.method.name(), records.collect(), frames.len() as u64);
    header.part =
        (frames.len() < all_frames).then_some(PartRecord { first: frames.start as u64, of: all_frames as u64 });
    header.animation = animation;
    let max_pairs = args.max_pairs.unwrap_or(usize::MAX);
    let mut plan = Plan {
        names: names.iter().map(|name| shown(name).into_owned()).collect(),
        files: bodies.iter().map(|(motion, _)| motion.file().file().display().to_string()).collect(),
        header,
        frames,
        method: args.method,
        own,
        first: args.first,
        pairs: args.pairs,
        max_pairs,
        // An export marks the triangles of all pairs, the depth of a contact may need all of them, and so does a seam.
        kept_pairs: match args.export.is_some() || args.max_depth.is_some() || !seams.is_empty() {
            true => memory.pairs(),
            false => max_pairs.min(memory.pairs()),
        },
        memory,
        tested,
        tested_pairs: tested_pairs(&selection, tested, &has_triangles, own),
        selection,
        seams,
        rest: Rest::default(),
        gate: Gate { max_depth: args.max_depth, baseline },
        replaces_baseline: replaces_baseline(&args),
        containment: args.containment,
        continuous,
        first_contact: args.first_contact,
        clearance: args.clearance,
        depth: args.depth || args.max_depth.is_some(),
        format: args.format(),
        is_table: args.csv.as_deref() == Some(Path::new(STDOUT)),
        quiet: args.motion.quiet,
        max_work: args.motion.max_work,
    };
    threads::within(args.motion.threads, || {
        if let Some(pose) = &args.rest {
            plan.rest = rest::find(&args, pose, &meshes, &plan)?;
            plan.leave_out_rest()?;
        }
        let mut outputs = outputs(&args, &plan.header, &meshes, &names, &plan.frames, in_use)?;
        if let Some(file) = &args.write_baseline {
            outputs.baseline = Some((file.clone(), Destination::create(file)?));
        }
        check(&plan, bodies, outputs, !args.own && is_alone)
    })
}

/// Whether the baseline that is written takes the place of the one that is read.
fn replaces_baseline(args: &CheckArgs) -> bool {
    let place = |file: &Option<std::path::PathBuf>| file.as_deref().and_then(|file| std::fs::canonicalize(file).ok());
    place(&args.baseline).is_some_and(|read| place(&args.write_baseline) == Some(read))
}

/// Says which animation is played where a file has several; returns its name, if it is one.
fn say_animations(bodies: &[FileBody], quiet: bool) -> Option<String> {
    let mut said: Vec<&Path> = Vec::new();
    let mut played = None;
    for body in bodies {
        let Some((names, in_file)) = body.animations().filter(|(_, in_file)| *in_file > 1) else { continue };
        if said.contains(&body.file()) {
            continue;
        }
        said.push(body.file());
        if let [name] = names[..] {
            if !quiet {
                let file = body.file().display();
                say(format_args!(
                    "{file} has {in_file} animations: {} is checked; --animation all checks all of them",
                    shown(name)
                ));
            }
            played.get_or_insert_with(|| name.to_owned());
        }
    }
    played
}

/// The error of a check that would look at nothing.
fn nothing_to_test(has_triangles: &[bool], own: bool) -> anyhow::Error {
    if !has_triangles.contains(&true) {
        return hinted(
            "there is nothing to check: the files have no triangles",
            "`crumple info` lists what is in a file",
        );
    }
    let hint = match own {
        true => "leave some pair of bodies to check",
        false => "leave some pair of bodies to check, or add --self",
    };
    hinted("there is nothing to check: --ignore and --only leave out every pair of bodies", hint)
}

/// The pairs of bodies, or bodies twice, that are tested; `None` if there are very many.
fn tested_pairs(selection: &Selection, tested: Tested, has_triangles: &[bool], own: bool) -> Option<Vec<(u32, u32)>> {
    if tested.body_pairs + tested.own > MOST_NAMED {
        return None;
    }
    let bodies: Vec<u32> = (0..).zip(has_triangles).filter(|(_, has)| **has).map(|(body, _)| body).collect();
    let mut pairs = Vec::new();
    for (at, &a) in bodies.iter().enumerate() {
        let others = bodies[at..].iter().filter(|&&b| (a != b || own) && selection.tests(a, b));
        pairs.extend(others.map(|&b| (a, b)));
    }
    Some(pairs)
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
    let scene = SceneMeshes { header, triangles: meshes.iter().map(|mesh| mesh.indices()).collect() };
    let mut outputs = Outputs::default();
    if let Some(folder) = &args.export {
        outputs = outputs.with_meshes(folder, args.export_format, &scene, frames, in_use)?;
    }
    if let Some(file) = &args.html {
        let fps = args.motion.reading.frames_per_second();
        let shown = Shown { clearance: args.clearance, depth: args.depth || args.max_depth.is_some() };
        outputs = outputs.with_page(file, &words::title(names), &scene, fps, shown)?;
        // The page has to say what it leaves out, or it would be taken for complete.
        if args.first {
            outputs.note("At most one pair per two bodies was searched for.".to_owned());
        } else if let Some(most) = args.max_pairs {
            outputs.note(format!("At most {} per two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
    }
    if let Some(file) = &args.csv {
        let columns = CsvColumns { impacts: args.continuous, distances: args.clearance.is_some() };
        outputs = match file == Path::new(STDOUT) {
            true => outputs.with_pairs_on_stdout(names, columns)?,
            false => outputs.with_pairs(file, names, columns)?,
        };
    }
    Ok(outputs)
}

impl Plan {
    /// Counts only what the rest pose leaves to test.
    ///
    /// # Errors
    /// If that is nothing.
    fn leave_out_rest(&mut self) -> Result<()> {
        self.tested.body_pairs = self.tested.body_pairs.saturating_sub(self.rest.bodies.len() as u64);
        if let Some(pairs) = &mut self.tested_pairs {
            pairs.retain(|&(a, b)| !self.rest.excuses(a, b));
        }
        if !self.tested.is_nothing() {
            return Ok(());
        }
        let hint = "choose a pose in which bodies are apart, or add --self to check them against themselves";
        Err(hinted("there is nothing to check: --rest excuses every pair of bodies", hint))
    }

    /// Why a run ended before its last frame, and which frames were not checked, if it did.
    fn incomplete(&self, walked: &Result<Verdict>, checked: u64) -> Option<String> {
        let why = match walked {
            Ok(Verdict::Interrupted) => "interrupted",
            Ok(_) => return None,
            Err(_) => "stopped by an error",
        };
        let (first, last) = (self.frames.start as u64 + checked, self.frames.end as u64 - 1);
        Some(match first {
            first if first > last => format!("{why} after the last frame"),
            first if first == last => format!("{why}: frame {first} was not checked"),
            first => format!("{why}: frames {first} to {last} were not checked"),
        })
    }

    /// Whether this check would report a finding of this kind about these bodies; of bodies that are gone it would have.
    fn looks_for(&self, key: &Key, names: &[String]) -> bool {
        let is_asked = match key.kind {
            FindingKind::Contact => true,
            FindingKind::Inside => self.containment,
            FindingKind::Impact => self.continuous.is_some(),
            FindingKind::Near => self.clearance.is_some(),
        };
        let [a, b] = [&key.a, &key.b].map(|name| names.iter().position(|other| other == name));
        let is_tested = |(a, b): (usize, usize)| (a != b || self.own) && self.selection.tests(a as u32, b as u32);
        is_asked && a.zip(b).is_none_or(is_tested)
    }

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
    episodes: Episodes,
    sizes: Sizes,
    /// The animations of the frames looked at; `None` of a frame that belongs to none.
    animations: BTreeSet<Option<String>>,
    busy: Duration,
}

fn check(plan: &Plan, bodies: Vec<(Motion, Body)>, mut outputs: Outputs, is_alone: bool) -> Result<Verdict> {
    let mut answer = Readable::new();
    let is_json = plan.format == OutputFormat::Json;
    if is_json {
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
    let Findings { mut summary, mut ranges, mut too_close, episodes, sizes, animations, busy } = findings;
    let all = episodes.finish();
    let names: Vec<String> = plan.header.bodies.iter().map(|body| body.name.clone()).collect();
    let named = Named { names: &names, animation: plan.header.animation.as_deref() };
    let mut baseline = Baseline::of(&all, named);
    let (found, is_whole) = (all.len() as u64, plan.header.part.is_none() && matches!(walked, Ok(Verdict::Done)));
    let stale = plan.gate.baseline.as_ref().map_or(0, |known| {
        let is_checked = |key: &Key| key.animation.is_none() || animations.contains(&key.animation);
        known.stale(&baseline, |key| is_whole && is_checked(key) && plan.looks_for(key, &names))
    });
    if let Some(known) = plan.gate.baseline.as_ref().filter(|_| plan.replaces_baseline) {
        baseline.keep_others(known, |key| animations.contains(&key.animation));
    }
    let (counted_findings, known) = plan.gate.judge(all, named);
    if known > 0 {
        ranges.keep(&counted_findings);
        too_close.keep(&counted_findings);
    }
    summary.tested = Some(plan.tested);
    (summary.findings, summary.known) = (Some(counted_findings), known);
    // A baseline of a part would make the rest look new.
    if !matches!(walked, Ok(Verdict::Done)) {
        outputs.baseline = None;
    }
    let accepts = outputs.baseline.is_some();
    let incomplete = plan.incomplete(&walked, summary.frames);
    if incomplete.is_some() {
        (summary.complete, summary.reached) =
            (Some(false), summary.frames.checked_sub(1).map(|last| plan.frames.start as u64 + last));
    }
    // Whatever else ended the walk, the files are completed first: they have the frames so far.
    let written = outputs.finish(&summary, (&baseline, found));
    let findings = summary.findings.as_deref().unwrap_or_default();
    // "Nothing collides" would mislead about frames that were not looked at.
    let is_silent = summary.frames == 0 || (plan.format == OutputFormat::Text && findings.is_empty());
    if walked.is_err() && is_silent {
        return walked;
    }
    let written = written?;
    let collides = !findings.is_empty() && !accepts;
    answer.put(|answer| match (plan.format, plan.is_table) {
        (OutputFormat::Json, _) => answer.record(&Summary { summary: summary.clone() }),
        (OutputFormat::Text, true) => Ok(()),
        (OutputFormat::Text, _) => {
            answer.line(ranges.text(&plan.names, &summary, plan.depth))?;
            if let Some(clearance) = plan.clearance {
                answer.line(too_close.text(&plan.names, clearance, summary.frames))?;
            }
            Ok(())
        }
        (format, _) => {
            let told = Told {
                names: &names,
                animation: plan.header.animation.as_deref(),
                files: &plan.files,
                summary: &summary,
                findings,
                tested: plan.tested_pairs.as_deref(),
                seconds: busy.as_secs_f64(),
                incomplete: incomplete.as_deref(),
            };
            formats::write(format, &told, answer)
        }
    })?;
    answer.finish()?;
    if !plan.quiet {
        sizes.notes.iter().for_each(say);
    }
    if let Some(sentence) = &incomplete {
        say(format_args!("incomplete: {sentence}"));
    }
    if plan.is_table && !plan.quiet {
        print(ranges.text(&plan.names, &summary, plan.depth));
    }
    let verdict = walked?;
    if stale > 0 && !plan.quiet {
        let entries = counted(stale, "entry");
        say(format_args!("the baseline has {entries} for which nothing was found; --write-baseline writes it anew"));
    }
    if !plan.quiet && plan.format == OutputFormat::Text {
        let per_frame = time(micros(busy) / summary.frames.max(1) as f64);
        let (frames, bodies) = (counted(summary.frames, "frame"), counted(plan.names.len() as u64, "body"));
        say(format_args!("{frames} of {bodies} by {}, {per_frame} per frame", plan.method));
        if is_alone {
            say("there is only one body: it was checked against itself");
        }
        if !plan.own {
            let tested = counted(plan.tested.body_pairs, "pair");
            say(format_args!("{tested} of bodies checked; bodies were not checked against themselves: --self"));
        }
        if !plan.rest.is_empty() {
            say(plan.rest.text());
        }
        if plan.continuous.is_some() && plan.frames.len() == 1 {
            say("there is only one frame; --continuous looks between frames");
        }
        if plan.first_contact && plan.frames.len() == 1 {
            say("there is only one frame; --first-contact looks between frames");
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
    let is_json = plan.format == OutputFormat::Json;
    let is_text = plan.format == OutputFormat::Text && !plan.is_table;
    let walked = frames::each_frame(
        plan.frames.clone(),
        plan.quiet,
        is_json || plan.pairs || plan.continuous.is_some() || plan.first_contact,
        plan.max_work,
        |frame| {
            let FrameAnswer { found, now, took } = moving.frame(frame, plan)?;
            // Views of one record, which is not changed: output with fewer pairs has a view of its own.
            let listed = found.listing_at_most(plan.max_pairs);
            outputs.frame(&found, &listed, now)?;
            let counted = plan.gate.counted(&found);
            findings.busy += took;
            findings.sizes.add(found.number.unwrap_or(found.frame), now, &plan.names);
            let animation = found.animation.as_ref().or(plan.header.animation.as_ref());
            if !findings.animations.iter().any(|known| known.as_ref() == animation) {
                findings.animations.insert(animation.cloned());
            }
            findings.summary.add(&found);
            findings.too_close.add(&counted);
            findings.ranges.add(&counted);
            findings.episodes.add(&counted);
            answer.put(|answer| {
                if is_json {
                    return if plan.pairs { answer.record(&listed) } else { answer.record(&found.without_pairs()) };
                }
                if let Some(found) = found.impacts.as_ref().filter(|_| is_text) {
                    impacts::list((listed.frame, listed.number), found, plan.first, &plan.names, answer)?;
                }
                if let Some(found) = found.onsets.as_ref().filter(|_| is_text) {
                    onsets::list(listed.frame, found, &plan.names, answer)?;
                }
                if plan.pairs {
                    words::list_pairs(&listed, &plan.names, answer)?;
                }
                Ok(())
            })?;
            // Nobody reads on, and the exit code is decided.
            let is_read = answer.is_read() && !outputs.have_lost_stdout();
            let is_decided = plan.gate.is_decided(&findings.episodes);
            if !is_read && is_decided && !outputs.have_files() { Err(Unread.into()) } else { Ok(()) }
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
