//! Signs about two triangles of two bodies, one of which has been moved by an infinitesimal: none is ever 0.
//!
//! Where surfaces touch, share a plane, an edge or a corner, the signs that say how two triangles cross are 0 and every
//! choice of one sign has to agree with the choice of all others, in this pair and in its neighbours. They do agree if
//! they are the signs of some real positions. So body A is moved by (ε, ε², ε³), with ε smaller than any number: a
//! determinant that is not 0 keeps its sign, and one that is 0 takes that of its derivative along the motion, whose first
//! coordinate that is not 0 decides (symbolic perturbation; Edelsbrunner & Mücke 1990 move every point by itself, here
//! one translation is enough):
//!
//! ```text
//! n_b · (a_k − b0)              a corner of A over b            +n_b
//! n_a · (b_k − a0)              a corner of B over a            −n_a
//! det(q − p, r − p, s − p)      edge p q of A, edge r s of B    (q − p) × (s − r)
//! ```
//!
//! To move body B instead turns these derivatives round.
//!
//! A height stays undecided only if the other triangle has no area. Two edges that are asked about cross each other's
//! planes, so they are not parallel and the last derivative is not 0.
//!
//! Grid-snapped meshes ask these questions by the ten thousands, so they are not left to adaptive expansions at once:
//! if the coordinates of both triangles are whole multiples of one power of two, below 2^40 of them in size, all
//! determinants are computed in 128-bit integers. Differences are then below 2^41, minors below 2^83, determinants below
//! 3 · 2^124. Otherwise `predicates` decides, and the rare cross product of differences is computed in integers of any
//! size.
//!
//! Cost: some 10 ns per sign on whole multiples, up to 1 µs otherwise.
//! Held by: the tests below, `tests/behaviour/overlap`.

use super::impact::Int;
use super::predicates::{orient2d, orient3d};
use super::{Point, Sign};
use crate::geom::Axis;

/// Coordinates are multiples of 2^-352 below 2^128: products of their differences, of 962 bits, fit.
pub(super) type Long = Int<16>;

/// Whole numbers that coordinates are multiplied to must be smaller than this power of two.
const MOST_BITS: i32 = 40;

/// Which of two bodies is moved by an infinitesimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    A,
    B,
}

/// A triangle of body A and a triangle of body B; one of the bodies is moved by an infinitesimal.
#[derive(Debug)]
pub(crate) struct NudgedPair {
    moved: Moved,
    /// The corners of A's triangle, then those of B's.
    corners: [Point; 6],
    /// The same as whole multiples of a power of two, if they are small enough.
    whole: Option<[[i64; 3]; 6]>,
}

impl NudgedPair {
    pub(crate) fn new(a: &[Point; 3], b: &[Point; 3], moved: Moved) -> Self {
        let corners = [a[0], a[1], a[2], b[0], b[1], b[2]];
        Self { moved, corners, whole: whole_multiples(&corners) }
    }

    /// Whether corner `k` of A's triangle lies above B's; `None` if B's has no area.
    pub(crate) fn a_is_above(&self, k: usize) -> Option<bool> {
        match self.determinant([3, 4, 5, k]) {
            Sign::Zero => self.normal_sign([3, 4, 5]).map(|sign| sign == self.along_motion()),
            sign => Some(sign == Sign::Positive),
        }
    }

    /// Whether corner `k` of B's triangle lies above A's; `None` if A's has no area.
    pub(crate) fn b_is_above(&self, k: usize) -> Option<bool> {
        match self.determinant([0, 1, 2, 3 + k]) {
            Sign::Zero => self.normal_sign([0, 1, 2]).map(|sign| sign != self.along_motion()),
            sign => Some(sign == Sign::Positive),
        }
    }

    /// Whether det(q − p, r − p, s − p) is positive for the edge p q between two corners of A's triangle and the edge r s
    /// between two of B's. The edges must not be parallel.
    pub(crate) fn is_positive(&self, [p, q]: [usize; 2], [r, s]: [usize; 2]) -> bool {
        let (r, s) = (3 + r, 3 + s);
        match self.determinant([p, q, r, s]) {
            Sign::Zero => first_sign(|axis| self.cross_sign(axis, [p, q], [r, s])) == Some(self.along_motion()),
            sign => sign == Sign::Positive,
        }
    }

    /// The sign of a derivative of something that grows as A is moved.
    fn along_motion(&self) -> Sign {
        match self.moved {
            Moved::A => Sign::Positive,
            Moved::B => Sign::Negative,
        }
    }

