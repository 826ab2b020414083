//! How two triangles cross: the segment they share, and what it adds to the integrals over each of them.
//!
//! Triangle a has its corners above or below the plane of b, and the other way round. Along the line common to both
//! planes, in the direction n_a × n_b, a covers the interval from the border edge on which it rises through b's plane to
//! the one on which it falls; b the interval from its falling edge to its rising one. They cross exactly if the intervals
//! overlap, and what they share starts at the later of the starts and ends at the earlier of the ends. Which of two border
//! points comes first is the sign of one determinant of four corners (Guigue & Devillers 2003, as in
//! `exact::triangle_pair`).
//!
//! Corners are *turned* first, in cyclic order, so that p is the one alone on its side: both edges that reach the plane
//! end in p. With `up` = +1 if p lies above and −1 if below, the determinants of all four pairs of edges are
//!
//! ```text
//! O(edge p x of a, edge p' y of b) = −up_a up_b · det(x − p, p' − p, y − p),       x ∈ {q, r},  y ∈ {q', r'}
//! ```
//!
//! and O > 0 means that b's point comes first.
//!
//! # Rounding
//!
//! Heights and O are determinants n·w, n = u × v, of differences of coordinates. Let E be the largest size among the
//! rounded differences that take part, axis by axis, and ε = 2^-53. By the reasoning of `exact::filter`, which only uses
//! that every difference along an axis is at most E in size, the error is at most 48ε ExEyEz up to terms in ε²; here E is
//! made of the rounded differences themselves, so that true ones may exceed it by a factor of 1 + ε, another 3ε of the
//! bound. A value beyond 64ε ExEyEz = 2^-47 ExEyEz has the right sign. Coordinates are in a range in which nothing
//! underflows or overflows (see there). A pair with any value in doubt is decided by `exact::NudgedPair` and then takes the same way.
//!
//! Points are computed from the end of the edge that lies below (a) or above (b), so both triangles at an edge get the
//! same bits. A height whose sign rounding got wrong counts as 0, so points stay on their edges.
//!
//! Everything is written over [`Real`]: four pairs at a time, or one, with the same bits.
//! Cost: about 90 ns per pair in four lanes. Held by: the tests below, `tests/behaviour/overlap`.

use crate::exact::{Moved, NudgedPair, OwnMotions};
use crate::geom::lanes::{Real, Vec3, Vec3Ops, select};

/// Points closer to the wrong side than this times the sizes of their differences are in doubt.
const FACTOR: f64 = 64.0 * (f64::EPSILON / 2.0);

/// What two triangles that cross have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cut {
    /// On which edges the segment starts and ends.
    pub(crate) ends: Ends,
    /// Where it does: from the start to the end the inside of b is on the left, seen from above a.
    pub(crate) points: [[f64; 3]; 2],
    /// The same in coordinates along the first two edges of a's triangle and of b's.
    pub(crate) in_a: [[f64; 2]; 2],
    pub(crate) in_b: [[f64; 2]; 2],
}

/// The edges on which a segment starts and ends: 0 to 2 for the edge of a's triangle that starts at that corner, 3 to 5
/// for b's; 6 to 14 for a vertex that triangles of one body have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) start: u8,
    pub(crate) end: u8,
}

impl Ends {
    /// Of triangles that do not cross.
    pub(crate) const NONE: Self = Self { start: u8::MAX, end: u8::MAX };

    /// For the end in a vertex that two triangles of one body have in common, their corners number `i` and `j`.
    fn at_vertex(i: usize, j: usize) -> u8 {
        (6 + 3 * i + j) as u8
    }

    /// The corners of the two triangles, if an end is in a vertex that they have in common.
    pub(crate) fn corners_of(end: u8) -> Option<[u32; 2]> {
        (6..15).contains(&end).then(|| [u32::from(end - 6) / 3, u32::from(end - 6) % 3])
    }
}

