//! Soft blocks for the demo: masses on a lattice, joined by damped springs, stepped by symplectic Euler (velocities first,
//! then positions) in f64.

/// A point or a vector.
pub(super) type Vector = [f64; 3];

const GRAVITY: f64 = 9.81;

/// Of every spring: force per length, and per velocity.
const STIFFNESS: f64 = 225.0;
const DAMPING: f64 = 0.3;

/// How fast velocities fade, per second: the air.
const DRAG: f64 = 2.0;

/// A soft cube of side 1 and mass 1.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Those of the surface come first.
    pub(super) positions: Vec<Vector>,
    pub(super) velocities: Vec<Vector>,
    forces: Vec<Vector>,
    springs: Vec<Spring>,
    fixed: Vec<bool>,
    /// The surface.
    pub(super) triangles: Vec<[u32; 3]>,
    /// How many vertices are on it.
    surface: usize,
}

#[derive(Clone, Copy, Debug)]
struct Spring {
    ends: [usize; 2],
    length: f64,
}

impl Block {
    /// A cube around a point, of so many cells along each side.
    pub(super) fn new(cells: i32, centre: Vector) -> Self {
        let side = 0..=cells;
        let mut sites: Vec<[i32; 3]> = Vec::new();
        for x in side.clone() {
            for y in side.clone() {
                sites.extend(side.clone().map(|z| [x, y, z]));
            }
        }
        let is_inner = |site: &[i32; 3]| site.iter().all(|&k| 0 < k && k < cells);
        sites.sort_by_key(is_inner);
        let place = |site: &[i32; 3]| [0, 1, 2].map(|k| centre[k] + f64::from(site[k]) / f64::from(cells) - 0.5);
        let positions: Vec<Vector> = sites.iter().map(place).collect();
        let mut springs = Vec::new();
        for (j, q) in sites.iter().enumerate() {
            for (i, p) in sites[..j].iter().enumerate() {
                if (0..3).all(|k| (p[k] - q[k]).abs() <= 1) {
                    springs.push(Spring { ends: [i, j], length: norm(sub(positions[j], positions[i])) });
                }
            }
        }
        let still = vec![[0.0; 3]; sites.len()];
        Self {
            positions,
            velocities: still.clone(),
            forces: still,
            springs,
            fixed: vec![false; sites.len()],
            triangles: surface(cells, &sites),
            surface: sites.iter().filter(|&site| !is_inner(site)).count(),
        }
    }

    /// Tilts the block about its centre, in the plane of x and y.
    pub(super) fn tilt(&mut self, centre: Vector, angle: f64) {
        let (sine, cosine) = angle.sin_cos();
        for p in &mut self.positions {
            let [x, y, z] = sub(*p, centre);
            *p = add(centre, [cosine * x - sine * y, sine * x + cosine * y, z]);
        }
    }

    /// Holds the vertices at its lower side.
    pub(super) fn stand(&mut self) {
        let lowest = self.positions.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        self.fixed = self.positions.iter().map(|p| p[1] < lowest + 1e-9).collect();
    }

    /// The positions of the surface, as a body takes them.
    pub(super) fn rounded(&self) -> Vec<[f32; 3]> {
        self.positions[..self.surface].iter().map(|p| p.map(|x| x as f32)).collect()
    }

    /// The velocity of the fastest vertex.
    pub(super) fn speed(&self) -> f64 {
        self.velocities.iter().map(|&v| norm(v)).fold(0.0, f64::max)
    }

    fn mass(&self) -> f64 {
        1.0 / self.positions.len() as f64
    }

    /// Starts the forces of a step: gravity, air and springs.
    pub(super) fn start_forces(&mut self) {
        let mass = self.mass();
        for (force, &velocity) in self.forces.iter_mut().zip(&self.velocities) {
            *force = add([0.0, -GRAVITY * mass, 0.0], scale(velocity, -DRAG * mass));
        }
        for &Spring { ends: [i, j], length: rest } in &self.springs {
            let along = sub(self.positions[j], self.positions[i]);
            let length = norm(along);
            let unit = scale(along, 1.0 / length.max(f64::MIN_POSITIVE));
            let faster = dot(sub(self.velocities[j], self.velocities[i]), unit);
            let pull = scale(unit, STIFFNESS * (length - rest) + DAMPING * faster);
            self.forces[i] = add(self.forces[i], pull);
            self.forces[j] = sub(self.forces[j], pull);
        }
    }

    pub(super) fn push(&mut self, vertex: usize, force: Vector) {
        self.forces[vertex] = add(self.forces[vertex], force);
    }

    /// Forces into velocities, then velocities into positions.
    pub(super) fn step(&mut self, seconds: f64) {
        let faster = seconds / self.mass();
        for vertex in (0..self.positions.len()).filter(|&vertex| !self.fixed[vertex]) {
            self.velocities[vertex] = add(self.velocities[vertex], scale(self.forces[vertex], faster));
            self.positions[vertex] = add(self.positions[vertex], scale(self.velocities[vertex], seconds));
        }
    }
}

/// The triangles of the six sides of a lattice, facing outwards.
fn surface(cells: i32, sites: &[[i32; 3]]) -> Vec<[u32; 3]> {
    let number: std::collections::HashMap<[i32; 3], u32> = sites.iter().copied().zip(0..).collect();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for level in [0, cells] {
            for (i, j) in (0..cells * cells).map(|k| (k / cells, k % cells)) {
                let corner = |i: i32, j: i32| {
                    let mut site = [0; 3];
                    (site[axis], site[(axis + 1) % 3], site[(axis + 2) % 3]) = (level, i, j);
                    number[&site]
                };
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                triangles.extend(if level > 0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    }
    triangles
}

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}
