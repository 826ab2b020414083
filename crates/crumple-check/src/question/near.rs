//! `--clearance`: bodies that are closer than a distance, and parts of one.
//!
//! Two bodies are measured if their boxes are closer than the clearance. Parts of one body are features, a vertex and a face
//! or two edges, that share no vertex: a clearance larger than the edges of a mesh finds every mesh too close to itself.

use anyhow::Result;
use crumple::{Aabb, BodyId, Frame};
use crumple_io::report::NearRecord;

/// What is closer than `clearance` in a frame, sorted by bodies; `own` if bodies are asked about themselves, `tests` whether two
/// bodies, or one, are asked about at all.
pub(crate) fn find(
    now: Frame<'_>,
    ids: &[BodyId],
    clearance: f64,
    own: bool,
    tests: impl Fn(u32, u32) -> bool,
) -> Result<Vec<NearRecord>> {
    let mut found = Vec::new();
    let own = own.then(|| now.near(clearance));
    for (a, &id_a) in (0..).zip(ids) {
        if let Some(near) = own.as_ref().filter(|_| tests(a, a)) {
            let features = near.between(id_a, id_a).iter().map(|near| near.distance());
            let meets = now.contact(id_a, id_a).map(|_| 0.0);
            if let Some(distance) = features.chain(meets).reduce(f64::min) {
                found.push(NearRecord { a, b: a, distance });
            }
        }
        for (b, &id_b) in (0..).zip(ids).skip(a as usize + 1) {
            let (body_a, body_b) = (now.body(id_a)?, now.body(id_b)?);
            let are_bodies = body_a.mesh().live_count() > 0 && body_b.mesh().live_count() > 0;
            if are_bodies
                && tests(a, b)
                && gap(body_a.bounds(), body_b.bounds()) < clearance
                && now.is_closer_than(id_a, id_b, clearance)?
            {
                found.push(NearRecord { a, b, distance: now.distance(id_a, id_b)?.distance.hi });
            }
        }
    }
    Ok(found)
}

/// How far apart two boxes are along the axis where it is most: no more than the bodies are.
fn gap(a: Aabb, b: Aabb) -> f64 {
    let along = |axis: usize| {
        let apart = |low: f32, high: f32| f64::from(low) - f64::from(high);
        apart(a.min()[axis], b.max()[axis]).max(apart(b.min()[axis], a.max()[axis]))
    };
    // A little less: the bounds of a distance are rounded.
    (0..3).map(along).fold(0.0, f64::max) * (1.0 - 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_as_far_apart_as_along_their_farthest_axis() {
        let one = Aabb::new([0.0; 3], [1.0; 3]);
        assert_eq!(gap(one, Aabb::new([0.5; 3], [2.0; 3])), 0.0);
        let beyond = gap(Aabb::new([1.5, 4.0, -9.0], [2.0, 5.0, 9.0]), one);
        assert!((beyond - 3.0).abs() < 1e-9 && beyond < 3.0);
    }
}
