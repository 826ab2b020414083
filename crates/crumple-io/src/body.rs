//! Turns what a user named into bodies with their motion, one frame at a time.
//!
//! A body keeps its triangles and reads or computes the vertices of a frame when asked, straight into the caller's
//! memory, so that a long animation needs the memory of one frame. Every frame is read from its file once each time it
//! is asked for. Its coordinates are not checked here; `crumple::Body` does that when it takes them in, and
//! [`AnimatedBody::not_finite`] says where they came from.

use std::fmt;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crumple::{BodyError, Precision, VertexId};

use crate::carriers::Carriers;
use crate::error::{Fault, ReadError, not_finite};
use crate::labels::{self, Labels};
use crate::mesh_file::MeshFile;
use crate::read::{self, AnyMesh, CacheFormat, MeshFormat, ObjBodies, PointCache, name_of};
use crate::sequence::{self, Numbered, Source};
use crate::split::{self, Mask, Part, Split};
use crate::text::Real;

/// How files are read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Which parts of an OBJ file become separate bodies.
    pub obj_bodies: ObjBodies,
    /// Frames per second at which a glTF animation is sampled.
    pub fps: f64,
    /// Which animation of a glTF file is played, by name or number; the first one if `None`.
    pub animation: Option<String>,
    /// Whether all animations of a glTF file are played, one after another, instead of one.
    pub all_animations: bool,
    /// What becomes a body of its own beyond what the files say.
    pub split: Split,
    /// Vertex groups that say which triangles are read; a body without such a group is read whole.
    pub masks: Vec<Mask>,
    /// Whether vertices that coincide in the first frame connect the parts of a body that is split.
    pub weld: bool,
    /// In which precision positions are read: with [`Precision::F64`] those of OBJ, OFF and XYZ files, and of PLY files with
    /// `double` coordinates; all other formats are f32.
    pub precision: Precision,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            obj_bodies: ObjBodies::File,
            fps: 30.0,
            animation: None,
            all_animations: false,
            split: Split::None,
            masks: Vec::new(),
            weld: true,
            precision: Precision::F32,
        }
    }
}

impl ReadOptions {
    /// Makes a body of every object or group of an OBJ file.
    pub fn with_obj_bodies(mut self, obj_bodies: ObjBodies) -> Self {
        self.obj_bodies = obj_bodies;
        self
    }

    /// Samples glTF animations at `fps` frames per second.
    pub fn with_fps(mut self, fps: f64) -> Self {
        self.fps = fps;
        self
    }

    /// Plays the glTF animation with this name or, failing that, number.
    pub fn with_animation(mut self, animation: impl Into<String>) -> Self {
        self.animation = Some(animation.into());
        self
    }

    /// Plays all animations of a glTF file, one after another.
    pub fn with_all_animations(mut self) -> Self {
        self.all_animations = true;
        self
    }

    /// Splits bodies by material or loose part.
    pub fn with_split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// Reads only the triangles that the masks leave.
    pub fn with_masks(mut self, masks: Vec<Mask>) -> Self {
        self.masks = masks;
        self
    }

    /// Reads positions as f64 numbers where the format has them; see [`precision`](Self::precision).
    pub fn with_precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Takes vertices for different ones even if they coincide, where bodies are split.
    pub fn without_welding(mut self) -> Self {
        self.weld = false;
        self
    }
}

