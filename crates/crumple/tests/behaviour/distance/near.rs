//! All near features: against brute force over all features, and what must not matter.

use super::all_features;
use crate::support::playback::bodies;
use crate::support::soups::{bumpy, hard_pairs, random_pair};
use crumple::distance::FeatureDistance;
use crumple::narrow::wide_tree::{Lanes, WideTreeOptions};
use crumple::{Body, BodyId, FeaturePair, Mesh, NearPair, Scene};
use crumple_methods::Method;

/// Holds near pairs to brute force, bit for bit; returns how many there are.
fn check(name: &str, all: &[(FeaturePair, FeatureDistance)], d: f64, found: &[NearPair]) -> usize {
    let expected: Vec<_> = all.iter().filter(|(_, apart)| apart.distance() < d).collect();
    let features = |pairs: &[NearPair]| pairs.iter().map(|pair| pair.features).collect::<Vec<_>>();
    assert_eq!(features(found), expected.iter().map(|(features, _)| *features).collect::<Vec<_>>(), "{name}, {d}");
    for (found, (_, apart)) in found.iter().zip(&expected) {
        assert_eq!((found.distance_squared, found.barycentric), (apart.squared, apart.barycentric), "{name}, {d}");
        let length = found.direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        if apart.squared > 0.0 {
            assert!((length - 1.0).abs() < 1e-12, "{name}, {d}");
            for axis in 0..3 {
                assert!(
                    (found.direction[axis] * apart.distance() - apart.vector[axis]).abs() <= 1e-12 * apart.distance()
                );
            }
        } else {
            assert_eq!(length, 0.0, "{name}, {d}");
        }
    }
    expected.len()
}

/// Distances at which something happens: around some of those there are, and around none.
fn distances(all: &[(FeaturePair, FeatureDistance)]) -> Vec<f64> {
    let mut apart: Vec<f64> = all.iter().map(|(_, apart)| apart.distance()).collect();
    apart.sort_by(f64::total_cmp);
    let mut asked = vec![0.0, 1e-300, 1e300, f64::INFINITY, f64::NAN, -1.0];
    for part in [0, 1, 20, 90] {
        if let Some(&d) = apart.get(part * apart.len() / 100) {
            asked.extend([d, d.next_up(), 1.01 * d]);
        }
    }
    asked
}

fn scene_of(bodies: &[&Body], method: Method) -> (Scene, Vec<BodyId>) {
    let mut scene = method.scene();
    let ids = bodies.iter().map(|&body| scene.add(body.clone())).collect();
    (scene, ids)
}

#[test]
fn near_features_are_those_of_brute_force_over_all_features() {
    let soups = hard_pairs().into_iter().chain((0..150).map(random_pair));
    let spheres = bumpy(1, &[0, 55, 60, 62, 199]).into_iter().map(|pair| ("spheres".to_string(), pair));
    let mut found = 0;
    for (name, [a, b]) in soups.chain(spheres) {
        let between = all_features(&a, &b, false);
        let (mut scene, ids) = scene_of(&[&a, &b], Method::default());
        let frame = scene.update().unwrap();
        for d in distances(&between) {
            found += check(&name, &between, d, frame.near(d).between(ids[0], ids[1]));
            assert_eq!(frame.near(d).len(), frame.near(d).between(ids[1], ids[0]).len());
        }
    }
    assert!(found > 100_000, "{found}");
}

#[test]
fn near_features_of_one_body_are_those_that_share_no_vertex() {
    let small = |name: &str| crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap();
    let scene = small("small-inside-out");
    let frame = scene.frame(60);
    let folded = Body::new(bodies(&scene)[0].mesh().clone(), &frame[0]).unwrap();
    // Vertices in one place that are welded, and such that are not.
    let doubled = |weld: bool| {
        let mut triangles = folded.mesh().indices()[..200].to_vec();
        let mut positions: Vec<[f32; 3]> = folded.positions().to_vec();
        for triangle in &mut triangles[100..] {
            for corner in triangle {
                positions.push(positions[*corner as usize]);
                *corner = positions.len() as u32 - 1;
            }
        }
        let mesh = Mesh::new(positions.len(), triangles).unwrap();
        let mesh = if weld { mesh.welded(&positions).unwrap() } else { mesh };
        Body::new(mesh, &positions).unwrap()
    };
    let mut soups: Vec<(String, Body)> = hard_pairs().into_iter().map(|(name, [a, _])| (name, a)).collect();
    soups.extend([("welded".into(), doubled(true)), ("not welded".into(), doubled(false))]);
    let mut found = 0;
    for (name, body) in soups {
        let all = all_features(&body, &body, true);
        let (mut scene, ids) = scene_of(&[&body], Method::default());
        assert!(scene.update().unwrap().near(f64::INFINITY).is_empty(), "it was not asked about itself");
        scene.set_self_collision(ids[0], true).unwrap();
        let frame = scene.update().unwrap();
        for d in distances(&all) {
            found += check(&name, &all, d, frame.near(d).between(ids[0], ids[0]));
        }
    }
    assert!(found > 100_000, "{found}");
}

