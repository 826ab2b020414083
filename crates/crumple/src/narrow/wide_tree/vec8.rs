//! A vector, or a triangle, in each of eight lanes.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x8};
use glam::Vec4;

use super::build::WIDTH;

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
        Self { x: self.y * v.z - self.z * v.y, y: self.z * v.x - self.x * v.z, z: self.x * v.y - self.y * v.x }
    }

    #[inline(always)]
    pub(super) fn dot(self, v: Self) -> f32x8<S> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// This vector where `mask` says so, the other elsewhere.
    #[inline(always)]
    pub(super) fn select(self, mask: mask32x8<S>, other: Self) -> Self {
        Self { x: mask.select(self.x, other.x), y: mask.select(self.y, other.y), z: mask.select(self.z, other.z) }
    }

    /// Loads eight vertices and turns them into lanes.
    #[inline(always)]
    pub(super) fn gather(simd: S, vertices: &[Vec4], chosen: &[u32; WIDTH]) -> Self {
        let [a, b, c, d, e, f, g, h] = *chosen;
        let (x, y, z) = turned(simd, vertices, [a, b, c, d]);
        let (p, q, r) = turned(simd, vertices, [e, f, g, h]);
        Self { x: x.combine(p), y: y.combine(q), z: z.combine(r) }
    }
}

impl<S: Simd> Triangle8<S> {
    /// Loads the corners of eight triangles, given by their vertices.
    #[inline(always)]
    pub(super) fn gather(simd: S, vertices: &[Vec4], corners: &[[u32; 3]; WIDTH]) -> Self {
        Self {
            p: Vec8::gather(simd, vertices, &corner(corners, 0)),
            q: Vec8::gather(simd, vertices, &corner(corners, 1)),
            r: Vec8::gather(simd, vertices, &corner(corners, 2)),
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

/// One corner of each of eight triangles.
#[inline(always)]
fn corner(corners: &[[u32; 3]; WIDTH], at: usize) -> [u32; WIDTH] {
    let [a, b, c, d, e, f, g, h] = corners;
    [a[at], b[at], c[at], d[at], e[at], f[at], g[at], h[at]]
}

/// Loads four padded vertices and turns them into three coordinates of four lanes.
#[inline(always)]
fn turned<S: Simd>(simd: S, vertices: &[Vec4], [i, j, k, l]: [u32; 4]) -> (f32x4<S>, f32x4<S>, f32x4<S>) {
    let a = f32x4::from_slice(simd, vertices[i as usize].as_ref());
    let b = f32x4::from_slice(simd, vertices[j as usize].as_ref());
    let c = f32x4::from_slice(simd, vertices[k as usize].as_ref());
    let d = f32x4::from_slice(simd, vertices[l as usize].as_ref());
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    (ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d)))
}
