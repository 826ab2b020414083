//! Spans, listed where the columns are and read back: count, prefix sum, write.
//!
//! A column is walked twice, once to count its spans and once to write them to their places, so the list comes back sorted
//! and nothing but spans and counts is read. A list that does not fit its storage is not written; it is asked for again in
//! larger storage.

use crate::{OverlapSpan, Resolution};
use wgpu::BufferUsages as Usage;

use crate::gpu::columns::{Raster, compute_pass};
use crate::gpu::kernels::{Bound, Kernel};
use crate::gpu::read_back::ReadBack;
use crate::gpu::window::{Status, Window};
use crate::gpu::{Gpu, GpuError};

/// Storage for the spans of the columns of a raster.
#[derive(Debug)]
pub(crate) struct SpanList {
    counts: wgpu::Buffer,
    offsets: wgpu::Buffer,
    sums: wgpu::Buffer,
    status: wgpu::Buffer,
    spans: wgpu::Buffer,
    results: ReadBack,
    bound: Option<(u64, Kernels)>,
}

/// The kernels in the order they run, bound.
#[derive(Debug)]
struct Kernels {
    count: Bound,
    scan: [Bound; 3],
    write: Bound,
}

/// Bytes of a span.
const SPAN: u64 = 8;

impl SpanList {
    pub(crate) fn new(gpu: &Gpu, resolution: Resolution) -> Result<Self, GpuError> {
        let pixels = resolution.sample_count() as u64;
        let read = Usage::STORAGE | Usage::COPY_SRC;
        Ok(Self {
            counts: gpu.buffer("counts of spans", 4 * pixels, read | Usage::COPY_DST)?,
            offsets: gpu.buffer("places of spans", 4 * (pixels + 1), Usage::STORAGE)?,
            sums: gpu.buffer("sums of counts of spans", 4 * 4096, Usage::STORAGE)?,
            status: gpu.buffer("status of spans", Status::SIZE, read | Usage::COPY_DST)?,
            spans: gpu.buffer("spans", SPAN * pixels, read)?,
            results: ReadBack::new(gpu, 16)?,
            bound: None,
        })
    }

    /// Lists the spans in the columns of the last frame. `kernels` count and write them, `inputs` is what both of them read,
    /// from binding 1 on, and depths are those of `window`. One read-back, unless storage has to grow.
    pub(crate) fn read(
        &mut self,
        raster: &Raster,
        kernels: [&Kernel; 2],
        inputs: &[(u32, &wgpu::Buffer)],
        window: &Window,
    ) -> Result<Vec<OverlapSpan>, GpuError> {
        let gpu = &raster.gpu;
        gpu.check()?;
        let resolution = raster.resolution;
        let counts_size = 4 * resolution.sample_count() as u64;
        loop {
            self.bind(raster, kernels, inputs);
            let mut encoder = gpu.encoder();
            encoder.clear_buffer(&self.status, 0, None);
            encoder.clear_buffer(&self.counts, 0, None);
            if let Some((_, Kernels { count, scan, write })) = &self.bound {
                let mut pass = compute_pass(&mut encoder);
                count.run(&mut pass, kernels[0]);
                let by = gpu.kernels();
                for (bound, kernel) in scan.iter().zip([&by.sum_blocks, &by.sum_sums, &by.place_columns]) {
                    bound.run(&mut pass, kernel);
                }
                write.run(&mut pass, kernels[1]);
            }
            let spans_at = Status::SIZE + counts_size;
            let total = spans_at + self.spans.size();
            self.results.grow(gpu, total)?;
            self.results.copy(&mut encoder, &self.status, Status::SIZE, 0);
            self.results.copy(&mut encoder, &self.counts, counts_size, Status::SIZE);
            self.results.copy(&mut encoder, &self.spans, self.spans.size(), spans_at);
            gpu.submit(encoder);
            let bytes = self.results.read(gpu, total)?;
            let needed = SPAN * u64::from(Status::read(bytes).fragments);
            if needed <= self.spans.size() {
                let (counts, spans) = bytes[Status::SIZE as usize..].split_at(counts_size as usize);
                return Ok(listed(counts, &spans[..needed as usize], resolution, window));
            }
            self.spans = gpu.buffer("spans", needed + needed / 4, Usage::STORAGE | Usage::COPY_SRC)?;
            self.bound = None;
            gpu.inner.counters.retries.add(1);
        }
    }

    fn bind(&mut self, raster: &Raster, [count, write]: [&Kernel; 2], inputs: &[(u32, &wgpu::Buffer)]) {
        let generation = raster.generation();
        if self.bound.as_ref().is_some_and(|(bound, _)| *bound == generation) {
            return;
        }
        let (gpu, window) = (&raster.gpu, raster.sides[0].window(&raster.windows));
        let pixels = raster.resolution.sample_count() as u64;
        let bind = |kernel, threads, buffers: &[(u32, &wgpu::Buffer)]| {
            let mut bindings = vec![(0, window.clone())];
            bindings.extend(buffers.iter().map(|&(at, buffer)| (at, buffer.as_entire_binding())));
            Bound::new(gpu, kernel, threads, &bindings)
        };
        let (counts, offsets, sums, status) = (&self.counts, &self.offsets, &self.sums, &self.status);
        let (blocks, by) = (pixels.div_ceil(4096) as u32, gpu.kernels());
        let kernels = Kernels {
            count: bind(count, pixels, &[inputs, &[(8, counts)]].concat()),
            scan: [
                bind(&by.sum_blocks, 1, &[(1, counts), (3, sums)]).in_groups(blocks),
                bind(&by.sum_sums, 1, &[(2, offsets), (3, sums), (4, status)]),
                bind(&by.place_columns, 1, &[(1, counts), (2, offsets), (3, sums)]).in_groups(blocks),
            ],
            write: bind(write, pixels, &[inputs, &[(9, offsets), (10, &self.spans)]].concat()),
        };
        self.bound = Some((generation, kernels));
    }
}

/// The spans column by column; in each they come growing.
fn listed(counts: &[u8], spans: &[u8], resolution: Resolution, window: &Window) -> Vec<OverlapSpan> {
    let mut rest = spans.chunks_exact(SPAN as usize).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
    let mut list = Vec::with_capacity(rest.len());
    for (number, count) in (0..).zip(counts.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>)) {
        let sample = [number % resolution.columns, number / resolution.columns];
        let first = list.len();
        list.extend(rest.by_ref().take(count as usize).map(|ends| OverlapSpan { sample, span: window.span(ends) }));
        if !window.direction().is_positive() {
            list[first..].reverse();
        }
    }
    list
}
