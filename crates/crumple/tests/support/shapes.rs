//! Small closed bodies for tests, and an inside test of their own.

use crumple::{Body, Mesh};

pub(crate) type Point = [f32; 3];

/// Triangles and positions before they become a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) positions: Vec<Point>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Shape {
    pub(crate) fn body(&self) -> Body {
        Body::new(Mesh::new(self.positions.len(), self.triangles.clone()).unwrap(), &self.positions).unwrap()
    }

    /// The same shape with every point moved by a function.
    pub(crate) fn moved(&self, to: impl Fn(Point) -> Point) -> Self {
        Self { positions: self.positions.iter().map(|&p| to(p)).collect(), triangles: self.triangles.clone() }
    }

    pub(crate) fn translated(&self, by: Point) -> Self {
        self.moved(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]])
    }

    /// The same shape turned inside out.
    pub(crate) fn inside_out(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self { positions: self.positions.clone(), triangles }
    }

    /// Two shapes as one mesh.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let offset = self.positions.len() as u32;
        let mut both = self.clone();
        both.positions.extend(&other.positions);
        both.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + offset)));
        both
    }

    /// The volume the triangles enclose, by tetrahedra to the origin.
    pub(crate) fn volume(&self) -> f64 {
        let corner = |vertex: u32| self.positions[vertex as usize].map(f64::from);
        let six_volumes = self.triangles.iter().map(|&[a, b, c]| determinant(corner(a), corner(b), corner(c)));
        six_volumes.sum::<f64>() / 6.0
    }

    /// The generalized winding number of a point: the solid angle of the surface seen from it, over 4π.
    pub(crate) fn winding_number(&self, point: Point) -> f64 {
        let from = |vertex: u32| -> [f64; 3] {
            let p = self.positions[vertex as usize];
            std::array::from_fn(|k| f64::from(p[k]) - f64::from(point[k]))
        };
        let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let angle = |&[a, b, c]: &[u32; 3]| {
            let (a, b, c) = (from(a), from(b), from(c));
            let [la, lb, lc] = [a, b, c].map(|p| dot(p, p).sqrt());
            let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
            2.0 * determinant(a, b, c).atan2(below)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

fn determinant(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

pub(crate) fn cuboid(low: Point, high: Point) -> Shape {
    let corner = |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Shape {
        positions: (0..8).map(corner).collect(),
        triangles: faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

pub(crate) fn cube(low: f32, high: f32) -> Shape {
    cuboid([low; 3], [high; 3])
}

/// A sphere of 20 · 4^levels triangles.
pub(crate) fn sphere(levels: u32, centre: Point, radius: f32) -> Shape {
    let unit = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, levels).unwrap();
    Shape { positions: unit.positions, triangles: unit.triangles }
        .moved(|p| std::array::from_fn(|k| centre[k] + radius * p[k]))
}

/// A sphere with deep dents, so that rays cross it many times.
pub(crate) fn bumpy(levels: u32) -> Shape {
    sphere(levels, [0.0; 3], 1.0).moved(|p| {
        let swell = 1.0 + 0.35 * (7.0 * p[0]).sin() * (6.0 * p[1]).cos() + 0.2 * (9.0 * p[2]).sin();
        p.map(|x| x * swell)
    })
}

/// A ring around the z axis: radius 1 to the middle of a tube of radius `tube`.
pub(crate) fn torus(around: u32, along: u32, tube: f32) -> Shape {
    let turn = std::f32::consts::TAU;
    let mut shape = Shape::default();
    for i in 0..around {
        for j in 0..along {
            let (a, b) = (turn * i as f32 / around as f32, turn * j as f32 / along as f32);
            let ring = 1.0 + tube * b.cos();
            shape.positions.push([ring * a.cos(), ring * a.sin(), tube * b.sin()]);
            let at = |i: u32, j: u32| (i % around) * along + j % along;
            shape.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            shape.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    shape
}

/// The surface of a set of unit cells, each given by its lowest corner: every face lies in a plane of whole numbers.
/// Cells that meet along an edge only make edges of four triangles.
pub(crate) fn cells(filled: &[[i32; 3]]) -> Shape {
    let mut shape = Shape::default();
    let mut number = std::collections::BTreeMap::new();
    for &cell in filled {
        for axis in 0..3 {
            for up in [false, true] {
                let mut beside = cell;
                beside[axis] += if up { 1 } else { -1 };
                if filled.contains(&beside) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(du, dv)| {
                    let mut corner = cell;
                    corner[axis] += i32::from(up);
                    corner[u] += du;
                    corner[v] += dv;
                    *number.entry(corner).or_insert_with(|| {
                        shape.positions.push(corner.map(|x| x as f32));
                        shape.positions.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = if up { quad } else { [quad[0], quad[3], quad[2], quad[1]] };
                shape.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    shape
}
