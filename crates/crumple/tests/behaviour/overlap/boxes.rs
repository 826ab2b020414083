//! Boxes, whose overlaps are products of intervals: faces, edges and corners coincide in every way.

use super::{assert_near, of, size};
use crate::support::shapes::{Shape, cells, cuboid};
use crumple_scenes::Random;

type Box3 = [[i32; 3]; 2];

fn shape([low, high]: Box3) -> Shape {
    cuboid(low.map(|x| x as f32), high.map(|x| x as f32))
}

/// The volume that two boxes share.
fn common(a: Box3, b: Box3) -> i32 {
    (0..3).map(|k| (a[1][k].min(b[1][k]) - a[0][k].max(b[0][k])).max(0)).product()
}

#[test]
fn boxes_that_share_faces_edges_and_corners_overlap_by_the_product_of_intervals() {
    // Every relation of two intervals with ends among 0 to 3, along each axis independently.
    let intervals: Vec<[i32; 2]> = (0..3).flat_map(|low| (low + 1..4).map(move |high| [low, high])).collect();
    let a = [[1; 3], [2; 3]];
    let wide = [[0, 1, 0], [2, 3, 3]];
    for a in [a, wide] {
        for x in &intervals {
            for y in &intervals {
                for z in &intervals {
                    let b = [[x[0], y[0], z[0]], [x[1], y[1], z[1]]];
                    let (shape_a, shape_b) = (shape(a), shape(b));
                    for (one, other) in [(&shape_a, &shape_b), (&shape_b, &shape_a)] {
                        let found = of(one, other);
                        let expected = f64::from(common(a, b));
                        assert_near(found.volume(), expected, 1e-12, || format!("{a:?} {b:?}"));
                        if expected > 0.0 {
                            let centre = |k: usize| f64::from(a[0][k].max(b[0][k]) + a[1][k].min(b[1][k])) / 2.0;
                            let centroid = found.centroid().unwrap();
                            (0..3).for_each(|k| assert_near(centroid[k], centre(k), 1e-12, || format!("{a:?} {b:?}")));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn soups_of_boxes_overlap_by_the_sum_over_their_boxes() {
    // Winding numbers add up, so a soup of boxes that overlap each other counts each pair of boxes once.
    let mut random = Random::new(5);
    let mut soup = |count: usize| -> Vec<Box3> {
        let mut some_box = || {
            let low: [i32; 3] = std::array::from_fn(|_| random.integer(0, 6) as i32);
            [low, low.map(|x| x + random.integer(1, 3) as i32)]
        };
        (0..count).map(|_| some_box()).collect()
    };
    for round in 0..40 {
        let (a, b) = (soup(1 + round % 9), soup(1 + round % 7));
        let join = |boxes: &[Box3]| boxes.iter().fold(Shape::default(), |all, &next| all.with(&shape(next)));
        let (shape_a, shape_b) = (join(&a), join(&b));
        let expected: i32 = a.iter().flat_map(|&a| b.iter().map(move |&b| common(a, b))).sum();
        let found = of(&shape_a, &shape_b);
        assert_near(found.volume(), f64::from(expected), 1e-12 * size(&shape_a, &shape_b), || format!("round {round}"));
    }
}

#[test]
fn sets_of_cells_overlap_by_the_cells_they_share() {
    let mut random = Random::new(6);
    for round in 0..60 {
        let mut some_cells = || -> Vec<[i32; 3]> {
            let mut chosen: Vec<[i32; 3]> =
                (0..12).map(|_| std::array::from_fn(|_| random.integer(0, 3) as i32)).collect();
            chosen.sort_unstable();
            chosen.dedup();
            chosen
        };
        let (a, b) = (some_cells(), some_cells());
        let expected = a.iter().filter(|cell| b.contains(cell)).count() as f64;
        let found = of(&cells(&a), &cells(&b));
        assert_near(found.volume(), expected, 1e-11, || format!("round {round}"));
        // A set of cells with itself: all of it.
        assert_near(of(&cells(&a), &cells(&a)).volume(), a.len() as f64, 1e-11, || format!("round {round}"));
    }
}

#[test]
fn boxes_turned_by_a_hair_overlap_by_nearly_all_of_themselves() {
    // A unit box turned about z by a small angle: the corners it loses are four triangles.
    let unit = cuboid([-0.5; 3], [0.5; 3]);
    for angle in [2e-7f32, 1e-6, 1e-5, 1e-4, 1e-3] {
        let turned = unit.moved(|[x, y, z]| [x - angle * y, y + angle * x, z]);
        // The exact overlap of the square and its image, by clipping in f64 on the rounded corners.
        let corners: Vec<[f64; 2]> =
            [0, 1, 3, 2].map(|k| [turned.positions[k][0].into(), turned.positions[k][1].into()]).into();
        let expected = clipped_area(corners);
        for (a, b) in [(&unit, &turned), (&turned, &unit)] {
            assert_near(of(a, b).volume(), expected, 1e-14, || format!("{angle}"));
        }
    }
}

/// The area of what a convex polygon shares with the unit square around the origin.
fn clipped_area(mut polygon: Vec<[f64; 2]>) -> f64 {
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
        let inside = |p: [f64; 2]| 0.5 - sign * p[axis];
        let mut kept = Vec::new();
        for k in 0..polygon.len() {
            let (p, q) = (polygon[k], polygon[(k + 1) % polygon.len()]);
            if inside(p) >= 0.0 {
                kept.push(p);
            }
            if (inside(p) > 0.0) != (inside(q) > 0.0) && inside(p) != inside(q) {
                let t = inside(p) / (inside(p) - inside(q));
                kept.push([0, 1].map(|k| p[k] + t * (q[k] - p[k])));
            }
        }
        polygon = kept;
    }
    let twice: f64 = (0..polygon.len())
        .map(|k| (polygon[k], polygon[(k + 1) % polygon.len()]))
        .map(|(p, q)| p[0] * q[1] - p[1] * q[0])
        .sum();
    twice / 2.0
}
