//! Features that are left out: of what is near and of impacts, against a search over all of them.

use std::collections::BTreeSet;

use crumple::distance::{edge_edge_distance, vertex_face_distance};
use crumple::{Body, BodyId, Edit, FeaturePair, Mesh, Scene, VertexId};
use crumple_scenes::Random;

type Points = Vec<[f64; 3]>;

/// A crumpled sheet of 2 × n × n triangles, and where it is at rest.
fn sheet(n: u32, seed: u64) -> (Mesh, Points, Points) {
    let mut random = Random::new(seed);
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[p, q, r], [p, r, s]]
    });
    let rest: Points = (0..=n).flat_map(|i| (0..=n).map(move |j| [f64::from(i), f64::from(j), 0.0])).collect();
    let now = rest.iter().map(|point| point.map(|x| 0.6 * x + random.between(-0.6, 0.6))).collect();
    (Mesh::new(rest.len(), triangles.collect()).unwrap(), rest, now)
}

fn scene(mesh: Mesh, points: &Points) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let id = scene.add(Body::new_f64(mesh, points).unwrap());
    scene.set_self_collision(id, true).unwrap();
    (scene, id)
}

/// How many edges two vertices are apart, by breadth-first search; 99 if more than that.
fn edges_between(mesh: &Mesh, from: VertexId, to: VertexId) -> u32 {
    let (mut reached, mut steps) = (BTreeSet::from([from]), 0);
    while !reached.contains(&to) && steps < 99 {
        let live = mesh.live_triangles().filter(|(_, corners)| corners.iter().any(|corner| reached.contains(corner)));
        let next: BTreeSet<VertexId> = live.flat_map(|(_, corners)| corners).collect();
        reached.extend(next);
        steps += 1;
    }
    steps
}

fn vertices(mesh: &Mesh, features: FeaturePair) -> [Vec<VertexId>; 2] {
    match features {
        FeaturePair::VertexFace { vertex, triangle, .. } => [vec![vertex], mesh.triangles()[triangle.index()].to_vec()],
        FeaturePair::EdgeEdge { edge_a, edge_b } => [edge_a.to_vec(), edge_b.to_vec()],
        _ => [vec![], vec![]],
    }
}

fn near(scene: &mut Scene, d: f64) -> Vec<FeaturePair> {
    scene.update().unwrap().near(d).iter().map(|pair| pair.features).collect()
}

fn impacts(scene: &mut Scene, id: BodyId, from: &Points, to: &Points) -> Vec<FeaturePair> {
    scene.set_positions_f64(id, from).unwrap();
    scene.update().unwrap();
    scene.set_positions_f64(id, to).unwrap();
    let frame = scene.update().unwrap();
    let all: Vec<_> = frame.impacts().iter().map(|impact| impact.features).collect();
    // The first of all is the first, and a step before it is safe.
    assert_eq!(frame.first_impact().map(|impact| impact.features), all.first().copied());
    assert_eq!(frame.safe_step() == 1.0, all.is_empty());
    all
}

#[test]
fn rings_leave_out_what_so_few_edges_join() {
    for seed in 0..3 {
        let (mesh, rest, now) = sheet(5, seed);
        let (mut scene, id) = scene(mesh.clone(), &now);
        let all = near(&mut scene, 0.7);
        let all_impacts = impacts(&mut scene, id, &rest, &now);
        let mut before = usize::MAX;
        for rings in 0..4 {
            scene.leave_out_rings(id, rings).unwrap();
            let keeps = |features: &&FeaturePair| {
                let [some, others] = vertices(&mesh, **features);
                some.iter().all(|&p| others.iter().all(|&q| edges_between(&mesh, p, q) > rings))
            };
            scene.set_positions_f64(id, &now).unwrap();
            let expected: Vec<_> = all.iter().filter(keeps).copied().collect();
            assert_eq!(near(&mut scene, 0.7), expected, "{rings} rings");
            assert!(expected.len() < before);
            before = expected.len();
            let expected: Vec<_> = all_impacts.iter().filter(keeps).copied().collect();
            // Surfaces that meet at the start do so whichever features are asked about.
            let found = impacts(&mut scene, id, &rest, &now);
            assert_eq!(found, expected, "{rings} rings");
        }
    }
}

