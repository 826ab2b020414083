//! Depth images on the GPU, for the commands that can have them there (`--gpu`).
//!
//! The graphics stack is large: the feature `gpu` brings it in. Without it the options are there all the same and say how
//! to build the command with it; `absent` has the names of `present` and no values.

#[cfg(not(feature = "gpu"))]
mod absent;
#[cfg(feature = "gpu")]
mod present;

use anyhow::Error;
use clap::{Args, ValueEnum};
use crumple::Aabb;
use crumple::volume::{Direction, VolumeError};

#[cfg(not(feature = "gpu"))]
pub(crate) use absent::{Device, Images, Overlaps, adapters};
#[cfg(feature = "gpu")]
pub(crate) use present::{Device, Images, Overlaps, adapters};

use crate::refusal;

/// How depth images are made on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Path {
    /// The body is drawn once for every layer, as in the paper.
    Stencil,
    /// Every triangle is looked at once.
    Compute,
}

impl Path {
    pub(crate) const ALL: [Self; 2] = [Self::Stencil, Self::Compute];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stencil => "stencil",
            Self::Compute => "compute",
        }
    }
}

/// Whether the GPU is wanted, and which.
#[derive(Debug, Args)]
pub(crate) struct GpuArgs {
    /// Take the depth images on the GPU: every triangle once (compute), or a pass for every layer (stencil).
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "compute")]
    pub(crate) gpu: Option<Path>,
    /// The GPU to use, by a part of its name; `crumple info --gpu` lists them.
    #[arg(long, value_name = "NAME", requires = "gpu")]
    pub(crate) adapter: Option<String>,
}

/// What the GPU found out about an overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) volume: f64,
    pub(crate) depth_complexity: [u32; 2],
    pub(crate) unordered_columns: [u64; 2],
    pub(crate) volume_of_interest: Option<(Aabb, Direction)>,
}

/// Why there is no answer: the bodies are to blame, or something else is.
#[derive(Debug)]
pub(crate) enum Trouble {
    Volume(VolumeError),
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only a GPU has other trouble"))]
    Other(Error),
}

impl From<VolumeError> for Trouble {
    fn from(error: VolumeError) -> Self {
        Self::Volume(error)
    }
}

impl Trouble {
    /// The error to show, for bodies of these names.
    pub(crate) fn told(self, names: &[&str], frame: Option<usize>) -> Error {
        match self {
            Self::Volume(error) => refusal::told(&error, names, frame),
            Self::Other(error) => error,
        }
    }
}
