//! Compares boxes of two bodies by the six axes of their faces.
//!
//! Paper: van den Bergen 1997: of the fifteen axes that can separate two boxes the nine products of edges are left out;
//! what they would have separated is separated further down the tree.
//!
//! Let f be the exact map from the world into the coordinates of `a`, and g that into those of `b`. A point w that two
//! triangles share has f(w) in the box of a leaf of `a`, and g(w) in one of `b`, up to the rounding of the boxes'
//! vertices. With R and t taking b's coordinates to a's, f(w) = R g(w) + t. In doubled numbers, C = min + max and
//! D = max − min, that gives along each axis of a, and with the transposed along each axis of b,
//!
//! ```text
//! |R C_b + 2t − C_a|  ≤  D_a + |R| D_b
//! ```
//!
//! so a violation separates. Roundings: let S be the sum of both bodies' scales, which bounds every coordinate in either
//! frame, and of |t|. Vertices in body coordinates are computed in f64, from unrounded positions, and rounded once, as
//! f64 positions are where the pose is the identity (2^-24 S each, 2^-22 S in the
//! inequality); R and t come from f64 (2^-50) and are rounded once; a row of the left side is four products and sums of
//! numbers up to 2S, a row of the right side the same: below 16 · 2^-24 · 4S = 2^-18 S in all. The slack of 2^-17 S
//! holds both with room; a frame that could overflow gets an infinite slack and separates nothing. Where numbers are so
//! small that they underflow, a rounding is not relative but off by up to 2^-150: there are fewer than a hundred, so
//! 2^-126, the smallest normal number, covers them many times over.

use glam::{Mat3A, Vec3A};

use super::refit::Boxes;
use crate::lanes::{BoxLanes, PoseLanes};
use crumple::{Aabb, Pose};

/// How the boxes of two bodies are held against each other in one query.
pub(super) struct SatLite {
    /// R and |R|: b's axes in a's coordinates.
    turn: Mat3A,
    turn_size: Mat3A,
    /// Their transposes.
    back: Mat3A,
    back_size: Mat3A,
    /// 2t.
    shift: Vec3A,
    slack: Vec3A,
}

impl SatLite {
    pub(super) fn new(pose_a: Pose, boxes_a: &Boxes, pose_b: Pose, boxes_b: &Boxes) -> Self {
        let rotation = pose_a.rotation_matrix().transpose() * pose_b.rotation_matrix();
        let shift = pose_a.rotation_matrix().transpose() * (pose_b.translation_vector() - pose_a.translation_vector());
        let turn = Mat3A::from_cols(rotation.x_axis.as_vec3a(), rotation.y_axis.as_vec3a(), rotation.z_axis.as_vec3a());
        let scale = boxes_a.scale() + boxes_b.scale() + shift.abs().max_element() as f32;
        // 2^100 leaves 2^28 for sums of a few doubled numbers.
        let slack = if scale < 2.0f32.powi(100) { scale * 2.0f32.powi(-17) } else { f32::INFINITY } + f32::MIN_POSITIVE;
        let back = turn.transpose();
        Self {
            turn,
            turn_size: turn.abs(),
            back,
            back_size: back.abs(),
            shift: 2.0 * shift.as_vec3a(),
            slack: Vec3A::splat(slack),
        }
    }

    /// Whether none of the six axes separates a box of a from a box of b.
    #[inline]
    pub(super) fn may_meet(&self, a: &Aabb, b: &Aabb) -> bool {
        let centre = |aabb: &Aabb| Vec3A::from_vec4(aabb.low() + aabb.high());
        let size = |aabb: &Aabb| Vec3A::from_vec4(aabb.high() - aabb.low());
        let (size_a, size_b) = (size(a), size(b));
        let apart = self.turn * centre(b) + self.shift - centre(a);
        let along_a = apart.abs().cmpgt(size_a + self.turn_size * size_b + self.slack);
        let along_b = (self.back * apart).abs().cmpgt(size_b + self.back_size * size_a + self.slack);
        !(along_a | along_b).any()
    }
}
