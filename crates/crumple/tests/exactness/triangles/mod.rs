//! The tests of `exact` against outside truth and against whole-number references of their own.

mod cases;
mod reference;
mod second_reference;
mod whole_f64;

mod in_f64;
mod near_degenerate;
mod on_grids;
mod self_pairs;
mod truth_file;
mod whole_range;

use crumple::{Triangle, exact::triangles_meet};

use cases::ORDERS;

/// The answer for two triangles, the same in both orders.
fn meet_both_ways(a: &Triangle, b: &Triangle) -> bool {
    let answer = triangles_meet(a, b);
    assert_eq!(triangles_meet(b, a), answer, "the other way round: {a:?} {b:?}");
    answer
}

/// The answer for two triangles, the same in all 72 orders of arguments and corners.
fn meet_in_every_order(a: &Triangle, b: &Triangle) -> bool {
    let answer = triangles_meet(a, b);
    for p in ORDERS {
        for q in ORDERS {
            let (a, b) = (Triangle(p.map(|i| a.0[i])), Triangle(q.map(|i| b.0[i])));
            assert_eq!(meet_both_ways(&a, &b), answer, "in another order: {a:?} {b:?}");
        }
    }
    answer
}

/// The answer for one of many cases: in both orders of the arguments, for every sixteenth case in all orders.
fn answer(case: usize, a: &Triangle, b: &Triangle) -> bool {
    if case.is_multiple_of(16) { meet_in_every_order(a, b) } else { meet_both_ways(a, b) }
}
