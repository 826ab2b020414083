//! How the experiments are to be run, as the user chose.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use crumple_io::report::micros;
use crumple_io::{FrameRange, Hinted};
use crumple_scenes::Shape;
use indicatif::ProgressBar;

use crate::gpu::{Device, Path};

/// How the experiments are to be run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The methods to measure, by label; all if empty.
    pub methods: Vec<String>,
    /// The frames to measure, in every experiment that has frames; all if `None`.
    pub frames: Option<FrameRange>,
    /// How often everything is measured; the best time counts.
    pub repeat: u32,
    /// The number of threads: that of the rayon pool the experiments are called in.
    pub threads: NonZeroUsize,
    /// The folder of real meshes, if there is one.
    pub data: Option<PathBuf>,
    /// The file to draw a picture to, for experiments that can.
    pub picture: Option<PathBuf>,
    /// The GPU and the paths to measure on it, if that is wanted.
    pub gpu: Option<(Device, Vec<Path>)>,
    /// Makes a progress bar of so many steps.
    pub progress: fn(usize) -> ProgressBar,
}

impl Settings {
    /// Whether a method was asked for.
    pub(crate) fn wants(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|wanted| wanted == method)
    }

    /// The frames asked for, of `count`.
    pub(crate) fn frames_of(&self, count: usize) -> Result<Range<usize>> {
        Ok(FrameRange::chosen(self.frames, count)?)
    }

    /// A progress bar.
    pub(crate) fn bar(&self, steps: usize) -> ProgressBar {
        (self.progress)(steps)
    }

    /// The best time of a piece of work in microseconds.
    pub(crate) fn best_us<T>(&self, mut work: impl FnMut() -> T) -> f64 {
        (0..self.repeat).map(|_| self.once_us(&mut work)).fold(f64::INFINITY, f64::min)
    }

    /// The time of a piece of work in microseconds. What it returns is dropped after the clock stops.
    pub(crate) fn once_us<T>(&self, work: impl FnOnce() -> T) -> f64 {
        let start = Instant::now();
        let done = black_box(work());
        let taken = start.elapsed();
        drop(done);
        micros(taken)
    }

    /// The mesh in a file of the data folder.
    pub(crate) fn shape(&self, file: &str) -> Result<Shape> {
        let Some(folder) = &self.data else {
            return Err(
                Hinted::new(format!("the mesh {file} is needed"), "--data names the folder that holds it").into()
            );
        };
        let path = folder.join(file);
        if !path.is_file() {
            let what = format!("{}: there is no such file", path.display());
            return Err(Hinted::new(what, format!("--data names the folder that holds {file}")).into());
        }
        let read = crumple_io::read_mesh(&path)?;
        Ok(Shape { triangles: read.triangles, positions: read.positions })
    }
}
