//! Overlap volumes against closed formulas, in every configuration.

use std::f64::consts::PI;

use crate::support::shapes::{self, Shape};
use crumple::{Body, Mesh};
use crumple_ldi::{InsideRule, Operation, OverlapOptions, OverlapSampler, VolumeError};

fn overlap(resolution: u32) -> OverlapSampler {
    OverlapSampler::new(OverlapOptions::default().with_resolution(resolution))
}

/// What two balls of radius r and s with centres d apart have in common: two caps.
fn lens(r: f64, s: f64, d: f64) -> f64 {
    PI * (r + s - d).powi(2) * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s).powi(2)) / (12.0 * d)
}

#[test]
fn two_spheres_overlap_in_a_lens_and_the_error_falls_with_the_square_of_the_resolution() {
    // 81,920 triangles: the polyhedra themselves are 10^-4 short of the balls.
    let (a, b) = (shapes::sphere(6, [0.0; 3], 1.0), shapes::sphere(6, [1.1, 0.3, 0.2], 0.8));
    let distance = (1.1f64 * 1.1 + 0.3 * 0.3 + 0.2 * 0.2).sqrt();
    let (body_a, body_b) = (a.body(), b.body());
    // The two polyhedra's own overlap is not known in closed form: take the finest image for it, and check that.
    let finest = overlap(2048).compute(&body_a, &body_b).unwrap().volume();
    assert!((finest / lens(1.0, 0.8, distance) - 1.0).abs() < 5e-4);
    for resolution in [32u32, 64, 128, 256, 512] {
        let mut overlap = overlap(resolution);
        let answer = overlap.compute(&body_a, &body_b).unwrap();
        let error = (answer.volume() - finest).abs();
        let of_box = answer.volume_of_interest().unwrap().volume();
        let allowed = 4.0 / f64::from(resolution * resolution);
        assert!(error / of_box < allowed, "{resolution}: {error:e}");
        assert!(error <= 4.0 * answer.error_estimate(), "{resolution}: {error:e} {:e}", answer.error_estimate());
        assert!(answer.error_estimate() < 0.2 * answer.volume());
    }
}

#[test]
fn two_boxes_overlap_in_a_box_whatever_their_nesting() {
    let intervals = [(0.0f32, 1.0f32), (0.0, 3.0), (1.0, 2.0), (0.5, 2.5), (2.0, 3.0), (-1.0, 4.0)];
    let mut overlap = overlap(5);
    for (i, x) in intervals.iter().enumerate() {
        for (j, y) in intervals.iter().enumerate() {
            for (k, z) in intervals.iter().enumerate() {
                let a = shapes::cuboid([x.0, y.0, z.0], [x.1, y.1, z.1]).body();
                // The other box takes the intervals in another order, so that all pairs occur on all axes.
                let [p, q, r] = [(i + j) % 6, (j + k) % 6, (k + i) % 6].map(|k| intervals[k]);
                let b = shapes::cuboid([p.0, q.0, r.0], [p.1, q.1, r.1]).body();
                let common = a.bounds().intersection(&b.bounds());
                let expected: f64 =
                    if common.is_empty() { 0.0 } else { common.extent().map(f64::from).iter().product() };
                for (a, b) in [(&a, &b), (&b, &a)] {
                    let answer = overlap.compute(a, b).unwrap();
                    assert!(
                        (answer.volume() - expected).abs() < 1e-12 * expected.max(1.0),
                        "{:?} {:?}",
                        a.bounds(),
                        b.bounds()
                    );
                    assert_eq!(answer.collides(), expected > 0.0);
                    if expected > 0.0 {
                        let found = answer.bounds().unwrap();
                        assert_eq!((found.min(), found.max()), (common.min(), common.max()));
                        let centre = answer.centroid().unwrap();
                        for axis in 0..3 {
                            let middle = 0.5 * f64::from(common.min()[axis] + common.max()[axis]);
                            assert!((centre[axis] - middle).abs() < 1e-6);
                        }
                    }
                    assert_eq!(overlap.collides(a, b).unwrap(), expected > 0.0);
                }
            }
        }
    }
}

