//! f64 corners, over the whole range that bodies take, against whole numbers of any length.

use crate::counts::drawn;
use crumple::exact::{SharedVertices, has_no_area, segment_meets_triangle, self_pair_meets_f64, triangles_meet_f64};
use crumple::narrow::brute::BruteForce;
use crumple::narrow::{Search, Side, Wanted};
use crumple::{Body, Mesh, TrianglePair};
use crumple_scenes::Random;

use super::cases::{ORDERS, grid_pair, near_pair};
use super::reference::{self, Corners};
use super::self_pairs::{Placed, collide};
use super::whole_f64::{Wide, whole_pair};

fn check(case: usize, a: &Wide, b: &Wide) -> bool {
    let [whole_a, whole_b] = whole_pair(a, b);
    let truth = reference::share_a_point(&whole_a, &whole_b);
    let orders = if case.is_multiple_of(16) { &ORDERS[..] } else { &ORDERS[..1] };
    for p in orders {
        for q in orders {
            let (a, b) = (p.map(|i| a[i]), q.map(|i| b[i]));
            assert_eq!(triangles_meet_f64(&a, &b), truth, "case {case}: {a:?} {b:?}");
            assert_eq!(triangles_meet_f64(&b, &a), truth, "case {case}: {b:?} {a:?}");
        }
    }
    assert_eq!(has_no_area(a), reference::has_no_area(&whole_a), "case {case}: {a:?}");
    let [p, q, _] = whole_b;
    let segment = reference::share_a_point(&[p, q.clone(), q], &whole_a);
    assert_eq!(segment_meets_triangle(b[0], b[1], a), segment, "case {case}: {a:?} {b:?}");
    truth
}

/// The least power of two that a coordinate may be, and one that leaves room for the numbers below.
const RANGE: std::ops::Range<i64> = -300..100;

