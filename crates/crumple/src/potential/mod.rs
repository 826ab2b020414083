//! WHAT IT COSTS: the energy of what is near, for solvers, with gradient and Hessian.
//!
//! [`Frame::near`] finds which features are closer than a reach; a [`ContactPotential`] makes of them what a solver adds to its own
//! energy, as Incremental Potential Contact does (Li et al. 2020): every vertex and face and every two edges cost what a
//! [`Barrier`] says about their distance. Where several pairs of features are nearest at the same vertices they are one
//! [`Stencil`] with a multiplicity. [`Friction`] acts on the stencils of an earlier moment.
//!
//! ```text
//! frame.near(reach) ─► stencils ─► energy · gradient, three numbers per vertex · Hessian, a block per stencil
//! ```
//!
//! Departs from ipc-toolkit: stencils are listed in an order of their own; derivatives come from one formula for all kinds
//! (`local`); the Hessian is made positive semi-definite in five dimensions in place of twelve. With
//! [`with_areas`](ContactPotential::with_areas) weights are areas, as in the convergent formulation (Li et al. 2023), without
//! its correction of what counts twice at shared vertices.
//!
//! Cost: some microseconds per stencil and Hessian; nothing is allocated once lists have grown. Everything is shared among
//! threads, and comes to the same bits for any number of them.
//! Held by: `tests/behaviour/potential` (finite differences), and `cargo xtask verify` (ipc-toolkit).

mod barrier;
mod definite;
mod friction;
mod hessian;
mod local;
mod rest;
mod stencil;

pub use barrier::Barrier;
pub use definite::Projection;
pub use friction::Friction;
pub use hessian::{Hessian, HessianBlock};
pub use stencil::{BodyVertex, Stencil, StencilKind};

use crate::body::Body;
use crate::distance::NearPair;
use crate::geom::lanes::Vec3Ops;
use crate::geom::{BodyId, FeaturePair, VertexId};
use crate::scene::{Frame, NearGroup, SceneError, check_rest};
use crate::threads;
use barrier::Value;
use local::{At, Block, Local};
use rest::Rest;

/// Edges are mollified where the squared cross product is less than this much of what it is at a right angle, at rest.
const MOLLIFIED: f64 = 1e-3;
/// So many stencils are worth a thread.
const WORTH_A_THREAD: usize = 256;

/// The energy of all features that are closer than a reach.
///
/// ```
/// use crumple::potential::{ContactPotential, Projection};
/// use crumple::{Body, Mesh, Scene};
///
/// let mut scene = Scene::new();
/// let triangle = |y: f64| [[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]];
/// scene.add(Body::new_f64(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.0))?);
/// let upper = scene.add(Body::new_f64(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.25))?);
/// let mut potential = ContactPotential::new(0.3).with_stiffness(10.0);
/// let frame = scene.update()?;
/// potential.update(&frame);
/// assert!(potential.energy() > 0.0);
/// // The force on a body is minus the gradient: up, on each of its vertices.
/// let first = potential.first_vertex(upper).expect("the body is in the frame");
/// assert!(potential.gradient()[first..first + 3].iter().all(|vertex| vertex[1] < 0.0));
/// let hessian = potential.hessian(Projection::Clamp);
/// assert!(hessian.triplets().all(|(row, column, _)| row < 18 && column < 18));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ContactPotential {
    reach: f64,
    thickness: f64,
    stiffness: f64,
    barrier: Barrier,
    has_areas: bool,
    rests: Vec<Option<Rest>>,
    vertices: BodyVertices,
    stencils: Vec<Stencil>,
    /// Stencils that more than one pair of features may have, before they are joined.
    shared: Vec<Stencil>,
    found: Vec<Option<Stencil>>,
    energies: Vec<f64>,
    gradients: Vec<Local>,
    blocks: Vec<Block>,
    gradient: Vec<[f64; 3]>,
}

/// The vertices of all bodies of a frame, one body after another.
#[derive(Clone, Debug, Default)]
struct BodyVertices {
    /// By slot: the body and its first vertex.
    first: Vec<Option<(BodyId, u32)>>,
    positions: Vec<[f64; 3]>,
}

impl BodyVertices {
    fn fill(&mut self, frame: &Frame<'_>) {
        self.first.clear();
        self.positions.clear();
        for (id, body) in frame.bodies() {
            self.first.resize(self.first.len().max(id.index() + 1), None);
            self.first[id.index()] = Some((id, self.positions.len() as u32));
            self.positions.extend((0..body.mesh().vertex_count() as u32).map(|vertex| body.exact_position(vertex)));
        }
    }

    fn first_of(&self, id: BodyId) -> Option<u32> {
        self.first.get(id.index()).copied().flatten().filter(|&(known, _)| known == id).map(|(_, first)| first)
    }

    fn index(&self, (id, vertex): BodyVertex) -> usize {
        (self.first_of(id).unwrap_or_default() + vertex.0) as usize
    }

