//! Points, segments and flat triangles: everything the general test hands over.
//!
//! A triangle without area is the segment between its lexicographic extremes, or a point. Whatever lies in one plane or
//! line is projected along an axis on which it keeps its dimension; that maps it one to one, so the plane question has
//! the same answer as the one in space, and every plane question is a few exact turns.

use super::filter::Filter;
use super::{Point, Sign, predicates::orient2d, predicates::orient3d};
use crate::geom::{Axis, Coordinate};

/// What a triangle really is.
#[derive(Clone, Copy)]
enum Simplex {
    Point(Point),
    Segment(Point, Point),
    /// A triangle with area, and an axis along which its projection has area too.
    Triangle([Point; 3], Axis),
}

/// Whether the triangle with these corners has no area: they lie on one line, exactly.
///
/// Of f64 corners if they are in the range of [`triangles_meet_f64`](super::triangles_meet_f64).
pub fn has_no_area<C: Coordinate>(corners: &[[C; 3]; 3]) -> bool {
    projection(&corners.map(C::exact)).is_none()
}

/// Whether the closed segment from `p` to `q` and the closed triangle with these corners share a point.
///
/// Of f64 points if they are in the range of [`triangles_meet_f64`](super::triangles_meet_f64).
pub fn segment_meets_triangle<C: Coordinate>(p: [C; 3], q: [C; 3], corners: &[[C; 3]; 3]) -> bool {
    pair(simplex([p, q, q].map(C::exact)), simplex(corners.map(C::exact)))
}

/// Whether two triangles of which one lies in the plane of the other, or has no area, share a point.
#[cold]
pub(super) fn meet(a: &[Point; 3], b: &[Point; 3]) -> bool {
    pair(simplex(*a), simplex(*b))
}

fn simplex(corners: [Point; 3]) -> Simplex {
    if let Some(axis) = projection(&corners) {
        return Simplex::Triangle(corners, axis);
    }
    let [mut low, mut high] = [corners[0]; 2];
    for corner in [corners[1], corners[2]] {
        if corner < low {
            low = corner;
        }
        if corner > high {
            high = corner;
        }
    }
    if low == high { Simplex::Point(low) } else { Simplex::Segment(low, high) }
}

/// An axis along which the corners do not project onto one line.
pub(super) fn projection(&[a, b, c]: &[Point; 3]) -> Option<Axis> {
    Axis::ALL.into_iter().find(|&axis| orient2d(axis, a, b, c) != Sign::Zero)
}

fn pair(a: Simplex, b: Simplex) -> bool {
    use Simplex::{Point, Segment, Triangle};
    match (a, b) {
        (Point(p), Point(q)) => p == q,
        (Point(p), Segment(low, high)) | (Segment(low, high), Point(p)) => on_segment(p, low, high),
        (Point(p), Triangle(t, axis)) | (Triangle(t, axis), Point(p)) => {
            orient3d(t[0], t[1], t[2], p) == Sign::Zero && in_triangle(axis, p, &t)
        }
        (Segment(p, q), Segment(r, s)) => segments(p, q, r, s),
        (Segment(p, q), Triangle(t, axis)) | (Triangle(t, axis), Segment(p, q)) => segment_triangle(p, q, &t, axis),
        (Triangle(s, axis), Triangle(t, _)) => triangles_in_plane(axis, &s, &t),
    }
}

/// Whether `p` lies on the segment from `low` to `high`, which are in lexicographic order.
fn on_segment(p: Point, low: Point, high: Point) -> bool {
    low <= p && p <= high && projection(&[low, high, p]).is_none()
}

/// Whether two segments in space, each in lexicographic order, share a point.
fn segments(p: Point, q: Point, r: Point, s: Point) -> bool {
    match projection(&[p, q, r]).or_else(|| projection(&[p, q, s])) {
        // All on one line, where lexicographic order is the order along it.
        None => p <= s && r <= q,
        Some(axis) => orient3d(p, q, r, s) == Sign::Zero && segments_in_plane(axis, p, q, r, s),
    }
}

/// Whether the segment pq and a triangle with area share a point.
fn segment_triangle(p: Point, q: Point, t: &[Point; 3], axis: Axis) -> bool {
    let [side_p, side_q] = [p, q].map(|end| orient3d(t[0], t[1], t[2], end));
    if side_p == Sign::Zero && side_q == Sign::Zero {
        return in_triangle(axis, p, t) || edges(t).into_iter().any(|(r, s)| segments_in_plane(axis, p, q, r, s));
    }
    if side_p == side_q {
        return false;
    }
    // The line through p and q crosses the plane in one point, within the segment. It passes through the closed
    // triangle exactly if it does not pass some edges on one side and others on the other.
    one_sided(edges(t).map(|(r, s)| orient3d(p, q, r, s)))
}

/// Whether the segment between two points strictly on either side of the plane of a triangle with area meets it, by the
/// same rule; `filter` must be one for all five points.
pub(super) fn line_passes_through(filter: &Filter, [p, q]: [Point; 2], t: &[Point; 3]) -> bool {
    one_sided(edges(t).map(|(r, s)| filter.orient3d(p, q, r, s)))
}

fn triangles_in_plane(axis: Axis, s: &[Point; 3], t: &[Point; 3]) -> bool {
    in_triangle(axis, s[0], t)
        || in_triangle(axis, t[0], s)
        || edges(s).into_iter().any(|(p, q)| edges(t).into_iter().any(|(r, s)| segments_in_plane(axis, p, q, r, s)))
}

/// Whether `p`, in the plane of a triangle with area, lies in the closed triangle.
fn in_triangle(axis: Axis, p: Point, t: &[Point; 3]) -> bool {
    one_sided(edges(t).map(|(r, s)| orient2d(axis, r, s, p)))
}

/// Whether two segments of one plane share a point.
fn segments_in_plane(axis: Axis, p: Point, q: Point, r: Point, s: Point) -> bool {
    let [side_r, side_s] = [r, s].map(|end| orient2d(axis, p, q, end));
    let [side_p, side_q] = [p, q].map(|end| orient2d(axis, r, s, end));
    if [side_r, side_s, side_p, side_q] == [Sign::Zero; 4] {
        let ordered = |a: Point, b: Point| if a <= b { (a, b) } else { (b, a) };
        let ((p, q), (r, s)) = (ordered(p, q), ordered(r, s));
        return p <= s && r <= q;
    }
    // Each segment has an end on either closed side of the other's line.
    (side_r != side_s || side_r == Sign::Zero) && (side_p != side_q || side_p == Sign::Zero)
}

fn edges(t: &[Point; 3]) -> [(Point, Point); 3] {
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]
}

fn one_sided(signs: [Sign; 3]) -> bool {
    !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative))
}
