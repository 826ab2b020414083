//! The meshes of a glTF file: the primitives of a mesh become one list of triangles.
//!
//! Primitives that use the same accessors share their vertices, as their maker meant. Strips and fans become triangles;
//! triangles of a strip that use a vertex twice only join its parts and are left out.

use std::collections::HashMap;
use std::sync::Arc;

use crate::body::Shape;
use crate::error::{Fault, check_finite};

use super::accessor::Buffers;
use super::document::{self, Primitive};

/// A mesh before it is posed.
#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) positions: Vec<[f32; 3]>,
    /// How far vertices move for each morph target.
    pub(super) targets: Vec<Vec<Morph>>,
    /// Which joints pull at which vertices, ascending by vertex.
    pub(super) pulls: Vec<Pull>,
    /// The default weight of each morph target.
    pub(super) weights: Vec<f64>,
    pub(super) shape: Arc<Shape>,
    /// The same triangles facing the other way, for nodes that mirror.
    mirrored: Option<Arc<Shape>>,
}

/// The vertices of one primitive, moved by one target.
#[derive(Debug)]
pub(super) struct Morph {
    pub(super) first: usize,
    pub(super) offsets: Vec<[f32; 3]>,
}

/// One joint's part in one vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    pub(super) vertex: u32,
    pub(super) joint: u32,
    pub(super) weight: f32,
}

/// What makes the vertices of two primitives the same: their accessors.
#[derive(Hash, PartialEq, Eq)]
struct Source<'a> {
    attributes: Vec<(&'a str, usize)>,
    targets: Vec<Option<usize>>,
}

pub(super) fn read(mesh: &document::Mesh, buffers: &Buffers<'_>) -> Result<Mesh, Fault> {
    let mut read = Mesh {
        positions: Vec::new(),
        targets: Vec::new(),
        pulls: Vec::new(),
        weights: mesh.weights.clone(),
        shape: Arc::new(Shape::default()),
        mirrored: None,
    };
    let mut triangles = Vec::new();
    let mut known: HashMap<Source<'_>, usize> = HashMap::new();
    for (p, primitive) in mesh.primitives.iter().enumerate() {
        let fault = |what: String| Fault::file(format!("primitive {p}: {what}"));
        let Some(&position) = primitive.attributes.get("POSITION") else {
            return Err(fault("it has no POSITION".into()));
        };
        let count = buffers.count(position)?;
        let first = match known.get(&source(primitive)) {
            Some(&first) => first,
            None => {
                let first = read.positions.len();
                vertices(primitive, position, buffers, &mut read)?;
                known.insert(source(primitive), first);
                first
            }
        };
        if u32::try_from(first + count).is_err() {
            return Err(fault("more vertices than can be numbered".into()));
        }
        let corners = match primitive.indices {
            Some(indices) => flat(buffers.wholes::<1>(indices, "SCALAR")?),
            None => {
                buffers.spend(count, 1).map_err(fault)?;
                (0..count as u32).collect()
            }
        };
        if let Some(vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(fault(format!("it uses vertex {vertex}, but has {count} vertices")));
        }
        let added = add_triangles(primitive, &corners, first as u32, &mut triangles);
        added.map_err(|fault| fault.inside(&format!("primitive {p}")))?;
    }
    read.shape = Arc::new(Shape { vertices: read.positions.len(), triangles, face_of_triangle: None });
    Ok(read)
}

fn source(primitive: &Primitive) -> Source<'_> {
    let attributes = primitive
        .attributes
        .iter()
        .filter(|(name, _)| *name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"));
    Source {
        attributes: attributes.map(|(name, &index)| (name.as_str(), index)).collect(),
        targets: primitive.targets.iter().map(|target| target.position).collect(),
    }
}

fn vertices(primitive: &Primitive, position: usize, buffers: &Buffers<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    let first = mesh.positions.len();
    let positions = buffers.floats::<3>(position, "VEC3")?;
    check_finite(&positions)?;
    let count = positions.len();
    let same_count = |what: &str, index: usize, len: usize| {
        if len == count {
            return Ok(());
        }
        Err(Fault::file(format!("accessor {index}: {what} of {len} vertices, but there are {count}")))
    };
    mesh.positions.extend(positions);
    for (t, target) in primitive.targets.iter().enumerate() {
        if mesh.targets.len() <= t {
            mesh.targets.push(Vec::new());
        }
        let Some(index) = target.position else {
            continue;
        };
        let offsets = buffers.floats::<3>(index, "VEC3")?;
        same_count("a morph target", index, offsets.len())?;
        check_finite(&offsets)?;
        mesh.targets[t].push(Morph { first, offsets });
    }
    let mut pulls = Vec::new();
    for set in 0.. {
        let attribute = |name: &str| primitive.attributes.get(&format!("{name}_{set}"));
        let (Some(&joints), Some(&weights)) = (attribute("JOINTS"), attribute("WEIGHTS")) else {
            break;
        };
        let joint = buffers.wholes::<4>(joints, "VEC4")?;
        let weight = buffers.floats::<4>(weights, "VEC4")?;
        same_count("the joints", joints, joint.len())?;
        same_count("the weights", weights, weight.len())?;
        for (vertex, (joint, weight)) in joint.into_iter().zip(weight).enumerate() {
            for (joint, weight) in joint.into_iter().zip(weight) {
                if !weight.is_finite() {
                    return Err(Fault::file(format!("accessor {weights}: vertex {vertex} has the weight {weight}")));
                }
                if weight != 0.0 {
                    let vertex = (first + vertex) as u32;
                    pulls.push(Pull { vertex, joint, weight });
                }
            }
        }
    }
    // Stable, so that sums are made in the file's order.
    pulls.sort_by_key(|pull| pull.vertex);
    mesh.pulls.extend(pulls);
    Ok(())
}

fn add_triangles(
    primitive: &Primitive,
    corners: &[u32],
    first: u32,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), Fault> {
    let mut add = |a: u32, b: u32, c: u32| triangles.push([first + a, first + b, first + c]);
    match primitive.mode.unwrap_or(4) {
        4 => {
            let (whole, rest) = corners.as_chunks::<3>();
            if !rest.is_empty() {
                return Err(Fault::file(format!("{} corners do not make triangles", corners.len())));
            }
            whole.iter().for_each(|&[a, b, c]| add(a, b, c));
        }
        5 => {
            for (k, three) in corners.windows(3).enumerate() {
                let [a, b, c] = [three[0], three[1 + k % 2], three[2 - k % 2]];
                if a != b && b != c && c != a {
                    add(a, b, c);
                }
            }
        }
        6 => corners.windows(2).skip(1).for_each(|pair| add(corners[0], pair[0], pair[1])),
        mode => {
            let what = match mode {
                0 => "points",
                1..=3 => "lines",
                _ => "something unknown",
            };
            let fault = Fault::file(format!("it is made of {what}, not triangles"));
            return Err(fault.with_hint("leave it out of the export"));
        }
    }
    Ok(())
}

fn flat(elements: Vec<[u32; 1]>) -> Vec<u32> {
    elements.as_flattened().to_vec()
}

impl Mesh {
    /// The triangles, for a node that mirrors the mesh or one that does not: mirroring turns surfaces inside out, so
    /// their corners change order, as the specification asks.
    pub(super) fn shape(&mut self, mirrors: bool) -> Arc<Shape> {
        if !mirrors {
            return self.shape.clone();
        }
        let mirrored = self.mirrored.get_or_insert_with(|| {
            Arc::new(Shape {
                vertices: self.shape.vertices,
                triangles: self.shape.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
                face_of_triangle: None,
            })
        });
        mirrored.clone()
    }
}
