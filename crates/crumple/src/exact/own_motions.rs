//! Signs about the vertices of one body, each of which has been moved by an infinitesimal of its own: none is ever 0.
//!
//! Of two bodies one can be moved as a whole (`nudged`). Within one body that does not help: both triangles of a pair would
//! move alike, and what was 0 would stay 0. So vertex i is moved to p_i + ε r_i, with ε smaller than any number and r_i three
//! whole numbers of 21 bits that are made of the vertex's number; no two vertices have the same. The determinant of four
//! different vertices is then a cubic in ε, and its first coefficient that is not 0 decides:
//!
//! ```text
//! u = q − p, v = r − p, w = s − p,   u', v', w' the same of the motions
//! det(u, v, w) + ε (det(u', v, w) + det(u, v', w) + det(u, v, w')) + ε² (…) + ε³ det(u', v', w')
//! ```
//!
//! As this is a real motion, all signs agree with each other, also those of pairs that share a vertex: there only four different
//! vertices are asked about. (Edelsbrunner & Mücke 1990 move every point by powers of ε; that makes longer polynomials.) The last
//! coefficient could be 0 if the four motions lay in a plane, of which there is one chance in 2^60 or so: then the sign is
//! taken to be positive.
//!
//! The first coefficient is evaluated in f64 first (`filter`). If the coordinates are small whole multiples of one power of two,
//! as in `nudged`, the others are computed in 128-bit integers: differences of coordinates are below 2^41, of motions below
//! 2^22. Otherwise they are computed in integers of any size.
//!
//! Cost: some 10 ns where the first coefficient is not in doubt, some 50 ns on whole multiples, some µs otherwise.
//! Held by: the tests below, `tests/behaviour/self_overlap`.

use std::cell::OnceCell;

use super::filter::Filter;
use super::nudged::{Long, decoded, difference, whole_multiples};
use super::{Point, Sign};

/// How many points there can be: two triangles that share nothing.
const POINTS: usize = 6;

/// Some vertices of one body, each moved by an infinitesimal of its own.
#[derive(Debug)]
pub(crate) struct OwnMotions {
    points: [Point; POINTS],
    motions: [[i64; 3]; POINTS],
    filter: Filter,
    /// The points as whole multiples of a power of two, if they are small enough; computed when it is first needed.
    whole: OnceCell<Option<[[i64; 3]; POINTS]>>,
}

/// The first coefficient of a determinant that is not 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leading {
    /// Which power of ε it belongs to: 0 if the determinant is not 0 without a motion.
    pub(crate) order: u8,
    /// The coefficient, in a unit that is the same for all of this order; for order 0 only its sign.
    pub(crate) value: f64,
}

impl OwnMotions {
    /// Of points and the numbers of their vertices; where there are fewer than six, others may be repeated.
    pub(crate) fn new(points: [Point; POINTS], vertices: [u32; POINTS]) -> Self {
        let extents = std::array::from_fn(|axis| {
            let (mut low, mut high) = (points[0][axis], points[0][axis]);
            for point in &points[1..] {
                low = low.min(point[axis]);
                high = high.max(point[axis]);
            }
            high - low
        });
        Self { points, motions: vertices.map(motion), filter: Filter::new(extents), whole: OnceCell::new() }
    }

    /// Whether det(q − p, r − p, s − p) is positive; that s lies above the triangle p q r. The four vertices must be different.
    #[inline]
    pub(crate) fn is_positive(&self, four: [usize; 4]) -> bool {
        match self.sign(four) {
            Sign::Zero => self.leading_of_motion(four).value > 0.0,
            sign => sign == Sign::Positive,
        }
    }

    /// The first coefficient that is not 0.
    pub(crate) fn leading(&self, four: [usize; 4]) -> Leading {
        match self.sign(four) {
            Sign::Zero => self.leading_of_motion(four),
            sign => Leading { order: 0, value: f64::from(sign as i8) },
        }
    }

    /// The sign without a motion.
    #[inline]
    fn sign(&self, [p, q, r, s]: [usize; 4]) -> Sign {
        let points = &self.points;
        self.filter.orient3d(points[p], points[q], points[r], points[s])
    }

