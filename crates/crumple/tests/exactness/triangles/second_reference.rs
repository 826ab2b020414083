//! A second reference, which looks for a common point instead of a separating direction; the two check each other.
//!
//! What two triangles share is convex and closed; if it is not empty it has a corner, and that is the only common point
//! of a face of the one and a face of the other (faces being corners, edges and the whole). So it is a corner of one
//! that lies in the other, a crossing of two edges that are not parallel, or the point in which an edge passes through
//! a triangle. Each is found by solving for it, in fractions with a common denominator.

use super::reference::{Corners, Point, cross, dot, is_zero, minus, normal};

/// Whether two closed triangles, which may be segments or points, share a point; for coordinates up to 2^16.
pub(crate) fn share_a_point(a: &Corners<i64>, b: &Corners<i64>) -> bool {
    let [a, b] = [a, b].map(|t| t.map(|corner| corner.map(i128::from)));
    let (a, b) = (&a, &b);
    let edges = |t: &Corners<i128>| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    a.iter().any(|corner| holds(b, corner))
        || b.iter().any(|corner| holds(a, corner))
        || edges(a).iter().any(|e| edges(b).iter().any(|f| cross_in_a_point(e, f)))
        || edges(a).iter().any(|e| passes_through(e, b))
        || edges(b).iter().any(|e| passes_through(e, a))
}

fn holds(t: &Corners<i128>, p: &Point<i128>) -> bool {
    if is_zero(&normal(t)) {
        return [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].iter().any(|edge| lies_on(edge, p));
    }
    weights(t, p, 1).is_some_and(|weights| weights.iter().all(|&w| w >= 0))
}

/// The weights of the corners in the point `p / scale` of the triangle's plane, times a common positive number.
fn weights(t: &Corners<i128>, p: &Point<i128>, scale: i128) -> Option<[i128; 3]> {
    let n = normal(t);
    let from_corner = |i: usize| -> Point<i128> { std::array::from_fn(|k| p[k] - scale * t[i][k]) };
    let weight = |i: usize, j: usize| dot(&n, &cross(&minus(&t[j], &t[i]), &from_corner(i)));
    (dot(&n, &from_corner(0)) == 0).then(|| [weight(0, 1), weight(1, 2), weight(2, 0)])
}

fn lies_on([from, to]: &[Point<i128>; 2], p: &Point<i128>) -> bool {
    let (along, place) = (minus(to, from), minus(p, from));
    if is_zero(&along) {
        return is_zero(&place);
    }
    is_zero(&cross(&along, &place)) && (0..=dot(&along, &along)).contains(&dot(&along, &place))
}

/// Whether two edges that are not parallel cross: p + s d = q + t e, both times |d × e|².
fn cross_in_a_point([p, p_end]: &[Point<i128>; 2], [q, q_end]: &[Point<i128>; 2]) -> bool {
    let (d, e, between) = (minus(p_end, p), minus(q_end, q), minus(q, p));
    let n = cross(&d, &e);
    let whole = dot(&n, &n);
    let (s, t) = (dot(&cross(&between, &e), &n), dot(&cross(&between, &d), &n));
    whole != 0 && dot(&between, &n) == 0 && (0..=whole).contains(&s) && (0..=whole).contains(&t)
}

/// Whether an edge that is not parallel to a triangle with area meets it: the point p + (share / whole) · d.
fn passes_through([p, p_end]: &[Point<i128>; 2], t: &Corners<i128>) -> bool {
    let (n, d) = (normal(t), minus(p_end, p));
    let (mut whole, mut share) = (dot(&n, &d), dot(&n, &minus(&t[0], p)));
    if whole < 0 {
        (whole, share) = (-whole, -share);
    }
    if whole == 0 || !(0..=whole).contains(&share) {
        return false;
    }
    let point: Point<i128> = std::array::from_fn(|k| whole * p[k] + share * d[k]);
    weights(t, &point, whole).is_some_and(|weights| weights.iter().all(|&w| w >= 0))
}
