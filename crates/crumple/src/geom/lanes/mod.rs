//! Eight values at a time: vectors, triangles and boxes whose coordinates lie in the lanes of SIMD registers.
//!
//! All searches use fearless_simd through this module: it holds the arithmetic that the exact test (`exact::quick`),
//! the tree and the fans of neighbours share. Functions are `#[inline(always)]` and written without closures: a
//! closure, or a function that is not inlined, would be compiled without the instructions that the token `simd` makes
//! available.
//!
//! It lies here and not in `tree` because the exact test, which is below the tree, needs the same vectors.

/// Runs an operation with the token of the SIMD level given, compiled once per level that is worth its compile time.
///
/// On x86-64 those are SSE2, AVX2 and AVX-512. SSE4.2, which fearless_simd's own macro adds, runs as SSE2: the few
/// machines whose best it is lose about a tenth, and everybody's build of the library is a quarter shorter.
macro_rules! dispatch {
    ($level:expr, $simd:pat => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let level: $crate::geom::lanes::Level = $level;
            if let Some(token) = level.as_avx512() {
                $crate::geom::lanes::compiled_for!(token, $simd => $op)
            } else if let Some(token) = level.as_avx2() {
                $crate::geom::lanes::compiled_for!(token, $simd => $op)
            } else {
                let token = level.as_sse2().expect("every x86-64 processor has SSE2");
                $crate::geom::lanes::compiled_for!(token, $simd => $op)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!($level, $simd => $op)
        }
    }};
}

/// Compiles an operation with the instructions that a token stands for.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($token:expr, $simd:pat => $op:expr) => {{
        let $simd = $token;
        $crate::geom::lanes::Simd::vectorize(
            $token,
            #[inline(always)]
            || $op,
        )
    }};
}

mod boxes8;
mod grid8;
mod number;
mod real;
mod triples8;
mod vec8;

pub(crate) use boxes8::{Bounds, Boxes8, Slabs, Squares, Widening, bits};
#[cfg(target_arch = "x86_64")]
pub(crate) use compiled_for;
pub(crate) use dispatch;
pub(crate) use fearless_simd::{Level, Simd};
pub(crate) use grid8::{Grid, GridBoxes8};
pub(crate) use number::Number;
pub(crate) use real::{Real, Vec3};
pub(crate) use triples8::Triples8;
pub(crate) use vec8::{Corners, Triangle8, Vec8, Vector, four, load};

/// How many lanes there are.
pub(crate) const WIDTH: usize = 8;