    #[cold]
    fn leading_of_motion(&self, [p, q, r, s]: [usize; 4]) -> Leading {
        let moved = [q, r, s].map(|to| difference(self.motions[to], self.motions[p]));
        let coefficients = match self.whole.get_or_init(|| whole_multiples(&self.points)) {
            Some(whole) => {
                let still = [q, r, s].map(|to| difference(whole[to], whole[p]));
                coefficients(&still, &moved, determinant_of_whole, |sum, other| sum + other).map(|x| x as f64)
            }
            None => self.long_coefficients([p, q, r, s], &moved),
        };
        let first = (1..).zip(coefficients).find(|&(_, value)| value != 0.0);
        first.map_or(Leading { order: 3, value: 1.0 }, |(order, value)| Leading { order, value })
    }

    /// The determinant without a motion, rounded once.
    #[cold]
    pub(crate) fn exact(&self, four: [usize; 4]) -> f64 {
        let (unit, still) = self.long_differences(four);
        let [u, v, w] = &still;
        // Of the range of coordinates: a product of three is at least 2^-1056, so that it may be rounded to a multiple of 2^-1074.
        as_f64(&determinant_of_long(u, v, w), 3 * unit)
    }

    fn long_coefficients(&self, four: [usize; 4], moved: &[[i64; 3]; 3]) -> [f64; 3] {
        let (_, still) = self.long_differences(four);
        let moved = moved.each_ref().map(|vector| vector.map(|x| Long::shifted(x, 0)));
        // Below 2^1000, as the products of two differences of 481 bits with one of 22 are.
        coefficients(&still, &moved, determinant_of_long, |sum, other| &sum + &other).map(|sum| as_f64(&sum, 0))
    }

    /// The exponent of a power of two, and three points less the first one as multiples of it.
    fn long_differences(&self, four: [usize; 4]) -> (i32, [[Long; 3]; 3]) {
        let unit = self.points.as_flattened().iter().map(|&x| decoded(x).1).min().unwrap_or(0);
        let number = |x: f64| {
            let (whole, exponent) = decoded(x);
            // The unit of 0 is as large as can be.
            if whole == 0 { Long::ZERO } else { Long::shifted(whole, (exponent - unit) as usize) }
        };
        let [p, q, r, s] = four.map(|point| self.points[point].map(number));
        (unit, [&q, &r, &s].map(|to| [0, 1, 2].map(|axis: usize| &to[axis] - &p[axis])))
    }
}

/// A whole number times 2 to a power.
fn as_f64(number: &Long, power: i32) -> f64 {
    let (mantissa, exponent) = number.leading();
    if mantissa == 0.0 {
        return 0.0;
    }
    // In two steps: one power alone may be out of range.
    let exponent = exponent as i32 + power;
    mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// The coefficients of ε, ε² and ε³, by a function for determinants and one for sums.
fn coefficients<V, D>(
    [u, v, w]: &[V; 3],
    [du, dv, dw]: &[V; 3],
    determinant: impl Fn(&V, &V, &V) -> D,
    sum: impl Fn(D, D) -> D,
) -> [D; 3] {
    [
        sum(sum(determinant(du, v, w), determinant(u, dv, w)), determinant(u, v, dw)),
        sum(sum(determinant(du, dv, w), determinant(du, v, dw)), determinant(u, dv, dw)),
        determinant(du, dv, dw),
    ]
}

fn determinant_of_whole(u: &[i64; 3], v: &[i64; 3], w: &[i64; 3]) -> i128 {
    let minor = |i: usize, j: usize| i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]);
    minor(1, 2) * i128::from(w[0]) + minor(2, 0) * i128::from(w[1]) + minor(0, 1) * i128::from(w[2])
}

fn determinant_of_long(u: &[Long; 3], v: &[Long; 3], w: &[Long; 3]) -> Long {
    let term = |i: usize, j: usize, k: usize| &(&(&u[i] * &v[j]) - &(&u[j] * &v[i])) * &w[k];
    &(&term(1, 2, 0) + &term(2, 0, 1)) + &term(0, 1, 2)
}

