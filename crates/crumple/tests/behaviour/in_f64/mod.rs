//! Every question about bodies with f64 positions, which differ from what f32 can hold: against brute force on the f64
//! numbers, against the same bodies moved far away, and against f32 bodies where the numbers are f32 numbers.

mod contact;
mod distance;
mod motion;
mod positions;
mod probe;
mod scene;
mod soups;
mod volume;

use crate::support::playback::Frame;
use crumple::{Body, BodyId, Scene};
use crumple_scenes::Random;

/// The finest step between positions here: with it, numbers below 8 can be moved by 2^20 without rounding.
const UNIT: f64 = 1.0 / (1u64 << 32) as f64;

/// Far enough away for f32 numbers to be multiples of 1/8, where f64 numbers are multiples of [`UNIT`].
const FAR: f64 = (1u64 << 20) as f64;

/// A position in f64.
type Wide = [f64; 3];

/// Positions that are a little off f32 numbers: by less than these are apart, for most.
fn perturbed(positions: &[[f32; 3]], seed: u64) -> Vec<Wide> {
    let mut random = Random::new(seed);
    let mut moved = |x: f32| {
        let units = (f64::from(x) / UNIT).round() + random.integer(-63, 63) as f64;
        units * UNIT
    };
    positions.iter().map(|&[x, y, z]| [moved(x), moved(y), moved(z)]).collect()
}

fn shifted(positions: &[Wide], by: f64) -> Vec<Wide> {
    positions.iter().map(|position| position.map(|x| x + by)).collect()
}

/// The bodies of a small scene and some of its frames, with positions a little off f32 numbers.
fn small_scene(name: &str, numbers: &[usize]) -> (Vec<Body>, Vec<Vec<Vec<Wide>>>) {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == name).unwrap();
    let perturbed = |frame: Frame, seed: usize| -> Vec<Vec<Wide>> {
        (1..).zip(frame).map(|(body, positions)| perturbed(&positions, 100 * seed as u64 + body)).collect()
    };
    let frames = numbers.iter().map(|&number| perturbed(scene.frame(number), number)).collect();
    (crate::support::playback::bodies(scene), frames)
}

/// A scene of the same meshes, at f64 positions that are moved.
fn scene_at(bodies: &[Body], positions: &[Vec<Wide>], by: f64) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new();
    let at =
        |(body, positions): (&Body, &Vec<Wide>)| Body::new_f64(body.mesh().clone(), &shifted(positions, by)).unwrap();
    let ids = bodies.iter().zip(positions).map(|both| scene.add(at(both))).collect();
    (scene, ids)
}

fn set_all(scene: &mut Scene, ids: &[BodyId], positions: &[Vec<Wide>], by: f64) {
    for (&id, positions) in ids.iter().zip(positions) {
        scene.set_positions_f64(id, &shifted(positions, by)).unwrap();
    }
}

/// Bodies in two kinds of numbers, at the same positions: f32 numbers.
fn both_kinds(body: &Body) -> [Body; 2] {
    let wide: Vec<Wide> = body.positions().iter().map(|position| position.map(f64::from)).collect();
    [body.clone(), Body::new_f64(body.mesh().clone(), &wide).unwrap()]
}