/// Memory for the positions of a body, one per vertex, in either precision.
#[derive(Debug)]
pub enum Room<'m> {
    /// Of f32 numbers.
    F32(&'m mut [[f32; 3]]),
    /// Of f64 numbers.
    F64(&'m mut [[f64; 3]]),
}

/// Frames that do not come from a file: a caller's arrays, or what a program computes.
pub trait FrameSource: fmt::Debug + Send + Sync {
    /// How many frames there are; 1 for a body that stands still.
    fn frame_count(&self) -> usize;

    /// What numbers its positions are: the memory that frames are asked for is of this kind.
    fn precision(&self) -> Precision {
        Precision::F32
    }

    /// The number by which the caller knows a frame.
    fn frame_number(&self, frame: usize) -> Option<u64> {
        let _ = frame;
        None
    }

    /// Writes the vertices of a frame, counted from 0.
    ///
    /// # Errors
    /// Whatever went wrong; it is reported with the name of the body and the frame.
    fn frame(&mut self, frame: usize, positions: Room<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// A body of a file: triangles that stay, and vertices for every frame.
#[derive(Debug)]
pub struct AnimatedBody {
    name: String,
    file: PathBuf,
    mesh: Arc<Shape>,
    motion: Motion,
    notes: Vec<String>,
    /// Where they were asked for, until the body is split by them.
    pub(crate) labels: Option<Arc<Labels>>,
    /// Which of the masks asked for it has.
    pub(crate) has_masks: Vec<bool>,
}

/// What stays the same in every frame.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) vertices: usize,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) face_of_triangle: Option<Vec<u32>>,
}

#[derive(Debug)]
enum Motion {
    Still(Positions),
    Cache(PointCache<Box<dyn read::Bytes>>),
    Sequence(Sequence),
    Posed(read::GltfMotion),
    Part(Part),
    Source(Box<dyn FrameSource>),
}

/// Positions as they were read.
#[derive(Debug)]
pub(crate) enum Positions {
    F32(Vec<[f32; 3]>),
    F64(Vec<[f64; 3]>),
}

impl Positions {
    pub(crate) fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F64(_) => Precision::F64,
        }
    }

    /// Copies them into memory of the same length: f32 numbers widen, f64 numbers are rounded to f32 memory.
    fn copy_to<C: Real>(&self, to: &mut [[C; 3]]) {
        match self {
            Self::F32(from) => to.iter_mut().zip(from).for_each(|(to, from)| *to = from.map(C::from_f32)),
            Self::F64(from) => to.iter_mut().zip(from).for_each(|(to, from)| *to = from.map(C::nearest)),
        }
    }
}

/// One part (the only one, but for OBJ files with several bodies) of every file.
#[derive(Debug)]
struct Sequence {
    files: Arc<[Numbered]>,
    part: usize,
    obj_bodies: ObjBodies,
    /// The triangles with every polygon a fan, where the body has others.
    fans: Option<Vec<[u32; 3]>>,
    /// The first frame, which was read for its triangles, until it is asked for.
    first: Option<Positions>,
    /// What was asked for, and what the first file has.
    asked: Precision,
    precision: Precision,
}

impl AnimatedBody {
    pub(crate) fn posed(name: String, file: &Path, shape: Arc<Shape>, motion: read::GltfMotion) -> Self {
        Self::new(name, file.into(), shape, Motion::Posed(motion))
    }

    /// A part of another body.
    pub(crate) fn part(name: String, file: &Path, shape: Shape, part: Part) -> Self {
        Self::new(name, file.into(), Arc::new(shape), Motion::Part(part))
    }

    /// A body whose frames come from a caller. Errors name it where they name the file of others.
    pub fn from_source(
        name: impl Into<String>,
        vertices: usize,
        triangles: Vec<[u32; 3]>,
        face_of_triangle: Option<Vec<u32>>,
        source: Box<dyn FrameSource>,
    ) -> Self {
        let (name, shape) = (name.into(), Shape { vertices, triangles, face_of_triangle });
        let file = PathBuf::from(&name);
        Self::new(name, file, Arc::new(shape), Motion::Source(source))
    }

    fn new(name: String, file: PathBuf, mesh: Arc<Shape>, motion: Motion) -> Self {
        AnimatedBody { name, file, mesh, motion, notes: Vec::new(), labels: None, has_masks: Vec::new() }
    }

    /// The same body with something to say about its file.
    pub(crate) fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// A mesh whose vertices come from a point cache, which may be read from anything; `file` is what the mesh came
    /// from.
    ///
    /// # Errors
    /// When the frames of the cache have another number of vertices.
    pub fn with_point_cache<R>(mesh: MeshFile, file: impl AsRef<Path>, cache: PointCache<R>) -> Result<Self, ReadError>
    where
        R: Read + Seek + Send + Sync + fmt::Debug + 'static,
    {
        let (name, notes, shape, _) = taken_apart(AnyMesh::F32(mesh));
        Ok(Self::moved_by(name, file.as_ref(), shape, cache)?.with_notes(notes))
    }

