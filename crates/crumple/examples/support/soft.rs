//! Masses joined by damped springs: the solver that the simulations among the examples share.
//!
//! Velocities first, then positions (symplectic Euler). Everything here is in f64; a body in a scene is rounded to f32.

// Every example uses a part of this.
#![allow(dead_code)]

use std::collections::HashMap;

use crumple::{Body, FeaturePair, Impact, Mesh, NearPair, VertexGradient};

pub(crate) type Vector = [f64; 3];

/// What a simulation returns.
pub(crate) type Done = Result<(), Box<dyn std::error::Error>>;

pub(crate) const GRAVITY: f64 = 9.81;

/// A soft body.
#[derive(Debug, Default)]
pub(crate) struct Soft {
    /// Those of the surface come first.
    pub(crate) positions: Vec<Vector>,
    pub(crate) velocities: Vec<Vector>,
    pub(crate) forces: Vec<Vector>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Of each vertex.
    pub(crate) mass: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// How fast velocities fade, per second.
    pub(crate) drag: f64,
    fixed: Vec<bool>,
    surface: usize,
    springs: Vec<([usize; 2], f64)>,
}

impl Soft {
    /// A cube of side 1 around a point: a lattice with a spring between every two neighbours.
    pub(crate) fn block(cells: i32, centre: Vector) -> Self {
        let range = || 0..=cells;
        let mut sites: Vec<[i32; 3]> =
            range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z]))).collect();
        let is_inner = |site: &[i32; 3]| site.iter().all(|&k| 0 < k && k < cells);
        sites.sort_by_key(is_inner);
        let number: HashMap<[i32; 3], u32> = sites.iter().copied().zip(0..).collect();
        let mut triangles = Vec::new();
        for axis in 0..3 {
            for (i, j, is_upper) in
                (0..cells * cells).flat_map(|k| [(k / cells, k % cells, false), (k / cells, k % cells, true)])
            {
                let corner = |i: i32, j: i32| {
                    let mut site = [0; 3];
                    (site[axis], site[(axis + 1) % 3], site[(axis + 2) % 3]) = (if is_upper { cells } else { 0 }, i, j);
                    number[&site]
                };
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                triangles.extend(if is_upper { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
        let place = |site: &[i32; 3]| [0, 1, 2].map(|k| centre[k] + f64::from(site[k]) / f64::from(cells) - 0.5);
        let positions = sites.iter().map(place).collect();
        let surface = sites.iter().filter(|&site| !is_inner(site)).count();
        let mut soft = Self { mass: 1.0 / sites.len() as f64, triangles, surface, ..Self::at(positions) };
        let are_neighbours = |p: &[i32; 3], q: &[i32; 3]| (0..3).all(|k| (p[k] - q[k]).abs() <= 1);
        soft.join(|i, j| are_neighbours(&sites[i], &sites[j]));
        soft
    }

    /// A horizontal square sheet around a point, with springs along edges, both diagonals, and over two cells against
    /// bending.
    pub(crate) fn sheet(cells: usize, side: f64, centre: Vector) -> Self {
        let row = cells + 1;
        let place = |k: usize, at: f64| at + side * (k as f64 / cells as f64 - 0.5);
        let positions = (0..row * row).map(|k| [place(k % row, centre[0]), centre[1], place(k / row, centre[2])]);
        let square = |k: usize| {
            let a = (k / cells * row + k % cells) as u32;
            let [b, c, d] = [a + 1, a + row as u32, a + row as u32 + 1];
            if (k / cells + k % cells).is_multiple_of(2) { [[a, c, b], [b, c, d]] } else { [[a, d, b], [a, c, d]] }
        };
        let triangles = (0..cells * cells).flat_map(square).collect();
        let mut soft = Self { mass: 0.2 / (row * row) as f64, triangles, ..Self::at(positions.collect()) };
        soft.join(|i, j| {
            let (x, z) = ((i % row).abs_diff(j % row), (i / row).abs_diff(j / row));
            x.max(z) == 1 || (x, z) == (2, 0) || (x, z) == (0, 2)
        });
        soft
    }

    /// A surface that is moved from outside.
    pub(crate) fn moved(positions: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        let mut soft = Self { mass: 1.0, triangles, ..Self::at(positions) };
        soft.fixed.fill(true);
        soft
    }

    fn at(positions: Vec<Vector>) -> Self {
        let len = positions.len();
        let still = vec![[0.0; 3]; len];
        Self {
            positions,
            velocities: still.clone(),
            forces: still,
            fixed: vec![false; len],
            surface: len,
            ..Self::default()
        }
    }

    fn join(&mut self, are_joined: impl Fn(usize, usize) -> bool) {
        let all = (0..self.positions.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
        let length = |[i, j]: [usize; 2]| norm(sub(self.positions[j], self.positions[i]));
        self.springs = all.filter(|&[i, j]| are_joined(i, j)).map(|ends| (ends, length(ends))).collect();
    }

    /// Holds the vertices that are chosen by where they are.
    pub(crate) fn fix(&mut self, is_held: impl Fn(Vector) -> bool) {
        self.fixed = self.positions.iter().map(|&p| is_held(p)).collect();
    }

    /// The surface as a body.
    pub(crate) fn body(&self) -> Result<Body, Box<dyn std::error::Error>> {
        Ok(Body::new(Mesh::new(self.surface, self.triangles.clone())?, &self.rounded())?)
    }

    /// The positions of the surface.
    pub(crate) fn rounded(&self) -> Vec<[f32; 3]> {
        self.rounded_after(0.0)
    }

    /// Where the surface will be.
    pub(crate) fn rounded_after(&self, seconds: f64) -> Vec<[f32; 3]> {
        let after = |(p, v): (&Vector, &Vector)| add(*p, scale(*v, seconds)).map(|x| x as f32);
        self.positions.iter().zip(&self.velocities).take(self.surface).map(after).collect()
    }

    pub(crate) fn centre(&self) -> Vector {
        let sum = self.positions.iter().fold([0.0; 3], |sum, &p| add(sum, p));
        scale(sum, 1.0 / self.positions.len() as f64)
    }

    /// The velocity of the fastest vertex.
    pub(crate) fn speed(&self) -> f64 {
        self.velocities.iter().map(|&v| norm(v)).fold(0.0, f64::max)
    }

    pub(crate) fn push(&mut self, vertex: usize, force: Vector) {
        self.forces[vertex] = add(self.forces[vertex], force);
    }

    /// Starts the forces of a step: gravity, drag and springs.
    pub(crate) fn start_forces(&mut self) {
        for (force, velocity) in self.forces.iter_mut().zip(&self.velocities) {
            *force = add([0.0, -GRAVITY * self.mass, 0.0], scale(*velocity, -self.drag * self.mass));
        }
        for &([i, j], rest) in &self.springs {
            let along = sub(self.positions[j], self.positions[i]);
            let length = norm(along);
            let unit = scale(along, 1.0 / length);
            let faster = dot(sub(self.velocities[j], self.velocities[i]), unit);
            let pull = scale(unit, self.stiffness * (length - rest) + self.damping * faster);
            self.forces[i] = add(self.forces[i], pull);
            self.forces[j] = sub(self.forces[j], pull);
        }
    }

    /// One over the mass of a vertex; 0 if it is held.
    fn yielding(&self, vertex: usize) -> f64 {
        if self.fixed[vertex] { 0.0 } else { 1.0 / self.mass }
    }

    /// Takes the forces into the velocities.
    pub(crate) fn hasten(&mut self, seconds: f64) {
        for vertex in 0..self.positions.len() {
            let faster = scale(self.forces[vertex], seconds * self.yielding(vertex));
            self.velocities[vertex] = add(self.velocities[vertex], faster);
        }
    }

    /// Moves every vertex with its velocity.
    pub(crate) fn advance(&mut self, seconds: f64) {
        for (p, v) in self.positions.iter_mut().zip(&self.velocities) {
            *p = add(*p, scale(*v, seconds));
        }
    }

    pub(crate) fn slow_down(&mut self, to: f64) {
        self.velocities.iter_mut().for_each(|v| *v = scale(*v, to));
    }

    /// Forces into velocities, then velocities into positions.
    pub(crate) fn step(&mut self, seconds: f64) {
        self.hasten(seconds);
        self.advance(seconds);
    }

    /// Of motion, height and springs.
    pub(crate) fn energy(&self) -> f64 {
        let free = |k: &usize| !self.fixed[*k];
        let of_vertex = |k: usize| {
            let v = self.velocities[k];
            self.mass * (0.5 * dot(v, v) + GRAVITY * self.positions[k][1])
        };
        let of_spring = |&([i, j], rest): &([usize; 2], f64)| {
            let longer = norm(sub(self.positions[j], self.positions[i])) - rest;
            0.5 * self.stiffness * longer * longer
        };
        (0..self.positions.len()).filter(free).map(of_vertex).sum::<f64>()
            + self.springs.iter().map(of_spring).sum::<f64>()
    }
}

/// How two near features push each other apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cushion {
    /// From this distance on.
    pub(crate) thickness: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// What slows sliding down, per velocity, up to `friction` times the force between them.
    pub(crate) grip: f64,
    pub(crate) friction: f64,
}

impl Cushion {
    /// Pushes two features apart and slows their sliding down; returns the energy that is stored between them.
    pub(crate) fn push(&self, near: &NearPair, bodies: &mut [Soft; 2]) -> f64 {
        let weights = weights(near.features, near.barycentric, bodies);
        let velocity = weights
            .iter()
            .fold([0.0; 3], |sum, &(side, vertex, weight)| add(sum, scale(bodies[side].velocities[vertex], weight)));
        let (n, closer) = (near.direction, self.thickness - near.distance());
        let leaving = dot(velocity, n);
        let sliding = sub(velocity, scale(n, leaving));
        let force = (self.stiffness * closer - self.damping * leaving).max(0.0);
        let slowing = self.grip.min(self.friction * force / norm(sliding).max(f64::MIN_POSITIVE));
        let total = sub(scale(n, force), scale(sliding, slowing));
        for (side, vertex, weight) in weights {
            bodies[side].push(vertex, scale(total, weight));
        }
        self.energy(near)
    }

    /// The energy that is stored between two near features.
    pub(crate) fn energy(&self, near: &NearPair) -> f64 {
        0.5 * self.stiffness * (self.thickness - near.distance()).powi(2)
    }
}

/// How fast the volume of an overlap grows.
pub(crate) fn growth(bodies: &[Soft; 2], gradients: [&[VertexGradient]; 2]) -> f64 {
    let of_body = |side: usize| {
        let velocity = |of: &VertexGradient| bodies[side].velocities[of.vertex.index()];
        gradients[side].iter().map(|of| dot(of.gradient, velocity(of))).sum::<f64>()
    };
    of_body(0) + of_body(1)
}

/// Slows the sliding of two bodies that overlap: each vertex, against the mean velocity of the other body there, across
/// the common normal. The force is `friction` per area, and at most `damping` times the velocity and the vertex's share.
pub(crate) fn rub(bodies: &mut [Soft; 2], gradients: [&[VertexGradient]; 2], friction: f64, damping: f64) {
    let facing = gradients[1].iter().fold([0.0; 3], |sum, of| add(sum, of.gradient));
    let normal = scale(facing, 1.0 / norm(facing).max(f64::MIN_POSITIVE));
    let area = gradients.map(|list| list.iter().map(|of| norm(of.gradient)).sum::<f64>().max(f64::MIN_POSITIVE));
    let share = |side: usize, of: &VertexGradient| norm(of.gradient) / area[side];
    let mean = [0, 1].map(|side: usize| {
        let velocity = |of: &VertexGradient| scale(bodies[side].velocities[of.vertex.index()], share(side, of));
        gradients[side].iter().fold([0.0; 3], |sum, of| add(sum, velocity(of)))
    });
    for (side, other) in [(0, 1), (1, 0)] {
        let mut total = [0.0; 3];
        for of in gradients[side] {
            let velocity = sub(bodies[side].velocities[of.vertex.index()], mean[other]);
            let sliding = sub(velocity, scale(normal, dot(velocity, normal)));
            let most = damping.min(friction * norm(facing) / norm(sliding).max(f64::MIN_POSITIVE));
            let force = scale(sliding, -0.5 * most * share(side, of));
            bodies[side].push(of.vertex.index(), force);
            total = add(total, force);
        }
        for of in gradients[other] {
            bodies[other].push(of.vertex.index(), scale(total, -share(other, of)));
        }
    }
}

/// Takes the velocity with which two features meet from them, as if they stuck together: an impulse.
pub(crate) fn stop(impact: &Impact, bodies: &mut [Soft; 2]) {
    let weights = match impact.features {
        FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
            weights(FeaturePair::VertexFace { vertex_of_b, vertex, triangle }, impact.barycentric, bodies)
        }
        FeaturePair::EdgeEdge { edge_a, edge_b } => {
            weights(FeaturePair::EdgeEdge { edge_a, edge_b }, impact.barycentric, bodies)
        }
        _ => return,
    };
    let meeting = weights
        .iter()
        .fold([0.0; 3], |sum, &(side, vertex, weight)| add(sum, scale(bodies[side].velocities[vertex], weight)));
    let yielding: f64 = weights.iter().map(|&(side, vertex, w)| w * w * bodies[side].yielding(vertex)).sum();
    let impulse = (-dot(meeting, impact.normal)).max(0.0) / yielding.max(f64::MIN_POSITIVE);
    for (side, vertex, weight) in weights {
        let faster = scale(impact.normal, impulse * weight * bodies[side].yielding(vertex));
        bodies[side].velocities[vertex] = add(bodies[side].velocities[vertex], faster);
    }
}

/// The vertices of two features with their weights: summed up, they give the vector from the face to the vertex, or from
/// the second edge to the first.
fn weights(features: FeaturePair, [u, v, w]: Vector, bodies: &[Soft; 2]) -> [(usize, usize, f64); 4] {
    match features {
        FeaturePair::VertexFace { vertex_of_b, vertex, triangle } => {
            let (own, other) = (usize::from(vertex_of_b), usize::from(!vertex_of_b));
            let [p, q, r] = bodies[other].triangles[triangle.index()].map(|vertex| vertex as usize);
            [(own, vertex.index(), 1.0), (other, p, -u), (other, q, -v), (other, r, -w)]
        }
        FeaturePair::EdgeEdge { edge_a: [a, b], edge_b: [c, d] } => {
            [(0, a.index(), 1.0 - u), (0, b.index(), u), (1, c.index(), v - 1.0), (1, d.index(), -v)]
        }
        _ => unreachable!("features are a vertex and a face, or two edges"),
    }
}

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}