    fn position(&self, vertex: BodyVertex) -> [f64; 3] {
        self.positions.get(self.index(vertex)).copied().unwrap_or_default()
    }

    fn at<'a>(&self, stencil: &'a Stencil) -> At<'a> {
        At { stencil, points: stencil.vertices.map(|vertex| self.position(vertex)) }
    }

    /// Adds up, for every vertex, what stencils have for it.
    fn scatter(&self, stencils: &[Stencil], parts: &[Local], sum: &mut Vec<[f64; 3]>) {
        sum.clear();
        sum.resize(self.positions.len(), [0.0; 3]);
        for (stencil, part) in stencils.iter().zip(parts) {
            for (point, &vertex) in stencil.vertices.iter().enumerate().take(stencil.points()) {
                let at = &mut sum[self.index(vertex)];
                *at = at.plus([part[3 * point], part[3 * point + 1], part[3 * point + 2]]);
            }
        }
    }
}

impl ContactPotential {
    /// What is closer than `reach` costs energy, by the barrier of Li et al. 2020; the unit is that of the positions. A reach
    /// that is 0, negative or NaN reaches nothing.
    pub fn new(reach: f64) -> Self {
        Self {
            reach: if reach > 0.0 { reach } else { 0.0 },
            thickness: 0.0,
            stiffness: 1.0,
            barrier: Barrier::default(),
            has_areas: false,
            rests: Vec::new(),
            vertices: BodyVertices::default(),
            stencils: Vec::new(),
            shared: Vec::new(),
            found: Vec::new(),
            energies: Vec::new(),
            gradients: Vec::new(),
            blocks: Vec::new(),
            gradient: Vec::new(),
        }
    }

    /// With another barrier.
    #[must_use]
    pub fn with_barrier(mut self, barrier: Barrier) -> Self {
        self.barrier = barrier;
        self
    }

    /// With an energy that is so many times as large; 1 at first.
    #[must_use]
    pub fn with_stiffness(mut self, stiffness: f64) -> Self {
        self.stiffness = stiffness;
        self
    }

    /// With surfaces that keep a distance: the reach begins there. 0 at first; negative or NaN counts as 0.
    #[must_use]
    pub fn with_thickness(mut self, thickness: f64) -> Self {
        self.thickness = if thickness > 0.0 { thickness } else { 0.0 };
        self
    }

    /// With areas at rest as weights, and the barrier as a length, so that the energy does not depend on how finely a surface is
    /// divided.
    #[must_use]
    pub fn with_areas(mut self) -> Self {
        self.has_areas = true;
        self
    }

    /// Says where the vertices of a body are at rest, in place of where they were in the first frame.
    ///
    /// Rest positions decide which edges count as parallel, and areas.
    ///
    /// # Errors
    /// If the frame has no such body, it has another number of vertices, or a position is not finite.
    pub fn set_rest(&mut self, frame: &Frame<'_>, id: BodyId, positions: &[[f64; 3]]) -> Result<(), SceneError> {
        check_rest(frame.body(id)?, id, positions)?;
        *self.rest_mut(id) = Some(Rest::new(id, positions.to_vec()));
        Ok(())
    }

    fn rest_mut(&mut self, id: BodyId) -> &mut Option<Rest> {
        self.rests.resize_with(self.rests.len().max(id.index() + 1), || None);
        &mut self.rests[id.index()]
    }

    /// Takes what is near in a frame.
    pub fn update(&mut self, frame: &Frame<'_>) {
        self.vertices.fill(frame);
        for (id, body) in frame.bodies() {
            self.update_rest(id, body);
        }
        let Self { stencils, shared, found, rests, has_areas, .. } = self;
        stencils.clear();
        shared.clear();
        let rest = |id: BodyId| rests[id.index()].as_ref();
        for NearGroup { a, b, pairs, .. } in frame.near(self.thickness + self.reach).groups() {
            let (Ok(body_a), Ok(body_b)) = (frame.body(a), frame.body(b)) else { continue };
            let squared_length = |(id, from): BodyVertex, (_, to): BodyVertex| {
                let Some(rest) = rest(id) else { return 0.0 };
                let edge = rest.positions[to.index()].minus(rest.positions[from.index()]);
                edge.dot(edge)
            };
            let threshold = |&[p, q, r, s]: &[BodyVertex; 4]| MOLLIFIED * squared_length(p, q) * squared_length(r, s);
            let stencil = |near: &NearPair| {
                let mut stencil = Stencil::of_near([(a, body_a), (b, body_b)], near, threshold)?;
                if *has_areas {
                    stencil.multiplicity = 0.25 * area(near, (a, b), rest);
                }
                Some(stencil)
            };
            found.clear();
            found.resize(pairs.len(), None);
            let threads = threads::for_work(pairs.len(), 4 * WORTH_A_THREAD);
            threads::each_stretch_of(4 * WORTH_A_THREAD, threads, pairs, found, &|pairs, found| {
                pairs.iter().zip(found).for_each(|(pair, found)| *found = stencil(pair));
            });
            for found in found.iter().flatten() {
                if found.points() == 4 { stencils.push(*found) } else { shared.push(*found) }
            }
        }
        shared.sort_unstable_by(Stencil::order);
        for found in shared {
            match stencils.last_mut() {
                Some(last) if last.order(found).is_eq() => last.multiplicity += found.multiplicity,
                _ => stencils.push(*found),
            }
        }
    }