impl Cut {
    /// What the segment adds to the integrals over a's triangle (side 0) or b's (side 1).
    #[inline]
    pub(crate) fn fractions(&self, side: usize) -> Fractions {
        let (Ends { start, end }, [p, q], [r, s]) = (self.ends, self.in_a, self.in_b);
        // B sees the segment the other way round, and enters a where a leaves b.
        if side == 0 { fractions([p, q], [start == 1, end == 1]) } else { fractions([s, r], [end == 4, start == 4]) }
    }
}

/// Integrals over a triangle as fractions of its area: of the other body's winding number, and of that times each of the
/// last two barycentric coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fractions(pub(crate) [f64; 3]);

impl Fractions {
    pub(crate) fn add(&mut self, other: &Self) {
        (0..3).for_each(|k| self.0[k] += other.0[k]);
    }

    /// Adds a multiple of the whole triangle.
    pub(crate) fn add_whole(&mut self, times: f64) {
        self.0[0] += times;
        self.0[1] += times * (1.0 / 3.0);
        self.0[2] += times * (1.0 / 3.0);
    }
}

/// Two triangles as far as the signs of heights go; in four lanes or one.
pub(crate) struct Heights<R> {
    of_a: [R; 3],
    of_b: [R; 3],
    normal_a: Vec3<R>,
    normal_b: Vec3<R>,
    /// Positive where no sign is in doubt.
    pub(crate) margin: R,
    /// Positive where both triangles reach through the plane of the other, if no sign is in doubt.
    pub(crate) straddle: R,
}

/// The segment of two triangles; in four lanes or one.
pub(crate) struct Crossing<R> {
    /// Positive where no sign is in doubt.
    pub(crate) margin: R,
    /// Positive where the triangles cross.
    pub(crate) crosses: R,
    pub(crate) ends: [R; 2],
    pub(crate) points: [Vec3<R>; 2],
    pub(crate) in_a: [[R; 2]; 2],
    pub(crate) in_b: [[R; 2]; 2],
}

impl Crossing<f64> {
    /// The segment, of triangles that cross.
    pub(crate) fn cut(&self) -> Cut {
        let ends = Ends { start: self.ends[0] as u8, end: self.ends[1] as u8 };
        Cut { ends, points: self.points, in_a: self.in_a, in_b: self.in_b }
    }
}

/// The heights of the corners of each triangle over the plane of the other.
#[inline(always)]
pub(crate) fn heights<R: Real>(a: &[Vec3<R>; 3], b: &[Vec3<R>; 3]) -> Heights<R> {
    let (of_a, normal_b, margin_a) = heights_over(b, a);
    let (of_b, normal_a, margin_b) = heights_over(a, b);
    let straddle = spread(of_a).min(spread(of_b));
    Heights { of_a, of_b, normal_a, normal_b, margin: margin_a.min(margin_b), straddle }
}

/// The heights of three points over a triangle, its normal, and by how much the least of them exceeds its error.
#[inline(always)]
fn heights_over<R: Real>(t: &[Vec3<R>; 3], points: &[Vec3<R>; 3]) -> ([R; 3], Vec3<R>, R) {
    let (u, v) = (t[1].minus(t[0]), t[2].minus(t[0]));
    let (w0, w1, w2) = (points[0].minus(t[0]), points[1].minus(t[0]), points[2].minus(t[0]));
    let normal = u.cross(v);
    let heights = [normal.dot(w0), normal.dot(w1), normal.dot(w2)];
    let largest = u.max_abs(v).max_abs(w0).max_abs(w1).max_abs(w2).product_of_coordinates();
    let least = heights[0].abs().min(heights[1].abs()).min(heights[2].abs());
    (heights, normal, least - largest * largest.everywhere(FACTOR))
}

/// Positive if the heights have different signs.
#[inline(always)]
fn spread<R: Real>([p, q, r]: [R; 3]) -> R {
    let (low, high) = (p.min(q).min(r), p.max(q).max(r));
    (-low).min(high)
}

/// A triangle turned so that its first corner is alone on its side of the other's plane.
struct Turned<R> {
    corners: [Vec3<R>; 3],
    heights: [R; 3],
    /// +1 if the first corner lies above, −1 if below.
    up: R,
    /// Which of the triangle's corners is the first: 0, 1 or 2.
    first: R,
}

