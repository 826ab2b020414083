//! Makes several bodies of one: by material or by loose part, and without the triangles that a mask leaves out.
//!
//! ```text
//! body ─► a label per triangle ─► parts: own vertices and triangles, in the file's order ─► each reads the frames of the whole
//! ```
//!
//! The parts of a body share the body they were made of: a frame is read once, and every part copies its vertices out. The
//! triangles of a part say which face of the file they were (`face_of_triangle`), and its vertices which vertex of the whole body.
//!
//! Cost: O(vertices + triangles) per body; the vertices of one frame are kept for all parts together.
//! Held by: `tests/files/split.rs`, and `tests/command/split.rs` of the command, which compares with bodies that are not split.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crumple::{Coordinate, Mesh, Precision};

use crate::body::{AnimatedBody, Positions, ReadOptions, Shape};
use crate::error::{Fault, ReadError};
use crate::labels::{Labels, Materials};
use crate::text::Real;
use crate::words::counted;

/// What becomes a body of its own beyond what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Split {
    /// Nothing.
    #[default]
    None,
    /// The triangles of each material: `body/skin`.
    Materials,
    /// Each loose part, which is what is connected by vertices: `body/part 2`.
    Parts,
}

/// A vertex group by name, and whether its triangles are the ones kept or the ones left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The name of the group.
    pub name: String,
    /// Whether triangles of the group are left out; otherwise all others are.
    pub leaves_out: bool,
}

/// The most bodies that a body may be split into: triangles that share no vertex are a part each.
const MOST_PARTS: usize = 10_000;

/// The label of a triangle that is left out.
const LEFT_OUT: u32 = u32::MAX;

/// A body that is a part of another.
#[derive(Debug)]
pub(crate) struct Part {
    whole: Arc<Whole>,
    /// The vertices of the whole body, ascending.
    vertices: Vec<u32>,
    /// The same after welding, where parts may share vertices.
    joined: Option<Vec<u32>>,
}

/// The body that parts were made of.
#[derive(Debug)]
pub(crate) struct Whole {
    /// What does not change.
    pub(crate) frames: usize,
    pub(crate) precision: Precision,
    pub(crate) names: Option<crate::read::GltfMotion>,
    now: Mutex<Now>,
}

/// The frame that was read last.
#[derive(Debug)]
struct Now {
    body: AnimatedBody,
    frame: Option<usize>,
    positions: Positions,
}

impl Whole {
    fn now(&self) -> MutexGuard<'_, Now> {
        // A frame that was not read to its end is not taken for one.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `with` with the body.
    pub(crate) fn with<T>(&self, with: impl FnOnce(&AnimatedBody) -> T) -> T {
        with(&self.now().body)
    }
}

impl Now {
    fn go_to(&mut self, frame: usize) -> Result<&Positions, ReadError> {
        if self.frame != Some(frame) {
            self.frame = None;
            match &mut self.positions {
                Positions::F32(positions) => read_into(&mut self.body, frame, positions)?,
                Positions::F64(positions) => read_into(&mut self.body, frame, positions)?,
            }
            self.frame = Some(frame);
        }
        Ok(&self.positions)
    }
}

impl Part {
    pub(crate) fn whole(&self) -> &Arc<Whole> {
        &self.whole
    }

    /// The vertex of the whole body that a vertex is.
    pub(crate) fn vertex(&self, vertex: usize) -> usize {
        self.vertices.get(vertex).map_or(vertex, |&vertex| vertex as usize)
    }

    pub(crate) fn joined(&self) -> Option<&[u32]> {
        self.joined.as_deref()
    }

    /// Copies the vertices of a frame out of the whole body.
    pub(crate) fn frame<C: Real>(&self, frame: usize, positions: &mut [[C; 3]]) -> Result<(), ReadError> {
        let mut now = self.whole.now();
        let to = positions.iter_mut().zip(&self.vertices);
        match now.go_to(frame)? {
            Positions::F32(whole) => to.for_each(|(to, &vertex)| *to = whole[vertex as usize].map(C::from_f32)),
            Positions::F64(whole) => to.for_each(|(to, &vertex)| *to = whole[vertex as usize].map(C::nearest)),
        }
        Ok(())
    }
}

