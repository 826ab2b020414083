//! f64 positions: every method and option finds what brute force finds on the f64 numbers, not on rounded ones.

use std::sync::Arc;

use crate::support::counts::full_counts;
use crate::support::doubles::{check, perturbed};
use crate::support::fixture_files::fixture;
use crate::support::methods::{brute_force, default_methods, methods};
use crumple::narrow::Wanted;
use crumple::{Body, Mesh, Pose, Precision, TriangleId, TrianglePair, VertexId};
use crumple_methods::Method;
use crumple_scenes::Random;

/// The two triangles of each row of the file, on whole numbers, and whether they meet.
fn rows() -> Vec<([[[f64; 3]; 3]; 2], bool)> {
    let text = std::fs::read_to_string(fixture("tri_tri.csv")).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let corner = |i: usize| -> [f64; 3] { std::array::from_fn(|k| fields[1 + 3 * i + k].parse().unwrap()) };
        let triangle = |first: usize| std::array::from_fn(|k| corner(first + k));
        ([triangle(0), triangle(3)], fields[20] == "1")
    };
    text.lines().skip(1).map(row).collect()
}

/// Triangles that share no vertices, as one body.
fn body(triangles: &[[[f64; 3]; 3]]) -> Body {
    let numbers = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Body::new_f64(Mesh::new(3 * triangles.len(), numbers).unwrap(), triangles.as_flattened()).unwrap()
}

#[test]
fn the_truth_file_shifted_and_scaled_beyond_24_bits_is_decided_right_by_every_method() {
    let rows = rows();
    let truth: Vec<TrianglePair> =
        (0..).zip(&rows).filter(|(_, row)| row.1).map(|(i, _)| TrianglePair::new(i, i)).collect();
    assert!(truth.len() > 1000 && truth.len() < rows.len() - 1000);
    let odd = 2f64.powi(30) + 1.0;
    // Each row is moved away from the others by a multiple of a power of two, and all are multiplied: without rounding.
    for (name, factor, apart) in [
        ("2^40 apart", 1.0, 2f64.powi(40)),
        ("2^40 apart, tiny", 2f64.powi(-120), 2f64.powi(40)),
        ("2^40 apart, huge", 2f64.powi(70), 2f64.powi(40)),
        ("2^21 apart, of which f32 resolves some", 1.0, 2f64.powi(21)),
        ("128 apart, times 2^30 + 1, of which f32 holds 24 bits of 37", odd, 128.0),
        ("128 apart, to be held by f32", 1.0, 128.0),
    ] {
        let place = |at: usize, corner: [f64; 3]| {
            // In both directions from the origin, along all axes.
            let shift = apart * (at as f64 - 1500.0);
            let moved = corner.map(|x| (x + shift) * factor);
            assert_eq!(moved.map(|x| x / factor - shift), corner, "the test must not round");
            moved
        };
        let side = |which: usize| -> Vec<[[f64; 3]; 3]> {
            rows.iter().enumerate().map(|(at, (pair, _))| pair[which].map(|corner| place(at, corner))).collect()
        };
        let sides = [side(0), side(1)];
        let mut bodies = [body(&sides[0]), body(&sides[1])];
        for pose in [Pose::IDENTITY, Pose::new([0.1, -0.2, 0.4, 0.8], [3.0, -1.0, 2.0]).unwrap()] {
            bodies.iter_mut().for_each(|body| body.set_pose(pose));
            // Where boxes tell rows apart, and where they hardly do.
            let is_chosen = factor == odd || full_counts() && apart == 2f64.powi(40) && factor == 1.0;
            let all_options = pose == Pose::IDENTITY && is_chosen;
            let methods = if all_options { methods() } else { default_methods() };
            for method in methods.iter().filter(|method| method.name() != "brute-force") {
                let mut trees = method.trees(&bodies);
                assert_eq!(trees.pairs(&bodies, 0, 1, Wanted::All), truth, "{method}: {name}");
            }
            // Brute force takes as long as all others together if it compares every row with every other, so it is given some
            // rows at a time.
            const ROWS: usize = 100;
            for first in (0..rows.len()).step_by(ROWS) {
                let is_among = |row: usize| (first..first + ROWS).contains(&row);
                let some = sides.each_ref().map(|side| {
                    let mut some = body(&side[first..side.len().min(first + ROWS)]);
                    some.set_pose(pose);
                    some
                });
                let expected = truth.iter().filter(|pair| is_among(pair.a.0 as usize));
                let expected: Vec<TrianglePair> = expected
                    .map(|pair| {
                        let row = pair.a.0 - first as u32;
                        TrianglePair::new(row, row)
                    })
                    .collect();
                assert_eq!(brute_force().trees(&some).pairs(&some, 0, 1, Wanted::All), expected, "{name}");
            }
        }
    }
}

