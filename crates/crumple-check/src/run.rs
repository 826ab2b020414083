//! The check: bodies and options in, frame by frame into the sinks, an outcome in the end.
//!
//! ```text
//! bodies + options ─► Plan ─► each frame: bodies move ─► Finder asks ─► record ─► Sinks
//!                                                                        └─► Fold ─► Outcome ─► Sinks end ─► verdict
//! ```

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use crumple::{Body, Mesh};
use crumple_io::report::{Frame, Header, PartRecord};
use crumple_io::words::shown;

use crate::bodies::memory::Memory;
use crate::bodies::timeline;
use crate::bodies::{self, FileBody, Motion};
use crate::error::hinted;
use crate::excuse::baseline::Baseline;
use crate::excuse::gate::Gate;
use crate::excuse::rest::{self, Rest};
use crate::excuse::seams::{self, Seams};
use crate::excuse::select::Selection;
use crate::find::{Finder, FoundFrame};
use crate::fold::Fold;
use crate::frames::Frames;
use crate::meetings;
use crate::options::{Options, SplitBy};
use crate::outcome::{Ended, Outcome};
use crate::plan::{self, Plan};
use crate::question::impacts::Continuous;
use crate::sink::{Sinks, TableStyle, View};
use crate::sizes::Sizes;
use crate::threads;

/// Bytes kept of each frame: for a page, and without one the frames in which bodies meet.
const PER_FRAME: [u64; 2] = [96, 16];

/// Who asks for a check: is told how far it is, and may end it.
pub trait Caller {
    /// Whether the run is to end before the next frame, with what was found so far.
    fn is_stopped(&mut self) -> bool {
        false
    }

    /// A frame has been checked.
    fn frame_is_done(&mut self) {}
}

/// A caller who only waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Caller for Silent {}

/// A check that is ready to run.
#[derive(Debug)]
pub struct Check {
    plan: Plan,
    bodies: Vec<(Motion, Body)>,
    meshes: Vec<Arc<Mesh>>,
    /// What is odd about the files.
    notes: Vec<String>,
    /// Which animation is checked where a file has several.
    choices: Vec<String>,
}

impl Check {
    /// Reads the bodies of files, as a user names them, and prepares to check them.
    ///
    /// # Errors
    /// If a file cannot be read, or as [`new`](Self::new).
    pub fn of_files(files: &[OsString], options: &Options) -> Result<Self> {
        Self::with(bodies::read(files, &options.motion.reading)?, files, options)
    }

    /// Prepares to check bodies.
    ///
    /// # Errors
    /// If options do not fit together or the bodies, nothing would be tested, or it would need too much memory.
    pub fn new(bodies: Vec<FileBody>, options: &Options) -> Result<Self> {
        let reading = &options.motion.reading;
        let of_files = [
            ("--split", reading.split != SplitBy::None),
            ("--mask", !reading.mask.is_empty()),
            ("--animation", reading.animation.is_some()),
            ("--each", options.each),
        ];
        for (option, is_given) in of_files {
            if is_given {
                let what = format!("{option} does nothing here: it is about files");
                return Err(hinted(what, "leave it out, or name files to be read"));
            }
        }
        Self::with(bodies, &[], options)
    }

