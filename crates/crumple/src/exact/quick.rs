//! Decides nearly all pairs in f32, four lanes at a time; what it can not be sure of it leaves to `filter`.
//!
//! The test is that of `triangle_pair`, and the determinants are those of `filter` evaluated in f32. The argument there
//! carries over with ε = 2^-24: the error is at most 48ε ExEyEz up to terms in ε² — as long as nothing underflows or
//! overflows. The bound below is 64ε ExEyEz, computed with at most five roundings; the slack of 16ε covers these and the
//! ε² terms.
//!
//! Underflow: with gradual underflow, differences of f32 numbers are exact when tiny, and a product that underflows is
//! off by at most 2^-150. The two products in a component of the normal, then multiplied by a difference of at most E
//! (the largest extent), and the three products of the dot product, are off by at most (6E + 3) · 2^-150; the bound's own
//! products may fall short by (1 + E) · 2^-150 · 64 at most. Adding 2^-140 · (1 + E) would cover all of it; 2^-126, the
//! smallest normal number, does too and does not slow the processor down as a subnormal one does.
//!
//! Overflow: with E < 2^40 every product stays below 2^123. Larger extents are left to the next layer.

use glam::{Mat4, Vec4, Vec4Swizzles};

/// Whether two triangles meet, if f32 can tell for sure.
#[inline]
pub(super) fn meet(a: &[Vec4; 3], b: &[Vec4; 3]) -> Option<bool> {
    let low = a[0].min(a[1]).min(a[2]).min(b[0].min(b[1]).min(b[2]));
    let high = a[0].max(a[1]).max(a[2]).max(b[0].max(b[1]).max(b[2]));
    let extent = high - low;
    let largest = extent.max_element();
    if largest >= 2.0f32.powi(40) {
        return None;
    }
    const FACTOR: f32 = 64.0 * (f32::EPSILON / 2.0);
    let bound = FACTOR * (extent.x * extent.y * extent.z) + f32::MIN_POSITIVE * (1.0 + largest);
    let sides_of_b = Sides::of(b, a, bound);
    if sides_of_b.is_one() {
        return Some(false);
    }
    let sides_of_a = Sides::of(a, b, bound);
    if sides_of_a.is_one() {
        return Some(false);
    }
    let ([p_a, mut q_a, mut r_a], a_is_above) = sides_of_a.turned(a)?;
    let ([p_b, mut q_b, mut r_b], b_is_above) = sides_of_b.turned(b)?;
    if !a_is_above {
        std::mem::swap(&mut q_b, &mut r_b);
    }
    if !b_is_above {
        std::mem::swap(&mut q_a, &mut r_a);
    }
    // As in `triangle_pair::intervals_overlap`: neither tetrahedron may be positive.
    let (first, second) = (tetrahedron(p_a, q_a, p_b, q_b), tetrahedron(p_a, r_a, r_b, p_b));
    if first > bound || second > bound {
        return Some(false);
    }
    (first < -bound && second < -bound).then_some(true)
}

/// On which sides of a plane three corners surely lie: a bit a corner.
struct Sides {
    above: u32,
    below: u32,
}

impl Sides {
    #[inline]
    fn of(corners: &[Vec4; 3], plane: &[Vec4; 3], bound: f32) -> Self {
        let normal = cross(plane[1] - plane[0], plane[2] - plane[0]);
        let from = corners.map(|corner| corner - plane[0]);
        let lanes = Mat4::from_cols(from[0], from[1], from[2], Vec4::ZERO).transpose();
        let heights = lanes.x_axis * normal.x + lanes.y_axis * normal.y + lanes.z_axis * normal.z;
        // The fourth lane is 0 and so neither above nor below.
        Self { above: heights.cmpgt(Vec4::splat(bound)).bitmask(), below: heights.cmplt(Vec4::splat(-bound)).bitmask() }
    }

    /// Whether all corners surely lie on one side.
    fn is_one(&self) -> bool {
        self.above == 0b111 || self.below == 0b111
    }

    /// The corners, in their cyclic order, from the one that is alone on its side, and whether that is above; nothing
    /// if any corner is in doubt.
    #[inline]
    fn turned(&self, corners: &[Vec4; 3]) -> Option<([Vec4; 3], bool)> {
        if self.above | self.below != 0b111 {
            return None;
        }
        let alone_above = self.above.is_power_of_two();
        let first = if alone_above { self.above } else { self.below }.trailing_zeros() as usize % 3;
        Some(([corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]], alone_above))
    }
}

/// det(b − a, c − a, d − a).
#[inline]
fn tetrahedron(a: Vec4, b: Vec4, c: Vec4, d: Vec4) -> f32 {
    cross(b - a, c - a).dot(d - a)
}

#[inline]
fn cross(u: Vec4, v: Vec4) -> Vec4 {
    u.yzxw() * v.zxyw() - u.zxyw() * v.yzxw()
}
