//! The first hit of a ray.
//!
//! Boxes that the ray misses, or that begin beyond the first hit so far, are left out; of the rest the nearest is
//! visited first. At a leaf `lanes` leaves out what the ray surely misses, and `exact::ray` decides about the rest:
//! whether a triangle is hit is exact, so that no ray slips through between two triangles. A triangle is hit where the
//! ray meets it as a closed set: also edge-on, and if it has no area. Of hits with the same t in f64 the one of the
//! triangle with the smallest number counts.
//!
//! Rounding. Places along the ray are counted in f32, in units that make the largest component of the direction 1 to 2.
//! A side b of a box is met at (b + moved − o) · i with i the inverse of the direction, evaluated as b · i plus a
//! constant. With R the sum of the largest coordinates of boxes and of the origin: boxes are known to within 2^-21 R,
//! i is rounded once, the product, the sum and the constant once each, all within 2^-24 R |i|, and t of a hit is right
//! to within 2^-25 R |i| (`exact::ray`). Together that is less than 2^-20 R |i|, which is taken off where boxes begin
//! and added where they end. An axis along which the direction is 0 says only whether the ray passes through the box;
//! one along which i is so large that products could overflow says nothing. Boxes of f64 positions are those of copies
//! rounded to f32, off by 2^-24 R |i| more, which there is room for; `lanes` adds it, and triangles are hit as they are.

use super::lanes::Shear;
use super::stack::Stack;
use crate::exact::{ExactRay, RayMeeting};
use crate::geom::closest::triangle_to_origin;
use crate::geom::lanes::Vec3Ops;
use crate::geom::lanes::vectors::*;
use crate::geom::lanes::{Bounds, Boxes8, Simd, Slabs, bits};
use crate::geom::{Aabb, TriangleId};
use crate::tree::{Leaf8, View};

/// A ray: all points origin + t · direction with t ≥ 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray {
    /// Where it starts; a triangle there is hit.
    pub origin: [f32; 3],
    /// Where it goes; of any length but 0.
    pub direction: [f32; 3],
}

impl Ray {
    /// A ray from `origin` along `direction`.
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, direction }
    }

    /// A point of the ray.
    pub fn at(&self, t: f64) -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(self.origin[axis]) + t * f64::from(self.direction[axis]))
    }
}

/// Where a ray first hits a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// How far along the ray, in lengths of its direction: see [`Ray::at`].
    pub t: f64,
    /// The triangle that is hit; of several at the same t, the one with the smallest number.
    pub triangle: TriangleId,
    /// Where on it: its barycentric coordinates.
    pub barycentric: [f64; 3],
    /// The unit normal of the triangle: its corners run counterclockwise around it. 0 for a triangle without area.
    pub normal: [f64; 3],
}

/// A ray on its way through bodies, and its first hit so far.
pub(super) struct Walk {
    ray: Ray,
    exact: ExactRay,
    /// A power of two; places are counted in lengths of the direction over it.
    scale: f64,
    /// No smaller than the place of the first hit so far.
    most: f32,
    first: Option<(RayMeeting, u32, [[f64; 3]; 3])>,
}

impl Walk {
    /// Looks for a hit at `most` or before it.
    pub(super) fn new(ray: Ray, most: f64) -> Self {
        let exact = ExactRay::new(ray.origin, ray.direction);
        let largest = ray.direction.iter().fold(0.0, |most: f64, &x| most.max(f64::from(x).abs()));
        // Its exponent alone.
        let scale = f64::from_bits(largest.to_bits() & 0x7ff << 52);
        Self { ray, exact, scale, most: rounded_up(most * scale), first: None }
    }

    /// Goes through a body.
    #[inline(always)]
    pub(super) fn through<S: Simd>(&mut self, simd: S, view: &View<'_>, stack: &mut Stack) {
        let Some(root) = view.root() else { return };
        let Ray { origin, direction } = self.ray;
        let reach = view.largest + origin.iter().fold(0.0, |most: f64, &x| most.max(f64::from(x).abs()));
        let (slabs, within) = self.slabs(view, reach);
        let shear = Shear::new(origin, direction, self.scale, rounded_up(reach), view.rounding());
        let (mut boxes, mut leaf) = (Boxes8::EMPTY, Leaf8::EMPTY);
        stack.start(root);
        while let Some(node) = stack.pop(self.most) {
            if node.height == 0 {
                let Some((triangles, in_use)) = view.leaf(simd, node.index, &mut leaf) else { continue };
                let may_meet = shear.may_meet(simd, triangles, self.most) & in_use;
                for lane in bits(may_meet) {
                    stack.examined += 1;
                    let corners = view.exact_triangle(triangles, node.index, lane);
                    self.offer(corners, view.number(node.index, lane));
                }
                continue;
            }
            let boxes = view.boxes(simd, node, &mut boxes);
            let (near, far) = boxes.slabs(simd, &slabs);
            let mut met = (near.simd_le(far) & near.simd_le(self.most)).to_bitmask() as u32 & view.in_use(node);
            if let Some(within) = &within {
                met &= boxes.overlapping(simd, within);
            }
            stack.push(node, met, &near.into());
        }
    }

