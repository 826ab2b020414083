//! Spheres made of triangles: a regular solid whose faces are divided and whose vertices are pushed out to the sphere.
//!
//! Two ways to divide. [`subdivided`] halves every edge again and again (Larsson & Akenine-Möller's bumpy spheres: 20·4^k,
//! 8·4^k and 4·4^k triangles); [`divided`] cuts every edge of the solid into a number of parts at once, which reaches
//! sizes in between. Vertices are shared, the order is the order in which the division meets them, nothing is sorted.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{SceneError, check};
use crate::scene::Shape;
use crate::vector::{Vector, add, mix, round, scale, unit};

/// The regular solid a sphere starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Solid {
    /// 4 faces.
    Tetrahedron,
    /// 8 faces.
    Octahedron,
    /// 20 faces.
    Icosahedron,
}

/// 20·4⁹ is five million triangles, more than any experiment needs.
const MOST_LEVELS: u32 = 9;
/// As many triangles as the finest subdivision.
const MOST_PARTS: u32 = 512;

/// A sphere before it is deformed: triangles and the direction of each vertex from the centre.
#[derive(Clone, Debug)]
pub(crate) struct Sphere {
    pub(crate) triangles: Arc<[[u32; 3]]>,
    pub(crate) directions: Vec<Vector>,
}

impl Sphere {
    fn into_shape(self) -> Shape {
        Shape { triangles: self.triangles.to_vec(), positions: self.directions.into_iter().map(round).collect() }
    }
}

impl Solid {
    /// The faces a sphere starts with, before anything is divided.
    pub fn face_count(self) -> usize {
        match self {
            Self::Tetrahedron => 4,
            Self::Octahedron => 8,
            Self::Icosahedron => 20,
        }
    }