    fn moved_by<R>(name: String, file: &Path, shape: Shape, cache: PointCache<R>) -> Result<Self, ReadError>
    where
        R: Read + Seek + Send + Sync + fmt::Debug + 'static,
    {
        if cache.vertex_count() != shape.vertices {
            let (of_cache, of_mesh) = (cache.vertex_count(), shape.vertices);
            let what = format!("its frames have {of_cache} vertices, but {} has {of_mesh}", file.display());
            let hint = "export both from the same mesh, with modifiers applied to both or to neither";
            return Err(Fault::file(what).with_hint(hint).in_file(cache.file()));
        }
        let motion = Motion::Cache(cache.boxed());
        Ok(Self::new(name, file.into(), Arc::new(shape), motion))
    }

    /// What the body is called: by its file, or by the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file it came from; of a sequence the first, of a mesh with a point cache the mesh.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What is odd about its file or was left out of it, in words; of a file with several bodies the first one has them.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number that the file gives a frame: the one in the name of a numbered mesh, or of a PC2 cache the frame it
    /// starts with and those after it. `None` where the file gives no whole number.
    pub fn frame_number(&self, frame: usize) -> Option<u64> {
        match &self.motion {
            Motion::Cache(cache) => cache.frame_number(frame),
            Motion::Sequence(sequence) => sequence.files.get(frame)?.number,
            Motion::Part(part) => part.whole().with(|whole| whole.frame_number(frame)),
            Motion::Source(source) => source.frame_number(frame),
            Motion::Still(_) | Motion::Posed(_) => None,
        }
    }

    /// The names of the animations that are played, a number for one without a name, and how many the file has; `None`
    /// unless it is a glTF file.
    pub fn animations(&self) -> Option<(Vec<&str>, usize)> {
        self.played().map(|posed| (posed.animations().collect(), posed.animation_count()))
    }

