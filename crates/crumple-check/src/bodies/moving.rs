//! Bodies of files, moved from frame to frame.
//!
//! Every frame of a file is read at most once, straight into the memory of the body that shows it, and checked once, by
//! that body. The frame it is welded by is the one it starts with, so that one is not read again either; a body that stands
//! still, or keeps its last frame, is not touched.
//!
//! Held by: `tests/reads_once.rs`, which counts how often each frame is read.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, BodyId, Mesh, Precision, Scene};
use crumple_io::Room;
use crumple_io::report::BodyRecord;

use super::files::FileBody;

/// Where a body comes from, and which of its frames it shows.
#[derive(Debug)]
pub struct Motion {
    file: FileBody,
    shown: usize,
}

/// Writes the vertices of a frame.
pub type Read<'a> = &'a mut dyn FnMut(Room<'_>);

impl Motion {
    /// Reads the first frame needed and makes a body of it: the first one of all, by which vertices that coincide are
    /// joined, or if they are not the one shown in `frame`.
    pub fn start(mut file: FileBody, frame: usize) -> Result<(Self, Body)> {
        let weld = file.is_welded();
        let shown = if weld { 0 } else { file.frame_shown_in(frame) };
        let body = file.body(shown, None, weld)?;
        Ok((Self { file, shown }, body))
    }

    /// Goes on to a frame of the scene: `write` hands the memory of the body to the reader it is given, and takes in what
    /// was written. Returns how long taking it in took, without the reading.
    pub fn go_to(&mut self, frame: usize, write: impl FnOnce(Read<'_>) -> Result<()>) -> Result<Duration> {
        let next = self.file.frame_shown_in(frame);
        if next == self.shown {
            return Ok(Duration::ZERO);
        }
        let (mut outcome, mut was_read) = (Ok(()), Instant::now());
        let taken_in = write(&mut |room| {
            outcome = match room {
                Room::F32(positions) => self.file.frame(next, positions),
                Room::F64(positions) => self.file.frame_f64(next, positions),
            };
            was_read = Instant::now();
        });
        let took = was_read.elapsed();
        // What a failed reading left behind means nothing, accepted or not.
        outcome?;
        taken_in.map_err(|error| self.file.refused(next, error))?;
        self.shown = next;
        Ok(took)
    }

    /// As [`go_to`](Self::go_to), of a body in a scene.
    pub fn go_to_in(&mut self, frame: usize, scene: &mut Scene, id: BodyId) -> Result<Duration> {
        let precision = self.file.precision();
        self.go_to(frame, |read| match precision {
            Precision::F32 => Ok(scene.write_positions(id, |_, new| read(Room::F32(new)))?),
            Precision::F64 => Ok(scene.write_positions_f64(id, |_, new| read(Room::F64(new)))?),
        })
    }

    /// Whether it shows the first frame of its file.
    pub(crate) fn is_at_start(&self) -> bool {
        self.shown == 0
    }

    /// Where the body comes from.
    pub fn file(&self) -> &FileBody {
        &self.file
    }

    pub(crate) fn file_mut(&mut self) -> &mut FileBody {
        &mut self.file
    }

    /// The name of the body as it is shown in text.
    pub fn shown(&self) -> Cow<'_, str> {
        self.file.shown()
    }

    /// How many frames its file has.
    pub fn frame_count(&self) -> usize {
        self.file.frame_count()
    }

    /// The body in reports.
    pub fn record(&self, id: usize, mesh: &Mesh) -> BodyRecord {
        self.file.record(id, mesh)
    }
}

/// Bodies in a scene, and the files they come from.
#[derive(Debug)]
pub struct MovingBodies {
    /// The scene.
    pub scene: Scene,
    ids: Vec<BodyId>,
    motions: Vec<Motion>,
}

impl MovingBodies {
    /// The bodies at their start, see [`Motion::start`].
    ///
    /// # Errors
    /// If a frame cannot be read.
    pub fn start(files: Vec<FileBody>, frame: usize) -> Result<Self> {
        let (mut scene, mut ids, mut motions) = (Scene::new(), Vec::new(), Vec::new());
        for file in files {
            let (motion, body) = Motion::start(file, frame)?;
            ids.push(scene.add(body));
            motions.push(motion);
        }
        Ok(Self { scene, ids, motions })
    }

    /// Goes on to a frame; bodies that have no more keep their last one. Returns how long taking it in took, without the reading.
    ///
    /// # Errors
    /// If it cannot be read, or a body refuses it.
    pub fn go_to(&mut self, frame: usize) -> Result<Duration> {
        let Self { scene, ids, motions } = self;
        motions.iter_mut().zip(ids).map(|(motion, id)| motion.go_to_in(frame, scene, *id)).sum()
    }

    /// Their ids, in the order of the files.
    pub fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// A body as it is now, by its place.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(&self, number: usize) -> Result<&Body> {
        Ok(self.scene.body(self.ids[number])?)
    }

    /// All of them as they are now.
    pub fn all(&self) -> impl Iterator<Item = &Body> {
        self.scene.bodies().map(|(_, body)| body)
    }

    /// Where they come from.
    pub fn files(&self) -> impl Iterator<Item = &FileBody> + Clone {
        self.motions.iter().map(Motion::file)
    }

    /// The bodies in reports. Whether a body is closed is found out here, once per mesh.
    pub fn records(&self) -> Vec<BodyRecord> {
        let record = |(id, (motion, body)): (usize, (&Motion, &Body))| motion.record(id, body.mesh());
        self.motions.iter().zip(self.all()).enumerate().map(record).collect()
    }
}