/// Turns a triangle by the signs, +1 or −1, of its heights.
#[inline(always)]
fn turned<R: Real>(t: &[Vec3<R>; 3], heights: [R; 3], signs: [R; 3]) -> Turned<R> {
    let one = heights[0].everywhere(1.0);
    let (zero, two) = (one.everywhere(0.0), one.everywhere(2.0));
    // If the first two are on one side the last is alone; else if the last two are, the first; else the middle one.
    let (last, first) = (signs[0] * signs[1], signs[1] * signs[2]);
    let [p, q, r] = *t;
    let [h, i, j] = heights;
    Turned {
        corners: [
            if_positive(last, r, if_positive(first, p, q)),
            if_positive(last, p, if_positive(first, q, r)),
            if_positive(last, q, if_positive(first, r, p)),
        ],
        heights: [choose(last, first, h, i, j), choose(last, first, i, j, h), choose(last, first, j, h, i)],
        up: choose(last, first, signs[0], signs[1], signs[2]),
        first: choose(last, first, zero, one, two),
    }
}

/// `k` where `last` is greater than 0, else `i` where `first` is, else `j`.
#[inline(always)]
fn choose<R: Real>(last: R, first: R, i: R, j: R, k: R) -> R {
    last.if_positive(k, first.if_positive(i, j))
}

/// One of the two border points of a turned triangle: an edge from its end below to its end above (a), or the other way
/// round (b).
struct BorderPoint<R> {
    from: Vec3<R>,
    to: Vec3<R>,
    height_from: R,
    height_to: R,
    /// +1 if the first corner is where the edge starts from, −1 if it is where it leads.
    first_is_from: R,
    /// +1 if the other end is the second corner, −1 if it is the third.
    is_second: R,
}

impl<R: Real> Turned<R> {
    /// The border point on the edge to the second corner where `is_second` is +1, on the edge to the third elsewhere,
    /// directed away from the first corner where `first_is_from` is +1.
    #[inline(always)]
    fn border_point(&self, is_second: R, first_is_from: R) -> BorderPoint<R> {
        let other = if_positive(is_second, self.corners[1], self.corners[2]);
        let height = is_second.if_positive(self.heights[1], self.heights[2]);
        BorderPoint {
            from: if_positive(first_is_from, self.corners[0], other),
            to: if_positive(first_is_from, other, self.corners[0]),
            height_from: first_is_from.if_positive(self.heights[0], height),
            height_to: first_is_from.if_positive(height, self.heights[0]),
            first_is_from,
            is_second,
        }
    }

    /// The number of the edge a border point is on: that of the corner it starts at in the triangle.
    #[inline(always)]
    fn edge(&self, is_second: R) -> R {
        let one = is_second.everywhere(1.0);
        let before = self.first.if_positive(self.first - one, one.everywhere(2.0));
        is_second.if_positive(self.first, before)
    }

    /// The coordinates of a border point along the first two edges of the triangle, before it was turned.
    #[inline(always)]
    fn on_border(&self, point: &BorderPoint<R>, t: R) -> [R; 2] {
        let one = t.everywhere(1.0);
        let (zero, rest) = (t.everywhere(0.0), one - t);
        let at_first = point.first_is_from.if_positive(rest, t);
        let at_other = point.first_is_from.if_positive(t, rest);
        let at_second = point.is_second.if_positive(at_other, zero);
        let at_third = point.is_second.if_positive(zero, at_other);
        // Corner 1 is the second, the first or the third corner after turning, corner 2 the third, the second or the first.
        let first_is_2 = self.first - one;
        [
            choose(first_is_2, self.first, at_first, at_second, at_third),
            choose(first_is_2, self.first, at_second, at_third, at_first),
        ]
    }
}

/// What decides how two triangles cross, beyond the signs of heights: of O for the starts and for the ends, and of the two
/// that say whether they cross.
struct Order<R> {
    margin: R,
    crosses: R,
    /// Positive where the segment starts on a's border.
    start_on_a: R,
    /// Positive where it ends on b's border.
    end_on_b: R,
}

