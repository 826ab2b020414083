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

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of `a`, which must not be zero.
pub(crate) fn unit(a: Vector) -> Vector {
    scale(a, 1.0 / length(a))
}

/// Two directions that, with the unit vector `axis` as the third, make a right-handed frame.
pub(crate) fn across(axis: Vector) -> [Vector; 2] {
    // Start from the coordinate axis farthest from `axis`, so that the cross product is never short.
    let least = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let first = unit(cross(other, axis));
    [first, cross(axis, first)]
}

/// The smooth step from 0 (at and below 0) to 1 (at and above 1), flat at both ends.
pub(crate) fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A rotation, row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation([Vector; 3]);

impl Rotation {
    /// The right-handed turn by `angle` radians about the unit vector `axis` (Rodrigues' formula).
    pub(crate) fn about(axis: Vector, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let [x, y, z] = axis;
        let t = 1.0 - cos;
        Self([
            [t * x * x + cos, t * x * y - sin * z, t * x * z + sin * y],
            [t * x * y + sin * z, t * y * y + cos, t * y * z - sin * x],
            [t * x * z - sin * y, t * y * z + sin * x, t * z * z + cos],
        ])
    }

    /// The rotation of a quaternion `[x, y, z, w]` of length one.
    pub(crate) fn of_quaternion([x, y, z, w]: [f64; 4]) -> Self {
        Self([
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ])
    }

    pub(crate) fn apply(&self, a: Vector) -> Vector {
        [dot(self.0[0], a), dot(self.0[1], a), dot(self.0[2], a)]
    }
}

/// The f32 position a scene hands out: the only rounding there is.
pub(crate) fn round(a: Vector) -> [f32; 3] {
    [a[0] as f32, a[1] as f32, a[2] as f32]
}
