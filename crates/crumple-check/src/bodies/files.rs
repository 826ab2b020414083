//! Bodies with their motion, from the files a user named.
//!
//! Everything else sees files only through [`read`] and [`FileBody`]. Bodies whose positions come from a caller's memory are
//! [`AnimatedBody`]s too, so that what is said of files here holds for them.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use crumple::{Body, BodyError, Coordinate, Mesh, Precision, SceneError, VertexId};
use crumple_io::read::{AnimationInfo, gltf_animations};
use crumple_io::report::{AnimationRecord, BodyRecord};
use crumple_io::words::{UniqueNames, shown};
use crumple_io::{AnimatedBody, Carriers, ReadError, ReadOptions, Source, read_source};

use super::timeline::Schedule;
use crate::error::hinted;
use crate::options::ReadingOptions;

/// A body of a file: triangles that stay, and vertices for every frame, read when they are asked for.
#[derive(Debug)]
pub struct FileBody {
    /// The name of the body, unlike any other of the scene.
    name: String,
    body: AnimatedBody,
    /// Whether vertices that coincide in its first frame are joined.
    weld: bool,
    /// Which of its frames belong to those of other bodies, where it is not simply the first to the first.
    schedule: Option<Schedule>,
}

impl FileBody {
    /// A body under its own name.
    pub fn new(body: AnimatedBody, weld: bool) -> Self {
        Self { name: body.name().to_owned(), body, weld, schedule: None }
    }

    /// Whether vertices that coincide in its first frame are joined.
    pub fn is_welded(&self) -> bool {
        self.weld
    }

