//! Rigid placement of a body.

use glam::{DMat3, DQuat, DVec3};

/// A rigid placement, `world_from_body`: first a rotation, then a translation.
///
/// Kept in f64, so that its own rounding is far below that of the f32 vertices it is used with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

impl Pose {
    /// The placement that moves nothing.
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// A rotation by a quaternion `[x, y, z, w]`, which is brought to length one, then a translation.
    ///
    /// `None` if the quaternion has no direction or anything is not finite.
    pub fn new(rotation: [f64; 4], translation: [f64; 3]) -> Option<Self> {
        let quaternion = DQuat::from_array(rotation);
        let length = quaternion.length();
        let translation = DVec3::from_array(translation);
        let usable = length.is_finite() && length > 0.0 && translation.is_finite();
        let pose = || Self { rotation: DMat3::from_quat(quaternion / length), translation };
        usable.then(pose).filter(|pose| pose.rotation.is_finite())
    }

    pub(crate) fn rotation(&self) -> DMat3 {
        self.rotation
    }

    pub(crate) fn translation(&self) -> DVec3 {
        self.translation
    }

    /// Brings a point of the world into the body's own coordinates.
    pub(crate) fn to_body(self, world: DVec3) -> DVec3 {
        self.rotation.transpose() * (world - self.translation)
    }
}
