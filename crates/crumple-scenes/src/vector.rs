//! Three-dimensional arithmetic in f64, and the one place where it becomes f32.
//!
//! Every scene computes in f64 and rounds once, in [`round`]. Sums have one fixed order, sines come from `libm`, and
//! Rust never fuses a product with a sum behind our back: so the bits are the same on every platform.

/// A point or a direction while it is being computed.
pub(crate) type Vector = [f64; 3];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// `from` at 0, `to` at 1.
pub(crate) fn mix(from: Vector, to: Vector, share: f64) -> Vector {
    add(from, scale(sub(to, from), share))
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of `a`, which must not be zero.
pub(crate) fn unit(a: Vector) -> Vector {
    scale(a, 1.0 / length(a))
}

/// The f32 position a scene hands out: the only rounding there is.
pub(crate) fn round(a: Vector) -> [f32; 3] {
    [a[0] as f32, a[1] as f32, a[2] as f32]
}
