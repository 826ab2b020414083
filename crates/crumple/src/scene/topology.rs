//! Bodies of a scene whose triangles come and go: the same calls for every method.
//!
//! A body that is edited keeps its id, and its tree takes the edit in when the body is next asked about. Bodies made by
//! splitting and fusing have new ids; the old ones are gone, as after [`Scene::remove`]. New bodies take over the
//! settings of the old ones, so that nothing is asked or left out by surprise.

use std::sync::Arc;

use super::{BodyId, Entry, Scene, SceneError, Settings};
use crate::body::{Body, Edit, EditError, Edited};
use crate::geom::{Coordinate, TriangleId};
use crate::mesh::{Mesh, Renumbering, Seam};

/// What became of a body that was split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The body without the triangles that were split off.
    pub rest: BodyId,
    /// The body of those triangles.
    pub off: BodyId,
    /// From the numbers of the old body to those of `rest`.
    pub rest_numbers: Renumbering,
    /// From the numbers of the old body to those of `off`.
    pub off_numbers: Renumbering,
}

/// What became of two bodies that were fused.
#[derive(Clone, Debug)]
pub struct Fused {
    /// The new body.
    pub id: BodyId,
    /// From the numbers of the first body to those of the new one.
    pub a_numbers: Renumbering,
    /// From the numbers of the second body to those of the new one.
    pub b_numbers: Renumbering,
}

impl Scene {
    /// Removes, restores and adds triangles of a body, and adds vertices; see [`Body::edit`]. Its id stays.
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, or the edit is refused. The scene then stays as it
    /// was.
    pub fn edit(&mut self, id: BodyId, edit: &Edit) -> Result<Edited, SceneError> {
        self.with_vertices(id)?;
        self.change(id, |body| body.edit(edit).map_err(|source| SceneError::Edit { body: id, source }))
    }

    /// Splits a body in two: what is left without the given triangles, and those; see [`Body::split`].
    ///
    /// Both are in the group of the old body and have its masks, are ignored by what it was ignored by, and are asked about themselves if
    /// it was. They do not ignore each other.
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, a triangle is not there or named twice, or the set
    /// is empty or holds every triangle. The scene then stays as it was.
    pub fn split(&mut self, id: BodyId, off: &[TriangleId]) -> Result<Split, SceneError> {
        let entry = self.with_vertices(id)?;
        let [rest, off] = entry.body.split(off).map_err(|source| SceneError::Edit { body: id, source })?;
        let (settings, ignored) = (entry.settings, self.filter.ignored_with(id));
        self.remove(id)?;
        let [rest_id, off_id] = [rest.body, off.body].map(|body| self.add_alike(body, settings, &ignored));
        Ok(Split { rest: rest_id, off: off_id, rest_numbers: rest.numbers, off_numbers: off.numbers })
    }

    /// Makes one body of two; see [`Body::fuse`].
    ///
    /// It is in the group of `a` and has its masks, is ignored by what both were ignored by, and is asked about itself if either was.
    ///
    /// # Errors
    /// If there is no such body, the two are the same, one is known only by its loose box, or there would be too many
    /// triangles to number. The scene then stays as it was.
    pub fn fuse(&mut self, a: BodyId, b: BodyId, seam: Seam) -> Result<Fused, SceneError> {
        let (entry_a, entry_b) = (self.with_vertices(a)?, self.with_vertices(b)?);
        if a == b {
            return Err(SceneError::FuseWithItself { body: a });
        }
        let fused = Body::fuse(&entry_a.body, &entry_b.body, seam);
        let (body, [a_numbers, b_numbers]) = fused.map_err(|source: EditError| SceneError::Edit { body: a, source })?;
        let asks_itself = entry_a.settings.asks_itself || entry_b.settings.asks_itself;
        let settings = Settings { asks_itself, ..entry_a.settings };
        let (mut ignored, by_b) = (self.filter.ignored_with(a), self.filter.ignored_with(b));
        ignored.retain(|other| by_b.contains(other));
        self.remove(b)?;
        self.remove(a)?;
        Ok(Fused { id: self.add_alike(body, settings, &ignored), a_numbers, b_numbers })
    }

    /// Drops removed triangles and unused vertices of a body and numbers the others anew; see [`Body::compact`]. Its id
    /// stays.
    ///
    /// # Errors
    /// If there is no such body, or it is known only by its loose box.
    pub fn compact(&mut self, id: BodyId) -> Result<Renumbering, SceneError> {
        self.with_vertices(id)?;
        self.change(id, |body| Ok(body.compact()))
    }

    /// Puts another mesh in the place of a body's, with positions of its own: several resolutions of one body; see
    /// [`Body::swap_mesh`]. Its id stays.
    ///
    /// # Errors
    /// If there is no such body, the number of positions is not the new mesh's number of vertices, or a position is
    /// not finite. The scene then stays as it was.
    pub fn swap_mesh<C: Coordinate>(
        &mut self,
        id: BodyId,
        mesh: impl Into<Arc<Mesh>>,
        positions: &[[C; 3]],
    ) -> Result<(), SceneError> {
        let swap = |body: &mut Body| body.swap_mesh(mesh, positions);
        self.change(id, |body| {
            swap(body).map_err(|source| SceneError::Body { body: id, name: body.shared_name(), source })
        })
    }

    /// A body whose vertices are known.
    fn with_vertices(&self, id: BodyId) -> Result<&Entry, SceneError> {
        let entry = self.bodies.get(id)?;
        if entry.loose.is_some() { Err(SceneError::EditWithoutVertices { body: id }) } else { Ok(entry) }
    }

    fn change<T>(
        &mut self,
        id: BodyId,
        change: impl FnOnce(&mut Body) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        let entry = self.bodies.get_mut(id)?;
        let done = change(&mut entry.body)?;
        entry.loose = None;
        entry.renew_rings();
        self.note_box(id);
        Ok(done)
    }

    /// Adds a body with the settings of another, in the middle of its step.
    fn add_alike(&mut self, body: Body, settings: Settings, ignored: &[BodyId]) -> BodyId {
        let id = self.insert(body);
        if let Ok(entry) = self.bodies.get_mut(id) {
            entry.settings = settings;
            entry.renew_rings();
            if !entry.body.stands_still() {
                self.moved.push(id);
            }
            if entry.body.has_written_positions() {
                self.written.push(id);
            }
        }
        // A body may have been told to ignore itself, or what it was fused with.
        let there = |other: &&BodyId| self.bodies.get(**other).is_ok();
        ignored.iter().filter(there).for_each(|&other| self.filter.ignore_bodies(id, other));
        id
    }
}
