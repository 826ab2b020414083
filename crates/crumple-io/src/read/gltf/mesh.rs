//! The meshes of a glTF file: the primitives of a mesh become one list of triangles.
//!
//! Primitives that use the same accessors share their vertices, as their maker meant. Strips and fans become triangles;
//! triangles of a strip that use a vertex twice only join its parts and are left out, as are primitives of lines and points.

use std::collections::HashMap;
use std::sync::Arc;

use crate::body::Shape;
use crate::error::{Fault, check_finite};
use crate::labels::{LEAST_WEIGHT, Labels, Materials};

use super::accessor::Buffers;
use super::document::{self, Primitive};
use super::draco::Decoded;

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
    /// How many primitives of lines or points were left out, and whether there were others.
    pub(super) left_out: usize,
    pub(super) has_triangles: bool,
    /// What is known about single triangles.
    pub(super) labels: Option<Arc<Labels>>,
}

/// What is wanted about single triangles.
#[derive(Debug)]
pub(super) struct WantedLabels<'a> {
    /// The names of the file's materials.
    pub(super) materials: Vec<String>,
    /// The names of vertex groups.
    pub(super) masks: Vec<&'a str>,
}

/// What is known so far about the triangles of a mesh.
struct FoundLabels {
    material_of: Vec<Option<usize>>,
    masks: Vec<Option<Vec<bool>>>,
}

impl WantedLabels<'_> {
    fn start(&self) -> FoundLabels {
        FoundLabels { material_of: Vec::new(), masks: vec![None; self.masks.len()] }
    }

    /// Labels the triangles that a primitive has added; the vertices of the primitive start at `first`.
    fn add(
        &self,
        source: &Attributes<'_>,
        triangles: &[[u32; 3]],
        first: u32,
        found: &mut FoundLabels,
    ) -> Result<(), Fault> {
        let before = found.material_of.len();
        let added = &triangles[before..];
        found.material_of.resize(triangles.len(), source.primitive.material());
        for (mask, in_group) in self.masks.iter().zip(&mut found.masks) {
            // Attributes of an application begin with an underscore, and exporters write the rest in capitals.
            let is_meant = |name: &str| {
                name.strip_prefix('_').is_some_and(|name| name.eq_ignore_ascii_case(mask.trim_start_matches('_')))
            };
            let attribute = source.primitive.attributes.iter().find(|(name, _)| is_meant(name));
            let Some((name, &index)) = attribute else {
                if let Some(in_group) = in_group {
                    in_group.resize(triangles.len(), false);
                }
                continue;
            };
            let weights = source.floats::<1>(name, index, "SCALAR")?;
            let is_inside =
                |vertex: &u32| weights.get((vertex - first) as usize).is_some_and(|[weight]| *weight >= LEAST_WEIGHT);
            let in_group = in_group.get_or_insert_with(|| vec![false; before]);
            in_group.extend(added.iter().map(|corners| corners.iter().any(is_inside)));
        }
        Ok(())
    }

    fn finish(&self, found: FoundLabels) -> Labels {
        let name = |material: &Option<usize>| -> Option<String> {
            let number = (*material)?;
            let name = self.materials.get(number).filter(|name| !name.is_empty());
            Some(name.cloned().unwrap_or_else(|| format!("material {number}")))
        };
        let mut names: HashMap<Option<usize>, String> = HashMap::new();
        for material in &found.material_of {
            names.entry(*material).or_insert_with(|| name(material).unwrap_or_default());
        }
        Labels { materials: Materials::of(found.material_of.iter().map(|of| &*names[of])), masks: found.masks }
    }
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

/// What makes the vertices of two primitives the same: their accessors, and the compressed data that stands for them.
#[derive(Hash, PartialEq, Eq)]
struct Source<'a> {
    draco: Option<usize>,
    attributes: Vec<(&'a str, usize)>,
    targets: Vec<Option<usize>>,
}