    fn with(mut bodies: Vec<FileBody>, files: &[OsString], options: &Options) -> Result<Self> {
        let (timeline, range) = timeline::chosen(&mut bodies, &options.motion)?;
        let frames = Frames::new(range, options, timeline.frames)?;
        let names: Vec<String> = bodies.iter().map(|body| body.name().to_owned()).collect();
        let carriers = || {
            let names = |body: &mut FileBody| {
                body.carriers().map(|found| found.names().into_iter().map(str::to_owned).collect())
            };
            let mut names: Vec<String> =
                bodies.iter_mut().filter_map(names).flat_map(|names: Vec<String>| names).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        let selection = Selection::new(&options.ignore, &options.only, &names, carriers)?;
        let baseline = options.baseline.as_deref().map(Baseline::read).transpose()?;
        let mut memory = Memory::new(options.motion.max_memory);
        memory.take(&bodies, (frames.len(), PER_FRAME[usize::from(options.html.is_none())]))?;
        let notes: Vec<String> = bodies.iter().flat_map(FileBody::notes).collect();
        let (animation, mut choices) = animations(&bodies);
        if options.motion.reading.animation.is_some() {
            choices.clear();
        }
        let start = |body| Motion::start(body, frames.first());
        let mut bodies: Vec<(Motion, Body)> = bodies.into_iter().map(start).collect::<Result<_>>()?;
        let meshes: Vec<Arc<Mesh>> = bodies.iter().map(|(_, body)| Arc::clone(body.mesh())).collect();
        let has_triangles: Vec<bool> = meshes.iter().map(|mesh| mesh.live_count() > 0).collect();
        let motions = || bodies.iter().map(|(motion, _)| motion);
        let is_alone = seams::whole_bodies(motions().zip(has_triangles.iter().copied())) == 1 && options.own.is_none();
        let seams = Seams::new(motions());
        let own = options.own.unwrap_or(is_alone);
        let tested = selection.tested(&has_triangles, own);
        if tested.is_nothing() {
            return Err(plan::nothing_to_test(&has_triangles, own));
        }
        let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh()));
        let mut header = Header::new(options.method.name(), records.collect(), frames.len() as u64);
        // Frames with gaps are no part of a report that others could complete.
        header.part = (frames.len() < timeline.frames && frames.are_consecutive())
            .then_some(PartRecord { first: frames.first() as u64, of: timeline.frames as u64 });
        header.animation = animation;
        let unit = |at: usize| bodies.get(at).and_then(|(motion, _)| motion.file().unit());
        header.unit = unit(0).filter(|of| (1..bodies.len()).all(|at| unit(at) == Some(*of))).map(str::to_owned);
        let mut plan = Plan {
            names: names.iter().map(|name| shown(name).into_owned()).collect(),
            files: bodies.iter().map(|(motion, _)| motion.file().file().display().to_string()).collect(),
            header,
            frames,
            own,
            is_alone,
            // An export marks the triangles of all pairs, the depth of a contact may need all of them, and so does a seam.
            kept_pairs: match options.export.is_some() || options.max_depth.is_some() || !seams.is_empty() {
                true => memory.pairs(),
                false => options.max_pairs.unwrap_or(usize::MAX).min(memory.pairs()),
            },
            memory,
            tested,
            tested_pairs: plan::tested_pairs(&selection, tested, &has_triangles, own),
            selection,
            seams,
            rest: Rest::default(),
            gate: Gate { max_depth: options.max_depth, max_volume: options.max_volume, baseline },
            replaces_baseline: plan::replaces_baseline(options),
            continuous: Continuous::new(options),
            options: options.clone(),
        };
        if let Some(pose) = &options.rest {
            plan.rest =
                threads::within(options.motion.threads, || rest::find(pose, files, &mut bodies, &timeline, &plan))?;
            plan.leave_out_rest()?;
        }
        Ok(Self { plan, bodies, meshes, notes, choices })
    }

    /// What is checked: the first record of a report.
    pub fn header(&self) -> &Header {
        &self.plan.header
    }

    /// What was asked.
    pub fn options(&self) -> &Options {
        &self.plan.options
    }

    /// What is odd about the files, in words.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What was chosen where nothing was said, in words: which of several animations is checked.
    pub fn choices(&self) -> &[String] {
        &self.choices
    }

    /// The positions of the frames that are checked.
    pub fn frames(&self) -> impl Iterator<Item = usize> + use<> {
        self.plan.frames.iter()
    }

    /// Whether several animations are played one after another.
    pub(crate) fn plays_several(&self) -> bool {
        let files = self.bodies.iter().map(|(motion, _)| motion.file());
        bodies::files::animation(files, self.plan.frames.first()).is_some()
    }

    /// The names of the bodies as they are shown.
    pub(crate) fn names(&self) -> &[String] {
        &self.plan.names
    }

    pub(crate) fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// All frames that are checked and those between.
    pub(crate) fn span(&self) -> Range<usize> {
        self.plan.frames.span()
    }

    /// Checks all frames.
    ///
    /// # Errors
    /// If a sink cannot be written, or a frame cannot be checked and nothing was found before it. Otherwise an error of a
    /// frame is in the outcome, after what was found before it has been written.
    pub fn run(self, sinks: Sinks, caller: &mut (dyn Caller + Send)) -> Result<(Outcome, Vec<String>)> {
        let threads = self.plan.options.motion.threads;
        threads::within(threads, || self.run_here(sinks, caller))
    }

    fn run_here(self, mut sinks: Sinks, caller: &mut (dyn Caller + Send)) -> Result<(Outcome, Vec<String>)> {
        let Self { plan, bodies, .. } = self;
        let (mut fold, mut sizes, mut busy) = (Fold::default(), Sizes::default(), Duration::ZERO);
        let mut finder = Finder::new(&plan, bodies)?;
        let ended = each_frame(&plan, caller, |frame| {
            let FoundFrame { found, now, took } = finder.frame(frame, &plan)?;
            busy += took;
            sizes.add(found.name(), now, &plan.names);
            take_in(&plan, &mut sinks, &mut fold, &found, Some(now))
        });
        finish(Outcome { notes: sizes.notes, took: busy, ..fold.finish(plan, ended) }, sinks)
    }

    /// Takes in records of these frames that were found before or elsewhere. Bodies are moved only if a sink has to know where
    /// they are.
    ///
    /// # Errors
    /// If the records are not those of the frames of this check, or a sink cannot be written. Then no file is.
    pub fn replay(
        self,
        records: impl IntoIterator<Item = Result<Frame<'static>>> + Send,
        mut sinks: Sinks,
        caller: &mut (dyn Caller + Send),
    ) -> Result<(Outcome, Vec<String>)> {
        let Self { plan, bodies, .. } = self;
        let mut fold = Fold::default();
        let mut finder = sinks.need_positions().then(|| Finder::new(&plan, bodies)).transpose()?;
        let mut records = records.into_iter();
        let ended = each_frame(&plan, caller, |frame| {
            let Some(record) = records.next().transpose()? else {
                anyhow::bail!("there is no record of frame {frame}");
            };
            anyhow::ensure!(
                record.frame == frame as u64,
                "the record of frame {} stands where {frame} should",
                record.frame
            );
            let now = finder.as_mut().map(|finder| finder.place(frame)).transpose()?;
            take_in(&plan, &mut sinks, &mut fold, &record, now)
        });
        match ended {
            Ended::Failed(error) => Err(error),
            ended => finish(fold.finish(plan, ended), sinks),
        }
    }
}