    /// The unit of its coordinates, where its format has one: glTF has metres.
    pub fn unit(&self) -> Option<&'static str> {
        self.played().map(|_| "m")
    }

    /// The animation that a frame belongs to and its number in there, where several are played one after another and move
    /// this body.
    pub fn animation_at(&self, frame: usize) -> Option<(&str, usize)> {
        self.played().and_then(|posed| posed.animation_at(frame))
    }

    /// What a glTF file plays.
    fn played(&self) -> Option<&read::GltfMotion> {
        match &self.motion {
            Motion::Posed(posed) => Some(posed),
            Motion::Part(part) => part.whole().names.as_ref(),
            _ => None,
        }
    }

    /// The same, for a body of its own.
    pub(crate) fn gltf_motion(&self) -> Option<read::GltfMotion> {
        self.played().cloned()
    }

    /// What carries its triangles: the bones of a skin or, of a body with several, its materials. Materials of OBJ are read when this
    /// is first called.
    pub fn carriers(&mut self) -> Option<Carriers> {
        let bones = match &self.motion {
            Motion::Posed(posed) => Carriers::bones(posed, 0..self.mesh.vertices),
            Motion::Part(part) => {
                let vertices = (0..self.mesh.vertices).map(|vertex| part.vertex(vertex));
                part.whole().names.as_ref().and_then(|posed| Carriers::bones(posed, vertices))
            }
            _ => None,
        };
        if bones.is_some() {
            return bones;
        }
        let is_whole = !matches!(self.motion, Motion::Part(_));
        if is_whole && self.labels.is_none() && MeshFormat::of(&self.file) == Some(MeshFormat::Obj) {
            let options = ReadOptions::default().with_split(Split::Materials);
            // A file that has become unreadable since has no names.
            labels::read(std::slice::from_mut(self), &options).ok();
        }
        self.labels.as_ref().and_then(Carriers::materials)
    }

    /// Its vertices before anything moves them, where its file has such: glTF.
    pub fn rest(&self) -> Option<Vec<[f32; 3]>> {
        match &self.motion {
            Motion::Posed(posed) => Some(posed.rest().to_vec()),
            Motion::Part(part) => {
                let rest = part.whole().names.as_ref()?.rest();
                (0..self.mesh.vertices).map(|vertex| rest.get(part.vertex(vertex)).copied()).collect()
            }
            _ => None,
        }
    }

    /// Gives it another name.
    pub(crate) fn rename(&mut self, name: String) {
        self.name = name;
    }

    /// The file's face of each triangle.
    pub(crate) fn faces(&self) -> impl Iterator<Item = u32> {
        let count = self.mesh.triangles.len() as u32;
        (0..count).map(|triangle| self.face_of_triangle().map_or(triangle, |faces| faces[triangle as usize]))
    }

    /// Which of the masks of [`ReadOptions::masks`] its file has a group for; empty if there were none.
    pub fn has_masks(&self) -> &[bool] {
        &self.has_masks
    }

    /// The body that this one is a part of, as a number that its other parts have too, and for each vertex the one of that body, of
    /// vertices that coincide the first; only of bodies that were split by material, which may share vertices.
    pub fn seam(&self) -> Option<(usize, &[u32])> {
        match &self.motion {
            Motion::Part(part) => Some((Arc::as_ptr(part.whole()) as usize, part.joined()?)),
            _ => None,
        }
    }

    /// A number that all bodies have that were made of one, and no other.
    pub fn whole(&self) -> Option<usize> {
        match &self.motion {
            Motion::Part(part) => Some(Arc::as_ptr(part.whole()) as usize),
            _ => None,
        }
    }

    /// How many vertices it has in every frame.
    pub fn vertex_count(&self) -> usize {
        self.mesh.vertices
    }

    /// Its triangles, in the file's order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    /// The file's face each triangle was cut from; `None` when every face was a triangle.
    pub fn face_of_triangle(&self) -> Option<&[u32]> {
        self.mesh.face_of_triangle.as_deref()
    }

    /// How many frames there are; 1 for a body that stands still.
    pub fn frame_count(&self) -> usize {
        match &self.motion {
            Motion::Still(_) => 1,
            Motion::Cache(cache) => cache.frame_count(),
            Motion::Sequence(sequence) => sequence.files.len(),
            Motion::Posed(posed) => posed.frame_count(),
            Motion::Part(part) => part.whole().frames,
            Motion::Source(source) => source.frame_count(),
        }
    }

    /// What numbers its positions are: f32, unless f64 was asked for and its file has them.
    pub fn precision(&self) -> Precision {
        match &self.motion {
            Motion::Still(positions) => positions.precision(),
            Motion::Sequence(sequence) => sequence.precision,
            Motion::Part(part) => part.whole().precision,
            Motion::Source(source) => source.precision(),
            Motion::Cache(_) | Motion::Posed(_) => Precision::F32,
        }
    }

    /// As [`frame`](Self::frame), in f64; f32 numbers are widened, which changes none.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    pub fn frame_f64(&mut self, frame: usize, positions: &mut [[f64; 3]]) -> Result<(), ReadError> {
        self.frame_as(frame, positions)
    }

    /// Writes the vertices of frame `frame`, counted from 0, into `positions`, which has one entry per vertex. Those of a
    /// body with f64 positions are rounded to f32; [`frame_f64`](Self::frame_f64) does not round.
    ///
    /// Coordinates are as the file gives them, NaN and infinity included: a `crumple::Body` refuses those, and
    /// [`check`](Self::check) does so if no such body is made.
    ///
    /// # Errors
    /// When there is no such frame, the slice has another length, a file cannot be read, or a frame does not fit the
    /// first one.
    pub fn frame(&mut self, frame: usize, positions: &mut [[f32; 3]]) -> Result<(), ReadError> {
        self.frame_as(frame, positions)
    }

    /// As [`frame`](Self::frame), in either precision.
    pub(crate) fn frame_as<C: Real>(&mut self, frame: usize, positions: &mut [[C; 3]]) -> Result<(), ReadError> {
        if frame >= self.frame_count() {
            return Err(ReadError::NoSuchFrame {
                file: self.file.clone(),
                frame: frame as u64,
                frames: self.frame_count() as u64,
            });
        }
        if positions.len() != self.mesh.vertices {
            let (file, given) = (self.file.clone(), positions.len());
            return Err(ReadError::WrongLength { file, given, vertices: self.mesh.vertices });
        }
        match &mut self.motion {
            Motion::Still(vertices) => vertices.copy_to(positions),
            Motion::Sequence(sequence) => sequence.frame(frame, &self.mesh)?.copy_to(positions),
            Motion::Part(part) => part.frame(frame, positions)?,
            Motion::Source(source) if source.precision() == Precision::F32 => in_f32(positions, |positions| {
                let read = source.frame(frame, Room::F32(positions));
                read.map_err(|source| ReadError::Source { body: self.name.clone(), frame: frame as u64, source })
            })?,
            Motion::Source(source) => {
                let read = source.frame(frame, C::room(positions));
                read.map_err(|source| ReadError::Source { body: self.name.clone(), frame: frame as u64, source })?;
            }
            Motion::Cache(cache) => in_f32(positions, |positions| cache.read_frame(frame, positions))?,
            Motion::Posed(posed) => in_f32(positions, |positions| {
                posed.frame(frame, positions);
                Ok(())
            })?,
        }
        Ok(())
    }

    /// Refuses positions of a frame with a coordinate that is NaN or infinite; for callers who make no `crumple::Body`
    /// of them.
    ///
    /// # Errors
    /// If there is such a coordinate: [`ReadError::NotFinite`], which names file, frame, vertex and value.
    pub fn check(&self, frame: usize, positions: &[[f32; 3]]) -> Result<(), ReadError> {
        match positions.iter().position(|position| position.iter().any(|x| !x.is_finite())) {
            Some(vertex) => Err(self.not_finite(frame, vertex, positions[vertex])),
            None => Ok(()),
        }
    }

    /// The error of a position that is not finite, in the words of every reader: names file, frame, vertex and value.
    pub fn not_finite(&self, frame: usize, vertex: usize, position: [f32; 3]) -> ReadError {
        match &self.motion {
            Motion::Part(part) => part.whole().with(|whole| whole.not_finite(frame, part.vertex(vertex), position)),
            _ => self.at(frame, not_finite(vertex, position)),
        }
    }

    /// The error of positions that a `crumple::Body` has refused: names file, frame, body, vertex and value.
    pub fn refused(&self, frame: usize, error: &BodyError) -> ReadError {
        if let Motion::Part(part) = &self.motion {
            let mut error = error.clone();
            if let BodyError::NotFinite { vertex, .. } | BodyError::OutOfRange { vertex, .. } = &mut error {
                *vertex = VertexId(part.vertex(vertex.index()) as u32);
            }
            return part.whole().with(|whole| whole.refused(frame, &error));
        }
        let fault = match *error {
            BodyError::NotFinite { vertex, position } => match self.precision() {
                Precision::F32 => not_finite(vertex.index(), position.map(|x| x as f32)),
                Precision::F64 => not_finite(vertex.index(), position),
            },
            _ => Fault::Refused { body: self.name.clone(), what: error.to_string() },
        };
        self.at(frame, fault)
    }

    /// A fault of a frame, with the file that holds it.
    fn at(&self, frame: usize, fault: Fault) -> ReadError {
        match &self.motion {
            Motion::Still(_) => fault.in_file(&self.file),
            Motion::Cache(cache) => fault.in_frame(frame, cache.file()),
            Motion::Sequence(sequence) => {
                fault.in_file(sequence.files.get(frame).map_or(&self.file, |numbered| &numbered.file))
            }
            Motion::Posed(_) | Motion::Part(_) | Motion::Source(_) => fault.in_frame(frame, &self.file),
        }
    }
}

