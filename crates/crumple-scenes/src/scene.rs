//! A scene: some bodies whose triangles never change, and where their vertices are in every frame.
//!
//! A frame is a pure function of its number, so frames can be asked for in any order and by several threads. What a
//! motion needs from its own past (the dense scene and the heap) is worked out once, when the scene is made.

use std::fmt;
use std::sync::Arc;

use crate::digest::Digest;

/// Triangles and the positions of their vertices: a mesh that stands still.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Three vertices a triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Where each vertex is.
    pub positions: Vec<[f32; 3]>,
}

/// Where a body is as a whole: its local positions are first rotated, then translated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// A quaternion `[x, y, z, w]` of length one.
    pub rotation: [f64; 4],
    /// What is added after the rotation.
    pub translation: [f64; 3],
}

/// How the vertices of one body move.
pub(crate) trait Motion: Send + Sync {
    /// Writes every vertex of `frame`; `out` has exactly one element per vertex.
    fn write(&self, frame: usize, out: &mut [[f32; 3]]);

    /// The rigid part of the motion, if the scene keeps it apart from the deformation.
    fn placement(&self, _frame: usize) -> Option<Placement> {
        None
    }

    /// Writes every vertex as it is before it is placed.
    fn write_local(&self, frame: usize, out: &mut [[f32; 3]]) {
        self.write(frame, out);
    }
}

/// A shape that stands still is the simplest motion.
impl Motion for Vec<[f32; 3]> {
    fn write(&self, _frame: usize, out: &mut [[f32; 3]]) {
        out.copy_from_slice(self);
    }
}

/// One body of a [`Scene`]. A clone is cheap: the arrays are shared.
#[derive(Clone)]
pub struct SceneBody {
    name: String,
    triangles: Arc<[[u32; 3]]>,
    vertices: usize,
    frames: usize,
    closed: bool,
    motion: Arc<dyn Motion>,
}

impl SceneBody {
    /// What the body is called, unique within its scene and fit for a file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The triangles, the same in every frame.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// How many vertices a frame has.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Whether the triangles close the body off, without boundary, facing outward in frame 0.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes the positions of `frame` into `out`, which is resized to fit; allocates only while `out` still grows.
    ///
    /// A frame beyond the last one is the last one.
    pub fn positions(&self, frame: usize, out: &mut Vec<[f32; 3]>) {
        out.resize(self.vertices, [0.0; 3]);
        self.motion.write(frame.min(self.frames - 1), out);
    }

    /// Where the body is as a whole in `frame`, if the scene keeps its rigid motion apart from the deformation.
    pub fn placement(&self, frame: usize) -> Option<Placement> {
        self.motion.placement(frame.min(self.frames - 1))
    }

    /// Writes the positions of `frame` before the body is placed, as [`positions`](Self::positions) does those after.
    ///
    /// A position is its local one rotated and translated in f64, then rounded to f32; without a
    /// [`placement`](Self::placement) the two are the same.
    pub fn local_positions(&self, frame: usize, out: &mut Vec<[f32; 3]>) {
        out.resize(self.vertices, [0.0; 3]);
        self.motion.write_local(frame.min(self.frames - 1), out);
    }

    /// The positions of one frame, in a vector of their own.
    pub fn positions_at(&self, frame: usize) -> Vec<[f32; 3]> {
        let mut out = Vec::new();
        self.positions(frame, &mut out);
        out
    }
}

impl fmt::Debug for SceneBody {
    // Not derived: the arrays run to millions of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SceneBody")
            .field("name", &self.name)
            .field("triangles", &self.triangles.len())
            .field("vertices", &self.vertices)
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

/// Bodies that move together through a number of frames.
///
/// ```
/// let scene = crumple_scenes::by_name("LE1")?;
/// let mut positions = Vec::new();
/// for body in scene.bodies() {
///     body.positions(60, &mut positions);
///     println!("{}: {} triangles, first vertex at {:?}", body.name(), body.triangles().len(), positions[0]);
/// }
/// # Ok::<(), crumple_scenes::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    name: String,
    frames: usize,
    bodies: Vec<SceneBody>,
}

impl Scene {
    /// A scene without bodies yet; `frames` is at least 1.
    pub(crate) fn new(name: impl Into<String>, frames: usize) -> Self {
        Self { name: name.into(), frames: frames.max(1), bodies: Vec::new() }
    }

    /// Adds a closed body.
    pub(crate) fn with_closed(
        self,
        name: &str,
        triangles: &Arc<[[u32; 3]]>,
        vertices: usize,
        motion: impl Motion + 'static,
    ) -> Self {
        self.with(name, triangles, vertices, true, motion)
    }

    /// Adds a body, and says whether it is closed.
    pub(crate) fn with(
        mut self,
        name: &str,
        triangles: &Arc<[[u32; 3]]>,
        vertices: usize,
        closed: bool,
        motion: impl Motion + 'static,
    ) -> Self {
        self.bodies.push(SceneBody {
            name: name.to_owned(),
            triangles: Arc::clone(triangles),
            vertices,
            frames: self.frames,
            closed,
            motion: Arc::new(motion),
        });
        self
    }

    pub(crate) fn named(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// What the scene is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many frames there are, at least 1.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// The bodies, in an order that never changes.
    pub fn bodies(&self) -> &[SceneBody] {
        &self.bodies
    }

    /// All positions of one frame, body by body.
    pub fn frame(&self, frame: usize) -> Vec<Vec<[f32; 3]>> {
        self.bodies.iter().map(|body| body.positions_at(frame)).collect()
    }

    /// The digest of the triangles, and of the positions in five frames spread from the first to the last.
    pub fn digest(&self) -> Digest {
        let last = self.frames - 1;
        self.digest_of([0, last / 4, last / 2, last - last / 4, last])
    }

    /// The digest of the triangles, and of the positions in the given frames.
    pub fn digest_of(&self, frames: impl IntoIterator<Item = usize>) -> Digest {
        let mut digest = Digest::new();
        for body in &self.bodies {
            digest.triangles(&body.triangles);
        }
        let mut positions = Vec::new();
        for frame in frames {
            for body in &self.bodies {
                body.positions(frame, &mut positions);
                digest.positions(&positions);
            }
        }
        digest
    }
}
