//! Shapes whose overlap with themselves has a formula.

use super::{assert_near, by_copy, of};
use crate::support::shapes::{Shape, cube, cuboid, sphere, torus};
use crumple::contact::enclosed_volume;
use crumple::{Body, Mesh, self_overlap};

const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn tetrahedron() -> Shape {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    Shape { positions, triangles: FACES.to_vec() }
}

/// A prism of height 1 over a closed polygon that may cross itself, its ends fans around the origin.
fn prism(polygon: &[[f64; 2]]) -> Body {
    let count = polygon.len() as u32;
    let level = |z: f64| polygon.iter().map(move |&[x, y]| [x, y, z]);
    let mut positions: Vec<[f64; 3]> = level(0.0).chain(level(1.0)).collect();
    positions.extend([[0.0; 3], [0.0, 0.0, 1.0]]);
    let mut triangles = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        triangles.extend([[k, next, count + next], [k, count + next, count + k]]);
        triangles.extend([[next, k, 2 * count], [count + k, count + next, 2 * count + 1]]);
    }
    Body::new_f64(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap()
}

/// The corners of a star polygon {points / step} in the unit circle.
fn star(points: u32, step: u32) -> Vec<[f64; 2]> {
    let angle = |k: u32| 0.3 + std::f64::consts::TAU * f64::from(k * step) / f64::from(points);
    (0..points).map(|k| [angle(k).cos(), angle(k).sin()]).collect()
}

/// The area in which a star polygon {n / m} winds round at least `times`: its edges are at the distance cos(πm/n) from the middle, and
/// what they bound `times` times is the star {n / (m − times + 1)}, of tips and the dents between.
fn area(points: u32, step: u32, times: u32) -> f64 {
    let (n, m) = (f64::from(points), f64::from(step - times + 1));
    let inner = (std::f64::consts::PI * f64::from(step) / n).cos();
    let (half, tip) = (std::f64::consts::PI / n, std::f64::consts::PI * m / n);
    // Tips lie where edges m apart meet; dents where edges m − 1 apart do.
    let (outer, dent) = (inner / tip.cos(), inner / (tip - half).cos());
    n * outer * dent * half.sin()
}

#[test]
fn simple_bodies_do_not_overlap_themselves() {
    for shape in [tetrahedron(), cube(0.0, 1.0), sphere(3, [0.1, 0.2, 0.3], 2.0), torus(20, 12, 0.4)] {
        let found = of(&shape);
        assert!(found.is_empty() && found.volume() == 0.0 && !found.is_inside_out());
        assert_near(enclosed_volume(&shape.body()), shape.volume(), 1e-13 * shape.volume(), || "enclosed".to_owned());
    }
}

#[test]
fn a_body_that_is_inside_out_overlaps_itself_in_its_volume_and_it_is_said() {
    for shape in [tetrahedron(), cube(0.0, 1.0), sphere(2, [3.0; 3], 1.0)] {
        let found = of(&shape.inside_out());
        assert!(found.is_inside_out());
        assert_near(found.volume(), shape.volume(), 1e-14 * shape.volume(), || "inside out".to_owned());
    }
}

#[test]
fn boxes_overlap_as_often_as_they_cover() {
    let nested = cube(0.0, 4.0).with(&cube(1.0, 3.0)).with(&cube(1.5, 2.5));
    // Twice in 8, and three times in 1, which counts two more.
    assert_near(of(&nested).volume(), 10.0, 1e-13, || "three nested".to_owned());
    let equal = cube(0.0, 1.0).with(&cube(0.0, 1.0)).with(&cube(0.0, 1.0));
    assert_near(of(&equal).volume(), 3.0, 1e-13, || "three equal".to_owned());
    let half = |x: f32| cuboid([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    assert_near(of(&half(0.0).with(&half(0.5)).with(&half(1.0))).volume(), 1.0, 1e-14, || "three in a row".to_owned());
    let hollow = cube(0.0, 3.0).with(&cube(1.0, 2.0).inside_out());
    let found = of(&hollow);
    assert!(found.volume() == 0.0 && found.is_empty(), "a cavity");
    assert_near(enclosed_volume(&hollow.body()), 26.0, 1e-13, || "enclosed".to_owned());
}

#[test]
fn prisms_over_stars_overlap_by_the_inner_polygons() {
    for (points, step) in [(5, 2), (7, 2), (7, 3), (8, 3), (9, 4)] {
        let found = self_overlap(&prism(&star(points, step))).unwrap();
        // Twice, three times, …: 1 + 2 + … more each time.
        let expected: f64 = (2..=step).map(|times| f64::from(times - 1) * area(points, step, times)).sum();
        assert_near(found.volume(), expected, 1e-13, || format!("{points}/{step}"));
    }
    let pentagram = self_overlap(&prism(&star(5, 2))).unwrap().volume();
    assert_near(pentagram, 0.346_893_189_3, 1e-10, || "pentagram".to_owned());
}

#[test]
fn a_figure_eight_is_inside_out_on_one_side() {
    // Two squares of side √2 with opposite turns that meet in the middle: one has w = 1, the other w = −1.
    let eight = prism(&[[1.0, -1.0], [2.0, 0.0], [1.0, 1.0], [-1.0, -1.0], [-2.0, 0.0], [-1.0, 1.0]]);
    let found = self_overlap(&eight).unwrap();
    assert_near(enclosed_volume(&eight), 0.0, 1e-14, || "both lobes together".to_owned());
    assert_near(found.volume(), 2.0, 1e-13, || "one lobe".to_owned());
}

#[test]
fn a_spindle_torus_has_a_lemon_of_winding_number_zero_or_two() {
    // The tube is wider than the ring: what lies in the tube on both sides of the axis is wound round twice or not at all, as the
    // surface there is turned; either way the copy says how often.
    let spindle = torus(24, 16, 1.5);
    let body = spindle.body();
    let found = self_overlap(&body).unwrap();
    assert_near(found.volume(), by_copy(&body), 1e-12 * enclosed_volume(&body), || "spindle".to_owned());
}
