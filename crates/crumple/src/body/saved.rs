//! How a body is written down: what it was made from, checked again when it is read.

use std::sync::Arc;

use super::{Body, BodyError};
use crate::geom::{Coordinate, Pose};
use crate::mesh::Mesh;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    mesh: Arc<Mesh>,
    /// Empty if the body was made with f64 positions.
    #[serde(default)]
    positions: Vec<[f32; 3]>,
    /// Where the step began; absent if the body stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_positions: Option<Vec<[f32; 3]>>,
    /// The same two, in f64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    positions_f64: Option<Vec<[f64; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_positions_f64: Option<Vec<[f64; 3]>>,
    pose: Pose,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Arc<str>>,
    #[serde(default)]
    user_data: u64,
}

impl From<Body> for Saved {
    fn from(body: Body) -> Self {
        let (moves, is_wide) = (!body.stands_still, body.is_wide());
        Self {
            positions: if is_wide { Vec::new() } else { body.positions().to_vec() },
            previous_positions: (moves && !is_wide).then(|| body.previous_positions().to_vec()),
            positions_f64: body.positions_f64().map(<[_]>::to_vec),
            previous_positions_f64: body.previous_positions_f64().filter(|_| moves).map(<[_]>::to_vec),
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
        let mut body = match saved.positions_f64 {
            Some(positions) => moved(saved.mesh, &positions, saved.previous_positions_f64.as_deref())?,
            None => moved(saved.mesh, &saved.positions, saved.previous_positions.as_deref())?,
        };
        body.set_pose(saved.pose);
        (body.name, body.user_data) = (saved.name, saved.user_data);
        Ok(body)
    }
}

/// A body that came from its previous positions, if there are any.
fn moved<C: Coordinate>(mesh: Arc<Mesh>, positions: &[[C; 3]], previous: Option<&[[C; 3]]>) -> Result<Body, BodyError> {
    let mut body = Body::with_positions(mesh, previous.unwrap_or(positions))?;
    if previous.is_some() {
        body.move_to(C::given(positions), super::Move::Step)?;
    }
    Ok(body)
}
