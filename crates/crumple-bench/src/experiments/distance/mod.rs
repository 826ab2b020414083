//! DE1 to DE4: how far apart bodies are, what is near, closest points and rays.
//!
//! A frame's time is *update* (`set_positions` for all bodies and `Scene::update`) and *query*. Every frame is made before the
//! clock starts, the best of several passes counts, and the floor is timed in the same passes: one streaming pass for the
//! boxes of all bodies, then one test of two triangles, of a point and a triangle, or of a ray and a triangle, for each
//! thing of the known answer.

mod floor;
mod probes;

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{BodyId, Scene};
use crumple_io::report::micros;
use crumple_methods::Method;

use crate::experiment::Findings;
use crate::measure::Recording;
use crate::measure::floor::{self as floors, Now};
use crate::measure::passes::fill;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::summary::median;
use floor::FeatureTriangles;
pub(crate) use probes::{de3, de4};

/// Update and query of a frame in microseconds, and its floor.
#[derive(Clone, Copy)]
struct Times {
    update: f64,
    query: f64,
    floor: f64,
}

impl Times {
    const NONE: Self = Self { update: f64::INFINITY, query: f64::INFINITY, floor: f64::INFINITY };

    fn keep_best(&mut self, update: f64, query: f64, floor: f64) {
        if update + query < self.update + self.query {
            (self.update, self.query) = (update, query);
        }
        self.floor = self.floor.min(floor);
    }
}

