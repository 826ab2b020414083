//! Round solids, nested ones, holes, bodies that overlap themselves, and parts that add up.

use super::{assert_near, of, size};
use crate::support::shapes::{Shape, bumpy, cube, cuboid, sphere, torus};

#[test]
fn a_body_with_itself_overlaps_by_all_of_itself() {
    for shape in [cube(-1.0, 2.0), sphere(3, [0.3, 0.1, 0.2], 1.0), bumpy(4), torus(40, 20, 0.4)] {
        let found = of(&shape, &shape);
        assert_near(found.volume(), shape.volume(), 1e-13 * size(&shape, &shape), || "itself".into());
    }
}

#[test]
fn a_body_inside_another_overlaps_by_all_of_itself() {
    let (inner, outer) = (sphere(2, [0.1, 0.2, 0.3], 0.25), cube(-1.0, 1.0));
    for (a, b) in [(&inner, &outer), (&outer, &inner)] {
        let found = of(a, b);
        assert_near(found.volume(), inner.volume(), 1e-15, || "inside".into());
        let gradients = [found.gradient_a().len(), found.gradient_b().len()];
        assert_eq!(gradients.iter().sum::<usize>(), inner.positions.len());
    }
    // In a corner of its box but outside the body itself; and in the hole of a ring.
    let ball = sphere(3, [0.0; 3], 1.0);
    assert_eq!(of(&cuboid([0.7; 3], [0.8; 3]), &ball).volume(), 0.0);
    assert!(of(&sphere(1, [0.0; 3], 0.2), &torus(30, 15, 0.4)).is_empty());
}

#[test]
fn a_hollow_body_has_no_overlap_in_its_hollow() {
    let shell = cube(-2.0, 2.0).with(&cube(-1.0, 1.0).inside_out());
    assert_eq!(of(&cube(-0.5, 0.5), &shell).volume(), 0.0);
    assert_near(of(&shell, &cube(-1.5, 1.5)).volume(), 27.0 - 8.0, 1e-12, || "across".into());
    assert_near(of(&shell, &cube(-3.0, 3.0)).volume(), 64.0 - 8.0, 1e-12, || "whole".into());
    assert_near(of(&cube(-1.0, 1.0), &shell).volume(), 0.0, 1e-12, || "fitting".into());
}

#[test]
fn bodies_that_touch_overlap_by_nothing() {
    let a = cube(0.0, 1.0);
    for b in [
        cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
        cuboid([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]),
        cuboid([0.25, 0.25, 1.0], [0.75, 0.75, 2.0]),
        cuboid([-1.0, -1.0, -1.0], [3.0, 0.0, 3.0]),
        Shape {
            positions: vec![[1.0, 0.5, 0.5], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.5, 1.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        },
    ] {
        for (a, b) in [(&a, &b), (&b, &a)] {
            assert_near(of(a, b).volume(), 0.0, 1e-15, || format!("{:?}", b.positions));
        }
    }
}

#[test]
fn winding_numbers_count() {
    let twice = cube(0.0, 2.0).with(&cube(1.0, 3.0));
    assert_near(of(&twice, &cube(0.5, 1.5)).volume(), 1.0 + 0.125, 1e-13, || "twice".into());
    assert_near(of(&twice, &twice).volume(), 8.0 + 8.0 + 2.0, 1e-12, || "with itself".into());
    assert_near(of(&cube(0.0, 2.0).inside_out(), &cube(1.0, 3.0)).volume(), -1.0, 1e-13, || "inside out".into());
}

#[test]
fn parts_that_fill_a_space_share_a_body_among_them() {
    let body = bumpy(4);
    let whole = body.volume();
    for cut in [0.0f32, 0.1, 0.25, -0.3] {
        let parts = [cuboid([-3.0; 3], [cut, 3.0, 3.0]), cuboid([cut, -3.0, -3.0], [3.0; 3])];
        let sum: f64 = parts.iter().map(|part| of(&body, part).volume()).sum();
        assert_near(sum, whole, 1e-13, || format!("cut at {cut}"));
        let moments: [f64; 3] = std::array::from_fn(|k| {
            parts.iter().map(|part| of(part, &body)).map(|f| f.volume() * f.centroid().unwrap()[k]).sum()
        });
        let all = of(&body, &cube(-3.0, 3.0));
        (0..3)
            .for_each(|k| assert_near(moments[k], all.volume() * all.centroid().unwrap()[k], 1e-13, || format!("{k}")));
    }
}

#[test]
fn fine_spheres_overlap_by_a_lens() {
    // Two unit spheres a distance of 1 apart share 5π/12; the polyhedra are inscribed.
    let found = of(&sphere(5, [0.0; 3], 1.0), &sphere(5, [1.0, 0.0, 0.0], 1.0));
    let lens = 5.0 * std::f64::consts::PI / 12.0;
    assert!(found.volume() < lens && found.volume() > 0.998 * lens, "{}", found.volume());
    // Its surface is two caps of height 1/2.
    let caps = 2.0 * std::f64::consts::PI;
    assert!(found.area() < caps && found.area() > 0.998 * caps, "{}", found.area());
}
