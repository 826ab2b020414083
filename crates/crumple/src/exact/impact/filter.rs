//! What f64 shows at a glance: boxes that stay apart, and points that are never coplanar.
//!
//! *Boxes.* If on one axis every point of one feature is strictly below every point of the other, at the start and at
//! the end, then so it is at all times, since differences of coordinates are linear. Comparisons only: no error.
//!
//! *The cubic.* With uᵢ = pᵢ − p₀, aᵢ at the start and bᵢ at the end, the coplanarity cubic
//! det(u₁, u₂, u₃) = u₁ · (u₂ × u₃) has the Bernstein coefficients
//!
//! ```text
//! X₀ = a₂ × a₃          X₁ = a₂ × b₃ + b₂ × a₃          X₂ = b₂ × b₃
//! c₀ = a₁·X₀     c₁ = (a₁·X₁ + b₁·X₀) / 3     c₂ = (a₁·X₂ + b₁·X₁) / 3     c₃ = b₁·X₂
//! ```
//!
//! and lies between the smallest and the largest of them. All of one sign: the points are never coplanar.
//!
//! *Error of the coefficients.* Let ε = 2^-53, Mx the largest |x| of the computed aᵢ and bᵢ, likewise My, Mz, and
//! P = Mx My Mz. Errors below are in units of ε, to first order.
//!
//! | computed | size at most | error at most |
//! |---|---|---|
//! | a coordinate of u | Mx | Mx |
//! | a product of two | My Mz | 3 My Mz |
//! | a component of X₀, X₂ | 2 My Mz | 2·3 + 2 = 8 My Mz |
//! | a component of X₁ | 4 My Mz | 2·8 + 4 = 20 My Mz |
//! | a₁·X₀: three products of error 8 + 2·2 = 12, sums of size 4 and 6 | 6 P | 3·12 + 4 + 6 = 46 P |
//! | a₁·X₁: three products of error 20 + 2·4 = 28, sums of size 8 and 12 | 12 P | 3·28 + 8 + 12 = 104 P |
//! | a₁·X₁ + b₁·X₀ | 18 P | 104 + 46 + 18 = 168 P |
//! | a third of it, by a rounded 1/3 | 6 P | 168 / 3 + 2·6 = 68 P |
//!
//! So 68 εP bounds the first-order error of every coefficient. [`CUBIC`] is 80: the rest covers the terms in ε² (below
//! 2^-40 of the bound), the roundings of P and of the bound (4 ε of it), what underflows, and the roundings of the
//! growing bounds in `bisect`.
//!
//! *Error of the areas.* λ₁ = u₂ × u₃ and so on (see `whole`), per axis, here x, are quadratics with the Bernstein
//! coefficients X₀, X₁ / 2, X₂: error at most 20 / 2 = 10 My Mz. Their sum has error 3·10, and 4 and 6 for the two
//! sums: 40 My Mz. [`AREA`] is 48.
//!
//! *Underflow and overflow.* Every M is 0 or between 2^-160 and 2^160; other motions go to the exact stage. Then
//! nothing overflows (all numbers stay below 2^485). A difference never underflows. A product that underflows is off by
//! at most 2^-1075 besides the errors above, and no more than 2^10 such errors reach a coefficient, each multiplied by
//! at most 2^160: below 2^-900 in all, against an εP of at least 2^-533 and ε My Mz of at least 2^-373, hence within
//! the slack. If some M is 0 all products with that axis are 0 exactly, the bound is 0, and "beyond the bound" is never
//! true of 0.
//!
//! Cost: about 20 ns.
//! Held by: `tests.rs` here (filter against the exact stage; bounds that are too small make it fail), and
//! `tests/exactness/impacts`.

use super::Features;
use crate::exact::Point;
use crate::geom::lanes::Vec3Ops;

/// Half the distance from 1 to the next f64 number: the relative error of one operation.
pub(super) const EPSILON: f64 = f64::EPSILON / 2.0;

/// Error of a coefficient of the cubic, in units of εP.
pub(super) const CUBIC: f64 = 80.0;

/// Error of a coefficient of an area, in units of ε and of the product of two extents.
pub(super) const AREA: f64 = 48.0;

/// Largest and (unless 0) smallest extents for which the bounds are proven.
pub(super) const RANGE: (f64, f64) = (pow2(-160), pow2(160));

