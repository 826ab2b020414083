//! Vectors of f64 numbers, or of such numbers in lanes, and how pairs of features are laid out for lanes.

use fearless_simd::f64x4;
use fearless_simd::prelude::*;

use super::{Real, Simd};

/// A vector, or one in each lane.
pub(crate) type Vec3<R> = [R; 3];

/// What vectors can do.
pub(crate) trait Vec3Ops<R>: Copy {
    fn plus(self, v: Self) -> Self;
    fn minus(self, v: Self) -> Self;
    fn times(self, by: R) -> Self;
    fn negative(self) -> Self;
    fn dot(self, v: Self) -> R;
    fn cross(self, v: Self) -> Self;
    /// The larger of the sizes of the coordinates, axis by axis.
    fn max_abs(self, v: Self) -> Self;
    fn product_of_coordinates(self) -> R;
}

impl<R: Real> Vec3Ops<R> for Vec3<R> {
    #[inline(always)]
    fn plus(self, v: Self) -> Self {
        [self[0] + v[0], self[1] + v[1], self[2] + v[2]]
    }

    #[inline(always)]
    fn minus(self, v: Self) -> Self {
        [self[0] - v[0], self[1] - v[1], self[2] - v[2]]
    }

    #[inline(always)]
    fn times(self, by: R) -> Self {
        [self[0] * by, self[1] * by, self[2] * by]
    }

    #[inline(always)]
    fn negative(self) -> Self {
        [-self[0], -self[1], -self[2]]
    }

    #[inline(always)]
    fn dot(self, v: Self) -> R {
        self[0] * v[0] + self[1] * v[1] + self[2] * v[2]
    }

    #[inline(always)]
    fn cross(self, v: Self) -> Self {
        [self[1] * v[2] - self[2] * v[1], self[2] * v[0] - self[0] * v[2], self[0] * v[1] - self[1] * v[0]]
    }

    #[inline(always)]
    fn max_abs(self, v: Self) -> Self {
        [self[0].abs().max(v[0].abs()), self[1].abs().max(v[1].abs()), self[2].abs().max(v[2].abs())]
    }

    #[inline(always)]
    fn product_of_coordinates(self) -> R {
        self[0] * self[1] * self[2]
    }
}

/// `yes` where the mask is set, `no` elsewhere.
#[inline(always)]
pub(crate) fn select<R: Real>(mask: R::Mask, yes: Vec3<R>, no: Vec3<R>) -> Vec3<R> {
    [R::select(mask, yes[0], no[0]), R::select(mask, yes[1], no[1]), R::select(mask, yes[2], no[2])]
}

/// The lanes of an f64 vector.
pub(crate) const LANES: usize = 4;

/// Four points of each of [`LANES`] pairs of features: point, axis, lane.
pub(crate) type LanePoints = [[[f64; LANES]; 3]; 4];

/// The four points of each lane.
#[inline(always)]
pub(crate) fn loaded<S: Simd>(simd: S, points: &LanePoints) -> [Vec3<f64x4<S>>; 4] {
    let [p, q, r, s] = points;
    [in_lanes(simd, p), in_lanes(simd, q), in_lanes(simd, r), in_lanes(simd, s)]
}

/// A vector per lane, from its coordinates by axis.
#[inline(always)]
pub(crate) fn in_lanes<S: Simd>(simd: S, [x, y, z]: &[[f64; LANES]; 3]) -> Vec3<f64x4<S>> {
    [f64x4::from_slice(simd, x), f64x4::from_slice(simd, y), f64x4::from_slice(simd, z)]
}
