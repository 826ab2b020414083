//! Impacts within a step: against brute force over all features, against frames in between, and what must not matter.

use std::collections::BTreeSet;

use super::distance::features;
use crate::support::playback::{Frame, bodies};
use crumple::FeaturePair;
use crumple::exact::{ImpactTime, edge_edge_impact, triangles_meet, vertex_face_impact};
use crumple::{Between, Body, BodyId, Impact, Mesh, Scene, Triangle, TriangleId, VertexId};
use crumple_methods::Method;
use crumple_scenes::Random;

pub(crate) type Found = Vec<(ImpactTime, FeaturePair)>;

/// Where a vertex was in the frame before.
fn previous(body: &Body, vertex: VertexId) -> [f64; 3] {
    let rounded = body.previous_positions()[vertex.index()].map(f64::from);
    body.previous_positions_f64().map_or(rounded, |positions| positions[vertex.index()])
}

/// Every vertex against every face and every edge against every edge.
pub(crate) fn brute_force(a: &Body, b: &Body, one_body: bool) -> Found {
    let ends = |body: &Body, vertex: VertexId| (previous(body, vertex), body.point(vertex).unwrap());
    let mut found = Vec::new();
    let sides: &[(&Body, &Body, bool)] = if one_body { &[(a, a, false)] } else { &[(a, b, false), (b, a, true)] };
    for &(of, to, vertex_of_b) in sides {
        for vertex in features(of.mesh()).0 {
            for (triangle, corners) in to.mesh().live_triangles() {
                if one_body && corners.contains(&vertex) {
                    continue;
                }
                let points = [ends(of, vertex), ends(to, corners[0]), ends(to, corners[1]), ends(to, corners[2])];
                if let Some(time) = vertex_face_impact(&points.map(|p| p.0), &points.map(|p| p.1)) {
                    found.push((time, FeaturePair::VertexFace { vertex, triangle, vertex_of_b }));
                }
            }
        }
    }
    let (edges_a, edges_b) = (features(a.mesh()).1, features(b.mesh()).1);
    for &[p, q] in &edges_a {
        for &[r, s] in &edges_b {
            if one_body && ([r, s] <= [p, q] || [r, s].iter().any(|end| [p, q].contains(end))) {
                continue;
            }
            let points = [ends(a, p), ends(a, q), ends(b, r), ends(b, s)];
            if let Some(time) = edge_edge_impact(&points.map(|p| p.0), &points.map(|p| p.1)) {
                let (edge_a, edge_b) = ([p, q], [r, s]);
                found.push((time, FeaturePair::EdgeEdge { edge_a, edge_b }));
            }
        }
    }
    found.sort_by(|(one, kind), (other, other_kind)| {
        one.lo.total_cmp(&other.lo).then(one.hi.total_cmp(&other.hi)).then(kind.cmp(other_kind))
    });
    found
}

/// The impacts of features, without what is said about the start.
pub(crate) fn of_features(impacts: &[Between<Impact>]) -> Found {
    let is_feature = |impact: &&Between<Impact>| !matches!(impact.features, FeaturePair::Triangles { .. });
    impacts.iter().filter(is_feature).map(|impact| (impact.time, impact.features)).collect()
}

fn scene_of(bodies: &[Body], method: Method) -> (Scene, Vec<BodyId>) {
    let mut scene = method.scene();
    let ids = bodies.iter().map(|body| scene.add(body.clone())).collect();
    (scene, ids)
}

/// Steps of a small scene, far apart enough for something to happen.
fn steps(name: &str, numbers: &[usize]) -> (Vec<Body>, Vec<Frame>) {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == name).unwrap();
    (bodies(scene), numbers.iter().map(|&number| scene.frame(number)).collect())
}

