//! Queries by hand: the ends of the step, features without extent, extreme numbers, numbers that are none.

use crumple::exact::{edge_edge_impact, vertex_face_impact};

use super::{KINDS, Kind, Points, check};
use crumple_scenes::Random;

const FACE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn with(vertex: [f64; 3], face: [[f64; 3]; 3]) -> Points {
    [vertex, face[0], face[1], face[2]]
}

fn times(start: &Points, end: &Points) -> Option<[f64; 2]> {
    check(Kind::VertexFace, start, end, true);
    vertex_face_impact(start, end).map(|time| [time.lo, time.hi])
}

#[test]
fn touching_at_the_start_is_time_0_and_at_the_end_time_1() {
    for on_face in [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, 2.0, 0.0], [2.0, 0.0, 0.0]] {
        let above = [on_face[0], on_face[1], 1.0];
        assert_eq!(times(&with(on_face, FACE), &with(above, FACE)), Some([0.0; 2]));
        assert_eq!(times(&with(on_face, FACE), &with(on_face, FACE)), Some([0.0; 2]));
        assert_eq!(times(&with(above, FACE), &with(on_face, FACE)), Some([1.0; 2]));
        let just_above = [on_face[0], on_face[1], f64::from_bits(1)];
        assert_eq!(times(&with(above, FACE), &with(just_above, FACE)), None);
    }
}

#[test]
fn a_vertex_may_graze_a_face_that_swings_by() {
    // The cubic has a double root: the face comes up to the vertex and goes back.
    let start = [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [4.0, 0.0, -1.0], [0.0, 4.0, 1.0]];
    let end = [[1.0, 1.0, 0.0], [0.0, 0.0, -1.0], [4.0, 0.0, 1.0], [0.0, 4.0, -1.0]];
    assert!(check(Kind::VertexFace, &start, &end, true));
}

#[test]
fn resting_and_sliding_within_the_plane_of_a_face() {
    let outside = [6.0, 1.0, 0.0];
    assert_eq!(times(&with(outside, FACE), &with([0.0, 1.0, 0.0], FACE)), Some([0.5; 2]));
    assert_eq!(times(&with(outside, FACE), &with([3.5, 1.0, 0.0], FACE)), None);
    assert_eq!(times(&with(outside, FACE), &with([3.0, 1.0, 0.0], FACE)), Some([1.0; 2]));
    // Past a corner.
    assert_eq!(times(&with([3.0, -1.0, 0.0], FACE), &with([5.0, 1.0, 0.0], FACE)), Some([0.5; 2]));
}

#[test]
fn faces_and_edges_without_extent_are_segments_and_points() {
    let (p, q) = ([0.0, 0.0, 0.0], [2.0, 2.0, 2.0]);
    let middle = [1.0, 1.0, 1.0];
    for face in [[p, q, p], [p, p, q], [p, q, q], [p, middle, q], [middle, q, p]] {
        assert_eq!(times(&with([1.0, 1.0, 3.0], face), &with([1.0, 1.0, -1.0], face)), Some([0.5; 2]));
        assert_eq!(times(&with([1.0, 2.0, 3.0], face), &with([1.0, 2.0, -1.0], face)), None);
        assert_eq!(times(&with([3.0, 3.0, 3.0], face), &with(middle, face)), Some([0.5; 2]));
        assert_eq!(times(&with([4.0, 4.0, 4.0], face), &with([2.5, 2.5, 2.5], face)), None);
    }
    assert_eq!(times(&with([1.0, 1.0, 3.0], [middle; 3]), &with([1.0, 1.0, -1.0], [middle; 3])), Some([0.5; 2]));
    assert_eq!(times(&[middle; 4], &[middle; 4]), Some([0.0; 2]));
    assert_eq!(times(&[middle; 4], &[p; 4]), Some([0.0; 2]));
    // Points, segments, and edges along one line.
    for (start, end, meet) in [
        ([middle, middle, p, p], [p, p, middle, middle], true),
        ([middle, middle, p, p], [q, q, middle, middle], false),
        ([p, middle, q, [3.0; 3]], [p, q, q, [3.0; 3]], true),
        ([p, middle, q, [3.0; 3]], [p, [1.9; 3], q, [3.0; 3]], false),
        ([[0.0, 1.0, 0.0]; 4].map(|_| p), [q; 4], true),
        ([p, p, [1.0, 0.0, 0.0], [1.0, 5.0, 0.0]], [[2.0, 3.0, 0.0]; 4].map(|x| x), true),
    ] {
        assert_eq!(check(Kind::EdgeEdge, &start, &end, true), meet, "{start:?} {end:?}");
    }
}

