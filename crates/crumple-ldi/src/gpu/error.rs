//! What keeps a question from being answered on the GPU.

use crate::{Resolution, VolumeError, WhichBody};

/// Why the GPU did not answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter, or none of the wanted name.
    #[error(
        "there is no graphics adapter{wanted}; {found}; install a Vulkan driver for the card, or Mesa's software one \
         (on Debian: apt-get install mesa-vulkan-drivers)"
    )]
    NoAdapter {
        /// What was asked for, as part of the sentence.
        wanted: String,
        /// What there is, as part of the sentence.
        found: String,
    },
    /// The adapter cannot do what is needed.
    #[error("{adapter} lacks {what}; choose another adapter (`crumple info --gpu` lists them) or update its driver")]
    Lacking {
        /// The adapter.
        adapter: String,
        /// What it lacks.
        what: String,
    },
    /// The driver refused to open the device.
    #[error("{adapter} could not be opened: {message}")]
    Refused {
        /// The adapter.
        adapter: String,
        /// The message of the driver.
        message: String,
    },
    /// The device is gone: unplugged, reset, or destroyed by its owner.
    #[error("the graphics device was lost ({message}); open a new context and upload the bodies again")]
    Lost {
        /// The message of the driver.
        message: String,
    },
    /// The graphics stack refused a command.
    #[error("the graphics stack refused a command: {message}")]
    Validation {
        /// Its message.
        message: String,
    },
    /// The question itself is wrong, as it would be on the CPU.
    #[error(transparent)]
    Volume(#[from] VolumeError),
    /// The image does not fit the device.
    #[error("a resolution of {resolution} is beyond the device: its targets have at most {most} pixels a side")]
    ResolutionBeyondDevice {
        /// What was asked for.
        resolution: Resolution,
        /// The device's limit.
        most: u32,
    },
    /// A buffer of this size cannot be had.
    #[error("{what} would take {bytes} bytes, but the device binds at most {most}; lower the resolution")]
    TooLarge {
        /// What the buffer is for.
        what: &'static str,
        /// How large it would be.
        bytes: u64,
        /// The device's limit.
        most: u64,
    },
    /// The caller's buffer is too small.
    #[error("a buffer of {bytes} bytes was given for {count} {what} of {stride} bytes, which need {needed}")]
    BufferSize {
        /// What it should hold.
        what: &'static str,
        /// How many of them.
        count: usize,
        /// Bytes from one to the next.
        stride: u64,
        /// How large it must be.
        needed: u64,
        /// How large it is.
        bytes: u64,
    },
    /// The caller's buffer may not be used as it must be.
    #[error("a buffer for {what} must have the usage STORAGE, but has {usage}; create it with BufferUsages::STORAGE")]
    BufferUsage {
        /// What it should hold.
        what: &'static str,
        /// The usages it has.
        usage: String,
    },
    /// As many positions as the mesh has vertices are needed.
    #[error("{given} positions were given for {vertices} vertices")]
    PositionCount {
        /// How many came.
        given: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// The vertices are the caller's, who writes them.
    #[error("the positions of this body lie in the caller's own buffer; write them there")]
    CallersBuffer,
    /// A coordinate is infinite or not a number.
    #[error("{body} has a vertex that is not finite")]
    NotFinite {
        /// The body.
        body: WhichBody,
    },
    /// The stencil counts to 254.
    #[error(
        "{body} has 255 layers or more in a column, which the 8 bits of a stencil cannot count; use the compute path"
    )]
    TooManyLayers {
        /// The body.
        body: WhichBody,
    },
    /// Something made in one context was used in another.
    #[error("{body} was uploaded in another context; bodies and queries must come from one")]
    OtherContext {
        /// The body.
        body: WhichBody,
    },
    /// Nothing was rendered yet.
    #[error("the image is empty; render a body first")]
    Empty,
}