#[test]
fn all_impacts_are_those_of_every_feature_against_every_other() {
    let (bodies, frames) = steps("small-spheres-320", &[0, 55, 62, 64, 90, 140, 199, 60]);
    for method in [Method::default(), Method::BruteForce] {
        let (mut scene, ids) = scene_of(&bodies, method);
        let (mut found, mut steps_met) = (0, 0);
        for frame in &frames {
            ids.iter().zip(frame).for_each(|(&id, positions)| scene.set_positions(id, positions).unwrap());
            let frame = scene.update().unwrap();
            let [a, b] = [ids[0], ids[1]].map(|id| frame.body(id).unwrap());
            let expected = brute_force(a, b, false);
            assert_eq!(of_features(frame.impacts()), expected);
            found += expected.len();
            steps_met += usize::from(!expected.is_empty());
            let first = frame.first_impact().copied();
            assert_eq!(first, frame.impacts().first().copied());
            let pairs_before = {
                let body = |body: &Body| Body::new(body.mesh().clone(), body.previous_positions()).unwrap();
                crumple::pairs(&body(a), &body(b))
            };
            let already = frame.impacts().iter().find_map(|impact| match impact.features {
                FeaturePair::Triangles { pair } => Some(pair),
                _ => None,
            });
            assert_eq!(already, pairs_before.first().copied(), "what meets at the start is said as such");
        }
        assert!(found > 1000 && steps_met >= 4, "{found} {steps_met}");
    }
}

#[test]
fn impacts_of_a_body_with_itself_are_those_of_all_features_that_share_no_vertex() {
    let (bodies, frames) = steps("small-inside-out", &[0, 60, 100]);
    let (mut scene, ids) = scene_of(&bodies[..1], Method::default());
    scene.set_self_collision(ids[0], true).unwrap();
    let mut found = 0;
    for frame in &frames {
        scene.set_positions(ids[0], &frame[0]).unwrap();
        let frame = scene.update().unwrap();
        let body = frame.body(ids[0]).unwrap();
        let expected = brute_force(body, body, true);
        assert_eq!(of_features(frame.impacts()), expected);
        found += expected.len();
    }
    assert!(found > 100, "{found}");
}

/// Bodies on a small grid of whole numbers: touching, coplanar and degenerate motion abounds.
fn grid_body(random: &mut Random, side: i64) -> ([[f32; 3]; 6], Mesh) {
    let mut point = || [0; 3].map(|_: i32| random.integer(0, side) as f32);
    let points = [0; 6].map(|_: i32| point());
    (points, Mesh::new(6, vec![[0, 1, 2], [2, 1, 3], [3, 4, 5]]).unwrap())
}

#[test]
fn degenerate_motion_on_a_grid_changes_nothing() {
    let mut random = Random::new(11);
    let (mut found, mut already) = (0, 0);
    for _ in 0..400 {
        let side = random.integer(1, 4);
        let [a, b] = [(); 2].map(|()| {
            let (start, mesh) = grid_body(&mut random, side);
            let (end, _) = grid_body(&mut random, side);
            (Body::new(mesh, &start).unwrap(), end)
        });
        let (mut scene, ids) = scene_of(&[a.0, b.0], Method::default());
        scene.set_self_collision(ids[0], true).unwrap();
        scene.update().unwrap();
        scene.set_positions(ids[0], &a.1).unwrap();
        scene.set_positions(ids[1], &b.1).unwrap();
        let frame = scene.update().unwrap();
        let [a, b] = [ids[0], ids[1]].map(|id| frame.body(id).unwrap());
        let of = |x: BodyId, y: BodyId| -> Found {
            of_features(&frame.impacts().iter().filter(|i| (i.a, i.b) == (x, y)).copied().collect::<Vec<_>>())
        };
        assert_eq!(of(ids[0], ids[1]), brute_force(a, b, false));
        assert_eq!(of(ids[0], ids[0]), brute_force(a, a, true));
        assert_eq!(frame.first_impact().copied(), frame.impacts().first().copied());
        assert!(frame.impacts().is_sorted_by(|one, next| one.time.lo <= next.time.lo));
        found += frame.impacts().len();
        already += usize::from(frame.safe_step() == 0.0);
    }
    assert!(found > 1000 && already > 50 && already < 400, "{found} {already}");
}

