//! Distances, and what is near.

use super::{FAR, both_kinds, perturbed, scene_at, set_all, shifted, small_scene};
use crate::distance::{all_features, brute_force_distance};
use crumple::{Body, Closest, Mesh, NearPair};

/// Two bodies that are moved without rounding, which changes no difference of coordinates and so no bit of an answer but
/// where the points are.
fn same_but_moved(here: &Closest, far: &Closest) {
    assert_eq!(here.distance, far.distance);
    assert_eq!((here.triangles, here.features), (far.triangles, far.features));
    for (here, far) in here.points.as_flattened().iter().zip(far.points.as_flattened()) {
        assert!((here + FAR - far).abs() < 1e-8, "{here} {far}");
    }
}

#[test]
fn distances_are_those_of_the_f64_numbers_here_and_far_away() {
    let (bodies, frames) = small_scene("small-spheres-320", &[0, 20, 40, 60, 140]);
    let (mut here, ids) = scene_at(&bodies, &frames[0], 0.0);
    let (mut far, far_ids) = scene_at(&bodies, &frames[0], FAR);
    let mut apart = 0;
    for positions in &frames {
        set_all(&mut here, &ids, positions, 0.0);
        set_all(&mut far, &far_ids, positions, FAR);
        let (here, far) = (here.update().unwrap(), far.update().unwrap());
        let [a, b] = [ids[0], ids[1]].map(|id| here.body(id).unwrap());
        let expected = brute_force_distance(a, b).unwrap();
        let found = here.distance(ids[0], ids[1]).unwrap();
        let (lo, hi) = (found.distance.lo, found.distance.hi);
        assert!(lo <= expected * (1.0 + 1e-15) && expected <= hi && hi - lo < 1e-12, "{lo} {expected} {hi}");
        let moved = far.distance(far_ids[0], far_ids[1]).unwrap();
        same_but_moved(&found, &moved);
        let alone = crumple::distance(a, b).unwrap();
        assert!((alone.distance.hi - hi).abs() <= 1e-14 && alone.distance.lo <= hi && lo <= alone.distance.hi);
        for factor in [0.999_999, 1.000_001] {
            let d = factor * hi;
            assert_eq!(here.is_closer_than(ids[0], ids[1], d).unwrap(), factor > 1.0 && d > 0.0);
            assert_eq!(far.is_closer_than(far_ids[0], far_ids[1], d).unwrap(), factor > 1.0 && d > 0.0);
        }
        apart += usize::from(expected > 0.0);
    }
    assert!((2..frames.len()).contains(&apart), "{apart}");
}

/// The features nearer than `d`, as brute force finds them.
fn expected_near(a: &Body, b: &Body, d: f64, one_body: bool) -> Vec<(crumple::FeaturePair, f64, [f64; 3])> {
    let near = all_features(a, b, one_body).into_iter().filter(|(_, apart)| apart.distance() < d);
    near.map(|(features, apart)| (features, apart.squared, apart.barycentric)).collect()
}

fn as_expected(pairs: &[NearPair]) -> Vec<(crumple::FeaturePair, f64, [f64; 3])> {
    pairs.iter().map(|pair| (pair.features, pair.distance_squared, pair.barycentric)).collect()
}

