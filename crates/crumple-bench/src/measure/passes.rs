//! Runs the methods over a recorded scene and times every frame.
//!
//! A frame's time is *update* (from the caller's slice on: copy, check, boxes, refit before the query) and *query* (lazy
//! refit, traversal, tests, the sorted list). Every method goes through the frames in order, several times; the best
//! time of each frame counts. Passes of different methods alternate, so that a machine that slows down for a while
//! slows all of them. Before a frame is timed its positions are copied into a buffer of the caller's, as a simulation
//! would just have written them. Every method gets the same positions, in world coordinates; where the scene publishes
//! poses they are handed over too, and a method that keeps boxes in body coordinates brings the positions there itself:
//! as much work as to place them in the world, which the simulation has done.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{BodyId, Contacts, Scene};
use crumple_methods::Method;
use crumple_scenes::Digest;
use indicatif::ProgressBar;

use crate::experiment::{Question, Variant};
use crate::measure::Found;
use crate::measure::Recording;
use crate::measure::floor::{self, Now};
use crate::methods::FLOOR;

/// The times of the parts of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameTime {
    /// Taking in the new positions.
    pub update: Duration,
    /// Finding the pairs.
    pub query: Duration,
}

impl FrameTime {
    const NEVER: Self = Self { update: Duration::MAX, query: Duration::ZERO };

    /// The whole frame.
    pub fn total(&self) -> Duration {
        self.update.saturating_add(self.query)
    }

    fn keep_best(&mut self, other: Self) {
        if other.total() < self.total() {
            *self = other;
        }
    }
}

/// The times of a method, one per frame recorded.
#[derive(Debug)]
pub struct Times {
    /// The name of the method.
    pub label: String,
    /// The best time of each frame.
    pub frames: Vec<FrameTime>,
}

/// The result of a scene and a question.
#[derive(Debug)]
pub struct Outcome {
    /// The frames that were measured.
    pub recording: Recording,
    /// The pairs of every frame, the same for all methods; for first pairs, those of the first method.
    pub found: Vec<Found>,
    /// The times of all methods, the floor last.
    pub times: Vec<Times>,
}

impl Outcome {
    /// Adds the times of a method once more by another name, without its update: only the query counts.
    pub(crate) fn add_without_update(&mut self, label: &str, new_label: &str) {
        let Some(at) = self.times.iter().position(|times| times.label == label) else { return };
        let query_only = |frame: &FrameTime| FrameTime { update: Duration::ZERO, ..*frame };
        let frames = self.times[at].frames.iter().map(query_only).collect();
        self.times.insert(at + 1, Times { label: new_label.to_owned(), frames });
    }

    /// The digest of the lists of pairs of all frames.
    pub fn pairs_digest(&self) -> Digest {
        let mut digest = Digest::new();
        self.found.iter().for_each(|found| found.digest(&mut digest));
        digest
    }
}

/// How many steps [`run`] advances a progress bar by.
pub fn steps(variants: usize, repeat: u32) -> usize {
    (variants + 1) * repeat as usize
}

/// Runs all variants, and the floor, `repeat` times over the recording.
///
/// # Errors
/// If two of them find different pairs, or a scene refuses a frame.
pub fn run(
    recording: Recording,
    question: Question,
    variants: &[Variant],
    repeat: u32,
    bar: &ProgressBar,
) -> Result<Outcome> {
    let mut runners = Vec::new();
    for variant in variants {
        bar.set_message(format!("{}: building {}", recording.scene, variant.label));
        runners.push(Runner::new(variant, question, &recording)?);
    }
    let mut caller: Vec<Vec<[f32; 3]>> = recording.meshes().iter().map(|_| Vec::new()).collect();
    let mut floor = vec![FrameTime::NEVER; recording.len()];
    let mut found: Vec<Found> = Vec::new();
    for _ in 0..repeat {
        for runner in &mut runners {
            bar.set_message(format!("{}: {}", recording.scene, runner.label));
            runner.pass(&recording, question, &mut caller, |at, label, contacts| {
                let theirs = Found::of(contacts);
                if at == found.len() {
                    found.push(theirs);
                    return Ok(());
                }
                theirs.ensure_agrees(&found[at], [label, &variants[0].label], question, &recording, at)
            })?;
            bar.inc(1);
        }
        bar.set_message(format!("{}: {FLOOR}", recording.scene));
        floor_pass(&recording, &found, &mut caller, &mut floor);
        bar.inc(1);
    }
    let mut times: Vec<Times> = runners.into_iter().map(|r| Times { label: r.label, frames: r.best }).collect();
    times.push(Times { label: FLOOR.to_owned(), frames: floor });
    Ok(Outcome { recording, found, times })
}