#[test]
fn what_is_near_at_rest_is_left_out() {
    for seed in 0..3 {
        let (mesh, rest, now) = sheet(5, seed);
        let (mut scene, id) = scene(mesh.clone(), &now);
        let all = near(&mut scene, 0.7);
        for distance in [0.0, 0.5, 1.1, 2.5] {
            scene.leave_out_near_at_rest(id, &rest, distance).unwrap();
            let keeps = |features: &&FeaturePair| {
                let [some, others] = vertices(&mesh, **features);
                let points: Vec<_> = some.iter().chain(&others).map(|vertex| rest[vertex.index()]).collect();
                let points = points.try_into().unwrap();
                let apart = if some.len() == 1 { vertex_face_distance(&points) } else { edge_edge_distance(&points) };
                apart.distance() >= distance
            };
            let expected: Vec<_> = all.iter().filter(keeps).copied().collect();
            assert_eq!(near(&mut scene, 0.7), expected, "closer than {distance} at rest");
        }
        let wrong = scene.leave_out_near_at_rest(id, &rest[1..], 0.5).unwrap_err().to_string();
        assert!(wrong.contains("35 positions were given, but the body has 36 vertices"), "{wrong}");
    }
}

#[test]
fn a_rule_of_the_caller_is_asked_between_bodies_and_within_one() {
    let (mesh, _, now) = sheet(4, 1);
    let (mut scene, first) = scene(mesh.clone(), &now);
    let raised = now.iter().map(|&[x, y, z]| [x, y, z + 0.4]).collect::<Points>();
    let second = scene.add(Body::new_f64(mesh, &raised).unwrap());
    let listed = |scene: &mut Scene| -> Vec<_> {
        scene.update().unwrap().near(0.5).iter().map(|pair| (pair.a, pair.b, pair.features)).collect()
    };
    let all = listed(&mut scene);
    let keeps = move |a: BodyId, b: BodyId, features: FeaturePair| match features {
        FeaturePair::VertexFace { vertex, vertex_of_b, .. } => vertex_of_b == (vertex.0 % 2 == 0),
        FeaturePair::EdgeEdge { edge_a: [p, _], .. } => a != b || p.0 % 3 == 0,
        _ => false,
    };
    scene.set_feature_filter(keeps);
    let expected: Vec<_> = all.iter().filter(|&&(a, b, features)| keeps(a, b, features)).copied().collect();
    assert!(expected.iter().any(|found| (found.0, found.1) == (first, second)));
    assert!(expected.iter().any(|found| (found.0, found.1) == (first, first)));
    assert_eq!(listed(&mut scene), expected);
    scene.clear_feature_filter();
    assert_eq!(listed(&mut scene), all);
}

#[test]
fn rings_follow_edits_and_go_along_with_a_copy() {
    let (mesh, _, now) = sheet(5, 4);
    let (mut scene, id) = scene(mesh, &now);
    scene.leave_out_rings(id, 2).unwrap();
    let before = near(&mut scene, 0.8);
    assert_eq!(near(&mut scene.clone(), 0.8), before);
    // A row of triangles less: what was two edges apart may be more now.
    let removed = (0..10).map(|t| crumple::TriangleId(20 + t)).collect();
    scene.edit(id, &Edit { remove: removed, ..Edit::default() }).unwrap();
    let after = near(&mut scene, 0.8);
    let mesh = scene.body(id).unwrap().mesh().clone();
    let (mut fresh, fresh_id) = self::scene(Mesh::clone(&mesh), &now);
    let keeps = |features: &FeaturePair| {
        let [some, others] = vertices(&mesh, *features);
        some.iter().all(|&p| others.iter().all(|&q| edges_between(&mesh, p, q) > 2))
    };
    fresh.leave_out_rings(fresh_id, 0).unwrap();
    let expected: Vec<_> = near(&mut fresh, 0.8).into_iter().filter(keeps).collect();
    assert_eq!(after, expected);
    assert_ne!(after, before);
}

#[test]
fn a_step_that_starts_in_contact_can_leave_out_what_meets_already() {
    let sheet = |z: f64| vec![[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    let mesh = || Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    let mut scene = Scene::new();
    scene.add(Body::new_f64(mesh(), &sheet(0.0)).unwrap());
    let needle = |z: f64| vec![[0.0, 0.0, z], [0.5, 0.0, z + 1.0], [0.0, 0.5, z + 1.0]];
    // Through the sheet already, and one that will be.
    let stuck = scene.add(Body::new_f64(mesh(), &needle(-0.5)).unwrap());
    let falling = scene
        .add(Body::new_f64(mesh(), &needle(1.0).iter().map(|p| [p[0] + 3.0, p[1], p[2]]).collect::<Vec<_>>()).unwrap());
    scene.update().unwrap();
    scene.set_positions_f64(stuck, &needle(-0.6)).unwrap();
    scene
        .set_positions_f64(falling, &needle(-1.0).iter().map(|p| [p[0] + 3.0, p[1], p[2]]).collect::<Vec<_>>())
        .unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(frame.safe_step(), 0.0);
    let safe = frame.safe_step_ignoring_initial();
    assert!((0.499..0.5).contains(&safe), "{safe}");
}
