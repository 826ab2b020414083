//! Where the bodies of a scene are in the next frame.
//!
//! The first positions that are set after an update begin a new step: every body then starts where it is, and those that
//! are not moved stand still. Positions that are corrected belong to the step before, unless a new one has begun. What each
//! call does to the step is decided in `step`.

use super::step::Phase;
use super::{BodyId, Scene, SceneError};
use crate::body::{Body, BodyError};
use crate::geom::{Aabb, Given, Pose};

impl Scene {
    /// Moves every vertex of a body to its position in the next frame, in the order of the vertices.
    ///
    /// Setting positions again before the next [`update`](Self::update) replaces them.
    ///
    /// # Errors
    /// If there is no such body, the number of positions is not its number of vertices, or a position is refused: see
    /// [`Body::new`](crate::Body::new) and [`Body::set_positions`](crate::Body::set_positions). The scene then stays as
    /// it was.
    pub fn set_positions(&mut self, id: BodyId, positions: &[[f32; 3]]) -> Result<(), SceneError> {
        self.take_in(id, Given::F32(positions), Phase::Stepped)
    }

    /// As [`set_positions`](Self::set_positions), with f64 numbers: for a body that was made with f64 positions, or if they are
    /// f32 numbers.
    ///
    /// # Errors
    /// As there.
    pub fn set_positions_f64(&mut self, id: BodyId, positions: &[[f64; 3]]) -> Result<(), SceneError> {
        self.take_in(id, Given::F64(positions), Phase::Stepped)
    }

    /// Moves every vertex of a body within the step of the last frame: for a solver that looks at a frame and improves
    /// on it. Where the step began stays, for this body and for the others.
    ///
    /// # Errors
    /// As for [`set_positions`](Self::set_positions).
    pub fn correct_positions(&mut self, id: BodyId, positions: &[[f32; 3]]) -> Result<(), SceneError> {
        self.take_in(id, Given::F32(positions), Phase::Corrected)
    }

    /// As [`correct_positions`](Self::correct_positions), with f64 numbers; see [`set_positions_f64`](Self::set_positions_f64).
    ///
    /// # Errors
    /// As there.
    pub fn correct_positions_f64(&mut self, id: BodyId, positions: &[[f64; 3]]) -> Result<(), SceneError> {
        self.take_in(id, Given::F64(positions), Phase::Corrected)
    }

    fn take_in(&mut self, id: BodyId, given: Given<'_>, phase: Phase) -> Result<(), SceneError> {
        let taken = self.bodies.get_mut(id)?.body.take_in(given, None);
        self.accept(id, taken, phase)
    }

    /// Moves every vertex of a body without a copy: `write(old, new)` must write every position of `new`, whose contents
    /// are undefined before; `old` holds the positions as they are now.
    ///
    /// # Errors
    /// If there is no such body, it was made with f64 positions, or a position is not finite. The scene then stays as it
    /// was.
    pub fn write_positions(
        &mut self,
        id: BodyId,
        write: impl FnOnce(&[[f32; 3]], &mut [[f32; 3]]),
    ) -> Result<(), SceneError> {
        let taken = self.bodies.get_mut(id)?.body.write_next(write);
        self.accept(id, taken, Phase::Stepped)
    }

    /// As [`write_positions`](Self::write_positions), of a body that was made with f64 positions.
    ///
    /// # Errors
    /// If there is no such body, it was made with f32 positions, or a position is refused, as by
    /// [`set_positions`](Self::set_positions). The scene then stays as it was.
    pub fn write_positions_f64(
        &mut self,
        id: BodyId,
        write: impl FnOnce(&[[f64; 3]], &mut [[f64; 3]]),
    ) -> Result<(), SceneError> {
        let taken = self.bodies.get_mut(id)?.body.write_next_f64(write);
        self.accept(id, taken, Phase::Stepped)
    }

