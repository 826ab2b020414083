//! A scene whose frames are all computed before the clock starts.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Mesh, Pose, Scene, Triangle};
use crumple_methods::Method;
use crumple_scenes::{Digest, Shape};

/// The positions of all bodies in all frames that are measured.
#[derive(Debug)]
pub struct Recording {
    /// The scene's name.
    pub scene: String,
    /// The digest of the whole scene, whichever frames are recorded.
    pub digest: String,
    meshes: Vec<Arc<Mesh>>,
    /// The number of the first frame recorded.
    start: usize,
    /// Frame by frame, body by body.
    positions: Vec<Vec<Vec<[f32; 3]>>>,
    /// The same for the poses of bodies that have one.
    poses: Vec<Vec<Option<Pose>>>,
    /// The bodies before the first frame, in their own coordinates: as they are in it, but for the pose.
    before: Vec<Vec<[f32; 3]>>,
}

impl Recording {
    /// Records some frames of a published scene.
    ///
    /// # Errors
    /// If a mesh of the scene is refused.
    pub fn of(scene: &crumple_scenes::Scene, frames: Range<usize>) -> Result<Self> {
        let mesh =
            |body: &crumple_scenes::SceneBody| Ok(Arc::new(Mesh::new(body.vertex_count(), body.triangles().to_vec())?));
        let pose = |body: &crumple_scenes::SceneBody, frame: usize| {
            body.placement(frame).and_then(|place| Pose::new(place.rotation, place.translation))
        };
        let before = |body: &crumple_scenes::SceneBody| {
            let mut positions = Vec::new();
            body.local_positions(frames.start, &mut positions);
            positions
        };
        Ok(Self {
            before: scene.bodies().iter().map(before).collect(),
            poses: (frames.clone())
                .map(|frame| scene.bodies().iter().map(|body| pose(body, frame)).collect())
                .collect(),
            scene: scene.name().to_owned(),
            digest: scene.digest().to_string(),
            meshes: scene.bodies().iter().map(mesh).collect::<Result<_>>()?,
            start: frames.start,
            positions: frames.map(|frame| scene.frame(frame)).collect(),
        })
    }

    /// Frames of one mesh, as read from files.
    pub(crate) fn of_shapes(scene: &str, frames: Vec<Shape>) -> Result<Self> {
        let mut digest = Digest::new();
        let mut recorded = Self {
            scene: scene.to_owned(),
            digest: String::new(),
            meshes: Vec::new(),
            start: 0,
            positions: Vec::new(),
            poses: Vec::new(),
            before: Vec::new(),
        };
        for Shape { triangles, positions } in frames {
            positions.as_flattened().iter().for_each(|x| digest.bytes(&x.to_le_bytes()));
            match recorded.meshes.first() {
                Some(mesh) => ensure!(mesh.indices() == triangles, "the frames of {scene} are different meshes"),
                None => recorded.meshes.push(Arc::new(Mesh::new(positions.len(), triangles)?)),
            }
            recorded.positions.push(vec![positions]);
            recorded.poses.push(vec![None]);
        }
        recorded.before = recorded.positions.first().cloned().unwrap_or_default();
        recorded.digest = digest.to_string();
        Ok(recorded)
    }

    /// How many frames are recorded.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether no frames are recorded.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The scene's number of the `at`-th frame recorded.
    pub fn number(&self, at: usize) -> u64 {
        (self.start + at) as u64
    }

    /// The meshes, one per body.
    pub fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// The most triangles a body has.
    pub(crate) fn triangles_per_body(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles().len()).max().unwrap_or(0)
    }

    /// The positions of all bodies in the `at`-th frame recorded.
    pub fn frame(&self, at: usize) -> &[Vec<[f32; 3]>] {
        &self.positions[at]
    }

    /// The poses of all bodies in the `at`-th frame recorded; none for a body whose scene does not publish it.
    pub fn poses(&self, at: usize) -> &[Option<Pose>] {
        &self.poses[at]
    }

    /// A triangle of a body in the `at`-th frame recorded.
    pub(crate) fn triangle(&self, at: usize, body: usize, triangle: u32) -> Triangle {
        let positions = &self.positions[at][body];
        Triangle(self.meshes[body].indices()[triangle as usize].map(|vertex| positions[vertex as usize]))
    }

    /// A scene with the bodies as they are in the `at`-th frame recorded.
    ///
    /// # Errors
    /// If a body is refused.
    pub fn scene_at(&self, method: Method, at: usize) -> Result<(Scene, Vec<BodyId>)> {
        self.scene_of(method, self.frame(at))
    }

    /// A scene with the bodies before the first frame recorded, in their own coordinates: so are trees built for bodies
    /// that are placed later.
    ///
    /// # Errors
    /// If a body is refused.
    pub(crate) fn scene_before(&self, method: Method) -> Result<(Scene, Vec<BodyId>)> {
        self.scene_of(method, &self.before)
    }

    fn scene_of(&self, method: Method, positions: &[Vec<[f32; 3]>]) -> Result<(Scene, Vec<BodyId>)> {
        let mut scene = method.scene();
        let mut ids = Vec::new();
        for (mesh, positions) in self.meshes.iter().zip(positions) {
            ids.push(scene.add(Body::new(Arc::clone(mesh), positions)?));
        }
        Ok((scene, ids))
    }
}
