//! Six families of queries, most of them special in some way; each against the reference and in other orders.
//!
//! `CRUMPLE_IMPACT_QUERIES` sets the number of queries of all families together; `cargo xtask fuzz` asks for a million.

use super::{KINDS, Kind, Points, check};
use crate::counts::drawn;
use crumple_scenes::Random;

/// Queries of all families and both kinds together in an ordinary run.
const QUERIES: u64 = 12_000;

fn run(family: u64, draw: fn(&mut Random) -> [Points; 2]) {
    let wanted = std::env::var("CRUMPLE_IMPACT_QUERIES");
    let wanted = wanted.map_or_else(|_| drawn(QUERIES as usize) as u64, |count| count.parse().expect("a number"));
    let mut random = Random::new(1000 + family);
    let (mut met, count) = (0, wanted.div_ceil(12));
    for number in 0..count {
        for kind in KINDS {
            let [start, mut end] = draw(&mut random);
            if family >= 2 && random.once_in(2) {
                aim(&mut random, kind, &start, &mut end);
            }
            met += u64::from(check(kind, &start, &end, number.is_multiple_of(4)));
        }
    }
    // A family that never or always meets tests nothing.
    assert!(met > count / 20 && met < 2 * count - count / 20, "{met} of {} met", 2 * count);
}

#[test]
fn on_a_grid_of_three() {
    run(0, |random| [0; 2].map(|_| [0; 4].map(|_| [0; 3].map(|_| random.integer(0, 2) as f64))));
}

#[test]
fn on_a_grid_of_seven() {
    run(1, |random| [0; 2].map(|_| [0; 4].map(|_| [0; 3].map(|_| random.integer(0, 6) as f64))));
}

#[test]
fn within_a_plane() {
    run(2, |random| {
        let slope = [0; 3].map(|_| random.integer(-2, 2) as f64);
        let rise = random.integer(0, 1) as f64;
        let (on_grid, level) = (random.once_in(2), random.once_in(3));
        [0.0, rise].map(|height| {
            [0; 4].map(|_| {
                let [x, y] = [0; 2].map(|_| if on_grid { random.integer(-4, 4) as f64 } else { real(random) });
                // Sums with whole factors are exact on the grid; elsewhere the plane is level.
                let z = if on_grid && !level { slope[0] * x + slope[1] * y + slope[2] + height } else { height };
                [x, y, z]
            })
        })
    });
}

#[test]
fn in_a_thin_slab() {
    run(3, |random| [0; 2].map(|_| [0; 4].map(|_| [real(random), real(random), 1e-6 * real(random)])));
}

#[test]
fn far_from_the_origin() {
    run(4, |random| {
        let away = [0; 3].map(|_| random.integer(-1_000_000, 1_000_000) as f64);
        [0; 2].map(|_| [0; 4].map(|_| away.map(|x| x + real(random))))
    });
}

#[test]
fn at_random() {
    run(5, |random| [0; 2].map(|_| [0; 4].map(|_| [0; 3].map(|_| real(random)))));
}

/// From −1 to 1; one in two is an f32 number, one in sixteen a multiple of 1/4.
fn real(random: &mut Random) -> f64 {
    let x = (random.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0;
    match random.below(16) {
        0 => (4.0 * x).round() / 4.0,
        1..=8 => f64::from(x as f32),
        _ => x,
    }
}

/// Changes the end of the first point so that the features nearly or exactly meet at some time, often at a special
/// point.
fn aim(random: &mut Random, kind: Kind, start: &Points, end: &mut Points) {
    let time = [0.5, 1.0, 0.25, (random.bits() >> 11) as f64 * 2f64.powi(-53)][random.below(4) as usize];
    let time = if time < 1e-3 { 1.0 } else { time };
    let share = |random: &mut Random| [0.0, 1.0, 0.5, 0.25, real(random).abs()][random.below(5) as usize];
    let now = |point: usize, axis: usize| start[point][axis] + time * (end[point][axis] - start[point][axis]);
    let (first, second) = (share(random), share(random));
    let target: [f64; 3] = match kind {
        Kind::VertexFace => std::array::from_fn(|axis| {
            let on_edge = now(1, axis) + first * (now(2, axis) - now(1, axis));
            on_edge + second * (now(3, axis) - on_edge)
        }),
        // The first edge leads from its other end through a point of the second edge, or ends there.
        Kind::EdgeEdge => std::array::from_fn(|axis| {
            let on_edge = now(2, axis) + first * (now(3, axis) - now(2, axis));
            on_edge + second * (on_edge - now(1, axis))
        }),
    };
    end[0] = std::array::from_fn(|axis| start[0][axis] + (target[axis] - start[0][axis]) / time);
}