impl Sequence {
    fn frame(&mut self, frame: usize, mesh: &Shape) -> Result<Positions, ReadError> {
        if frame == 0
            && let Some(first) = self.first.take()
        {
            return Ok(first);
        }
        let file = &self.files[frame].file;
        let hint = "the meshes of a sequence have the same triangles; name the files meant with a pattern";
        let fault = |what: String| Fault::file(what).with_hint(hint).in_file(file);
        let first = self.files[0].file.display();
        let mut parts = read::read_fans(file, self.obj_bodies, self.asked)?;
        if self.part >= parts.len() {
            return Err(fault(format!("it has {} bodies, but {first} has more", parts.len())));
        }
        let (_, _, part, positions) = taken_apart(parts.swap_remove(self.part));
        if part.vertices != mesh.vertices {
            return Err(fault(format!("it has {} vertices, but {first} has {}", part.vertices, mesh.vertices)));
        }
        if &part.triangles != self.fans.as_ref().unwrap_or(&mesh.triangles) {
            return Err(fault(format!("its triangles are not those of {first}")));
        }
        if (self.precision, positions.precision()) == (Precision::F32, Precision::F64) {
            let what = format!("its coordinates are `double`, but those of {first} are `float`");
            return Err(Fault::file(what).with_hint("write all files of a sequence in one precision").in_file(file));
        }
        Ok(positions)
    }
}