pub(super) fn read(mesh: &document::Mesh, buffers: &Buffers<'_>, wanted: &WantedLabels<'_>) -> Result<Mesh, Fault> {
    let mut read = Mesh {
        positions: Vec::new(),
        targets: Vec::new(),
        pulls: Vec::new(),
        weights: mesh.weights.clone(),
        shape: Arc::new(Shape::default()),
        mirrored: None,
        left_out: 0,
        has_triangles: mesh.primitives.is_empty(),
        labels: None,
    };
    let mut labels = wanted.start();
    let mut triangles = Vec::new();
    let mut known: HashMap<Source<'_>, usize> = HashMap::new();
    for (p, primitive) in mesh.primitives.iter().enumerate() {
        let fault = |what: String| Fault::file(format!("primitive {p}: {what}"));
        if matches!(primitive.mode, Some(0..=3)) {
            read.left_out += 1;
            continue;
        }
        read.has_triangles = true;
        let Some(&position) = primitive.attributes.get("POSITION") else {
            return Err(fault("it has no POSITION".into()));
        };
        let count = buffers.count(position)?;
        let inside = |fault: Fault| fault.inside(&format!("primitive {p}"));
        let draco = Decoded::of(primitive, buffers).map_err(inside)?;
        if let Some(decoded) = draco.as_ref().map(Decoded::vertex_count).filter(|&decoded| decoded != count) {
            return Err(fault(format!("it has {count} vertices, but its Draco data has {decoded}")));
        }
        let first = match known.get(&source(primitive)) {
            Some(&first) => first,
            None => {
                let first = read.positions.len();
                let attributes = Attributes { primitive, buffers, draco: draco.as_ref() };
                vertices(&attributes, position, &mut read).map_err(inside)?;
                known.insert(source(primitive), first);
                first
            }
        };
        if u32::try_from(first + count).is_err() {
            return Err(fault("more vertices than can be numbered".into()));
        }
        let corners = match (&draco, primitive.indices) {
            (Some(draco), _) => draco.corners(),
            (None, Some(indices)) => {
                has_bytes(primitive, indices, buffers).map_err(inside)?;
                flat(buffers.wholes::<1>(indices, "SCALAR")?)
            }
            (None, None) => {
                buffers.spend(count, 1).map_err(fault)?;
                (0..count as u32).collect()
            }
        };
        if let Some(vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(fault(format!("it uses vertex {vertex}, but has {count} vertices")));
        }
        // Draco gives triangles whatever the file says they were.
        let mode = if draco.is_some() { 4 } else { primitive.mode.unwrap_or(4) };
        add_triangles(mode, &corners, first as u32, &mut triangles).map_err(inside)?;
        let attributes = Attributes { primitive, buffers, draco: draco.as_ref() };
        wanted.add(&attributes, &triangles, first as u32, &mut labels).map_err(inside)?;
    }
    read.labels = Some(Arc::new(wanted.finish(labels)));
    read.shape = Arc::new(Shape { vertices: read.positions.len(), triangles, face_of_triangle: None });
    Ok(read)
}

fn source(primitive: &Primitive) -> Source<'_> {
    let attributes = primitive
        .attributes
        .iter()
        .filter(|(name, _)| *name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"));
    Source {
        draco: primitive.draco().map(|draco| draco.buffer_view),
        attributes: attributes.map(|(name, &index)| (name.as_str(), index)).collect(),
        targets: primitive.targets.iter().map(|target| target.position).collect(),
    }
}

/// Where the vertices of a primitive come from: its accessors, or the compressed data that stands for them.
struct Attributes<'a> {
    primitive: &'a Primitive,
    buffers: &'a Buffers<'a>,
    draco: Option<&'a Decoded<'a>>,
}

impl Attributes<'_> {
    fn floats<const N: usize>(&self, name: &str, index: usize, kind: &str) -> Result<Vec<[f32; N]>, Fault> {
        let decoded = self.draco.map(|draco| draco.attribute::<N>(name)).transpose()?.flatten();
        match decoded {
            Some(mut decoded) => {
                self.buffers.as_meant(index, decoded.as_flattened_mut())?;
                Ok(decoded)
            }
            None => {
                has_bytes(self.primitive, index, self.buffers)?;
                self.buffers.floats::<N>(index, kind)
            }
        }
    }

    fn wholes<const N: usize>(&self, name: &str, index: usize, kind: &str) -> Result<Vec<[u32; N]>, Fault> {
        let decoded = self.draco.map(|draco| draco.attribute::<N>(name)).transpose()?.flatten();
        match decoded {
            // What they may be is checked where they are used.
            Some(decoded) => Ok(decoded.into_iter().map(|numbers| numbers.map(|number| number as u32)).collect()),
            None => {
                has_bytes(self.primitive, index, self.buffers)?;
                self.buffers.wholes::<N>(index, kind)
            }
        }
    }
}

/// Refuses an accessor that says of no element where it is: they would all be 0, but more likely an extension that is not
/// read has them.
fn has_bytes(primitive: &Primitive, index: usize, buffers: &Buffers<'_>) -> Result<(), Fault> {
    if buffers.has_bytes(index)? || buffers.count(index)? == 0 {
        return Ok(());
    }
    let extensions: Vec<String> =
        primitive.unknown_extensions().map(|name| format!("`{}`", name.escape_debug())).collect();
    let what = match extensions.len() {
        0 => format!("accessor {index} has no bytes"),
        _ => {
            format!("accessor {index} has no bytes without the extension {}, which is not read", extensions.join(", "))
        }
    };
    Err(Fault::file(what).with_hint("export the file without compression"))
}

fn vertices(source: &Attributes<'_>, position: usize, mesh: &mut Mesh) -> Result<(), Fault> {
    let Attributes { primitive, buffers, .. } = *source;
    let first = mesh.positions.len();
    let positions = source.floats::<3>("POSITION", position, "VEC3")?;
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
        let joint = source.wholes::<4>(&format!("JOINTS_{set}"), joints, "VEC4")?;
        let weight = source.floats::<4>(&format!("WEIGHTS_{set}"), weights, "VEC4")?;
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

fn add_triangles(mode: u32, corners: &[u32], first: u32, triangles: &mut Vec<[u32; 3]>) -> Result<(), Fault> {
    let mut add = |a: u32, b: u32, c: u32| triangles.push([first + a, first + b, first + c]);
    match mode {
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
        _ => return Err(Fault::file(format!("{mode} is not a kind of primitive"))),
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
