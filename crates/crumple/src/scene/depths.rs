//! How deep the vertices of one body are inside another, and how deep two bodies are in each other.
//!
//! A vertex inside is as deep as the nearest point of the surface is far: the closest point of the tree, with a sign that
//! is decided exactly (`probe`). Vertices outside the box of the closed body are not asked about.
//!
//! Held by: `tests/response/depth.rs` (closed forms, brute force).

use super::{BodyId, Frame, SceneError};
use crate::body::Body;
use crate::contact::{Separation, separation};
use crate::geom::{TriangleId, VertexId};
use crate::probe::ClosestPoint;

/// A vertex inside a closed body, and the nearest way out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct VertexDepth {
    /// The vertex.
    pub vertex: VertexId,
    /// How far the surface is; 0 on it.
    pub depth: f64,
    /// The nearest point of the surface.
    pub point: [f64; 3],
    /// The direction out: from the vertex to that point, of length 1; 0 if the vertex lies on the surface.
    pub normal: [f64; 3],
    /// The triangle on which that point lies; of several, the one with the smallest number.
    pub triangle: TriangleId,
    /// The weights of the corners of that triangle at that point.
    pub barycentric: [f64; 3],
}

impl VertexDepth {
    fn new(vertex: VertexId, at: [f64; 3], closest: &ClosestPoint) -> Self {
        let depth = closest.distance.abs();
        let way: [f64; 3] = std::array::from_fn(|k| closest.point[k] - at[k]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let normal = if length > 0.0 { way.map(|x| x / length) } else { [0.0; 3] };
        let ClosestPoint { point, triangle, barycentric, .. } = *closest;
        Self { vertex, depth, point, normal, triangle, barycentric }
    }
}

/// Working memory of one answer.
#[derive(Debug, Default)]
pub(super) struct DepthMemory {
    vertices: Vec<VertexId>,
    points: Vec<[f64; 3]>,
    closest: Vec<ClosestPoint>,
    /// The depths, where only the deepest is asked for.
    found: Vec<VertexDepth>,
}

impl Frame<'_> {
    /// The vertices of body `a` that are inside the closed body `b` or on its surface, in order, each with its depth and
    /// the nearest way out; `found` is overwritten. Body `a` may be open.
    ///
    /// Which bodies are ignored or in which group does not matter: the two are named. A second call allocates nothing.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = scene.add(Body::new(Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?, &corners)?);
    /// let cloth = [[0.25, 0.25, 0.125], [2.0, 0.0, 2.0], [0.0, 2.0, 2.0]];
    /// let cloth = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &cloth)?);
    /// let mut found = Vec::new();
    /// scene.update()?.depths(cloth, solid, &mut found)?;
    /// assert_eq!(found.len(), 1);
    /// assert_eq!((found[0].vertex.0, found[0].depth, found[0].normal), (0, 0.125, [0.0, 0.0, -1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, one is known only by its loose box, or the surface of `b` is open or not oriented.
    pub fn depths(&self, a: BodyId, b: BodyId, found: &mut Vec<VertexDepth>) -> Result<(), SceneError> {
        self.scene.answers.depth_memories.lend(|memory| self.find_depths(a, b, memory, found))
    }

    fn find_depths(
        &self,
        a: BodyId,
        b: BodyId,
        memory: &mut DepthMemory,
        found: &mut Vec<VertexDepth>,
    ) -> Result<(), SceneError> {
        found.clear();
        let (body, bounds) = (self.known_body(a)?, self.known_body(b)?.bounds());
        let DepthMemory { vertices, points, closest, .. } = memory;
        vertices.clear();
        points.clear();
        for (&point, vertex) in body.positions().iter().zip(0..) {
            // Copies of f64 positions are outside only if these are.
            if bounds.contains(point) {
                vertices.push(VertexId(vertex));
                points.push(body.exact_position(vertex));
            }
        }
        // Asked also if there are none: an open body is refused wherever it is.
        self.signed_closest_points(b, &*points, closest)?;
        let inside = vertices.iter().zip(points.iter()).zip(closest.iter());
        let inside = inside.filter(|(_, closest)| closest.distance <= 0.0);
        found.extend(inside.map(|((&vertex, &at), closest)| VertexDepth::new(vertex, at, closest)));
        Ok(())
    }

