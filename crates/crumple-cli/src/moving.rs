//! A body of a file, taken from frame to frame.

use anyhow::{Context, Result};
use crumple::Body;
use crumple_io::report::BodyRecord;

use crate::sources::FileBody;

/// A body that shows one frame of its file.
#[derive(Debug)]
pub(crate) struct MovingBody {
    file: FileBody,
    body: Body,
    positions: Vec<[f32; 3]>,
}

impl MovingBody {
    /// The body in frame `frame`; vertices that lie in one place in frame 0 are joined unless `weld` is off.
    pub(crate) fn new(mut file: FileBody, weld: bool, frame: usize) -> Result<Self> {
        let mesh = file.mesh(weld)?;
        // Whether it is closed is known once a mesh: not in the time of a frame.
        mesh.topology();
        let mut positions = Vec::new();
        file.frame_or_last(frame, &mut positions)?;
        let body = Body::new(mesh, &positions).with_context(|| file.file().display().to_string())?;
        Ok(Self { file, body, positions })
    }

    /// Goes on to a frame; a body that has no more keeps its last one.
    pub(crate) fn go_to(&mut self, frame: usize) -> Result<()> {
        if self.file.frame_count() > 1 {
            self.file.frame_or_last(frame, &mut self.positions)?;
            let moved = self.body.set_positions(&self.positions);
            moved.with_context(|| self.file.file().display().to_string())?;
        }
        Ok(())
    }

    /// The body as it is now.
    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.file.name()
    }

    /// What reports tell of it.
    pub(crate) fn record(&self, id: usize) -> BodyRecord {
        self.file.record(id, self.body.mesh())
    }
}