    /// The sign of det(q − p, r − p, s − p).
    fn determinant(&self, [p, q, r, s]: [usize; 4]) -> Sign {
        let Some(whole) = &self.whole else {
            return orient3d(self.corners[p], self.corners[q], self.corners[r], self.corners[s]);
        };
        let [u, v, w] = [q, r, s].map(|to| difference(whole[to], whole[p]));
        let minor = |i: usize, j: usize| i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]);
        let sum = minor(1, 2) * i128::from(w[0]) + minor(2, 0) * i128::from(w[1]) + minor(0, 1) * i128::from(w[2]);
        of_whole(sum)
    }

    /// The sign of the first coordinate of a triangle's normal that is not 0; `None` if it has no area.
    fn normal_sign(&self, [p, q, r]: [usize; 3]) -> Option<Sign> {
        first_sign(|axis| match &self.whole {
            Some(_) => self.cross_sign(axis, [p, q], [p, r]),
            None => orient2d(axis, self.corners[p], self.corners[q], self.corners[r]),
        })
    }

    /// The sign of a coordinate of (q − p) × (s − r).
    fn cross_sign(&self, axis: Axis, [p, q]: [usize; 2], [r, s]: [usize; 2]) -> Sign {
        let (i, j) = ((axis as usize + 1) % 3, (axis as usize + 2) % 3);
        if let Some(whole) = &self.whole {
            let (u, v) = (difference(whole[q], whole[p]), difference(whole[s], whole[r]));
            return of_whole(i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]));
        }
        let unit = self.corners.as_flattened().iter().map(|&x| decoded(x).1).min().unwrap_or(0);
        let number = |corner: usize, axis: usize| {
            let (whole, exponent) = decoded(self.corners[corner][axis]);
            // The unit of 0 is as large as can be.
            if whole == 0 { Long::ZERO } else { Long::shifted(whole, (exponent - unit) as usize) }
        };
        let difference = |to: usize, from: usize, axis: usize| &number(to, axis) - &number(from, axis);
        (&(&difference(q, p, i) * &difference(s, r, j)) - &(&difference(q, p, j) * &difference(s, r, i))).sign()
    }
}

/// The winding number of a surface around a point that has been moved by (ε, ε², ε³): what one triangle adds to it.
///
/// Follows the line from the point in the direction in which x grows. It leaves the body where it meets a triangle from
/// below (+1) and enters it where it meets one from above (−1). Seen along x, the moved point lies on no line through two
/// corners, and both triangles at an edge see it on the same side.
pub(crate) fn winding_step(triangle: &[Point; 3], point: Point) -> i32 {
    let low = |k: usize| triangle[0][k].min(triangle[1][k]).min(triangle[2][k]);
    let high = |k: usize| triangle[0][k].max(triangle[1][k]).max(triangle[2][k]);
    let is_beside = |k: usize| point[k] < low(k) || point[k] > high(k);
    if is_beside(1) || is_beside(2) || point[0] > high(0) {
        return 0;
    }
    let mut turns = [Sign::Zero; 3];
    for k in 0..3 {
        let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
        turns[k] = match orient2d(Axis::X, from, to, point) {
            // The derivative along (ε², ε³) of the turn: by y first, then by z.
            Sign::Zero => match Sign::of(from[2] - to[2]) {
                Sign::Zero => Sign::of(to[1] - from[1]),
                sign => sign,
            },
            sign => sign,
        };
    }
    let facing = turns[0];
    if facing == Sign::Zero || turns != [facing; 3] {
        return 0;
    }
    let is_ahead = if point[0] < low(0) {
        true
    } else {
        let side = match orient3d(triangle[0], triangle[1], triangle[2], point) {
            // By x first, and along x the normal has a coordinate: the triangle is not seen edge-on.
            Sign::Zero => facing,
            sign => sign,
        };
        side != facing
    };
    match (is_ahead, facing) {
        (true, Sign::Positive) => 1,
        (true, _) => -1,
        (false, _) => 0,
    }
}

/// The first sign that is not 0, axis by axis.
fn first_sign(along: impl Fn(Axis) -> Sign) -> Option<Sign> {
    Axis::ALL.into_iter().map(along).find(|&sign| sign != Sign::Zero)
}