/// The animation that is played, if it is one of several of its file; and what there is to say about those that are not.
fn animations(bodies: &[FileBody]) -> (Option<String>, Vec<String>) {
    let (mut looked_at, mut played, mut words): (Vec<&Path>, _, _) = (Vec::new(), None, Vec::new());
    for body in bodies {
        let Some((names, in_file)) = body.animations().filter(|(_, in_file)| *in_file > 1) else { continue };
        if looked_at.contains(&body.file()) {
            continue;
        }
        looked_at.push(body.file());
        if let [name] = names[..] {
            let file = body.file().display();
            words.push(format!(
                "{file} has {in_file} animations: {} is checked; --animation all checks all of them",
                shown(name)
            ));
            played.get_or_insert_with(|| name.to_owned());
        }
    }
    (played, words)
}

impl Outcome {
    /// The table of what was found, or that nothing was.
    pub fn table(&self, style: TableStyle) -> String {
        let table = self.meetings.text(&self.shown, &self.summary, self.asked.depth, style);
        match self.summary.statuses.as_deref().filter(|statuses| !statuses.is_empty()) {
            Some(statuses) => format!("{table}\n{}", meetings::statuses_in_words(statuses)),
            None => table,
        }
    }
}

/// Calls `process` for every frame, within the limit of work, until the last one, an error, or the caller wants to stop.
fn each_frame(plan: &Plan, caller: &mut (dyn Caller + Send), mut process: impl FnMut(usize) -> Result<()>) -> Ended {
    for frame in plan.frames.iter() {
        if caller.is_stopped() {
            return Ended::Stopped;
        }
        match plan.options.motion.max_work.frame(frame, || process(frame)) {
            Ok(()) => caller.frame_is_done(),
            Err(error) if error.is::<Unread>() => return Ended::Unread,
            Err(error) => return Ended::Failed(error),
        }
    }
    Ended::Whole
}

/// Hands a frame to all who want it.
fn take_in(
    plan: &Plan,
    sinks: &mut Sinks,
    fold: &mut Fold,
    found: &Frame<'_>,
    now: Option<crumple::Frame<'_>>,
) -> Result<()> {
    // Views of one record, which is not changed: output with fewer pairs has a view of its own.
    let listed = found.listing_at_most(plan.options.max_pairs.unwrap_or(usize::MAX));
    let before = fold.last_number();
    sinks.frame(&View { found, listed: &listed, now, before })?;
    fold.add(found, plan);
    // Nobody reads on, and the exit code is decided.
    if sinks.are_lost() && fold.is_decided(&plan.gate) { Err(Unread.into()) } else { Ok(()) }
}

/// Completes everything that is written, whatever ended the frames.
fn finish(outcome: Outcome, sinks: Sinks) -> Result<(Outcome, Vec<String>)> {
    let have_failed = sinks.have_failed();
    let written = if have_failed {
        drop(sinks);
        Ok(Vec::new())
    } else {
        sinks.end(&outcome)
    };
    match outcome.ended {
        Ended::Failed(error) if have_failed || outcome.is_silent => Err(error),
        _ => Ok((outcome, written?)),
    }
}

/// Nothing more has to be found.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("nobody reads the answer")]
struct Unread;