/// Reads the bodies of a file, folder, pattern or mesh with point cache, as [`Source::parse`] understands them.
///
/// ```no_run
/// for mut body in crumple_io::read("cloth.ply@cloth.pc2")? {
///     let mut positions = vec![[0.0; 3]; body.vertex_count()];
///     for frame in 0..body.frame_count() {
///         body.frame(frame, &mut positions)?;
///     }
/// }
/// # Ok::<(), crumple_io::ReadError>(())
/// ```
///
/// # Errors
/// When a file cannot be read or its frames do not fit together.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<AnimatedBody>, ReadError> {
    read_source(&Source::from(path.as_ref()), &ReadOptions::default())
}

/// Reads points: the vertices of whatever [`read()`] reads, of a point cache by itself, or of a `.xyz` file.
///
/// They come as bodies too, which may have no triangles.
///
/// # Errors
/// As [`read()`].
pub fn read_points(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    match Source::from(path.as_ref()) {
        Source::File(file) if CacheFormat::of(&file).is_some() => {
            let cache = PointCache::open(&file)?;
            let shape = Shape { vertices: cache.vertex_count(), ..Shape::default() };
            let motion = Motion::Cache(cache.boxed());
            let name = name_of(&file);
            Ok(vec![AnimatedBody::new(name, file, Arc::new(shape), motion)])
        }
        Source::File(file) if has_extension(&file, &["xyz"]) => {
            let bytes = read::bytes_of(&file)?;
            let points = match options.precision {
                Precision::F32 => AnyMesh::F32(read::parse_xyz_as(&bytes, &file)?),
                Precision::F64 => AnyMesh::F64(read::parse_xyz_as(&bytes, &file)?),
            };
            Ok(vec![standing(points, &file)])
        }
        source => read_source(&source, options),
    }
}

/// Reads the bodies of a source.
///
/// # Errors
/// As [`read()`].
pub fn read_source(source: &Source, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let mut bodies = read_whole(source, options)?;
    if labels::are_wanted(options) {
        labels::read(&mut bodies, options)?;
    }
    if options.split == Split::None && options.masks.is_empty() { Ok(bodies) } else { split::apply(bodies, options) }
}

fn read_whole(source: &Source, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    match source {
        Source::File(file) if file.is_dir() => sequence(sequence::meshes_in(file)?, &folder_name(file), options),
        Source::File(file) => still(file, options),
        // A file may have a `#` in its name.
        Source::Pattern(pattern) if pattern.is_file() => still(pattern, options),
        Source::Pattern(pattern) => {
            let name = sequence::name_of_pattern(pattern);
            sequence(sequence::matching(pattern)?, &name, options)
        }
        Source::Cached { mesh, cache } => cached(mesh, cache, options),
    }
}

fn still(file: &Path, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    if has_extension(file, &["gltf", "glb", "vrm"]) {
        return read::read_gltf(file, options);
    }
    let parts = read_parts(file, options)?;
    Ok(parts.into_iter().map(|part| standing(part, file)).collect())
}

