//! Bodies with their motion, from the files a user named.
//!
//! Everything else in the command sees files only through [`read_with`] and [`FileBody`].

use std::path::Path;

use anyhow::{Context, Result};
use crumple::{BodyError, Mesh};
use crumple_io::report::BodyRecord;
use crumple_io::{AnimatedBody, ReadError, ReadOptions, Source, read_source};

use crate::out::hinted;

/// A body of a file: triangles that stay, and vertices for every frame, read when they are asked for.
#[derive(Debug)]
pub(crate) struct FileBody {
    /// What the body is called, unlike any other of the scene.
    name: String,
    body: AnimatedBody,
}

impl FileBody {
    /// What the body is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The file it came from.
    pub(crate) fn file(&self) -> &Path {
        self.body.file()
    }

    /// How many vertices it has.
    pub(crate) fn vertex_count(&self) -> usize {
        self.body.vertex_count()
    }

    /// How many frames there are; 1 for a body that stands still.
    pub(crate) fn frame_count(&self) -> usize {
        self.body.frame_count()
    }

    /// Which of its frames is shown in a frame of the scene: a body that has no more keeps its last one.
    pub(crate) fn frame_shown_in(&self, frame: usize) -> usize {
        frame.min(self.frame_count() - 1)
    }

    /// Writes the vertices of one of its frames, not checked, into `positions`, which has one entry per vertex.
    pub(crate) fn frame(&mut self, frame: usize, positions: &mut [[f32; 3]]) -> Result<(), ReadError> {
        self.body.frame(frame, positions)
    }

    /// Refuses positions of a frame that are not finite, where no body takes them in.
    pub(crate) fn check(&self, frame: usize, positions: &[[f32; 3]]) -> Result<(), ReadError> {
        self.body.check(frame, positions)
    }

    /// Says where positions came from that a body has refused.
    pub(crate) fn refused(&self, frame: usize, error: anyhow::Error) -> anyhow::Error {
        match error.chain().find_map(|cause| cause.downcast_ref::<BodyError>()) {
            Some(&BodyError::NotFinite { vertex, position }) => {
                self.body.not_finite(frame, vertex.index(), position).into()
            }
            _ => error.context(self.file().display().to_string()),
        }
    }

    /// The mesh; with positions, vertices that coincide there are joined.
    pub(crate) fn mesh(&self, weld_by: Option<&[[f32; 3]]>) -> Result<Mesh> {
        let mesh = Mesh::new(self.vertex_count(), self.body.triangles().to_vec());
        let mesh = mesh.and_then(|mesh| match weld_by {
            Some(positions) => mesh.welded(positions),
            None => Ok(mesh),
        });
        mesh.with_context(|| self.file().display().to_string())
    }

    /// What reports tell of the body.
    pub(crate) fn record(&self, id: usize, mesh: &Mesh) -> BodyRecord {
        BodyRecord {
            id: id as u32,
            name: self.name.clone(),
            triangles: mesh.triangles().len() as u64,
            vertices: mesh.vertex_count() as u64,
            closed: mesh.topology().is_closed(),
            face_of_triangle: self.body.face_of_triangle().map(<[u32]>::to_vec),
        }
    }
}

/// All bodies of all files, in the order named. Names that come twice are told apart by a number.
pub(crate) fn read_with(files: &[String], options: &ReadOptions) -> Result<Vec<FileBody>> {
    let mut bodies: Vec<FileBody> = Vec::new();
    for file in files {
        take_in(&mut bodies, read_source(&Source::parse(file), options)?);
    }
    Ok(bodies)
}

/// All points of a file, as bodies that may have no triangles; named as if they had come after `others`.
pub(crate) fn read_points(file: &str, options: &ReadOptions, mut others: Vec<FileBody>) -> Result<[Vec<FileBody>; 2]> {
    let before = others.len();
    take_in(&mut others, crumple_io::read_points(file, options)?);
    let points = others.split_off(before);
    Ok([others, points])
}

/// Adds bodies to others; names that come twice are told apart by a number.
pub(crate) fn take_in(bodies: &mut Vec<FileBody>, more: Vec<AnimatedBody>) {
    for body in more {
        let before = bodies.iter().filter(|other| other.body.name() == body.name()).count();
        let name = if before == 0 { body.name().to_owned() } else { format!("{}#{}", body.name(), before + 1) };
        bodies.push(FileBody { name, body });
    }
}

/// Where in a list the body of a name is.
pub(crate) fn place_of(name: &str, bodies: &[FileBody]) -> Result<usize> {
    let place = bodies.iter().position(|body| body.name == name);
    place.ok_or_else(|| hinted(format!("there is no body {name}"), format!("there are {}", names(bodies))))
}

/// The names of bodies, for a message.
pub(crate) fn names(bodies: &[FileBody]) -> String {
    bodies.iter().map(FileBody::name).collect::<Vec<_>>().join(", ")
}

/// How many frames the bodies have together: a body with one frame stands still, the others must agree. With `hold`
/// the longest counts.
pub(crate) fn frame_count<'a>(bodies: impl IntoIterator<Item = &'a FileBody>, hold: bool) -> Result<usize> {
    let mut longest: Option<&FileBody> = None;
    for body in bodies.into_iter().filter(|body| body.frame_count() > 1) {
        if let Some(other) = longest
            && !hold
            && other.frame_count() != body.frame_count()
        {
            let (frames, others) = (body.frame_count(), other.frame_count());
            let what = format!("{} has {others} frames, but {} has {frames}", other.name, body.name);
            return Err(hinted(what, "--hold lets the shorter keep its last frame"));
        }
        if longest.is_none_or(|other| other.frame_count() < body.frame_count()) {
            longest = Some(body);
        }
    }
    Ok(longest.map_or(1, FileBody::frame_count))
}