/// Compares the four border points by determinants in f64.
#[inline(always)]
fn order<R: Real>(a: &Turned<R>, b: &Turned<R>) -> Order<R> {
    let p = a.corners[0];
    let (q_a, r_a) = (a.corners[1].minus(p), a.corners[2].minus(p));
    let (p_b, q_b, r_b) = (b.corners[0].minus(p), b.corners[1].minus(p), b.corners[2].minus(p));
    // A rises on its edge to the third corner if the first is above, else on that to the second; it falls on the other.
    let (start_a, end_a) = (if_positive(a.up, r_a, q_a), if_positive(a.up, q_a, r_a));
    let (start_b, end_b) = (if_positive(b.up, q_b, r_b), if_positive(b.up, r_b, q_b));
    let (at_start, at_end) = (start_a.cross(p_b), end_a.cross(p_b));
    let flip = -(a.up * b.up);
    let (ss, se) = (at_start.dot(start_b) * flip, at_start.dot(end_b) * flip);
    let (es, ee) = (at_end.dot(start_b) * flip, at_end.dot(end_b) * flip);
    let largest = q_a.max_abs(r_a).max_abs(p_b).max_abs(q_b).max_abs(r_b).product_of_coordinates();
    let least = ss.abs().min(se.abs()).min(es.abs()).min(ee.abs());
    Order { margin: least - largest * largest.everywhere(FACTOR), crosses: (-se).min(es), start_on_a: ss, end_on_b: ee }
}

/// The segment of two triangles that reach through each other's planes, all heights beyond doubt.
#[inline(always)]
pub(crate) fn crossing<R: Real>(a: &[Vec3<R>; 3], b: &[Vec3<R>; 3], heights: &Heights<R>) -> Crossing<R> {
    let one = heights.margin.everywhere(1.0);
    let turned_a = turned(a, heights.of_a, signs(heights.of_a, one));
    let turned_b = turned(b, heights.of_b, signs(heights.of_b, one));
    let order = order(&turned_a, &turned_b);
    segment((a, b), (&turned_a, &turned_b), heights, &order)
}

#[inline(always)]
fn signs<R: Real>([h, i, j]: [R; 3], one: R) -> [R; 3] {
    [h.if_positive(one, -one), i.if_positive(one, -one), j.if_positive(one, -one)]
}

/// Computes the segment, given which border points it runs between.
#[inline(always)]
fn segment<R: Real>(
    (a, b): (&[Vec3<R>; 3], &[Vec3<R>; 3]),
    (turned_a, turned_b): (&Turned<R>, &Turned<R>),
    heights: &Heights<R>,
    order: &Order<R>,
) -> Crossing<R> {
    let one = order.margin.everywhere(1.0);
    // Rising edges of a and falling edges of b come first; a's are directed from below, b's from above.
    let first_is_from = (-turned_a.up, turned_b.up);
    let starts =
        (turned_a.border_point(-turned_a.up, first_is_from.0), turned_b.border_point(turned_b.up, first_is_from.1));
    let ends =
        (turned_a.border_point(turned_a.up, first_is_from.0), turned_b.border_point(-turned_b.up, first_is_from.1));
    let dual = (dual_basis(a, heights.normal_a), dual_basis(b, heights.normal_b));
    let end_on_a = order.end_on_b.if_positive(-one, one);
    let start = end_point((turned_a, a, &dual.0), (turned_b, b, &dual.1), order.start_on_a, &starts);
    let end = end_point((turned_a, a, &dual.0), (turned_b, b, &dual.1), end_on_a, &ends);
    Crossing {
        margin: order.margin,
        crosses: order.crosses,
        ends: [start.edge, end.edge],
        points: [start.position, end.position],
        in_a: [start.in_a, end.in_a],
        in_b: [start.in_b, end.in_b],
    }
}

/// One end of a segment.
struct EndPoint<R> {
    position: Vec3<R>,
    in_a: [R; 2],
    in_b: [R; 2],
    edge: R,
}

