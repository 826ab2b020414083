//! f64 bodies: a second identical pass over a sequence allocates nothing on one thread, whatever the method.

use crate::support::doubles::perturbed;
use crate::support::methods::{default_methods, steady_methods};
use crate::support::playback::Playback;
use allocation_counter::measure;
use crumple::{Body, Mesh};
use crumple_scenes::Random;

/// The positions of every body in a frame.
type FramePositions = Vec<Vec<[f64; 3]>>;

/// The bodies of a scene in the first of some frames, and all of these, perturbed below what f32 resolves.
fn perturbed_scene(name: &str, count: usize) -> (Vec<Body>, Vec<FramePositions>) {
    let scene = crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap();
    let mut random = Random::new(1);
    let last = scene.frame_count() - 1;
    let frames: Vec<FramePositions> = (0..count)
        .map(|i| {
            let positions = scene.frame(i * last / (count - 1));
            positions.iter().map(|positions| perturbed(&mut random, positions)).collect()
        })
        .collect();
    let body = |(of, positions): (&crumple_scenes::SceneBody, &Vec<[f64; 3]>)| {
        Body::new_f64(Mesh::new(positions.len(), of.triangles().to_vec()).unwrap(), positions).unwrap()
    };
    (scene.bodies().iter().zip(&frames[0]).map(body).collect(), frames)
}

/// Runs every frame twice on one thread, by all three ways to give positions; returns the pairs of a pass and how often
/// the second one allocated.
fn second_pass(playback: &mut Playback, frames: &[FramePositions]) -> (usize, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut pass = || {
        let mut pairs = 0;
        for (number, frame) in frames.iter().enumerate() {
            for (&id, positions) in playback.ids.iter().zip(frame) {
                match number % 3 {
                    0 => playback.scene.set_positions(id, positions).unwrap(),
                    1 => playback.scene.positions_mut_f64(id).unwrap().copy_from_slice(positions),
                    _ => playback.scene.write_positions_f64(id, |_, new| new.copy_from_slice(positions)).unwrap(),
                }
            }
            let frame = playback.scene.update().unwrap();
            pairs += frame.contacts().pair_count() + frame.witnesses().len();
        }
        pairs
    };
    pool.install(|| {
        let first = pass();
        let mut second = 0;
        let counted = measure(|| second = pass());
        assert_eq!(first, second);
        (first, counted.count_total)
    })
}

#[test]
fn two_f64_bodies_under_every_method() {
    let (bodies, frames) = perturbed_scene("small-scatter", 7);
    for method in default_methods() {
        let (found, allocations) = second_pass(&mut Playback::new(&*method, &bodies), &frames);
        assert!(found > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn an_f64_body_that_meets_itself_and_another() {
    let (bodies, frames) = perturbed_scene("small-inside-out", 5);
    for method in steady_methods() {
        let mut playback = Playback::new(&*method, &bodies).with_self_collision();
        let (found, allocations) = second_pass(&mut playback, &frames);
        assert!(found > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}