/// A list that can be compared: everything about the pairs, by the places of the bodies.
fn listed(scene: &mut Scene, ids: &[BodyId], d: f64) -> Vec<(usize, usize, NearPair)> {
    let place = |id: BodyId| ids.iter().position(|&other| other == id).unwrap();
    let frame = scene.update().unwrap();
    frame.near(d).iter().map(|near| (place(near.a), place(near.b), near.of)).collect()
}

#[test]
fn threads_instructions_and_methods_change_nothing() {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == "small-spheres-1280").unwrap();
    let bodies = bodies(scene);
    let play = |method: Method| {
        let (mut scene_of, ids) = scene_of(&bodies.iter().collect::<Vec<_>>(), method);
        scene_of.set_self_collision(ids[0], true).unwrap();
        let mut all = Vec::new();
        for number in [0, 50, 60, 100] {
            let frame = scene.frame(number);
            ids.iter().zip(&frame).for_each(|(&id, positions)| scene_of.set_positions(id, positions).unwrap());
            all.push(listed(&mut scene_of, &ids, 0.3));
        }
        all
    };
    let expected = play(Method::default());
    assert!(
        expected.iter().all(|found| found.len() > 20_000),
        "{:?}",
        expected.iter().map(Vec::len).collect::<Vec<_>>()
    );
    let baseline = Method::WideTree(WideTreeOptions::default().with_lanes(Lanes::Baseline));
    for method in [baseline, Method::BruteForce] {
        assert!(play(method) == expected, "{method}");
    }
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| play(Method::default())) == expected, "{threads} threads");
    }
}

#[test]
fn many_bodies_are_asked_only_about_those_near_and_not_ignored() {
    let mut scene = Scene::new();
    let triangle = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
    let mesh = || Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    // A row with gaps of 0.5; more than a hundred, so that they are swept.
    let ids: Vec<BodyId> = (0..150).map(|i| scene.add(Body::new(mesh(), &triangle(1.5 * i as f32)).unwrap())).collect();
    scene.ignore(ids[3], ids[4]).unwrap();
    let frame = scene.update().unwrap();
    assert!(frame.contacts().is_empty());
    let bodies = |d: f64| frame.near(d).groups().map(|group| (group.a, group.b)).collect::<Vec<_>>();
    assert_eq!(bodies(0.5), []);
    let neighbours = || (0..149).filter(|&i| i != 3);
    assert_eq!(bodies(0.5000001), neighbours().map(|i| (ids[i], ids[i + 1])).collect::<Vec<_>>());
    // Asked again, with other distances in between, and in another order.
    assert_eq!(bodies(0.5), []);
    assert_eq!(bodies(0.5000001).len(), 148);
    assert_eq!(bodies(f64::INFINITY).len(), 150 * 149 / 2 - 1);
    assert_eq!(bodies(2.1).len(), 148 + 148);
    let near = frame.near(0.6);
    assert_eq!(near.iter().len(), near.len());
    assert_eq!(near.groups().map(|group| group.pairs.len()).sum::<usize>(), near.len());
    assert!(near.between(ids[3], ids[4]).is_empty() && !near.between(ids[5], ids[4]).is_empty());
}

#[test]
fn two_bodies_without_a_scene_in_either_order() {
    let [[a, b]] = &bumpy(1, &[58])[..] else { unreachable!() };
    let (all, turned) = (all_features(a, b, false), all_features(b, a, false));
    for d in [0.5, 1.0, f64::INFINITY] {
        let (found, other_way) = (crumple::near(a, b, d), crumple::near(b, a, d));
        let features = |pairs: &[NearPair]| pairs.iter().map(|pair| pair.features).collect::<Vec<_>>();
        let near = |all: &[(FeaturePair, FeatureDistance)]| {
            all.iter().filter(|(_, apart)| apart.distance() < d).map(|(features, _)| *features).collect::<Vec<_>>()
        };
        assert_eq!((features(&found), features(&other_way)), (near(&all), near(&turned)));
        // The same numbers, whichever is first.
        let sorted = |pairs: &[NearPair]| {
            let mut squares: Vec<u64> = pairs.iter().map(|pair| pair.distance_squared.to_bits()).collect();
            squares.sort_unstable();
            squares
        };
        assert_eq!(sorted(&found), sorted(&other_way));
        assert!(!found.is_empty());
    }
}

#[test]
fn answers_are_asked_by_several_threads_at_once() {
    let [[a, b]] = &bumpy(2, &[58])[..] else { unreachable!() };
    let (mut scene, _) = scene_of(&[a, b], Method::default());
    let frame = scene.update().unwrap();
    let lengths: Vec<Vec<usize>> = std::thread::scope(|threads| {
        let asks: Vec<_> = (0..4)
            .map(|first: usize| {
                threads.spawn(move || {
                    let mut lengths = vec![0; 8];
                    (0..8)
                        .for_each(|i| lengths[(first + i) % 8] = frame.near(0.1 * (1 + (first + i) % 8) as f64).len());
                    lengths
                })
            })
            .collect();
        asks.into_iter().map(|ask| ask.join().unwrap()).collect()
    });
    assert!(lengths.iter().all(|of_thread| *of_thread == lengths[0]), "{lengths:?}");
    assert!(lengths[0].is_sorted() && lengths[0][7] > 0);
}
