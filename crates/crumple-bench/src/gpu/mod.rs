//! Depth images on the GPU, if the feature `gpu` is on.
//!
//! The graphics stack is large. Without the feature the same names exist, and opening a [`Device`] fails with an error that
//! says how to build it in; `absent` has the types of `present` without values.

#[cfg(not(feature = "gpu"))]
mod absent;
#[cfg(feature = "gpu")]
mod present;

use anyhow::Error;
use crumple::Aabb;
use crumple_ldi::{Direction, VolumeError};

#[cfg(not(feature = "gpu"))]
pub use absent::{Device, Images, Overlaps, SelfOverlaps, adapters};
#[cfg(feature = "gpu")]
pub use present::{Device, Images, Overlaps, SelfOverlaps, adapters};

/// How depth images are made on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// The body is drawn once per layer, as in the paper.
    Stencil,
    /// Every triangle is processed once.
    Compute,
}

impl Path {
    /// Both paths.
    pub const ALL: [Self; 2] = [Self::Stencil, Self::Compute];

    /// Its name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stencil => "stencil",
            Self::Compute => "compute",
        }
    }
}

/// The overlap of two bodies as the GPU computed it.
#[derive(Clone, Copy, Debug)]
pub struct GpuOverlap {
    /// The volume of the overlap.
    pub volume: f64,
    /// The layers of each image.
    pub depth_complexity: [u32; 2],
    /// Columns of each image in which entries and exits do not alternate.
    pub unordered_columns: [u64; 2],
    /// The box that was rendered, and from which side; `None` if the boxes of the bodies do not overlap.
    pub volume_of_interest: Option<(Aabb, Direction)>,
}

/// How much of a body overlaps itself, as the GPU computed it.
#[derive(Clone, Copy, Debug)]
pub struct GpuSelfOverlap {
    /// The volume that is inside the body more than once.
    pub volume: f64,
    /// The volume that is turned inside out.
    pub inverted_volume: f64,
    /// How many columns show either.
    pub samples: u32,
    /// The layers of the image.
    pub depth_complexity: u32,
}

/// Why the GPU has no answer.
#[derive(Debug)]
pub enum GpuFailure {
    /// A body cannot be rendered.
    Volume(VolumeError),
    /// Anything else.
    Other(Error),
}

impl From<VolumeError> for GpuFailure {
    fn from(error: VolumeError) -> Self {
        Self::Volume(error)
    }
}

impl From<GpuFailure> for Error {
    fn from(failure: GpuFailure) -> Self {
        match failure {
            GpuFailure::Volume(error) => error.into(),
            GpuFailure::Other(error) => error,
        }
    }
}