    /// How deep two bodies are in each other: the depth of the deepest vertex of either inside the other, 0 if no vertex
    /// is. An open body has no inside, so that only its vertices count; `None` if neither of the two encloses a volume.
    ///
    /// Where only edges pass through a body, as a thin rod through a wall, no vertex is inside and the depth is 0 although
    /// they meet; [`overlap`](Self::overlap) and [`separation`](Self::separation) measure that too.
    ///
    /// ```
    /// # use crumple::{Body, Mesh, Scene};
    /// # let mut scene = Scene::new();
    /// # let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let solid = scene.add(Body::new(Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?, &corners)?);
    /// # let cloth = [[0.25, 0.25, 0.125], [2.0, 0.0, 2.0], [0.0, 2.0, 2.0]];
    /// # let cloth = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &cloth)?);
    /// let frame = scene.update()?;
    /// for contact in frame.contacts().iter() {
    ///     assert_eq!(frame.deepest(contact.a, contact.b)?, Some(0.125));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, the two are the same, or one is known only by its loose box.
    #[doc(alias = "penetration depth")]
    pub fn deepest(&self, a: BodyId, b: BodyId) -> Result<Option<f64>, SceneError> {
        let encloses =
            self.two_bodies(a, b)?.map(|body| body.mesh().live_count() > 0 && body.mesh().topology().is_solid());
        self.scene.answers.depth_memories.lend(|memory| {
            let (mut found, mut deepest) = (std::mem::take(&mut memory.found), None);
            for (inner, outer, encloses) in [(a, b, encloses[1]), (b, a, encloses[0])] {
                if encloses {
                    self.find_depths(inner, outer, memory, &mut found)?;
                    deepest = Some(found.iter().map(|of| of.depth).fold(deepest.unwrap_or(0.0), f64::max));
                }
            }
            memory.found = found;
            Ok(deepest)
        })
    }

    /// The smallest translation of body `a` that parts it from `b`; `None` if they are apart already. Bodies inside closed
    /// ones are not apart. Bodies may be open.
    ///
    /// The depth suffices to part the bodies, except that moved positions are rounded to the numbers of `a`. It is the smallest one
    /// found by a search over directions that starts from where the bodies overlap and follows at most 96 of them; for bodies
    /// with several regions, or far from convex, there may be a shorter way out. It takes some hundred times as long as
    /// [`first_impact`](Self::first_impact), and is not kept.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let corner = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    /// let a = scene.add(Body::new(Mesh::new(4, faces.clone())?, &corner(0.0))?);
    /// let b = scene.add(Body::new(Mesh::new(4, faces)?, &corner(0.75))?);
    /// let found = scene.update()?.separation(a, b)?.expect("they overlap");
    /// // Perpendicular to the slanted face: 0.25 / √3.
    /// assert!((found.depth - 0.25 / 3f64.sqrt()).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, the two are the same, or one is known only by its loose box.
    #[doc(alias = "penetration depth")]
    #[doc(alias = "minimum translation")]
    pub fn separation(&self, a: BodyId, b: BodyId) -> Result<Option<Separation>, SceneError> {
        let [a, b] = self.two_bodies(a, b)?;
        Ok(separation(a, b))
    }

    /// Two bodies whose vertices are known.
    fn two_bodies(&self, a: BodyId, b: BodyId) -> Result<[&Body; 2], SceneError> {
        let bodies = [self.known_body(a)?, self.known_body(b)?];
        if a == b { Err(SceneError::DepthInItself { body: a }) } else { Ok(bodies) }
    }
}
