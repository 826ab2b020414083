//! The vertices that the distance of two features depends on, each with its weight.
//!
//! A near pair names two features; where they are nearest may be a corner or an edge of them. Its stencil has the vertices of
//! what is nearest. With `r` the vector between the nearest points,
//!
//! ```text
//! r = Σ weight · position,   |r| = distance,   direction = r / |r|,   ∇ distance = weight · direction, for every vertex.
//! ```
//!
//! Weights of the first side are positive, those of the second negative, and each side's sum to 1 and −1. The first side is the
//! vertex of a vertex and a face or an edge, and the first edge of two; so `direction` points from the face to the vertex.
//!
//! Held by: `tests/behaviour/potential`.

use std::cmp::Ordering;

use crate::body::Body;
use crate::distance::NearPair;
use crate::geom::lanes::Vec3Ops;
use crate::geom::{BodyId, FeaturePair, VertexId};
use crate::motion::Impact;
use crate::scene::{Between, Frame, SceneError};

/// A vertex of a body of a scene.
pub type BodyVertex = (BodyId, VertexId);

/// What is nearest of two features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum StencilKind {
    /// Two vertices.
    PointPoint,
    /// A vertex and the inside of an edge.
    PointEdge,
    /// A vertex and the inside of a face.
    PointTriangle,
    /// Two edges: their insides, or, if they are nearly parallel, whatever of them is nearest.
    EdgeEdge,
}

/// The vertices that a distance depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stencil {
    /// What is nearest.
    pub kind: StencilKind,
    /// The vertices, two to four of them ([`points`](Self::points)); what is left over repeats the first, with weight 0.
    pub vertices: [BodyVertex; 4],
    /// The derivative of the distance for a vertex is its weight times the direction.
    pub weights: [f64; 4],
    /// A unit vector from the second side to the first; zeros if they touch.
    pub direction: [f64; 3],
    /// How far apart both sides are.
    pub distance: f64,
    /// How many near pairs have this stencil, or the area that it stands for.
    pub multiplicity: f64,
    /// The square of the sine of the angle between two edges: 0 if they are parallel. 1 for the other kinds.
    pub sine_squared: f64,
    /// The squared length of the cross product of two edges below which they are mollified; 0 for the other kinds.
    pub(super) threshold: f64,
}

impl Stencil {
    /// How many vertices it has.
    pub fn points(&self) -> usize {
        match self.kind {
            StencilKind::PointPoint => 2,
            StencilKind::PointEdge => 3,
            StencilKind::PointTriangle | StencilKind::EdgeEdge => 4,
        }
    }

    /// Two unit vectors that are perpendicular to the direction and to each other: the plane in which both sides slide.
    pub fn tangents(&self) -> [[f64; 3]; 2] {
        let d = self.direction;
        // The axis that the direction has the least part in is farthest from parallel to it.
        let axis = (0..3).min_by(|&i, &j| d[i].abs().total_cmp(&d[j].abs())).unwrap_or_default();
        let mut along = [0.0; 3];
        along[axis] = 1.0;
        let first = d.cross(along);
        let length = first.dot(first).sqrt();
        if length == 0.0 {
            return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        }
        let first = first.times(1.0 / length);
        [first, d.cross(first)]
    }

    /// The value of the first side's nearest point less that of the second's, of anything that vertices have: of velocities, how
    /// fast both sides move against each other.
    pub fn relative(&self, of: impl Fn(BodyVertex) -> [f64; 3]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (&vertex, &weight) in self.vertices.iter().zip(&self.weights).take(self.points()) {
            sum = sum.plus(of(vertex).times(weight));
        }
        sum
    }

    /// Two features of the bodies `a` and `b`, with all their vertices; `None` for triangles that meet at the start of a step.
    fn whole([(a, body_a), (b, body_b)]: [(BodyId, &Body); 2], at: &At) -> Option<Self> {
        let [u, v, w] = at.barycentric;
        let (kind, vertices, weights) = match at.features {
            FeaturePair::Triangles { .. } => return None,
            FeaturePair::VertexFace { vertex_of_b, vertex, triangle } => {
                let (of, to, body) = if vertex_of_b { (b, a, body_a) } else { (a, b, body_b) };
                let [p, q, r] = *body.mesh().triangles().get(triangle.index())?;
                (StencilKind::PointTriangle, [(of, vertex), (to, p), (to, q), (to, r)], [1.0, -u, -v, -w])
            }
            FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => {
                (StencilKind::EdgeEdge, [(a, p), (a, q), (b, r), (b, s)], [1.0 - u, u, v - 1.0, -v])
            }
        };
        let At { direction, distance, .. } = *at;
        Some(Self {
            kind,
            vertices,
            weights,
            direction,
            distance,
            multiplicity: 1.0,
            sine_squared: 1.0,
            threshold: 0.0,
        })
    }