    /// What is odd about its file, in words.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.body.notes().iter().map(|note| format!("note: {}: {note}", self.file().display()))
    }

    /// The name of the body.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the body as it is shown in text.
    pub fn shown(&self) -> Cow<'_, str> {
        shown(&self.name)
    }

    /// The file it came from.
    pub fn file(&self) -> &Path {
        self.body.file()
    }

    /// How many vertices it has.
    pub fn vertex_count(&self) -> usize {
        self.body.vertex_count()
    }

    /// Its triangles; copies of one mesh share them.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.body.triangles()
    }

    /// How many frames there are; 1 for a body that stands still.
    pub fn frame_count(&self) -> usize {
        self.body.frame_count()
    }

    /// Which of its frames is shown in a frame of the scene: a body that has no more keeps its last one.
    pub fn frame_shown_in(&self, frame: usize) -> usize {
        let last = self.frame_count() - 1;
        self.schedule.as_ref().map_or(frame, |schedule| schedule.shown_in(frame)).min(last)
    }

    /// Which of its frames are shown in those of the scene, if that has been said.
    pub fn schedule(&self) -> Option<&Schedule> {
        self.schedule.as_ref()
    }

    /// Says which of its frames are shown in those of the scene.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = Some(schedule);
    }

    /// The numbers that its files give all its frames, if they do and the numbers rise.
    pub fn numbers(&self) -> Option<Vec<u64>> {
        let numbers: Option<Vec<u64>> = (0..self.frame_count()).map(|frame| self.body.frame_number(frame)).collect();
        numbers.filter(|numbers| numbers.is_sorted_by(|a, b| a < b))
    }

    /// The number that its files give a frame of the scene; none where it stands still, has no more frames, or its files
    /// count as frames do.
    fn frame_number(&self, frame: usize) -> Option<u64> {
        if let Some((_, number)) = self.animation_at(frame) {
            return Some(number as u64);
        }
        if let Some(schedule) = &self.schedule {
            return schedule.number(frame);
        }
        let last = self.frame_count() - 1;
        // Numbers rise, so the last one is its own index only if all are.
        let counts_frames = self.body.frame_number(last) == Some(last as u64);
        if last == 0 || counts_frames { None } else { self.body.frame_number(frame) }
    }

    /// The body that it is a part of, and its vertices there, if it may share some with other parts.
    pub fn seam(&self) -> Option<(usize, &[u32])> {
        self.body.seam()
    }

    /// The body that it is a part of, if it is one.
    pub fn whole(&self) -> Option<usize> {
        self.body.whole()
    }

    /// What carries its triangles, bones or materials.
    pub fn carriers(&mut self) -> Option<Carriers> {
        self.body.carriers()
    }

    /// Its vertices before anything moves them, where its file has such.
    pub fn rest(&self) -> Option<Vec<[f32; 3]>> {
        self.body.rest()
    }

    /// Whether its file has such.
    pub fn has_rest(&self) -> bool {
        self.body.animations().is_some()
    }

    /// The unit of its coordinates, where its format has one.
    pub fn unit(&self) -> Option<&'static str> {
        self.body.unit()
    }

    /// The names of the animations it plays and how many its file has, if it can have some.
    pub fn animations(&self) -> Option<(Vec<&str>, usize)> {
        self.body.animations()
    }

    /// The animation that a frame of the scene belongs to and its number in there, where several are played.
    pub fn animation_at(&self, frame: usize) -> Option<(&str, usize)> {
        self.body.animation_at(self.frame_shown_in(frame))
    }

    /// What numbers its positions are.
    pub fn precision(&self) -> Precision {
        self.body.precision()
    }

    /// As [`frame`](Self::frame), in f64.
    pub fn frame_f64(&mut self, frame: usize, positions: &mut [[f64; 3]]) -> Result<(), ReadError> {
        self.body.frame_f64(frame, positions)
    }

    /// Reads one of its frames and makes a body of it: of a mesh, or of its own, of which vertices that coincide in this frame are
    /// joined with `weld`.
    pub fn body(&mut self, frame: usize, mesh: Option<&Arc<Mesh>>, weld: bool) -> Result<Body> {
        match self.precision() {
            Precision::F32 => {
                let mut positions = vec![[0.0; 3]; self.vertex_count()];
                self.frame(frame, &mut positions)?;
                self.body_at(frame, &positions, mesh, weld)
            }
            Precision::F64 => {
                let mut positions = vec![[0.0; 3]; self.vertex_count()];
                self.frame_f64(frame, &mut positions)?;
                self.body_at(frame, &positions, mesh, weld)
            }
        }
    }

    fn body_at<C: Coordinate>(
        &self,
        frame: usize,
        positions: &[[C; 3]],
        mesh: Option<&Arc<Mesh>>,
        weld: bool,
    ) -> Result<Body> {
        let mesh = match mesh {
            Some(mesh) => Arc::clone(mesh),
            None => Arc::new(self.mesh(weld.then_some(positions))?),
        };
        Body::with_positions(mesh, positions).map_err(|refused| self.refused(frame, refused.into()))
    }

    /// Writes the vertices of one of its frames, not checked, into `positions`, which has one entry per vertex.
    pub fn frame(&mut self, frame: usize, positions: &mut [[f32; 3]]) -> Result<(), ReadError> {
        self.body.frame(frame, positions)
    }

    /// Refuses positions of a frame that are not finite, where no body takes them in.
    pub fn check(&self, frame: usize, positions: &[[f32; 3]]) -> Result<(), ReadError> {
        self.body.check(frame, positions)
    }

    /// The same for f64 positions.
    pub fn check_f64(&self, frame: usize, positions: &[[f64; 3]]) -> Result<(), ReadError> {
        match positions.iter().position(|position| position.iter().any(|x| !x.is_finite())) {
            Some(vertex) => {
                let refused = BodyError::NotFinite { vertex: VertexId(vertex as u32), position: positions[vertex] };
                Err(self.body.refused(frame, &refused))
            }
            None => Ok(()),
        }
    }

    /// Says where positions came from that a body has refused.
    pub fn refused(&self, frame: usize, error: anyhow::Error) -> anyhow::Error {
        // A scene says in its own message what the body has said.
        let of_scene = |cause: &'_ (dyn std::error::Error + 'static)| match cause.downcast_ref() {
            Some(SceneError::Body { source, .. }) => Some(source.clone()),
            _ => cause.downcast_ref().cloned(),
        };
        match &error.chain().find_map(of_scene) {
            Some(refused) => self.body.refused(frame, refused).into(),
            None => error.context(self.file().display().to_string()),
        }
    }

    /// The mesh; with positions, vertices that coincide there are joined.
    pub fn mesh<C: Coordinate>(&self, weld_by: Option<&[[C; 3]]>) -> Result<Mesh> {
        let mesh = Mesh::new(self.vertex_count(), self.triangles().to_vec());
        let mesh = mesh.and_then(|mesh| match weld_by {
            Some(positions) => mesh.welded(positions),
            None => Ok(mesh),
        });
        mesh.with_context(|| self.file().display().to_string())
    }

    /// The body in reports.
    pub fn record(&self, id: usize, mesh: &Mesh) -> BodyRecord {
        BodyRecord {
            id: id as u32,
            name: self.name.clone(),
            triangles: mesh.triangles().len() as u64,
            vertices: mesh.vertex_count() as u64,
            closed: mesh.topology().is_closed(),
            face_of_triangle: self.body.face_of_triangle().map(<[u32]>::to_vec),
            precision: (self.precision() == Precision::F64).then(|| Precision::F64.to_string()),
        }
    }
}

