//! Depth images of deforming bodies on the GPU: overlap volumes and their spans, collision yes or no, points inside,
//! self-overlaps.
//!
//! Questions and answers are those of [`crate`]; only results are read back from the device. Vertices are
//! uploaded every frame or are already in a buffer of the caller, as f32 numbers: of a body with f64 positions the rounded
//! copy ([`crumple::Body::positions`]) is uploaded, and answers are about that.
//!
//! ```no_run
//! use crumple_ldi::gpu::{AdapterChoice, Gpu, GpuBody, GpuOverlap, GpuOverlapOptions};
//! # use crumple::{Body, Mesh};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mesh = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
//! # let mut cloth = Body::new(mesh.clone(), &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
//! # let figure = cloth.clone();
//! let gpu = Gpu::open(&AdapterChoice::default())?;
//! let mut on_gpu = [GpuBody::new(&gpu, &cloth)?, GpuBody::new(&gpu, &figure)?];
//! let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default())?;
//! for frame in 0..100 {
//! #   let positions = cloth.positions().to_vec();
//!     cloth.set_positions(&positions)?;
//!     on_gpu[0].update(&cloth)?;
//!     let answer = overlap.compute(&on_gpu[0], &on_gpu[1])?;
//!     println!("frame {frame}: {} in common", answer.volume);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Two paths lead to the same columns. `compute` ([`Path::Compute`], the default) processes every triangle once, in
//! whole numbers; `stencil` ([`Path::Stencil`]) is that of the paper (Heidelberger, Teschner & Gross 2003) and draws
//! the body once per layer. [`Counters`] report what a frame cost: read-backs, passes, objects created.
//!
//! Mesa's software Vulkan (`mesa-vulkan-drivers`) runs all of it and is what the tests use. It is not a GPU: the
//! processor does the work, and the CPU path of `crumple` is many times faster.

mod body_buffers;
mod columns;
mod columns_read;
mod compute;
mod context;
mod counters;
mod error;
mod image;
mod kernels;
mod make;
mod overlap;
mod read_back;
mod self_overlap;
mod span_list;
mod stencil;
mod upload;
mod window;

pub use body_buffers::{GpuBody, Layout};
pub use columns_read::DepthColumns;
pub use context::{AdapterChoice, AdapterSummary, Gpu};
pub use counters::Counters;
pub use error::GpuError;
pub use image::GpuImage;
pub use overlap::{GpuOverlap, GpuOverlapAnswer, GpuOverlapOptions};
pub use self_overlap::{GpuSelfOverlap, GpuSelfOverlapAnswer};

/// How columns are made on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// As in the paper: the body is drawn once per layer, and the stencil selects the layer.
    Stencil,
    /// Every triangle is processed once; columns of closed bodies are even by construction.
    #[default]
    Compute,
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stencil => "stencil",
            Self::Compute => "compute",
        })
    }
}
