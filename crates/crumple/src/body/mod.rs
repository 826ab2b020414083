//! NOW: a mesh with this frame's vertices, the last frame's, and their box. The only place where vertices are written.
//!
//! ```text
//! start ──────► now          the step: from the last frame's vertices to this frame's
//!               next         takes in new positions, which may yet be refused
//! ```
//!
//! A new step makes `now` the start and `next` the new `now`; a correction within the step only exchanges `now` and
//! `next`. The three buffers take turns, so nothing is copied or allocated after the first steps.

mod drift;
mod edit;
mod error;
mod positions;
#[cfg(feature = "serde")]
mod saved;
mod vertices;
mod which;

use std::sync::Arc;

use glam::Vec4;

pub(crate) use drift::Drift;
pub use edit::{Edit, EditError, Edited, Part};
pub use error::BodyError;
pub(crate) use vertices::Vertices;
pub use which::WhichBody;

use crate::geom::{Aabb, Pose, Triangle};
use crate::geom::{TriangleId, VertexId};
use crate::mesh::Mesh;
pub(crate) use positions::TakenIn;
use positions::{check_within, settle, take_in};

/// A mesh and where its vertices are, this frame and the one before.
///
/// Positions are copied into the body's own memory, 12 bytes per vertex and buffer; there are three buffers.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "saved::Saved", into = "saved::Saved")
)]
pub struct Body {
    mesh: Arc<Mesh>,
    now: Vertices,
    /// Where the step began; not to be read while the body stands still.
    start: Vertices,
    /// Takes in new positions; undefined in between, unless some were written in place.
    next: Vertices,
    /// Whether the body has not moved in this step: it began where it is now.
    stands_still: bool,
    /// Whether `next` holds positions that were written in place and have not been taken in yet.
    has_written: bool,
    bounds: Aabb,
    /// The box of the vertices where the step began, and the drift then; not to be read while the body stands still.
    start_bounds: Aabb,
    start_drift: Drift,
    version: u64,
    topology_version: u64,
    drift: Drift,
    pose: Pose,
    name: Option<Arc<str>>,
    user_data: u64,
}

/// What new positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The end of a new step, which starts where the body is now.
    Step,
    /// Another end of the same step.
    Correction,
}