#[test]
fn near_features_are_those_of_the_f64_numbers_here_and_far_away() {
    let (bodies, frames) = small_scene("small-spheres-320", &[60, 64, 140]);
    let mut found = 0;
    for positions in &frames {
        let (mut here, ids) = scene_at(&bodies, positions, 0.0);
        let (mut far, far_ids) = scene_at(&bodies, positions, FAR);
        let (here, far) = (here.update().unwrap(), far.update().unwrap());
        let [a, b] = [ids[0], ids[1]].map(|id| here.body(id).unwrap());
        let [far_a, far_b] = [far_ids[0], far_ids[1]].map(|id| far.body(id).unwrap());
        for d in [1e-6, 0.02, 0.1] {
            let expected = expected_near(a, b, d, false);
            assert_eq!(as_expected(here.near(d).between(ids[0], ids[1])), expected);
            assert_eq!(as_expected(far.near(d).between(far_ids[0], far_ids[1])), expected);
            assert_eq!(as_expected(&crumple::near(far_a, far_b, d)), expected);
            assert_eq!(crumple::near(b, a, d).len(), expected.len());
            found += expected.len();
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn near_features_of_one_body_are_those_of_the_f64_numbers() {
    let (bodies, frames) = small_scene("small-cloth", &[130]);
    for by in [0.0, FAR] {
        let (mut scene, ids) = scene_at(&bodies, &frames[0], by);
        scene.set_self_collision(ids[0], true).unwrap();
        let frame = scene.update().unwrap();
        let body = frame.body(ids[0]).unwrap();
        let d = 0.05;
        let expected = expected_near(body, body, d, true);
        assert!(!expected.is_empty());
        assert_eq!(as_expected(frame.near(d).between(ids[0], ids[0])), expected);
    }
}

#[test]
fn f64_bodies_at_f32_positions_have_the_distances_of_f32_bodies() {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == "small-spheres-320").unwrap();
    let mut bodies = crate::support::playback::bodies(scene);
    for number in [0, 30, 55, 64] {
        crate::support::playback::move_bodies(&mut bodies, &scene.frame(number));
        let [narrow_a, wide_a] = both_kinds(&bodies[0]);
        let [narrow_b, wide_b] = both_kinds(&bodies[1]);
        let (distance, near) = (crumple::distance(&narrow_a, &narrow_b), crumple::near(&narrow_a, &narrow_b, 0.1));
        for (a, b) in [(&wide_a, &wide_b), (&wide_a, &narrow_b), (&narrow_a, &wide_b)] {
            assert_eq!(crumple::distance(a, b), distance);
            assert_eq!(crumple::near(a, b, 0.1), near);
        }
        assert_eq!(crumple::distance(&wide_b, &wide_a), crumple::distance(&narrow_b, &narrow_a));
    }
}

#[test]
fn bodies_nearer_than_f32_can_tell_are_apart() {
    let triangle = |z: f64| {
        let corners = shifted(&[[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], FAR);
        Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap()
    };
    let gap = 2f64.powi(-20);
    let (one, other) = (triangle(0.0), triangle(gap));
    assert_eq!(one.positions(), other.positions(), "rounded, they are one");
    let found = crumple::distance(&one, &other).unwrap();
    assert!(found.distance.lo > 0.999 * gap && found.distance.lo <= gap && gap <= found.distance.hi, "{found:?}");
    assert!(found.distance.hi < 1.001 * gap);
    assert!(found.features.is_some());
    let touching = crumple::distance(&one, &triangle(0.0)).unwrap();
    assert_eq!((touching.distance.lo, touching.distance.hi), (0.0, 0.0));
    assert_eq!(crumple::near(&one, &other, gap).len(), 0);
    assert_eq!(crumple::near(&one, &other, 1.000_001 * gap).len(), 3 + 3 + 9);
}

#[test]
fn with_the_bodies_exchanged_the_answer_is_exchanged() {
    let shape = crate::support::shapes::sphere(1, [0.0; 3], 1.0);
    let body = |by: [f32; 3], seed: u64| {
        let moved = shape.translated(by);
        Body::new_f64(
            Mesh::new(moved.positions.len(), moved.triangles.clone()).unwrap(),
            &perturbed(&moved.positions, seed),
        )
        .unwrap()
    };
    // Rounded to f32 the first two are one; only the f64 numbers tell which is to be the second.
    for (a, b) in [(body([0.0; 3], 1), body([0.0; 3], 2)), (body([0.0; 3], 1), body([3.0, 0.5, 0.25], 2))] {
        let (one, other) = (crumple::distance(&a, &b).unwrap(), crumple::distance(&b, &a).unwrap());
        assert_eq!(one.distance, other.distance);
        assert_eq!(one.points, [other.points[1], other.points[0]]);
    }
}
