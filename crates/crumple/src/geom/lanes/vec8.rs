//! A vector, or a triangle, in each lane.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8};
use glam::Vec4;

use super::{Number, WIDTH};

/// A vector in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Vector<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) z: N,
}

/// A triangle in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Corners<N> {
    pub(crate) p: Vector<N>,
    pub(crate) q: Vector<N>,
    pub(crate) r: Vector<N>,
}

/// Eight vectors.
pub(crate) type Vec8<S> = Vector<f32x8<S>>;

/// Eight triangles.
pub(crate) type Triangle8<S> = Corners<f32x8<S>>;

impl<N: Number> Vector<N> {
    #[inline(always)]
    pub(crate) fn minus(self, v: Self) -> Self {
        Self { x: self.x - v.x, y: self.y - v.y, z: self.z - v.z }
    }

    #[inline(always)]
    pub(crate) fn plus(self, v: Self) -> Self {
        Self { x: self.x + v.x, y: self.y + v.y, z: self.z + v.z }
    }

    #[inline(always)]
    pub(crate) fn min(self, v: Self) -> Self {
        Self { x: self.x.min(v.x), y: self.y.min(v.y), z: self.z.min(v.z) }
    }

    #[inline(always)]
    pub(crate) fn max(self, v: Self) -> Self {
        Self { x: self.x.max(v.x), y: self.y.max(v.y), z: self.z.max(v.z) }
    }

    #[inline(always)]
    pub(crate) fn cross(self, v: Self) -> Self {
        Self {
            x: self.y.mul_sub(v.z, self.z * v.y),
            y: self.z.mul_sub(v.x, self.x * v.z),
            z: self.x.mul_sub(v.y, self.y * v.x),
        }
    }

    #[inline(always)]
    pub(crate) fn dot(self, v: Self) -> N {
        self.z.mul_add(v.z, self.y.mul_add(v.y, self.x * v.x))
    }

    /// This vector where `mask` says so, the other elsewhere.
    #[inline(always)]
    pub(crate) fn select(self, mask: N::Mask, other: Self) -> Self {
        Self {
            x: N::select(mask, self.x, other.x),
            y: N::select(mask, self.y, other.y),
            z: N::select(mask, self.z, other.z),
        }
    }
}

impl<N: Number> Corners<N> {
    /// The lower corner of the box of each triangle.
    #[inline(always)]
    pub(crate) fn min(&self) -> Vector<N> {
        self.p.min(self.q).min(self.r)
    }

    /// The upper corner of the box of each triangle.
    #[inline(always)]
    pub(crate) fn max(&self) -> Vector<N> {
        self.p.max(self.q).max(self.r)
    }
}

impl Corners<f32> {
    /// One triangle.
    #[inline(always)]
    pub(crate) fn one([p, q, r]: &[Vec4; 3]) -> Self {
        Self { p: Vector::one(p), q: Vector::one(q), r: Vector::one(r) }
    }
}

impl Vector<f32> {
    #[inline(always)]
    fn one(v: &Vec4) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl<S: Simd> Vec8<S> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat(simd: S, [x, y, z]: [f32; 3]) -> Self {
        Self { x: f32x8::splat(simd, x), y: f32x8::splat(simd, y), z: f32x8::splat(simd, z) }
    }

    /// The lanes, coordinate by coordinate.
    #[inline(always)]
    pub(crate) fn load(simd: S, [x, y, z]: &[[f32; WIDTH]; 3]) -> Self {
        Self { x: f32x8::from_slice(simd, x), y: f32x8::from_slice(simd, y), z: f32x8::from_slice(simd, z) }
    }

    /// Eight vectors, with anything for fourth coordinates, turned into lanes.
    #[inline(always)]
    pub(crate) fn of([a, b, c, d, e, f, g, h]: [f32x4<S>; WIDTH]) -> Self {
        Self::joined(in_lanes([a, b, c, d]), in_lanes([e, f, g, h]))
    }

    /// The same of vectors that stand side by side: vectors i and i + 4.
    #[inline(always)]
    pub(crate) fn of_twos(twos: [f32x8<S>; 4]) -> Self {
        let [(a, e), (b, f), (c, g), (d, h)] = [twos[0].split(), twos[1].split(), twos[2].split(), twos[3].split()];
        Self::of([a, b, c, d, e, f, g, h])
    }

    /// Loads eight vectors, with anything for fourth coordinates, and turns them into lanes.
    #[inline(always)]
    pub(crate) fn gather(simd: S, [a, b, c, d, e, f, g, h]: [&Vec4; WIDTH]) -> Self {
        Self::joined(four(simd, [a, b, c, d]), four(simd, [e, f, g, h]))
    }

    /// The least of the lanes, along each axis.
    #[inline(always)]
    pub(crate) fn least(self) -> [f32; 3] {
        [self.x.reduce_min(), self.y.reduce_min(), self.z.reduce_min()]
    }

    /// The greatest of the lanes, along each axis.
    #[inline(always)]
    pub(crate) fn most(self) -> [f32; 3] {
        [self.x.reduce_max(), self.y.reduce_max(), self.z.reduce_max()]
    }

    /// The lanes, coordinate by coordinate.
    #[inline(always)]
    pub(crate) fn store(self) -> [[f32; WIDTH]; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    /// Four lanes and four more.
    #[inline(always)]
    fn joined([x, y, z]: [f32x4<S>; 3], [p, q, r]: [f32x4<S>; 3]) -> Self {
        Self { x: x.combine(p), y: y.combine(q), z: z.combine(r) }
    }
}

impl<S: Simd> Triangle8<S> {
    /// Loads eight triangles, with anything for fourth coordinates.
    #[inline(always)]
    pub(crate) fn gather(simd: S, [a, b, c, d, e, f, g, h]: [&[Vec4; 3]; WIDTH]) -> Self {
        Self {
            p: Vec8::gather(simd, [&a[0], &b[0], &c[0], &d[0], &e[0], &f[0], &g[0], &h[0]]),
            q: Vec8::gather(simd, [&a[1], &b[1], &c[1], &d[1], &e[1], &f[1], &g[1], &h[1]]),
            r: Vec8::gather(simd, [&a[2], &b[2], &c[2], &d[2], &e[2], &f[2], &g[2], &h[2]]),
        }
    }
}

/// Loads four vectors and turns them into three coordinates of four lanes.
#[inline(always)]
pub(crate) fn four<S: Simd>(simd: S, [a, b, c, d]: [&Vec4; 4]) -> [f32x4<S>; 3] {
    in_lanes([load(simd, a), load(simd, b), load(simd, c), load(simd, d)])
}

/// Loads a vector and its fourth coordinate, whatever that is.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, vector: &Vec4) -> f32x4<S> {
    f32x4::from_slice(simd, vector.as_ref())
}

/// Turns four vectors, with anything for fourth coordinates, into three coordinates of four lanes.
#[inline(always)]
fn in_lanes<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    [ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d))]
}