impl Body {
    /// Puts a mesh into its first frame.
    ///
    /// # Errors
    /// If the number of positions is not the mesh's number of vertices, or a position is not finite.
    pub fn new<P>(mesh: impl Into<Arc<Mesh>>, positions: &P) -> Result<Self, BodyError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let mesh = mesh.into();
        let mut body = Self {
            now: Vertices::at_origin(mesh.vertex_count()),
            start: Vertices::default(),
            next: Vertices::default(),
            stands_still: true,
            has_written: false,
            mesh,
            bounds: Aabb::EMPTY,
            start_bounds: Aabb::EMPTY,
            start_drift: Drift::default(),
            version: 0,
            topology_version: 0,
            drift: Drift::default(),
            pose: Pose::IDENTITY,
            name: None,
            user_data: 0,
        };
        body.set_positions(positions)?;
        body.hold_still();
        Ok(body)
    }

    /// The same body with a name, for messages and reports.
    pub fn with_name(mut self, name: impl Into<Arc<str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same body with a number of the caller's own, which is kept and never looked at.
    pub fn with_user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// The name given by [`with_name`](Self::with_name).
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The number given by [`with_user_data`](Self::with_user_data); 0 if none was.
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    pub(crate) fn set_user_data(&mut self, user_data: u64) {
        self.user_data = user_data;
    }

    pub(crate) fn set_name(&mut self, name: Option<Arc<str>>) {
        self.name = name;
    }

    /// Moves every vertex to its position in the next frame, in the order of the vertices. The positions until now become
    /// the previous ones.
    ///
    /// # Errors
    /// If the number of positions is not the number of vertices, or a position is not finite. The body then stays as it
    /// was.
    pub fn set_positions<P>(&mut self, positions: &P) -> Result<(), BodyError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let taken = self.take_in(positions.as_ref(), None)?;
        self.accept(&taken, Move::Step);
        Ok(())
    }

    /// Moves every vertex again within the same step: the previous positions stay what they are.
    ///
    /// # Errors
    /// As for [`set_positions`](Self::set_positions).
    pub fn correct_positions<P>(&mut self, positions: &P) -> Result<(), BodyError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let taken = self.take_in(positions.as_ref(), None)?;
        self.accept(&taken, Move::Correction);
        Ok(())
    }

    /// Moves every vertex without a copy: `write(old, new)` must write every position of `new`, whose contents are
    /// undefined before; `old` holds the positions as they are now.
    ///
    /// ```
    /// use crumple::{Body, Mesh};
    ///
    /// let mut body = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// body.write_positions(|old, new| {
    ///     for (new, [x, y, z]) in new.iter_mut().zip(old) {
    ///         *new = [x + 1.0, *y, *z];
    ///     }
    /// })?;
    /// assert_eq!(body.bounds().max(), [2.0, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a position is not finite. The body then stays as it was.
    pub fn write_positions(&mut self, write: impl FnOnce(&[[f32; 3]], &mut [[f32; 3]])) -> Result<(), BodyError> {
        let taken = self.write_next(write)?;
        self.accept(&taken, Move::Step);
        Ok(())
    }

    /// Checks new positions and takes them in, to be [accepted](Self::accept) or forgotten; refuses positions outside the
    /// box that was promised to hold them.
    pub(crate) fn take_in(&mut self, positions: &[[f32; 3]], promised: Option<Aabb>) -> Result<TakenIn, BodyError> {
        if positions.len() != self.mesh.vertex_count() {
            return Err(BodyError::WrongNumberOfPositions {
                given: positions.len(),
                expected: self.mesh.vertex_count(),
            });
        }
        self.has_written = false;
        let taken = take_in(positions, &self.now, &mut self.next)?;
        if let Some(promised) = promised {
            check_within(positions, taken.bounds, promised)?;
        }
        Ok(taken)
    }

    /// As [`take_in`](Self::take_in), of positions that `write` writes into the body's own memory.
    pub(crate) fn write_next(
        &mut self,
        write: impl FnOnce(&[[f32; 3]], &mut [[f32; 3]]),
    ) -> Result<TakenIn, BodyError> {
        self.has_written = false;
        self.next.resize(self.now.len());
        write(self.now.as_slice(), self.next.as_mut_slice());
        settle(&self.now, &mut self.next)
    }

    /// The positions to be taken in next, to be changed in place; at first the positions as they are now.
    pub(crate) fn next_positions_mut(&mut self) -> &mut [[f32; 3]] {
        if !std::mem::replace(&mut self.has_written, true) {
            self.next.clone_from(&self.now);
        }
        self.next.as_mut_slice()
    }

    /// Whether [`next_positions_mut`](Self::next_positions_mut) has lent positions that were not taken in yet.
    pub(crate) fn has_written_positions(&self) -> bool {
        self.has_written
    }

    /// As [`take_in`](Self::take_in), of the positions changed by [`next_positions_mut`](Self::next_positions_mut), if
    /// there are any. Refused ones stay, to be put right.
    pub(crate) fn take_in_written(&mut self) -> Result<Option<TakenIn>, BodyError> {
        if !self.has_written {
            return Ok(None);
        }
        let taken = settle(&self.now, &mut self.next)?;
        self.has_written = false;
        Ok(Some(taken))
    }

    /// Makes the positions that were taken in last the current ones.
    pub(crate) fn accept(&mut self, taken: &TakenIn, kind: Move) {
        let (bounds, drift) = (self.bounds, self.drift);
        self.bounds = taken.bounds;
        self.drift.add(&taken.moved);
        if kind == Move::Step || self.stands_still {
            (self.start_bounds, self.start_drift) = (bounds, drift);
            std::mem::swap(&mut self.start, &mut self.next);
            std::mem::swap(&mut self.start, &mut self.now);
            self.stands_still = false;
        } else {
            std::mem::swap(&mut self.now, &mut self.next);
        }
        self.version += 1;
    }

    /// Whether the body has not moved in this step.
    pub(crate) fn stands_still(&self) -> bool {
        self.stands_still
    }

    /// Begins a step in which the body has not moved.
    pub(crate) fn hold_still(&mut self) {
        self.stands_still = true;
    }

    /// Says how the body as a whole is placed, for methods that keep boxes in body coordinates.
    ///
    /// Positions stay in world coordinates: a pose changes no answer, only how well such boxes fit a body that rotates.
    /// Setting it counts as a new version.
    pub fn set_pose(&mut self, world_from_body: Pose) {
        self.pose = world_from_body;
        self.version += 1;
    }

    /// How the body as a whole is placed; the identity if it was not set.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// The mesh whose vertices these are.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The smallest box that holds every vertex; empty for a body without vertices.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// A number that grows whenever positions, the pose or triangles are set; what was computed from the body is
    /// valid as long as this number stays the same.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Where a vertex is now; `None` if there is no such vertex.
    pub fn position(&self, vertex: VertexId) -> Option<[f32; 3]> {
        self.now.as_slice().get(vertex.index()).copied()
    }

    /// Where all vertices are now, one position per vertex.
    pub fn positions(&self) -> &[[f32; 3]] {
        self.now.as_slice()
    }

    /// Where all vertices were in the frame before; the same as now if the body has not moved since.
    pub fn previous_positions(&self) -> &[[f32; 3]] {
        if self.stands_still { self.now.as_slice() } else { self.start.as_slice() }
    }

    /// A triangle with its corners as they are now; `None` if there is no such triangle, or it was removed.
    pub fn triangle(&self, triangle: TriangleId) -> Option<Triangle> {
        self.mesh.is_live(triangle).then(|| self.corners(self.mesh.triangles()[triangle.index()]))
    }

    /// The box of the vertices where the step began.
    pub(crate) fn previous_bounds(&self) -> Aabb {
        if self.stands_still { self.bounds } else { self.start_bounds }
    }

    /// Where the vertices were in the frame before.
    pub(crate) fn previous_vertices(&self) -> &Vertices {
        if self.stands_still { &self.now } else { &self.start }
    }

    /// Between which two numbers the displacement of every vertex in this step lies, along each axis.
    pub(crate) fn step_displacement(&self) -> [[f64; 3]; 2] {
        let (from, to) = (&self.start_drift, &self.drift);
        match () {
            _ if self.stands_still => [[0.0; 3]; 2],
            _ if from.jumps != to.jumps => [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]],
            _ => [
                std::array::from_fn(|axis| (to.low[axis] - from.low[axis]).next_down()),
                std::array::from_fn(|axis| (to.high[axis] - from.high[axis]).next_up()),
            ],
        }
    }

    /// How far vertices have moved, summed up over frames.
    pub(crate) fn drift(&self) -> Drift {
        self.drift
    }

    /// Where the vertices are now.
    #[inline]
    pub(crate) fn vertices(&self) -> &Vertices {
        &self.now
    }

    /// The box of a triangle of this mesh as it is now.
    #[inline]
    pub(crate) fn triangle_box(&self, triangle: u32) -> Aabb {
        self.now.triangle_box(self.mesh.triangles()[triangle as usize])
    }

    /// The corners that three vertices of this mesh are at now, with 0 for fourth coordinates.
    #[inline]
    pub(crate) fn padded_corners(&self, vertices: [u32; 3]) -> [Vec4; 3] {
        vertices.map(|vertex| self.now.get(vertex))
    }

    /// The corners that three vertices of this mesh are at now.
    #[inline]
    pub(crate) fn corners(&self, vertices: [u32; 3]) -> Triangle {
        Triangle(vertices.map(|vertex| self.now.position(vertex)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        let mesh = Mesh::new(3, vec![[0, 1, 2]]).unwrap();
        Body::new(mesh, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, -0.0]]).unwrap()
    }

    #[test]
    fn a_refused_update_leaves_the_body_as_it_was() {
        let mut body = body();
        body.set_positions(&[[0.0; 3], [1.0; 3], [2.0; 3]]).unwrap();
        let (now, before) = (body.positions().to_vec(), body.previous_positions().to_vec());
        let bounds = body.bounds();
        for (bad, message) in [
            (vec![[0.0; 3]; 2], "2 positions were given, but the body has 3 vertices"),
            (vec![[0.0; 3], [9.0, f32::NAN, 9.0], [f32::NAN; 3]], "vertex 1 is at [9.0, NaN, 9.0]: not finite"),
            (vec![[0.0; 3], [0.0; 3], [0.0, 0.0, f32::NEG_INFINITY]], "vertex 2 is at [0.0, 0.0, -inf]: not finite"),
        ] {
            assert_eq!(body.set_positions(&bad).unwrap_err().to_string(), message);
            assert_eq!(body.positions(), now);
            assert_eq!(body.previous_positions(), before);
            assert_eq!((body.bounds(), body.version()), (bounds, 2));
        }
    }

    #[test]
    fn negative_zero_becomes_positive_zero_at_the_door() {
        assert!(body().positions().as_flattened().iter().all(|x| x.to_bits() != (-0.0f32).to_bits()));
    }

    #[test]
    fn the_box_follows_the_vertices_and_the_last_frame_is_kept() {
        let mut body = body();
        body.set_positions(&[[5.0; 3], [6.0; 3], [7.0; 3]]).unwrap();
        assert_eq!(body.bounds(), Aabb::new([5.0; 3], [7.0; 3]));
        assert_eq!(body.previous_positions()[1], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_correction_keeps_where_the_step_began_and_a_new_step_does_not() {
        let mut body = body();
        assert_eq!(body.previous_positions(), body.positions());
        body.set_positions(&[[1.0; 3]; 3]).unwrap();
        body.correct_positions(&[[2.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([1.0, 0.0, 0.0], [2.0; 3]));
        body.set_positions(&[[3.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([2.0; 3], [3.0; 3]));
        body.hold_still();
        assert_eq!(body.previous_positions()[1], [3.0; 3]);
        body.correct_positions(&[[4.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([3.0; 3], [4.0; 3]));
    }

    #[test]
    fn positions_written_in_place_start_from_the_current_ones_and_can_be_put_right() {
        let mut body = body();
        body.set_positions(&[[5.0; 3]; 3]).unwrap();
        body.next_positions_mut()[2][1] -= 0.5;
        assert_eq!(body.next_positions_mut(), [[5.0; 3], [5.0; 3], [5.0, 4.5, 5.0]]);
        body.next_positions_mut()[0][0] = f32::NAN;
        assert!(matches!(body.take_in_written(), Err(BodyError::NotFinite { .. })));
        assert_eq!(body.positions(), [[5.0; 3]; 3]);
        body.next_positions_mut()[0][0] = 1.0;
        let taken = body.take_in_written().unwrap().unwrap();
        body.accept(&taken, Move::Step);
        assert_eq!(body.positions(), [[1.0, 5.0, 5.0], [5.0; 3], [5.0, 4.5, 5.0]]);
        assert!(body.take_in_written().unwrap().is_none());
    }

    #[test]
    fn a_body_without_vertices_has_an_empty_box() {
        let body = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[]).unwrap();
        assert!(body.bounds().is_empty());
    }
}
