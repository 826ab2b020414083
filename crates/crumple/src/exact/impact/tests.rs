//! The filters against the exact stage: a certain answer is right, and bounds that are too small make a test fail.

use crumple_scenes::Random;

use super::bisect::Verdict;
use super::filter::{self, AREA, CUBIC, Offsets};
use super::lanes::may_meet_lanes;
use super::{Features, by_filters, whole};
use crate::geom::lanes::{LANES, LanePoints, all_simd, dispatch};

type Points = [[f64; 3]; 4];

/// A query that is special up to rounding: at the time 0, 1/2 or 1, or all along, a vertex is in the plane of a face
/// and perhaps on an edge of it, or two edges meet, perhaps at an end.
fn nearly_special(random: &mut Random, features: Features) -> [Points; 2] {
    let scale = [1.0, 1e-30, 1e3, 1e20][random.below(4) as usize];
    let mut start: Points = [0; 4].map(|_| [0; 3].map(|_| scale * random.between(-1.0, 1.0)));
    let mut end: Points = [0; 4].map(|_| [0; 3].map(|_| scale * random.between(-1.0, 1.0)));
    let share = |random: &mut Random| match random.below(6) {
        0 | 1 => 0.0,
        2 => 1.0,
        3 => 0.5,
        _ => random.between(-1.0, 1.0),
    };
    // A point of the plane of the other three: on a line through two of them, for features that meet at an end.
    let position = |points: &Points, [a, b]: [f64; 2], axis: usize| match features {
        Features::VertexFace => {
            let on_edge = points[1][axis] + a * (points[2][axis] - points[1][axis]);
            on_edge + b * (points[3][axis] - on_edge)
        }
        Features::EdgeEdge => {
            let on_edge = points[2][axis] + a * (points[3][axis] - points[2][axis]);
            on_edge + b * (on_edge - points[1][axis])
        }
    };
    let shares = [share(random), share(random)];
    match random.below(4) {
        0 => start[0] = std::array::from_fn(|axis| position(&start, shares, axis)),
        1 => end[0] = std::array::from_fn(|axis| position(&end, shares, axis)),
        2 => {
            let middle: Points = std::array::from_fn(|i| std::array::from_fn(|k| 0.5 * (start[i][k] + end[i][k])));
            end[0] = std::array::from_fn(|axis| 2.0 * position(&middle, shares, axis) - start[0][axis]);
        }
        _ => {
            start[0] = std::array::from_fn(|axis| position(&start, shares, axis));
            let others = [share(random), share(random)];
            end[0] = std::array::from_fn(|axis| position(&end, others, axis));
        }
    }
    if random.below(4) == 0 {
        // Within a plane across an axis.
        let axis = random.below(3) as usize;
        start.iter_mut().chain(&mut end).for_each(|point| point[axis] = 0.0);
    }
    [start, end]
}

/// How many certain answers are wrong, and how many there are, with bounds as many times as large.
fn wrong_answers(queries: u64, cubic: f64, area: f64) -> [u32; 2] {
    let mut random = Random::new(11);
    let (mut wrong, mut certain) = (0, 0);
    for number in 0..queries {
        let features = if number % 2 == 0 { Features::VertexFace } else { Features::EdgeEdge };
        let [start, end] = nearly_special(&mut random, features);
        let found = match by_filters(features, &start, &end, cubic * CUBIC, area * AREA) {
            Verdict::Unsure => continue,
            Verdict::Apart => None,
            Verdict::Meet(time) => Some(time),
        };
        certain += 1;
        wrong += u32::from(found != whole::impact(features, &start, &end));
    }
    [wrong, certain]
}

#[test]
fn a_certain_answer_is_right() {
    let [wrong, certain] = wrong_answers(100_000, 1.0, 1.0);
    assert_eq!(wrong, 0);
    assert!(certain > 20_000, "{certain}");
}

#[test]
fn bounds_made_too_small_are_found_out() {
    // The proven bounds are for the worst case of every rounding; what happens is some thirty times less.
    for [cubic, area] in [[1.0 / 64.0, 1.0], [1.0, 1.0 / 64.0]] {
        let [wrong, _] = wrong_answers(100_000, cubic, area);
        assert!(wrong > 0, "cubic times {cubic}, area times {area}");
    }
}

#[test]
fn lanes_exclude_what_the_filter_excludes() {
    let levels = all_simd();
    let mut random = Random::new(12);
    let mut open = 0;
    for number in 0..20_000 {
        let features = if number % 2 == 0 { Features::VertexFace } else { Features::EdgeEdge };
        let queries: [[Points; 2]; LANES] = std::array::from_fn(|_| match random.below(3) {
            // Small extents far out leave the range of the bounds.
            0 => [0; 2].map(|_| [0; 4].map(|_| [0; 3].map(|_| 1e-60 * random.between(-1.0, 1.0)))),
            1 => [0; 2].map(|_| [0; 4].map(|_| [0; 3].map(|_| random.between(-1.0, 1.0)))),
            _ => nearly_special(&mut random, features),
        });
        let in_lanes = |end: usize| -> LanePoints {
            std::array::from_fn(|i| std::array::from_fn(|k| std::array::from_fn(|lane| queries[lane][end][i][k])))
        };
        let [ones, others] = features.groups();
        let mut expected = 0;
        for (lane, [start, end]) in queries.iter().enumerate() {
            let apart = filter::boxes_stay_apart(ones, others, start, end)
                || Offsets::new(start, end)
                    .is_some_and(|offsets| filter::have_one_sign(&offsets.cubic(), offsets.cubic_error(CUBIC)));
            expected |= u32::from(!apart) << lane;
        }
        for &simd in &levels {
            let found = dispatch!(simd, simd => may_meet_lanes(simd, features, &in_lanes(0), &in_lanes(1)));
            assert_eq!(found, expected, "{queries:?}");
        }
        open += expected.count_ones();
    }
    assert!(open > 1000 && open < 79_000, "{open}");
}
