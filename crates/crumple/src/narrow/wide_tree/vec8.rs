//! A vector, or a triangle, in each of eight lanes.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x8};
use glam::Vec4;

use super::build::WIDTH;
use super::leaf::LeafCache;
use crate::body::Vertices;

/// A vector in each lane.
#[derive(Clone, Copy)]
pub(super) struct Vec8<S: Simd> {
    pub(super) x: f32x8<S>,
    pub(super) y: f32x8<S>,
    pub(super) z: f32x8<S>,
}

/// A triangle in each lane.
#[derive(Clone, Copy)]
pub(super) struct Triangle8<S: Simd> {
    pub(super) p: Vec8<S>,
    pub(super) q: Vec8<S>,
    pub(super) r: Vec8<S>,
}

impl<S: Simd> Vec8<S> {
    #[inline(always)]
    pub(super) fn minus(self, v: Self) -> Self {
        Self { x: self.x - v.x, y: self.y - v.y, z: self.z - v.z }
    }

    #[inline(always)]
    pub(super) fn min(self, v: Self) -> Self {
        Self { x: self.x.min(v.x), y: self.y.min(v.y), z: self.z.min(v.z) }
    }

    #[inline(always)]
    pub(super) fn max(self, v: Self) -> Self {
        Self { x: self.x.max(v.x), y: self.y.max(v.y), z: self.z.max(v.z) }
    }

    #[inline(always)]
    pub(super) fn cross(self, v: Self) -> Self {
        Self {
            x: self.y.mul_sub(v.z, self.z * v.y),
            y: self.z.mul_sub(v.x, self.x * v.z),
            z: self.x.mul_sub(v.y, self.y * v.x),
        }
    }

    #[inline(always)]
    pub(super) fn dot(self, v: Self) -> f32x8<S> {
        self.z.mul_add(v.z, self.y.mul_add(v.y, self.x * v.x))
    }

    /// This vector where `mask` says so, the other elsewhere.
    #[inline(always)]
    pub(super) fn select(self, mask: mask32x8<S>, other: Self) -> Self {
        Self { x: mask.select(self.x, other.x), y: mask.select(self.y, other.y), z: mask.select(self.z, other.z) }
    }

    /// The same in every lane.
    #[inline(always)]
    pub(super) fn splat(simd: S, [x, y, z]: [f32; 3]) -> Self {
        Self { x: f32x8::splat(simd, x), y: f32x8::splat(simd, y), z: f32x8::splat(simd, z) }
    }

    /// Eight vectors, with anything for fourth coordinates, turned into lanes.
    #[inline(always)]
    pub(super) fn of([a, b, c, d, e, f, g, h]: [f32x4<S>; WIDTH]) -> Self {
        Self::joined(in_lanes([a, b, c, d]), in_lanes([e, f, g, h]))
    }

    /// The least of the lanes, along each axis.
    #[inline(always)]
    pub(super) fn least(self) -> [f32; 3] {
        [self.x.reduce_min(), self.y.reduce_min(), self.z.reduce_min()]
    }

    /// The greatest of the lanes, along each axis.
    #[inline(always)]
    pub(super) fn most(self) -> [f32; 3] {
        [self.x.reduce_max(), self.y.reduce_max(), self.z.reduce_max()]
    }

    /// The lanes, coordinate by coordinate.
    #[inline(always)]
    pub(super) fn store(self) -> [[f32; WIDTH]; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    /// Loads eight vertices and turns them into lanes.
    #[inline(always)]
    pub(super) fn gather(simd: S, vertices: &Vertices, chosen: &[u32; WIDTH]) -> Self {
        let [a, b, c, d, e, f, g, h] = *chosen;
        Self::joined(turned(simd, vertices, [a, b, c, d]), turned(simd, vertices, [e, f, g, h]))
    }

    /// Four lanes and four more.
    #[inline(always)]
    fn joined([x, y, z]: [f32x4<S>; 3], [p, q, r]: [f32x4<S>; 3]) -> Self {
        Self { x: x.combine(p), y: y.combine(q), z: z.combine(r) }
    }
}

impl<S: Simd> Triangle8<S> {
    /// Loads eight triangles of fetched leaves, given by their slots.
    #[inline(always)]
    pub(super) fn gather(simd: S, leaves: &LeafCache, [a, b, c, d, e, f, g, h]: [u32; WIDTH]) -> Self {
        let first = four(simd, leaves, [a, b, c, d]);
        let last = four(simd, leaves, [e, f, g, h]);
        Self {
            p: Vec8::joined(first[0], last[0]),
            q: Vec8::joined(first[1], last[1]),
            r: Vec8::joined(first[2], last[2]),
        }
    }

    #[inline(always)]
    pub(super) fn low(&self) -> Vec8<S> {
        self.p.min(self.q).min(self.r)
    }

    #[inline(always)]
    pub(super) fn high(&self) -> Vec8<S> {
        self.p.max(self.q).max(self.r)
    }
}

/// Loads four triangles; returns the three coordinates of each corner in lanes.
#[inline(always)]
fn four<S: Simd>(simd: S, leaves: &LeafCache, [a, b, c, d]: [u32; 4]) -> [[f32x4<S>; 3]; 3] {
    let (a, b, c, d) = (leaves.corners(a), leaves.corners(b), leaves.corners(c), leaves.corners(d));
    [
        in_lanes([load(simd, &a[0]), load(simd, &b[0]), load(simd, &c[0]), load(simd, &d[0])]),
        in_lanes([load(simd, &a[1]), load(simd, &b[1]), load(simd, &c[1]), load(simd, &d[1])]),
        in_lanes([load(simd, &a[2]), load(simd, &b[2]), load(simd, &c[2]), load(simd, &d[2])]),
    ]
}

/// Loads four vertices and turns them into three coordinates of four lanes.
#[inline(always)]
fn turned<S: Simd>(simd: S, vertices: &Vertices, [i, j, k, l]: [u32; 4]) -> [f32x4<S>; 3] {
    let (i, j, k, l) = (vertices.four(i), vertices.four(j), vertices.four(k), vertices.four(l));
    in_lanes([load(simd, &i), load(simd, &j), load(simd, &k), load(simd, &l)])
}

/// Loads a vertex and its fourth coordinate, whatever that is.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, vertex: &Vec4) -> f32x4<S> {
    f32x4::from_slice(simd, vertex.as_ref())
}

/// Turns four vectors, with anything for fourth coordinates, into three coordinates of four lanes.
#[inline(always)]
pub(super) fn in_lanes<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    [ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d))]
}
