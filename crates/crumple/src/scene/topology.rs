//! Bodies of a scene whose triangles come and go: the same calls for every method.
//!
//! A body that is edited keeps its id, and its tree is made anew when the body is next asked about. Bodies made by
//! splitting and fusing have new ids; the old ones are gone, as after [`Scene::remove`]. New bodies take over what the
//! scene was told about the old ones, so that nothing is asked or left out by surprise.

use std::sync::Arc;

use super::{BodyId, Entry, Scene, SceneError};
use crate::body::{Body, Edit, EditError, Edited};
use crate::contact::TriangleId;
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
    /// Both are in the group of the old body, are ignored by what it was ignored by, and are asked about themselves if
    /// it was. They do not ignore each other.
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, a triangle is not there or named twice, or the set
    /// is empty or holds every triangle. The scene then stays as it was.
    pub fn split(&mut self, id: BodyId, off: &[TriangleId]) -> Result<Split, SceneError> {
        let entry = self.with_vertices(id)?;
        let [rest, off] = entry.body.split(off).map_err(|source| SceneError::Edit { body: id, source })?;
        let (told, ignored) = (Told::about(entry), self.ignored.ignored_with(id));
        self.remove(id)?;
        let [rest_id, off_id] = [rest.body, off.body].map(|body| self.add_alike(body, told, &ignored));
        Ok(Split { rest: rest_id, off: off_id, rest_numbers: rest.numbers, off_numbers: off.numbers })
    }

    /// Makes one body of two; see [`Body::fuse`].
    ///
    /// It is in the group of `a`, is ignored by what both were ignored by, and is asked about itself if either was.
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
        let (told_a, told_b) = (Told::about(entry_a), Told::about(entry_b));
        let told = Told {
            asks_itself: told_a.asks_itself || told_b.asks_itself,
            group: told_a.group,
            // Previous positions are those of one frame only if both have moved in it.
            moved_in: told_a.moved_in.min(told_b.moved_in),
        };
        let (mut ignored, by_b) = (self.ignored.ignored_with(a), self.ignored.ignored_with(b));
        ignored.retain(|other| by_b.contains(other));
        self.remove(b)?;
        self.remove(a)?;
        Ok(Fused { id: self.add_alike(body, told, &ignored), a_numbers, b_numbers })
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
    /// If there is no such body, not one position a vertex of the new mesh, or one is not finite. The scene then stays
    /// as it was.
    pub fn swap_mesh<P>(&mut self, id: BodyId, mesh: impl Into<Arc<Mesh>>, positions: &P) -> Result<(), SceneError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let swap = |body: &mut Body| body.swap_mesh(mesh, positions);
        self.change(id, |body| swap(body).map_err(|source| SceneError::Body { body: id, source }))
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
        self.broad.set(id.slot(), entry.body.bounds());
        self.stale = true;
        Ok(done)
    }

    /// Adds a body about which the scene is told what it was told about another.
    fn add_alike(&mut self, body: Body, told: Told, ignored: &[BodyId]) -> BodyId {
        let id = self.add(body);
        if let Ok(entry) = self.bodies.get_mut(id) {
            (entry.asks_itself, entry.group, entry.moved_in) = (told.asks_itself, told.group, told.moved_in);
        }
        ignored.iter().for_each(|&other| self.ignored.ignore_bodies(id, other));
        id
    }
}

/// What a scene was told about a body, but for whom it ignores.
#[derive(Clone, Copy)]
struct Told {
    asks_itself: bool,
    group: u32,
    moved_in: u64,
}

impl Told {
    fn about(entry: &Entry) -> Self {
        Self { asks_itself: entry.asks_itself, group: entry.group, moved_in: entry.moved_in }
    }
}
