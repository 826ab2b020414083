//! Positions written where a body of the scene keeps them.

use super::{BodyId, Scene, SceneError};

/// Room for the next frame of a body; see [`Scene::positions_mut`]. Dropped without [`commit`](Self::commit) it changes
/// nothing.
#[derive(Debug)]
#[must_use = "positions that are not committed are not taken in"]
pub struct ScenePositionsMut<'a> {
    pub(super) scene: &'a mut Scene,
    pub(super) id: BodyId,
}

impl ScenePositionsMut<'_> {
    /// A place a vertex. They hold what was written some frames ago, or nothing of use: every one is to be written.
    pub fn as_mut_slice(&mut self) -> &mut [[f32; 3]] {
        // That the body is there was made sure of before this was made, and it can not have gone since.
        self.scene.bodies.get_mut(self.id).map_or(&mut [], |entry| entry.body.positions_mut().into_mut_slice())
    }

    /// Moves every vertex of the body to where it was written, and brings everything up to date.
    ///
    /// # Errors
    /// If a position is not finite. The body then stays as it was.
    pub fn commit(self) -> Result<(), SceneError> {
        let entry = self.scene.bodies.get_mut(self.id)?;
        let taken = entry.body.positions_mut().commit();
        taken.map_err(|source| SceneError::Body { body: self.id, source })?;
        self.scene.note_moved(self.id)
    }
}