/// All bodies of all files, in the order named. Names that occur twice get a number.
///
/// # Errors
/// If a file cannot be read, or an option asks for what no file has.
pub fn read<F: AsRef<OsStr>>(files: &[F], options: &ReadingOptions) -> Result<Vec<FileBody>> {
    let readers = options.of_readers();
    let mut bodies: Vec<FileBody> = Vec::new();
    for file in files {
        take_in(&mut bodies, read_source(&Source::from(Path::new(file)), &readers)?, !options.no_weld);
    }
    check_masks(&bodies, &readers)?;
    check_animation(&bodies, &readers)?;
    Ok(bodies)
}

/// Refuses the choice of an animation where no file can have one: it would do nothing.
fn check_animation(bodies: &[FileBody], options: &ReadOptions) -> Result<()> {
    let is_asked = options.animation.is_some() || options.all_animations;
    if !is_asked || bodies.is_empty() || bodies.iter().any(|body| body.animations().is_some()) {
        return Ok(());
    }
    Err(hinted(
        "--animation does nothing here: none of the files is glTF",
        "leave it out; only glTF files have animations",
    ))
}

/// Refuses a mask that no body has, so that renaming a group does not silently change what is tested.
fn check_masks(bodies: &[FileBody], options: &ReadOptions) -> Result<()> {
    for (number, mask) in options.masks.iter().enumerate() {
        if !bodies.iter().any(|body| body.body.has_masks().get(number) == Some(&true)) {
            let hint = "masks are attributes _NAME of glTF, scalar properties of vertices in PLY, and groups in OBJ";
            return Err(hinted(format!("--mask {}: no body has such a vertex group", mask.name), hint));
        }
    }
    Ok(())
}

/// All points of a file, as bodies that may have no triangles; named as if they had come after `others`.
///
/// # Errors
/// If the file cannot be read.
pub fn read_points(file: &Path, options: &ReadingOptions, mut others: Vec<FileBody>) -> Result<[Vec<FileBody>; 2]> {
    let before = others.len();
    take_in(&mut others, crumple_io::read_points(file, &options.of_readers())?, !options.no_weld);
    let points = others.split_off(before);
    Ok([others, points])
}

/// Adds bodies to others; names that occur twice get a number.
pub fn take_in(bodies: &mut Vec<FileBody>, more: Vec<AnimatedBody>, weld: bool) {
    let mut names = UniqueNames::default();
    bodies.iter().for_each(|body| drop(names.unique(&body.name)));
    for body in more {
        let name = names.unique(body.name());
        bodies.push(FileBody { name, ..FileBody::new(body, weld) });
    }
}

/// The index of the body of a name.
pub fn index_of(name: &str, bodies: &[FileBody]) -> Result<usize> {
    let index = bodies.iter().position(|body| body.name == name);
    index.ok_or_else(|| hinted(format!("there is no body {name}"), format!("there are {}", names(bodies))))
}

/// The names of bodies, for a message.
pub fn names(bodies: &[FileBody]) -> String {
    bodies.iter().map(FileBody::shown).collect::<Vec<_>>().join(", ")
}

