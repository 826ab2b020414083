//! The compute path: crossings of edges with rows, segments of triangles, columns.
//!
//! ```text
//! edges ────► a cell for every row an edge crosses        once per edge and row
//! segments ─► what a triangle covers of every row          from the cells of its two edges there
//! count ────► crossings a column        scan, in `columns`
//! fill ─────► depth and side of each    sort, in `columns`
//! ```
//!
//! Instead of n_max passes (Heidelberger, Teschner & Gross 2003, section 3.2) every triangle is looked at once, as on
//! the CPU (`crate`), whose module `raster` derives why every column of a closed body is even: both triangles
//! at an edge see it cross a row in the same cell. Here that holds because the cell is computed once and read by both;
//! and since it is computed in whole numbers, it is the same on every card too.
//!
//! Crossings and segments are written wherever an atomic counter points, so their order changes from run to run;
//! sorting the columns takes that out again. Cost: O(vertices + edges · rows each crosses + samples + crossings).

use wgpu::BufferUsages as Usage;

use crate::gpu::columns::Side;
use crate::gpu::kernels::{Bound, Kernels};
use crate::gpu::window::Status;
use crate::gpu::{Gpu, GpuBody, GpuError};

/// Bytes of a segment.
const SEGMENT: u64 = 12;

/// Storage of the compute path.
#[derive(Debug)]
pub(crate) struct Crossings {
    starts: wgpu::Buffer,
    crossings: wgpu::Buffer,
    segments: wgpu::Buffer,
    bound: Option<BoundCrossings>,
}

#[derive(Debug)]
struct BoundCrossings {
    generation: u64,
    cross_edges: Bound,
    cover_rows: Bound,
    count: Bound,
    fill: Bound,
}

impl Crossings {
    fn new(gpu: &Gpu, body: &GpuBody, rows: u32) -> Result<Self, GpuError> {
        // Over a smooth body of E edges a row crosses about the root of E of them, both sides and slanted edges
        // counted.
        let guess = 4 * u64::from(rows) * u64::from(body.edge_count).isqrt() + 1024;
        Ok(Self {
            starts: gpu.buffer("edges", 4 * u64::from(body.edge_count), Usage::STORAGE)?,
            crossings: gpu.buffer("crossings", 4 * guess, Usage::STORAGE)?,
            segments: gpu.buffer("segments", SEGMENT * guess, Usage::STORAGE)?,
            bound: None,
        })
    }

    /// Replaces storage that was too small; whether none was.
    pub(crate) fn grow(&mut self, gpu: &Gpu, status: &Status) -> Result<bool, GpuError> {
        let most = gpu.inner.limits.max_storage_buffer_binding_size;
        let mut fits = true;
        for (what, buffer, needed) in [
            ("crossings", &mut self.crossings, 4 * u64::from(status.crossings)),
            ("segments", &mut self.segments, SEGMENT * u64::from(status.segments)),
        ] {
            // The size is a multiple of 16, so it may hold a part of a segment more than it counts.
            if needed > buffer.size() {
                *buffer = gpu.buffer(what, (needed + needed / 4).min(most).max(needed), Usage::STORAGE)?;
                fits = false;
            }
        }
        Ok(fits)
    }
}

impl Side {
    /// Binds the kernels of this path, unless they are bound already.
    pub(crate) fn bind_compute(&mut self, gpu: &Gpu, body: &GpuBody, windows: &wgpu::Buffer) -> Result<(), GpuError> {
        let generation = self.generation;
        let held = self.crossings.take().filter(|held| held.starts.size() >= 4 * u64::from(body.edge_count));
        let mut held = match held {
            Some(held) => held,
            None => Crossings::new(gpu, body, self.resolution.rows)?,
        };
        if held.bound.as_ref().is_none_or(|bound| bound.generation != generation) {
            let kernels = gpu.kernels();
            let bind = |kernel, threads, buffers: &[(u32, &wgpu::Buffer)]| {
                let mut bindings = vec![(0, self.window(windows))];
                bindings.extend(buffers.iter().map(|&(at, buffer)| (at, buffer.as_entire_binding())));
                Bound::new(gpu, kernel, threads, &bindings)
            };
            let Crossings { starts, crossings, segments, .. } = &held;
            let (shape, corners, status) = (&body.shape, &body.corners, &self.status);
            let (samples, placed, counts) = (&self.samples, &self.placed, &self.counts);
            let segment_threads = segments.size() / SEGMENT;
            let cross_edges = bind(
                &kernels.cross_edges,
                u64::from(body.edge_count),
                &[(1, shape), (2, samples), (3, placed), (4, &body.ends), (5, starts), (6, crossings), (7, status)],
            );
            let cover_rows = bind(
                &kernels.cover_rows,
                u64::from(body.triangle_count),
                &[
                    (1, shape),
                    (2, placed),
                    (3, corners),
                    (4, &body.sides),
                    (5, starts),
                    (6, crossings),
                    (7, segments),
                    (8, status),
                ],
            );
            let count = bind(&kernels.count_crossings, segment_threads, &[(1, segments), (2, counts), (3, status)]);
            let fill = bind(
                &kernels.fill_columns,
                segment_threads,
                &[
                    (1, samples),
                    (2, placed),
                    (3, corners),
                    (4, segments),
                    (5, counts),
                    (6, &self.offsets),
                    (7, &self.keys),
                    (8, status),
                ],
            );
            held.bound = Some(BoundCrossings { generation, cross_edges, cover_rows, count, fill });
        }
        self.crossings = Some(held);
        Ok(())
    }

    /// Crosses edges with rows and counts.
    pub(crate) fn cross(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(bound) = self.crossings.as_ref().and_then(|held| held.bound.as_ref()) {
            bound.cross_edges.run(pass, &kernels.cross_edges);
            bound.cover_rows.run(pass, &kernels.cover_rows);
            bound.count.run(pass, &kernels.count_crossings);
        }
    }

    /// Writes the crossings of every column.
    pub(crate) fn fill(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(bound) = self.crossings.as_ref().and_then(|held| held.bound.as_ref()) {
            bound.fill.run(pass, &kernels.fill_columns);
        }
    }
}
