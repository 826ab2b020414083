//! Where vertices are, as f64 numbers, whichever they are kept as: for loops that are compiled once for each kind.

use crate::geom::lanes::vectors::*;
use glam::Vec4;

use super::Body;
use super::vertices::Vertices;
use crate::geom::lanes::{Simd, Vec3, Vec8, four};

/// Where the vertices of a body are, without rounding, as it keeps them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Points<'a> {
    F32(&'a Vertices),
    F64(&'a [[f64; 3]]),
}

/// Tells where vertices are, in f64.
pub(crate) trait PointSource: Copy + Sync {
    /// A vertex as it is kept.
    type Kept: Copy + Default;

    /// Reads a vertex, to be widened later.
    fn fetch(self, vertex: u32) -> Self::Kept;

    /// A vertex that was read.
    fn widened(kept: Self::Kept) -> [f64; 3];

    #[inline(always)]
    fn at(self, vertex: u32) -> [f64; 3] {
        Self::widened(self.fetch(vertex))
    }

    /// The corners that three vertices are at.
    #[inline(always)]
    fn corners(self, [p, q, r]: [u32; 3]) -> [[f64; 3]; 3] {
        [self.at(p), self.at(q), self.at(r)]
    }

    /// Four vertices, one per lane.
    #[inline(always)]
    fn four<S: Simd>(self, simd: S, vertices: [u32; 4]) -> Vec3<f64x4<S>> {
        let [p, q, r, s] = vertices.map(|vertex| self.at(vertex));
        let axis = |k: usize| f64x4::from_slice(simd, &[p[k], q[k], r[k], s[k]]);
        [axis(0), axis(1), axis(2)]
    }

    /// Eight vertices, in two halves.
    #[inline(always)]
    fn eight<S: Simd>(self, simd: S, [a, b, c, d, e, f, g, h]: [u32; 8]) -> [Vec3<f64x4<S>>; 2] {
        [self.four(simd, [a, b, c, d]), self.four(simd, [e, f, g, h])]
    }
}

impl PointSource for &Vertices {
    type Kept = Vec4;

    #[inline(always)]
    fn fetch(self, vertex: u32) -> Vec4 {
        self.four(vertex)
    }

    #[inline(always)]
    fn widened(kept: Vec4) -> [f64; 3] {
        [kept.x, kept.y, kept.z].map(f64::from)
    }

    #[inline(always)]
    fn at(self, vertex: u32) -> [f64; 3] {
        self.position(vertex).map(f64::from)
    }

    #[inline(always)]
    fn four<S: Simd>(self, simd: S, [a, b, c, d]: [u32; 4]) -> Vec3<f64x4<S>> {
        let [a, b, c, d] =
            [Vertices::four(self, a), Vertices::four(self, b), Vertices::four(self, c), Vertices::four(self, d)];
        let [x, y, z] = four(simd, [&a, &b, &c, &d]);
        [widened(simd, x), widened(simd, y), widened(simd, z)]
    }

    #[inline(always)]
    fn eight<S: Simd>(self, simd: S, [a, b, c, d, e, f, g, h]: [u32; 8]) -> [Vec3<f64x4<S>>; 2] {
        let [a, b, c, d] =
            [Vertices::four(self, a), Vertices::four(self, b), Vertices::four(self, c), Vertices::four(self, d)];
        let [e, f, g, h] =
            [Vertices::four(self, e), Vertices::four(self, f), Vertices::four(self, g), Vertices::four(self, h)];
        let eight = Vec8::gather(simd, [&a, &b, &c, &d, &e, &f, &g, &h]);
        let (x, p) = simd.widen_f32x8(eight.x);
        let (y, q) = simd.widen_f32x8(eight.y);
        let (z, r) = simd.widen_f32x8(eight.z);
        [[x, y, z], [p, q, r]]
    }
}

impl PointSource for &[[f64; 3]] {
    type Kept = [f64; 3];

    #[inline(always)]
    fn fetch(self, vertex: u32) -> [f64; 3] {
        self[vertex as usize]
    }

    #[inline(always)]
    fn widened(kept: [f64; 3]) -> [f64; 3] {
        kept
    }
}

#[inline(always)]
fn widened<S: Simd>(simd: S, values: f32x4<S>) -> f64x4<S> {
    let (low, high) = simd.widen_f32x4(values);
    simd.combine_f64x2(low, high)
}

/// Either kind, for bodies that differ in theirs: a branch for every vertex.
impl PointSource for &Body {
    type Kept = [f64; 3];

    #[inline(always)]
    fn fetch(self, vertex: u32) -> [f64; 3] {
        self.exact_position(vertex)
    }

    #[inline(always)]
    fn widened(kept: [f64; 3]) -> [f64; 3] {
        kept
    }
}

impl Body {
    /// Where the vertices are now.
    #[inline]
    pub(crate) fn points(&self) -> Points<'_> {
        match self.wide() {
            None => Points::F32(&self.now),
            Some(wide) => Points::F64(&wide.now.positions),
        }
    }
}
