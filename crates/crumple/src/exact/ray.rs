//! Where a ray meets a closed triangle: whether it does is decided without error, where is computed in f64.
//!
//! With the corners p₀, p₁, p₂ measured from the origin of the ray and its direction d, let
//!
//! ```text
//! fₖ = d · (pₖ₊₁ × pₖ₊₂)        n = (p₁ − p₀) × (p₂ − p₀)        f₀ + f₁ + f₂ = d · n
//! ```
//!
//! The line passes edge k on the side that the sign of fₖ tells. It meets the triangle exactly if no two of the signs
//! are opposite; then d · n is not 0, unless all of them are 0, the point has the barycentric coordinates fₖ / d·n, and
//! t = p₀·n / d·n. Two triangles at a common edge ask for the same sign of the same numbers, so that no ray slips through
//! between them. If all are 0 the line lies in the plane of the triangle, or the triangle has no area: then the line
//! meets it in an interval between points of its edges, which `edge_on` finds on whole numbers.
//!
//! Error bounds, with D, P, E the largest coordinates, regardless of sign, of d, of the pₖ and of the edges, ε = 2^-53:
//! edges and pₖ are differences of coordinates rounded once, fₖ is evaluated as d · (pₖ₊₁ × edge). A product of two
//! rounded differences carries 3ε, a component of the cross product 4ε of the sum of the sizes of its two products, its
//! product with d one more, and the two sums 2ε: at most 7ε · 6DPE = 42ε DPE, up to terms in ε². The bound used is
//! 64ε DPE. Likewise 64ε DEE for d·n, and 64ε PEE for p₀·n. Coordinates neither overflow nor underflow
//! in products of three (see `filter` and `predicates`). What is in doubt is decided on whole numbers; so is t if d·n is less than 2^26
//! times its bound. Else t is wrong by at most (64ε PEE + t · 64ε DEE) / |d·n| ≤ 2^-26 (P / D + t) ≤ 2^-25 P / D, since
//! t · D ≤ P at a point of the triangle.
//!
//! Held by: `tests/behaviour/rays.rs` (an independent test on rationals), the unit tests below.

use super::impact::{Binary, Short};
use super::predicates::orient3d;
use super::{Point, Sign};
use crate::geom::lanes::Vec3Ops;

/// A ray from `origin` along `direction`, which is not 0; both finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactRay {
    origin: Point,
    direction: Point,
    /// The largest coordinate of the direction, regardless of sign.
    largest: f64,
}

/// Where a ray meets a triangle first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RayMeeting {
    /// In lengths of the direction, not negative.
    pub(crate) t: f64,
    /// Barycentric coordinates; `None` where the ray lies in the plane of the triangle.
    pub(crate) weights: Option<[f64; 3]>,
}