/// The end on a's border where `on_a` is greater than 0, on b's elsewhere.
#[inline(always)]
fn end_point<R: Real>(
    (turned_a, a, dual_a): (&Turned<R>, &[Vec3<R>; 3], &[Vec3<R>; 2]),
    (turned_b, b, dual_b): (&Turned<R>, &[Vec3<R>; 3], &[Vec3<R>; 2]),
    on_a: R,
    (of_a, of_b): &(BorderPoint<R>, BorderPoint<R>),
) -> EndPoint<R> {
    let from = if_positive(on_a, of_a.from, of_b.from);
    let to = if_positive(on_a, of_a.to, of_b.to);
    let height = on_a.if_positive(of_a.height_from, of_b.height_from);
    let t = fraction(height, on_a.if_positive(of_a.height_to, of_b.height_to));
    let along = to.minus(from).times(t);
    let (own_a, own_b) = (turned_a.on_border(of_a, t), turned_b.on_border(of_b, t));
    // From the corner, and not from the position, which is rounded to the last bits of coordinates: far from the origin these
    // are large beside the triangles.
    let other_a = coordinates(from.minus(a[0]).plus(along), dual_a);
    let other_b = coordinates(from.minus(b[0]).plus(along), dual_b);
    let edge_b = on_a.everywhere(3.0) + turned_b.edge(of_b.is_second);
    EndPoint {
        position: from.plus(along),
        in_a: [on_a.if_positive(own_a[0], other_a[0]), on_a.if_positive(own_a[1], other_a[1])],
        in_b: [on_a.if_positive(other_b[0], own_b[0]), on_a.if_positive(other_b[1], own_b[1])],
        edge: on_a.if_positive(turned_a.edge(of_a.is_second), edge_b),
    }
}

/// How far along an edge it reaches a plane; halfway if both heights are lost in rounding.
#[inline(always)]
fn fraction<R: Real>(from: R, to: R) -> R {
    let difference = from - to;
    let size = difference.abs();
    size.if_positive(from / size.if_positive(difference, size.everywhere(1.0)), size.everywhere(0.5))
}

/// What a segment from `p` to `q`, with the inside on its left, adds to the integrals over a triangle (see `super`): by
/// itself, and by its ends if they lie on the edge from corner 1 to corner 2.
#[inline]
fn fractions([p, q]: [[f64; 2]; 2], [leaves, enters]: [bool; 2]) -> Fractions {
    let c = p[0] * q[1] - p[1] * q[0];
    let (leaves, enters) = (if leaves { -p[0] } else { 0.0 }, if enters { q[0] } else { 0.0 });
    Fractions([
        c + leaves + enters,
        (c * (p[0] + q[0]) + leaves * p[0] + enters * q[0]) * (1.0 / 3.0),
        (c * (p[1] + q[1]) + leaves * (p[1] + 1.0) + enters * (q[1] + 1.0)) * (1.0 / 3.0),
    ])
}

/// Two vectors whose products with a point less the first corner are its coordinates along the first two edges.
#[inline(always)]
fn dual_basis<R: Real>(t: &[Vec3<R>; 3], normal: Vec3<R>) -> [Vec3<R>; 2] {
    let (zero, one) = (normal[0].everywhere(0.0), normal[0].everywhere(1.0));
    let square = normal.dot(normal);
    // A triangle without area gets 0: nothing is integrated over it.
    let inverse = square.if_positive(one / square.if_positive(square, one), zero);
    [t[2].minus(t[0]).cross(normal).times(inverse), normal.cross(t[1].minus(t[0])).times(inverse)]
}

#[inline(always)]
fn coordinates<R: Real>(from_corner: Vec3<R>, [beta, gamma]: &[Vec3<R>; 2]) -> [R; 2] {
    [clamped(beta.dot(from_corner)), clamped(gamma.dot(from_corner))]
}

/// `yes` where `sign` is greater than 0, `no` elsewhere.
#[inline(always)]
fn if_positive<R: Real>(sign: R, yes: Vec3<R>, no: Vec3<R>) -> Vec3<R> {
    select(sign.everywhere(0.0).is_less(sign), yes, no)
}

