//! Eight values at a time: vectors, triangles and boxes whose coordinates lie in the lanes of SIMD registers.
//!
//! The only folder that names fearless_simd (`tests/behaviour/layers.rs` reads every file); all others take vectors from
//! [`vectors`]. It holds the arithmetic that the exact test (`exact::quick`),
//! the tree and the fans of neighbours share. Functions are `#[inline(always)]` and written without closures: a
//! closure, or a function that is not inlined, would be compiled without the instructions that the token `simd` makes
//! available.
//!
//! It lies here and not in `tree` because the exact test, which is below the tree, needs the same vectors.

/// Runs an operation with the token of the SIMD level given, compiled once per level that is worth its compile time.
///
/// On x86-64 those are SSE2, AVX2 and, in builds without debug assertions or with the feature `avx512`, AVX-512: tests and
/// debug builds are built in a sixth less time. SSE4.2, which fearless_simd's own macro adds, runs as SSE2: the few
/// machines whose best it is lose about a tenth, and everybody's build of the library is a quarter shorter.
macro_rules! dispatch {
    ($instructions:expr, $simd:pat => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let instructions: $crate::geom::lanes::Instructions = $instructions;
            $crate::geom::lanes::avx512_or!(instructions, $simd => $op, if let Some(token) = instructions.as_avx2() {
                $crate::geom::lanes::compiled_for!(token, $simd => $op)
            } else {
                let token = instructions.as_sse2().expect("every x86-64 processor has SSE2");
                $crate::geom::lanes::compiled_for!(token, $simd => $op)
            })
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!($instructions, $simd => $op)
        }
    }};
}

/// Compiles an operation for AVX-512, beside what is done without it.
#[cfg(all(target_arch = "x86_64", any(not(debug_assertions), feature = "avx512")))]
macro_rules! avx512_or {
    ($instructions:expr, $simd:pat => $op:expr, $without:expr) => {
        if let Some(token) = $instructions.as_avx512() {
            $crate::geom::lanes::compiled_for!(token, $simd => $op)
        } else {
            $without
        }
    };
}

/// This build has no code for AVX-512.
#[cfg(all(target_arch = "x86_64", not(any(not(debug_assertions), feature = "avx512"))))]
macro_rules! avx512_or {
    ($instructions:expr, $simd:pat => $op:expr, $without:expr) => {
        $without
    };
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
mod instructions;
mod number;
mod triples8;
mod vec3;
mod vec8;

pub(crate) use boxes8::{Bounds, Boxes8, Slabs, Squares, Widening, bits};
pub(crate) use dispatch;
pub(crate) use fearless_simd::{Level as Instructions, Simd};
/// Vectors of several widths, and what they can do.
pub(crate) mod vectors {
    pub(crate) use fearless_simd::prelude::*;
    pub(crate) use fearless_simd::{f32x4, f32x8, f64x4, mask32x8, mask64x4, u32x8};
}
pub(crate) use grid8::{Grid, GridBoxes8};
#[cfg(test)]
pub(crate) use instructions::all_simd;
pub(crate) use instructions::chosen_simd;
pub use instructions::{SimdError, SimdLevel, simd_level};
pub(crate) use number::{Arithmetic, Number, Real};
pub(crate) use triples8::Triples8;
pub(crate) use vec3::{LANES, LanePoints, Vec3, Vec3Ops, in_lanes, loaded, select};
pub(crate) use vec8::{Corners, Triangle8, Vec8, Vector, four, load};
#[cfg(target_arch = "x86_64")]
pub(crate) use {avx512_or, compiled_for};

/// How many lanes there are.
pub(crate) const WIDTH: usize = 8;
