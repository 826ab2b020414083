//! What shaders and callers exchange: the question, the box that was sampled, and what was found. The layouts are
//! those of `columns/grid.wgsl` and `columns/window.wgsl`.

use crate::{Direction, InsideRule, Resolution, Span, VolumeError, WhichBody};
use crumple::Axis;

use crate::gpu::GpuError;

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Query {
    columns: u32,
    rows: u32,
    parity: u32,
    overlap: u32,
    axis: u32,
    positive: u32,
    unused: [u32; 2],
}

impl Query {
    /// About one body, seen in a direction.
    pub(crate) fn image(resolution: Resolution, inside: InsideRule, direction: Direction) -> Self {
        let (axis, positive) = (direction.axis() as u32, u32::from(direction.is_positive()));
        Self { axis, positive, overlap: 0, ..Self::overlap(resolution, inside) }
    }

    /// About two bodies, seen from where that is best.
    pub(crate) fn overlap(resolution: Resolution, inside: InsideRule) -> Self {
        let Resolution { columns, rows } = resolution;
        Self { columns, rows, parity: u32::from(inside == InsideRule::Parity), overlap: 1, ..Self::default() }
    }
}

/// Bytes from one window to the next: what offsets of uniform buffers are multiples of.
pub(crate) const WINDOW_STRIDE: u64 = 256;

/// Where a body was looked at, on the grid of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Window {
    axes: [u32; 4],
    low: [i32; 4],
    size: [i32; 4],
    exponent: [i32; 4],
    count: [u32; 4],
    world_low: [f32; 4],
    world_high: [f32; 4],
}

/// What is wrong with a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nothing to see: boxes that are apart or merely touch.
    Apart,
    Flat,
    NotFinite,
}

impl Window {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        bytemuck::pod_read_unaligned(&bytes[..size_of::<Self>()])
    }

    pub(crate) fn trouble(&self) -> Option<Trouble> {
        match self.exponent[3] {
            0 => None,
            1 => Some(Trouble::Apart),
            2 => Some(Trouble::Flat),
            _ => Some(Trouble::NotFinite),
        }
    }

    /// An error if the body cannot be looked at; whether there is anything to see.
    pub(crate) fn check(&self, body: WhichBody) -> Result<bool, GpuError> {
        match self.trouble() {
            None => Ok(true),
            Some(Trouble::Apart) => Ok(false),
            Some(Trouble::Flat) => {
                let [min, max] = self.corners();
                Err(VolumeError::Flat { body, min, max }.into())
            }
            Some(Trouble::NotFinite) => Err(GpuError::NotFinite { body }),
        }
    }

    pub(crate) fn direction(&self) -> Direction {
        let axis = [Axis::X, Axis::Y, Axis::Z][self.axes[2] as usize % 3];
        let along = Direction::along(axis);
        if self.axes[3] == 1 { along } else { along.opposite() }
    }

    /// The corners of the box, in world coordinates.
    pub(crate) fn corners(&self) -> [[f32; 3]; 2] {
        [self.world_low, self.world_high].map(|[x, y, z, _]| [x, y, z])
    }

    /// The depth of the box in steps of the grid.
    pub(crate) fn depth(&self) -> u32 {
        self.size[2] as u32
    }

    /// A step of the grid in depth, in world units.
    pub(crate) fn depth_step(&self) -> f64 {
        f64::from(self.exponent[2]).exp2()
    }

    /// From one depth to another, in steps of the grid, as a span along the axis in world coordinates.
    pub(crate) fn span(&self, [low, high]: [u32; 2]) -> Span {
        let w = self.axes[2] as usize % 3;
        let [low, high] = [low, high].map(|depth| f64::from(depth) * self.depth_step());
        if self.axes[3] == 1 {
            let near = f64::from(self.world_low[w]);
            Span { low: near + low, high: near + high }
        } else {
            let near = f64::from(self.world_high[w]);
            Span { low: near - high, high: near - low }
        }
    }

    /// The area of a pixel, in world units.
    pub(crate) fn pixel_area(&self) -> f64 {
        let side = |k: usize| {
            let axis = self.axes[k] as usize % 3;
            f64::from(self.world_high[axis]) - f64::from(self.world_low[axis])
        };
        side(0) / f64::from(self.count[0].max(1)) * (side(1) / f64::from(self.count[1].max(1)))
    }
}

/// What kernels noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Status {
    pub(crate) crossings: u32,
    pub(crate) segments: u32,
    pub(crate) fragments: u32,
    pub(crate) depth_complexity: u32,
    pub(crate) odd: u32,
    pub(crate) unordered: u32,
    pub(crate) kept: u32,
    /// 1: more layers than a stencil counts. 2: more than 32 bits number.
    pub(crate) saturated: u32,
}

impl Status {
    pub(crate) const SIZE: u64 = size_of::<Self>() as u64;

    pub(crate) fn read(bytes: &[u8]) -> Self {
        bytemuck::pod_read_unaligned(&bytes[..size_of::<Self>()])
    }

    pub(crate) fn check(&self, body: WhichBody) -> Result<(), GpuError> {
        match self.saturated {
            0 => Ok(()),
            1 => Err(GpuError::TooManyLayers { body }),
            _ => Err(VolumeError::TooManyCrossings { body, crossings: u64::from(u32::MAX) + 1 }.into()),
        }
    }
}