#[inline(always)]
fn clamped<R: Real>(x: R) -> R {
    x.max(x.everywhere(0.0)).min(x.everywhere(1.0))
}

/// The segment of one pair with signs in doubt; `None` if they do not cross.
#[cold]
pub(crate) fn crossing_in_doubt(a: &[Vec3<f64>; 3], b: &[Vec3<f64>; 3], moved: Moved) -> Option<Crossing<f64>> {
    let pair = NudgedPair::new(a, b, moved);
    let above_b = collect([0, 1, 2].map(|k| pair.a_is_above(k)));
    let above_a = collect([0, 1, 2].map(|k| pair.b_is_above(k)));
    let is_positive = |edge_a: [usize; 2], edge_b: [usize; 2]| pair.is_positive(edge_a, edge_b);
    let (above, order) = match (above_b, above_a) {
        (Some(above_b), Some(above_a)) => ((above_b, above_a), order_in_doubt(is_positive, above_b, above_a)?),
        // Nothing is asked of the heights over a triangle without area.
        (Some(above_b), None) => ((above_b, [true, false, false]), without_area_a(is_positive, above_b)?),
        (None, Some(above_a)) => (([true, false, false], above_a), without_area_b(is_positive, above_a)?),
        (None, None) => return None,
    };
    let mut heights = heights(a, b);
    heights.of_a = settled(heights.of_a, above.0);
    heights.of_b = settled(heights.of_b, above.1);
    Some(between((a, b), above, &heights, &order))
}

/// The same of two triangles of one body that have no vertex in common, given the numbers of their vertices: each vertex is moved
/// by an infinitesimal of its own.
#[cold]
pub(crate) fn crossing_by_own_motions(
    a: &[Vec3<f64>; 3],
    b: &[Vec3<f64>; 3],
    [of_a, of_b]: [[u32; 3]; 2],
) -> Option<Crossing<f64>> {
    let vertices = [of_a[0], of_a[1], of_a[2], of_b[0], of_b[1], of_b[2]];
    let moved = OwnMotions::new([a[0], a[1], a[2], b[0], b[1], b[2]], vertices);
    let (over_b, over_a) = ([0, 1, 2].map(|k| [3, 4, 5, k]), [3, 4, 5].map(|k| [0, 1, 2, k]));
    let above_b = over_b.map(|four| moved.is_positive(four));
    edges_through(above_b)?;
    let above_a = over_a.map(|four| moved.is_positive(four));
    let is_positive = |[p, q]: [usize; 2], [r, s]: [usize; 2]| moved.is_positive([p, q, 3 + r, 3 + s]);
    let order = order_in_doubt(is_positive, above_b, above_a)?;
    let mut heights = heights(a, b);
    heights.of_a = moved_heights(&moved, over_b, b, *a);
    heights.of_b = moved_heights(&moved, over_a, a, *b);
    Some(between((a, b), (above_b, above_a), &heights, &order))
}

