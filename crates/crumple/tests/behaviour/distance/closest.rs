//! The distance of two bodies: against brute force, and what must not matter.

use super::brute_force_distance;
use crate::support::playback::{Frame, bodies};
use crate::support::soups::{bumpy, hard_pairs, moved, random_pair};
use crumple::narrow::wide_tree::{Lanes, WideTreeOptions};
use crumple::{Body, Closest, FeaturePair, Mesh, Scene, TrianglePair};
use crumple_methods::Method;

/// Holds a distance to brute force; returns it.
fn check(name: &str, a: &Body, b: &Body, found: Option<Closest>) -> Option<f64> {
    let expected = brute_force_distance(a, b);
    let Some(Closest { distance, points, triangles, features, .. }) = found else {
        assert_eq!(expected, None, "{name}");
        return None;
    };
    let expected = expected.unwrap_or_else(|| panic!("{name}: {found:?} without triangles"));
    assert_eq!((expected == 0.0, expected == 0.0), (distance.lo == 0.0, distance.hi == 0.0), "{name}");
    assert_eq!(features.is_none(), expected == 0.0, "{name}");
    assert!(distance.lo <= distance.hi, "{name}");
    let size = a.bounds().union(&b.bounds()).extent().into_iter().fold(0.0, f32::max);
    let tolerance = 1e-9 * expected + 1e-14 * f64::from(size);
    assert!((distance.hi - expected).abs() <= tolerance, "{name}: {distance:?}, but {expected}");
    assert!(distance.lo <= expected + tolerance, "{name}: {distance:?}, but {expected}");
    // Coordinates are rounded where they are large.
    let largest = points.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let between: f64 = (0..3).map(|axis| (points[0][axis] - points[1][axis]).powi(2)).sum();
    assert!((between.sqrt() - expected).abs() <= tolerance + 1e-14 * largest, "{name}: {points:?}, but {expected}");
    let body = |of: &Body, triangle: crumple::TriangleId| {
        let corners = of.triangle(triangle).unwrap_or_else(|| panic!("{name}: {triangle} is not there"));
        Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners.0).unwrap()
    };
    let of_triangles = brute_force_distance(&body(a, triangles.a), &body(b, triangles.b)).unwrap();
    assert!((of_triangles - expected).abs() <= tolerance, "{name}: {triangles:?} are {of_triangles} apart");
    match features {
        Some(FeaturePair::VertexFace { vertex_of_b, vertex, triangle }) => {
            let (of, with) = if vertex_of_b { (b, triangles.b) } else { (a, triangles.a) };
            assert!(of.mesh().indices()[with.index()].contains(&vertex.0), "{name}");
            assert_eq!(triangle, if vertex_of_b { triangles.a } else { triangles.b }, "{name}");
        }
        Some(FeaturePair::EdgeEdge { edge_a, edge_b }) => {
            for (of, triangle, edge) in [(a, triangles.a, edge_a), (b, triangles.b, edge_b)] {
                let corners = of.mesh().indices()[triangle.index()];
                assert!(edge[0] < edge[1] && edge.iter().all(|end| corners.contains(&end.0)), "{name}");
            }
        }
        _ => {}
    }
    Some(expected)
}

fn turned(closest: Closest) -> ([f64; 2], [[f64; 3]; 2], TrianglePair) {
    let Closest { distance, points: [p, q], triangles: TrianglePair { a, b }, .. } = closest;
    ([distance.lo, distance.hi], [q, p], TrianglePair { a: b, b: a })
}

