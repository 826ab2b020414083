//! Friction against sliding, lagged: on the stencils and normal forces of an earlier moment.
//!
//! Li et al. 2020, section 5: with u the displacement of the nearest points against each other since the moment of
//! [`lag`](Friction::lag), perpendicular to the direction of then, each stencil has the energy μ λ f(|u|), λ being its normal force then;
//! f is |u| beyond ε and a smooth curve below it, so that what sticks creeps by less than ε. Its Hessian has no negative eigenvalues.

use super::hessian::Hessian;
use super::local::{Block, Local};
use super::stencil::Stencil;
use super::{BodyVertices, ContactPotential};
use crate::geom::lanes::Vec3Ops;
use crate::scene::Frame;

/// Friction between what was near at an earlier moment.
///
/// ```
/// # use crumple::{Body, Mesh, Scene};
/// use crumple::potential::{ContactPotential, Friction};
///
/// # let mut scene = Scene::new();
/// # let triangle = |x: f64, y: f64| [[x, y, 0.0], [x + 1.0, y, 0.0], [x, y, 1.0]];
/// # scene.add(Body::new_f64(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.0, 0.0))?);
/// # let upper = scene.add(Body::new_f64(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.0, 0.25))?);
/// # let mut potential = ContactPotential::new(0.3);
/// potential.update(&scene.update()?);
/// let mut friction = Friction::new(0.5, 1e-3);
/// friction.lag(&potential);
/// scene.set_positions_f64(upper, &triangle(0.1, 0.25))?;
/// friction.update(&scene.update()?);
/// let pulled = friction.gradient()[3];
/// assert!(pulled[0] > 0.0 && pulled[1] == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Friction {
    coefficient: f64,
    creep: f64,
    stencils: Vec<Stencil>,
    normal_forces: Vec<f64>,
    before: BodyVertices,
    now: BodyVertices,
    gradients: Vec<Local>,
    gradient: Vec<[f64; 3]>,
    blocks: Vec<Block>,
}

/// The curve f at a displacement.
struct Curve {
    value: f64,
    /// f' / |u|.
    first: f64,
    /// (f'' − f' / |u|) / |u|².
    second: f64,
}

impl Friction {
    /// With a coefficient μ, and ε: how far what sticks may creep in a step. It is a speed times the length of the step.
    pub fn new(coefficient: f64, creep: f64) -> Self {
        Self {
            coefficient,
            creep,
            stencils: Vec::new(),
            normal_forces: Vec::new(),
            before: BodyVertices::default(),
            now: BodyVertices::default(),
            gradients: Vec::new(),
            gradient: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Takes stencils, normal forces and positions of a potential: displacements are measured from there. Edges that are nearly
    /// parallel are left out.
    pub fn lag(&mut self, potential: &ContactPotential) {
        self.stencils.clear();
        self.normal_forces.clear();
        self.before.clone_from(&potential.vertices);
        self.now.clone_from(&potential.vertices);
        for stencil in potential.stencils.iter().filter(|stencil| !stencil.is_mollified()) {
            let vector = potential.vertices.at(stencil).vector();
            let squared = vector.dot(vector);
            self.stencils.push(*stencil);
            self.normal_forces.push(-2.0 * squared.sqrt() * potential.barrier_of(stencil, squared).first);
        }
    }

    /// Takes where the vertices are now. Bodies that have come or gone since, or have other vertices, count as standing still.
    pub fn update(&mut self, frame: &Frame<'_>) {
        self.now.clone_from(&self.before);
        for (id, body) in frame.bodies() {
            let Some(first) = self.before.first_of(id) else { continue };
            let next = self.before.first.iter().flatten().map(|&(_, start)| start).filter(|&start| start > first).min();
            let end = next.map_or(self.before.positions.len(), |next| next as usize);
            let positions = &mut self.now.positions[first as usize..end];
            if positions.len() == body.mesh().vertex_count() {
                for (vertex, position) in positions.iter_mut().enumerate() {
                    *position = body.exact_position(vertex as u32);
                }
            }
        }
    }

    /// The displacement of a stencil perpendicular to its direction.
    fn slid(&self, stencil: &Stencil) -> [f64; 3] {
        let moved = stencil.relative(|vertex| self.now.position(vertex).minus(self.before.position(vertex)));
        moved.minus(stencil.direction.times(moved.dot(stencil.direction)))
    }

    fn curve(&self, by: f64, length: f64) -> Curve {
        let e = self.creep;
        if length >= e {
            let first = if length > 0.0 { 1.0 / length } else { 0.0 };
            return Curve { value: by * length, first: by * first, second: -by * first * first * first };
        }
        let value = length * length / e * (1.0 - length / (3.0 * e)) + e / 3.0;
        let second = if length > 0.0 { -1.0 / (e * e * length) } else { 0.0 };
        Curve { value: by * value, first: by * (2.0 - length / e) / e, second: by * second }
    }

    fn each(&self) -> impl Iterator<Item = (&Stencil, [f64; 3], Curve)> {
        self.stencils.iter().zip(&self.normal_forces).map(|(stencil, force)| {
            let slid = self.slid(stencil);
            (stencil, slid, self.curve(self.coefficient * force, slid.dot(slid).sqrt()))
        })
    }

    /// The energy.
    pub fn energy(&self) -> f64 {
        self.each().map(|(_, _, curve)| curve.value).sum()
    }

    /// The gradient for every vertex of all bodies of the potential.
    pub fn gradient(&mut self) -> &[[f64; 3]] {
        let mut gradients = std::mem::take(&mut self.gradients);
        gradients.clear();
        gradients.extend(self.each().map(|(stencil, slid, curve)| -> Local {
            std::array::from_fn(|i| stencil.weights[i / 3] * curve.first * slid[i % 3])
        }));
        self.before.scatter(&self.stencils, &gradients, &mut self.gradient);
        self.gradients = gradients;
        &self.gradient
    }

    /// The second derivatives, a block for each stencil.
    pub fn hessian(&mut self) -> Hessian<'_> {
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.clear();
        blocks.extend(self.each().map(|(stencil, slid, curve)| -> Block {
            let (w, n) = (&stencil.weights, &stencil.direction);
            let of_slide = |i: usize, j: usize| {
                let same = if i == j { 1.0 } else { 0.0 };
                curve.first * (same - n[i] * n[j]) + curve.second * slid[i] * slid[j]
            };
            std::array::from_fn(|i| std::array::from_fn(|j| w[i / 3] * w[j / 3] * of_slide(i % 3, j % 3)))
        }));
        self.blocks = blocks;
        Hessian { stencils: &self.stencils, blocks: &self.blocks, vertices: &self.before }
    }
}
