//! The two kinds of numbers that positions are made of.

/// A coordinate of a position: `f32` or `f64`.
///
/// A number without a type, as in `[0.5, 1.0, 2.0]`, is an `f64` in Rust.
pub trait Coordinate: Copy + Default + Into<f64> + sealed::Sealed {}

impl Coordinate for f32 {}

impl Coordinate for f64 {}

/// Which numbers the positions of a body are: those it was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Precision {
    /// 32-bit numbers.
    F32,
    /// 64-bit numbers.
    F64,
}

impl std::fmt::Display for Precision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

pub(crate) use sealed::Given;

mod sealed {
    /// Positions as they were given.
    #[derive(Clone, Copy, Debug)]
    pub enum Given<'p> {
        F32(&'p [[f32; 3]]),
        F64(&'p [[f64; 3]]),
    }

    /// What only this crate does with coordinates.
    pub trait Sealed: Sized + std::fmt::Debug + Send + Sync + 'static {
        /// Says which of the two kinds positions are.
        fn given(positions: &[[Self; 3]]) -> Given<'_>;

        /// The bits of a position, mixed with a seed, in two words to be hashed. −0 counts as +0, here and below.
        fn words(position: [Self; 3], seed: u64) -> [u64; 2];

        /// A position in f64: f32 numbers widen without change.
        fn exact(position: [Self; 3]) -> [f64; 3];

        /// Whether two positions have the same bits.
        fn is_same(a: [Self; 3], b: [Self; 3]) -> bool;
    }

    impl Sealed for f32 {
        #[inline]
        fn given(positions: &[[Self; 3]]) -> Given<'_> {
            Given::F32(positions)
        }

        #[inline]
        fn exact(position: [Self; 3]) -> [f64; 3] {
            position.map(f64::from)
        }

        #[inline]
        fn words(position: [Self; 3], seed: u64) -> [u64; 2] {
            // Adding +0 turns −0 into +0 and changes nothing else.
            let [x, y, z] = position.map(|x| u64::from((x + 0.0).to_bits()));
            [(x | y << 32) ^ seed, z]
        }

        #[inline]
        fn is_same(a: [Self; 3], b: [Self; 3]) -> bool {
            a.map(|x| (x + 0.0).to_bits()) == b.map(|x| (x + 0.0).to_bits())
        }
    }

    impl Sealed for f64 {
        #[inline]
        fn given(positions: &[[Self; 3]]) -> Given<'_> {
            Given::F64(positions)
        }

        #[inline]
        fn exact(position: [Self; 3]) -> [f64; 3] {
            position
        }

        #[inline]
        fn words(position: [Self; 3], seed: u64) -> [u64; 2] {
            let [x, y, z] = position.map(|x| (x + 0.0).to_bits());
            let first = (x ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            [(first ^ (first >> 32)).wrapping_add(y), z ^ (z >> 32)]
        }

        #[inline]
        fn is_same(a: [Self; 3], b: [Self; 3]) -> bool {
            a.map(|x| (x + 0.0).to_bits()) == b.map(|x| (x + 0.0).to_bits())
        }
    }
}

impl Given<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::F32(positions) => positions.len(),
            Self::F64(positions) => positions.len(),
        }
    }

    /// A position, in f64: f32 numbers widen without change.
    pub(crate) fn position(&self, vertex: usize) -> [f64; 3] {
        match self {
            Self::F32(positions) => positions[vertex].map(f64::from),
            Self::F64(positions) => positions[vertex],
        }
    }
}
