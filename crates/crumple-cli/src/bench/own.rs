//! Experiments that do not run methods over the frames of a scene, but in a way of their own.
//!
//! Such an experiment is a function of [`Settings`] that returns [`Findings`]: tables, lines to draw and remarks. The
//! rest — the list, files, records, threads — is as for every other experiment.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use crumple_io::report::micros;
use crumple_scenes::Shape;
use indicatif::ProgressBar;

use super::figures::Figures;
use super::plot::Panel;
use crate::frames::{self, FrameRange};
use crate::gpu::{Device, Path};
use crate::out::hinted;
use crate::progress;

/// How an experiment runs in its own way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    /// The names `--method` may have here; none where the experiment is not about methods.
    pub(crate) methods: fn() -> Vec<String>,
    pub(crate) run: fn(&Settings) -> Result<Findings>,
}

/// What the user said about how to measure.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The methods to measure; all of them if there are none. Asked by [`Settings::wants`].
    pub(crate) methods: Vec<String>,
    /// Asked by [`Settings::frames_of`].
    pub(crate) frames: Option<FrameRange>,
    /// How often everything is measured; the best time counts.
    pub(crate) repeat: u32,
    /// How many threads there are; the experiment runs within a pool of that size.
    pub(crate) threads: NonZeroUsize,
    /// Where real meshes lie. Asked by [`Settings::shape`].
    pub(crate) data: Option<PathBuf>,
    /// Where a picture goes, for experiments that have something to show.
    pub(crate) picture: Option<PathBuf>,
    /// The GPU, and the paths to measure there, where that is wanted.
    pub(crate) gpu: Option<(Device, Vec<Path>)>,
    pub(crate) quiet: bool,
}

impl Settings {
    /// Whether a method was asked for.
    pub(crate) fn wants(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|wanted| wanted == method)
    }

    /// The frames asked for, of `count`.
    pub(crate) fn frames_of(&self, count: usize) -> Result<Range<usize>> {
        frames::chosen(self.frames, count)
    }

    /// A progress bar.
    pub(crate) fn bar(&self, steps: usize) -> ProgressBar {
        progress::bar(steps, self.quiet)
    }

    /// The best time of a piece of work in microseconds.
    pub(crate) fn best_us<T>(&self, mut work: impl FnMut() -> T) -> f64 {
        (0..self.repeat).map(|_| self.once_us(&mut work)).fold(f64::INFINITY, f64::min)
    }

    /// The time of a piece of work in microseconds. What it returns is thrown away only after the clock stops.
    pub(crate) fn once_us<T>(&self, work: impl FnOnce() -> T) -> f64 {
        let start = Instant::now();
        let done = black_box(work());
        let taken = start.elapsed();
        drop(done);
        micros(taken)
    }

    /// The mesh in a file of `--data`.
    pub(crate) fn shape(&self, file: &str) -> Result<Shape> {
        let Some(folder) = &self.data else {
            return Err(hinted(format!("the mesh {file} is needed"), "--data names the folder that holds it"));
        };
        let path = folder.join(file);
        if !path.is_file() {
            let what = format!("{}: there is no such file", path.display());
            return Err(hinted(what, format!("--data names the folder that holds {file}")));
        }
        let read = crumple_io::read_mesh(&path)?;
        Ok(Shape { triangles: read.triangles, positions: read.positions })
    }
}

/// What an experiment found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) tables: Vec<Figures>,
    /// Tables too long for people: only files and records have them.
    pub(crate) details: Vec<Figures>,
    pub(crate) panels: Vec<Panel>,
    /// What the tables mean, a line each; beside the paper's figures where there are some.
    pub(crate) remarks: Vec<String>,
}
