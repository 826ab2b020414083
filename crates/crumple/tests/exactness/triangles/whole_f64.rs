//! f64 numbers as whole numbers of any length, for the references; the fuzz target `triangles_f64_vs_reference` uses it too.

use num_bigint::BigInt;

use super::reference::Corners;

/// A triangle in f64.
pub(crate) type Wide = [[f64; 3]; 3];

/// Numbers in units of the power of two that all of them are multiples of.
fn whole<const N: usize>(numbers: [f64; N]) -> [BigInt; N] {
    let parts = numbers.map(|x| {
        let (bits, exponent) = (x.abs().to_bits(), (x.abs().to_bits() >> 52) as u32);
        let fraction = bits & ((1 << 52) - 1);
        let (size, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
        (if x < 0.0 { -BigInt::from(size) } else { BigInt::from(size) }, exponent)
    });
    let least = parts.iter().filter(|(size, _)| *size != 0.into()).map(|part| part.1).min().unwrap_or(0);
    parts.map(|(size, exponent)| if exponent > least { size << (exponent - least) } else { size })
}

/// Both triangles in one unit; powers of two per axis change no answer.
pub(crate) fn whole_pair(a: &Wide, b: &Wide) -> [Corners<BigInt>; 2] {
    let corners = [a[0], a[1], a[2], b[0], b[1], b[2]];
    let axes = [0, 1, 2].map(|axis| whole(corners.map(|corner| corner[axis])));
    let corner = |at: usize| [0, 1, 2].map(|axis| axes[axis][at].clone());
    [[0, 1, 2].map(corner), [3, 4, 5].map(corner)]
}
