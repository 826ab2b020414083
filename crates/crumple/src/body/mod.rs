//! NOW: a mesh with this frame's vertices and their box. The only place where vertices are written.

mod drift;
mod edit;
mod error;
mod in_place;
mod positions;
mod vertices;

use std::sync::Arc;

use glam::Vec4;

pub(crate) use drift::Drift;
pub use edit::{Edit, EditError, Edited, Part};
pub use error::BodyError;
pub use in_place::PositionsMut;
pub(crate) use vertices::Vertices;

use crate::contact::{TriangleId, VertexId};
use crate::geom::{Aabb, Pose, Triangle};
use crate::mesh::Mesh;
use positions::{TakenIn, check_within, take_in};

/// A mesh and where its vertices are, this frame and the one before.
///
/// Positions are copied into the body's own memory, 12 bytes a vertex. The last frame's are kept, since whoever
/// asks *when* contact began needs both; a third list takes in what may yet be refused, so that nothing is to be undone.
#[derive(Clone, Debug)]
pub struct Body {
    mesh: Arc<Mesh>,
    now: Vertices,
    before: Vertices,
    /// Takes in the next frame; rubbish in between.
    next: Vertices,
    bounds: Aabb,
    frame: u64,
    topology_version: u64,
    drift: Drift,
    pose: Pose,
}

impl Body {
    /// Puts a mesh into its first frame.
    ///
    /// # Errors
    /// If there is not one position a vertex, or one is not finite.
    pub fn new<P>(mesh: impl Into<Arc<Mesh>>, positions: &P) -> Result<Self, BodyError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let mesh = mesh.into();
        let mut body = Self {
            now: Vertices::at_origin(mesh.vertex_count()),
            before: Vertices::default(),
            next: Vertices::default(),
            mesh,
            bounds: Aabb::EMPTY,
            frame: 0,
            topology_version: 0,
            drift: Drift::default(),
            pose: Pose::IDENTITY,
        };
        body.set_positions(positions)?;
        body.before.clone_from(&body.now);
        Ok(body)
    }

    /// Moves every vertex: the positions of the next frame, in the order of the vertices.
    ///
    /// # Errors
    /// If there is not one position a vertex, or one is not finite. The body then stays as it was.
    pub fn set_positions<P>(&mut self, positions: &P) -> Result<(), BodyError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        self.set_positions_within(positions.as_ref(), None)
    }

    /// Moves every vertex, and refuses positions outside the box that was promised to hold them.
    pub(crate) fn set_positions_within(
        &mut self,
        positions: &[[f32; 3]],
        promised: Option<Aabb>,
    ) -> Result<(), BodyError> {
        if positions.len() != self.mesh.vertex_count() {
            return Err(BodyError::WrongNumberOfPositions {
                given: positions.len(),
                expected: self.mesh.vertex_count(),
            });
        }
        let taken = take_in(positions, &self.now, &mut self.next)?;
        if let Some(promised) = promised {
            check_within(positions, taken.bounds, promised)?;
        }
        self.turn_over(&taken);
        Ok(())
    }

    /// Room for the next frame's positions in the body's own memory: whoever computes them can write them there, and
    /// [`PositionsMut::commit`] takes them in without a copy.
    ///
    /// ```
    /// use crumple::{Body, Mesh};
    ///
    /// let mut body = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let mut next = body.positions_mut();
    /// for (vertex, position) in next.as_mut_slice().iter_mut().enumerate() {
    ///     *position = [vertex as f32, 2.0, 3.0];
    /// }
    /// next.commit()?;
    /// assert_eq!(body.bounds().max(), [2.0, 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions_mut(&mut self) -> PositionsMut<'_> {
        self.next.resize(self.now.len());
        PositionsMut { body: self }
    }

    /// All is well: now becomes before, next becomes now, and the oldest is written over next time.
    fn turn_over(&mut self, taken: &TakenIn) {
        self.bounds = taken.bounds;
        self.drift.add(&taken.moved);
        std::mem::swap(&mut self.before, &mut self.next);
        std::mem::swap(&mut self.before, &mut self.now);
        self.frame += 1;
    }

    /// Says how the body as a whole is placed, for methods that keep boxes in body coordinates.
    ///
    /// Positions are the world's all the same: a pose changes no answer, only how well such boxes fit a body that
    /// turns. It counts as a new frame.
    pub fn set_pose(&mut self, world_from_body: Pose) {
        self.pose = world_from_body;
        self.frame += 1;
    }

    /// How the body as a whole is placed; the identity unless it was said.
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

    /// A number that grows whenever positions, the pose or triangles are set; what was computed from the body holds as
    /// long as it stays.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Where a vertex is now; `None` if there is no such vertex.
    pub fn position(&self, vertex: VertexId) -> Option<[f32; 3]> {
        self.now.as_slice().get(vertex.0 as usize).copied()
    }

    /// Where all vertices are now.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = [f32; 3]> + '_ {
        self.now.as_slice().iter().copied()
    }

    /// Where all vertices were in the frame before; the same as now if there was none.
    pub fn previous_positions(&self) -> impl ExactSizeIterator<Item = [f32; 3]> + '_ {
        self.before.as_slice().iter().copied()
    }

    /// A triangle with its corners as they are now; `None` if there is no such triangle, or it was removed.
    pub fn triangle(&self, triangle: TriangleId) -> Option<Triangle> {
        self.mesh.is_live(triangle).then(|| self.corners(self.mesh.triangles()[triangle.0 as usize]))
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
        let (now, before): (Vec<_>, Vec<_>) = (body.positions().collect(), body.previous_positions().collect());
        let bounds = body.bounds();
        for (bad, message) in [
            (vec![[0.0; 3]; 2], "2 positions were given, but the body has 3 vertices"),
            (vec![[0.0; 3], [9.0, f32::NAN, 9.0], [f32::NAN; 3]], "vertex 1 is at [9.0, NaN, 9.0]: not finite"),
            (vec![[0.0; 3], [0.0; 3], [0.0, 0.0, f32::NEG_INFINITY]], "vertex 2 is at [0.0, 0.0, -inf]: not finite"),
        ] {
            assert_eq!(body.set_positions(&bad).unwrap_err().to_string(), message);
            assert_eq!(body.positions().collect::<Vec<_>>(), now);
            assert_eq!(body.previous_positions().collect::<Vec<_>>(), before);
            assert_eq!((body.bounds(), body.frame()), (bounds, 2));
        }
    }

    #[test]
    fn negative_zero_becomes_positive_zero_at_the_door() {
        assert!(body().positions().flatten().all(|x| x.to_bits() != (-0.0f32).to_bits()));
    }

    #[test]
    fn the_box_follows_the_vertices_and_the_last_frame_is_kept() {
        let mut body = body();
        body.set_positions(&[[5.0; 3], [6.0; 3], [7.0; 3]]).unwrap();
        assert_eq!(body.bounds(), Aabb::new([5.0; 3], [7.0; 3]));
        assert_eq!(body.previous_positions().nth(1), Some([1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_body_without_vertices_has_an_empty_box() {
        let body = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[]).unwrap();
        assert!(body.bounds().is_empty());
    }
}
