//! A page in a file, written frame by frame.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::Frame;
use crumple_io::report::{CheckSummary, FrameName};
use crumple_io::write::{PageError, PageFrame, PageWriter, WholeFile};

use crate::sink::Destination;

/// A page in a file, which takes its name when it is complete. Errors name the file.
#[derive(Debug)]
pub struct PageFile {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
}

impl PageFile {
    /// Starts the page that `start` makes.
    ///
    /// # Errors
    /// If it cannot be written, or made.
    pub fn create(
        file: &Path,
        start: impl FnOnce(WholeFile) -> Result<PageWriter<WholeFile>, PageError>,
    ) -> Result<Self> {
        let writer = start(Destination::create(file)?.into_file()).with_context(|| file.display().to_string())?;
        Ok(Self { file: file.into(), writer })
    }

    /// Adds a paragraph to the text of the page.
    pub fn note(&mut self, text: impl Into<String>) {
        self.writer.note(text);
    }

    /// What a frame is called.
    pub fn name_of(&self, frame: u64) -> FrameName<'_> {
        self.writer.name_of(frame)
    }

    /// Adds a frame: the bodies of a scene, and behind them one more if there is one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn frame(&mut self, now: Frame<'_>, more: Option<&[[f32; 3]]>, shown: PageFrame<'_>) -> Result<()> {
        let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).chain(more).collect();
        self.writer.frame(&positions, shown).with_context(|| self.file.display().to_string())
    }

    /// Completes the page; returns a line that names it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self, summary: CheckSummary) -> Result<String> {
        let Self { file, writer } = self;
        let out = writer.finish(summary).with_context(|| file.display().to_string())?;
        out.finish().with_context(|| format!("{}: cannot be written", file.display()))?;
        Ok(format!("{}: a page to open in a browser", file.display()))
    }
}
