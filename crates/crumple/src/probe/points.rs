//! The closest point of a body, by branch and bound.
//!
//! Boxes that are farther than the best upper bound so far are left out; of the rest the nearest is visited first. At a
//! leaf `lanes` tells between which two numbers the distance of each triangle lies: the least upper one becomes the
//! bound, and triangles whose lower one is within it are kept, to be examined in f64 in the end. What is kept is the
//! answer and its neighbours at an edge or corner, mostly.
//!
//! Rounding of boxes: with L the largest coordinate of boxes and displacements, a lower side is known to within
//! 2^-21 L, and where it lies relative to the point is rounded twice, to within 2^-23 (L + |p|). 2^-20 (L + |p|) is taken
//! off each gap instead of either. The sum of three squares carries 5 · 2^-24 of itself, which 2^-20 of the bound covers;
//! the smallest normal number covers what underflows; and a sum that overflows is within a bound that overflows. Of f64
//! numbers, boxes and the point are copies rounded to f32, off by 2^-24 L and 2^-24 |p| at most: the above leaves 3/8 and
//! 7/8 of 2^-20, so that is covered as well. `lanes` adds it to its bounds; examined are the f64 numbers.
//!
//! Distances that are equal in f64 are decided by the smaller number of the triangle.

use super::inside;
use super::lanes::{distances, slack};
use super::stack::Stack;
use crate::exact::segment_meets_triangle;
use crate::geom::TriangleId;
use crate::geom::closest::{Apart, triangle_to_origin};
use crate::geom::lanes::vectors::*;
use crate::geom::lanes::{Bounds, Boxes8, Simd, Vec3Ops, bits};
use crate::tree::{Leaf8, View};

/// The point of a body that is closest to another point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoint {
    /// How far it is, in the units of the positions, accurate to 10^-14 of the larger of it and the triangle's extent; 0 exactly if the
    /// point lies on the surface. Where a sign was asked for, negative inside the body.
    pub distance: f64,
    /// Where it is.
    pub point: [f64; 3],
    /// The triangle it lies on; of several, the one with the smallest number.
    pub triangle: TriangleId,
    /// Its barycentric coordinates there: 0 for a corner that has no part in it.
    pub barycentric: [f64; 3],
}

/// Which triangles of a body are asked about.
pub(crate) trait Which {
    /// Whether all are.
    const IS_ALL: bool;

    /// Those in the lanes of a leaf.
    fn lanes(&self, view: &View<'_>, leaf: u32, in_use: u32) -> u32;
}

/// All triangles.
pub(crate) struct All;

impl Which for All {
    const IS_ALL: bool = true;

    #[inline(always)]
    fn lanes(&self, _: &View<'_>, _: u32, in_use: u32) -> u32 {
        in_use
    }
}

/// All but those for which this is true.
pub(crate) struct AllBut<F>(pub(crate) F);

impl<F: Fn(u32) -> bool> Which for AllBut<F> {
    const IS_ALL: bool = false;

    #[inline(always)]
    fn lanes(&self, view: &View<'_>, leaf: u32, in_use: u32) -> u32 {
        let is_asked = |&lane: &usize| !self.0(view.number(leaf, lane));
        bits(in_use).filter(is_asked).fold(0, |lanes, lane| lanes | 1 << lane)
    }
}

/// Triangles kept for a closer look.
const KEPT: usize = 24;

/// Searches for closest points, one after another, in memory of its own.
pub(super) struct Search {
    stack: Stack,
    point: [f64; 3],
    /// The same in f32.
    rounded: [f32; 3],
    /// What roundings may change about distances in f32.
    slack: f32,
    /// No smaller than the distance.
    upper: f32,
    kept: [Kept; KEPT],
    len: usize,
    found: Option<(f64, u32, Apart<f64>)>,
    /// The leaf in which the last one lay: a first bound for the next.
    leaf: Option<u32>,
}

#[derive(Clone, Copy, Default)]
struct Kept {
    lower: f32,
    leaf: u32,
    lane: u32,
}

impl Search {
    pub(super) fn new() -> Self {
        let kept = [Kept::default(); KEPT];
        let (point, rounded, slack) = ([0.0; 3], [0.0; 3], 0.0);
        Self { stack: Stack::new(), point, rounded, slack, upper: 0.0, kept, len: 0, found: None, leaf: None }
    }

    /// The closest point of a body that has triangles, always of the same one.
    #[inline(always)]
    pub(super) fn closest<S: Simd>(&mut self, simd: S, view: &View<'_>, point: [f64; 3]) -> ClosestPoint {
        self.closest_of(simd, view, point, &All, 0.0).expect("some triangle is the closest")
    }

