//! When do two moving features meet? Answered on whole numbers by lengths and angles, without projections.
//!
//! All coordinates are scaled by one power of two. Whether a vertex is in a face, or two edges cross, is asked of the
//! barycentric coordinates, which are scalar products with the normal; without a normal, of points on segments, by
//! scalar products too. Whether features meet can change only when one of these polynomials vanishes: if the points
//! stay coplanar, the features are tested at all roots of all polynomials.

use num_bigint::BigInt;

use super::polynomial::{Polynomial, Time, roots};
use super::{Kind, Points};

type Vector = [Polynomial; 3];

/// The first time at which the features meet, rounded down and up to multiples of 2^-32.
pub(crate) fn impact(kind: Kind, start: &Points, end: &Points) -> Option<[f64; 2]> {
    let points = scaled(start, end);
    let offset = |from: usize, to: usize| minus(&points[to], &points[from]);
    let coplanar = dot(&offset(0, 1), &cross(&offset(0, 2), &offset(0, 3)));
    let question = match kind {
        Kind::VertexFace => Question::vertex_face(&points),
        Kind::EdgeEdge => Question::edge_edge(&points),
    };
    if !coplanar.is_zero() {
        return roots(&coplanar).into_iter().find_map(|mut time| question.meets(&mut time).then(|| time.on_grid()));
    }
    let mut first: Option<[f64; 2]> = question.meets(&mut Time::start()).then_some([0.0; 2]);
    if first.is_some() {
        return first;
    }
    for polynomial in question.polynomials() {
        // The first root at which they meet; the earliest over all polynomials.
        let found =
            roots(polynomial).into_iter().find_map(|mut time| question.meets(&mut time).then(|| time.on_grid()));
        if let Some(found) = found {
            first = Some(first.map_or(found, |[lo, hi]| [lo.min(found[0]), hi.min(found[1])]));
        }
    }
    first
}

/// Whether two features whose points are coplanar meet.
struct Question {
    /// The square of the normal's length.
    area: Polynomial,
    /// If there is a normal, none of these may be negative.
    inside: Vec<Polynomial>,
    /// If there is none: a point, seen from which the ends of a segment lie on one line (the first polynomial is 0) and
    /// not on the same side (the second is not positive).
    on_segments: Vec<[Polynomial; 2]>,
}

impl Question {
    fn vertex_face(points: &[Vector; 4]) -> Self {
        let [v, a, b, c] = points;
        let normal = cross(&minus(b, a), &minus(c, a));
        let weight = |p: &Vector, q: &Vector| dot(&cross(&minus(p, v), &minus(q, v)), &normal);
        Self {
            area: dot(&normal, &normal),
            inside: vec![weight(a, b), weight(b, c), weight(c, a)],
            on_segments: vec![on_segment(v, a, b), on_segment(v, b, c), on_segment(v, c, a)],
        }
    }

    fn edge_edge(points: &[Vector; 4]) -> Self {
        let [a, b, c, d] = points;
        let (first, second, between) = (minus(b, a), minus(d, c), minus(c, a));
        let normal = cross(&first, &second);
        let area = dot(&normal, &normal);
        let along = [&second, &first].map(|edge| dot(&cross(&between, edge), &normal));
        Self {
            inside: along.iter().flat_map(|weight| [weight.clone(), &area - weight]).collect(),
            area,
            on_segments: vec![on_segment(a, c, d), on_segment(b, c, d), on_segment(c, a, b), on_segment(d, a, b)],
        }
    }

    fn meets(&self, time: &mut Time) -> bool {
        if time.sign(&self.area) != 0 {
            return self.inside.iter().all(|weight| time.sign(weight) >= 0);
        }
        self.on_segments.iter().any(|[line, side]| time.sign(line) == 0 && time.sign(side) <= 0)
    }

    fn polynomials(&self) -> impl Iterator<Item = &Polynomial> {
        [&self.area].into_iter().chain(&self.inside).chain(self.on_segments.as_flattened())
    }
}

fn on_segment(p: &Vector, a: &Vector, b: &Vector) -> [Polynomial; 2] {
    let (to_a, to_b) = (minus(a, p), minus(b, p));
    let product = cross(&to_a, &to_b);
    [dot(&product, &product), dot(&to_a, &to_b)]
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

fn dot(a: &Vector, b: &Vector) -> Polynomial {
    let [x, y, z] = [0, 1, 2].map(|i| &a[i] * &b[i]);
    &(&x + &y) + &z
}

/// The points as polynomials of time, on whole numbers.
fn scaled(start: &Points, end: &Points) -> [Vector; 4] {
    let numbers = || start.as_flattened().iter().chain(end.as_flattened()).map(|&x| decoded(x));
    let unit = numbers().filter(|(mantissa, _)| *mantissa != 0).map(|(_, exponent)| exponent).min().unwrap_or(0);
    let whole = |x: f64| match decoded(x) {
        (0, _) => BigInt::ZERO,
        (mantissa, exponent) => BigInt::from(mantissa) << (exponent - unit),
    };
    std::array::from_fn(|i| {
        std::array::from_fn(|axis| Polynomial::linear(&whole(start[i][axis]), &whole(end[i][axis])))
    })
}

/// Mantissa and exponent, found by doubling and halving, both exact; the mantissa is odd or 0.
fn decoded(x: f64) -> (i64, i32) {
    let (mut mantissa, mut exponent) = (x, 0);
    if x == 0.0 {
        return (0, 0);
    }
    while mantissa.abs() < 2f64.powi(52) {
        (mantissa, exponent) = (mantissa * 2.0, exponent - 1);
    }
    while mantissa.abs() >= 2f64.powi(53) || (mantissa * 0.5).fract() == 0.0 {
        (mantissa, exponent) = (mantissa * 0.5, exponent + 1);
    }
    (mantissa as i64, exponent)
}
