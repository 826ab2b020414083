//! The door for vertices: one pass that copies, checks, clears −0 and boxes.

use glam::Vec4;

use super::BodyError;
use crate::geom::Aabb;

/// Copies `positions`, padded and with −0 made +0, into `kept`, and returns their box.
///
/// On an error `kept` holds rubbish: the caller must not use it.
///
/// Four vertices at a time into boxes of their own: one box would wait for itself, four cycles a vertex.
pub(super) fn take_in(positions: &[[f32; 3]], kept: &mut Vec<Vec4>) -> Result<Aabb, BodyError> {
    kept.resize(positions.len(), Vec4::ZERO);
    let mut boxes = [Aabb::EMPTY; 4];
    // x · 0 is 0 for every finite x and NaN otherwise, and a sum remembers a NaN: one test at the end finds any.
    let mut not_finite = Vec4::ZERO;
    let (fours, rest) = positions.as_chunks::<4>();
    let (kept_fours, kept_rest) = kept.as_chunks_mut::<4>();
    for (four, kept) in fours.iter().zip(kept_fours) {
        *kept = four.map(padded);
        boxes = std::array::from_fn(|i| boxes[i].with_vertex(kept[i]));
        not_finite += (kept[0] * 0.0 + kept[1] * 0.0) + (kept[2] * 0.0 + kept[3] * 0.0);
    }
    for (&position, kept) in rest.iter().zip(kept_rest) {
        *kept = padded(position);
        boxes[0] = boxes[0].with_vertex(*kept);
        not_finite += *kept * 0.0;
    }
    if not_finite == Vec4::ZERO {
        return Ok(boxes[0].union(&boxes[1]).union(&boxes[2].union(&boxes[3])));
    }
    let bad = positions.iter().position(|position| !position.iter().all(|x| x.is_finite()));
    let vertex = bad.unwrap_or_default();
    Err(BodyError::NotFinite { vertex, position: positions[vertex] })
}

/// −0 + 0 is +0; every other number stays as it is.
#[inline]
fn padded([x, y, z]: [f32; 3]) -> Vec4 {
    Vec4::new(x, y, z, 0.0) + Vec4::ZERO
}

/// Refuses positions of which one lies outside `promised`.
pub(super) fn check_within(positions: &[[f32; 3]], bounds: Aabb, promised: Aabb) -> Result<(), BodyError> {
    if bounds.is_empty() || promised.union(&bounds) == promised {
        return Ok(());
    }
    let outside = positions.iter().position(|&position| !promised.contains(position));
    let vertex = outside.unwrap_or_default();
    Err(BodyError::LeavesLooseBox { vertex, position: positions[vertex], promised })
}
