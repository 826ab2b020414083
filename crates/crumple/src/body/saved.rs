//! How a body is written down: what it was made from, checked again when it is read.

use std::sync::Arc;

use super::{Body, BodyError};
use crate::geom::Pose;
use crate::mesh::Mesh;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    mesh: Arc<Mesh>,
    positions: Vec<[f32; 3]>,
    /// Where the step began; absent if the body stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_positions: Option<Vec<[f32; 3]>>,
    pose: Pose,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Arc<str>>,
    #[serde(default)]
    user_data: u64,
}

impl From<Body> for Saved {
    fn from(body: Body) -> Self {
        Self {
            positions: body.positions().to_vec(),
            previous_positions: (!body.stands_still).then(|| body.previous_positions().to_vec()),
            pose: body.pose,
            mesh: body.mesh,
            name: body.name,
            user_data: body.user_data,
        }
    }
}

impl TryFrom<Saved> for Body {
    type Error = BodyError;

    fn try_from(saved: Saved) -> Result<Self, BodyError> {
        let first = saved.previous_positions.as_ref().unwrap_or(&saved.positions);
        let mut body = Self::new(saved.mesh, first)?;
        if saved.previous_positions.is_some() {
            body.set_positions(&saved.positions)?;
        }
        body.set_pose(saved.pose);
        (body.name, body.user_data) = (saved.name, saved.user_data);
        Ok(body)
    }
}