impl ExactRay {
    pub(crate) fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self::new_f64(origin.map(f64::from), direction.map(f64::from))
    }

    /// The same from f64 numbers, each 0 or of a size between 2^-300 and 2^128.
    pub(crate) fn new_f64(origin: Point, direction: Point) -> Self {
        Self { origin, direction, largest: largest(direction) }
    }

    /// The first point of the closed triangle on the ray.
    #[cfg(test)]
    fn meets(&self, corners: &[[f32; 3]; 3]) -> Option<RayMeeting> {
        self.meets_f64(&corners.map(|corner| corner.map(f64::from)))
    }

    /// The first point of the closed triangle on the ray.
    #[inline]
    pub(crate) fn meets_f64(&self, &[a, b, c]: &[Point; 3]) -> Option<RayMeeting> {
        const UNIT: f64 = 64.0 * (f64::EPSILON / 2.0);
        let p = [a, b, c].map(|corner| corner.minus(self.origin));
        // Edge k lies opposite corner k.
        let edges = [c.minus(b), a.minus(c), b.minus(a)];
        let d = self.direction;
        let f = [0, 1, 2].map(|k| d.dot(p[(k + 1) % 3].cross(edges[k])));
        let reach = largest(p[0]).max(largest(p[1])).max(largest(p[2]));
        let edge = largest(edges[0]).max(largest(edges[1])).max(largest(edges[2]));
        let bound = UNIT * self.largest * reach * edge;
        let (least, most) = (f[0].min(f[1]).min(f[2]), f[0].max(f[1]).max(f[2]));
        if least < -bound && most > bound {
            return None;
        }
        let n = edges[2].cross(c.minus(a));
        let (slope, height) = (d.dot(n), p[0].dot(n));
        let are_sure =
            (least > bound || most < -bound) && slope.abs() > 2f64.powi(26) * UNIT * self.largest * edge * edge;
        if !are_sure {
            return self.meets_exactly([a, b, c]);
        }
        let mut t = height / slope;
        if height.abs() <= UNIT * reach * edge * edge {
            match (orient3d(a, b, c, self.origin).opposite(), slope > 0.0) {
                (Sign::Zero, _) => t = 0.0,
                (Sign::Positive, true) | (Sign::Negative, false) => t = t.max(0.0),
                _ => return None,
            }
        }
        if t < 0.0 {
            return None;
        }
        let whole = f[0] + f[1] + f[2];
        Some(RayMeeting { t, weights: Some(f.map(|f| f / whole)) })
    }

    /// The same on whole numbers.
    #[cold]
    fn meets_exactly(&self, corners: [Point; 3]) -> Option<RayMeeting> {
        // Each axis in a unit of its own, which changes neither signs nor ratios.
        let mut d = [Short::ZERO; 3];
        let mut p = [const { [Short::ZERO; 3] }; 3];
        for axis in 0..3 {
            let origin = Binary::new(self.origin[axis]);
            let direction = Binary::new(self.direction[axis]);
            let points = corners.map(|corner| Binary::new(corner[axis]));
            let all = points.iter().chain([&origin, &direction]);
            let Some(unit) = all.filter(|x| x.mantissa != 0).map(|x| x.exponent).min() else { continue };
            d[axis] = direction.over(unit);
            for k in 0..3 {
                p[k][axis] = &points[k].over(unit) - &origin.over(unit);
            }
        }
        let f = [0, 1, 2].map(|k| whole_dot(&d, &whole_cross(&p[(k + 1) % 3], &p[(k + 2) % 3])));
        let signs = f.each_ref().map(Short::sign);
        if signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative) {
            return None;
        }
        if signs == [Sign::Zero; 3] {
            return edge_on(&d, &p).map(|t| RayMeeting { t, weights: None });
        }
        let slope = &(&f[0] + &f[1]) + &f[2];
        let height = whole_dot(&p[0], &whole_cross(&p[1], &p[2]));
        if height.sign() == slope.sign().opposite() {
            return None;
        }
        Some(RayMeeting { t: ratio(&height, &slope), weights: Some(f.each_ref().map(|f| ratio(f, &slope))) })
    }
}

/// The first point on a ray of a triangle whose corners lie in one plane with it, seen from its origin.
///
/// d × p is 0 where a corner lies on the line, and for the ends of an edge that crosses it these vectors point in
/// opposite directions, as all of them stand on one plane.
fn edge_on(d: &[Short; 3], p: &[[Short; 3]; 3]) -> Option<f64> {
    let axis = (0..3).find(|&axis| !d[axis].is_zero())?;
    let sides = p.each_ref().map(|corner| whole_cross(d, corner));
    let (mut first, mut is_before, mut is_after) = (f64::INFINITY, false, false);
    let mut add = |height: &Short, slope: &Short| {
        let (height_sign, slope_sign) = (height.sign(), slope.sign());
        is_before |= height_sign == slope_sign.opposite() || height_sign == Sign::Zero;
        is_after |= height_sign == slope_sign || height_sign == Sign::Zero;
        first = first.min(ratio(height, slope));
    };
    for k in 0..3 {
        let next = (k + 1) % 3;
        if sides[k].iter().all(Short::is_zero) {
            add(&p[k][axis], &d[axis]);
        }
        let crossed = (0..3).find(|&m| {
            let (one, other) = (sides[k][m].sign(), sides[next][m].sign());
            one != Sign::Zero && one == other.opposite()
        });
        if let Some(m) = crossed {
            let (one, other) = (&sides[k][m], &sides[next][m]);
            let height = &(other * &p[k][axis]) - &(one * &p[next][axis]);
            add(&height, &(&(other - one) * &d[axis]));
        }
    }
    match (is_before, is_after) {
        (_, false) => None,
        (true, true) => Some(0.0),
        (false, true) => Some(first),
    }
}

/// a / b to within 2^-51 of it; b is not 0.
fn ratio(a: &Short, b: &Short) -> f64 {
    let ((a, exponent_a), (b, exponent_b)) = (a.leading(), b.leading());
    // The quotient of the leading bits is between one half and two, and no ratio of f32 lengths leaves f64.
    if a == 0.0 { 0.0 } else { a / b * 2f64.powi((exponent_a - exponent_b) as i32) }
}

fn whole_cross(u: &[Short; 3], v: &[Short; 3]) -> [Short; 3] {
    let component = |i: usize, j: usize| &(&u[i] * &v[j]) - &(&u[j] * &v[i]);
    [component(1, 2), component(2, 0), component(0, 1)]
}

