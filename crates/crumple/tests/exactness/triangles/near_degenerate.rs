//! Large coordinates a unit or two from touching, where plain floating point goes wrong.

use crate::counts::drawn;
use crumple::exact::{has_no_area, segment_meets_triangle};

use super::cases::near_pair;
use super::{answer, reference};
use crumple_scenes::Random;

#[test]
fn triangles_that_only_just_touch_or_miss_are_decided_right() {
    let mut random = Random::new(20);
    let mut meeting = 0;
    let count = drawn(400_000);
    for case in 0..count {
        let (a, b, units) = near_pair(&mut random);
        let truth = reference::share_a_point(&a, &b);
        let (triangle_a, triangle_b) = (units.triangle(&a), units.triangle(&b));
        assert_eq!(answer(case, &triangle_a, &triangle_b), truth, "case {case}: {triangle_a:?} {triangle_b:?}");
        meeting += usize::from(truth);
    }
    assert!((count / 4..3 * count / 4).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn segments_that_only_just_touch_or_miss_a_triangle_are_decided_right() {
    let mut random = Random::new(21);
    let count = drawn(100_000);
    for case in 0..count {
        let (a, b, units) = near_pair(&mut random);
        let truth = reference::share_a_point(&[b[0], b[1], b[1]], &a);
        let (triangle, ends) = (units.triangle(&a), units.triangle(&b).0);
        assert_eq!(segment_meets_triangle(ends[0], ends[1], &triangle.0), truth, "case {case}: {ends:?} {triangle:?}");
        assert_eq!(has_no_area(&triangle.0), reference::has_no_area(&a), "case {case}: {triangle:?}");
    }
}
