//! Closest points, inside or outside, rays and depths.

use super::{FAR, UNIT, Wide, both_kinds, perturbed, shifted};
use crate::support::shapes::{Shape, bumpy, cuboid, sphere, torus};
use crumple::distance::vertex_face_distance;
use crumple::{Body, ClosestPoint, Mesh, QueryError, Ray, RayHit, Scene, VertexId};
use crumple_scenes::Random;

fn at(shape: &Shape, positions: &[Wide]) -> Body {
    Body::new_f64(Mesh::new(positions.len(), shape.triangles.clone()).unwrap(), positions).unwrap()
}

fn corners(body: &Body, triangle: [u32; 3]) -> [Wide; 3] {
    triangle.map(|vertex| body.point(VertexId(vertex)).unwrap())
}

/// Points around and inside a body that is about 2 wide, on its vertices, and a unit off them.
fn points(positions: &[Wide], count: usize) -> Vec<Wide> {
    let mut random = Random::new(9);
    let anywhere =
        |random: &mut Random| -> Wide { std::array::from_fn(|_| (random.between(-2.0, 2.0) / UNIT).round() * UNIT) };
    let mut points: Vec<Wide> = (0..count).map(|_| anywhere(&mut random)).collect();
    points.extend_from_slice(&positions[..20]);
    points.extend(positions[20..40].iter().map(|&[x, y, z]| [x, y + UNIT, z]));
    points
}

#[test]
fn closest_points_are_those_of_the_f64_numbers_here_and_far_away() {
    for shape in [bumpy(3), torus(24, 12, 0.35)] {
        let positions = perturbed(&shape.positions, 5);
        let points = points(&positions, 300);
        let (here, far) = (at(&shape, &positions), at(&shape, &shifted(&positions, FAR)));
        let found = crumple::signed_closest_points(&here, &points).unwrap();
        let moved = crumple::signed_closest_points(&far, &shifted(&points, FAR)).unwrap();
        let (mut inside, mut on_surface) = (0, 0);
        for ((point, found), moved) in points.iter().zip(&found).zip(&moved) {
            let all = here.mesh().indices().iter().map(|&triangle| {
                let [p, q, r] = corners(&here, triangle);
                vertex_face_distance(&[*point, p, q, r]).distance()
            });
            let expected = all.fold(f64::INFINITY, f64::min);
            assert!((found.distance.abs() - expected).abs() <= 1e-14, "{point:?} {found:?} {expected}");
            // Differences of coordinates are the same bits, and so is all that follows from them.
            let without_place = |found: &ClosestPoint| (found.distance, found.triangle, found.barycentric);
            assert_eq!(without_place(found), without_place(moved), "{point:?}");
            inside += usize::from(found.distance < 0.0);
            on_surface += usize::from(found.distance == 0.0);
        }
        assert!(inside > 10 && on_surface >= 20, "{inside} {on_surface}");
        // Also one by one, through the boxes that a scene keeps.
        let mut scene = Scene::new();
        let body = scene.add(far);
        let frame = scene.update().unwrap();
        for (point, moved) in shifted(&points, FAR).into_iter().zip(&moved) {
            assert_eq!(frame.signed_closest_point(body, point).unwrap(), *moved);
        }
    }
}

#[test]
fn rays_hit_the_f64_triangles_here_and_far_away() {
    let mut random = Random::new(12);
    let mut hits = 0;
    for shape in [bumpy(2), torus(24, 12, 0.35)] {
        let positions = perturbed(&shape.positions, 6);
        let (here, far) = (at(&shape, &positions), at(&shape, &shifted(&positions, FAR)));
        let one = |triangle: [u32; 3]| {
            Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners(&here, triangle)).unwrap()
        };
        let alone: Vec<Body> = here.mesh().indices().iter().map(|&triangle| one(triangle)).collect();
        for _ in 0..60 {
            // Origins that are f32 numbers far away, too.
            let origin: [f32; 3] = std::array::from_fn(|_| random.integer(-24, 24) as f32 / 8.0);
            let direction = origin.map(|x| random.between(-0.5, 0.5) as f32 - x);
            let found = crumple::cast_ray(&here, &Ray::new(origin, direction)).unwrap();
            let moved = crumple::cast_ray(&far, &Ray::new(origin.map(|x| x + FAR as f32), direction)).unwrap();
            let of_all = (0..).zip(&alone).filter_map(|(number, triangle)| {
                let hit = crumple::cast_ray(triangle, &Ray::new(origin, direction)).unwrap()?;
                Some(RayHit { triangle: crumple::TriangleId(number), ..hit })
            });
            let first = of_all.reduce(|first, next| if next.t < first.t { next } else { first });
            assert_eq!(found, first);
            assert_eq!(found.map(|hit| (hit.t, hit.triangle)), moved.map(|hit| (hit.t, hit.triangle)));
            hits += usize::from(found.is_some());
        }
    }
    assert!(hits > 60, "{hits}");
}

