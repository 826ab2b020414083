//! Bodies that meet themselves.

use crumple::Body;
use crumple::narrow::Wanted;

use crate::support::methods::{brute_force, methods};
use crate::support::playback::{bodies, move_bodies};

/// How many bodies of a scene are looked at: in a crowd one is like another.
const BODIES: usize = 2;

#[test]
fn every_method_finds_the_self_pairs_that_brute_force_finds() {
    for scene in crumple_scenes::small().iter().filter(|scene| scene.name() != "small-cloth") {
        let last = scene.frame_count() - 1;
        check(scene, &[last / 2, last]);
    }
}

#[test]
fn every_method_finds_where_a_rolled_cloth_meets_itself() {
    let scenes = crumple_scenes::small();
    let cloth = scenes.iter().find(|scene| scene.name() == "small-cloth").unwrap();
    assert!(check(cloth, &[0, 25, 31, 40, 59]) > 1_000);
}

/// Returns how many self pairs there are in the last frame.
fn check(scene: &crumple_scenes::Scene, frames: &[usize]) -> usize {
    let mut bodies: Vec<Body> = bodies(scene).into_iter().take(BODIES).collect();
    let methods = methods();
    let mut trees: Vec<_> = methods.iter().map(|method| method.trees(&bodies)).collect();
    let mut count = 0;
    for &number in frames {
        move_bodies(&mut bodies, &scene.frame(number));
        count = 0;
        for at in 0..bodies.len() {
            let truth = brute_force().trees(&bodies).pairs(&bodies, at, at, Wanted::All);
            count += truth.len();
            for (method, trees) in methods.iter().zip(&mut trees) {
                let context = format!("{method} on body {at} of {} in frame {number}", scene.name());
                trees.update(&bodies);
                let first = trees.pairs(&bodies, at, at, Wanted::First);
                assert_eq!(first.len(), truth.len().min(1), "{context}");
                assert!(first.iter().all(|pair| truth.contains(pair)), "{context}");
                assert!(trees.pairs(&bodies, at, at, Wanted::All) == truth, "{context}");
            }
        }
    }
    count
}