    /// The ray as boxes are compared with it; with a box that it stays in if it does not move along some axis.
    #[inline(always)]
    fn slabs(&self, view: &View<'_>, reach: f64) -> (Slabs, Option<Bounds>) {
        let slack = 2f64.powi(-20) * reach + f64::from(f32::MIN_POSITIVE);
        let mut slabs = Slabs {
            per_unit: [0.0; 3],
            near: [f32::NEG_INFINITY; 3],
            far: [f32::INFINITY; 3],
            is_negative: [false; 3],
        };
        let mut within = Bounds { min: [f32::MIN; 3], max: [f32::MAX; 3] };
        let mut stays = false;
        for axis in 0..3 {
            let (origin, direction) = (f64::from(self.ray.origin[axis]), f64::from(self.ray.direction[axis]));
            let (low, high) = (view.moved_min[axis], view.moved_max[axis]);
            if direction == 0.0 {
                stays = true;
                within.min[axis] = (origin - high - slack) as f32;
                within.max[axis] = (origin - low + slack) as f32;
                continue;
            }
            let inverse = self.scale / direction;
            if reach * inverse.abs() >= 2f64.powi(120) {
                continue;
            }
            let (first, last) = if direction < 0.0 { (high, low) } else { (low, high) };
            slabs.is_negative[axis] = direction < 0.0;
            slabs.per_unit[axis] = inverse as f32;
            slabs.near[axis] = ((first - origin) * inverse - slack * inverse.abs()) as f32;
            slabs.far[axis] = ((last - origin) * inverse + slack * inverse.abs()) as f32;
        }
        (slabs, stays.then_some(within))
    }

    /// Takes a triangle for the first hit if it is.
    #[inline(always)]
    fn offer(&mut self, corners: [[f64; 3]; 3], number: u32) {
        let Some(meeting) = self.exact.meets_f64(&corners) else { return };
        let is_first = self
            .first
            .as_ref()
            .is_none_or(|(first, of_first, _)| meeting.t < first.t || meeting.t == first.t && number < *of_first);
        if is_first {
            self.most = self.most.min(rounded_up(meeting.t * self.scale));
            self.first = Some((meeting, number, corners));
        }
    }

    /// The first hit.
    #[inline(always)]
    pub(super) fn hit(&self) -> Option<RayHit> {
        let (RayMeeting { t, weights }, number, corners) = self.first?;
        let at = self.ray.at(t);
        let barycentric =
            weights.unwrap_or_else(|| triangle_to_origin(&corners.map(|corner| corner.minus(at))).weights);
        let normal = corners[1].minus(corners[0]).cross(corners[2].minus(corners[0]));
        let length = normal.dot(normal).sqrt();
        let normal = if length > 0.0 { normal.map(|x| x / length) } else { [0.0; 3] };
        Some(RayHit { t, triangle: TriangleId(number), barycentric, normal })
    }
}

/// Whether a ray may reach a box at `most` or before it; not if the box is empty.
pub(crate) fn may_reach(ray: &Ray, bounds: &Aabb, most: f64) -> bool {
    let (mut near, mut far) = (0.0f64, most);
    let largest = |numbers: &[f32; 3]| numbers.iter().fold(0.0, |most: f64, &x| most.max(f64::from(x).abs()));
    // The roundings of a difference and a quotient are far below it, t is right to within 2^-25 of the same, and if the box
    // is that of rounded copies, vertices lie outside by at most 2^-24 of it.
    let slack = 2f64.powi(-20) * (largest(&bounds.min()).max(largest(&bounds.max())) + largest(&ray.origin));
    for axis in 0..3 {
        let (origin, direction) = (f64::from(ray.origin[axis]), f64::from(ray.direction[axis]));
        let (min, max) = (f64::from(bounds.min()[axis]), f64::from(bounds.max()[axis]));
        if direction == 0.0 {
            if origin < min || origin > max {
                return false;
            }
            continue;
        }
        let (first, last) = if direction > 0.0 { (min, max) } else { (max, min) };
        near = near.max((first - origin) / direction - slack / direction.abs());
        far = far.min((last - origin) / direction + slack / direction.abs());
    }
    near <= far
}

/// To f32, no smaller.
fn rounded_up(x: f64) -> f32 {
    (x as f32).next_up()
}