pub(super) fn difference(p: [i64; 3], q: [i64; 3]) -> [i64; 3] {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

/// A number as an odd whole number times 2 to a power; 0 times a large one for 0.
pub(super) fn decoded(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (fraction, exponent) = ((bits & ((1 << 52) - 1)) as i64, (bits >> 52 & 0x7ff) as i32);
    let (size, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if size == 0 {
        return (0, i32::MAX);
    }
    let zeros = size.trailing_zeros();
    let whole = size >> zeros;
    (if x < 0.0 { -whole } else { whole }, exponent + zeros as i32)
}

fn of_whole(value: i128) -> Sign {
    match value.signum() {
        1 => Sign::Positive,
        -1 => Sign::Negative,
        _ => Sign::Zero,
    }
}

/// The coordinates as multiples of one power of two, if all are whole.
pub(super) fn whole_multiples(corners: &[Point; 6]) -> Option<[[i64; 3]; 6]> {
    let largest = corners.as_flattened().iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    // The largest number is below 2^(exponent + 1).
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    let scale = power_of_two(MOST_BITS - 1 - exponent)?;
    let mut whole = [[0; 3]; 6];
    for (whole, x) in whole.as_flattened_mut().iter_mut().zip(corners.as_flattened()) {
        let scaled = x * scale;
        *whole = scaled as i64;
        if *whole as f64 != scaled {
            return None;
        }
    }
    Some(whole)
}

/// 2 to a power; `None` if that is not a normal number, so that multiplying by it might round.
fn power_of_two(exponent: i32) -> Option<f64> {
    (-1022..=1023).contains(&exponent).then(|| f64::from_bits(((exponent + 1023) as u64) << 52))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small number of few values, so that zeros are common.
    fn corners(seed: &mut u64) -> [Point; 3] {
        let mut next = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((*seed >> 33) as u32 % 3)
        };
        std::array::from_fn(|_| std::array::from_fn(|_| next()))
    }

    #[test]
    fn whole_multiples_and_expansions_give_the_same_signs() {
        let mut seed = 1;
        for _ in 0..20_000 {
            let (a, b) = (corners(&mut seed), corners(&mut seed));
            let whole = NudgedPair::new(&a, &b, Moved::A);
            assert!(whole.whole.is_some());
            let expanded = NudgedPair { whole: None, ..NudgedPair::new(&a, &b, Moved::A) };
            for k in 0..3 {
                assert_eq!(whole.a_is_above(k), expanded.a_is_above(k));
                assert_eq!(whole.b_is_above(k), expanded.b_is_above(k));
                for edge in [[0, 1], [1, 2], [2, 0]] {
                    assert_eq!(whole.is_positive([k, (k + 1) % 3], edge), expanded.is_positive([k, (k + 1) % 3], edge));
                }
            }
        }
    }

    #[test]
    fn signs_are_those_of_a_small_motion_that_is_carried_out() {
        // On whole numbers up to 2 every determinant that is not 0 is at least 1, so this motion changes no sign.
        let by = [2f64.powi(-8), 2f64.powi(-20), 2f64.powi(-32)];
        let mut seed = 2;
        let mut zeros = 0;
        for round in 0..20_000 {
            let (a, b) = (corners(&mut seed), corners(&mut seed));
            let which = if round % 2 == 0 { Moved::A } else { Moved::B };
            let pair = NudgedPair::new(&a, &b, which);
            let moved = |corners: [Point; 3]| corners.map(|p| std::array::from_fn(|k| p[k] + by[k]));
            let (moved_a, moved_b) = if which == Moved::A { (moved(a), b) } else { (a, moved(b)) };
            let moved = NudgedPair { whole: None, ..NudgedPair::new(&moved_a, &moved_b, which) };
            for k in 0..3 {
                zeros += usize::from(pair.determinant([3, 4, 5, k]) == Sign::Zero);
                for (now, then) in
                    [(pair.a_is_above(k), moved.a_is_above(k)), (pair.b_is_above(k), moved.b_is_above(k))]
                {
                    assert!(now == then, "{a:?} {b:?}");
                }
                for edge in [[0, 1], [1, 2], [2, 0]] {
                    let own = [k, (k + 1) % 3];
                    if moved.determinant([own[0], own[1], 3 + edge[0], 3 + edge[1]]) != Sign::Zero {
                        assert_eq!(pair.is_positive(own, edge), moved.is_positive(own, edge), "{a:?} {b:?}");
                    }
                }
            }
        }
        assert!(zeros > 1_000, "{zeros}");
    }

    #[test]
    fn numbers_too_far_apart_for_whole_multiples_are_decided_all_the_same() {
        let tiny = f64::from(f32::from_bits(1));
        let (a, b) = ([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, tiny]], [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
        let pair = NudgedPair::new(&a, &b, Moved::A);
        assert!(pair.whole.is_none());
        // The normal of b points down; the third corner of A lies above the plane, that is below b.
        assert_eq!([0, 1, 2].map(|k| pair.a_is_above(k)), [Some(false); 3]);
        assert!(pair.is_positive([0, 1], [0, 1]));
    }

    #[test]
    fn a_point_on_the_surface_is_inside_or_outside_as_the_motion_takes_it() {
        let corner = |k: usize| [0, 1, 2].map(|axis| f64::from((k >> axis & 1) as u32));
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let winding = |point: Point| -> i32 {
            let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
            triangles.map(|triangle| winding_step(&triangle.map(corner), point)).sum()
        };
        for x in [-0.5, 0.0, 0.5, 1.0, 1.5] {
            for y in [-0.5, 0.0, 0.25, 1.0] {
                for z in [0.0, 0.75, 1.0] {
                    // The low sides move inside, the high sides outside.
                    let is_inside = [x, y, z].iter().all(|c| (0.0..1.0).contains(c));
                    assert_eq!(winding([x, y, z]), i32::from(is_inside), "{x} {y} {z}");
                }
            }
        }
    }
}
