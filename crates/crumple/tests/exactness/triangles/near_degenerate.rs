//! Large coordinates a unit or two from touching, where plain floating point goes wrong.

use crumple::exact::{has_no_area, segment_meets_triangle};

use super::cases::near_pair;
use super::{answer, reference};
use crumple_scenes::Random;

#[test]
fn triangles_that_only_just_touch_or_miss_are_decided_right() {
    let mut random = Random::new(20);
    let mut meeting = 0;
    for case in 0..400_000 {
        let (a, b, units) = near_pair(&mut random);
        let truth = reference::share_a_point(&a, &b);
        let (triangle_a, triangle_b) = (units.triangle(&a), units.triangle(&b));
        assert_eq!(answer(case, &triangle_a, &triangle_b), truth, "case {case}: {triangle_a:?} {triangle_b:?}");
        meeting += u32::from(truth);
    }
    assert!((100_000..300_000).contains(&meeting), "{meeting} of 400,000 meet");
}

#[test]
fn segments_that_only_just_touch_or_miss_a_triangle_are_decided_right() {
    let mut random = Random::new(21);
    for case in 0..100_000 {
        let (a, b, units) = near_pair(&mut random);
        let truth = reference::share_a_point(&[b[0], b[1], b[1]], &a);
        let (triangle, ends) = (units.triangle(&a), units.triangle(&b).0);
        assert_eq!(segment_meets_triangle(ends[0], ends[1], &triangle), truth, "case {case}: {ends:?} {triangle:?}");
        assert_eq!(has_no_area(&triangle), reference::has_no_area(&a), "case {case}: {triangle:?}");
    }
}