/// Reads a frame of a body.
fn read_into<C: Real>(body: &mut AnimatedBody, frame: usize, positions: &mut Vec<[C; 3]>) -> Result<(), ReadError> {
    positions.resize(body.vertex_count(), [C::default(); 3]);
    body.frame_as(frame, positions)
}

/// Splits and masks bodies as the options ask.
pub(crate) fn apply(bodies: Vec<AnimatedBody>, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let mut split = Vec::new();
    for body in bodies {
        split.extend(apply_to(body, options)?);
    }
    Ok(split)
}

fn apply_to(mut body: AnimatedBody, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let labels = body.labels.take().unwrap_or_default();
    let has_masks: Vec<bool> = labels.masks.iter().map(Option::is_some).collect();
    let connected = match (options.split, options.weld, body.precision()) {
        (Split::None, ..) => None,
        (_, false, _) => Some(body.triangles().to_vec()),
        (_, true, Precision::F32) => {
            let mut positions: Vec<[f32; 3]> = Vec::new();
            read_into(&mut body, 0, &mut positions)?;
            Some(welded(&body, &positions))
        }
        (_, true, Precision::F64) => {
            let mut positions: Vec<[f64; 3]> = Vec::new();
            read_into(&mut body, 0, &mut positions)?;
            Some(welded(&body, &positions))
        }
    };
    let (mut part_of, names) = match (options.split, &labels.materials) {
        (Split::Materials, Some(Materials { names, of_triangle })) => (of_triangle.clone(), names.clone()),
        (Split::Materials, None) => {
            body = body.with_notes(["it has no materials, so that --split materials leaves it whole".to_owned()]);
            (vec![0; body.triangles().len()], Vec::new())
        }
        (Split::Parts, _) => loose_parts(connected.as_deref().unwrap_or_default(), body.vertex_count()),
        (Split::None, _) => (vec![0; body.triangles().len()], Vec::new()),
    };
    let is_masked = leave_out(&mut part_of, &labels, options);
    body.has_masks = has_masks;
    if names.len() > MOST_PARTS {
        let parts = counted(names.len() as u64, "part");
        let fault = Fault::file(format!("`{}` has {parts}, and at most {MOST_PARTS} become bodies", body.name()));
        return Err(fault
            .with_hint("are its triangles connected? vertices at equal positions count as one")
            .in_file(body.file()));
    }
    // A body in one piece stays as it is; what it is made of is named all the same.
    if names.len() < 2 && !is_masked {
        if let (Split::Materials, [only]) = (options.split, &names[..]) {
            body.rename(format!("{}/{only}", body.name()));
        }
        return Ok(vec![body]);
    }
    let joined = connected.filter(|_| options.split == Split::Materials);
    Ok(parts(body, &part_of, &names, joined.as_deref()))
}

/// The triangles with vertices that coincide replaced by one of them.
fn welded<C: Coordinate>(body: &AnimatedBody, positions: &[[C; 3]]) -> Vec<[u32; 3]> {
    let triangles = body.triangles().to_vec();
    let mesh = Mesh::new(body.vertex_count(), triangles.clone()).and_then(|mesh| mesh.welded(positions));
    // A mesh that is refused here is refused again where a body is made of it, and said why.
    let plain = |mesh: Mesh| mesh.welded_triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
    mesh.map_or(triangles, plain)
}

/// The loose part of each triangle, and their names; numbers follow the first triangles of the parts, from 1.
fn loose_parts(triangles: &[[u32; 3]], vertices: usize) -> (Vec<u32>, Vec<String>) {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    let root = |parent: &mut Vec<u32>, mut vertex: u32| {
        while parent[vertex as usize] != vertex {
            parent[vertex as usize] = parent[parent[vertex as usize] as usize];
            vertex = parent[vertex as usize];
        }
        vertex
    };
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (one, other) = (root(&mut parent, a), root(&mut parent, other));
            parent[one.max(other) as usize] = one.min(other);
        }
    }
    let mut number_of = vec![LEFT_OUT; vertices];
    let mut found = 0;
    let part_of = triangles.iter().map(|&[a, ..]| {
        let number = &mut number_of[root(&mut parent, a) as usize];
        if *number == LEFT_OUT {
            *number = found;
            found += 1;
        }
        *number
    });
    let part_of = part_of.collect();
    (part_of, (1..=found).map(|number| format!("part {number}")).collect())
}