    /// Only what is nearest: without vertices of weight 0, a vertex before an edge, vertices in order.
    fn reduced(mut self) -> Self {
        let signs = |weights: &[f64; 4]| {
            let first = weights.iter().filter(|&&weight| weight > 0.0).count();
            (first, weights.iter().filter(|&&weight| weight < 0.0).count())
        };
        self.kind = match signs(&self.weights) {
            (1, 1) => StencilKind::PointPoint,
            (1, 2) => StencilKind::PointEdge,
            (2, 1) => {
                self.turn();
                StencilKind::PointEdge
            }
            (1, 3) => StencilKind::PointTriangle,
            _ => return self,
        };
        self.sine_squared = 1.0;
        if self.kind == StencilKind::PointTriangle {
            return self;
        }
        let mut used = [0, 1, 2, 3].map(|k| (self.weights[k], self.vertices[k]));
        // The first side, then the second by its vertices, then what has no weight.
        let rank = |weight: f64| if weight > 0.0 { 0 } else { 1 + u8::from(weight == 0.0) };
        used.sort_unstable_by_key(|&(weight, vertex)| (rank(weight), vertex));
        let points = self.points();
        for (k, &(weight, vertex)) in used.iter().enumerate() {
            self.weights[k] = if k < points { weight } else { 0.0 };
            self.vertices[k] = if k < points { vertex } else { used[0].1 };
        }
        if self.kind == StencilKind::PointPoint && self.vertices[1] < self.vertices[0] {
            self.turn();
            self.vertices.swap(0, 1);
            self.weights.swap(0, 1);
            (self.vertices[2], self.vertices[3]) = (self.vertices[0], self.vertices[0]);
        }
        self
    }

    /// The same distance with the sides exchanged.
    fn turn(&mut self) {
        self.weights = self.weights.map(|weight| 0.0 - weight);
        self.direction = self.direction.map(|x| 0.0 - x);
    }

    /// Whether it is of two edges that are so nearly parallel that their part is made smaller.
    pub(super) fn is_mollified(&self) -> bool {
        self.threshold > 0.0
    }

    /// Stencils of the same vertices are equal, whichever features they come from.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        (self.kind, self.vertices).cmp(&(other.kind, other.vertices))
    }

    /// The stencil of a near pair. Two edges of which the squared cross product is less than the threshold are mollified.
    pub(super) fn of_near(
        bodies: [(BodyId, &Body); 2],
        near: &NearPair,
        threshold: impl Fn(&[BodyVertex; 4]) -> f64,
    ) -> Option<Self> {
        let NearPair { features, barycentric, direction, .. } = *near;
        let mut stencil = Self::whole(bodies, &At { features, barycentric, direction, distance: near.distance() })?;
        if stencil.kind == StencilKind::EdgeEdge {
            let position = |k: usize| bodies[k / 2].1.exact_position(stencil.vertices[k].1.0);
            let (d, e) = (position(1).minus(position(0)), position(3).minus(position(2)));
            let across = d.cross(e);
            let (across, both) = (across.dot(across), d.dot(d) * e.dot(e));
            stencil.sine_squared = if both > 0.0 { across / both } else { 0.0 };
            let threshold = threshold(&stencil.vertices);
            if across < threshold {
                return Some(Self { threshold, ..stencil });
            }
        }
        Some(stencil.reduced())
    }
}

/// Where two features are nearest.
struct At {
    features: FeaturePair,
    barycentric: [f64; 3],
    direction: [f64; 3],
    distance: f64,
}

impl Between<NearPair> {
    /// The vertices that the distance of this pair depends on.
    ///
    /// # Errors
    /// If the frame has no such bodies, or they have no such features.
    pub fn stencil(&self, frame: &Frame<'_>) -> Result<Option<Stencil>, SceneError> {
        Ok(Stencil::of_near(self.bodies(frame)?, &self.of, |_| 0.0))
    }
}

impl Between<Impact> {
    /// The vertices that move the features of this impact apart: the direction is its normal, the distance 0. `None` for
    /// triangles that meet at the start of the step.
    ///
    /// # Errors
    /// If the frame has no such bodies.
    pub fn stencil(&self, frame: &Frame<'_>) -> Result<Option<Stencil>, SceneError> {
        let Impact { features, barycentric, normal, .. } = self.of;
        let at = At { features, barycentric, direction: normal, distance: 0.0 };
        Ok(Stencil::whole(self.bodies(frame)?, &at).map(Stencil::reduced))
    }
}

impl<T> Between<T> {
    fn bodies<'a>(&self, frame: &Frame<'a>) -> Result<[(BodyId, &'a Body); 2], SceneError> {
        Ok([(self.a, frame.body(self.a)?), (self.b, frame.body(self.b)?)])
    }
}