fn whole_dot(u: &[Short; 3], v: &[Short; 3]) -> Short {
    &(&(&u[0] * &v[0]) + &(&u[1] * &v[1])) + &(&u[2] * &v[2])
}

#[inline(always)]
fn largest(v: Point) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];

    fn t(origin: [f32; 3], direction: [f32; 3], corners: &[[f32; 3]; 3]) -> Option<f64> {
        ExactRay::new(origin, direction).meets(corners).map(|meeting| meeting.t)
    }

    #[test]
    fn edges_and_corners_belong_to_the_triangle_and_what_lies_behind_does_not() {
        let down = [0.0, 0.0, -2.0];
        for (x, y) in [(0.5, 0.5), (0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            assert_eq!(t([x, y, 4.0], down, &FLAT), Some(2.0));
            assert_eq!(t([x, y, 0.0], down, &FLAT), Some(0.0));
            assert_eq!(t([x, y, -1.0], down, &FLAT), None);
        }
        for (x, y) in [(1.0f32.next_up(), 1.0), ((-0.0f32).next_down(), 0.5), (0.5, (-0.0f32).next_down())] {
            assert_eq!(t([x, y, 4.0], down, &FLAT), None, "{x} {y}");
        }
        let meeting = ExactRay::new([0.5, 0.25, 1.0], down).meets(&FLAT).unwrap();
        assert_eq!(meeting.weights, Some([0.625, 0.25, 0.125]));
    }

    #[test]
    fn a_ray_in_the_plane_meets_the_border_where_it_comes_in() {
        assert_eq!(t([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0], &FLAT), Some(1.0));
        assert_eq!(t([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], &FLAT), Some(1.0));
        assert_eq!(t([0.5, 0.5, 0.0], [-1.0, 0.0, 0.0], &FLAT), Some(0.0));
        assert_eq!(t([3.0, 0.0, 0.0], [1.0, 0.0, 0.0], &FLAT), None);
        assert_eq!(t([-1.0, 3.5, 0.0], [1.0, 0.0, 0.0], &FLAT), None);
        assert_eq!(t([-1.0, 1.0, 1.0], [1.0, 0.0, 0.0], &FLAT), None);
        assert_eq!(t([-1.0, 3.0, 0.0], [1.0, -1.0, 0.0], &FLAT), Some(1.0));
    }

    #[test]
    fn triangles_without_area_are_the_segments_and_points_they_are() {
        let segment = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(t([2.0, 0.0, 2.0], [0.0, 0.0, -1.0], &segment), Some(2.0));
        assert_eq!(t([2.0, 1e-30, 2.0], [0.0, 0.0, -1.0], &segment), None);
        assert_eq!(t([4.0, 0.0, 0.0], [-2.0, 0.0, 0.0], &segment), Some(0.5));
        assert_eq!(t([4.0, 0.0, 0.0], [2.0, 0.0, 0.0], &segment), None);
        let point = [[1.0, 1.0, 1.0]; 3];
        assert_eq!(t([0.0; 3], [2.0, 2.0, 2.0], &point), Some(0.5));
        assert_eq!(t([0.0; 3], [-2.0, -2.0, -2.0], &point), None);
        assert_eq!(t([1.0; 3], [0.0, 1.0, 0.0], &point), Some(0.0));
        assert_eq!(t([0.0; 3], [2.0, 2.0, 2.0f32.next_up()], &point), None);
    }

    #[test]
    fn the_whole_range_of_f32_is_decided() {
        let (tiny, huge) = (f32::from_bits(1), f32::MAX);
        for unit in [tiny * 1024.0, huge / 1024.0] {
            let scaled = FLAT.map(|corner| corner.map(|x| x * unit));
            assert_eq!(t([0.5 * unit, 0.5 * unit, 4.0 * unit], [0.0, 0.0, -unit], &scaled), Some(4.0));
            assert!(t([0.5 * unit, 0.5 * unit, unit], [0.0, 0.0, -huge], &scaled).is_some());
            assert!(t([0.5 * unit, 0.5 * unit, unit], [0.0, 0.0, -tiny], &scaled).is_some());
        }
        assert_eq!(
            t([huge, 0.0, 1.0], [0.0, 0.0, -1.0], &[[0.0; 3], [huge, -tiny, 0.0], [huge, tiny, 0.0]]),
            Some(1.0)
        );
        assert_eq!(
            t([huge, -tiny * 2.0, 1.0], [0.0, 0.0, -1.0], &[[0.0; 3], [huge, -tiny, 0.0], [huge, tiny, 0.0]]),
            None
        );
    }
}
