//! How the line through a point along an axis crosses a triangle, decided by signs alone.
//!
//! Whether a point is inside a closed surface follows from the triangles its line crosses before it reaches the point.
//! Two questions a triangle, both about signs: does the line pass through it, and is the crossing before the point?
//!
//! Seen along the axis the first is about a point and three edges. It is asked so that a line through an edge or a
//! corner passes through exactly one of the triangles around it: an edge counts if one end lies at or below the point's
//! height and the other above it, runs from the lower end up, and has the point beyond it unless the point is strictly
//! left of it. That is the rule of a point moved by (ε, ε²): no line meets an edge or a corner of a surface then, and as
//! both triangles at an edge ask the same sign of the same numbers in the same order, they cannot disagree.
//!
//! Where the signs of all three edges are sure in f64, they decide at once: the line passes through the triangle if they
//! are equal, and misses it, and the point with it, if two of them are opposite. The bound is that of `robust`, which
//! answers for the rest: with ε = 2^-53 a difference of two products of two rounded differences is right in sign if it is
//! larger than (3 + 16ε)ε times the sum of the sizes of the products (Shewchuk 1997, figure 21); nothing underflows, see
//! `predicates`.
//!
//! The second is the side of the triangle's plane the point is on. Nought means it lies in the plane: if the line passes
//! through the triangle, or the point lies on its border, it is on the surface.

use super::filter::Filter;
use super::predicates::orient2d;
use super::{Point, Sign, segment_meets_triangle};
use crate::geom::Axis;

/// What a triangle has to do with the part of a line that comes before a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeforePoint {
    /// The line does not cross the triangle before the point.
    Nothing,
    /// It goes into the body there: against the triangle's normal.
    Entry,
    /// It comes out of it: along the normal.
    Exit,
    /// The point lies on the triangle.
    OnSurface,
}

/// Follows the line through `point` in the direction in which coordinates along `axis` grow, up to the point.
pub fn before_point_f64(axis: Axis, corners: &[Point; 3], point: Point) -> BeforePoint {
    let ([u, v], w) = (axis.others().map(|axis| axis as usize), axis as usize);
    let low = |k: usize| corners[0][k].min(corners[1][k]).min(corners[2][k]);
    let high = |k: usize| corners[0][k].max(corners[1][k]).max(corners[2][k]);
    let within = |k: usize| low(k) <= point[k] && point[k] <= high(k);
    if !within(v) || !within(u) || point[w] < low(w) {
        return BeforePoint::Nothing;
    }
    let sure_turns = sure_turns([u, v], corners, point);
    if sure_turns == Some(0) {
        return BeforePoint::Nothing;
    }
    let side = if point[w] > high(w) {
        None
    } else {
        // The point lies in the triangle's box, so its extents are those of all four points.
        let extents = [0, 1, 2].map(|k| high(k) - low(k));
        let side = Filter::new(extents).orient3d(corners[0], corners[1], corners[2], point);
        if side == Sign::Zero {
            let touches = segment_meets_triangle(point, point, corners);
            return if touches { BeforePoint::OnSurface } else { BeforePoint::Nothing };
        }
        Some(side)
    };

    let turns = sure_turns.unwrap_or_else(|| exact_turns(axis, corners, point));
    // Upwards on the left and downwards on the right is clockwise: the normal points against the line. A point that the
    // line reaches after such a triangle is on the side the normal does not point to.
    match (turns, side) {
        (1, None | Some(Sign::Negative)) => BeforePoint::Entry,
        (-1, None | Some(Sign::Positive)) => BeforePoint::Exit,
        _ => BeforePoint::Nothing,
    }
}

/// How often the triangle turns around the line, clockwise counted up, if that is sure in f64 and the line misses its
/// border: 0 then means that it misses the triangle as a closed set.
#[inline]
fn sure_turns([u, v]: [usize; 2], corners: &[Point; 3], point: Point) -> Option<i32> {
    const BOUND: f64 = (3.0 + 8.0 * f64::EPSILON) * (0.5 * f64::EPSILON);
    let from = corners.map(|corner| [corner[u] - point[u], corner[v] - point[v]]);
    let (mut left, mut right) = (0, 0);
    for k in 0..3 {
        let ([x, y], [x_next, y_next]) = (from[k], from[(k + 1) % 3]);
        let (product, other) = (x * y_next, y * x_next);
        let (area, bound) = (product - other, BOUND * (product.abs() + other.abs()));
        left += i32::from(area > bound);
        right += i32::from(area < -bound);
    }
    match (left, right) {
        (3, _) => Some(-1),
        (_, 3) => Some(1),
        (1.., 1..) => Some(0),
        _ => None,
    }
}