/// A triangle that hangs from its first corner and one that lies above or below it; the same numbers in f32.
fn one_triangle(corners: [[f64; 3]; 3]) -> [Body; 2] {
    let mesh = Arc::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap());
    let rounded = corners.map(|corner| corner.map(|x| x as f32));
    [Body::new_f64(mesh.clone(), &corners).unwrap(), Body::new(mesh, &rounded).unwrap()]
}

#[test]
fn what_touches_in_f64_and_not_after_rounding_and_the_other_way_round() {
    // The distance from 1 to the next f32 number.
    let unit = 2f64.powi(-23);
    let tilted = one_triangle([[0.0, 0.0, 1.0], [2.0, -1.0, 1.0 + 0.8 * unit], [2.0, 1.0, 1.0 + 0.8 * unit]]);
    // Its upper corner lies in the middle of the tilted one, whose far edge is rounded up; it is rounded down.
    let hanging = one_triangle([[1.0, 0.0, 1.0 + 0.4 * unit], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]);
    let flat = one_triangle([[0.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 2.0, 1.0]]);
    let just_above = one_triangle([[1.0, 0.0, 1.0 + 0.25 * unit], [1.0, -1.0, 2.0], [1.0, 1.0, 2.0]]);
    for (a, b, in_f64, in_f32) in [(&tilted, &hanging, true, false), (&flat, &just_above, false, true)] {
        for method in methods() {
            let meet = |a: &Body, b: &Body| {
                let bodies = [a.clone(), b.clone()];
                [Wanted::All, Wanted::First].map(|wanted| method.trees(&bodies).pairs(&bodies, 0, 1, wanted).len())
            };
            assert_eq!(meet(&a[0], &b[0]), [usize::from(in_f64); 2], "{method}");
            assert_eq!(meet(&a[1], &b[1]), [usize::from(in_f32); 2], "{method}");
        }
        for (precision, expected) in [(0, in_f64), (1, in_f32)] {
            assert_eq!(crumple::pairs(&a[precision], &b[precision]).len(), usize::from(expected));
        }
    }
    // As one body, whose triangles share no vertex.
    for (a, b, expected) in [(&tilted, &hanging, 1), (&flat, &just_above, 0)] {
        let corners = |body: &Body| [0, 1, 2].map(|vertex| body.point(VertexId(vertex)).unwrap());
        let both = [body(&[corners(&a[0]), corners(&b[0])])];
        for method in methods() {
            assert_eq!(method.trees(&both).pairs(&both, 0, 0, Wanted::All).len(), expected, "{method}");
        }
    }
}

/// A body of triangles over random vertices of a small grid, each coordinate off by nothing or a little that f32 cannot
/// hold, far from the origin or not; some bodies are f32 bodies.
fn grid_soup(random: &mut Random, triangles: u64, (side, little, offset): (i64, f64, f64)) -> Body {
    let vertices = 3 + random.below(2 * triangles);
    let list = (0..triangles).map(|_| [0; 3].map(|_| random.below(vertices) as u32)).collect();
    let mut coordinate = || random.integer(0, side) as f64 + random.integer(-1, 1) as f64 * little + offset;
    let positions: Vec<[f64; 3]> = (0..vertices).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
    let rounded: Vec<[f32; 3]> = positions.iter().map(|position| position.map(|x| x as f32)).collect();
    let mut mesh = Mesh::new(vertices as usize, list).unwrap();
    if random.once_in(3) {
        return Body::new(mesh, &rounded).unwrap();
    }
    if random.once_in(2) {
        mesh = mesh.welded(&positions).unwrap();
    }
    Body::new_f64(mesh, &positions).unwrap()
}

#[test]
fn soups_on_small_grids_perturbed_and_far_away_in_mixed_scenes() {
    let methods = methods();
    let kinds = [
        (3, 2f64.powi(-40), 0.0),
        (4, 2f64.powi(-26), 1.0),
        (4, 0.0, 2f64.powi(40)),
        (6, 2f64.powi(-10), 2f64.powi(30)),
        (40, 2f64.powi(-22), 0.0),
        (5, 2f64.powi(-23), 8.0),
        (2000, 2f64.powi(-20), 100.0),
    ];
    let (mut pairs, mut kinds_of_scenes) = (0, [0; 3]);
    for seed in 0..35 {
        let mut random = Random::new(seed + 500);
        let kind = kinds[seed as usize % kinds.len()];
        let bodies: Vec<Body> = [40, 40, 10].map(|triangles| grid_soup(&mut random, triangles, kind)).into();
        kinds_of_scenes[bodies.iter().filter(|body| body.precision() == Precision::F64).count().min(2)] += 1;
        pairs += check(&methods, &bodies, &format!("seed {seed}"));
    }
    assert!(pairs > 10_000, "{pairs}");
    assert!(kinds_of_scenes[1] > 0 && kinds_of_scenes[2] > 0, "{kinds_of_scenes:?}");
}

