//! Whether two triangles cross properly: each passes through the other, and does not only touch it.
//!
//! Two triangles *cross properly* if their interiors, without edges and corners, have a point in common and they do not lie in one
//! plane. Then each has corners strictly on both sides of the plane of the other, and meets the line common to both planes in an
//! interval whose inside is in its interior; the insides of the two intervals overlap. All of that is signs of determinants, none
//! of which may be 0 where it matters. The converse holds too, so the signs decide.
//!
//! Coplanar triangles, a corner or an edge on a face, edges that cross and triangles without area only touch.
//!
//! Held by: the tests below (clipping on whole numbers), `tests/behaviour/scene/crossings.rs`.

use glam::Vec4;

use super::filter::Filter;
use super::quick;
use super::triangle_pair::{common_extents, interval_signs, turned, widened};
use super::{Point, Sign};
use crate::geom::Triangle;
use crate::geom::lanes::Corners;

/// Whether two triangles cross properly: their interiors have a point in common, and they do not lie in one plane.
///
/// Touching does not count: a corner or an edge on the other triangle, edges that cross, coplanar triangles. Where two surfaces pass
/// through each other, triangles cross properly along the curve in which they meet, except where that curve runs along an
/// edge of either surface; where it passes through a vertex or across an edge, the triangles on either side do. Right for all
/// finite corners; triangles without area have no interior.
///
/// ```
/// use crumple::{Triangle, exact::triangles_cross};
///
/// let flat = Triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
/// let down_to = |z: f32| Triangle([[0.25, 0.25, z], [0.25, 0.25, 1.0], [1.0, 1.0, 1.0]]);
/// assert!(triangles_cross(&flat, &down_to(-0.25)));
/// assert!(!triangles_cross(&flat, &down_to(0.0)));
/// ```
pub fn triangles_cross(a: &Triangle, b: &Triangle) -> bool {
    let padded = |t: &Triangle| t.0.map(|[x, y, z]| Vec4::new(x, y, z, 0.0));
    let (a, b) = (padded(a), padded(b));
    let verdict = quick::meet(&Corners::one(&a), &Corners::one(&b), 0.0);
    // What f32 is sure to meet has no sign that is 0.
    if verdict.undecided == 0 { verdict.meets != 0 } else { triangles_cross_f64(&widened(&a), &widened(&b)) }
}

/// The same of triangles with f64 corners, if these are in the range of [`triangles_meet_f64`](super::triangles_meet_f64).
pub fn triangles_cross_f64(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
    if are_level(a, b) {
        return false;
    }
    let filter = Filter::new(common_extents(a, b));
    let straddle = |sides: [Sign; 3]| sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative);
    let sides_of_b = filter.sides(a, b);
    if !straddle(sides_of_b) {
        return false;
    }
    let sides_of_a = filter.sides(b, a);
    straddle(sides_of_a)
        && interval_signs(&filter, turned(*a, sides_of_a), turned(*b, sides_of_b)) == [Sign::Negative; 2]
}

/// Whether both lie in one plane across an axis, as the faces of most cuts do: known without a determinant.
fn are_level(a: &[Point; 3], b: &[Point; 3]) -> bool {
    (0..3).any(|axis| a.iter().chain(b).all(|corner| corner[axis] == a[0][axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_scenes::Random;

    type Whole = [i64; 3];

    fn minus(a: Whole, b: Whole) -> Whole {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    fn cross(a: Whole, b: Whole) -> Whole {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    fn dot(a: Whole, b: Whole) -> i64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// The interval in which the inside of a triangle meets the plane through `point` across `normal`, along `line` in
    /// fractions with a positive denominator; `None` if its corners are not strictly on both sides.
    fn interval(t: &[Whole; 3], normal: Whole, point: Whole, line: Whole) -> Option<[(i64, i64); 2]> {
        let height = t.map(|corner| dot(normal, minus(corner, point)));
        if !(height.iter().any(|&h| h > 0) && height.iter().any(|&h| h < 0)) {
            return None;
        }
        let mut ends = Vec::new();
        for k in 0..3 {
            let (i, j) = (k, (k + 1) % 3);
            let (along_i, along_j) = (dot(line, t[i]), dot(line, t[j]));
            if height[i] == 0 {
                ends.push((along_i, 1));
            } else if height[i] * height[j] < 0 {
                let (above, below) = (height[i].abs(), height[j].abs());
                ends.push((along_i * below + along_j * above, above + below));
            }
        }
        let less = |x: (i64, i64), y: (i64, i64)| x.0 * y.1 < y.0 * x.1;
        Some(if less(ends[0], ends[1]) { [ends[0], ends[1]] } else { [ends[1], ends[0]] })
    }

    /// Cuts both triangles with the other's plane and compares what comes out, in fractions.
    fn by_clipping(a: &[Whole; 3], b: &[Whole; 3]) -> bool {
        let normal = |t: &[Whole; 3]| cross(minus(t[1], t[0]), minus(t[2], t[0]));
        let line = cross(normal(a), normal(b));
        let (Some(of_a), Some(of_b)) = (interval(a, normal(b), b[0], line), interval(b, normal(a), a[0], line)) else {
            return false;
        };
        let less = |x: (i64, i64), y: (i64, i64)| x.0 * y.1 < y.0 * x.1;
        less(of_a[0], of_b[1]) && less(of_b[0], of_a[1])
    }

    #[test]
    fn crossing_is_what_clipping_on_whole_numbers_says_and_implies_meeting() {
        let mut random = Random::new(37);
        let (mut crossing, mut touching) = (0, 0);
        for round in 0..200_000 {
            let size = 2 + round % 5;
            let [a, b] = [(); 2].map(|()| [(); 3].map(|()| [(); 3].map(|()| random.integer(0, size))));
            let expected = by_clipping(&a, &b);
            let [x, y] = [a, b].map(|t| t.map(|corner| corner.map(|x| x as f64)));
            let meets = super::super::triangles_meet_f64(&x, &y);
            assert_eq!(triangles_cross_f64(&x, &y), expected, "{a:?} {b:?}");
            assert_eq!(triangles_cross_f64(&y, &x), expected, "{b:?} {a:?}");
            let [p, q] = [a, b].map(|t| Triangle(t.map(|corner| corner.map(|x| x as f32))));
            assert_eq!(triangles_cross(&p, &q), expected, "{a:?} {b:?}, in f32");
            assert!(meets || !expected);
            crossing += usize::from(expected);
            touching += usize::from(meets && !expected);
        }
        assert!(crossing > 20_000 && touching > 20_000, "{crossing} cross, {touching} only touch");
    }
}
