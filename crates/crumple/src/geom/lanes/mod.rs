//! Eight values at a time: vectors, triangles and boxes whose coordinates lie in the lanes of SIMD registers.
//!
//! All searches use fearless_simd through this module: it holds the arithmetic that the exact test (`exact::quick`),
//! the tree and the fans of neighbours share. Functions are `#[inline(always)]` and written without closures: a
//! closure, or a function that is not inlined, would be compiled without the instructions that the token `simd` makes
//! available.
//!
//! It lies here and not in `tree` because the exact test, which is below the tree, needs the same vectors.

mod boxes8;
mod number;
mod triples8;
mod vec8;

pub(crate) use boxes8::{Bounds, Boxes8, Widening, bits};
pub(crate) use fearless_simd::{Level, Simd, dispatch};
pub(crate) use number::Number;
pub(crate) use triples8::Triples8;
pub(crate) use vec8::{Corners, Triangle8, Vec8, Vector, load};

/// How many lanes there are.
pub(crate) const WIDTH: usize = 8;