#[test]
fn numbers_of_every_size_are_decided() {
    let mut random = Random::new(7);
    let mut met = 0;
    for number in 0..100 {
        // Exponents over the whole range, or close to one of its ends, a few mantissa bits each.
        let (lowest, highest) = [(-1074, 1020), (-1074, -1060), (1000, 1020), (-200, 200)][number % 4];
        let mut draw = || {
            let exponent = random.integer(lowest, highest) as i32;
            let mantissa = random.integer(-3, 3) as f64;
            if exponent < -1000 {
                mantissa * 2f64.powi(-1000) * 2f64.powi(exponent + 1000)
            } else {
                mantissa * 2f64.powi(exponent)
            }
        };
        let start = [0; 4].map(|_| [0; 3].map(|_| draw()));
        let end = [0; 4].map(|_| [0; 3].map(|_| draw()));
        for kind in KINDS {
            met += u32::from(check(kind, &start, &end, false));
            for order in kind.orders() {
                let [start, end] = [&start, &end].map(|points| order.map(|i| points[i]));
                assert_eq!(kind.impact(&start, &end).is_some(), kind.impact(&end, &start).is_some());
            }
        }
    }
    assert!(met > 3, "{met}");
}

#[test]
fn numbers_of_ordinary_size_allocate_nothing() {
    let mut random = Random::new(8);
    for number in 0..6000 {
        // On a grid, in a slanted plane, and f64 numbers of which many have few bits and are tiny beside the others.
        let mut draw = || -> Points {
            [0; 4].map(|_| {
                let [x, y, z] = [0; 3].map(|_| random.integer(-4, 4) as f64);
                match number % 3 {
                    0 => [x, y, z],
                    1 => [x, y, 2.0 * x - y],
                    _ => [x / 3.0, y * 1e-16, (random.bits() >> 11) as f64 * 2f64.powi(-53)],
                }
            })
        };
        let (start, end) = (draw(), draw());
        for kind in KINDS {
            let counted = allocation_counter::measure(|| {
                std::hint::black_box(kind.impact(&start, &end));
            });
            assert_eq!(counted.count_total, 0, "{kind:?} {start:?} {end:?}");
        }
    }
}

#[test]
fn the_largest_and_the_smallest_numbers() {
    for unit in [f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX] {
        let face = [[0.0, 0.0, 0.0], [unit, 0.0, 0.0], [0.0, unit, 0.0]];
        assert_eq!(times(&with([0.0, 0.0, unit], face), &with([0.0, 0.0, -unit], face)), Some([0.5; 2]));
        assert_eq!(times(&with([unit, unit, unit], face), &with([unit, unit, -unit], face)), None);
    }
}

#[test]
fn what_is_not_finite_excludes_nothing() {
    let start = with([1.0, 1.0, 1.0], FACE);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (point, axis) in (0..4).flat_map(|point| (0..3).map(move |axis| (point, axis))) {
            let mut end = start;
            end[point][axis] = bad;
            for (a, b) in [(&start, &end), (&end, &start)] {
                for found in [vertex_face_impact(a, b), edge_edge_impact(a, b)] {
                    assert_eq!(found.map(|time| (time.lo, time.hi)), Some((0.0, 1.0)));
                }
            }
        }
    }
}
