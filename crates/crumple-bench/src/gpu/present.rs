//! Depth images by `crumple-gpu`: bodies are uploaded once, their vertices in every frame.

use anyhow::{Result, anyhow};
use crumple::Body;
use crumple_ldi::gpu::{
    AdapterChoice, Gpu, GpuBody, GpuError, GpuImage, GpuOverlap, GpuOverlapOptions, GpuSelfOverlap,
};
use crumple_ldi::{ImageOptions, OverlapOptions, OverlapSpan};

use super::{GpuFailure, GpuOverlap as Answer, GpuSelfOverlap as Itself, Path};
use crumple_io::Hinted;

impl From<Path> for crumple_ldi::gpu::Path {
    fn from(path: Path) -> Self {
        match path {
            Path::Stencil => Self::Stencil,
            Path::Compute => Self::Compute,
        }
    }
}

impl From<GpuError> for GpuFailure {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Volume(error) => Self::Volume(error),
            GpuError::TooManyLayers { .. } => Self::Other(Hinted::new(error.to_string(), "--gpu compute").into()),
            error => Self::Other(anyhow!("{error}")),
        }
    }
}

/// The adapters there are: name, kind, backend, driver, and what each lacks.
///
/// # Errors
/// If the feature `gpu` is off.
pub fn adapters() -> Result<Vec<[String; 5]>> {
    let row = |adapter: crumple_ldi::gpu::AdapterSummary| {
        let lacks = adapter.lacks.unwrap_or_else(|| "nothing".to_owned());
        [adapter.name, adapter.kind.to_owned(), adapter.backend, adapter.driver, lacks]
    };
    Ok(Gpu::adapters().into_iter().map(row).collect())
}

/// An opened GPU.
#[derive(Clone, Debug)]
pub struct Device {
    gpu: Gpu,
}

impl Device {
    /// Opens the fastest GPU, or the one whose name contains `adapter`.
    ///
    /// # Errors
    /// If there is no such GPU, or the feature `gpu` is off.
    pub fn open(adapter: Option<&str>) -> Result<Self> {
        let choice = adapter.map_or(AdapterChoice::Fastest, |name| AdapterChoice::Named(name.to_owned()));
        Ok(Self { gpu: Gpu::open(&choice).map_err(|error| anyhow!("{error}"))? })
    }

    /// Its name; says so if it is software.
    pub fn name(&self) -> String {
        let adapter = self.gpu.adapter();
        let note = if adapter.is_software() { ", which is software and no GPU" } else { "" };
        format!("{} ({}){note}", adapter.name, adapter.backend)
    }

    /// Prepares overlaps of two bodies.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn overlaps(&self, path: Path, options: &OverlapOptions) -> Result<Overlaps> {
        let mut chosen = GpuOverlapOptions::default()
            .with_resolution(options.resolution)
            .with_inside(options.inside)
            .with_path(path.into());
        chosen.assume_closed = options.assume_closed;
        let overlap = GpuOverlap::new(&self.gpu, chosen).map_err(|error| anyhow!("{error}"))?;
        Ok(Overlaps { gpu: self.gpu.clone(), overlap, bodies: [None, None] })
    }

    /// Prepares images of a body.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn images(&self, path: Path, options: ImageOptions) -> Result<Images> {
        let image = GpuImage::new(&self.gpu, options, path.into()).map_err(|error| anyhow!("{error}"))?;
        Ok(Images { gpu: self.gpu.clone(), image, body: None })
    }

    /// Prepares self-overlaps of a body.
    ///
    /// # Errors
    /// If the GPU refuses.
    pub fn self_overlaps(&self, path: Path, options: ImageOptions) -> Result<SelfOverlaps> {
        let finder = GpuSelfOverlap::new(&self.gpu, options, path.into()).map_err(|error| anyhow!("{error}"))?;
        Ok(SelfOverlaps { gpu: self.gpu.clone(), finder, body: None })
    }
}

/// Brings a body on the GPU up to date, or uploads it the first time.
fn current<'a>(gpu: &Gpu, uploaded: &'a mut Option<GpuBody>, body: &Body) -> Result<&'a GpuBody, GpuError> {
    match uploaded {
        Some(uploaded) => uploaded.update(body)?,
        None => *uploaded = Some(GpuBody::new(gpu, body)?),
    }
    uploaded.as_ref().ok_or(GpuError::Empty)
}

/// Overlaps of two bodies, frame after frame.
#[derive(Debug)]
pub struct Overlaps {
    gpu: Gpu,
    overlap: GpuOverlap,
    bodies: [Option<GpuBody>; 2],
}

impl Overlaps {
    /// The overlap of two bodies as they are now.
    ///
    /// # Errors
    /// If a body has no volume, or the GPU fails.
    pub fn compute(&mut self, a: &Body, b: &Body) -> Result<Answer, GpuFailure> {
        let [on_a, on_b] = &mut self.bodies;
        let (on_a, on_b) = (current(&self.gpu, on_a, a)?, current(&self.gpu, on_b, b)?);
        let answer = self.overlap.compute(on_a, on_b)?;
        Ok(Answer {
            volume: answer.volume,
            depth_complexity: answer.depth_complexity,
            unordered_columns: answer.unordered_columns.map(u64::from),
            volume_of_interest: answer.volume_of_interest,
        })
    }

    /// The spans of the overlap that was computed last, row by row.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn spans(&mut self) -> Result<Vec<OverlapSpan>, GpuFailure> {
        Ok(self.overlap.read_spans()?)
    }
}

/// Self-overlaps of a body, frame after frame.
#[derive(Debug)]
pub struct SelfOverlaps {
    gpu: Gpu,
    finder: GpuSelfOverlap,
    body: Option<GpuBody>,
}

impl SelfOverlaps {
    /// How much of a body overlaps itself now.
    ///
    /// # Errors
    /// If the body has no volume, or the GPU fails.
    pub fn find(&mut self, body: &Body) -> Result<Itself, GpuFailure> {
        let found = self.finder.find(current(&self.gpu, &mut self.body, body)?)?;
        Ok(Itself {
            volume: found.volume,
            inverted_volume: found.inverted_volume,
            samples: found.samples,
            depth_complexity: found.depth_complexity,
        })
    }

    /// The spans of the last frame that are inside the body more than once, row by row.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn spans(&mut self) -> Result<Vec<OverlapSpan>, GpuFailure> {
        Ok(self.finder.read_spans()?)
    }
}

/// Images of a body, frame after frame.
#[derive(Debug)]
pub struct Images {
    gpu: Gpu,
    image: GpuImage,
    body: Option<GpuBody>,
}

impl Images {
    /// Renders an image of a body as it is now.
    ///
    /// # Errors
    /// If the body has no volume, or the GPU fails.
    pub fn render(&mut self, body: &Body) -> Result<(), GpuFailure> {
        Ok(self.image.render(current(&self.gpu, &mut self.body, body)?)?)
    }

    /// Waits until the image is complete: a part of the work may still run after [`render`](Self::render).
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn finish(&self) -> Result<(), GpuFailure> {
        Ok(self.gpu.wait()?)
    }

    /// The layers of the image.
    pub fn depth_complexity(&self) -> u32 {
        self.image.depth_complexity()
    }

    /// Which points are inside the body.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn contains_points(&mut self, points: &[[f32; 3]], inside: &mut Vec<bool>) -> Result<(), GpuFailure> {
        Ok(self.image.contains_points(points, inside)?)
    }
}
