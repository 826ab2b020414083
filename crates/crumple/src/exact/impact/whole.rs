//! The exact stage: four moving points on whole numbers, and when their features meet.
//!
//! Every f64 number is a whole number times a power of two. Each axis is scaled by a power of two of its own, which
//! moves nothing in or out of a plane, a line or an interval, and the first point is moved to the origin: u₁, u₂, u₃
//! are the others, linear forms per axis.
//!
//! *When the points are coplanar.* det(u₁, u₂, u₃) is a cubic form. Where it vanishes
//!
//! ```text
//! λ₀ p₀ + λ₁ p₁ + λ₂ p₂ + λ₃ p₃ = 0,  λ₁ = u₂ × u₃,  λ₂ = u₃ × u₁,  λ₃ = u₁ × u₂,  λ₀ = −(λ₁ + λ₂ + λ₃)
//! ```
//!
//! holds for the λ of each axis: these are the signed areas of the four triangles seen along that axis. Suppose some λᵢ
//! is not 0 on an axis. Then the points span a plane, looking along that axis maps the plane one to one, and a relation
//! Σ λᵢ pᵢ = 0 with Σ λᵢ = 0 is unique up to a factor. A common point of two hulls is a relation of this kind with
//! coefficients ≥ 0 on one group of points and ≤ 0 on the other, not all 0 (Radon). So, with μ = λ on the second group
//! and −λ on the first (a vertex against three corners, two ends against two),
//!
//! ```text
//! the features meet  ⇔  no μᵢ > 0 while another μⱼ < 0 on that axis.
//! ```
//!
//! Nothing is assumed about faces or edges: they may have no extent. If every λᵢ is 0 on every axis the points lie on
//! one line, and the features meet exactly if their intervals overlap on each axis: on an axis where the line is not
//! seen end-on that is the whole question, and on the others it follows.
//!
//! *If the cubic is identically 0* the points are coplanar at all times: see `planar`.
//! Held by: `tests/exactness/impacts` (an independent reference), the queries of `cargo xtask verify`.

use super::super::{Point, Sign};
use super::forms::{Cubic, Linear, Quadratic, TimeRatio, determinant, difference, is_zero, product, sum, value_at};
use super::integers::{SHORT, Short};
use super::roots::{Root, first_root};
use super::{Features, ImpactTime, planar};

/// Four points that move linearly, less the first of them: per point, per axis.
pub(super) struct Motion {
    features: Features,
    points: [[Linear; 3]; 4],
}

/// The first time at which the features meet.
#[cold]
pub(super) fn impact(features: Features, start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    let motion = Motion::new(features, start, end);
    let cubic = motion.cubic();
    if cubic[0].is_zero() && motion.meets_at(&TimeRatio::start()) {
        return Some(ImpactTime::of_cell(0, false));
    }
    if is_zero(&cubic) {
        return planar::impact(&motion, start, end);
    }
    first_root(&cubic, |root| motion.meets(root))
}

impl Motion {
    fn new(features: Features, start: &[Point; 4], end: &[Point; 4]) -> Self {
        let mut points = [const { [const { [const { Short::ZERO }; 2] }; 3] }; 4];
        for axis in 0..3 {
            let numbers: [[Binary; 2]; 4] =
                std::array::from_fn(|point| [start[point][axis], end[point][axis]].map(Binary::new));
            let unit =
                numbers.iter().flatten().filter(|number| number.mantissa != 0).map(|number| number.exponent).min();
            let Some(unit) = unit else { continue };
            let origin = numbers[0].map(|number| number.over(unit));
            for point in 1..4 {
                points[point][axis] = std::array::from_fn(|i| &numbers[point][i].over(unit) - &origin[i]);
            }
        }
        Self { features, points }
    }

    pub(super) fn features(&self) -> Features {
        self.features
    }

    /// Where `to` lies seen from `from`, on each axis.
    pub(super) fn offset(&self, from: usize, to: usize) -> [Linear; 3] {
        std::array::from_fn(|axis| difference(&self.points[to][axis], &self.points[from][axis]))
    }

