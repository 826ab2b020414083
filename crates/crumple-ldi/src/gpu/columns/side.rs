//! What one body needs on the device to become columns, and the commands that both paths share.

use crate::Resolution;
use wgpu::BufferUsages as Usage;

use crate::gpu::compute::Crossings;
use crate::gpu::kernels::{Bound, Kernels};
use crate::gpu::stencil::Layers;
use crate::gpu::window::{Status, WINDOW_STRIDE};
use crate::gpu::{Gpu, GpuBody, GpuError};

/// Storage for one body.
#[derive(Debug)]
pub(crate) struct Side {
    /// The first body or the second.
    number: usize,
    pub(crate) resolution: Resolution,
    /// Grows when storage is replaced: what was bound to the old one has to be bound again.
    pub(crate) generation: u64,
    /// The body the storage is bound to.
    bound_to: Option<u64>,
    pub(crate) bounds: wgpu::Buffer,
    pub(crate) status: wgpu::Buffer,
    pub(crate) samples: wgpu::Buffer,
    pub(crate) placed: wgpu::Buffer,
    pub(crate) counts: wgpu::Buffer,
    pub(crate) offsets: wgpu::Buffer,
    sums: wgpu::Buffer,
    pub(crate) lengths: wgpu::Buffer,
    pub(crate) keys: wgpu::Buffer,
    shared: Option<Shared>,
    pub(crate) crossings: Option<Crossings>,
    pub(crate) layers: Option<Layers>,
}

/// Kernels of both paths, bound.
#[derive(Debug)]
struct Shared {
    generation: u64,
    bounds: Bound,
    place_samples: Bound,
    place_vertices: Bound,
    scan: [Bound; 3],
    sort: Bound,
}

/// Where a window lies among the windows.
pub(crate) fn window_binding(windows: &wgpu::Buffer, number: usize) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: windows,
        offset: number as u64 * WINDOW_STRIDE,
        size: std::num::NonZeroU64::new(WINDOW_STRIDE),
    })
}

impl Side {
    pub(crate) fn new(gpu: &Gpu, resolution: Resolution, number: usize) -> Result<Self, GpuError> {
        let samples = u64::from(resolution.columns) + u64::from(resolution.rows);
        let pixels = resolution.sample_count() as u64;
        let read = Usage::STORAGE | Usage::COPY_SRC;
        let cleared = Usage::STORAGE | Usage::COPY_DST;
        Ok(Self {
            number,
            resolution,
            generation: 0,
            bound_to: None,
            bounds: gpu.buffer("box", 32, cleared)?,
            status: gpu.buffer("status", Status::SIZE, cleared | Usage::COPY_SRC)?,
            samples: gpu.buffer("samples", 4 * samples, Usage::STORAGE)?,
            placed: gpu.buffer("vertices in the window", 16, Usage::STORAGE)?,
            counts: gpu.buffer("counts", 4 * pixels, cleared)?,
            offsets: gpu.buffer("places of columns", 4 * (pixels + 1), read)?,
            sums: gpu.buffer("sums of counts", 4 * 4096, Usage::STORAGE)?,
            lengths: gpu.buffer("lengths of columns", 4 * pixels, read)?,
            // Most bodies have two to four crossings where they have any.
            keys: gpu.buffer("columns", 4 * 4 * pixels, read)?,
            shared: None,
            crossings: None,
            layers: None,
        })
    }

    fn pixels(&self) -> u64 {
        self.resolution.sample_count() as u64
    }

