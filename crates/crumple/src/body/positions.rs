//! The door for vertices: one pass that copies, checks, clears −0 and boxes.

use glam::Vec4;

use super::BodyError;
use crate::geom::Aabb;

/// Copies `positions`, padded and with −0 made +0, into `kept`, and returns their box.
///
/// On an error `kept` holds rubbish: the caller must not use it.
pub(super) fn take_in(positions: &[[f32; 3]], kept: &mut Vec<Vec4>) -> Result<Aabb, BodyError> {
    kept.clear();
    let mut bounds = Aabb::EMPTY;
    // x · 0 is 0 for every finite x and NaN otherwise, and a sum remembers a NaN: one test at the end finds any.
    let mut not_finite = Vec4::ZERO;
    kept.extend(positions.iter().map(|&[x, y, z]| {
        // −0 + 0 is +0; every other number stays as it is.
        let vertex = Vec4::new(x, y, z, 0.0) + Vec4::ZERO;
        not_finite += vertex * Vec4::ZERO;
        bounds = bounds.with_vertex(vertex);
        vertex
    }));
    if not_finite == Vec4::ZERO {
        return Ok(bounds);
    }
    let bad = positions.iter().position(|position| !position.iter().all(|x| x.is_finite()));
    let vertex = bad.unwrap_or_default();
    Err(BodyError::NotFinite { vertex, position: positions[vertex] })
}
