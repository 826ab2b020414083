//! Whether two closed triangles share a point.
//!
//! Paper: the test in the flow of Larsson & Akenine-Möller 2001 is Möller 1997, which computes the two intervals in
//! which the triangles meet the line common to their planes. Departs: the intervals are never computed. As Guigue &
//! Devillers 2003 observed, their overlap is decided by the signs of two further 3 × 3 determinants of the corners
//! themselves, and a sign can be had exactly where a computed coordinate cannot.
//!
//! Cost: two normals and six dot products, or half of that when one plane already separates; then two determinants.

use glam::Vec4;

use super::filter::Filter;
use super::quick;
use super::simplex_pair;
use super::{Point, Sign};
use crate::geom::Triangle;
use crate::geom::lanes::Corners;

/// Whether the closed triangles `a` and `b` share a point; touching counts.
///
/// Right for all finite corners, coplanar and degenerate triangles included: those count as the segment or point they
/// are. Neither the order of the arguments nor that of the corners matters.
///
/// ```
/// use crumple::{Triangle, exact::triangles_meet};
///
/// let flat = Triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
/// let touching = Triangle([[0.25, 0.25, 0.0], [0.25, 0.25, 1.0], [1.0, 1.0, 1.0]]);
/// let just_above = Triangle([[0.25, 0.25, f32::MIN_POSITIVE], [0.25, 0.25, 1.0], [1.0, 1.0, 1.0]]);
/// assert!(triangles_meet(&flat, &touching));
/// assert!(!triangles_meet(&flat, &just_above));
/// ```
pub fn triangles_meet(a: &Triangle, b: &Triangle) -> bool {
    let padded = |t: &Triangle| t.0.map(|[x, y, z]| Vec4::new(x, y, z, 0.0));
    corners_meet(&padded(a), &padded(b))
}

/// Whether two closed triangles with f64 corners share a point; touching counts.
///
/// As [`triangles_meet`]. Right for coordinates that are 0 or of a size between 2^-300 and 2^128; beyond, signs may be
/// lost to underflow or overflow.
///
/// ```
/// use crumple::exact::triangles_meet_f64;
///
/// let flat = [[0.0, 0.0, 0.1], [1.0, 0.0, 0.1], [0.0, 1.0, 0.1]];
/// let touching = [[0.25, 0.25, 0.1], [0.25, 0.25, 1.0], [1.0, 1.0, 1.0]];
/// let just_above = touching.map(|[x, y, z]| [x, y, f64::next_up(z)]);
/// assert!(triangles_meet_f64(&flat, &touching));
/// assert!(!triangles_meet_f64(&flat, &just_above));
/// ```
pub fn triangles_meet_f64(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
    let filter = Filter::new(common_extents(a, b));
    let sides_of_b = filter.sides(a, b);
    if all(sides_of_b, Sign::Positive) || all(sides_of_b, Sign::Negative) {
        return false;
    }
    let sides_of_a = filter.sides(b, a);
    if all(sides_of_a, Sign::Positive) || all(sides_of_a, Sign::Negative) {
        return false;
    }
    // A triangle without area has every point on its "plane", so degenerate input ends here, as do coplanar pairs.
    if all(sides_of_a, Sign::Zero) || all(sides_of_b, Sign::Zero) {
        return simplex_pair::meet(a, b);
    }
    !interval_signs(&filter, turned(*a, sides_of_a), turned(*b, sides_of_b)).contains(&Sign::Positive)
}

/// [`triangles_meet`] on corners with anything for fourth coordinates.
#[inline]
pub(crate) fn corners_meet(a: &[Vec4; 3], b: &[Vec4; 3]) -> bool {
    let verdict = quick::meet(&Corners::one(a), &Corners::one(b), 0.0);
    if verdict.undecided == 0 { verdict.meets != 0 } else { decide(a, b) }
}

/// The test on f32 corners without the shortcut in front of it; it does not look at fourth coordinates.
#[cold]
pub(crate) fn decide(a: &[Vec4; 3], b: &[Vec4; 3]) -> bool {
    triangles_meet_f64(&widened(a), &widened(b))
}

/// How far the coordinates of the six corners lie apart, never less than the truth by more than one rounding.
#[inline]
pub(super) fn common_extents(a: &[Point; 3], b: &[Point; 3]) -> Point {
    let least = |x: f64, y: f64| if x < y { x } else { y };
    let most = |x: f64, y: f64| if x > y { x } else { y };
    std::array::from_fn(|axis| {
        let of = |t: &[Point; 3], pick: fn(f64, f64) -> f64| pick(pick(t[0][axis], t[1][axis]), t[2][axis]);
        most(of(a, most), of(b, most)) - least(of(a, least), of(b, least))
    })
}

pub(super) fn widened(corners: &[Vec4; 3]) -> [Point; 3] {
    corners.map(|corner| corner.as_dvec4().truncate().to_array())
}

fn all(sides: [Sign; 3], sign: Sign) -> bool {
    sides == [sign; 3]
}

/// A triangle whose first corner lies alone on its side of the other's plane, and which side that is.
pub(super) struct Turned {
    corners: [Point; 3],
    alone: Sign,
}

/// Turns the corners, keeping their cyclic order, so that both edges of the first one reach the other's plane in one
/// point each: the others lie on the opposite side or on the plane, and not all on the plane with the first.
pub(super) fn turned(corners: [Point; 3], sides: [Sign; 3]) -> Turned {
    use Sign::{Negative, Positive, Zero};
    for first in 0..3 {
        let (second, third) = ((first + 1) % 3, (first + 2) % 3);
        let alone = match (sides[first], sides[second], sides[third]) {
            (Positive, Negative | Zero, Negative | Zero) | (Zero, Negative, Negative) => Positive,
            (Negative, Positive | Zero, Positive | Zero) | (Zero, Positive, Positive) => Negative,
            _ => continue,
        };
        return Turned { corners: [corners[first], corners[second], corners[third]], alone };
    }
    unreachable!("the corners lie neither all on one side nor all on the plane: {sides:?}")
}

/// Two signs that tell whether the intervals in which two triangles meet the line common to their planes overlap: they do if
/// neither is positive, and in more than a point, of intervals that are more than a point, if both are negative.
///
/// Both first corners are brought to the positive side of the other's plane by swapping the *other's* last two corners.
/// Along the common line, directed by the product of the normals, triangle a = (p, q, r) then covers the interval from
/// its crossing with pr to that with pq, and b = (p', q', r') that from p'q' to p'r'. b starts no later than a ends
/// exactly if (p, q, p', q') is not a positive tetrahedron: turning p'q' about the common line past pq turns its sign.
/// a starts no later than b ends exactly if (p, r, r', p') is not, by the same argument seen from the other side.
pub(super) fn interval_signs(filter: &Filter, a: Turned, b: Turned) -> [Sign; 2] {
    let [p_a, mut q_a, mut r_a] = a.corners;
    let [p_b, mut q_b, mut r_b] = b.corners;
    if a.alone == Sign::Negative {
        std::mem::swap(&mut q_b, &mut r_b);
    }
    if b.alone == Sign::Negative {
        std::mem::swap(&mut q_a, &mut r_a);
    }
    [filter.orient3d(p_a, q_a, p_b, q_b), filter.orient3d(p_a, r_a, r_b, p_b)]
}