/// The segment of two triangles of one body that have one vertex in common, their corners number `i` and `j`; `None` if they only
/// meet there.
///
/// Let e = p q and f = r s be the edges opposite the vertex, of a and of b. Both triangles cover an interval of the line common to
/// their planes that begins or ends in the vertex: that of a ends there if e rises through the plane of b, since intervals begin
/// at rising edges of a, and begins there if e falls; for b it is the other way round. So they have more than the vertex in
/// common exactly if one of e and f rises and the other falls, and one O says on which of the two the other end lies.
pub(crate) fn cut_at_vertex(
    (a, i): (&[Vec3<f64>; 3], usize),
    (b, j): (&[Vec3<f64>; 3], usize),
    [of_a, of_b]: [[u32; 3]; 2],
) -> Option<Cut> {
    let next = |k: usize| (k + 1) % 3;
    let (p, q, r, s) = (next(i), next(next(i)), next(j), next(next(j)));
    // Points 0 to 4: the vertex, p, q, r, s.
    let moved =
        OwnMotions::new([a[i], a[p], a[q], b[r], b[s], b[s]], [of_a[i], of_a[p], of_a[q], of_b[r], of_b[s], of_b[s]]);
    let (over_b, over_a) = ([[0, 3, 4, 1], [0, 3, 4, 2]], [[0, 1, 2, 3], [0, 1, 2, 4]]);
    let above_b = over_b.map(|four| moved.is_positive(four));
    if above_b[0] == above_b[1] {
        return None;
    }
    let above_a = over_a.map(|four| moved.is_positive(four));
    let e_rises = above_b[1];
    if above_a[0] == above_a[1] || e_rises == above_a[1] {
        return None;
    }
    // Edges of a from below to above, edges of b from above to below.
    let four = if e_rises { [1, 2, 3, 4] } else { [2, 1, 4, 3] };
    let b_comes_first = moved.is_positive(four);
    // The later of two starts, or the earlier of two ends.
    let is_on_a = b_comes_first == e_rises;
    let normals = [a, b].map(|t| t[1].minus(t[0]).cross(t[2].minus(t[0])));
    let (own, other, from, to) = match (is_on_a, e_rises) {
        (true, true) => (a, b, p, q),
        (true, false) => (a, b, q, p),
        (false, true) => (b, a, r, s),
        (false, false) => (b, a, s, r),
    };
    let normal = if is_on_a { normals[1] } else { normals[0] };
    let (over, ends) = if is_on_a { (over_b, [p, q]) } else { (over_a, [r, s]) };
    let heights = moved_heights(&moved, over, other, ends.map(|end| own[end]));
    let (height_from, height_to) = if from == ends[0] { (heights[0], heights[1]) } else { (heights[1], heights[0]) };
    let t = fraction(height_from, height_to);
    let along = own[to].minus(own[from]).times(t);
    let in_own = std::array::from_fn(|k| (1.0 - t) * CORNERS[from][k] + t * CORNERS[to][k]);
    let dual = dual_basis(other, normal);
    let in_other = coordinates(own[from].minus(other[0]).plus(along), &dual);
    let (x_a, x_b) = if is_on_a { (in_own, in_other) } else { (in_other, in_own) };
    let (x, edge) = (own[from].plus(along), if is_on_a { p as u8 } else { 3 + r as u8 });
    let at_vertex = Ends::at_vertex(i, j);
    let (at_a, at_b) = (CORNERS[i], CORNERS[j]);
    Some(if e_rises {
        Cut { ends: Ends { start: edge, end: at_vertex }, points: [x, a[i]], in_a: [x_a, at_a], in_b: [x_b, at_b] }
    } else {
        Cut { ends: Ends { start: at_vertex, end: edge }, points: [a[i], x], in_a: [at_a, x_a], in_b: [at_b, x_b] }
    })
}

/// Where the corners of a triangle are in its own coordinates.
const CORNERS: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

/// The heights of points over a triangle, with the signs they have after the motion, or numbers in the same ratios: heights that only the
/// motion makes different from 0 are very small beside the others.
///
/// A height that might have the wrong sign is computed exactly, whatever else the two triangles are in doubt about: so both triangles
/// at an edge get the same bits, and where the edge lies nearly in the plane the point is where it should be.
fn moved_heights<const N: usize>(
    moved: &OwnMotions,
    determinants: [[usize; 4]; N],
    t: &[Vec3<f64>; 3],
    points: [Vec3<f64>; N],
) -> [f64; N] {
    let (u, v) = (t[1].minus(t[0]), t[2].minus(t[0]));
    let normal = u.cross(v);
    let leading = determinants.map(|four| moved.leading(four));
    let values: [f64; N] = std::array::from_fn(|k| {
        if leading[k].order > 0 {
            return leading[k].value;
        }
        // As in `heights_over`.
        let w = points[k].minus(t[0]);
        let height = normal.dot(w);
        let largest = u.max_abs(v).max_abs(w).product_of_coordinates();
        if height.abs() > largest * FACTOR { height } else { moved.exact(determinants[k]) }
    });
    if leading.iter().all(|leading| leading.order == 0) {
        return values;
    }
    std::array::from_fn(|k| {
        let order = leading[k].order;
        let alike = (0..N).filter(|&other| leading[other].order == order);
        let largest = alike.map(|other| values[other].abs()).fold(0.0, f64::max);
        values[k] / largest * 2f64.powi(-200 * i32::from(order))
    })
}