#[test]
fn f64_bodies_at_f32_positions_answer_as_f32_bodies_do() {
    for shape in [bumpy(2), torus(24, 12, 0.35)] {
        let [narrow, wide] = both_kinds(&shape.body());
        let mut random = Random::new(4);
        let points: Vec<[f32; 3]> =
            (0..200).map(|_| std::array::from_fn(|_| random.between(-2.0, 2.0) as f32)).collect();
        let widened: Vec<Wide> = points.iter().map(|point| point.map(f64::from)).collect();
        let expected = crumple::signed_closest_points(&narrow, &points).unwrap();
        assert_eq!(crumple::signed_closest_points(&wide, &points).unwrap(), expected);
        assert_eq!(crumple::signed_closest_points(&wide, &widened).unwrap(), expected);
        assert_eq!(crumple::signed_closest_points(&narrow, &widened).unwrap(), expected);
        let rays: Vec<Ray> = points.iter().map(|&point| Ray::new(point, point.map(|x| 0.1 - x))).collect();
        assert_eq!(crumple::cast_rays(&wide, &rays).unwrap(), crumple::cast_rays(&narrow, &rays).unwrap());
    }
}

#[test]
fn depths_are_those_of_f64_vertices_in_an_f64_body() {
    let (shape, other) = (bumpy(2), sphere(2, [0.5, 0.25, 0.125], 1.0));
    let (of_a, of_b) = (perturbed(&shape.positions, 1), perturbed(&other.positions, 2));
    let [here, far] = [0.0, FAR].map(|by| {
        let mut scene = Scene::new();
        let a = scene.add(at(&shape, &shifted(&of_a, by)));
        let b = scene.add(at(&other, &shifted(&of_b, by)));
        let frame = scene.update().unwrap();
        let mut found = Vec::new();
        frame.depths(a, b, &mut found).unwrap();
        let depths: Vec<_> = found.iter().map(|of| (of.vertex, of.depth, of.triangle, of.barycentric)).collect();
        (depths, frame.deepest(a, b).unwrap())
    });
    assert!(here.0.len() > 20);
    assert_eq!(here, far);
    // A corner 2^-20 deep, which f32 cannot tell from the surface there.
    let thin = 2f64.powi(-20);
    let unit = cuboid([0.0; 3], [1.0; 3]);
    let moved = |by: Wide| -> Vec<Wide> {
        unit.positions.iter().map(|p| std::array::from_fn(|k| FAR + f64::from(p[k]) + by[k])).collect()
    };
    let mut scene = Scene::new();
    let a = scene.add(at(&unit, &moved([0.0; 3])));
    let b = scene.add(at(&unit, &moved([0.5, 0.5, 1.0 - thin])));
    assert_eq!(scene.update().unwrap().deepest(a, b).unwrap(), Some(thin));
    scene.set_positions_f64(b, &moved([0.5, 0.5, 1.0 + thin])).unwrap();
    assert_eq!(scene.update().unwrap().deepest(a, b).unwrap(), Some(0.0));
}

#[test]
fn points_that_a_body_could_not_have_are_refused() {
    let body = cuboid([0.0; 3], [1.0; 3]).body();
    let refused = |point: Wide| crumple::closest_point(&body, point).unwrap_err();
    assert!(matches!(refused([1e60, 0.0, 0.0]), QueryError::PointOutOfRange { index: 0, .. }));
    assert!(matches!(refused([0.5, 1e-100, 0.0]), QueryError::PointOutOfRange { index: 0, .. }));
    assert!(matches!(refused([0.5, f64::NAN, 0.0]), QueryError::PointNotFinite { index: 0, .. }));
    assert_eq!(crumple::closest_point(&body, [0.5, 0.5, 1.5]).unwrap().distance, 0.5);
}
