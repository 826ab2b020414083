//! DP1: LE1 with f64 positions beside LE1 in f32.
//!
//! The f64 positions round to those of LE1: each coordinate is moved up to 0.49 of the way to the next f32 number, so that
//! lanes work on the same numbers in both, with a larger bound in one. A frame's time is *update* (`set_positions` for both
//! bodies and `Scene::update`) and *query* (all pairs). Both scenes go through each frame right after one another, in turns first; every
//! frame is made before the clock starts, and the best of several passes counts.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Coordinate, Scene, SceneError};
use crumple_io::report::micros;
use crumple_methods::Method;
use crumple_scenes::Random;

use crate::experiment::Findings;
use crate::measure::Recording;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::summary::median;

/// What is known of a frame: its best times in microseconds, and how many pairs it has.
#[derive(Clone, Copy)]
struct Best {
    update: f64,
    query: f64,
    pairs: usize,
}

impl Best {
    const NONE: Self = Self { update: f64::INFINITY, query: f64::INFINITY, pairs: 0 };

    fn total(&self) -> f64 {
        self.update + self.query
    }
}

pub(crate) fn dp1(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("LE1")?;
    let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
    let mut random = Random::new(23);
    let wide: Vec<Vec<Vec<[f64; 3]>>> = (0..recording.len())
        .map(|at| recording.frame(at).iter().map(|positions| perturbed(&mut random, positions)).collect())
        .collect();
    let (mut scene_f32, ids_f32) = recording.scene_at(Method::default(), 0)?;
    let mut scene_f64 = Scene::new();
    let ids_f64: Vec<BodyId> = recording
        .meshes()
        .iter()
        .zip(&wide[0])
        .map(|(mesh, positions)| Ok(scene_f64.add(Body::new_f64(mesh.clone(), positions)?)))
        .collect::<Result<_>>()?;
    let (mut narrow_caller, mut wide_caller) = (recording.frame(0).to_vec(), wide[0].clone());
    let mut best = [vec![Best::NONE; recording.len()], vec![Best::NONE; recording.len()]];
    let bar = settings.bar(settings.repeat as usize);
    for pass in 0..settings.repeat {
        for at in 0..recording.len() {
            // Whichever comes second finds the mesh, which both share, in the cache: they take turns.
            for turn in 0..2 {
                if turn == pass % 2 {
                    fill(&mut narrow_caller, recording.frame(at));
                    frame(&mut scene_f32, Scene::set_positions, &ids_f32, &narrow_caller, &mut best[0][at])?;
                } else {
                    fill(&mut wide_caller, &wide[at]);
                    frame(&mut scene_f64, Scene::set_positions_f64, &ids_f64, &wide_caller, &mut best[1][at])?;
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut table = Figures::new(
        "precision",
        format!("{} ({}): medians over {} frames", recording.scene, recording.digest, recording.len()),
        &[
            ("positions", "positions"),
            ("update", "update_us"),
            ("query", "query_us"),
            ("frame", "frame_us"),
            ("to f32", "to_f32"),
            ("pairs", "pairs"),
        ],
    );
    let medians = |of: fn(&Best) -> f64| {
        best.each_ref().map(|frames| {
            let mut times: Vec<f64> = frames.iter().map(of).collect();
            times.sort_by(f64::total_cmp);
            median(&times)
        })
    };
    let (update, query, total) = (medians(|b| b.update), medians(|b| b.query), medians(Best::total));
    for (at, name) in ["f32", "f64"].into_iter().enumerate() {
        table.row(vec![
            Cell::text(name),
            Cell::Micros(update[at]),
            Cell::Micros(query[at]),
            Cell::Micros(total[at]),
            Cell::Ratio(total[at] / total[0]),
            Cell::count(best[at].iter().map(|frame| frame.pairs).sum()),
        ]);
    }
    let mut findings = Findings::default();
    findings.tables.push(table);
    Ok(findings)
}

/// Moves all bodies and asks for all pairs; keeps the better time.
fn frame<C>(
    scene: &mut Scene,
    set_positions: impl Fn(&mut Scene, BodyId, &[[C; 3]]) -> Result<(), SceneError>,
    ids: &[BodyId],
    positions: &[Vec<[C; 3]>],
    best: &mut Best,
) -> Result<()> {
    let start = Instant::now();
    for (&id, positions) in ids.iter().zip(positions) {
        set_positions(scene, id, positions)?;
    }
    let frame = scene.update()?;
    let updated = Instant::now();
    let pairs = frame.contacts().pair_count();
    let (update, query) = (micros(updated - start), micros(updated.elapsed()));
    ensure!(best.update.is_infinite() || best.pairs == pairs, "another pass found other pairs");
    if update + query < best.total() {
        *best = Best { update, query, pairs };
    }
    Ok(())
}

/// Copies a frame into the memory of the caller, from which it is then taken.
fn fill<C: Coordinate>(caller: &mut [Vec<[C; 3]>], frame: &[Vec<[C; 3]>]) {
    caller.iter_mut().zip(frame).for_each(|(caller, positions)| caller.clone_from(positions));
    black_box(caller);
}

/// Positions that round to those given.
fn perturbed(random: &mut Random, positions: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let mut near = |x: f32| {
        let next = if random.once_in(2) { x.next_up() } else { x.next_down() };
        f64::from(x) + random.between(0.0, 0.49) * (f64::from(next) - f64::from(x))
    };
    positions.iter().map(|position| position.map(&mut near)).collect()
}
