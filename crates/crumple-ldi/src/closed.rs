//! Refuses bodies that have no inside.

use super::InsideRule;
use super::error::{VolumeError, WhichBody};
use super::window::{Window, held_box};
use crumple::Body;

/// Checks that `body` has triangles and a box with volume, and that its surface keeps inside and outside apart.
///
/// Parity needs every edge to belong to an even number of triangles, winding numbers need them to run along it equally
/// often both ways. The mesh remembers the answer, so this costs something in the first frame only.
pub(super) fn check(body: &Body, which: WhichBody, inside: InsideRule, assume_closed: bool) -> Result<(), VolumeError> {
    if body.mesh().live_count() == 0 {
        return Err(VolumeError::NoTriangles { body: which });
    }
    Window::check(&held_box(body), which)?;
    if assume_closed {
        return Ok(());
    }
    let topology = body.mesh().topology();
    if let Some(fault) = topology.open {
        return Err(VolumeError::Open { body: which, fault });
    }
    match topology.unbalanced {
        Some(fault) if inside == InsideRule::WindingNumber => Err(VolumeError::Unbalanced { body: which, fault }),
        _ => Ok(()),
    }
}