/// LE1 before contact, by a search that starts from the last frame's answer and by one that does not.
pub(crate) fn de1(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("LE1")?;
    let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
    let (mut scene, ids) = recording.scene_at(Method::default(), 0)?;
    let (mut warm, mut cold) = (vec![Times::NONE; recording.len()], vec![Times::NONE; recording.len()]);
    let mut found = vec![None; recording.len()];
    let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); ids.len()];
    let mut boxes = Vec::new();
    let bar = settings.bar(settings.repeat as usize);
    for _ in 0..settings.repeat {
        set_all(&mut scene, &ids, recording.frame(0))?;
        scene.update()?.distance(ids[0], ids[1])?;
        for at in 0..recording.len() {
            fill(&mut caller, recording.frame(at));
            let start = Instant::now();
            set_all(&mut scene, &ids, &caller)?;
            let frame = scene.update()?;
            let updated = Instant::now();
            let closest = frame.distance(ids[0], ids[1])?;
            let done = Instant::now();
            let before = found[at].replace(closest);
            ensure!(before.is_none_or(|before| before == closest), "another pass found another distance");
            if closest.distance.hi == 0.0 {
                break;
            }
            let pair = [[closest.triangles.a.0, closest.triangles.b.0]];
            let now = |body: usize| Now { triangles: recording.meshes()[body].indices(), positions: &caller[body] };
            let floor_start = Instant::now();
            floors::boxes(&caller, &mut boxes);
            floors::test_pairs(now(0), now(1), &pair);
            let floor = micros(floor_start.elapsed());
            let update = micros(updated - start);
            warm[at].keep_best(update, micros(done - updated), floor);
            // A clone knows nothing of earlier searches.
            let mut fresh = scene.clone();
            let frame = fresh.update()?;
            let start = Instant::now();
            let again = frame.distance(ids[0], ids[1])?;
            cold[at].keep_best(update, micros(start.elapsed()), floor);
            ensure!(again == closest, "a search without a start found another distance");
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let apart = found.iter().flatten().take_while(|closest| closest.distance.hi > 0.0).count();
    ensure!(apart > 0, "the bodies touch in all of these frames");
    let caption = format!("{} ({}): {apart} frames before contact", recording.scene, recording.digest);
    let mut findings = Findings::default();
    findings.tables.push(summary(caption, &[("warm", &warm[..apart]), ("cold", &cold[..apart])]));
    let mut frames = Figures::new(
        "frames",
        "",
        &[
            ("frame", "frame"),
            ("distance", "distance"),
            ("update", "update_us"),
            ("warm", "warm_us"),
            ("cold", "cold_us"),
            ("floor", "floor_us"),
        ],
    );
    for at in 0..apart {
        frames.row(vec![
            Cell::Count(recording.number(at)),
            Cell::Number(found[at].map_or(0.0, |closest| closest.distance.hi)),
            Cell::Micros(warm[at].update),
            Cell::Micros(warm[at].query),
            Cell::Micros(cold[at].query),
            Cell::Micros(warm[at].floor),
        ]);
    }
    findings.details.push(frames);
    Ok(findings)
}

/// Every so many frames of CR1 are measured: at 1 % of its size, the cloth has millions of near features per frame.
const EVERY: usize = 6;

/// The cloth of CR1 with itself: all features closer than 1 % and 0.1 % of its size.
pub(crate) fn de2(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("CR1")?;
    let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
    let frames: Vec<usize> = (0..recording.len()).step_by(EVERY).collect();
    let triangles = FeatureTriangles::of(&recording.meshes()[0]);
    let mut findings = Findings::default();
    for part in [0.01, 0.001] {
        let (mut scene, ids) = recording.scene_at(Method::default(), 0)?;
        scene.set_self_collision(ids[0], true)?;
        let extent = scene.body(ids[0])?.bounds().extent();
        let d = part * f64::from(extent.into_iter().fold(0.0, f32::max));
        let mut times = vec![Times::NONE; frames.len()];
        let mut counts = vec![None; frames.len()];
        let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); ids.len()];
        let (mut boxes, mut pairs) = (Vec::new(), Vec::new());
        let bar = settings.bar(settings.repeat as usize);
        for _ in 0..settings.repeat {
            for (at, &frame) in frames.iter().enumerate() {
                fill(&mut caller, recording.frame(frame));
                let start = Instant::now();
                set_all(&mut scene, &ids, &caller)?;
                let frame = scene.update()?;
                let updated = Instant::now();
                let near = frame.near(d);
                let done = Instant::now();
                let before = counts[at].replace(near.len());
                ensure!(before.is_none_or(|before| before == near.len()), "another pass found other features");
                triangles.pairs(near.between(ids[0], ids[0]), &mut pairs);
                let now = || Now { triangles: recording.meshes()[0].indices(), positions: &caller[0] };
                let floor_start = Instant::now();
                floors::boxes(&caller, &mut boxes);
                floors::test_pairs(now(), now(), &pairs);
                let floor = micros(floor_start.elapsed());
                times[at].keep_best(micros(updated - start), micros(done - updated), floor);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let count: usize = counts.iter().flatten().sum();
        let caption = format!(
            "{} ({}): features of one body closer than {d:.5}, {} % of its size: {count} in {} frames",
            recording.scene,
            recording.digest,
            100.0 * part,
            frames.len()
        );
        let mut table = summary(caption, &[("near", &times)]);
        table.name = if part > 0.005 { "one-percent" } else { "tenth-percent" };
        findings.tables.push(table);
    }
    Ok(findings)
}

fn set_all(scene: &mut Scene, ids: &[BodyId], positions: &[Vec<[f32; 3]>]) -> Result<()> {
    for (&id, positions) in ids.iter().zip(positions) {
        scene.set_positions(id, positions)?;
    }
    Ok(())
}

/// A table with a row per question: medians over the frames.
fn summary(caption: String, questions: &[(&str, &[Times])]) -> Figures {
    let columns = [
        ("question", "question"),
        ("update", "update_us"),
        ("query", "query_us"),
        ("both", "median_us"),
        ("worst", "worst_us"),
        ("floor", "floor_us"),
        ("/ floor", "ratio_to_floor"),
    ];
    let mut figures = Figures::new("summary", caption, &columns);
    for (name, times) in questions {
        let middle = |of: fn(&Times) -> f64| median(&times.iter().map(of).collect::<Vec<f64>>());
        let (both, floor) = (middle(|times| times.update + times.query), middle(|times| times.floor));
        let worst = times.iter().map(|times| times.update + times.query).fold(0.0, f64::max);
        figures.row(vec![
            Cell::text(*name),
            Cell::Micros(middle(|times| times.update)),
            Cell::Micros(middle(|times| times.query)),
            Cell::Micros(both),
            Cell::Micros(worst),
            Cell::Micros(floor),
            Cell::Ratio(both / floor),
        ]);
    }
    figures
}
