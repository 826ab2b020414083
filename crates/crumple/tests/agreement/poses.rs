//! A pose says how well boxes fit, never which triangles meet.

use crumple::narrow::Wanted;
use crumple::{Body, Pose};

use crate::support::methods::{brute_force, default_methods, methods};
use crate::support::playback::{bodies, move_bodies};
use crate::support::soups::soup_of_shared_vertices;
use crumple_scenes::Random;

/// Any rotation, and a translation of any size.
fn pose(random: &mut Random) -> Pose {
    let part = |random: &mut Random| random.integer(-1_000, 1_000) as f64 / 1_000.0;
    let lengths = [1.0, 1e-161, 1e-150, 1e150];
    let length = lengths[random.below(lengths.len() as u64) as usize];
    let sizes = [0.0, 1e-45, 1.0, 1e3, 1e8, 1e20, 1e38, 1e60, 1e307];
    let size = sizes[random.below(sizes.len() as u64) as usize];
    loop {
        let quaternion = [0; 4].map(|_| part(random) * length);
        if let Some(pose) = Pose::new(quaternion, [0; 3].map(|_| part(random) * size)) {
            return pose;
        }
    }
}

fn check(bodies: &mut [Body], random: &mut Random, poses: usize, context: &str) {
    let methods = methods();
    let methods: Vec<_> = methods.iter().filter(|method| method.name().starts_with("local-tree")).collect();
    let truth = brute_force().trees(bodies).pairs(bodies, 0, 1, Wanted::All);
    let truth_of_one = brute_force().trees(bodies).pairs(bodies, 0, 0, Wanted::All);
    let mut trees: Vec<_> = methods.iter().map(|method| method.trees(bodies)).collect();
    for number in 0..poses {
        for body in bodies.iter_mut() {
            body.set_pose(pose(random));
        }
        for (method, trees) in methods.iter().zip(&mut trees) {
            trees.update(bodies);
            let context = || format!("{method}, poses {number}, {context}: {:?}", [bodies[0].pose(), bodies[1].pose()]);
            assert_eq!(trees.pairs(bodies, 0, 1, Wanted::All), truth, "{}", context());
            assert_eq!(trees.pairs(bodies, 0, 0, Wanted::All), truth_of_one, "{}", context());
        }
    }
}

#[test]
fn poses_change_no_answer_about_triangles_that_just_touch() {
    let smallest = f32::from_bits(1);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let unit = [1.0, 0.1, smallest, 1e-38, 1e18, f32::MAX / 8.0][seed as usize % 6];
        let side = random.integer(1, 6);
        let mut bodies = [0; 2].map(|_| soup_of_shared_vertices(&mut random, 20, 12, side, unit));
        check(&mut bodies, &mut random, 10, &format!("seed {seed}"));
    }
}

#[test]
fn poses_change_no_answer_about_bumpy_spheres() {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == "small-spheres-320").unwrap();
    let mut bodies = bodies(scene);
    for frame in [0, 80, 199] {
        move_bodies(&mut bodies, &scene.frame(frame));
        check(&mut bodies, &mut Random::new(frame as u64), 8, &format!("frame {frame}"));
    }
}

#[test]
fn poses_in_a_scene_change_no_answer_of_any_method() {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == "small-spheres-320").unwrap();
    let bodies = bodies(scene);
    let mut random = Random::new(1);
    for method in default_methods() {
        let [mut with, mut without] = [0; 2].map(|_| super::support::playback::Playback::new(&*method, &bodies));
        for number in (0..200).step_by(20) {
            let frame = scene.frame(number);
            with.move_bodies(&frame);
            without.move_bodies(&frame);
            for id in with.ids.clone() {
                with.scene.set_pose(id, pose(&mut random)).unwrap();
            }
            assert!(with.contacts() == without.contacts(), "{method} in frame {number}");
        }
    }
}