fn collect(above: [Option<bool>; 3]) -> Option<[bool; 3]> {
    Some([above[0]?, above[1]?, above[2]?])
}

/// The two edges of a triangle that reach through a plane, by the corner each starts from: the rising and the falling
/// one; `None` if all corners are on one side.
fn edges_through(above: [bool; 3]) -> Option<(usize, usize)> {
    let rising = (0..3).find(|&k| !above[k] && above[(k + 1) % 3])?;
    let falling = (0..3).find(|&k| above[k] && !above[(k + 1) % 3])?;
    Some((rising, falling))
}

/// Heights with the signs that were decided: those that rounding got wrong are 0.
fn settled(heights: [f64; 3], above: [bool; 3]) -> [f64; 3] {
    std::array::from_fn(|k| if (heights[k] > 0.0) == above[k] { heights[k] } else { 0.0 })
}

fn as_signs(above: [bool; 3]) -> [f64; 3] {
    above.map(|above| if above { 1.0 } else { -1.0 })
}

/// In which order the border points come, by the signs of O for an edge of a and one of b; `None` if they do not cross.
fn order_in_doubt(
    is_positive: impl Fn([usize; 2], [usize; 2]) -> bool,
    above_b: [bool; 3],
    above_a: [bool; 3],
) -> Option<Order<f64>> {
    let (rising_a, falling_a) = edges_through(above_b)?;
    let (rising_b, falling_b) = edges_through(above_a)?;
    // Edges of a from below to above, edges of b from above to below.
    let next = |k: usize| (k + 1) % 3;
    let (start_a, end_a) = ([rising_a, next(rising_a)], [next(falling_a), falling_a]);
    let (start_b, end_b) = ([falling_b, next(falling_b)], [next(rising_b), rising_b]);
    if is_positive(start_a, end_b) || !is_positive(end_a, start_b) {
        return None;
    }
    let sign = |positive: bool| if positive { 1.0 } else { -1.0 };
    Some(Order {
        margin: 1.0,
        crosses: 1.0,
        start_on_a: sign(is_positive(start_a, start_b)),
        end_on_b: sign(is_positive(end_a, end_b)),
    })
}

/// A triangle of A without area crosses b where both its edges that reach through b's plane pass through b.
fn without_area_a(is_positive: impl Fn([usize; 2], [usize; 2]) -> bool, above_b: [bool; 3]) -> Option<Order<f64>> {
    let (rising, _) = edges_through(above_b)?;
    let passes = (0..3).all(|k| is_positive([rising, (rising + 1) % 3], [k, (k + 1) % 3]));
    // Both ends are on a.
    passes.then_some(Order { margin: 1.0, crosses: 1.0, start_on_a: 1.0, end_on_b: -1.0 })
}

/// A triangle of B without area, likewise.
fn without_area_b(is_positive: impl Fn([usize; 2], [usize; 2]) -> bool, above_a: [bool; 3]) -> Option<Order<f64>> {
    let (_, falling) = edges_through(above_a)?;
    let passes = (0..3).all(|k| !is_positive([k, (k + 1) % 3], [falling, (falling + 1) % 3]));
    passes.then_some(Order { margin: 1.0, crosses: 1.0, start_on_a: -1.0, end_on_b: 1.0 })
}

/// The segment, with signs that were decided and heights that have these signs or are 0.
fn between(
    (a, b): (&[Vec3<f64>; 3], &[Vec3<f64>; 3]),
    (above_b, above_a): ([bool; 3], [bool; 3]),
    heights: &Heights<f64>,
    order: &Order<f64>,
) -> Crossing<f64> {
    let turned_a = turned(a, heights.of_a, as_signs(above_b));
    let turned_b = turned(b, heights.of_b, as_signs(above_a));
    segment((a, b), (&turned_a, &turned_b), heights, order)
}
