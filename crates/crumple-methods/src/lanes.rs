//! Boxes and poses of the library as vectors of four lanes and matrices, which the methods compute with.

use crumple::{Aabb, Pose};
use glam::{DMat3, DVec3, Vec4};

/// A box by its corners, padded with 0 to four lanes.
pub(crate) trait BoxLanes {
    fn low(&self) -> Vec4;
    fn high(&self) -> Vec4;
    /// The middle of the box, without overflow.
    fn middle(&self) -> Vec4;
    fn from_corners(low: Vec4, high: Vec4) -> Self;
    /// The smallest box that holds this one and a vertex.
    fn with_vertex(&self, vertex: Vec4) -> Self;
    /// Which of at most 64 boxes share a point with this one: one bit per box. No branch, since the answers are hard to
    /// predict where many boxes of a neighbourhood are compared.
    fn overlap_mask<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> u64
    where
        Self: 'a;
}

impl BoxLanes for Aabb {
    #[inline]
    fn low(&self) -> Vec4 {
        Vec4::from_array(self.in_lanes()[0])
    }

    #[inline]
    fn high(&self) -> Vec4 {
        Vec4::from_array(self.in_lanes()[1])
    }

    #[inline]
    fn middle(&self) -> Vec4 {
        0.5 * self.low() + 0.5 * self.high()
    }

    #[inline]
    fn from_corners(low: Vec4, high: Vec4) -> Self {
        Self::new(low.truncate().to_array(), high.truncate().to_array())
    }

    #[inline]
    fn with_vertex(&self, vertex: Vec4) -> Self {
        Self::from_corners(self.low().min(vertex), self.high().max(vertex))
    }

    #[inline]
    fn overlap_mask<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> u64 {
        let mut mask = 0;
        for (bit, other) in others.into_iter().enumerate() {
            mask |= u64::from(self.overlaps(other)) << (bit % 64);
        }
        mask
    }
}

/// A pose as a rotation and a translation.
pub(crate) trait PoseLanes {
    fn rotation_matrix(&self) -> DMat3;
    fn translation_vector(&self) -> DVec3;
    /// Brings a point of the world into the body's own coordinates.
    fn to_body(&self, world: DVec3) -> DVec3;
}

impl PoseLanes for Pose {
    fn rotation_matrix(&self) -> DMat3 {
        let rows = self.to_matrix().map(|[x, y, z, _]| DVec3::new(x, y, z));
        DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
    }

    fn translation_vector(&self) -> DVec3 {
        DVec3::from_array(self.translation())
    }

    fn to_body(&self, world: DVec3) -> DVec3 {
        self.rotation_matrix().transpose() * (world - self.translation_vector())
    }
}