fn standing(part: AnyMesh, file: &Path) -> AnimatedBody {
    let (name, notes, shape, positions) = taken_apart(part);
    AnimatedBody::new(name, file.into(), Arc::new(shape), Motion::Still(positions)).with_notes(notes)
}

fn cached(mesh: &Path, cache: &Path, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let fault = |what: &str| Fault::file(what).in_file(mesh);
    if options.obj_bodies != ObjBodies::File && MeshFormat::of(mesh) == Some(MeshFormat::Obj) {
        return Err(fault("the parts of a mesh with a point cache cannot be bodies of their own"));
    }
    let (mesh_file, vertices) = read::read_triangles(mesh)?;
    let (name, notes, shape, _) = taken_apart(AnyMesh::F32(mesh_file));
    let shape = Shape { vertices, ..shape };
    Ok(vec![AnimatedBody::moved_by(name, mesh, shape, PointCache::open(cache)?)?.with_notes(notes)])
}

fn sequence(files: Vec<Numbered>, name: &str, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let files: Arc<[Numbered]> = files.into();
    let first = &files[0].file;
    let parts = read::read_fans(first, options.obj_bodies, options.precision)?;
    let several = options.obj_bodies != ObjBodies::File && MeshFormat::of(first) == Some(MeshFormat::Obj);
    let mut gaps = sequence::gaps(&files);
    let body = |(part, mut mesh): (usize, AnyMesh)| {
        let fans = mesh.polygons().map(<[_]>::to_vec);
        let fans = if mesh.cut_concave() { fans } else { None };
        let (own_name, notes, shape, positions) = taken_apart(mesh);
        let obj_bodies = options.obj_bodies;
        let (asked, precision) = (options.precision, positions.precision());
        let first_frame = Some(positions);
        let sequence = Sequence { files: files.clone(), part, obj_bodies, fans, first: first_frame, asked, precision };
        let name = if several { own_name } else { name.into() };
        AnimatedBody::new(name, first.clone(), Arc::new(shape), Motion::Sequence(sequence))
            .with_notes(gaps.take().into_iter().chain(notes))
    };
    Ok(parts.into_iter().enumerate().map(body).collect())
}

/// The meshes of one file.
fn read_parts(file: &Path, options: &ReadOptions) -> Result<Vec<AnyMesh>, ReadError> {
    if CacheFormat::of(file).is_some() {
        let fault = Fault::file("a point cache has no triangles");
        return Err(fault.with_hint("give its mesh too, as in `body.ply@motion.pc2`").in_file(file));
    }
    read::read_parts(file, options.obj_bodies, options.precision)
}

fn has_extension(file: &Path, known: &[&str]) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| known.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// The name, the notes, what stays the same in every frame, and the positions.
fn taken_apart(mesh: AnyMesh) -> (String, Vec<String>, Shape, Positions) {
    fn apart<C>(mesh: MeshFile<C>, kind: fn(Vec<[C; 3]>) -> Positions) -> (String, Vec<String>, Shape, Positions) {
        let MeshFile { name, positions, triangles, face_of_triangle, notes } = mesh;
        (name, notes, Shape { vertices: positions.len(), triangles, face_of_triangle }, kind(positions))
    }
    match mesh {
        AnyMesh::F32(mesh) => apart(mesh, Positions::F32),
        AnyMesh::F64(mesh) => apart(mesh, Positions::F64),
    }
}

/// Reads f32 positions into memory of either kind.
fn in_f32<C: Real>(
    positions: &mut [[C; 3]],
    read: impl FnOnce(&mut [[f32; 3]]) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    match C::room(positions) {
        Room::F32(positions) => read(positions),
        Room::F64(wide) => {
            let mut narrow = vec![[0.0; 3]; wide.len()];
            read(&mut narrow)?;
            Positions::F32(narrow).copy_to(wide);
            Ok(())
        }
    }
}

fn folder_name(folder: &Path) -> String {
    match name_of(folder) {
        name if name.is_empty() => "sequence".into(),
        name => name,
    }
}