/// 2^`exponent`, a normal number.
pub(super) const fn pow2(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Whether on one axis all of `ones` are strictly on the same side of all of `others` at both ends of the motion.
#[inline]
pub(super) fn boxes_stay_apart(ones: &[usize], others: &[usize], start: &[Point; 4], end: &[Point; 4]) -> bool {
    let range = |group: &[usize], points: &[Point; 4], axis: usize| {
        let first = points[group[0]][axis];
        group[1..].iter().map(|&i| points[i][axis]).fold((first, first), |(min, max), x| (min.min(x), max.max(x)))
    };
    (0..3).any(|axis| {
        let (one_t0, other_t0) = (range(ones, start, axis), range(others, start, axis));
        let (one_t1, other_t1) = (range(ones, end, axis), range(others, end, axis));
        (one_t0.1 < other_t0.0 && one_t1.1 < other_t1.0) || (other_t0.1 < one_t0.0 && other_t1.1 < one_t1.0)
    })
}

/// [`boxes_stay_apart`] for the two features, without a branch per number: most queries end here.
#[inline]
pub(super) fn features_stay_apart(features: Features, start: &[Point; 4], end: &[Point; 4]) -> bool {
    let mut apart = false;
    for axis in 0..3 {
        let [p, q, r, s] = [start[0][axis], start[1][axis], start[2][axis], start[3][axis]];
        let [p1, q1, r1, s1] = [end[0][axis], end[1][axis], end[2][axis], end[3][axis]];
        apart |= match features {
            Features::VertexFace => {
                let below = (p < q) & (p < r) & (p < s) & (p1 < q1) & (p1 < r1) & (p1 < s1);
                let above = (p > q) & (p > r) & (p > s) & (p1 > q1) & (p1 > r1) & (p1 > s1);
                below | above
            }
            Features::EdgeEdge => {
                let below = (larger(p, q) < smaller(r, s)) & (larger(p1, q1) < smaller(r1, s1));
                let above = (smaller(p, q) > larger(r, s)) & (smaller(p1, q1) > larger(r1, s1));
                below | above
            }
        };
    }
    apart
}

/// The smaller of two numbers: one instruction, where `f64::min` takes three to be right for NaN.
#[inline]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The points less the first of them, at both ends of the motion, rounded; and the largest of them on each axis.
pub(super) struct Offsets {
    pub(super) start: [Point; 3],
    pub(super) end: [Point; 3],
    pub(super) extent: Point,
}

impl Offsets {
    /// Nothing if the bounds are not proven for extents like these.
    #[inline(always)]
    pub(super) fn new(start: &[Point; 4], end: &[Point; 4]) -> Option<Self> {
        let (mut from, mut to, mut extent) = ([[0.0; 3]; 3], [[0.0; 3]; 3], [0.0; 3]);
        let mut proven = true;
        for axis in 0..3 {
            let mut largest = 0.0;
            for i in 0..3 {
                from[i][axis] = start[i + 1][axis] - start[0][axis];
                to[i][axis] = end[i + 1][axis] - end[0][axis];
                largest = larger(larger(from[i][axis].abs(), to[i][axis].abs()), largest);
            }
            extent[axis] = largest;
            proven &= (largest == 0.0) | ((largest >= RANGE.0) & (largest <= RANGE.1));
        }
        proven.then_some(Self { start: from, end: to, extent })
    }

    /// The Bernstein coefficients of the coplanarity cubic.
    #[inline(always)]
    pub(super) fn cubic(&self) -> [f64; 4] {
        let ([a1, a2, a3], [b1, b2, b3]) = (self.start, self.end);
        let x0 = a2.cross(a3);
        let x1 = a2.cross(b3).plus(b2.cross(a3));
        let x2 = b2.cross(b3);
        const THIRD: f64 = 1.0 / 3.0;
        [a1.dot(x0), (a1.dot(x1) + b1.dot(x0)) * THIRD, (a1.dot(x2) + b1.dot(x1)) * THIRD, b1.dot(x2)]
    }

    /// Bounds the error of the coefficients of the cubic, if `factor` is [`CUBIC`].
    #[inline]
    pub(super) fn cubic_error(&self, factor: f64) -> f64 {
        factor * EPSILON * (self.extent[0] * self.extent[1] * self.extent[2])
    }

    /// The Bernstein coefficients of λ₁, λ₂, λ₃ along `axis`.
    #[inline]
    pub(super) fn areas(&self, axis: usize) -> [[f64; 3]; 3] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let minor = |p: &[Point; 3], q: &[Point; 3]| p[i][u] * q[j][v] - p[i][v] * q[j][u];
            let (a, b) = (&self.start, &self.end);
            [minor(a, a), 0.5 * (minor(a, b) + minor(b, a)), minor(b, b)]
        })
    }

    /// Bounds the error of the coefficients of the areas along `axis` and of their sum, if `factor` is [`AREA`].
    #[inline]
    pub(super) fn area_error(&self, axis: usize, factor: f64) -> f64 {
        factor * EPSILON * (self.extent[(axis + 1) % 3] * self.extent[(axis + 2) % 3])
    }
}

/// Whether all numbers are beyond `error` on the same side of 0.
#[inline]
pub(super) fn have_one_sign(numbers: &[f64], error: f64) -> bool {
    let (mut positive, mut negative) = (true, true);
    for &x in numbers {
        positive &= x > error;
        negative &= x < -error;
    }
    positive | negative
}
