//! Random bodies and points against the plain answer: every triangle asked about every point.

use super::*;
use crate::simd::all_levels;
use crumple::Edit;
use crumple::Mesh;
use crumple::TriangleId;
use crumple::exact::{BeforePoint, before_point_f64};
use crumple_scenes::Random;

/// The plain answer.
fn plain(question: Question<'_>, points: &[[f64; 3]]) -> Vec<bool> {
    let Question { body, axis, rule, .. } = question;
    let bounds = held_box(body);
    let contains = |point: [f64; 3]| {
        let mut net = 0;
        for (_, triangle) in body.mesh().live_triangles() {
            match before_point_f64(axis, &triangle.map(|vertex| position(body, vertex)), point) {
                BeforePoint::Nothing => {}
                BeforePoint::Entry => net += 1,
                BeforePoint::Exit => net -= 1,
                BeforePoint::OnSurface => return true,
            }
        }
        holds(rule, net)
    };
    points.iter().map(|&point| bounds.contains(point.map(|x| x as f32)) && contains(point)).collect()
}

/// Compares with the plain answer along all axes, with both rules and both sets of instructions.
fn compare(body: &Body, is_closed: bool, points: &[[f64; 3]]) {
    let (mut tester, mut inside) = (ExactPoints::default(), Vec::new());
    for axis in Axis::ALL {
        for rule in [InsideRule::WindingNumber, InsideRule::Parity] {
            let question = Question { body, axis, rule, is_closed };
            let expected = plain(question, points);
            for level in all_levels() {
                tester.test(level, question, points, &mut inside);
                assert!(inside == expected, "along {axis:?}, {rule:?}");
            }
        }
    }
}

/// A grid of quads bent into a torus and shaken: closed, in general folded and passing through itself.
fn shaken_torus(random: &mut Random, around: u32, along: u32, shake: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let at = |i: u32, j: u32| (i % around) * along + j % along;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..along {
            let [alpha, beta] =
                [(i, around), (j, along)].map(|(k, n)| std::f64::consts::TAU * f64::from(k) / f64::from(n));
            let radius = 1.0 + 0.4 * beta.cos();
            let place = [radius * alpha.cos(), radius * alpha.sin(), 0.4 * beta.sin()];
            positions.push(place.map(|x| x + random.between(-shake, shake)));
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (positions, triangles)
}

/// Points in the box of some positions and a little beyond it, a part of them at vertices, at middles of edges, or with
/// coordinates of vertices.
fn points_around(random: &mut Random, positions: &[[f64; 3]], triangles: &[[u32; 3]], count: usize) -> Vec<[f64; 3]> {
    let any = |random: &mut Random| positions[random.below(positions.len() as u64) as usize];
    let most = positions.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    (0..count)
        .map(|_| match random.below(10) {
            0 => any(random),
            1 => {
                let [a, b, _] = triangles[random.below(triangles.len() as u64) as usize].map(|k| positions[k as usize]);
                std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
            }
            2 => std::array::from_fn(|k| any(random)[k]),
            _ => std::array::from_fn(|_| random.between(-1.1 * most, 1.1 * most)),
        })
        .collect()
}

#[test]
fn points_of_random_bodies_get_the_answer_of_all_triangles_asked() {
    let mut random = Random::new(5);
    // From a fine mesh without folds to a tangle of triangles that reach across the whole box.
    for (around, along, shake, count) in [
        (60, 30, 0.0, 3000),
        (40, 20, 0.02, 2000),
        (12, 8, 0.1, 1500),
        (10, 6, 1.0, 600),
        (3, 3, 0.0, 400),
        (9, 5, 0.3, 3),
    ] {
        let (positions, triangles) = shaken_torus(&mut random, around, along, shake);
        let points = points_around(&mut random, &positions, &triangles, count);
        let mesh = Mesh::new(positions.len(), triangles).unwrap();
        let body = Body::new_f64(mesh, &positions).unwrap();
        compare(&body, true, &points);
        compare(&body, false, &points);
    }
}

#[test]
fn points_of_bodies_on_whole_coordinates_get_the_answer_of_all_triangles_asked() {
    // Corners and points fall on each other, triangles lose their area, and edges lie on the borders of columns.
    let mut random = Random::new(8);
    for units in [2.0, 5.0, 16.0, 127.0] {
        let (positions, triangles) = shaken_torus(&mut random, 16, 10, 0.1);
        let snapped = |x: f64| (x * units).round() / units;
        let positions: Vec<[f32; 3]> = positions.iter().map(|p| p.map(|x| snapped(x) as f32)).collect();
        let wide: Vec<[f64; 3]> = positions.iter().map(|p| p.map(f64::from)).collect();
        let points = points_around(&mut random, &wide, &triangles, 1200);
        let snapped_points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| f64::from(snapped(x) as f32))).collect();
        let body = Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap();
        compare(&body, true, &snapped_points);
    }
}

