//! Where a body overlaps itself: two volumes come back, and the spans if they are asked for.
//!
//! As `crate::SelfOverlap`, after the last lines of the paper: treating front and back faces separately "would
//! allow us to efficiently detect an invalid ordering of front and back faces" (Heidelberger, Teschner & Gross 2003).
//! Departs from the CPU: triangles are not named, since columns do not know them.

use crate::{ImageOptions, OverlapSpan, WhichBody};

use crate::gpu::columns::{ANSWER, Question, Raster, Rendered, compute_pass};
use crate::gpu::kernels::Bound;
use crate::gpu::span_list::SpanList;
use crate::gpu::window::Query;
use crate::gpu::{Gpu, GpuBody, GpuError, Path};

/// How much of a body overlaps itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GpuSelfOverlapAnswer {
    /// The volume that is inside the body more than once.
    pub volume: f64,
    /// The volume that is turned inside out.
    pub inverted_volume: f64,
    /// How many columns show either.
    pub samples: u32,
    /// The most crossings in any column: n_max of the paper.
    pub depth_complexity: u32,
}

/// Finds self-overlaps on the device, frame after frame, in memory of its own there.
#[derive(Debug)]
pub struct GpuSelfOverlap {
    options: ImageOptions,
    raster: Raster,
    sums: Sums,
    seen: Option<Rendered>,
    /// Made when spans are first asked for.
    spans: Option<SpanList>,
}

/// Sums over all columns, see `queries/self_overlap.wgsl`.
#[derive(Debug)]
struct Sums {
    buffer: wgpu::Buffer,
    bound: Option<(u64, Bound)>,
}

impl Question for Sums {
    fn bind(&mut self, gpu: &Gpu, raster: &Raster) {
        let generation = raster.generation();
        if self.bound.as_ref().is_some_and(|(bound, _)| *bound == generation) {
            return;
        }
        let side = &raster.sides[0];
        let mut bindings = vec![(0, side.window(&raster.windows))];
        let buffers = [(1, &side.offsets), (2, &side.lengths), (3, &side.keys), (7, &self.buffer)];
        bindings.extend(buffers.map(|(at, buffer)| (at, buffer.as_entire_binding())));
        let samples = raster.resolution.sample_count() as u64;
        self.bound = Some((generation, Bound::new(gpu, &gpu.kernels().add_up_windings, samples, &bindings)));
    }

    fn ask(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.buffer, 0, None);
        if let Some((_, bound)) = &self.bound {
            bound.run(&mut compute_pass(encoder), &gpu.kernels().add_up_windings);
        }
    }

    fn answer(&self) -> Option<&wgpu::Buffer> {
        Some(&self.buffer)
    }
}

impl GpuSelfOverlap {
    /// Ready for the first frame.
    ///
    /// # Errors
    /// If the resolution is out of range or beyond the device.
    pub fn new(gpu: &Gpu, options: ImageOptions, path: Path) -> Result<Self, GpuError> {
        let query = Query::image(options.resolution, options.inside, options.direction);
        let raster = Raster::new(gpu, path, options.resolution, query, 1)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let sums = Sums { buffer: gpu.buffer("sums of windings", ANSWER, usage)?, bound: None };
        Ok(Self { options, raster, sums, seen: None, spans: None })
    }

    /// How much of a body overlaps itself now. One read-back on the compute path, two on the stencil path.
    ///
    /// # Errors
    /// If the body has no triangles, its box no volume, or a vertex is not finite; if its surface does not enclose a
    /// volume; if storage would have to grow beyond the device; if the device is lost.
    pub fn find(&mut self, body: &GpuBody) -> Result<GpuSelfOverlapAnswer, GpuError> {
        let ImageOptions { inside, assume_closed, .. } = self.options;
        self.seen = None;
        body.check(&self.raster.gpu, WhichBody::Only, inside, assume_closed)?;
        self.seen = self.raster.render(&[body], &mut self.sums)?;
        let Some(Rendered { windows, status, answer }) = self.seen else {
            return Ok(GpuSelfOverlapAnswer::default());
        };
        let sum = |number: usize| u64::from(answer[2 * number]) | u64::from(answer[2 * number + 1]) << 32;
        let (twice, inverted, samples) =
            if sum(4) >= sum(5) { (sum(0), sum(1), answer[12]) } else { (sum(2), sum(3), answer[13]) };
        let volume = |steps: u64| steps as f64 * windows[0].depth_step() * windows[0].pixel_area();
        Ok(GpuSelfOverlapAnswer {
            volume: volume(twice),
            inverted_volume: volume(inverted),
            samples,
            depth_complexity: status[0].depth_complexity,
        })
    }

    /// The spans of the last frame that are inside the body more than once, read back: along the axis of the image, row by row
    /// and column by column. One read-back, unless storage has to grow.
    ///
    /// # Errors
    /// If nothing was rendered, if storage would have to grow beyond the device, or the device is lost.
    pub fn read_spans(&mut self) -> Result<Vec<OverlapSpan>, GpuError> {
        let rendered = self.seen.ok_or(GpuError::Empty)?;
        let list = match self.spans.take() {
            Some(list) => list,
            None => SpanList::new(&self.raster.gpu, self.options.resolution)?,
        };
        let side = &self.raster.sides[0];
        let inputs = [(1, &side.offsets), (2, &side.lengths), (3, &side.keys), (7, &self.sums.buffer)];
        let kernels = self.raster.gpu.kernels();
        let kernels = [&kernels.count_self_spans, &kernels.write_self_spans];
        self.spans.insert(list).read(&self.raster, kernels, &inputs, &rendered.windows[0])
    }
}