#[test]
fn grid_cases_one_step_from_touching_are_decided_right_at_every_scale() {
    let mut random = Random::new(70);
    let mut meeting = 0;
    let count = drawn(20_000);
    for case in 0..count {
        let (a, b) = grid_pair(&mut random);
        let exponents = [0; 3].map(|_| random.integer(RANGE.start, RANGE.end) as i32);
        let exponents = if random.once_in(2) { [exponents[0]; 3] } else { exponents };
        let placed = |t: Corners<i64>| t.map(|p| [0, 1, 2].map(|axis| p[axis] as f64 * 2f64.powi(exponents[axis])));
        let (mut a, b) = (placed(a), placed(b));
        let coordinate = &mut a[random.below(3) as usize][random.below(3) as usize];
        if *coordinate != 0.0 {
            *coordinate = if random.once_in(2) { coordinate.next_up() } else { *coordinate * (1.0 + f64::EPSILON) };
        }
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 5..4 * count / 5).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn triangles_of_arbitrary_numbers_are_decided_right() {
    let mut random = Random::new(71);
    let mut meeting = 0;
    let count = drawn(10_000);
    for case in 0..count {
        // Few different numbers, so that corners share coordinates, and often both signs of one.
        let numbers: [f64; 4] = std::array::from_fn(|_| {
            let exponent = random.integer(RANGE.start, RANGE.end + 27) as u64;
            f64::from_bits(random.bits() >> 12 | exponent.wrapping_add(1023) << 52)
        });
        let mut triangle = || {
            [0; 3].map(|_| {
                [0; 3].map(|_| {
                    let x = numbers[random.below(4) as usize];
                    if random.once_in(2) { -x } else { x }
                })
            })
        };
        let (a, b) = (triangle(), triangle());
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 10..9 * count / 10).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn triangles_within_a_rounding_of_one_plane_are_decided_right() {
    let mut random = Random::new(72);
    let mut meeting = 0;
    let count = drawn(20_000);
    for case in 0..count {
        let mut number = || random.integer(-(1 << 60), 1 << 60) as f64 / (1u64 << 60) as f64;
        let [slope_x, slope_y, height] = [number(), number(), number()];
        let mut triangle = || {
            [0; 3].map(|_| {
                let (x, y) = (number(), number());
                [x, y, slope_x * x + slope_y * y + height]
            })
        };
        let (a, b) = (triangle(), triangle());
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 5..4 * count / 5).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn large_triangles_that_just_touch_or_miss_far_from_the_origin() {
    let mut random = Random::new(73);
    let count = drawn(30_000);
    for case in 0..count {
        let (a, b, _) = near_pair(&mut random);
        let offset = [0; 3].map(|_| random.integer(-8, 8) as f64 * 2f64.powi(40));
        let placed = |t: Corners<i128>| t.map(|p| [0, 1, 2].map(|axis| p[axis] as f64 + offset[axis]));
        check(case, &placed(a), &placed(b));
    }
}

#[test]
fn neighbours_far_from_the_origin_collide_where_the_rule_on_whole_numbers_says_so() {
    let mut random = Random::new(74);
    let mut colliding = 0;
    let count = drawn(30_000);
    for case in 0..count {
        let (a, mut b, _) = near_pair(&mut random);
        let shared = random.below(4) as usize;
        b[..shared].copy_from_slice(&a[..shared]);
        let vertices_b = std::array::from_fn(|i| if i < shared { i as u32 } else { 3 + i as u32 });
        let truth = collide(&Placed { vertices: [0, 1, 2], corners: a }, &Placed { vertices: vertices_b, corners: b });
        let placed = |t: Corners<i128>| t.map(|p| p.map(|x| x as f64 + 2f64.powi(45)));
        let (a, b) = (placed(a), placed(b));
        let found = self_pair_meets_f64(&a, &b, SharedVertices::between(&a, [0, 1, 2], &b, vertices_b));
        assert_eq!(found, truth, "case {case}: {a:?} {b:?}");
        colliding += usize::from(truth);
    }
    assert!(colliding > count / 10, "{colliding} of {count}");
}

/// Brute force is what the other methods are held to, so it is held to whole numbers itself.
#[test]
fn brute_force_finds_what_whole_numbers_find() {
    let mut pairs = 0;
    for seed in 0..20 {
        let mut random = Random::new(seed + 75);
        let (little, offset) =
            [(2f64.powi(-40), 0.0), (0.0, 2f64.powi(41)), (2f64.powi(-12), 4096.0)][seed as usize % 3];
        let mut coordinate = || random.integer(0, 3) as f64 + random.integer(-1, 1) as f64 * little + offset;
        let positions: [Vec<[f64; 3]>; 2] =
            [(); 2].map(|()| (0..30).map(|_| [coordinate(), coordinate(), coordinate()]).collect());
        let lists: [Vec<[u32; 3]>; 2] =
            [(); 2].map(|()| (0..40).map(|_| [0; 3].map(|_| random.below(30) as u32)).collect());
        let body = |at: usize| Body::new_f64(Mesh::new(30, lists[at].clone()).unwrap(), &positions[at]).unwrap();
        let bodies = [body(0), body(1)];
        let corners = |at: usize, t: usize| lists[at][t].map(|vertex| positions[at][vertex as usize]);
        let all = |within: bool| (0..40).flat_map(move |i| (if within { i + 1 } else { 0 }..40).map(move |j| (i, j)));
        let pair = |(i, j): (usize, usize)| TrianglePair::new(i as u32, j as u32);
        let across = all(false).filter(|&(i, j)| {
            let [a, b] = whole_pair(&corners(0, i), &corners(1, j));
            reference::share_a_point(&a, &b)
        });
        let within = all(true).filter(|&(i, j)| {
            let [a, b] = whole_pair(&corners(0, i), &corners(0, j));
            let placed = |t: usize, corners| Placed { vertices: lists[0][t], corners };
            collide(&placed(i, a), &placed(j, b))
        });
        let [a, b] = bodies.each_ref().map(|body| Side { body, tree: &() });
        let mut found = [Vec::new(), Vec::new()];
        Search::default().pairs(&BruteForce, (a, b), Wanted::All, &mut found[0]);
        Search::default().self_pairs(&BruteForce, a, Wanted::All, &mut found[1]);
        assert_eq!(found[0], across.map(pair).collect::<Vec<_>>(), "seed {seed}");
        assert_eq!(found[1], within.map(pair).collect::<Vec<_>>(), "seed {seed}, within a body");
        pairs += found[0].len() + found[1].len();
    }
    assert!(pairs > 2_000, "{pairs}");
}