    fn cubic(&self) -> Cubic {
        let [_, first, second, third] = &self.points;
        let [x, y, z] = [0, 1, 2].map(|axis| product(&cross(second, third, axis), &first[axis]));
        sum(&sum(&x, &y), &z)
    }

    /// Whether the features meet at a time at which the points are coplanar.
    fn meets(&self, root: &Root<'_>) -> bool {
        if let Root::At(time) = root {
            return self.meets_at(time);
        }
        let [_, first, second, third] = &self.points;
        let areas = |axis| {
            let [l1, l2, l3] = [cross(second, third, axis), cross(third, first, axis), cross(first, second, axis)];
            let all = sum(&sum(&l1, &l2), &l3);
            [all, l1, l2, l3].map(|form| root.sign(&form))
        };
        let side = |one: usize, other: usize, axis: usize| {
            root.sign(&difference(&self.points[one][axis], &self.points[other][axis]))
        };
        meet(self.features, areas, side)
    }

    /// The same at a rational time, where numbers take the part of forms.
    fn meets_at(&self, time: &TimeRatio<SHORT>) -> bool {
        let points = self.points.each_ref().map(|point| point.each_ref().map(|form| value_at(form, time)));
        let areas = |axis| {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let area = |i: usize, j: usize| &(&points[i][u] * &points[j][v]) - &(&points[i][v] * &points[j][u]);
            let [l1, l2, l3]: [Short; 3] = [area(2, 3), area(3, 1), area(1, 2)];
            let all = &(&l1 + &l2) + &l3;
            [all, l1, l2, l3].map(|number| number.sign())
        };
        let side = |one: usize, other: usize, axis: usize| (&points[one][axis] - &points[other][axis]).sign();
        meet(self.features, areas, side)
    }
}

/// Whether the features meet, by the signs of −λ₀, λ₁, λ₂, λ₃ along an axis and of differences of two points on one.
fn meet(features: Features, areas: impl Fn(usize) -> [Sign; 4], side: impl Fn(usize, usize, usize) -> Sign) -> bool {
    for axis in 0..3 {
        let [all, l1, l2, l3] = areas(axis);
        let l1 = if features == Features::EdgeEdge { l1.opposite() } else { l1 };
        let signs = [all, l1, l2, l3];
        let (positive, negative) = (signs.contains(&Sign::Positive), signs.contains(&Sign::Negative));
        if positive || negative {
            return !(positive && negative);
        }
    }
    // All on one line.
    let [ones, others] = features.groups();
    (0..3).all(|axis| {
        let all_on = |sign| ones.iter().all(|&one| others.iter().all(|&other| side(one, other, axis) == sign));
        !all_on(Sign::Negative) && !all_on(Sign::Positive)
    })
}

/// The product of two vectors, along one axis.
pub(super) fn cross(a: &[Linear; 3], b: &[Linear; 3], axis: usize) -> Quadratic {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    determinant(&a[u], &a[v], &b[u], &b[v])
}

/// A finite f64 number as mantissa · 2^exponent, the mantissa odd or 0.
#[derive(Clone, Copy)]
pub(in crate::exact) struct Binary {
    pub(in crate::exact) mantissa: i64,
    pub(in crate::exact) exponent: i32,
}

impl Binary {
    pub(in crate::exact) fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (mantissa, exponent) = match (bits >> 52 & 0x7ff) as i32 {
            0 => (fraction, -1074),
            biased => (fraction | 1 << 52, biased - 1075),
        };
        if mantissa == 0 {
            return Self { mantissa, exponent: 0 };
        }
        let zeros = mantissa.trailing_zeros();
        let mantissa = mantissa >> zeros;
        Self { mantissa: if value < 0.0 { -mantissa } else { mantissa }, exponent: exponent + zeros as i32 }
    }

    /// How many times 2^`unit` this is; the unit is no larger than the exponent of a number other than 0.
    pub(in crate::exact) fn over(self, unit: i32) -> Short {
        if self.mantissa == 0 { Short::ZERO } else { Short::shifted(self.mantissa, (self.exponent - unit) as usize) }
    }
}