    /// Vertices on the unit sphere, and faces that look outward.
    fn faces(self) -> (Vec<Vector>, Vec<[u32; 3]>) {
        // The icosahedron's vertices are the corners of three golden rectangles.
        let long = (1.0 + 5.0_f64.sqrt()) / 2.0;
        let (corners, faces): (Vec<Vector>, Vec<[u32; 3]>) = match self {
            Self::Tetrahedron => (
                vec![[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]],
                vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
            ),
            Self::Octahedron => (
                vec![
                    [1.0, 0.0, 0.0],
                    [-1.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [0.0, -1.0, 0.0],
                    [0.0, 0.0, 1.0],
                    [0.0, 0.0, -1.0],
                ],
                vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
            ),
            Self::Icosahedron => (
                vec![
                    [-1.0, long, 0.0],
                    [1.0, long, 0.0],
                    [-1.0, -long, 0.0],
                    [1.0, -long, 0.0],
                    [0.0, -1.0, long],
                    [0.0, 1.0, long],
                    [0.0, -1.0, -long],
                    [0.0, 1.0, -long],
                    [long, 0.0, -1.0],
                    [long, 0.0, 1.0],
                    [-long, 0.0, -1.0],
                    [-long, 0.0, 1.0],
                ],
                vec![
                    [0, 11, 5],
                    [0, 5, 1],
                    [0, 1, 7],
                    [0, 7, 10],
                    [0, 10, 11],
                    [1, 5, 9],
                    [5, 11, 4],
                    [11, 10, 2],
                    [10, 7, 6],
                    [7, 1, 8],
                    [3, 9, 4],
                    [3, 4, 2],
                    [3, 2, 6],
                    [3, 6, 8],
                    [3, 8, 9],
                    [4, 9, 5],
                    [2, 4, 11],
                    [6, 2, 10],
                    [8, 6, 7],
                    [9, 8, 1],
                ],
            ),
        };
        (corners.into_iter().map(unit).collect(), faces)
    }
}

/// A unit sphere of `face_count · 4^levels` triangles.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels.
pub fn sphere(solid: Solid, levels: u32) -> Result<Shape, SceneError> {
    subdivided(solid, levels).map(Sphere::into_shape)
}

/// A unit sphere of `face_count · parts²` triangles.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 parts, [`SceneError::TooFine`] beyond 512.
pub fn sphere_of_parts(solid: Solid, parts: u32) -> Result<Shape, SceneError> {
    divided(solid, parts).map(Sphere::into_shape)
}

/// Halves every edge `levels` times; each new vertex goes out to the sphere before the next halving.
pub(crate) fn subdivided(solid: Solid, levels: u32) -> Result<Sphere, SceneError> {
    check("levels", levels, 0, MOST_LEVELS)?;
    let (mut directions, mut triangles) = solid.faces();
    for _ in 0..levels {
        // Looked up, never walked through: the map's own order cannot reach the mesh.
        let mut halves = HashMap::with_capacity(triangles.len() * 3 / 2);
        let mut middle = |a: u32, b: u32| {
            *halves.entry((a.min(b), a.max(b))).or_insert_with(|| {
                directions.push(unit(add(directions[a as usize], directions[b as usize])));
                (directions.len() - 1) as u32
            })
        };
        let mut finer = Vec::with_capacity(triangles.len() * 4);
        for &[a, b, c] in &triangles {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Ok(Sphere { triangles: triangles.into(), directions })
}

/// Cuts every edge of the solid into `parts`, every face into `parts²` triangles, and pushes all out to the sphere.
pub(crate) fn divided(solid: Solid, parts: u32) -> Result<Sphere, SceneError> {
    check("parts", parts, 1, MOST_PARTS)?;
    let (corners, faces) = solid.faces();
    let mut directions = corners.clone();
    let mut triangles = Vec::with_capacity(faces.len() * (parts * parts) as usize);
    // The first of an edge's inner vertices; they run from its lower corner to its higher one.
    let mut edges = HashMap::new();
    let mut row = Vec::new();
    let mut row_above: Vec<u32> = Vec::new();
    for &[a, b, c] in &faces {
        // The vertex `step` parts along the edge from `from` to `to`.
        let mut along = |from: u32, to: u32, step: u32| {
            if step == 0 {
                return from;
            }
            if step == parts {
                return to;
            }
            let (low, high) = (from.min(to), from.max(to));
            let first = *edges.entry((low, high)).or_insert_with(|| {
                let first = directions.len() as u32;
                for inner in 1..parts {
                    let share = f64::from(inner) / f64::from(parts);
                    directions.push(unit(mix(corners[low as usize], corners[high as usize], share)));
                }
                first
            });
            first + if from == low { step } else { parts - step } - 1
        };
        let edge_vertices: Vec<[u32; 3]> =
            (0..=parts).map(|step| [along(a, b, step), along(a, c, step), along(b, c, step)]).collect();
        // Rows run parallel to bc, from the corner a (one vertex) down to the edge bc (parts + 1 vertices).
        for down in 0..=parts {
            std::mem::swap(&mut row, &mut row_above);
            row.clear();
            for right in 0..=down {
                row.push(if down == parts {
                    edge_vertices[right as usize][2]
                } else if right == 0 {
                    edge_vertices[down as usize][0]
                } else if right == down {
                    edge_vertices[down as usize][1]
                } else {
                    let weights = [parts - down, down - right, right].map(f64::from);
                    let point = add(
                        scale(corners[a as usize], weights[0]),
                        add(scale(corners[b as usize], weights[1]), scale(corners[c as usize], weights[2])),
                    );
                    directions.push(unit(point));
                    (directions.len() - 1) as u32
                });
            }
            for right in 0..down as usize {
                triangles.push([row_above[right], row[right], row[right + 1]]);
                if right + 1 < down as usize {
                    triangles.push([row_above[right], row[right + 1], row_above[right + 1]]);
                }
            }
        }
    }
    Ok(Sphere { triangles: triangles.into(), directions })
}