/// The bodies of a published scene in a frame, perturbed below what f32 resolves.
fn perturbed_scene(name: &str, frame: usize) -> Vec<Body> {
    let scene = crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap();
    let (mut random, frame) = (Random::new(frame as u64), frame.min(scene.frame_count() - 1));
    let body = |of: &crumple_scenes::SceneBody| {
        let positions = of.positions_at(frame);
        let mesh = Mesh::new(positions.len(), of.triangles().to_vec()).unwrap();
        let body = Body::new_f64(mesh, &perturbed(&mut random, &positions)).unwrap();
        assert_eq!(body.positions(), positions);
        body
    };
    scene.bodies().iter().map(body).collect()
}

#[test]
fn meshes_perturbed_below_f32_resolution_on_one_and_two_threads() {
    let mut methods = default_methods();
    methods.retain(|method| method.name() != "brute-force");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            for (name, frame) in [("small-spheres-1280", 199), ("small-scatter", 100)] {
                let bodies = perturbed_scene(name, frame);
                assert!(check(&methods, &bodies[..2], name) > 0, "{name}");
            }
            for (name, frame) in [("small-cloth", 300), ("small-inside-out", 150)] {
                let bodies = perturbed_scene(name, frame);
                assert!(check(&methods, &bodies[..1], name) > 0, "{name} within itself");
            }
        });
    }
}

#[test]
fn a_scene_keeps_up_with_f64_bodies_that_move() {
    for method in Method::all() {
        let mut random = Random::new(3);
        let frames = [20, 60, 100, 140, 199, 60].map(|frame| perturbed_scene("small-spheres-1280", frame));
        let mut scene = method.scene();
        let ids: Vec<_> = frames[0].iter().map(|body| scene.add(body.clone())).collect();
        ids.iter().for_each(|&id| scene.set_self_collision(id, true).unwrap());
        for bodies in &frames[1..] {
            for (&id, body) in ids.iter().zip(bodies) {
                match random.below(3) {
                    0 => scene.set_positions_f64(id, body.positions_f64().unwrap()).unwrap(),
                    1 => scene.positions_mut_f64(id).unwrap().copy_from_slice(body.positions_f64().unwrap()),
                    _ => {
                        let write = |_: &[[f64; 3]], new: &mut [[f64; 3]]| {
                            new.copy_from_slice(body.positions_f64().unwrap());
                        };
                        scene.write_positions_f64(id, write).unwrap();
                    }
                }
            }
            let frame = scene.update().unwrap();
            let found: Vec<_> = frame.contacts().iter().flat_map(|contact| contact.pairs.to_vec()).collect();
            assert_eq!(found, crumple::pairs(&bodies[0], &bodies[1]), "{method}");
        }
    }
}

#[test]
fn parts_and_fused_bodies_keep_their_f64_numbers() {
    let bodies = perturbed_scene("small-spheres-1280", 199);
    let whole = crumple::pairs(&bodies[0], &bodies[1]);
    assert!(!whole.is_empty());
    let off: Vec<TriangleId> = (0..400).map(TriangleId).collect();
    let [rest, part] = bodies[0].split(&off).unwrap();
    let mut found = Vec::new();
    for half in [rest, part] {
        assert_eq!(half.body.precision(), Precision::F64);
        let old = |pair: &TrianglePair| TrianglePair { a: half.numbers.old_triangles()[pair.a.index()], b: pair.b };
        found.extend(crumple::pairs(&half.body, &bodies[1]).iter().map(old));
    }
    found.sort_unstable();
    assert_eq!(found, whole);
    // An f32 body fused with an f64 one makes an f64 body.
    let rounded = Body::new(bodies[1].mesh().clone(), bodies[1].positions()).unwrap();
    let (fused, numbers) = Body::fuse(&rounded, &bodies[0], crumple::Seam::Open).unwrap();
    assert_eq!(fused.precision(), Precision::F64);
    let expected = crumple::pairs(&rounded, &bodies[0]);
    let between = |pair: &TrianglePair| {
        let [a, b] = [numbers[0].triangle(pair.a), numbers[1].triangle(pair.b)];
        TrianglePair { a: a.unwrap(), b: b.unwrap() }
    };
    let first_of_b = rounded.mesh().triangles().len();
    let mut within = crumple::self_pairs(&fused);
    within.retain(|pair| pair.a.index() < first_of_b && pair.b.index() >= first_of_b);
    assert_eq!(within, expected.iter().map(between).collect::<Vec<_>>());
}