#[test]
fn a_body_inside_another_overlaps_it_although_no_triangles_meet() {
    let (outer, inner) =
        (shapes::bumpy(4).moved(|p| p.map(|x| 3.0 * x)), shapes::torus(40, 20, 0.3).moved(|p| p.map(|x| 0.4 * x)));
    let mut overlap = overlap(256);
    for (a, b) in [(&outer, &inner), (&inner, &outer)] {
        let answer = overlap.compute(&a.body(), &b.body()).unwrap();
        assert!((answer.volume() / inner.volume() - 1.0).abs() < 2e-3);
        assert_eq!(answer.unordered_columns(), [0, 0]);
    }
}

#[test]
fn a_ball_in_the_hole_of_a_ring_overlaps_nothing() {
    let (ring, ball) = (shapes::torus(60, 30, 0.4).body(), shapes::sphere(4, [0.0; 3], 0.55).body());
    let mut overlap = overlap(100);
    let answer = overlap.compute(&ring, &ball).unwrap();
    assert_eq!((answer.volume(), answer.error_estimate()), (0.0, 0.0));
    assert!(answer.volume_of_interest().is_some() && !answer.collides());
    assert_eq!((answer.centroid(), answer.bounds()), (None, None));
    assert!(!overlap.collides(&ring, &ball).unwrap());
}

#[test]
fn bodies_apart_or_merely_touching_overlap_in_nothing_and_are_no_error() {
    let mut overlap = overlap(16);
    let cube = shapes::cube(0.0, 1.0);
    for (by, apart) in [([5.0, 0.0, 0.0], true), ([1.0, 0.0, 0.0], false), ([1.0, 1.0, 1.0], false)] {
        let answer = overlap.compute(&cube.body(), &cube.translated(by).body()).unwrap();
        assert_eq!((answer.volume(), answer.spans().count()), (0.0, 0));
        assert_eq!(answer.volume_of_interest().is_none(), apart);
        assert_eq!(answer.depth_complexity(), [0, 0]);
    }
    // And an answer after them is not disturbed.
    assert!((overlap.compute(&cube.body(), &cube.body()).unwrap().volume() - 1.0).abs() < 1e-12);
}

#[test]
fn union_and_difference_fit_the_intersection() {
    let (a, b) = (shapes::bumpy(4), shapes::torus(50, 24, 0.5).translated([0.4, -0.3, 0.2]));
    let volume = |operation, a: &Shape, b: &Shape| {
        let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(300).with_operation(operation));
        overlap.compute(&a.body(), &b.body()).unwrap().volume()
    };
    let intersection = volume(Operation::Intersection, &a, &b);
    let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    close(volume(Operation::Union, &a, &b), a.volume() + b.volume() - intersection);
    close(volume(Operation::Difference, &a, &b), a.volume() - intersection);
    close(volume(Operation::Difference, &b, &a), b.volume() - intersection);
    // Apart, a union is still the sum.
    let far = b.translated([10.0, 0.0, 0.0]);
    close(volume(Operation::Union, &a, &far), a.volume() + b.volume());
    close(volume(Operation::Difference, &a, &far), a.volume());
}

#[test]
fn spans_add_up_to_the_volume_and_lie_in_both_bodies() {
    let (a, b) = (shapes::sphere(3, [0.0; 3], 1.0), shapes::torus(40, 20, 0.4).translated([0.5, 0.1, 0.3]));
    let mut overlap = overlap(40);
    let answer = overlap.compute(&a.body(), &b.body()).unwrap();
    let voi = answer.volume_of_interest().unwrap();
    let area = voi.volume() / voi.distance() / 1600.0;
    let total: f64 = answer.spans().map(|span| span.span.length() * area).sum();
    assert!((total / answer.volume() - 1.0).abs() < 1e-12);
    let axis = answer.axis().unwrap();
    assert!(answer.spans().zip(answer.spans().skip(1)).all(|(s, t)| {
        let order = |s: &crumple_ldi::OverlapSpan| (s.sample[1], s.sample[0]);
        order(&s) < order(&t) || (order(&s) == order(&t) && s.span.high < t.span.low)
    }));
    for found in answer.spans() {
        let [x, y] = answer.sample_position(found.sample).unwrap();
        let mut middle = [0.0f32; 3];
        let [u, v] = axis.others();
        (middle[u as usize], middle[v as usize]) = (x as f32, y as f32);
        middle[axis as usize] = (0.5 * (found.span.low + found.span.high)) as f32;
        if found.span.length() > 1e-5 {
            assert!(a.winding_number(middle) > 0.5 && b.winding_number(middle) > 0.5, "{middle:?}");
        }
    }
}

