//! `--gpu`: whether depth images are made on the GPU, and how.

use anyhow::Result;
use clap::{Args, ValueEnum};
use crumple_bench::gpu::{self, Device};

/// Whether this build cannot use a GPU: its help then does not offer one.
pub(crate) const IS_MISSING: bool = cfg!(not(feature = "gpu"));

/// How depth images are made on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Path {
    /// The body is drawn once per layer, as in the paper.
    Stencil,
    /// Every triangle is processed once.
    Compute,
}

impl From<Path> for gpu::Path {
    fn from(path: Path) -> Self {
        match path {
            Path::Stencil => Self::Stencil,
            Path::Compute => Self::Compute,
        }
    }
}

/// Whether the GPU is wanted, and which.
#[derive(Debug, Args)]
pub(crate) struct GpuArgs {
    /// Make the depth images on the GPU: every triangle once (compute), or one pass per layer (stencil).
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "compute", hide = IS_MISSING)]
    pub(crate) gpu: Option<Path>,
    /// The GPU to use, by a part of its name; `crumple info --gpu` lists them.
    #[arg(long, value_name = "NAME", requires = "gpu", hide = IS_MISSING)]
    pub(crate) adapter: Option<String>,
}

impl GpuArgs {
    /// The GPU, if it is wanted.
    pub(crate) fn device(&self) -> Result<Option<(Device, gpu::Path)>> {
        let Some(path) = self.gpu else { return Ok(None) };
        Ok(Some((Device::open(self.adapter.as_deref())?, path.into())))
    }
}
