//! How much of a surface lies inside another body.

use super::{assert_near, between};
use crate::support::shapes::{bumpy, cube, cuboid, sphere};
use crumple::contact::{CompletePairs, OverlapFinder};
use crumple::{Body, Mesh, pairs};

/// A square sheet of `cells` by `cells` quads at the height `z`, from −2 to 2 and turned by an angle, with holes nowhere.
fn sheet(cells: usize, z: f32, angle: f32) -> Body {
    let side = cells + 1;
    let at = |k: usize| 4.0 * k as f32 / cells as f32 - 2.0;
    let (sin, cos) = angle.sin_cos();
    let turned = |x: f32, y: f32| [cos * x - sin * y, sin * x + cos * y, z];
    let positions: Vec<[f32; 3]> = (0..side * side).map(|k| turned(at(k % side), at(k / side))).collect();
    let quad = |k: usize| {
        let corner = (k / cells * side + k % cells) as u32;
        let [a, b, c, d] = [corner, corner + 1, corner + side as u32, corner + side as u32 + 1];
        [[a, b, d], [a, d, c]]
    };
    let triangles = (0..cells * cells).flat_map(quad).collect();
    Body::new(Mesh::new(side * side, triangles).unwrap(), &positions).unwrap()
}

fn swallowed(a: &Body, b: &Body) -> [Option<f64>; 2] {
    let found = OverlapFinder::default().swallowed(a, b, CompletePairs::promised(&pairs(a, b))).unwrap();
    let swapped = OverlapFinder::default().swallowed(b, a, CompletePairs::promised(&pairs(b, a))).unwrap();
    for (one, other) in found.into_iter().zip([swapped[1], swapped[0]]) {
        assert_eq!(one.is_some(), other.is_some());
        assert_near(one.unwrap_or(0.0), other.unwrap_or(0.0), 1e-5, || "swapped".to_owned());
    }
    found
}

#[test]
fn of_an_open_sheet_the_part_inside_a_closed_body_counts() {
    let cube = cube(-1.0, 1.0).body();
    for cells in [1, 2, 3, 7, 16] {
        for angle in [0.0, 0.3, 1.0] {
            // The sheet passes through the cube at every angle: the area is that of the square it cuts out.
            let found = swallowed(&sheet(cells, 0.25, angle), &cube);
            assert_near(found[0].unwrap(), 4.0, 1e-5, || format!("{cells} {angle}"));
            assert_eq!(found[1], None);
        }
    }
    assert_eq!(swallowed(&sheet(4, 3.0, 0.1), &cube), [Some(0.0), None]);
}

#[test]
fn a_sheet_wholly_inside_counts_whole_without_any_pair() {
    let large = cube(-5.0, 5.0).body();
    assert_near(swallowed(&sheet(3, 0.0, 0.5), &large)[0].unwrap(), 16.0, 1e-5, String::new);
}

#[test]
fn of_closed_bodies_both_parts_make_up_the_surface_of_the_overlap() {
    let shapes = [cube(-1.0, 1.0), cuboid([0.25; 3], [1.5, 2.0, 0.5]), sphere(3, [0.5; 3], 1.0), bumpy(3)];
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i + 1..] {
            let (a, b) = (a.body(), b.body());
            let [in_b, in_a] = swallowed(&a, &b).map(Option::unwrap);
            assert_near(in_b + in_a, between(&a, &b).area(), 1e-12, || format!("{i}"));
            assert!(in_a > 0.0 && in_b > 0.0);
        }
    }
    // The faces of one cube inside the other: three unit squares of each.
    let found = swallowed(&cube(0.0, 2.0).body(), &cube(1.0, 3.0).body());
    found.into_iter().for_each(|area| assert_near(area.unwrap(), 3.0, 1e-14, String::new));
    // Inside out, the area is the same.
    let found = swallowed(&cube(0.0, 2.0).body(), &cube(1.0, 3.0).inside_out().body());
    found.into_iter().for_each(|area| assert_near(area.unwrap(), 3.0, 1e-14, String::new));
}

#[test]
fn two_open_bodies_swallow_nothing_and_a_pair_that_is_not_there_is_refused() {
    let (a, b) = (sheet(2, 0.0, 0.0), sheet(2, 0.0, 0.5));
    assert_eq!(swallowed(&a, &b), [None, None]);
    let far = crumple::TrianglePair { a: crumple::TriangleId(99), b: crumple::TriangleId(0) };
    assert!(OverlapFinder::default().swallowed(&a, &b, CompletePairs::promised(&[far])).is_err());
}