#[test]
fn a_mirrored_body_overlaps_like_any_other() {
    let (a, b) = (shapes::bumpy(4), shapes::torus(40, 20, 0.4).translated([0.5, 0.1, 0.3]));
    let mut overlap = overlap(64);
    let expected = overlap.compute(&a.body(), &b.body()).unwrap().volume();
    let inside_out = overlap.compute(&a.body(), &b.inside_out().body()).unwrap();
    assert_eq!((inside_out.volume(), inside_out.unordered_columns()), (expected, [0, 0]));
}

#[test]
fn where_one_body_overlaps_itself_parity_leaves_a_hole() {
    let twice = shapes::cube(0.0, 2.0).with(&shapes::cube(1.0, 3.0)).body();
    let all = shapes::cube(-1.0, 4.0).body();
    for (rule, expected) in [(InsideRule::WindingNumber, 15.0), (InsideRule::Parity, 14.0)] {
        let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(48).with_inside(rule));
        assert!((overlap.compute(&twice, &all).unwrap().volume() - expected).abs() < 1e-9);
    }
}

#[test]
fn errors_say_which_body_is_meant() {
    let cube = shapes::cube(0.0, 1.0);
    let mut open = cube.clone();
    open.triangles.pop();
    let mut overlap = overlap(8);
    let message = |result: Result<f64, VolumeError>| result.unwrap_err().to_string();
    let volume = |overlap: &mut OverlapSampler, a: &Body, b: &Body| overlap.compute(a, b).map(|answer| answer.volume());
    assert!(message(volume(&mut overlap, &open.body(), &cube.body())).starts_with("body a is open: 3 edges"));
    assert!(message(volume(&mut overlap, &cube.body(), &open.body())).starts_with("body b is open: 3 edges"));
    let empty = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap();
    assert_eq!(message(volume(&mut overlap, &empty, &cube.body())), "body a has no triangles, so it encloses nothing");
    let mut fine = OverlapSampler::new(OverlapOptions::default().with_resolution(5000));
    assert!(message(volume(&mut fine, &cube.body(), &cube.body())).starts_with("a resolution of 5000 x 5000"));
    let mut going_on = OverlapSampler::new(OverlapOptions::default().with_resolution(16).with_assumed_closed());
    assert!(going_on.compute(&open.body(), &cube.body()).is_ok());
}

#[test]
fn poses_made_to_have_the_layers_of_table_1_have_them() {
    let names = [
        ("HE1-knot-rabbit-3-1", [3, 1]),
        ("HE1-knot-rabbit-4-6", [4, 6]),
        ("HE1-rabbit-reptile-7-5", [7, 5]),
        ("HE1-rabbit-reptile-4-2", [4, 2]),
        ("HE1-reptile-santa-8-6", [8, 6]),
    ];
    for (name, layers) in names {
        let scene = crumple_scenes::by_name(name).unwrap();
        let [a, b] = [0, 1].map(|number| {
            let body = &scene.bodies()[number];
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec()).unwrap();
            Body::new(mesh, &body.positions_at(0)).unwrap()
        });
        let mut overlap = OverlapSampler::new(OverlapOptions::default());
        let answer = overlap.compute(&a, &b).unwrap();
        assert_eq!(answer.depth_complexity(), layers, "{name}");
        assert!(answer.volume() > 0.0, "{name}");
    }
}
