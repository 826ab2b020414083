//! `--html`: a page to look at.
//!
//! It takes in a frame after all other files, so that it never shows more frames than the summary it is completed with.

mod file;
mod nearness;
mod shading;

use std::path::Path;

use anyhow::Result;
use crumple_io::words::counted;
use crumple_io::write::{PageFrame, PageWriter};

use super::json::without_times;
use super::{Sink, View};
use crate::meetings::title;
use crate::outcome::Outcome;
use crate::run::Check;
pub use file::PageFile;
pub use nearness::Nearness;
use shading::Shading;

/// The page of a check.
#[derive(Debug)]
pub(super) struct Page {
    file: PageFile,
    /// Where there is a clearance.
    nearness: Option<Nearness>,
    /// Where depths are asked for.
    shading: Option<Shading>,
    times: bool,
}

impl Page {
    /// Starts the page.
    pub(super) fn new(file: &Path, check: &Check, name: Option<&str>, times: bool) -> Result<Self> {
        let (options, header) = (check.options(), check.header());
        let triangles: Vec<_> = check.meshes().iter().map(|mesh| mesh.indices()).collect();
        let names: Vec<String> = header.bodies.iter().map(|body| body.name.clone()).collect();
        let name = name.or(options.title.as_deref()).map_or_else(|| title(&names), str::to_owned);
        let fps = options.motion.reading.frames_per_second();
        let (clearance, depth) = (options.clearance, options.needs_depth());
        let mut file = PageFile::create(file, |out| {
            let mut writer = PageWriter::new(out, &name, header, &triangles)?.with_fps(fps);
            if let Some(clearance) = clearance {
                writer = writer.with_clearance(clearance);
            }
            Ok(if depth { writer.with_depths() } else { writer })
        })?;
        // It has to say what it leaves out, or it would be taken for complete.
        if options.first {
            file.note("At most one pair per two bodies was searched for.");
        } else if let Some(most) = options.max_pairs {
            file.note(format!("At most {} per two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
        let (nearness, shading) = (clearance.map(Nearness::new), depth.then(Shading::default));
        Ok(Self { file, nearness, shading, times })
    }
}

impl Sink for Page {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        let Some(now) = view.now else { return Ok(()) };
        let bodies = view.found.near.iter().flatten().map(|near| (near.a, near.b));
        let near = self.nearness.as_mut().map(|nearness| nearness.of(now, bodies)).transpose()?;
        let depths = self.shading.as_mut().map_or(Ok(&[][..]), |shading| shading.of(now, view.found))?;
        let plain = (!self.times).then(|| without_times(view.listed));
        let shown = plain.as_ref().unwrap_or(view.listed);
        self.file.frame(now, None, PageFrame { near: near.map(|near| &*near), depths, ..PageFrame::from(shown) })
    }

    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        if let Some(clearance) = outcome.asked.clearance {
            self.file.note(outcome.too_close.note(&outcome.shown, clearance, outcome.summary.frames));
        }
        self.file.finish(outcome.summary.clone()).map(Some)
    }

    fn needs_positions(&self) -> bool {
        true
    }
}
