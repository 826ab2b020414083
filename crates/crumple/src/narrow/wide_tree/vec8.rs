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

    /// Loads eight vertices.
    #[inline(always)]
    pub(super) fn gather(simd: S, vertices: &[Vec4], chosen: &[u32; WIDTH]) -> Self {
        let mut loaded = [&vertices[0]; WIDTH];
        for lane in 0..WIDTH {
            loaded[lane] = &vertices[chosen[lane] as usize];
        }
        Self::of(simd, loaded)
    }

    /// Turns eight padded vertices into lanes.
    #[inline(always)]
    fn of(simd: S, v: [&Vec4; WIDTH]) -> Self {
        let (x, y, z) = turned(simd, [v[0], v[1], v[2], v[3]]);
        let (p, q, r) = turned(simd, [v[4], v[5], v[6], v[7]]);
        Self { x: x.combine(p), y: y.combine(q), z: z.combine(r) }
    }
}

impl<S: Simd> Triangle8<S> {
    /// Loads the corners of eight triangles, given by their vertices.
    #[inline(always)]
    pub(super) fn gather(simd: S, vertices: &[Vec4], corners: &[[u32; 3]; WIDTH]) -> Self {
        Self {
            p: Vec8::of(simd, chosen(vertices, corners, 0)),
            q: Vec8::of(simd, chosen(vertices, corners, 1)),
            r: Vec8::of(simd, chosen(vertices, corners, 2)),
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

#[inline(always)]
fn chosen<'v>(vertices: &'v [Vec4], corners: &[[u32; 3]; WIDTH], corner: usize) -> [&'v Vec4; WIDTH] {
    let mut chosen = [&vertices[0]; WIDTH];
    for lane in 0..WIDTH {
        chosen[lane] = &vertices[corners[lane][corner] as usize];
    }
    chosen
}

#[inline(always)]
fn turned<S: Simd>(simd: S, v: [&Vec4; 4]) -> (f32x4<S>, f32x4<S>, f32x4<S>) {
    let (a, b) = (f32x4::from_slice(simd, v[0].as_ref()), f32x4::from_slice(simd, v[1].as_ref()));
    let (c, d) = (f32x4::from_slice(simd, v[2].as_ref()), f32x4::from_slice(simd, v[3].as_ref()));
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    (ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d)))
}