#[test]
fn two_bodies_are_as_far_apart_as_brute_force_says_in_either_order() {
    let soups = hard_pairs().into_iter().chain((0..400).map(random_pair));
    let spheres = bumpy(2, &[0, 30, 50, 55, 58, 62, 64, 70, 199]).into_iter().map(|pair| ("spheres".to_string(), pair));
    let (mut apart, mut meeting) = (0, 0);
    for (name, [a, b]) in soups.chain(spheres) {
        let found = crumple::distance(&a, &b);
        let expected = check(&name, &a, &b, found);
        apart += usize::from(expected.is_some_and(|distance| distance > 0.0));
        meeting += usize::from(expected == Some(0.0));
        let other_way = crumple::distance(&b, &a);
        let plain = |closest: Closest| ([closest.distance.lo, closest.distance.hi], closest.points, closest.triangles);
        // Two bodies that are the same in every respect have no order of their own.
        if a.positions() != b.positions() {
            assert_eq!(other_way.map(turned), found.map(plain), "{name}");
        }
        // Apart by some of their size, so that all of them are measured.
        let offset = 1.5 * a.bounds().union(&b.bounds()).extent()[0];
        if offset.is_finite() && offset < 1e37 {
            let beside = moved(&b, |[x, y, z]| [x + offset, y, z]);
            check(&format!("{name}, apart"), &a, &beside, crumple::distance(&a, &beside));
        }
    }
    assert!(apart > 50 && meeting > 100, "{apart} {meeting}");
}

fn small(name: &str) -> crumple_scenes::Scene {
    crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap()
}

/// The distances of the first two bodies in some frames.
fn play(method: Method, bodies: &[Body], frames: &[Frame], swapped: bool) -> Vec<Closest> {
    let mut scene = method.scene();
    let ids: Vec<_> = bodies.iter().map(|body| scene.add(body.clone())).collect();
    let answer = |frame: &Frame| {
        ids.iter().zip(frame).for_each(|(&id, positions)| scene.set_positions(id, positions).unwrap());
        let frame = scene.update().unwrap();
        let (a, b) = if swapped { (ids[1], ids[0]) } else { (ids[0], ids[1]) };
        let found = frame.distance(a, b).unwrap();
        assert_eq!(frame.distance(a, b).unwrap(), found);
        assert!(frame.is_closer_than(a, b, found.distance.hi * 1.000_001) == Ok(found.distance.hi > 0.0));
        assert_eq!(frame.is_closer_than(b, a, found.distance.hi), Ok(false));
        found
    };
    frames.iter().map(answer).collect()
}

#[test]
fn a_search_that_starts_where_the_last_one_ended_finds_what_a_new_one_finds() {
    for (name, numbers) in [
        ("small-spheres-1280", (0..72).chain([199, 198, 3, 70, 1]).collect::<Vec<usize>>()),
        ("small-spheres-320", (0..200).step_by(3).collect()),
    ] {
        let scene = small(name);
        let (bodies, frames) = (bodies(&scene), numbers.iter().map(|&number| scene.frame(number)).collect::<Vec<_>>());
        let found = play(Method::default(), &bodies, &frames, false);
        let (mut apart, mut features) = (0, [0; 2]);
        for (frame, &found) in frames.iter().zip(&found) {
            let at = |i: usize| Body::new(bodies[i].mesh().clone(), &frame[i]).unwrap();
            let (a, b) = (at(0), at(1));
            let fresh = crumple::distance(&a, &b).unwrap();
            // The free function chooses its own order of the bodies.
            assert!((fresh.distance.hi - found.distance.hi).abs() <= 1e-12 * found.distance.hi);
            let mut scene = Scene::new();
            let ids = [scene.add(a.clone()), scene.add(b.clone())];
            assert_eq!(scene.update().unwrap().distance(ids[0], ids[1]).unwrap(), found, "{name}");
            if frame[0].len() < 200 {
                check(name, &a, &b, Some(found));
            }
            apart += usize::from(found.distance.lo > 0.0);
            if let Some(kind) = found.features {
                features[usize::from(matches!(kind, FeaturePair::EdgeEdge { .. }))] += 1;
            }
        }
        assert!(
            apart > 20 && apart < frames.len() && features[0] > 0 && features[1] > 0,
            "{name}: {apart} {features:?}"
        );
        for method in [Method::BruteForce, Method::WideTree(WideTreeOptions::default().with_lanes(Lanes::Baseline))] {
            assert_eq!(play(method, &bodies, &frames, false), found, "{name}, {method}");
        }
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| play(Method::default(), &bodies, &frames, false)), found, "{threads} threads");
        }
        let other_way = play(Method::default(), &bodies, &frames, true);
        let plain = |closest: &Closest| ([closest.distance.lo, closest.distance.hi], closest.points, closest.triangles);
        assert_eq!(other_way.into_iter().map(turned).collect::<Vec<_>>(), found.iter().map(plain).collect::<Vec<_>>());
    }
}