    /// The positions of a body in the next frame, to be changed in place. They start as the current ones.
    ///
    /// What is written is taken in by the next [`update`](Self::update), which refuses positions that are not finite; they
    /// can then be put right by another call. [`set_positions`](Self::set_positions) replaces them.
    ///
    /// ```
    /// # use crumple::{Body, Mesh, Scene};
    /// # let mut scene = Scene::new();
    /// # let leaf = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0f32; 3], [1.0; 3], [0.0, 1.0, 0.0]])?);
    /// for position in scene.positions_mut(leaf)? {
    ///     position[1] -= 0.1;
    /// }
    /// let frame = scene.update()?;
    /// assert_eq!(frame.body(leaf)?.positions()[0], [0.0, -0.1, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, or it was made with f64 positions.
    pub fn positions_mut(&mut self, id: BodyId) -> Result<&mut [[f32; 3]], SceneError> {
        self.lend(id, Body::next_positions_mut)
    }

    /// As [`positions_mut`](Self::positions_mut), of a body that was made with f64 positions.
    ///
    /// # Errors
    /// If there is no such body, or it was made with f32 positions.
    pub fn positions_mut_f64(&mut self, id: BodyId) -> Result<&mut [[f64; 3]], SceneError> {
        self.lend(id, Body::next_positions_mut_f64)
    }

    /// Lends positions to be written in place.
    fn lend<'s, P>(
        &'s mut self,
        id: BodyId,
        next: impl FnOnce(&'s mut Body) -> Result<&'s mut [P], BodyError>,
    ) -> Result<&'s mut [P], SceneError> {
        let Self { bodies, written, phase, .. } = self;
        let body = &mut bodies.get_mut(id)?.body;
        if !body.has_written_positions() {
            written.push(id);
        }
        let name = body.shared_name();
        let positions = next(body).map_err(|source| SceneError::Body { body: id, name, source })?;
        *phase = (*phase).max(Phase::Changed);
        Ok(positions)
    }

    /// Takes in what was written by [`positions_mut`](Self::positions_mut), as the next update would.
    ///
    /// # Errors
    /// If there is no such body, or a position is not finite. The scene then stays as it was.
    pub fn commit_positions(&mut self, id: BodyId) -> Result<(), SceneError> {
        match self.bodies.get_mut(id)?.body.take_in_written().transpose() {
            Some(taken) => self.accept(id, taken, Phase::Stepped),
            None => Ok(()),
        }
    }

    /// Takes in all that was written in place.
    pub(super) fn commit_all_positions(&mut self) -> Result<(), SceneError> {
        while let Some(&id) = self.written.last() {
            match self.commit_positions(id) {
                // A body that was removed since takes along what was written.
                Ok(()) | Err(SceneError::UnknownBody { .. }) => self.written.pop(),
                Err(refused) => return Err(refused),
            };
        }
        Ok(())
    }

    /// Gives a box that is sure to hold a body in the next frame, in place of its positions.
    ///
    /// The vertices are read, by [`update_with`](Self::update_with), only if the box comes near another body, or the body
    /// is asked about itself: a body that is far from all others then costs nothing per vertex. Until they are read
    /// or set, [`body`](Self::body) shows them where they were last. Replaces positions that were written in place.
    ///
    /// # Errors
    /// If there is no such body, or the box is empty and the body is not.
    pub fn set_loose_box(&mut self, id: BodyId, promised: Aabb) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        let vertices = entry.body.mesh().vertex_count();
        if promised.is_empty() && vertices > 0 {
            return Err(self.refused(id, BodyError::EmptyLooseBox { promised, vertices }));
        }
        entry.loose = Some(promised);
        entry.body.drop_written();
        self.raise(Phase::Stepped);
        self.note_box(id);
        Ok(())
    }

    /// Says how a body as a whole is placed; see [`Body::set_pose`](crate::Body::set_pose).
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_pose(&mut self, id: BodyId, world_from_body: Pose) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.body.set_pose(world_from_body);
        self.raise(Phase::Changed);
        Ok(())
    }

    /// That positions of a body were refused.
    pub(super) fn refused(&self, id: BodyId, source: BodyError) -> SceneError {
        let name = self.bodies.get(id).ok().and_then(|entry| entry.body.shared_name());
        SceneError::Body { body: id, name, source }
    }
}