/// A method with its scene.
struct Runner {
    label: String,
    scene: Scene,
    ids: Vec<BodyId>,
    with_poses: bool,
    best: Vec<FrameTime>,
}

impl Runner {
    fn new(variant: &Variant, question: Question, recording: &Recording) -> Result<Self> {
        let (mut scene, ids) = recording.scene_before(variant.method)?;
        for &id in &ids {
            scene.set_self_collision(id, question == Question::SelfPairs)?;
        }
        let (label, with_poses) = (variant.label.clone(), variant.with_poses);
        Ok(Self { label, scene, ids, with_poses, best: vec![FrameTime::NEVER; recording.len()] })
    }

    /// Goes through the frames once, handing every answer to `check` while no clock runs.
    fn pass(
        &mut self,
        recording: &Recording,
        question: Question,
        caller: &mut [Vec<[f32; 3]>],
        mut check: impl FnMut(usize, &str, Contacts<'_>) -> Result<()>,
    ) -> Result<()> {
        for at in 0..recording.len() {
            fill(caller, recording.frame(at));
            let start = Instant::now();
            for ((&id, positions), pose) in self.ids.iter().zip(&*caller).zip(recording.poses(at)) {
                self.scene.set_positions(id, positions)?;
                if let Some(pose) = pose.filter(|_| self.with_poses) {
                    self.scene.set_pose(id, pose)?;
                }
            }
            let frame = self.scene.update()?;
            let updated = Instant::now();
            let contacts = match question {
                Question::FirstPair => frame.witnesses(),
                Question::AllPairs | Question::SelfPairs => frame.contacts(),
            };
            let done = Instant::now();
            self.best[at].keep_best(FrameTime { update: updated - start, query: done - updated });
            check(at, &self.label, contacts)?;
        }
        Ok(())
    }
}

fn floor_pass(recording: &Recording, found: &[Found], caller: &mut [Vec<[f32; 3]>], best: &mut [FrameTime]) {
    let mut boxes = Vec::new();
    for at in 0..recording.len() {
        fill(caller, recording.frame(at));
        let now = |body: usize| Now { triangles: recording.meshes()[body].indices(), positions: &caller[body] };
        let start = Instant::now();
        floor::boxes(caller, &mut boxes);
        let updated = Instant::now();
        for contact in &found[at].contacts {
            black_box(floor::test_pairs(now(contact.a as usize), now(contact.b as usize), contact.listed()));
        }
        let done = Instant::now();
        best[at].keep_best(FrameTime { update: updated - start, query: done - updated });
    }
}

/// The caller's own buffers, as a simulation would have written them just now.
pub(crate) fn fill(caller: &mut [Vec<[f32; 3]>], positions: &[Vec<[f32; 3]>]) {
    for (buffer, positions) in caller.iter_mut().zip(positions) {
        buffer.clone_from(positions);
    }
    black_box(caller);
}

/// Makes sure that brute force finds the same in some of the frames recorded.
///
/// # Errors
/// If it does not.
pub fn check_by_brute_force(outcome: &Outcome, frames: &[usize], bar: &ProgressBar) -> Result<()> {
    let method = Method::BruteForce;
    for &at in frames {
        bar.set_message(format!("{}: {method} in frame {}", outcome.recording.scene, outcome.recording.number(at)));
        let (mut scene, _) = outcome.recording.scene_at(method, at)?;
        let sure = Found::of(scene.update()?.contacts());
        let names = [method.name(), &outcome.times[0].label];
        sure.ensure_agrees(&outcome.found[at], names, Question::AllPairs, &outcome.recording, at)?;
        bar.inc(1);
    }
    Ok(())
}