/// Which way a vertex is moved: three numbers of 21 bits. Every step can be undone, so no two vertices are moved alike
/// (`splitmix64`, cut to 63 bits).
pub(crate) fn motion(vertex: u32) -> [i64; 3] {
    const MASK: u64 = (1 << 63) - 1;
    let mut x = (u64::from(vertex) + 1).wrapping_mul(0x1e37_79b9_7f4a_7c15) & MASK;
    for factor in [0x3f58_476d_1ce4_e5b9, 0x14d0_49bb_1331_11eb] {
        x ^= x >> 31;
        x = x.wrapping_mul(factor) & MASK;
    }
    x ^= x >> 31;
    [0, 21, 42].map(|shift| (x >> shift & 0x1f_ffff) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a grid of up to three steps, so that planes, lines and points are common; every third time all in one point.
    fn points(random: &mut crumple_scenes::Random, round: u32) -> [Point; POINTS] {
        let steps = 1 + u64::from(round % 3);
        std::array::from_fn(|_| std::array::from_fn(|_| random.below(steps) as f64))
    }

    #[test]
    fn integers_of_any_size_and_of_128_bits_give_the_same_coefficients() {
        let mut random = crumple_scenes::Random::new(3);
        let mut orders = [0; 4];
        for round in 0..2_000 {
            let vertices = std::array::from_fn(|k| 6 * round + k as u32);
            let moved = OwnMotions::new(points(&mut random, round), vertices);
            let long = OwnMotions::new(moved.points, vertices);
            long.whole.set(None).unwrap();
            for four in [[0, 1, 2, 3], [4, 5, 0, 1], [2, 5, 3, 1]] {
                let (found, expected) = (moved.leading(four), long.leading(four));
                orders[found.order as usize] += 1;
                assert_eq!((found.order, found.value > 0.0), (expected.order, expected.value > 0.0));
                assert!(found.value != 0.0);
            }
        }
        assert!(orders.iter().all(|&count| count > 10), "{orders:?}");
    }

    #[test]
    fn signs_are_those_of_a_small_motion_that_is_carried_out() {
        // In whole numbers: points times 2^60, motions of 21 bits. A coefficient that is not 0 then outweighs those after it.
        let mut random = crumple_scenes::Random::new(4);
        for round in 0..2_000 {
            let vertices: [u32; POINTS] = std::array::from_fn(|k| 6 * round + k as u32);
            let moved = OwnMotions::new(points(&mut random, round), vertices);
            let big = |k: usize| {
                let motion = motion(vertices[k]);
                [0, 1, 2].map(|axis| &Long::shifted(moved.points[k][axis] as i64, 60) + &Long::shifted(motion[axis], 0))
            };
            for four in [[0, 1, 2, 3], [4, 5, 0, 1], [2, 5, 3, 1]] {
                let [p, q, r, s] = four.map(big);
                let [u, v, w] = [&q, &r, &s].map(|to| [0, 1, 2].map(|axis: usize| &to[axis] - &p[axis]));
                let expected = determinant_of_long(&u, &v, &w).sign();
                assert_ne!(expected, Sign::Zero);
                assert_eq!(moved.is_positive(four), expected == Sign::Positive);
                // Exchanging two vertices turns the sign.
                assert_ne!(moved.is_positive([four[1], four[0], four[2], four[3]]), expected == Sign::Positive);
            }
        }
    }

    #[test]
    fn a_determinant_that_rounding_would_lose_is_exact() {
        // Heights of 2^-60 over a triangle of size 1, beside coordinates that have no common small unit.
        let tiny = 2f64.powi(-60);
        let t = [[0.1, 0.2, 0.0], [1.1, 0.2, 0.0], [0.1, 1.2, 0.0]];
        let points = [t[0], t[1], t[2], [0.3, 0.3, tiny], [0.3, 0.3, -3.0 * tiny], [0.3, 0.3, 0.0]];
        let moved = OwnMotions::new(points, [0, 1, 2, 3, 4, 5]);
        let heights = [3, 4, 5].map(|k| moved.exact([0, 1, 2, k]));
        assert!((heights[1] / heights[0] + 3.0).abs() < 1e-15 && heights[2] == 0.0, "{heights:?}");
        assert!((heights[0] / tiny - 1.0).abs() < 1e-15, "{heights:?}");
    }

    #[test]
    fn no_two_vertices_are_moved_alike() {
        let mut all: Vec<[i64; 3]> = (0..100_000).chain(u32::MAX - 1_000..=u32::MAX).map(motion).collect();
        all.sort_unstable();
        let len = all.len();
        all.dedup();
        assert_eq!(all.len(), len);
    }
}