/// An oracle without continuous theory: positions at times k/64 are exact in f64 for vertices of few bits.
#[test]
fn whatever_meets_at_a_time_in_between_has_an_impact_at_or_before_it() {
    let (bodies, frames) = steps("small-spheres-320", &[50, 110, 130]);
    let coarse = |positions: &[[f32; 3]]| -> Vec<[f32; 3]> {
        positions.iter().map(|point| point.map(|x| (x * 512.0).round() / 512.0)).collect()
    };
    let (mut scene, ids) = scene_of(&bodies, Method::default());
    for (number, frame) in frames.iter().enumerate() {
        ids.iter().zip(frame).for_each(|(&id, positions)| scene.set_positions(id, &coarse(positions)).unwrap());
        let frame = scene.update().unwrap();
        if number == 0 {
            continue;
        }
        let first = frame.first_impact().unwrap().time;
        for k in 0..=64 {
            let time = f64::from(k) / 64.0;
            // Numbers of at most 2^3 in steps of 2^-15: exact in f32.
            let at = ids.iter().map(|&id| {
                let body = frame.body(id).unwrap();
                let ends = body.previous_positions().iter().zip(body.positions());
                let moved: Vec<[f32; 3]> = ends
                    .map(|(p, q)| {
                        std::array::from_fn(|axis| {
                            let (from, to) = (f64::from(p[axis]), f64::from(q[axis]));
                            let exact = from + (to - from) * time;
                            assert_eq!(f64::from(exact as f32), exact);
                            exact as f32
                        })
                    })
                    .collect();
                Body::new(body.mesh().clone(), &moved).unwrap()
            });
            let at: Vec<Body> = at.collect();
            let meet = !crumple::pairs(&at[0], &at[1]).is_empty();
            assert!(!meet || first.lo <= time, "they meet at {time}, but the first impact is {first:?}");
        }
    }
}

#[test]
fn threads_swapped_bodies_scale_and_order_of_vertices_change_nothing() {
    let (bodies, frames) = steps("small-spheres-1280", &[50, 64, 100, 199]);
    let impacts = |bodies: &[Body], scale: f32, swapped: bool| {
        let (mut scene, mut ids) = (Scene::new(), Vec::new());
        let order: Vec<usize> = if swapped { vec![1, 0] } else { vec![0, 1] };
        for &at in &order {
            let scaled: Vec<_> = bodies[at].positions().iter().map(|p| p.map(|x| x * scale)).collect();
            ids.push(scene.add(Body::new(bodies[at].mesh().clone(), &scaled).unwrap()));
        }
        let mut all = Vec::new();
        for frame in &frames {
            for (&id, &at) in ids.iter().zip(&order) {
                let scaled: Vec<_> = frame[at].iter().map(|p| p.map(|x| x * scale)).collect();
                scene.set_positions(id, &scaled).unwrap();
            }
            let frame = scene.update().unwrap();
            let mut times: Vec<_> = of_features(frame.impacts());
            if swapped {
                for (_, kind) in &mut times {
                    *kind = match *kind {
                        FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
                            FeaturePair::VertexFace { vertex, triangle, vertex_of_b: !vertex_of_b }
                        }
                        FeaturePair::EdgeEdge { edge_a, edge_b } => {
                            FeaturePair::EdgeEdge { edge_a: edge_b, edge_b: edge_a }
                        }
                        other => other,
                    };
                }
                times.sort_by(|(one, kind), (other, other_kind)| {
                    one.lo.total_cmp(&other.lo).then(one.hi.total_cmp(&other.hi)).then(kind.cmp(other_kind))
                });
            }
            all.push((times, frame.safe_step()));
        }
        all
    };
    let expected = impacts(&bodies, 1.0, false);
    assert!(expected.iter().map(|(times, _)| times.len()).sum::<usize>() > 100);
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| impacts(&bodies, 1.0, false)) == expected, "{threads} threads");
    }
    assert!(impacts(&bodies, 1.0, true) == expected, "swapped");
    assert!(impacts(&bodies, 2f32.powi(-20), false) == expected, "scaled down");
    assert!(impacts(&bodies, 2f32.powi(30), false) == expected, "scaled up");
}

