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
mod points;
mod positions;
#[cfg(feature = "serde")]
mod saved;
mod step;
mod vertices;
mod which;
mod wide;

use std::sync::Arc;

use glam::Vec4;

pub(crate) use drift::Drift;
pub use edit::{Edit, EditError, Edited, Part};
pub use error::BodyError;
pub(crate) use points::{PointSource, Points};
pub(crate) use step::Move;
pub(crate) use vertices::Vertices;
pub use which::WhichBody;

use crate::geom::{Aabb, Coordinate, Given, Pose, Precision, Triangle};
use crate::geom::{TriangleId, VertexId};
use crate::mesh::Mesh;
pub(crate) use positions::TakenIn;
use wide::{Doubles, Wide};

/// A mesh and where its vertices are, this frame and the one before.
///
/// Positions are f32 or f64 numbers, whichever the body is made with, and copied into the body's own memory: 12 bytes
/// per vertex and buffer, 36 in f64; there are three buffers.
///
/// An f64 body keeps its numbers, and every answer is about them; a copy rounded to f32 ([`positions`](Self::positions))
/// serves to find candidates. It costs time where the copy cannot tell vertices apart: near the origin f32 resolves
/// far more than far away, so a body that is small and far from the origin is better moved there first.
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
    /// The positions themselves if they are f64 numbers: the above are then rounded copies.
    wide: Option<Box<Wide>>,
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
    /// The topology version at which triangles and vertices last got other numbers.
    renumbered_at: u64,
    drift: Drift,
    pose: Pose,
    name: Option<Arc<str>>,
    user_data: u64,
}

impl Body {
    /// Puts a mesh into its first frame, at f32 positions.
    ///
    /// Positions given later are f32 numbers, too; f64 ones are refused unless they are f32 numbers. Nothing is rounded in
    /// silence.
    ///
    /// # Errors
    /// If the number of positions is not the mesh's number of vertices, or a position is not finite.
    pub fn new(mesh: impl Into<Arc<Mesh>>, positions: &[[f32; 3]]) -> Result<Self, BodyError> {
        Self::with_positions(mesh, positions)
    }

    /// Puts a mesh into its first frame, at f64 positions: the body keeps them, and widens f32 positions that it is given
    /// later.
    ///
    /// # Errors
    /// As [`new`](Self::new). Also if the size of a coordinate that is not 0 is below 2^-300 or above that of the largest f32 number,
    /// or if all are smaller than 2^-100 and not all are 0.
    pub fn new_f64(mesh: impl Into<Arc<Mesh>>, positions: &[[f64; 3]]) -> Result<Self, BodyError> {
        Self::with_positions(mesh, positions)
    }

    /// [`new`](Self::new) or [`new_f64`](Self::new_f64), whichever the positions are: for code that is generic over both.
    ///
    /// # Errors
    /// As these.
    pub fn with_positions<C: Coordinate>(mesh: impl Into<Arc<Mesh>>, positions: &[[C; 3]]) -> Result<Self, BodyError> {
        let precision = match C::given(positions) {
            Given::F32(_) => Precision::F32,
            Given::F64(_) => Precision::F64,
        };
        let mut body = Self::at_origin(mesh.into(), precision);
        body.move_to(C::given(positions), Move::Step)?;
        body.hold_still();
        Ok(body)
    }

