//! Rigid placement of a body.

use glam::{DMat3, DQuat, DVec3};

/// A rigid placement, `world_from_body`: first a rotation, then a translation.
///
/// Kept in f64, so that its own rounding is far below that of the f32 vertices it is used with.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Saved", into = "Saved"))]
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
        // By the largest part first: the square of a tiny part would underflow, and what is left of
        // it would make a matrix that is no rotation; the square of a huge one would overflow.
        let largest = rotation.iter().fold(0.0f64, |largest, part| largest.max(part.abs()));
        let usable = largest > 0.0 && rotation.iter().chain(&translation).all(|x| x.is_finite());
        let quaternion = || DQuat::from_array(rotation.map(|part| part / largest)).normalize();
        usable.then(|| Self { rotation: DMat3::from_quat(quaternion()), translation: DVec3::from_array(translation) })
    }

    /// The rotation as a quaternion `[x, y, z, w]` of length one.
    pub fn rotation(&self) -> [f64; 4] {
        DQuat::from_mat3(&self.rotation).to_array()
    }

    /// The translation.
    pub fn translation(&self) -> [f64; 3] {
        self.translation.to_array()
    }

    /// The rotation and the translation as a matrix, row by row, to be applied to a column `[x, y, z, 1]`.
    pub fn to_matrix(&self) -> [[f64; 4]; 3] {
        let rows = self.rotation.transpose().to_cols_array_2d();
        std::array::from_fn(|row| [rows[row][0], rows[row][1], rows[row][2], self.translation[row]])
    }
}

/// How a pose is written down.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    rotation: [f64; 4],
    translation: [f64; 3],
}

#[cfg(feature = "serde")]
impl From<Pose> for Saved {
    fn from(pose: Pose) -> Self {
        Self { rotation: pose.rotation(), translation: pose.translation() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for Pose {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, &'static str> {
        Self::new(saved.rotation, saved.translation).ok_or("the quaternion has no direction, or a number is not finite")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_quaternion_does_not_matter_however_small_or_large() {
        let parts = [0.3, -0.5, 0.7, 0.9];
        let rotation = Pose::new(parts, [0.0; 3]).map(|pose| pose.rotation).unwrap();
        for length in [5e-324, 1e-310, 1e-161, 1e-150, 1e150, 1e308] {
            let pose = Pose::new(parts.map(|part| part * length), [0.0; 3]).unwrap();
            let unlike_a_rotation = pose.rotation * pose.rotation.transpose() - DMat3::IDENTITY;
            assert!(unlike_a_rotation.to_cols_array().iter().all(|x| x.abs() < 1e-14), "{length:e}: {pose:?}");
            // Parts below 2^-1022 have few digits, so the direction is kept only above.
            assert!(length < 1e-307 || pose.rotation.abs_diff_eq(rotation, 1e-14), "{length:e}: {pose:?}");
        }
    }

    #[test]
    fn what_has_no_direction_or_is_not_finite_is_no_pose() {
        let turn = [0.0, 0.0, 0.0, 1.0];
        assert!(Pose::new([0.0; 4], [0.0; 3]).is_none());
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Pose::new([0.0, bad, 0.0, 1.0], [0.0; 3]).is_none());
            assert!(Pose::new(turn, [0.0, 0.0, bad]).is_none());
        }
        assert_eq!(Pose::new(turn, [0.0; 3]), Some(Pose::IDENTITY));
    }
}
