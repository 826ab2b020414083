//! `--volume`: how much volume closed bodies share, exactly, and by how much a closed body overlaps itself.
//!
//! The volume is that of `Frame::overlap`, exact up to rounding. Bodies that merely touch share none: what rounding leaves there has
//! no region.

use anyhow::Result;
use crumple::{BodyId, Frame, SceneError};
use crumple_io::report::{self, BodyStatus};

/// Fills in the volumes of contacts and of bodies inside others, where both bodies are closed.
pub(crate) fn fill(now: Frame<'_>, ids: &[BodyId], found: &mut report::Frame<'_>) -> Result<()> {
    for contact in &mut found.contacts {
        let [a, b] = [contact.a, contact.b].map(|body| ids[body as usize]);
        contact.volume = if a == b { with_itself(now, a)? } else { shared(now, [a, b])? };
    }
    for contained in &mut found.contained {
        contained.volume = shared(now, [contained.inner, contained.outer].map(|body| ids[body as usize]))?;
    }
    Ok(())
}

/// The volume by which a body overlaps itself, all of it, whatever pairs are excused; `None` unless it is closed.
fn with_itself(now: Frame<'_>, body: BodyId) -> Result<Option<f64>> {
    match now.self_overlap(body) {
        // What surfaces that merely touch have in common is made of rounding, and in no region.
        Ok(found) => Ok(Some(if now.self_regions(body)?.is_empty() { 0.0 } else { found.volume().max(0.0) })),
        Err(SceneError::SelfOverlap { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The volume that two bodies share; `None` unless both are closed.
fn shared(now: Frame<'_>, [a, b]: [BodyId; 2]) -> Result<Option<f64>> {
    for id in [a, b] {
        let mesh = now.body(id)?.mesh();
        if mesh.live_count() == 0 || !mesh.topology().is_solid() {
            return Ok(None);
        }
    }
    let bodies = [a.min(b), a.max(b)];
    let has_region = now.regions().any(|region| [region.a, region.b] == bodies);
    let volume = if has_region { now.overlap(a, b)?.volume().max(0.0) } else { 0.0 };
    Ok(Some(volume))
}

/// How the bodies of a frame lie to each other, as far as its record says something about them: bodies, the smaller number
/// first, and status.
pub(crate) fn statuses(record: &report::Frame<'_>) -> impl Iterator<Item = ((u32, u32), BodyStatus)> {
    let near = record.near.iter().flatten().map(|near| ((near.a, near.b), BodyStatus::Near));
    let meeting = record.contacts.iter().map(|contact| {
        let status = if contact.volume == Some(0.0) { BodyStatus::Touching } else { BodyStatus::Crossing };
        ((contact.a, contact.b), status)
    });
    let inside = record
        .contained
        .iter()
        .map(|found| ((found.inner.min(found.outer), found.inner.max(found.outer)), BodyStatus::Inside));
    near.chain(meeting).chain(inside)
}