/// The same by exact signs: +1 for an edge run upwards that the point is beyond, −1 for one run downwards.
#[cold]
fn exact_turns(axis: Axis, corners: &[Point; 3], point: Point) -> i32 {
    let v = axis.others()[1] as usize;
    let mut turns = 0;
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let upwards = from[v] <= point[v] && point[v] < to[v];
        let downwards = to[v] <= point[v] && point[v] < from[v];
        if upwards && orient2d(axis, from, to, point) != Sign::Positive {
            turns += 1;
        } else if downwards && orient2d(axis, to, from, point) != Sign::Positive {
            turns -= 1;
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::super::widened;
    use super::*;
    use crate::geom::Triangle;

    fn before_point(axis: Axis, triangle: &Triangle, point: [f32; 3]) -> BeforePoint {
        before_point_f64(axis, &widened(&triangle.0), point.map(f64::from))
    }

    #[test]
    fn a_line_through_an_edge_or_corner_passes_through_one_of_the_triangles_around_it() {
        // A square of four triangles around its centre, facing up, at height 1.
        let ring = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 2.0, 1.0], [0.0, 2.0, 1.0f32]];
        let square: Vec<Triangle> = (0..4).map(|k| Triangle([ring[k], ring[(k + 1) % 4], [1.0, 1.0, 1.0]])).collect();
        for (x, y, expected) in [
            (1.0, 1.0, 1),
            (0.5, 0.5, 1),
            (1.5, 0.5, 1),
            (0.25, 0.5, 1),
            (0.0, 1.0, 1),
            (0.0, 0.0, 1),
            (2.0, 1.0, 0),
            (1.0, 2.0, 0),
        ] {
            let count = |z: f32, what| square.iter().filter(|t| before_point(Axis::Z, t, [x, y, z]) == what).count();
            assert_eq!(count(3.0, BeforePoint::Exit), expected, "above {x} {y}");
            assert_eq!(count(0.0, BeforePoint::Nothing), 4, "below {x} {y}");
            assert!(count(1.0, BeforePoint::OnSurface) > 0, "on the square at {x} {y}");
        }
    }

    #[test]
    fn a_triangle_seen_edge_on_is_never_passed_through_but_can_be_touched() {
        let upright = Triangle([[0.0, 0.0, 0.0], [2.0, 2.0, 0.0], [1.0, 1.0, 2.0]]);
        assert_eq!(before_point(Axis::Z, &upright, [1.0, 1.0, 5.0]), BeforePoint::Nothing);
        assert_eq!(before_point(Axis::Z, &upright, [1.0, 1.0, 1.0]), BeforePoint::OnSurface);
        assert_eq!(before_point(Axis::Z, &upright, [0.25, 0.25, 1.0]), BeforePoint::Nothing);
        assert_eq!(before_point(Axis::Z, &upright, [1.0, 1.0f32.next_up(), 1.0]), BeforePoint::Nothing);
    }

    #[test]
    fn turns_that_are_sure_in_f64_are_the_exact_ones() {
        let mut random = crumple_scenes::Random::new(17);
        let mut counts = [0; 2];
        for round in 0..60_000 {
            // Whole numbers, where borders are met; tenths, which rounding moves off them; and any numbers.
            let mut coordinate = || match round % 3 {
                0 => random.below(5) as f64,
                1 => random.below(30) as f64 * 0.1,
                _ => random.between(0.0, 1.0),
            };
            let mut point = || [coordinate(), coordinate(), coordinate()];
            let (corners, point) = ([point(), point(), point()], point());
            for axis in Axis::ALL {
                let sure = sure_turns(axis.others().map(|axis| axis as usize), &corners, point);
                counts[usize::from(sure.is_some())] += 1;
                assert!(sure.is_none_or(|turns| turns == exact_turns(axis, &corners, point)));
                assert!(sure != Some(0) || !segment_meets_triangle(point, point, &corners));
            }
        }
        assert!(counts.iter().all(|&count| count > 10_000), "{counts:?}");
    }
}
