//! Depth images by `crumple-gpu`: bodies are uploaded once, their vertices in every frame.

use anyhow::{Result, anyhow};
use crumple::Body;
use crumple::volume::{ImageOptions, OverlapOptions};
use crumple_gpu::{AdapterChoice, Gpu, GpuBody, GpuError, GpuImage, GpuOverlap, GpuOverlapOptions};

use super::{Found, Path, Trouble};
use crate::out::hinted;

impl From<Path> for crumple_gpu::Path {
    fn from(path: Path) -> Self {
        match path {
            Path::Stencil => Self::Stencil,
            Path::Compute => Self::Compute,
        }
    }
}

impl From<GpuError> for Trouble {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Volume(error) => Self::Volume(error),
            GpuError::TooManyLayers { .. } => Self::Other(hinted(error.to_string(), "--gpu compute")),
            error => Self::Other(anyhow!("{error}")),
        }
    }
}

/// The adapters there are: name, kind, backend, driver, and what each lacks.
pub(crate) fn adapters() -> Result<Vec<[String; 5]>> {
    let row = |adapter: crumple_gpu::AdapterSummary| {
        let lacks = adapter.lacks.unwrap_or_else(|| "nothing".to_owned());
        [adapter.name, adapter.kind.to_owned(), adapter.backend, adapter.driver, lacks]
    };
    Ok(Gpu::adapters().into_iter().map(row).collect())
}

/// An opened GPU.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    gpu: Gpu,
}

impl Device {
    /// The fastest, or the one of a name.
    pub(crate) fn open(adapter: Option<&str>) -> Result<Self> {
        let choice = adapter.map_or(AdapterChoice::Fastest, |name| AdapterChoice::Named(name.to_owned()));
        Ok(Self { gpu: Gpu::open(&choice).map_err(|error| anyhow!("{error}"))? })
    }

    /// Its name; software is called that, since it is no GPU.
    pub(crate) fn name(&self) -> String {
        let adapter = self.gpu.adapter();
        let note = if adapter.is_software() { ", which is software and no GPU" } else { "" };
        format!("{} ({}){note}", adapter.name, adapter.backend)
    }

    pub(crate) fn overlaps(&self, path: Path, options: &OverlapOptions) -> Result<Overlaps> {
        let mut chosen = GpuOverlapOptions::default()
            .with_resolution(options.resolution)
            .with_inside(options.inside)
            .with_path(path.into());
        chosen.assume_closed = options.assume_closed;
        let overlap = GpuOverlap::new(&self.gpu, chosen).map_err(|error| anyhow!("{error}"))?;
        Ok(Overlaps { gpu: self.gpu.clone(), overlap, bodies: [None, None] })
    }

    pub(crate) fn images(&self, path: Path, options: ImageOptions) -> Result<Images> {
        let image = GpuImage::new(&self.gpu, options, path.into()).map_err(|error| anyhow!("{error}"))?;
        Ok(Images { gpu: self.gpu.clone(), image, body: None })
    }
}

/// Brings a body on the GPU up to date, uploading it first if it is not there.
fn current<'a>(gpu: &Gpu, place: &'a mut Option<GpuBody>, body: &Body) -> Result<&'a GpuBody, GpuError> {
    match place {
        Some(there) => there.update(body)?,
        None => *place = Some(GpuBody::new(gpu, body)?),
    }
    place.as_ref().ok_or(GpuError::Empty)
}

/// Overlaps of two bodies, frame after frame.
#[derive(Debug)]
pub(crate) struct Overlaps {
    gpu: Gpu,
    overlap: GpuOverlap,
    bodies: [Option<GpuBody>; 2],
}

impl Overlaps {
    pub(crate) fn compute(&mut self, a: &Body, b: &Body) -> Result<Found, Trouble> {
        let [on_a, on_b] = &mut self.bodies;
        let (on_a, on_b) = (current(&self.gpu, on_a, a)?, current(&self.gpu, on_b, b)?);
        let answer = self.overlap.compute(on_a, on_b)?;
        Ok(Found {
            volume: answer.volume,
            depth_complexity: answer.depth_complexity,
            unordered_columns: answer.unordered_columns.map(u64::from),
            volume_of_interest: answer.volume_of_interest,
        })
    }
}

/// Images of a body, frame after frame.
#[derive(Debug)]
pub(crate) struct Images {
    gpu: Gpu,
    image: GpuImage,
    body: Option<GpuBody>,
}

impl Images {
    pub(crate) fn render(&mut self, body: &Body) -> Result<(), Trouble> {
        Ok(self.image.render(current(&self.gpu, &mut self.body, body)?)?)
    }

    /// Waits until the image is there: a part of the work may go on after it was asked for.
    pub(crate) fn finish(&self) -> Result<(), Trouble> {
        Ok(self.gpu.wait()?)
    }

    pub(crate) fn depth_complexity(&self) -> u32 {
        self.image.depth_complexity()
    }

    pub(crate) fn contains_points(&mut self, points: &[[f32; 3]], inside: &mut Vec<bool>) -> Result<(), Trouble> {
        Ok(self.image.contains_points(points, inside)?)
    }
}
