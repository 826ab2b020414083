//! f32 numbers of every size in one triangle, from 2^-149 to 2^127, against whole numbers of any length.

use crate::counts::drawn;
use crumple::Triangle;
use crumple::exact::has_no_area;
use num_bigint::BigInt;

use super::answer;
use super::cases::{Units, grid_pair};
use super::reference::{self, Corners};
use crumple_scenes::Random;

/// The coordinates in units of 2^-149, of which every f32 number is a multiple.
fn whole(t: &Triangle) -> Corners<BigInt> {
    t.0.map(|corner| {
        corner.map(|x| {
            let bits = x.abs().to_bits();
            let (exponent, fraction) = (bits >> 23, bits & ((1 << 23) - 1));
            let size = if exponent == 0 { fraction.into() } else { BigInt::from(fraction | 1 << 23) << (exponent - 1) };
            if x < 0.0 { -size } else { size }
        })
    })
}

fn check(case: usize, a: &Triangle, b: &Triangle) -> bool {
    let truth = reference::share_a_point(&whole(a), &whole(b));
    assert_eq!(answer(case, a, b), truth, "case {case}: {a:?} {b:?}");
    assert_eq!(has_no_area(&a.0), reference::has_no_area(&whole(a)), "case {case}: {a:?}");
    truth
}

#[test]
fn grid_cases_one_step_from_touching_are_decided_right_at_every_scale() {
    let mut random = Random::new(40);
    let mut meeting = 0;
    let count = drawn(20_000);
    for case in 0..count {
        let (a, b) = grid_pair(&mut random);
        let exponents = [0; 3].map(|_| random.integer(-149, 119) as i32);
        let exponents = if random.once_in(2) { [exponents[0]; 3] } else { exponents };
        let (mut a, b) = (Units::new(exponents).triangle(&a), Units::new(exponents).triangle(&b));
        let coordinate = &mut a.0[random.below(3) as usize][random.below(3) as usize];
        *coordinate = if random.once_in(2) { coordinate.next_up() } else { coordinate.next_down() };
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 5..4 * count / 5).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn triangles_of_arbitrary_numbers_are_decided_right() {
    let mut random = Random::new(41);
    let mut meeting = 0;
    let count = drawn(20_000);
    for case in 0..count {
        let any = |random: &mut Random| loop {
            let x = f32::from_bits(random.bits() as u32);
            if x.is_finite() {
                return x;
            }
        };
        // Few different numbers, so that corners share coordinates, and often both signs of one.
        let numbers: [f32; 4] = std::array::from_fn(|_| any(&mut random));
        let mut triangle = || {
            Triangle([0; 3].map(|_| {
                [0; 3].map(|_| {
                    let x = numbers[random.below(4) as usize];
                    if random.once_in(2) { -x } else { x }
                })
            }))
        };
        let (a, b) = (triangle(), triangle());
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 10..9 * count / 10).contains(&meeting), "{meeting} of {count} meet");
}

#[test]
fn triangles_within_a_rounding_of_one_plane_are_decided_right() {
    let mut random = Random::new(42);
    let mut meeting = 0;
    let count = drawn(20_000);
    for case in 0..count {
        // All 24 bits and many exponents, so that differences of coordinates round too.
        let mut number = || random.integer(-(1 << 40), 1 << 40) as f32 / (1u64 << 40) as f32;
        let [slope_x, slope_y, height] = [number(), number(), number()].map(f64::from);
        let mut triangle = || {
            Triangle([0; 3].map(|_| {
                let (x, y) = (number(), number());
                [x, y, (slope_x * f64::from(x) + slope_y * f64::from(y) + height) as f32]
            }))
        };
        let (a, b) = (triangle(), triangle());
        meeting += usize::from(check(case, &a, &b));
    }
    assert!((count / 5..4 * count / 5).contains(&meeting), "{meeting} of {count} meet");
}
