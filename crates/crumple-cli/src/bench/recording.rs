//! A scene of which every frame is there before the clock starts.

use std::ops::Range;
use std::sync::Arc;

use anyhow::Result;
use crumple::{Body, BodyId, Mesh, Method, Scene, Triangle};

/// The positions of all bodies in all frames that are measured.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The scene's name.
    pub(crate) scene: String,
    /// The digest that pins the whole scene, whichever frames are recorded.
    pub(crate) digest: String,
    meshes: Vec<Arc<Mesh>>,
    /// The number of the first frame recorded.
    start: usize,
    /// Frame by frame, body by body.
    positions: Vec<Vec<Vec<[f32; 3]>>>,
}

impl Recording {
    /// Records some frames of a published scene.
    pub(crate) fn of(scene: &crumple_scenes::Scene, frames: Range<usize>) -> Result<Self> {
        let mesh =
            |body: &crumple_scenes::SceneBody| Ok(Arc::new(Mesh::new(body.vertex_count(), body.triangles().to_vec())?));
        Ok(Self {
            scene: scene.name().to_owned(),
            digest: scene.digest().to_string(),
            meshes: scene.bodies().iter().map(mesh).collect::<Result<_>>()?,
            start: frames.start,
            positions: frames.map(|frame| scene.frame(frame)).collect(),
        })
    }

    /// How many frames are recorded.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The scene's number of the `at`-th frame recorded.
    pub(crate) fn number(&self, at: usize) -> u64 {
        (self.start + at) as u64
    }

    /// The meshes, a body each.
    pub(crate) fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// The most triangles a body has.
    pub(crate) fn triangles_a_body(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles().len()).max().unwrap_or(0)
    }

    /// The positions of all bodies in the `at`-th frame recorded.
    pub(crate) fn frame(&self, at: usize) -> &[Vec<[f32; 3]>] {
        &self.positions[at]
    }

    /// A triangle of a body in the `at`-th frame recorded.
    pub(crate) fn triangle(&self, at: usize, body: usize, triangle: u32) -> Triangle {
        let positions = &self.positions[at][body];
        Triangle(self.meshes[body].triangles()[triangle as usize].map(|vertex| positions[vertex as usize]))
    }

    /// A scene with the bodies as they are in the `at`-th frame recorded.
    pub(crate) fn stage(&self, method: Method, at: usize) -> Result<(Scene, Vec<BodyId>)> {
        let mut scene = Scene::new(method);
        let mut ids = Vec::new();
        for (mesh, positions) in self.meshes.iter().zip(self.frame(at)) {
            ids.push(scene.add(Body::new(Arc::clone(mesh), positions)?));
        }
        Ok((scene, ids))
    }
}
