//! What is built without the feature `gpu`: types without values, so that none of their methods can run.

use anyhow::Result;
use crumple::Body;
use crumple_ldi::{ImageOptions, OverlapOptions, OverlapSpan};

use super::{GpuFailure, GpuOverlap as Answer, GpuSelfOverlap as Itself, Path};
use crumple_io::Hinted;

fn none<T>() -> Result<T> {
    let hint = "build it with `cargo run --release --features gpu -- …` in the folder of the project";
    Err(Hinted::new("this command was built without the gpu", hint).into())
}

/// The adapters there are: name, kind, backend, driver, and what each lacks.
///
/// # Errors
/// If the feature `gpu` is off.
pub fn adapters() -> Result<Vec<[String; 5]>> {
    none()
}

/// An opened GPU.
#[derive(Clone, Debug)]
pub enum Device {}

impl Device {
    /// Opens the fastest GPU, or the one whose name contains `adapter`.
    ///
    /// # Errors
    /// If there is no such GPU, or the feature `gpu` is off.
    pub fn open(_: Option<&str>) -> Result<Self> {
        none()
    }

    /// Its name; says so if it is software.
    pub fn name(&self) -> String {
        match *self {}
    }

    /// Prepares overlaps of two bodies.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn overlaps(&self, _: Path, _: &OverlapOptions) -> Result<Overlaps> {
        match *self {}
    }

    /// Prepares images of a body.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn images(&self, _: Path, _: ImageOptions) -> Result<Images> {
        match *self {}
    }

    /// Prepares self-overlaps of a body.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn self_overlaps(&self, _: Path, _: ImageOptions) -> Result<SelfOverlaps> {
        match *self {}
    }
}

/// Overlaps of two bodies, frame after frame.
#[derive(Debug)]
pub enum Overlaps {}

impl Overlaps {
    /// The overlap of two bodies as they are now.
    ///
    /// # Errors
    /// If a body has no volume, or the GPU fails.
    pub fn compute(&mut self, _: &Body, _: &Body) -> Result<Answer, GpuFailure> {
        match *self {}
    }

    /// The spans of the overlap that was computed last, row by row.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn spans(&mut self) -> Result<Vec<OverlapSpan>, GpuFailure> {
        match *self {}
    }
}

/// Self-overlaps of a body, frame after frame.
#[derive(Debug)]
pub enum SelfOverlaps {}

impl SelfOverlaps {
    /// How much of a body overlaps itself now.
    ///
    /// # Errors
    /// If the body has no volume, or the GPU fails.
    pub fn find(&mut self, _: &Body) -> Result<Itself, GpuFailure> {
        match *self {}
    }

    /// The spans of the last frame that are inside the body more than once, row by row.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn spans(&mut self) -> Result<Vec<OverlapSpan>, GpuFailure> {
        match *self {}
    }
}

/// Images of a body, frame after frame.
#[derive(Debug)]
pub enum Images {}

impl Images {
    /// Renders an image of a body as it is now.
    ///
    /// # Errors
    /// If the body has no volume, or the GPU fails.
    pub fn render(&mut self, _: &Body) -> Result<(), GpuFailure> {
        match *self {}
    }

    /// Waits until the image is complete: a part of the work may still run after [`render`](Self::render).
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn finish(&self) -> Result<(), GpuFailure> {
        match *self {}
    }

    /// The layers of the image.
    pub fn depth_complexity(&self) -> u32 {
        match *self {}
    }

    /// Which points are inside the body.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn contains_points(&mut self, _: &[[f32; 3]], _: &mut Vec<bool>) -> Result<(), GpuFailure> {
        match *self {}
    }
}
