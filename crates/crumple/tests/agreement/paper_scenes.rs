//! The scenes of Larsson & Akenine-Möller's experiments 2 and 3: as many pairs as they are made for, the same by every method.

use crumple::{Body, Pose};
use crumple_methods::Method;
use crumple_scenes::{Crowd, Scene, by_name, crowd_apart};

use crate::support::methods::{default_methods, methods};
use crate::support::playback::{Found, Playback, bodies, move_bodies, truth};

fn pose(scene: &Scene, body: usize, frame: usize) -> Pose {
    let place = scene.bodies()[body].placement(frame).unwrap();
    Pose::new(place.rotation, place.translation).unwrap()
}

fn pair_count(found: &Found) -> usize {
    found.iter().map(|(.., pairs)| pairs.len()).sum()
}

#[test]
fn every_method_agrees_on_bodies_that_are_pushed_apart_with_and_without_poses() {
    for crowd in [Crowd::Spheres, Crowd::Arms] {
        let scene = crowd_apart(crowd, 2).unwrap();
        let frames: Vec<usize> = (40..200).step_by(20).collect();
        let mut moved = bodies(&scene);
        let mut answers: Vec<Found> = Vec::new();
        for &frame in &frames {
            move_bodies(&mut moved, &scene.frame(frame));
            answers.push(truth(&moved));
        }
        // Coarse bodies keep farther apart than fine ones, on the same paths.
        let counts: Vec<usize> = answers.iter().map(pair_count).collect();
        assert!(counts.iter().filter(|&&count| count > 0).count() >= 2, "{crowd:?}: {counts:?}");
        for method in methods() {
            // Only local trees read a pose.
            let ways = if method.name().starts_with("local-tree") { &[false, true][..] } else { &[true] };
            for &with_poses in ways {
                let mut playback = Playback::new(&*method, &bodies(&scene));
                for (&frame, expected) in frames.iter().zip(&answers) {
                    playback.move_bodies(&scene.frame(frame));
                    for (body, id) in playback.ids.clone().into_iter().enumerate().filter(|_| with_poses) {
                        playback.scene.set_pose(id, pose(&scene, body, frame)).unwrap();
                    }
                    assert!(playback.contacts() == *expected, "{method} in frame {frame} of {crowd:?}, {with_poses}");
                }
            }
        }
    }
}

#[test]
fn every_method_agrees_on_the_published_crowds_at_full_size() {
    for name in ["LE3-spheres-apart", "LE3-arms-apart"] {
        let scene = by_name(name).unwrap();
        let mut expected: Option<Found> = None;
        for method in default_methods().iter().filter(|method| method.name() != Method::BruteForce.name()) {
            let mut playback = Playback::new(&**method, &bodies(&scene));
            playback.move_bodies(&scene.frame(120));
            for (body, id) in playback.ids.clone().into_iter().enumerate() {
                playback.scene.set_pose(id, pose(&scene, body, 120)).unwrap();
            }
            let found = playback.contacts();
            assert!(found == *expected.get_or_insert_with(|| found.clone()), "{method} on {name}");
        }
    }
}

/// The pairs of some frames of a published scene, by the default method.
fn pairs_in(name: &str, frames: impl Iterator<Item = usize>) -> Vec<usize> {
    let scene = by_name(name).unwrap();
    let mut moving = crumple::Scene::new();
    let ids: Vec<_> = bodies(&scene).into_iter().map(|body: Body| moving.add(body)).collect();
    let mut count = |frame: usize| {
        for (&id, body) in ids.iter().zip(scene.bodies()) {
            moving.set_positions(id, &body.positions_at(frame)).unwrap();
        }
        moving.update().unwrap().contacts().pair_count()
    };
    frames.map(&mut count).collect()
}

#[test]
fn bodies_that_are_pushed_apart_meet_in_some_hundred_pairs_and_not_in_thousands() {
    for name in ["LE3-spheres-apart", "LE3-arms-apart"] {
        let pairs = pairs_in(name, (0..200).step_by(5));
        assert_eq!(pairs[..4], [0; 4], "{name}: the bodies start apart");
        let mean = pairs.iter().sum::<usize>() / pairs.len();
        assert!((200..600).contains(&mean) && pairs.iter().all(|&pairs| pairs < 1_000), "{name}: {pairs:?}");
    }
    // The deep crowd, which is not what the paper describes, has ten times as many.
    assert!(pairs_in("LE3-spheres", 190..191)[0] > 5_000);
}

#[test]
fn spheres_with_bumps_as_fine_as_their_mesh_meet_in_as_many_pairs_as_in_the_paper() {
    let paper = [
        (1_280, 138),
        (5_120, 562),
        (8_192, 1_010),
        (16_384, 2_422),
        (20_480, 3_760),
        (32_768, 4_775),
        (65_536, 12_358),
    ];
    for (triangles, pairs) in paper {
        // The worst frame is one of the last in all of them.
        let most = pairs_in(&format!("LE2-paper-{triangles}"), 190..200).into_iter().max().unwrap();
        let ratio = most as f64 / f64::from(pairs);
        assert!((0.97..1.03).contains(&ratio), "{triangles}: {most} pairs instead of {pairs}");
    }
}
