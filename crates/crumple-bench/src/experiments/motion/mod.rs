//! CD1 to CD4: continuous detection over the steps of a scene, from each frame to the next.
//!
//! A step's time is *update* (`set_positions` for all bodies and `Scene::update`) and *query* (`Frame::first_impact` or
//! `Frame::impacts`: boxes over the step, walk, exact tests, the sorted list). As for pairs, every frame is made before the
//! clock starts, the best of several passes counts, and passes of both questions and the floor alternate.
//!
//! The floor is that of pairs: one streaming pass for the boxes of all bodies (those of the start were made a step ago), then
//! a triangle test of one pair of triangles for each impact of the answer, triangles that have the features that meet.

mod floor;
mod summary;

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Between, BodyId, Impact, Scene};
use crumple_io::report::micros;
use crumple_methods::Method;
use indicatif::ProgressBar;

use crate::catalogue::CLOTH;
use crate::experiment::Findings;
use crate::measure::Recording;
use crate::measure::passes::fill;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale};
use floor::{FloorPairs, Triangles, floor_pairs, floor_pass};
use summary::summary;

/// The impacts of one step.
type Impacts = Vec<Between<Impact>>;

pub(crate) fn cd1(settings: &Settings) -> Result<Findings> {
    run("CD1", published(&["LE1"], settings)?, false, settings)
}

pub(crate) fn cd2(settings: &Settings) -> Result<Findings> {
    run("CD2", published(&["CR1"], settings)?, true, settings)
}

pub(crate) fn cd3(settings: &Settings) -> Result<Findings> {
    run("CD3", published(&["LE3-spheres", "LE3-arms"], settings)?, false, settings)
}

pub(crate) fn cd4(settings: &Settings) -> Result<Findings> {
    let shapes = CLOTH.iter().map(|file| settings.shape(file)).collect::<Result<_>>()?;
    run("CD4", vec![Recording::of_shapes("cloth_ball92 to 93", shapes)?], true, settings)
}

/// The frames of published scenes.
fn published(scenes: &[&str], settings: &Settings) -> Result<Vec<Recording>> {
    let recording = |&scene: &&str| {
        let scene = crumple_scenes::by_name(scene)?;
        Recording::of(&scene, settings.frames_of(scene.frame_count())?)
    };
    scenes.iter().map(recording).collect()
}

/// What is computed for every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    First,
    All,
}

impl Question {
    const BOTH: [Self; 2] = [Self::First, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::First => "first impact",
            Self::All => "all impacts",
        }
    }
}

/// Update and query of a step, in microseconds.
type Times = [f64; 2];

/// The times of a scene and a question, step by step.
struct Outcome {
    question: Question,
    best: Vec<Times>,
    floor: Vec<Times>,
}

fn run(name: &'static str, scenes: Vec<Recording>, own: bool, settings: &Settings) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut steps = Figures::new(
        "steps",
        "",
        &[
            ("scene", "scene"),
            ("question", "question"),
            ("to frame", "frame"),
            ("impacts", "impacts"),
            ("update", "update_us"),
            ("query", "query_us"),
            ("both", "step_us"),
            ("floor", "floor_us"),
        ],
    );
    for recording in scenes {
        ensure!(recording.len() > 1, "a step needs two frames");
        let bar = settings.bar(3 * settings.repeat as usize);
        bar.tick();
        let (found, outcomes) = measure(&recording, own, settings, &bar)?;
        bar.finish_and_clear();
        for outcome in &outcomes {
            for (at, (best, floor)) in outcome.best.iter().zip(&outcome.floor).enumerate() {
                steps.row(vec![
                    Cell::text(&recording.scene),
                    Cell::text(outcome.question.name()),
                    Cell::Count(recording.number(at + 1)),
                    Cell::count(found[at].len()),
                    Cell::Micros(best[0]),
                    Cell::Micros(best[1]),
                    Cell::Micros(total(best)),
                    Cell::Micros(total(floor)),
                ]);
            }
        }
        findings.tables.push(summary(&recording, &found, &outcomes));
    }
    findings.panels.push(Panel {
        title: format!("{name}: impacts of every step"),
        x: "frame the step leads to".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds, update and query".to_owned(),
        series: steps.series(&["scene", "question"], "frame", "step_us", 0.001),
    });
    findings.details.push(steps);
    Ok(findings)
}