/// The number that the files give a frame, if those that give one agree.
pub fn frame_number<'a>(bodies: impl IntoIterator<Item = &'a FileBody>, frame: usize) -> Option<u64> {
    let mut numbers = bodies.into_iter().filter_map(|body| body.frame_number(frame));
    let first = numbers.next()?;
    numbers.all(|number| number == first).then_some(first)
}

/// The animation of a frame, where several are played one after another.
pub fn animation<'a>(bodies: impl IntoIterator<Item = &'a FileBody>, frame: usize) -> Option<(&'a str, usize)> {
    bodies.into_iter().find_map(|body| body.animation_at(frame))
}

/// The number of a frame and its animation, for records.
pub fn numbered<'a>(
    bodies: impl IntoIterator<Item = &'a FileBody> + Clone,
    frame: usize,
) -> (Option<u64>, Option<String>) {
    let animation = animation(bodies.clone(), frame).map(|(name, _)| name.to_owned());
    (frame_number(bodies, frame), animation)
}

/// How many frames the bodies have together: a body with one frame stands still, the others must agree. With `hold`
/// the longest counts.
pub fn frame_count<'a>(bodies: impl IntoIterator<Item = &'a FileBody>, hold: bool) -> Result<usize> {
    let mut longest: Option<&FileBody> = None;
    for body in bodies.into_iter().filter(|body| body.frame_count() > 1) {
        if let Some(other) = longest
            && !hold
            && other.frame_count() != body.frame_count()
        {
            let (frames, others) = (body.frame_count(), other.frame_count());
            let what = format!("{} has {others} frames, but {} has {frames}", other.shown(), body.shown());
            return Err(hinted(what, "--hold lets the shorter keep its last frame"));
        }
        if longest.is_none_or(|other| other.frame_count() < body.frame_count()) {
            longest = Some(body);
        }
    }
    Ok(longest.map_or(1, FileBody::frame_count))
}

/// The body meant.
pub fn one(mut bodies: Vec<FileBody>, name: Option<&str>) -> Result<FileBody> {
    match (name, bodies.len()) {
        (Some(name), _) => Ok(bodies.remove(index_of(name, &bodies)?)),
        (None, 1) => Ok(bodies.remove(0)),
        (None, 0) => Err(anyhow!("there is no body in the file")),
        (None, many) => {
            let hint = format!("choose one of {} with --body NAME", names(&bodies));
            Err(hinted(format!("there are {many} bodies"), hint))
        }
    }
}

/// The two bodies meant; `same` is the error for one that is named twice.
pub fn two(
    mut bodies: Vec<FileBody>,
    named: Option<&[String]>,
    same: impl FnOnce(&str) -> anyhow::Error,
) -> Result<[FileBody; 2]> {
    if let Some([a, b]) = named {
        let (a, b) = (index_of(a, &bodies)?, index_of(b, &bodies)?);
        if a == b {
            return Err(same(&bodies[a].shown()));
        }
        let (later, earlier) = (bodies.remove(a.max(b)), bodies.remove(a.min(b)));
        return Ok(if a < b { [earlier, later] } else { [later, earlier] });
    }
    bodies.try_into().map_err(|bodies: Vec<FileBody>| match &bodies[..] {
        [] => anyhow!("there is no body in the file"),
        [only] => hinted(format!("there is only one body, {}", only.shown()), "name another file"),
        _ => {
            let hint = format!("choose two of {} with --bodies NAME NAME", names(&bodies));
            hinted(format!("there are {} bodies", bodies.len()), hint)
        }
    })
}

/// The animations of a file; none unless it is glTF.
///
/// # Errors
/// If the file cannot be read.
pub fn animations_of(file: &OsStr) -> Result<Vec<AnimationRecord>> {
    let is_gltf = Path::new(file).extension().is_some_and(|ending| {
        ["gltf", "glb", "vrm"].iter().any(|gltf| ending.eq_ignore_ascii_case(gltf)) && Path::new(file).is_file()
    });
    let found = if is_gltf { gltf_animations(file)? } else { Vec::new() };
    let record = |(number, animation): (usize, AnimationInfo)| AnimationRecord {
        file: file.to_string_lossy().into_owned(),
        name: animation.name.unwrap_or_else(|| number.to_string()),
        seconds: animation.seconds,
    };
    Ok(found.into_iter().enumerate().map(record).collect())
}