#[test]
fn open_surfaces_and_removed_triangles_get_the_answer_of_all_triangles_asked() {
    let mut random = Random::new(13);
    let (positions, mut triangles) = shaken_torus(&mut random, 20, 12, 0.05);
    let points = points_around(&mut random, &positions, &triangles, 1500);
    let mut body = Body::new_f64(Mesh::new(positions.len(), triangles.clone()).unwrap(), &positions).unwrap();
    let remove = (0..40).map(|k| TriangleId(7 * k)).collect();
    body.edit(&Edit { remove, ..Edit::default() }).unwrap();
    compare(&body, false, &points);
    triangles.truncate(300);
    let body = Body::new_f64(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap();
    compare(&body, false, &points);
}

#[test]
fn welded_vertices_that_part_leave_every_triangle_to_be_asked() {
    let mut random = Random::new(21);
    let (positions, triangles) = shaken_torus(&mut random, 20, 12, 0.0);
    // Every triangle has vertices of its own, which are welded to those of its neighbours.
    let own: Vec<[f64; 3]> = triangles.iter().flatten().map(|&k| positions[k as usize]).collect();
    let numbers = (0..triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = Mesh::new(own.len(), numbers).unwrap().welded(&own).unwrap();
    assert!(mesh.topology().open.is_none());
    let points = points_around(&mut random, &positions, &triangles, 1500);
    let mut body = Body::new_f64(mesh, &own).unwrap();
    compare(&body, true, &points);
    // Half of the triangles move away.
    let apart: Vec<[f64; 3]> =
        own.iter().enumerate().map(|(k, p)| if k % 6 < 3 { *p } else { p.map(|x| 1.2 * x) }).collect();
    body.set_positions_f64(&apart).unwrap();
    compare(&body, true, &points);
}

#[test]
fn two_layers_that_cross_a_middle_line_within_one_step_are_counted() {
    // Two cubes in one place, and two thin plates on each other: two entries, and two exits, of one line at one height.
    let corner = |k: u32, size: [f64; 3]| std::array::from_fn(|axis| if k >> axis & 1 == 1 { size[axis] } else { 0.0 });
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    for sizes in [[[1.0; 3], [1.0; 3]], [[1.0, 1.0, 1e-4], [1.0, 1.0, 2e-4]]] {
        let positions: Vec<[f64; 3]> =
            sizes.iter().flat_map(|&size| (0..8).map(move |k| corner(k, size))).chain([[0.0, 0.0, 1.5]; 1]).collect();
        let triangles: Vec<[u32; 3]> = faces.iter().copied().chain(faces.iter().map(|f| f.map(|k| k + 8))).collect();
        let mut random = Random::new(3);
        let points: Vec<[f64; 3]> = (0..4000)
            .map(|_| [random.between(-0.1, 1.1), random.between(-0.1, 1.1), random.between(-0.1, 1.1).powi(3)])
            .collect();
        let body = Body::new_f64(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap();
        compare(&body, true, &points);
    }
}