    /// A body that has been given no positions yet.
    fn at_origin(mesh: Arc<Mesh>, precision: Precision) -> Self {
        Self {
            now: Vertices::at_origin(mesh.vertex_count()),
            start: Vertices::default(),
            next: Vertices::default(),
            wide: (precision == Precision::F64 && cfg!(feature = "f64")).then(Box::default),
            stands_still: true,
            has_written: false,
            mesh,
            bounds: Aabb::EMPTY,
            start_bounds: Aabb::EMPTY,
            start_drift: Drift::default(),
            version: 0,
            topology_version: 0,
            renumbered_at: 0,
            drift: Drift::default(),
            pose: Pose::IDENTITY,
            name: None,
            user_data: 0,
        }
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

    pub(crate) fn shared_name(&self) -> Option<Arc<str>> {
        self.name.clone()
    }

    pub(crate) fn set_name(&mut self, name: Option<Arc<str>>) {
        self.name = name;
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

    /// The smallest box that holds every vertex; empty for a body without vertices. If positions are f64 numbers, the
    /// box that of the vertices is rounded to.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// A number that grows whenever positions, the pose or triangles are set; what was computed from the body is
    /// valid as long as this number stays the same.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What numbers the body was made with.
    pub fn precision(&self) -> Precision {
        if self.is_wide() { Precision::F64 } else { Precision::F32 }
    }

    /// Where a vertex is now, in f64 and without rounding whatever the body was made with; `None` if there is no such
    /// vertex.
    pub fn point(&self, vertex: VertexId) -> Option<[f64; 3]> {
        (vertex.index() < self.now.len()).then(|| self.exact_position(vertex.0))
    }

    /// Where all vertices are now, if the body was made with f64 positions.
    pub fn positions_f64(&self) -> Option<&[[f64; 3]]> {
        self.wide().map(|wide| wide.now.positions.as_slice())
    }

    /// Where all vertices were in the frame before, if the body was made with f64 positions.
    pub fn previous_positions_f64(&self) -> Option<&[[f64; 3]]> {
        self.previous_doubles().map(|doubles| doubles.positions.as_slice())
    }

    /// Where all vertices are now, one position per vertex; rounded if they are f64 positions.
    pub fn positions(&self) -> &[[f32; 3]] {
        self.now.as_slice()
    }

    /// Where all vertices were in the frame before; the same as now if the body has not moved since. Rounded if they
    /// are f64 positions.
    pub fn previous_positions(&self) -> &[[f32; 3]] {
        if self.stands_still { self.now.as_slice() } else { self.start.as_slice() }
    }

    /// A triangle with its corners as they are now, rounded if they are f64 positions; `None` if there is no such triangle, or it was removed.
    pub fn triangle(&self, triangle: TriangleId) -> Option<Triangle> {
        self.mesh.is_live(triangle).then(|| self.corners(self.mesh.indices()[triangle.index()]))
    }

    /// The corners of a triangle as they are now, without rounding whatever the body was made with; `None` if there is no such
    /// triangle, or it was removed.
    pub fn triangle_f64(&self, triangle: TriangleId) -> Option<[[f64; 3]; 3]> {
        self.mesh.is_live(triangle).then(|| self.exact_corners(self.mesh.indices()[triangle.index()]))
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

    /// A bound on how far any coordinate of this frame differs from its copy rounded to f32: 0 for an f32 body, and for an f64
    /// body whose coordinates are all f32 numbers.
    #[inline]
    pub fn rounding(&self) -> f32 {
        self.wide().map_or(0.0, |wide| wide.now.rounding)
    }

    /// The same for the frame before.
    #[inline]
    pub(crate) fn previous_rounding(&self) -> f32 {
        self.previous_doubles().map_or(0.0, |doubles| doubles.rounding)
    }

    /// Whether positions are f64 numbers.
    #[inline]
    pub(crate) fn is_wide(&self) -> bool {
        self.wide().is_some()
    }

    /// What a body with f64 positions keeps besides. A build without the feature `f64`, as the npm package is, knows that there
    /// is nothing, and leaves out all code for it.
    #[inline(always)]
    fn wide(&self) -> Option<&Wide> {
        if cfg!(not(feature = "f64")) { None } else { self.wide.as_deref() }
    }

    #[inline]
    fn previous_doubles(&self) -> Option<&Doubles> {
        self.wide().map(|wide| if self.stands_still { &wide.now } else { &wide.start })
    }

    /// Where a vertex is now, without rounding.
    #[inline]
    pub(crate) fn exact_position(&self, vertex: u32) -> [f64; 3] {
        match self.wide() {
            None => self.now.position(vertex).map(f64::from),
            Some(wide) => wide.now.positions[vertex as usize],
        }
    }

    /// Where a vertex was in the frame before, without rounding.
    #[inline]
    pub(crate) fn exact_previous_position(&self, vertex: u32) -> [f64; 3] {
        match self.previous_doubles() {
            None => self.previous_vertices().position(vertex).map(f64::from),
            Some(doubles) => doubles.positions[vertex as usize],
        }
    }

    /// The corners that three vertices of this mesh are at now, without rounding.
    #[inline]
    pub(crate) fn exact_corners(&self, vertices: [u32; 3]) -> [[f64; 3]; 3] {
        vertices.map(|vertex| self.exact_position(vertex))
    }

    /// The corners that three vertices of this mesh were at in the frame before, without rounding.
    #[inline]
    pub(crate) fn exact_previous_corners(&self, vertices: [u32; 3]) -> [[f64; 3]; 3] {
        vertices.map(|vertex| self.exact_previous_position(vertex))
    }

    /// The box of a triangle as it is now.
    ///
    /// # Panics
    /// If there is no such triangle. For methods, which ask about triangles of the mesh they were given.
    #[inline]
    pub fn triangle_box(&self, triangle: TriangleId) -> Aabb {
        self.now.triangle_box(self.mesh.indices()[triangle.index()])
    }

    /// The box of some vertices as they are now.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[inline]
    pub fn box_of(&self, vertices: &[VertexId]) -> Aabb {
        self.now.box_of(vertices)
    }

    /// Where a vertex is now, and a fourth number that is finite and means nothing: what a vector register loads at once.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[inline]
    pub fn position_in_lanes(&self, vertex: VertexId) -> [f32; 4] {
        self.now.four(vertex.0).to_array()
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

    #[test]
    fn a_body_without_vertices_has_an_empty_box() {
        let body = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap();
        assert!(body.bounds().is_empty());
    }
}
