//! Signs of determinants, exact for every input in range.
//!
//! The `robust` crate evaluates Shewchuk's adaptive predicates in f64 expansions; these are exact as long as nothing
//! overflows or underflows. Coordinates are 0 or between 2^-300 and 2^128 in size, which all f32 numbers are. Each is
//! a multiple of 2^-352 (of 2^-149 if it was f32) with 53 bits. Differences, rounded or not, are multiples of 2^-352 too,
//! below 2^129: to round a number to 53 bits leaves it a multiple of whatever power of two it was one of. So are products
//! of two multiples of 2^-704, products of three of 2^-1056, and so are sums of such and all rounding errors, below
//! 2^390. All of these lie inside f64: where numbers are denormal, below 2^-1022, multiples of 2^-1056 have 34 bits and
//! are not rounded at all. The bounds to which adaptive stages compare a determinant may themselves be rounded to
//! a multiple of 2^-1074, which does not take them below the largest multiple of 2^-1056 that an error can be.

use robust::{Coord, Coord3D};

use super::{Point, Sign};
use crate::geom::Axis;

/// The side of the plane through `a`, `b`, `c` on which `d` lies: the sign of det(b − a, c − a, d − a).
#[cold]
#[inline(never)]
pub(super) fn orient3d(a: Point, b: Point, c: Point, d: Point) -> Sign {
    // Corners that coincide, and planes across an axis, are the usual reasons for a zero. To the adaptive predicate a zero is
    // what costs most.
    let in_one_plane = |axis: usize| a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis];
    if a == b || a == c || a == d || b == c || b == d || c == d || (0..3).any(in_one_plane) {
        return Sign::Zero;
    }
    let coord = |[x, y, z]: Point| Coord3D { x, y, z };
    // `robust` measures from the last point, which is the opposite sign.
    Sign::of(robust::orient3d(coord(a), coord(b), coord(c), coord(d))).opposite()
}

/// The turn a → b → c seen along `axis`: the sign of the projected det(b − a, c − a). Called from many places.
#[inline(never)]
pub(super) fn orient2d(axis: Axis, a: Point, b: Point, c: Point) -> Sign {
    let [u, v] = axis.others();
    let coord = |p: Point| Coord { x: p[u as usize], y: p[v as usize] };
    let (a, b, c) = (coord(a), coord(b), coord(c));
    // As above: two corners coincide, or all three lie on a line along an axis.
    if a == b || a == c || b == c || a.x == b.x && a.x == c.x || a.y == b.y && a.y == c.y {
        return Sign::Zero;
    }
    Sign::of(robust::orient2d(a, b, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_above_a_counter_clockwise_triangle_is_positive() {
        let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(orient3d(a, b, c, [0.2, 0.2, 1.0]), Sign::Positive);
        assert_eq!(orient3d(a, b, c, [0.2, 0.2, -1.0]), Sign::Negative);
        assert_eq!(orient3d(a, b, c, [7.0, -3.0, 0.0]), Sign::Zero);
        assert_eq!(orient2d(Axis::Z, a, b, c), Sign::Positive);
    }

    #[test]
    fn the_smallest_and_the_largest_f32_numbers_keep_their_signs() {
        for unit in [f64::from(f32::from_bits(1)), f64::from(f32::MAX)] {
            let [a, b, c] = [[0.0; 3], [unit, 0.0, 0.0], [0.0, unit, 0.0]];
            assert_eq!(orient3d(a, b, c, [0.0, 0.0, unit]), Sign::Positive);
            assert_eq!(orient3d(a, b, c, [unit, unit, -unit]), Sign::Negative);
            assert_eq!(orient3d(a, b, c, [unit, unit, 0.0]), Sign::Zero);
        }
        // The ends of the range of f64 coordinates: in products of three 2^-900, of their last bits 2^-1056.
        let [least, next] = [2f64.powi(-300), 2f64.powi(-300) * (1.0 + f64::EPSILON)];
        let [a, b, c] = [[0.0; 3], [least, next, 0.0], [next, least, 0.0]];
        assert_eq!(orient3d(a, b, c, [least, least, least]), Sign::Negative);
        let [p, q] = [[least, next, next], [next, next, least]];
        assert_eq!(orient3d([least; 3], p, q, [next, least, least]), Sign::Negative);
        assert_eq!(orient3d([least; 3], p, q, [least, next, next]), Sign::Zero);
        // A difference of 2^-149 beside coordinates of 2^127: 276 bits apart.
        let (tiny, huge) = (f64::from(f32::from_bits(1)), f64::from(f32::MAX));
        let [a, b, c] = [[-huge, -huge, 0.0], [huge, -huge, 0.0], [0.0, huge, 0.0]];
        assert_eq!(orient3d(a, b, c, [0.0, 0.0, tiny]), Sign::Positive);
        assert_eq!(orient3d(a, b, c, [0.0, 0.0, -tiny]), Sign::Negative);
    }
}