#[test]
fn time_run_backwards_finds_the_same_features() {
    let (bodies, frames) = steps("small-spheres-320", &[58, 110]);
    let kinds = |from: usize, to: usize| {
        let (mut scene, ids) = scene_of(&bodies, Method::default());
        for number in [from, to] {
            ids.iter().zip(&frames[number]).for_each(|(&id, at)| scene.set_positions(id, at).unwrap());
            scene.update().unwrap();
        }
        // Both frames again, so that the step is the one that is meant.
        ids.iter().zip(&frames[from]).for_each(|(&id, at)| scene.set_positions(id, at).unwrap());
        scene.update().unwrap();
        ids.iter().zip(&frames[to]).for_each(|(&id, at)| scene.set_positions(id, at).unwrap());
        let frame = scene.update().unwrap();
        of_features(frame.impacts()).into_iter().map(|(_, kind)| kind).collect::<BTreeSet<_>>()
    };
    let forwards = kinds(0, 1);
    assert!(!forwards.is_empty());
    assert_eq!(forwards, kinds(1, 0));
}

#[test]
fn a_step_is_what_corrections_and_edits_leave_of_it() {
    let sheet = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    let bullet = |y: f32| [[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]];
    let mesh = || Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    for method in Method::all() {
        let mut scene = method.scene();
        scene.add(Body::new(mesh(), &sheet).unwrap());
        let falling = scene.add(Body::new(mesh(), &bullet(1.0)).unwrap());
        let time = |scene: &mut Scene| scene.update().unwrap().first_impact().map(|impact| impact.time.lo);
        assert_eq!(time(&mut scene), None);
        scene.set_positions(falling, &bullet(-3.0)).unwrap();
        assert_eq!(time(&mut scene), Some(0.25), "{method}");
        scene.correct_positions(falling, &bullet(-1.0)).unwrap();
        assert_eq!(time(&mut scene), Some(0.5), "{method}: the step still starts at 1");
        scene.correct_positions(falling, &bullet(0.5)).unwrap();
        assert_eq!(time(&mut scene), None, "{method}: it never got there");
        scene.set_positions(falling, &bullet(-1.5)).unwrap();
        assert_eq!(time(&mut scene), Some(0.25), "{method}: from 0.5 on");
        assert_eq!(time(&mut scene), None, "{method}: nothing moves in this step");
        // A jump that f32 cannot take as a difference.
        scene.set_positions(falling, &bullet(3e38)).unwrap();
        scene.update().unwrap();
        scene.set_positions(falling, &bullet(-3e38)).unwrap();
        assert!(time(&mut scene).is_some_and(|time| (time - 0.5).abs() < 1e-6), "{method}");
        // A vertex that is added in the middle of a step did not move in it.
        scene.set_positions(falling, &bullet(-1.0)).unwrap();
        scene.update().unwrap();
        scene.set_positions(falling, &bullet(3.0)).unwrap();
        let split = crumple::Edit { add_vertices: vec![[5.0, 0.0, -5.0]], ..Default::default() };
        scene.edit(falling, &split).unwrap();
        let add = crumple::Edit { add_triangles: vec![[0, 1, 3].map(VertexId)], ..Default::default() };
        scene.edit(falling, &add).unwrap();
        assert_eq!(time(&mut scene), Some(0.0), "{method}: the new vertex rests on the sheet");
    }
}

#[test]
fn two_bodies_without_a_scene_and_a_contact_at_the_very_end() {
    let floor =
        Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]]);
    let floor = floor.unwrap();
    let at = |y: f32| [[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]];
    let mut falling = Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &at(2.0)).unwrap();
    assert_eq!(crumple::first_impact(&falling, &floor), None);
    falling.set_positions(&at(0.0)).unwrap();
    let impact = crumple::first_impact(&falling, &floor).unwrap();
    assert_eq!(impact.time, ImpactTime { lo: 1.0, hi: 1.0 });
    let kind = FeaturePair::VertexFace { vertex: VertexId(0), triangle: TriangleId(0), vertex_of_b: false };
    assert_eq!((impact.features, impact.point, impact.normal), (kind, [0.0; 3], [0.0, 1.0, 0.0]));
    let weights: f64 = impact.barycentric.iter().sum();
    assert!((weights - 1.0).abs() < 1e-12);
    let resting = crumple::first_impact(&floor, &falling.clone()).unwrap();
    assert_eq!(resting.time.lo, 1.0);
    let touching = |y: f32| Triangle(at(y));
    assert!(triangles_meet(&touching(0.0), &Triangle([[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]])));
}

