//! Eight triples of numbers side by side: the vertices of eight triangles.

use fearless_simd::prelude::*;
use fearless_simd::u32x8;

use super::WIDTH;

/// Eight triples, number by number.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Triples8 {
    numbers: [[u32; WIDTH]; 3],
}

impl Triples8 {
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, [p, q, r]: [u32; 3]) {
        (self.numbers[0][lane], self.numbers[1][lane], self.numbers[2][lane]) = (p, q, r);
    }

    /// Which of the eight have a number in common with another triple: one bit per lane.
    #[inline(always)]
    pub(crate) fn sharing<S: Simd>(&self, simd: S, [p, q, r]: [u32; 3]) -> u32 {
        let first = u32x8::from_slice(simd, &self.numbers[0]);
        let second = u32x8::from_slice(simd, &self.numbers[1]);
        let third = u32x8::from_slice(simd, &self.numbers[2]);
        let with_p = first.simd_eq(p) | second.simd_eq(p) | third.simd_eq(p);
        let with_q = first.simd_eq(q) | second.simd_eq(q) | third.simd_eq(q);
        let with_r = first.simd_eq(r) | second.simd_eq(r) | third.simd_eq(r);
        (with_p | with_q | with_r).to_bitmask() as u32
    }
}
