//! Whether a point is inside a closed body, decided exactly.
//!
//! The line through the point along z is followed from below: each triangle that it crosses before the point is an
//! entry or an exit, by exact signs (`exact::before_point_f64`), and the point is inside if these do not balance, as
//! `volume` counts them. The walk goes through the boxes that the line meets.
//!
//! Of f64 numbers boxes and triangles are compared as copies rounded to f32, and so is the point: what it lies within, its
//! copy does (`body::wide`), so nothing has to be added for that.

use super::stack::Stack;
use crate::exact::{BeforePoint, before_point_f64};
use crate::geom::Axis;
use crate::geom::lanes::vectors::*;
use crate::geom::lanes::{Bounds, Boxes8, Simd, bits};
use crate::tree::{Leaf8, View};

/// Whether a point lies inside, or on the surface.
#[inline(always)]
pub(super) fn contains<S: Simd>(simd: S, view: &View<'_>, stack: &mut Stack, exact: [f64; 3]) -> bool {
    let Some(root) = view.root() else { return false };
    let point = exact.map(|x| x as f32);
    if !view.bounds().contains(point) {
        return false;
    }
    // Boxes are known to within 2^-21 of the largest coordinate, and the sums below are rounded to f32.
    let slack = 2f64.powi(-20) * 2.0 * view.largest + f64::from(f32::MIN_POSITIVE);
    let low = |axis: usize| (f64::from(point[axis]) - view.moved_max[axis] - slack) as f32;
    let high = |axis: usize| (f64::from(point[axis]) - view.moved_min[axis] + slack) as f32;
    let line = Bounds { min: [low(0), low(1), f32::MIN], max: [high(0), high(1), high(2)] };
    let before = Bounds { min: [point[0], point[1], f32::MIN], max: point };
    let (mut entries, mut exits) = (0, 0);
    let (mut boxes, mut leaf) = (Boxes8::EMPTY, Leaf8::EMPTY);
    stack.start(root);
    while let Some(node) = stack.pop(0.0) {
        if node.height > 0 {
            let crossed = view.boxes(simd, node, &mut boxes).overlapping(simd, &line) & view.in_use(node);
            stack.push(node, crossed, &[0.0; 8]);
            continue;
        }
        let Some((leaf, in_use)) = view.leaf(simd, node.index, &mut leaf) else { continue };
        let crossed = overlapping(simd, leaf, &before) & in_use;
        for lane in bits(crossed) {
            match before_point_f64(Axis::Z, &view.exact_triangle(leaf, node.index, lane), exact) {
                BeforePoint::Nothing => {}
                BeforePoint::Entry => entries += 1,
                BeforePoint::Exit => exits += 1,
                BeforePoint::OnSurface => return true,
            }
        }
    }
    entries != exits
}

/// Which triangles of a leaf have a box that overlaps another: one bit each.
#[inline(always)]
fn overlapping<S: Simd>(simd: S, leaf: &Leaf8, other: &Bounds) -> u32 {
    let mut found = 0xff;
    for axis in 0..3 {
        let p = f32x8::from_slice(simd, &leaf.0[0][axis]);
        let q = f32x8::from_slice(simd, &leaf.0[1][axis]);
        let r = f32x8::from_slice(simd, &leaf.0[2][axis]);
        let overlaps = p.min(q).min(r).simd_le(other.max[axis]) & p.max(q).max(r).simd_ge(other.min[axis]);
        found &= overlaps.to_bitmask() as u32;
    }
    found
}