/// All impacts of every step, and the times of both questions.
fn measure(
    recording: &Recording,
    own: bool,
    settings: &Settings,
    bar: &ProgressBar,
) -> Result<(Vec<Impacts>, Vec<Outcome>)> {
    let steps = recording.len() - 1;
    let never = || vec![[f64::INFINITY, 0.0]; steps];
    let (mut scene, ids) = recording.scene_at(Method::default(), 0)?;
    for &id in &ids {
        scene.set_self_collision(id, own)?;
    }
    let mut outcomes = Question::BOTH.map(|question| Outcome { question, best: never(), floor: never() });
    let mut caller: Vec<Vec<[f32; 3]>> = ids.iter().map(|_| Vec::new()).collect();
    let mut found: Vec<Impacts> = vec![Vec::new(); steps];
    // The pairs that the floor confirms, in the order of the questions.
    let mut known: [Vec<FloorPairs>; 2] = Default::default();
    for pass in 0..settings.repeat {
        // All impacts first: what the other question finds must be the first of them.
        for outcome in outcomes.iter_mut().rev() {
            let question = outcome.question;
            bar.set_message(format!("{}: {}", recording.scene, question.name()));
            begin(&mut scene, &ids, recording)?;
            for (at, best) in outcome.best.iter_mut().enumerate() {
                fill(&mut caller, recording.frame(at + 1));
                let start = Instant::now();
                for (&id, positions) in ids.iter().zip(&caller) {
                    scene.set_positions(id, positions)?;
                }
                let frame = scene.update()?;
                let updated = Instant::now();
                let impacts = match question {
                    Question::First => frame.first_impact().map(std::slice::from_ref).unwrap_or_default(),
                    Question::All => frame.impacts(),
                };
                let done = Instant::now();
                keep_best(best, [micros(updated - start), micros(done - updated)]);
                match question {
                    Question::All if pass == 0 => found[at] = impacts.to_vec(),
                    Question::All => ensure!(impacts == found[at], "another pass found other impacts"),
                    Question::First => {
                        ensure!(impacts.first() == found[at].first(), "the first impact is not the first of all");
                    }
                }
            }
            bar.inc(1);
        }
        if pass == 0 {
            let triangles: Vec<Triangles> = recording.meshes().iter().map(|mesh| Triangles::new(mesh)).collect();
            let pairs = |impacts: &[Between<Impact>]| floor_pairs(impacts, &ids, &triangles);
            known[0] = found.iter().map(|impacts| pairs(&impacts[..impacts.len().min(1)])).collect();
            known[1] = found.iter().map(|impacts| pairs(impacts)).collect();
        }
        for (outcome, known) in outcomes.iter_mut().zip(&known) {
            floor_pass(recording, known, &mut outcome.floor, &mut caller);
        }
        bar.inc(1);
    }
    Ok((found, outcomes.into()))
}

/// Brings the bodies to the first frame, where they rest for a step, and lets the trees be made while no clock runs.
fn begin(scene: &mut Scene, ids: &[BodyId], recording: &Recording) -> Result<()> {
    for _ in 0..2 {
        for (&id, positions) in ids.iter().zip(recording.frame(0)) {
            scene.set_positions(id, positions)?;
        }
        scene.update()?;
    }
    scene.update()?.first_impact();
    Ok(())
}

fn total(times: &Times) -> f64 {
    times[0] + times[1]
}

fn keep_best(best: &mut Times, times: Times) {
    if total(&times) < total(best) {
        *best = times;
    }
}
