//! Intersection curves: they close, they lie on both surfaces, and open bodies have open ones.

use super::assert_near;
use crate::support::shapes::{Shape, bumpy, cells, cuboid, sphere, torus};
use crumple::contact::curves;
use crumple::{Body, Curve};

/// A square sheet of `count` by `count` quads in the plane of x and y.
fn sheet(count: u32, side: f32) -> Shape {
    let mut shape = Shape::default();
    for j in 0..=count {
        for i in 0..=count {
            let at = |k: u32| side * (k as f32 / count as f32 - 0.5);
            shape.positions.push([at(i), at(j), 0.0]);
            if i < count && j < count {
                let k = j * (count + 1) + i;
                shape.triangles.extend([[k, k + 1, k + count + 2], [k, k + count + 2, k + count + 1]]);
            }
        }
    }
    shape
}

fn corners(body: &Body, triangle: crumple::TriangleId) -> [[f64; 3]; 3] {
    body.triangle(triangle).unwrap().0.map(|p| p.map(f64::from))
}

/// Every point lies on both its triangles, and neighbours on the curve share a triangle on one side.
#[track_caller]
fn assert_on_both(a: &Body, b: &Body, curve: &Curve<'_>) {
    for (k, point) in curve.points.iter().enumerate() {
        for (side, body) in [a, b].into_iter().enumerate() {
            let corners = corners(body, point.triangles[side]);
            let weights = point.barycentric[side];
            assert!(weights.iter().all(|&weight| (-1e-9..=1.0 + 1e-9).contains(&weight)), "{weights:?}");
            for axis in 0..3 {
                let there: f64 = (0..3).map(|corner| weights[corner] * corners[corner][axis]).sum();
                assert_near(there, point.position[axis], 1e-9, || format!("point {k}, side {side}"));
            }
        }
        if let Some(next) = curve.points.get(k + 1) {
            assert!((0..2).any(|side| point.triangles[side] == next.triangles[side]));
        }
    }
}

#[test]
fn curves_of_closed_bodies_close_and_lie_on_both_surfaces() {
    let ring = torus(40, 20, 0.35);
    for (a, b, count) in [
        (sphere(3, [0.0; 3], 1.0), sphere(3, [1.0, 0.1, 0.2], 1.0), Some(1)),
        // A plate through a ring that stands upright cuts it twice; a wall across a ring that lies flat, in two circles.
        (cuboid([-3.0, -3.0, -0.05], [3.0, 3.0, 0.05]), ring.moved(|[x, y, z]| [x, z, y + 0.01]), Some(4)),
        (ring.clone(), cuboid([-3.0, -3.0, 0.01], [3.0, 3.0, 3.0]), Some(2)),
        (bumpy(4), ring.translated([0.3, 0.2, 0.1]), None),
        (cells(&[[0, 0, 0], [1, 1, 0], [2, 0, 0]]), cells(&[[0, 0, 0], [1, 0, 0], [1, 1, 0]]), None),
        (bumpy(3), bumpy(3), None),
    ] {
        let (a, b) = (a.body(), b.body());
        let found = curves(&a, &b);
        for curve in found.iter() {
            assert!(curve.is_closed);
            assert_on_both(&a, &b, &curve);
        }
        if let Some(count) = count {
            assert_eq!(found.len(), count);
        }
    }
}

#[test]
fn two_sheets_cross_in_an_open_curve_and_a_sheet_and_a_ball_in_a_closed_one() {
    let flat = sheet(9, 2.0).body();
    let upright = sheet(7, 1.0).moved(|[x, y, z]| [x + 0.01, z + 0.02, y]).body();
    let found = curves(&flat, &upright);
    assert_eq!(found.len(), 1);
    let curve = found.iter().next().unwrap();
    assert!(!curve.is_closed);
    assert_on_both(&flat, &upright, &curve);
    // From border to border of the small sheet, which is 1 wide.
    let (first, last) = (curve.points[0].position, curve.points[curve.points.len() - 1].position);
    assert_near((first[0] - last[0]).abs(), 1.0, 1e-6, || "length".into());
    let ball = sphere(2, [0.1, 0.2, 0.3], 0.5).body();
    let found = curves(&flat, &ball);
    assert_eq!(found.len(), 1);
    assert!(found.iter().all(|curve| curve.is_closed));
    assert!(curves(&flat, &sphere(2, [0.0, 0.0, 5.0], 1.0).body()).is_empty());
}

#[test]
fn the_force_on_a_rigid_body_is_half_the_sum_of_cross_products_along_the_curves() {
    let (a, b) = (bumpy(4).body(), sphere(4, [0.7, 0.3, 0.2], 0.9).body());
    let mut force = [0.0; 3];
    for curve in curves(&a, &b).iter() {
        for (k, point) in curve.points.iter().enumerate() {
            let (p, q) = (point.position, curve.points[(k + 1) % curve.points.len()].position);
            (0..3).for_each(|k| force[k] += 0.5 * (p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3]));
        }
    }
    let found = super::between(&a, &b);
    for k in 0..3 {
        let sum: f64 = found.gradient_a().iter().map(|of_vertex| of_vertex.gradient[k]).sum();
        assert_near(sum, force[k], 1e-12, || format!("{k}"));
    }
}
