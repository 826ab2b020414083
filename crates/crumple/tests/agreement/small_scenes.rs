//! Small versions of all scenes, played through [`crumple::Scene`], so that broad phase and trees age as they do in use.

use crate::support::counts::full_counts;
use crate::support::methods::{fast, methods};
use crate::support::playback::{Playback, assert_first_pairs, bodies, move_bodies, truth};

#[test]
fn every_method_finds_what_brute_force_finds_where_two_bodies_meet() {
    check_scenes(|bodies| bodies == 2);
}

#[test]
fn every_method_finds_what_brute_force_finds_where_many_bodies_meet() {
    check_scenes(|bodies| bodies > 2);
}

fn check_scenes(is_meant: impl Fn(usize) -> bool) {
    let scenes = crumple_scenes::small();
    for scene in scenes.iter().filter(|scene| is_meant(scene.bodies().len())) {
        assert!(check(scene) > 0, "{} has no contact at all", scene.name());
    }
}

/// Plays a scene under every method at once; returns how many pairs there were.
fn check(scene: &crumple_scenes::Scene) -> usize {
    let methods = methods();
    let mut bodies = bodies(scene);
    let mut playbacks: Vec<_> = methods.iter().map(|method| Playback::new(&**method, &bodies)).collect();
    let mut count = 0;
    for number in frames(scene) {
        let frame = scene.frame(number);
        move_bodies(&mut bodies, &frame);
        let truth = truth(&bodies);
        for (method, playback) in methods.iter().zip(&mut playbacks) {
            playback.move_bodies(&frame);
            let context = || format!("{method} on {} in frame {number}", scene.name());
            // Each question also comes first, when boxes below the dividing level are stale.
            let first_comes_first = number % 2 == 1;
            if first_comes_first {
                assert_first_pairs(&playback.witnesses(), &truth, &context);
            }
            assert!(playback.contacts() == truth, "{}", context());
            if !first_comes_first {
                assert_first_pairs(&playback.witnesses(), &truth, &context);
            }
        }
        count += truth.iter().map(|(_, _, pairs)| pairs.len()).sum::<usize>();
    }
    count
}

/// Every frame where brute force is quick; otherwise some, with those around the first contact, and the last. A fifth of
/// these unless all are wanted.
fn frames(scene: &crumple_scenes::Scene) -> Vec<usize> {
    let triangles: usize = scene.bodies().iter().map(|body| body.triangles().len()).sum();
    let step = (triangles * triangles).div_ceil(7_000_000);
    // Five times an odd step is odd, so that each question still comes first in turn.
    let step = if full_counts() { step } else { 5 * step };
    let first_contact = first_contact(scene);
    let near_first = |frame: usize| frame + 1 == first_contact || frame == first_contact;
    let last = scene.frame_count() - 1;
    (0..=last).filter(|&frame| frame % step == 0 || near_first(frame) || frame == last).collect()
}

fn first_contact(scene: &crumple_scenes::Scene) -> usize {
    let mut playback = Playback::new(&*fast(), &bodies(scene));
    let meets = |&frame: &usize| {
        playback.move_bodies(&scene.frame(frame));
        !playback.witnesses().is_empty()
    };
    (0..scene.frame_count()).find(meets).unwrap_or(0)
}
