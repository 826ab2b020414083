//! `--html`: a page to look at.
//!
//! It takes in a frame after all other files, so that it never shows more frames than the summary it is completed with.

mod nearness;
mod shading;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple_io::words::counted;
use crumple_io::write::{PageFrame, PageWriter, WholeFile};

use super::json::without_times;
use super::{Destination, Sink, View};
use crate::meetings::title;
use crate::outcome::Outcome;
use crate::run::Check;
pub use nearness::Nearness;
use shading::Shading;

/// The page of a check.
#[derive(Debug)]
pub(super) struct Page {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
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
        let writer = PageWriter::new(Destination::create(file)?.into_file(), &name, header, &triangles);
        let fps = options.motion.reading.frames_per_second();
        let mut writer = writer.with_context(|| file.display().to_string())?.with_fps(fps);
        let (clearance, depth) = (options.clearance, options.needs_depth());
        if let Some(clearance) = clearance {
            writer = writer.with_clearance(clearance);
        }
        if depth {
            writer = writer.with_depths();
        }
        // It has to say what it leaves out, or it would be taken for complete.
        if options.first {
            writer.note("At most one pair per two bodies was searched for.");
        } else if let Some(most) = options.max_pairs {
            writer.note(format!("At most {} per two bodies are listed and drawn.", counted(most as u64, "pair")));
        }
        let (nearness, shading) = (clearance.map(Nearness::new), depth.then(Shading::default));
        Ok(Self { file: file.into(), writer, nearness, shading, times })
    }
}

impl Sink for Page {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        let Some(now) = view.now else { return Ok(()) };
        let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
        let bodies = view.found.near.iter().flatten().map(|near| (near.a, near.b));
        let near = self.nearness.as_mut().map(|nearness| nearness.of(now, bodies)).transpose()?;
        let depths = self.shading.as_mut().map_or(Ok(&[][..]), |shading| shading.of(now, view.found))?;
        let plain = (!self.times).then(|| without_times(view.listed));
        let shown = plain.as_ref().unwrap_or(view.listed);
        let shown = PageFrame { near: near.map(|near| &*near), depths, ..PageFrame::from(shown) };
        self.writer.frame(&positions, shown).with_context(|| self.file.display().to_string())
    }

    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        if let Some(clearance) = outcome.asked.clearance {
            self.writer.note(outcome.too_close.note(&outcome.shown, clearance, outcome.summary.frames));
        }
        let Self { file, writer, .. } = *self;
        let out = writer.finish(outcome.summary.clone()).with_context(|| file.display().to_string())?;
        out.finish().with_context(|| format!("{}: cannot be written", file.display()))?;
        Ok(Some(format!("{}: a page to open in a browser", file.display())))
    }

    fn needs_positions(&self) -> bool {
        true
    }
}