#[test]
fn bodies_with_a_thickness_meet_earlier_and_say_how_sure_that_is() {
    let sheet = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    let bullet = |y: f32| [[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]];
    let mesh = || Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    let mut scene = Scene::new();
    let floor = scene.add(Body::new(mesh(), &sheet).unwrap());
    let falling = scene.add(Body::new(mesh(), &bullet(2.0)).unwrap());
    for bad in [-0.1, f64::NAN, f64::INFINITY, 100.0] {
        let refusal = scene.set_thickness(floor, bad).unwrap_err().to_string();
        assert!(refusal.starts_with(&format!("the thickness of body 0 is {bad}, but it must be")), "{refusal}");
    }
    scene.set_thickness(floor, 0.75).unwrap();
    scene.set_thickness(falling, 0.25).unwrap();
    scene.update().unwrap();
    scene.set_positions(falling, &bullet(-2.0)).unwrap();
    let impact = *scene.update().unwrap().first_impact().unwrap();
    // They must keep 0.5: the tip is there after 1.5 of 4.
    assert!(impact.time.lo <= 0.375 && impact.time.lo > 0.374, "{impact:?}");
    assert!(impact.slack > 0.0 && impact.slack < 0.001, "{impact:?}");
    // Beside each other, nearer than that and farther.
    for (y, meets) in [(0.4, true), (0.6, false)] {
        scene.set_positions(falling, &bullet(y)).unwrap();
        scene.update().unwrap();
        scene.set_positions(falling, &bullet(y)).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.first_impact().map(|impact| impact.time.lo), meets.then_some(0.0));
        assert_eq!(frame.safe_step(), if meets { 0.0 } else { 1.0 });
        assert!(frame.contacts().is_empty());
    }
}

#[test]
fn a_thickness_finds_every_impact_without_it_and_none_later() {
    let (bodies, frames) = steps("small-spheres-320", &[50, 110, 130]);
    let impacts = |thickness: f64| {
        let (mut scene, ids) = scene_of(&bodies, Method::default());
        ids.iter().for_each(|&id| scene.set_thickness(id, thickness).unwrap());
        let mut all = Vec::new();
        for frame in &frames {
            ids.iter().zip(frame).for_each(|(&id, at)| scene.set_positions(id, at).unwrap());
            all.push(of_features(scene.update().unwrap().impacts()));
        }
        all
    };
    let (thin, thick) = (impacts(0.0), impacts(1e-3));
    for (thin, thick) in thin.iter().zip(&thick) {
        assert!(thin.len() <= thick.len());
        for (time, kind) in thin {
            assert!(thick.iter().any(|(other, same)| same == kind && other.lo <= time.hi), "{kind:?} at {time:?}");
        }
    }
    assert!(thin.iter().map(Vec::len).sum::<usize>() > 100);
}

#[test]
fn a_second_identical_pass_allocates_nothing() {
    let (bodies, frames) = steps("small-spheres-320", &[50, 64, 80, 199, 20]);
    let (mut scene, ids) = scene_of(&bodies, Method::default());
    ids.iter().for_each(|&id| scene.set_self_collision(id, true).unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut pass = || {
        let mut sum = 0;
        for frame in &frames {
            ids.iter().zip(frame).for_each(|(&id, positions)| scene.set_positions(id, positions).unwrap());
            let frame = scene.update().unwrap();
            sum += frame.impacts().len() + usize::from(frame.first_impact().is_some());
        }
        sum
    };
    pool.install(|| {
        let first = pass();
        // What a step finds depends on the frame before it: the first step of the first pass has none.
        let again = pass();
        let mut third = 0;
        let counted = allocation_counter::measure(|| third = pass());
        assert!(first > 0 && again == third);
        assert_eq!(counted.count_total, 0);
    });
}