    /// The closest point on the triangles that are asked about; `None` if there are none, or as soon as it is known to be nearer than
    /// `least`.
    #[inline(always)]
    pub(super) fn closest_of<S: Simd>(
        &mut self,
        simd: S,
        view: &View<'_>,
        point: [f64; 3],
        of: &impl Which,
        least: f32,
    ) -> Option<ClosestPoint> {
        (self.point, self.upper, self.len, self.found) = (point, f32::INFINITY, 0, None);
        self.rounded = point.map(|x| x as f32);
        let off = |axis: usize| (point[axis] - f64::from(self.rounded[axis])).abs();
        self.slack = slack(view.rounding(), off(0).max(off(1)).max(off(2)));
        let reach = view.largest + point.iter().fold(0.0, |most: f64, &x| most.max(x.abs()));
        let slack = 2f64.powi(-20) * reach;
        let mut from = Bounds { min: [0.0; 3], max: [0.0; 3] };
        for axis in 0..3 {
            from.min[axis] = (point[axis] - view.moved_max[axis] - slack) as f32;
            from.max[axis] = (point[axis] - view.moved_min[axis] + slack) as f32;
        }
        let (mut boxes, mut leaf) = (Boxes8::EMPTY, Leaf8::EMPTY);
        if let Some(start) = self.leaf
            && let Some((triangles, in_use)) = view.leaf(simd, start, &mut leaf)
        {
            let found = distances(simd, triangles, self.rounded, self.slack);
            self.bound(found.upper, of.lanes(view, start, in_use), of);
        }
        if self.upper < least {
            return None;
        }
        self.stack.start(view.root()?);
        while let Some(node) = self.stack.pop(self.squared()) {
            if node.height == 0 {
                if let Some(triangles) = view.leaf(simd, node.index, &mut leaf) {
                    self.examine(simd, view, node.index, triangles, of);
                    if self.upper < least {
                        return None;
                    }
                }
                continue;
            }
            let squared = view.boxes(simd, node, &mut boxes).squared_distances(simd, &from);
            let near = squared.simd_le(self.squared()).to_bitmask() as u32 & view.in_use(node);
            self.stack.push(node, near, &squared.into());
        }
        self.examine_kept(simd, view);
        let (distance, number, Apart { vector, weights, .. }) = self.found?;
        Some(ClosestPoint { distance, point: point.plus(vector), triangle: TriangleId(number), barycentric: weights })
    }

    /// As [`closest`](Self::closest), with a negative distance inside a closed body.
    #[inline(always)]
    pub(super) fn signed<S: Simd>(&mut self, simd: S, view: &View<'_>, point: [f64; 3]) -> ClosestPoint {
        let mut found = self.closest(simd, view, point);
        if found.distance > 0.0 && inside::contains(simd, view, &mut self.stack, point) {
            found.distance = -found.distance;
        }
        found
    }

    /// Counts the work of the searches so far.
    pub(super) fn spend(&mut self) {
        self.stack.spend();
    }

    /// What the squared distance of a box is compared with.
    #[inline(always)]
    fn squared(&self) -> f32 {
        self.upper * self.upper * (1.0 + 2f32.powi(-20)) + f32::MIN_POSITIVE
    }

    /// Takes an upper bound from the triangles of a leaf in these lanes.
    #[inline(always)]
    fn bound<S: Simd, W: Which>(&mut self, upper: f32x8<S>, lanes: u32, _: &W) {
        if W::IS_ALL {
            // Lanes that are not in use repeat others.
            self.upper = self.upper.min(upper.reduce_min());
        } else {
            let upper: [f32; 8] = upper.into();
            self.upper = bits(lanes).fold(self.upper, |least, lane| least.min(upper[lane]));
        }
    }

    /// Keeps the triangles of a leaf that may be the closest.
    #[inline(always)]
    fn examine<S: Simd>(
        &mut self,
        simd: S,
        view: &View<'_>,
        index: u32,
        (leaf, in_use): (&Leaf8, u32),
        of: &impl Which,
    ) {
        let found = distances(simd, leaf, self.rounded, self.slack);
        // What is surely farther than the bound says nothing about it.
        let near = found.lower.simd_le(self.upper).to_bitmask() as u32 & in_use;
        let lanes = of.lanes(view, index, near);
        self.bound(found.upper, lanes, of);
        let may_be = found.lower.simd_le(self.upper).to_bitmask() as u32 & lanes;
        if may_be == 0 {
            return;
        }
        if self.len + 8 > KEPT {
            self.examine_kept(simd, view);
        }
        let lower: [f32; 8] = found.lower.into();
        for lane in bits(may_be) {
            self.kept[self.len] = Kept { lower: lower[lane], leaf: index, lane: lane as u32 };
            self.len += 1;
        }
    }

    /// Examines in f64 the triangles kept that may still be the closest.
    #[inline(always)]
    fn examine_kept<S: Simd>(&mut self, simd: S, view: &View<'_>) {
        let mut room = Leaf8::EMPTY;
        for at in 0..self.len {
            let Kept { lower, leaf, lane } = self.kept[at];
            if lower > self.upper {
                continue;
            }
            let Some((triangles, _)) = view.leaf(simd, leaf, &mut room) else { continue };
            self.stack.examined += 1;
            let corners = view.exact_triangle(triangles, leaf, lane as usize);
            let ((found, distance), number) = (closest_on(self.point, &corners), view.number(leaf, lane as usize));
            let is_closer =
                self.found.is_none_or(|(best, of_best, _)| distance < best || distance == best && number < of_best);
            if is_closer {
                // Rounded up, and beyond what the lower bounds of others may be too high.
                self.upper = self.upper.min((distance as f32 * (1.0 + 2f32.powi(-20))).next_up());
                self.found = Some((distance, number, found));
                self.leaf = Some(leaf);
            }
        }
        self.len = 0;
    }
}

/// The point of a closed triangle that is closest to `point`, and how far it is: 0 exactly if the point lies on the triangle.
fn closest_on(point: [f64; 3], corners: &[[f64; 3]; 3]) -> (Apart<f64>, f64) {
    let p = corners.map(|corner| corner.minus(point));
    let mut best = triangle_to_origin(&p);
    let mut distance = best.squared.sqrt();
    let reach = p.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // Rounding may leave a little where there is nothing, or nothing where there is a little.
    if distance <= 2f64.powi(-40) * reach {
        if segment_meets_triangle(point, point, corners) {
            (distance, best.vector) = (0.0, [0.0; 3]);
        } else {
            distance = distance.max(f64::MIN_POSITIVE);
        }
    }
    (best, distance)
}
