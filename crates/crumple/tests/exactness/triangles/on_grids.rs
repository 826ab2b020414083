//! Small whole coordinates, where shared planes, edges and points are the rule.

use crate::counts::drawn;
use crumple::Triangle;
use crumple::exact::{has_no_area, segment_meets_triangle, triangles_meet};

use super::cases::{Units, grid_pair};
use super::reference::{self, Corners, Point};
use super::{answer, meet_both_ways, second_reference};
use crumple_scenes::Random;

/// All triangles, points and segments among them, with corners among `points`.
fn all_triangles(points: &[Point<i64>]) -> Vec<(Corners<i64>, Triangle)> {
    let mut triangles = Vec::new();
    for &p in points {
        for &q in points {
            triangles.extend(points.iter().map(|&r| ([p, q, r], Units::ONE.triangle(&[p, q, r]))));
        }
    }
    triangles
}

fn check_all_pairs(points: &[Point<i64>]) {
    let triangles = all_triangles(points);
    for (a, triangle_a) in &triangles {
        for (b, triangle_b) in &triangles {
            let truth = reference::share_a_point(a, b);
            assert_eq!(second_reference::share_a_point(a, b), truth, "{a:?} {b:?}");
            assert_eq!(triangles_meet(triangle_a, triangle_b), truth, "{a:?} {b:?}");
        }
    }
}

#[test]
fn every_pair_of_triangles_on_the_corners_of_a_cube_is_decided_right() {
    let points: Vec<Point<i64>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2]).collect();
    check_all_pairs(&points);
}

#[test]
fn every_pair_of_triangles_on_nine_points_of_a_plane_is_decided_right() {
    let points: Vec<Point<i64>> = (0..9).map(|i| [i % 3, i / 3, i % 3 + i / 3]).collect();
    check_all_pairs(&points);
}

#[test]
fn every_pair_of_triangles_on_five_points_of_a_line_is_decided_right() {
    let points: Vec<Point<i64>> = (0..5).map(|i| [i, 2, -2 * i]).collect();
    check_all_pairs(&points);
}

#[test]
fn the_two_references_agree_with_each_other() {
    let mut random = Random::new(10);
    let count = drawn(300_000);
    for _ in 0..count {
        let (a, b) = grid_pair(&mut random);
        let truth = reference::share_a_point(&a, &b);
        assert_eq!(second_reference::share_a_point(&a, &b), truth, "{a:?} {b:?}");
    }
}

#[test]
fn pairs_of_triangles_on_small_grids_are_decided_right_in_every_order() {
    let mut random = Random::new(11);
    let mut meeting = 0;
    let count = drawn(1_000_000);
    for case in 0..count {
        let (a, b) = grid_pair(&mut random);
        let truth = reference::share_a_point(&a, &b);
        let (triangle_a, triangle_b) = (Units::ONE.triangle(&a), Units::ONE.triangle(&b));
        assert_eq!(answer(case, &triangle_a, &triangle_b), truth, "case {case}: {a:?} {b:?}");
        meeting += usize::from(truth);
    }
    // Neither answer is rare, or the test would say little.
    assert!((count / 4..3 * count / 4).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn scale_and_place_change_no_answer() {
    let offset = |x: i32| [2.0f64.powi(x), -(2.0f64.powi(x)), 2.0f64.powi(x)];
    let everywhere = [
        Units::new([-149; 3]),
        Units::new([-140; 3]),
        Units::new([-126, -127, -128]),
        Units::new([100; 3]),
        Units::new([119; 3]),
        Units::new([-149, 0, 119]),
        Units::new([119, 119, -149]),
        Units::new([-149, 119, -149]),
        Units::ONE.with_offset(offset(22)),
        Units::new([90; 3]).with_offset(offset(112)),
        Units::new([-149; 3]).with_offset(offset(-127)),
        Units::new([-149, 0, 60]).with_offset([0.0, 2.0f64.powi(22), -(2.0f64.powi(82))]),
    ];
    let mut random = Random::new(12);
    let count = drawn(50_000);
    for case in 0..count {
        let (a, b) = grid_pair(&mut random);
        let truth = reference::share_a_point(&a, &b);
        for units in everywhere {
            let (triangle_a, triangle_b) = (units.triangle(&a), units.triangle(&b));
            assert_eq!(meet_both_ways(&triangle_a, &triangle_b), truth, "case {case}, {units:?}: {a:?} {b:?}");
        }
    }
}

#[test]
fn segments_and_points_meet_triangles_where_the_reference_says_so() {
    let mut random = Random::new(13);
    let mut meeting = 0;
    let count = drawn(200_000);
    for case in 0..count {
        let (mut segment, t) = grid_pair(&mut random);
        if random.once_in(8) {
            segment[1] = segment[0];
        }
        let [p, q] = [segment[0], segment[1]];
        let truth = reference::share_a_point(&[p, q, p], &t);
        let (ends, triangle) = (Units::ONE.triangle(&[p, q, q]), Units::ONE.triangle(&t));
        assert_eq!(segment_meets_triangle(ends.0[0], ends.0[1], &triangle.0), truth, "case {case}: {p:?} {q:?} {t:?}");
        assert_eq!(segment_meets_triangle(ends.0[1], ends.0[0], &triangle.0), truth, "case {case}: {q:?} {p:?} {t:?}");
        // A segment is a triangle without area, however its corners are written.
        assert_eq!(answer(case, &ends, &triangle), truth, "case {case}: {p:?} {q:?} {t:?}");
        meeting += usize::from(truth);
    }
    assert!((3 * count / 20..17 * count / 20).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn two_triangles_without_area_meet_where_the_reference_says_so() {
    let mut random = Random::new(14);
    let mut flattened = |t: Corners<i64>| match random.below(4) {
        0 => [t[0], t[0], t[0]],
        1 => [t[0], t[1], t[0]],
        // Three distinct corners on a line, the middle one anywhere in the order.
        _ => super::ORDERS[random.below(6) as usize]
            .map(|i| [t[0], t[1], std::array::from_fn(|k| 2 * t[1][k] - t[0][k])][i]),
    };
    let mut pairs = Random::new(15);
    let mut meeting = 0;
    let count = drawn(200_000);
    for case in 0..count {
        let (a, b) = grid_pair(&mut pairs);
        let (a, b) = (flattened(a), flattened(b));
        let truth = reference::share_a_point(&a, &b);
        let (triangle_a, triangle_b) = (Units::ONE.triangle(&a), Units::ONE.triangle(&b));
        assert_eq!(meet_both_ways(&triangle_a, &triangle_b), truth, "case {case}: {a:?} {b:?}");
        assert!(has_no_area(&triangle_a.0) && has_no_area(&triangle_b.0));
        meeting += usize::from(truth);
    }
    assert!(meeting > count / 20, "{meeting} of {count}");
}

#[test]
fn triangles_have_no_area_exactly_where_their_corners_lie_on_a_line() {
    let mut random = Random::new(16);
    let mut without = 0;
    let count = drawn(100_000);
    for _ in 0..count {
        let (t, _) = grid_pair(&mut random);
        for units in [Units::ONE, Units::new([-149, 119, -140]), Units::ONE.with_offset([2.0f64.powi(22); 3])] {
            assert_eq!(has_no_area(&units.triangle(&t).0), reference::has_no_area(&t), "{units:?}: {t:?}");
        }
        without += usize::from(reference::has_no_area(&t));
    }
    assert!((count / 10..9 * count / 10).contains(&without), "{without} of {count} have no area");
}