#[test]
fn closer_than_is_what_the_upper_bound_says_in_whatever_order_it_is_asked() {
    let scene = small("small-spheres-320");
    let bodies = bodies(&scene);
    for number in [0, 40, 56, 120] {
        let frame = scene.frame(number);
        let hi = {
            let [a, b] = [0, 1].map(|i| Body::new(bodies[i].mesh().clone(), &frame[i]).unwrap());
            let mut scene = Scene::new();
            let ids = [scene.add(a), scene.add(b)];
            scene.update().unwrap().distance(ids[0], ids[1]).unwrap().distance.hi
        };
        let asked = [hi, hi.next_up(), hi.next_down(), 2.0 * hi, 0.5 * hi, 1e-300, 0.0, -1.0, f64::NAN, f64::INFINITY];
        for first in 0..asked.len() {
            let mut scene = Scene::new();
            let ids: Vec<_> = bodies.iter().map(|body| scene.add(body.clone())).collect();
            ids.iter().zip(&frame).for_each(|(&id, positions)| scene.set_positions(id, positions).unwrap());
            let frame = scene.update().unwrap();
            for &d in asked.iter().cycle().skip(first).take(asked.len()) {
                assert_eq!(frame.is_closer_than(ids[0], ids[1], d), Ok(hi < d), "frame {number}: {d} for {hi}");
            }
            assert_eq!(frame.distance(ids[0], ids[1]).unwrap().distance.hi, hi);
        }
    }
}

#[test]
fn bodies_of_different_sizes_far_from_the_origin_and_wild_motion() {
    // One triangle against trees of every depth, near and far, and the other way round.
    for levels in 0..4 {
        let [[sphere, _]] = &bumpy(levels, &[0])[..] else { unreachable!() };
        for offset in [0.0, 1.0e4, 3.0e6] {
            let there = moved(sphere, |[x, y, z]| [x + offset, y, z - offset]);
            let one = |x: f32| {
                let corners = [[offset + x, 0.1, -offset], [offset + x, 0.2, -offset], [offset + x, 0.1, 0.5 - offset]];
                Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap()
            };
            for x in [0.0, 1.5, 2.0, 40.0, 1.0e6] {
                let one = one(x);
                check(&format!("{levels} levels, {offset}, {x}"), &one, &there, crumple::distance(&one, &there));
                check(&format!("{levels} levels, {offset}, {x}"), &there, &one, crumple::distance(&there, &one));
            }
        }
    }
}

#[test]
fn a_search_goes_on_after_triangles_are_taken_away() {
    let [[a, b]] = &bumpy(2, &[30])[..] else { unreachable!() };
    let mut scene = Scene::new();
    let ids = [scene.add(a.clone()), scene.add(b.clone())];
    for _ in 0..8 {
        let frame = scene.update().unwrap();
        let found = frame.distance(ids[0], ids[1]).unwrap();
        let [a, b] = ids.map(|id| frame.body(id).unwrap());
        check("edited", a, b, Some(found));
        // The nearest triangles are cut out.
        let remove = vec![found.triangles.b];
        scene.edit(ids[1], &crumple::Edit { remove, ..Default::default() }).unwrap();
    }
}