    pub(crate) fn window<'a>(&self, windows: &'a wgpu::Buffer) -> wgpu::BindingResource<'a> {
        window_binding(windows, self.number)
    }

    /// Binds the storage to a body, unless it is bound to it already.
    pub(crate) fn bind(&mut self, gpu: &Gpu, body: &GpuBody, windows: &wgpu::Buffer) -> Result<(), GpuError> {
        if self.bound_to != Some(body.number) {
            self.bound_to = Some(body.number);
            self.generation += 1;
            let size = 16 * body.mesh().vertex_count() as u64;
            if size > self.placed.size() {
                self.placed = gpu.buffer("vertices in the window", size, Usage::STORAGE)?;
            }
        }
        if self.shared.as_ref().is_some_and(|shared| shared.generation == self.generation) {
            return Ok(());
        }
        let kernels = gpu.kernels();
        let bind = |kernel, threads, buffers: &[(u32, &wgpu::Buffer)]| {
            let mut bindings = Vec::with_capacity(8);
            bindings.extend(buffers.iter().map(|&(at, buffer)| (at, buffer.as_entire_binding())));
            Bound::new(gpu, kernel, threads, &bindings)
        };
        let bind_in_window = |kernel, threads, buffers: &[(u32, &wgpu::Buffer)]| {
            let mut bindings = vec![(0, self.window(windows))];
            bindings.extend(buffers.iter().map(|&(at, buffer)| (at, buffer.as_entire_binding())));
            Bound::new(gpu, kernel, threads, &bindings)
        };
        let vertices = body.mesh().vertex_count() as u64;
        let samples = u64::from(self.resolution.columns) + u64::from(self.resolution.rows);
        let pixels = self.pixels();
        let blocks = pixels.div_ceil(4096) as u32;
        // A few groups, each thread taking many vertices: they end in atomics on the same seven words.
        let bounds = bind(&kernels.bounds, vertices, &[(0, &body.shape), (1, body.positions()), (2, &self.bounds)])
            .in_groups((vertices.div_ceil(64 * 16) as u32).clamp(1, 256));
        let place_samples = bind_in_window(&kernels.place_samples, samples, &[(2, &self.samples)]);
        let place_vertices = bind_in_window(
            &kernels.place_vertices,
            vertices,
            &[(1, &body.shape), (2, &self.samples), (3, body.positions()), (4, &self.placed)],
        );
        let (counts, offsets, sums, status) = (&self.counts, &self.offsets, &self.sums, &self.status);
        let scan = [
            bind_in_window(&kernels.sum_blocks, 1, &[(1, counts), (3, sums)]).in_groups(blocks),
            bind_in_window(&kernels.sum_sums, 1, &[(2, offsets), (3, sums), (4, status)]),
            bind_in_window(&kernels.place_columns, 1, &[(1, counts), (2, offsets), (3, sums)]).in_groups(blocks),
        ];
        let sort = bind_in_window(
            &kernels.sort_columns,
            pixels,
            &[(1, offsets), (2, &self.keys), (3, &self.lengths), (4, status)],
        );
        let generation = self.generation;
        self.shared = Some(Shared { generation, bounds, place_samples, place_vertices, scan, sort });
        Ok(())
    }

    /// Replaces storage that was too small; whether none was.
    pub(crate) fn grow(&mut self, gpu: &Gpu, status: &Status) -> Result<bool, GpuError> {
        let fits = self.crossings.as_mut().map_or(Ok(true), |crossings| crossings.grow(gpu, status))?;
        let needed = 4 * u64::from(status.fragments);
        let holds = needed <= self.keys.size();
        if !holds {
            let most = gpu.inner.limits.max_storage_buffer_binding_size;
            self.keys =
                gpu.buffer("columns", (needed + needed / 4).min(most).max(needed), Usage::STORAGE | Usage::COPY_SRC)?;
        }
        self.generation += u64::from(!(fits && holds));
        Ok(fits && holds)
    }

    /// Zeroes what kernels add to.
    pub(crate) fn clear(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.bounds, 0, None);
        encoder.clear_buffer(&self.status, 0, None);
        encoder.clear_buffer(&self.counts, 0, None);
    }

    pub(crate) fn find_bounds(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(shared) = &self.shared {
            shared.bounds.run(pass, &kernels.bounds);
        }
    }

    pub(crate) fn place(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(shared) = &self.shared {
            shared.place_samples.run(pass, &kernels.place_samples);
            shared.place_vertices.run(pass, &kernels.place_vertices);
        }
    }

    pub(crate) fn scan(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(shared) = &self.shared {
            shared.scan[0].run(pass, &kernels.sum_blocks);
            shared.scan[1].run(pass, &kernels.sum_sums);
            shared.scan[2].run(pass, &kernels.place_columns);
        }
    }

    pub(crate) fn sort(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(shared) = &self.shared {
            shared.sort.run(pass, &kernels.sort_columns);
        }
    }
}