/// Labels the triangles that masks leave out; returns whether there are any. A mask that the body does not have says nothing about
/// it.
fn leave_out(part_of: &mut [u32], labels: &Labels, options: &ReadOptions) -> bool {
    let masks = || options.masks.iter().zip(&labels.masks).filter_map(|(mask, of)| Some((mask, of.as_ref()?)));
    let keeps_some = masks().any(|(mask, _)| !mask.leaves_out);
    let mut is_any = false;
    for (triangle, part) in part_of.iter_mut().enumerate() {
        let is_in = |leaves_out| masks().any(|(mask, of)| mask.leaves_out == leaves_out && of[triangle]);
        if is_in(true) || (keeps_some && !is_in(false)) {
            *part = LEFT_OUT;
            is_any = true;
        }
    }
    is_any
}

/// A body for each label that a triangle has.
fn parts(body: AnimatedBody, part_of: &[u32], names: &[String], joined: Option<&[[u32; 3]]>) -> Vec<AnimatedBody> {
    let (name, file, has_masks) = (body.name().to_owned(), body.file().to_owned(), body.has_masks.clone());
    let faces: Vec<u32> = body.faces().collect();
    let mut triangles_of: Vec<Vec<u32>> = vec![Vec::new(); names.len().max(1)];
    for (triangle, &part) in (0..).zip(part_of).filter(|(_, part)| **part != LEFT_OUT) {
        triangles_of[part as usize].push(triangle);
    }
    // A body of which nothing is left stays, without triangles, so that it still has its name.
    if triangles_of.len() > 1 {
        let numbers = triangles_of.iter().enumerate().filter(|(_, triangles)| !triangles.is_empty());
        if numbers.count() == 0 {
            triangles_of.truncate(1);
        }
    }
    let shared = |triangles: &[u32]| {
        let corners = |triangle: &u32| body.triangles()[*triangle as usize];
        let mut vertices: Vec<u32> = triangles.iter().flat_map(corners).collect();
        vertices.sort_unstable();
        vertices.dedup();
        // Every corner is among them.
        let number = |vertex: u32| vertices.partition_point(|&other| other < vertex) as u32;
        let shape = Shape {
            vertices: vertices.len(),
            triangles: triangles.iter().map(|triangle| corners(triangle).map(number)).collect(),
            face_of_triangle: Some(triangles.iter().map(|&triangle| faces[triangle as usize]).collect()),
        };
        let joined = joined.map(|joined| {
            let mut of_vertex = vec![0; vertices.len()];
            for (triangle, renumbered) in triangles.iter().zip(&shape.triangles) {
                for (&vertex, &welded) in renumbered.iter().zip(&joined[*triangle as usize]) {
                    of_vertex[vertex as usize] = welded;
                }
            }
            of_vertex
        });
        (shape, vertices, joined)
    };
    let only = triangles_of.len() == 1;
    let shapes: Vec<_> = triangles_of
        .iter()
        .enumerate()
        .filter(|(_, triangles)| only || !triangles.is_empty())
        .map(|(number, triangles)| (names.get(number), shared(triangles)))
        .collect();
    let mut notes = body.notes().to_vec();
    let whole = Arc::new(Whole {
        frames: body.frame_count(),
        precision: body.precision(),
        names: body.gltf_motion(),
        now: Mutex::new(Now {
            frame: None,
            positions: match body.precision() {
                Precision::F32 => Positions::F32(Vec::new()),
                Precision::F64 => Positions::F64(Vec::new()),
            },
            body,
        }),
    });
    let mut bodies = Vec::new();
    for (part, (shape, vertices, joined)) in shapes {
        let name = part.map_or_else(|| name.clone(), |part| format!("{name}/{part}"));
        let part = Part { whole: Arc::clone(&whole), vertices, joined };
        // Of a file with several bodies the first one has the notes.
        let mut body = AnimatedBody::part(name, &file, shape, part).with_notes(std::mem::take(&mut notes));
        body.has_masks = has_masks.clone();
        bodies.push(body);
    }
    bodies
}