    fn update_rest(&mut self, id: BodyId, body: &Body) {
        let has_areas = self.has_areas;
        let rest = self.rest_mut(id);
        if rest.as_ref().is_none_or(|rest| rest.of != id) {
            *rest = Some(Rest::new(id, Vec::new()));
        }
        if let Some(rest) = rest {
            rest.extend(body);
            if has_areas {
                rest.find_areas(body);
            }
        }
    }

    /// What is near, each set of vertices once: faces and edges in the order of [`Frame::near`], then vertices and edges, and
    /// two vertices, in their order.
    pub fn stencils(&self) -> &[Stencil] {
        &self.stencils
    }

    /// Where the vertices of a body begin among all: bodies follow each other in the order of their ids.
    pub fn first_vertex(&self, id: BodyId) -> Option<usize> {
        self.vertices.first_of(id).map(|first| first as usize)
    }

    /// How many vertices all bodies have.
    pub fn vertex_count(&self) -> usize {
        self.vertices.positions.len()
    }

    /// The barrier of a stencil, times stiffness and multiplicity.
    fn barrier_of(&self, stencil: &Stencil, squared: f64) -> Value {
        let y_hat = (2.0 * self.thickness + self.reach) * self.reach;
        let unit = if self.has_areas { self.reach / (y_hat * y_hat) } else { 1.0 };
        let by = self.stiffness * stencil.multiplicity * unit;
        let Value { value, first, second } = self.barrier.at(squared - self.thickness * self.thickness, y_hat);
        Value { value: by * value, first: by * first, second: by * second }
    }

    /// Computes something of every stencil.
    fn each<T: Send + Copy>(&self, nothing: T, into: &mut Vec<T>, of: impl Fn(At<'_>, &Value) -> T + Sync) {
        into.clear();
        into.resize(self.stencils.len(), nothing);
        let threads = threads::for_work(self.stencils.len(), WORTH_A_THREAD);
        threads::each_stretch_of(WORTH_A_THREAD, threads, &self.stencils, into, &|stencils, into| {
            for (stencil, into) in stencils.iter().zip(into) {
                let at = self.vertices.at(stencil);
                let vector = at.vector();
                *into = of(at, &self.barrier_of(stencil, vector.dot(vector)));
            }
        });
    }

    /// The energy; infinite if surfaces meet or are within the thickness, and the barrier is.
    pub fn energy(&mut self) -> f64 {
        let mut energies = std::mem::take(&mut self.energies);
        self.each(0.0, &mut energies, |at, barrier| at.energy(barrier));
        let sum = energies.iter().sum();
        self.energies = energies;
        sum
    }

    /// The gradient of the energy for every vertex of all bodies: minus the force on it. Features whose energy is infinite add
    /// nothing.
    pub fn gradient(&mut self) -> &[[f64; 3]] {
        let mut gradients = std::mem::take(&mut self.gradients);
        self.each([0.0; 12], &mut gradients, |at, barrier| at.gradient(barrier));
        self.vertices.scatter(&self.stencils, &gradients, &mut self.gradient);
        self.gradients = gradients;
        &self.gradient
    }

    /// The second derivatives of the energy, a block for each stencil. Features whose energy is infinite add nothing.
    pub fn hessian(&mut self, projection: Projection) -> Hessian<'_> {
        let mut blocks = std::mem::take(&mut self.blocks);
        self.each([[0.0; 12]; 12], &mut blocks, |at, barrier| at.hessian(barrier, projection));
        self.blocks = blocks;
        Hessian { stencils: &self.stencils, blocks: &self.blocks, vertices: &self.vertices }
    }
}

/// The area that a pair of features stands for: that of the vertex, or of both edges.
fn area<'a>(near: &NearPair, (a, b): (BodyId, BodyId), rest: impl Fn(BodyId) -> Option<&'a Rest>) -> f64 {
    let edge = |id: BodyId, ends: [VertexId; 2]| rest(id).map_or(0.0, |rest| rest.edge_area(ends));
    match near.features {
        FeaturePair::VertexFace { vertex_of_b, vertex, .. } => {
            rest(if vertex_of_b { b } else { a }).map_or(0.0, |rest| rest.area(vertex))
        }
        FeaturePair::EdgeEdge { edge_a, edge_b } => edge(a, edge_a) + edge(b, edge_b),
        FeaturePair::Triangles { .. } => 0.0,
    }
}
