//! The door for positions that are computed where the body keeps them.

use super::positions::settle;
use super::{Body, BodyError};

/// Room for the next frame of a body; see [`Body::positions_mut`]. Dropped without [`commit`](Self::commit) it changes
/// nothing.
#[derive(Debug)]
#[must_use = "positions that are not committed are not taken in"]
pub struct PositionsMut<'a> {
    pub(super) body: &'a mut Body,
}

impl<'a> PositionsMut<'a> {
    /// A place a vertex. They hold what was written some frames ago, or nothing of use: every one is to be written.
    pub fn as_mut_slice(&mut self) -> &mut [[f32; 3]] {
        self.body.next.as_mut_slice()
    }

    pub(crate) fn into_mut_slice(self) -> &'a mut [[f32; 3]] {
        self.body.next.as_mut_slice()
    }

    /// Moves every vertex to where it was written: one pass that checks and boxes, and copies nothing.
    ///
    /// # Errors
    /// If a position is not finite. The body then stays as it was.
    pub fn commit(self) -> Result<(), BodyError> {
        let Body { now, next, .. } = &mut *self.body;
        let taken = settle(now, next)?;
        self.body.turn_over(&taken);
        Ok(())
    }
}
