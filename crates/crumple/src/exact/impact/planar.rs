//! Motions whose four points stay coplanar: what rests on a plane, slides along it, or moves within it.
//!
//! The features do not meet at the start (that was asked before). Let τ > 0 be the first time at which they do; the
//! times at which they meet are a closed set, so there is one. Then at τ a vertex lies on a closed edge of the other
//! feature:
//!
//! - A vertex strictly inside a face that has area, or two edges that cross at an inner point of both, would still be
//!   so a little earlier, since the motion is continuous and stays in the plane.
//! - What else is in common is an edge's end, or a face without area, which is the union of its edges, or edges along
//!   one line, and then an end of one lies on the other.
//!
//! So the answer is the first of three (vertex–face) or four (edge–edge) times at which a point meets a segment. The
//! point p and the ends q and r lie on one line when w₁ × w₂ = 0, w₁ = q − p, w₂ = r − p: three quadratic forms that
//! have to vanish together; then p is between q and r if w₁ and w₂ have no common strict sign on any axis. If all three
//! forms are identically 0 the points stay on one line, and by the same argument p first meets the segment at one of
//! its ends: two linear forms at a time.
//!
//! Cost: 1 to 30 µs, 5 on average on whole numbers in slanted planes; a point whose box is on one side of the segment's
//! box at both ends of the motion costs nothing.

use super::super::{Point, Sign};
use super::filter::{self, Offsets};
use super::forms::{Linear, is_zero};
use super::roots::first_root;
use super::whole::{Motion, cross};
use super::{Features, ImpactTime};

/// The first time after the start at which the features meet.
pub(super) fn impact(motion: &Motion, start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    let mut first = None;
    for &[point, one, other] in pairs(motion.features()) {
        if stay_off_line(&[point, one, other, other].map(|i| (start[i], end[i]))) {
            continue;
        }
        let found = point_meets_segment(&motion.offset(point, one), &motion.offset(point, other));
        first = earlier(first, found);
    }
    first
}

/// Every vertex of a feature with the two ends of every edge of the other.
pub(super) fn pairs(features: Features) -> &'static [[usize; 3]] {
    match features {
        Features::VertexFace => &[[0, 1, 2], [0, 2, 3], [0, 3, 1]],
        Features::EdgeEdge => &[[0, 2, 3], [1, 2, 3], [2, 0, 1], [3, 0, 1]],
    }
}

/// Whether f64 shows that a point is never on a segment: by boxes, or by an area that keeps its sign.
fn stay_off_line(moving: &[(Point, Point); 4]) -> bool {
    let (start, end) = (moving.map(|(start, _)| start), moving.map(|(_, end)| end));
    filter::boxes_stay_apart(&[0], &[1, 2], &start, &end)
        || Offsets::new(&start, &end).is_some_and(|offsets| {
            (0..3).any(|axis| {
                let [_, _, area] = offsets.areas(axis);
                filter::have_one_sign(&area, offsets.area_error(axis, filter::AREA))
            })
        })
}

pub(super) fn earlier(a: Option<ImpactTime>, b: Option<ImpactTime>) -> Option<ImpactTime> {
    match (a, b) {
        // Rounding to the grid keeps the order, so the smaller ends belong to the earlier time.
        (Some(a), Some(b)) => Some(ImpactTime { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }),
        (a, b) => a.or(b),
    }
}

/// The first time after the start at which the origin is on the closed segment from `one` to `other`.
fn point_meets_segment(one: &[Linear; 3], other: &[Linear; 3]) -> Option<ImpactTime> {
    let products = [0, 1, 2].map(|axis| cross(one, other, axis));
    let Some(leader) = products.iter().position(|form| !is_zero(form)) else {
        return earlier(point_meets_point(one), point_meets_point(other));
    };
    first_root(&products[leader], |root| {
        let on_line = products.iter().enumerate().all(|(i, form)| i == leader || root.sign(form) == Sign::Zero);
        on_line
            && (0..3).all(|axis| {
                let sign = root.sign(&one[axis]);
                sign == Sign::Zero || sign != root.sign(&other[axis])
            })
    })
}

/// The first time after the start at which a point is at the origin.
fn point_meets_point(point: &[Linear; 3]) -> Option<ImpactTime> {
    let leader = point.iter().position(|form| !is_zero(form))?;
    first_root(&point[leader], |root| point.iter().all(|form| root.sign(form) == Sign::Zero))
}
