//! f64 positions that f32 cannot hold, and what every method finds among bodies that have them.

use crumple::narrow::Wanted;
use crumple::{Body, TrianglePair};
use crumple_scenes::Random;

use super::methods::{AnyMethod, brute_force};

/// Positions that round to those given, each coordinate up to 0.49 of the way to the next f32 number.
pub(crate) fn perturbed(random: &mut Random, positions: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let mut near = |x: f32| {
        let next = if random.once_in(2) { x.next_up() } else { x.next_down() };
        let near = f64::from(x) + random.between(0.0, 0.49) * (f64::from(next) - f64::from(x));
        assert_eq!(near as f32, x);
        near
    };
    positions.iter().map(|position| position.map(&mut near)).collect()
}

/// Every method on every two bodies and each with itself; returns how many pairs there are.
pub(crate) fn check(methods: &[Box<dyn AnyMethod>], bodies: &[Body], context: &str) -> usize {
    let mut count = 0;
    let mut trees: Vec<_> = methods.iter().map(|method| method.trees(bodies)).collect();
    for a in 0..bodies.len() {
        for b in a..bodies.len() {
            let truth = brute_force().trees(bodies).pairs(bodies, a, b, Wanted::All);
            for (method, trees) in methods.iter().zip(&mut trees) {
                let context = || format!("{method}, bodies {a} and {b}, {context}");
                assert_eq!(trees.pairs(bodies, a, b, Wanted::All), truth, "{}", context());
                let first = trees.pairs(bodies, a, b, Wanted::First);
                assert_eq!(first.len(), truth.len().min(1), "{}", context());
                assert!(first.iter().all(|pair| truth.contains(pair)), "{}", context());
                if a != b {
                    let turned = trees.pairs(bodies, b, a, Wanted::All);
                    let mut turned: Vec<_> = turned.iter().map(|pair| TrianglePair { a: pair.b, b: pair.a }).collect();
                    turned.sort_unstable();
                    assert_eq!(turned, truth, "turned round: {}", context());
                }
            }
            count += truth.len();
        }
    }
    count
}
