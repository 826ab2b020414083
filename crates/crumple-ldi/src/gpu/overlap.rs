//! How much two bodies overlap: one number comes back, and the spans of the overlap if they are asked for.

use crate::{Direction, InsideRule, OverlapSpan, Resolution};

use crate::WhichBody;
use crate::gpu::columns::{Question, Raster, Rendered};
use crate::gpu::columns_read::DepthColumns;
use crate::gpu::kernels::Bound;
use crate::gpu::span_list::SpanList;
use crate::gpu::window::Query;
use crate::gpu::{Gpu, GpuBody, GpuError, Path};
use crumple::Aabb;

/// How overlaps are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GpuOverlapOptions {
    /// Samples across the volume of interest.
    pub resolution: Resolution,
    /// What counts as inside.
    pub inside: InsideRule,
    /// How columns are made.
    pub path: Path,
    /// Whether to go on with surfaces that enclose nothing.
    pub assume_closed: bool,
}

impl Default for GpuOverlapOptions {
    /// 128 by 128 samples, as the paper measured, by the compute path.
    fn default() -> Self {
        Self {
            resolution: Resolution::from(128),
            inside: InsideRule::default(),
            path: Path::default(),
            assume_closed: false,
        }
    }
}

impl GpuOverlapOptions {
    /// Samples across: one number for a square, `[columns, rows]` for a rectangle.
    pub fn with_resolution(self, resolution: impl Into<Resolution>) -> Self {
        Self { resolution: resolution.into(), ..self }
    }

    /// What counts as inside.
    pub fn with_inside(self, inside: InsideRule) -> Self {
        Self { inside, ..self }
    }

    /// How columns are made.
    pub fn with_path(self, path: Path) -> Self {
        Self { path, ..self }
    }

    /// Goes on with surfaces that are open or not oriented.
    pub fn with_assumed_closed(self) -> Self {
        Self { assume_closed: true, ..self }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GpuOverlapAnswer {
    /// The volume, in cubes of the world's unit.
    pub volume: f64,
    /// Whether the bodies overlap.
    pub collides: bool,
    /// The box that was looked into, and the direction in which `a` was seen; `None` if the boxes are apart or touch.
    pub volume_of_interest: Option<(Aabb, Direction)>,
    /// The most crossings any column of `a` and of `b` has in that box: n_max of the paper.
    pub depth_complexity: [u32; 2],
    /// Columns of `a` and of `b` in which entries and exits do not alternate.
    pub unordered_columns: [u32; 2],
}

/// Computes overlaps on the device, frame after frame, in memory of its own there.
#[derive(Debug)]
pub struct GpuOverlap {
    options: GpuOverlapOptions,
    raster: Raster,
    sum: Sum,
    seen: Option<Rendered>,
    /// Made when spans are first asked for.
    spans: Option<SpanList>,
}

/// The sum over all columns.
#[derive(Debug)]
struct Sum {
    buffer: wgpu::Buffer,
    bound: Option<(u64, Bound)>,
}

impl Question for Sum {
    fn bind(&mut self, gpu: &Gpu, raster: &Raster) {
        let generation = raster.generation();
        if self.bound.as_ref().is_some_and(|(bound, _)| *bound == generation) {
            return;
        }
        let [a, b] = [&raster.sides[0], &raster.sides[1]];
        let mut bindings = vec![(0, a.window(&raster.windows))];
        let buffers = [&a.offsets, &a.lengths, &a.keys, &b.offsets, &b.lengths, &b.keys, &self.buffer];
        bindings.extend((1..).zip(buffers).map(|(at, buffer)| (at, buffer.as_entire_binding())));
        let samples = raster.resolution.sample_count() as u64;
        self.bound = Some((generation, Bound::new(gpu, &gpu.kernels().add_up, samples, &bindings)));
    }

    fn ask(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.buffer, 0, None);
        if let Some((_, bound)) = &self.bound {
            bound.run(&mut crate::gpu::columns::compute_pass(encoder), &gpu.kernels().add_up);
        }
    }

    fn answer(&self) -> Option<&wgpu::Buffer> {
        Some(&self.buffer)
    }
}

impl GpuOverlap {
    /// Ready for the first frame.
    ///
    /// # Errors
    /// If the resolution is out of range or beyond the device.
    pub fn new(gpu: &Gpu, options: GpuOverlapOptions) -> Result<Self, GpuError> {
        let query = Query::overlap(options.resolution, options.inside);
        let raster = Raster::new(gpu, options.path, options.resolution, query, 2)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let sum = Sum { buffer: gpu.buffer("sum", 16, usage)?, bound: None };
        Ok(Self { options, raster, sum, seen: None, spans: None })
    }

    /// What it was made with.
    pub fn options(&self) -> &GpuOverlapOptions {
        &self.options
    }

    /// The overlap of two bodies as they are now. One read-back on the compute path, two on the stencil path.
    ///
    /// # Errors
    /// If a body has no triangles, its box no volume, or a vertex is not finite; if a surface does not enclose a volume;
    /// if storage would have to grow beyond the device; if the device is lost. Bodies that are apart or merely touch are no
    /// error: their overlap is 0.
    pub fn compute(&mut self, a: &GpuBody, b: &GpuBody) -> Result<GpuOverlapAnswer, GpuError> {
        let GpuOverlapOptions { inside, assume_closed, .. } = self.options;
        self.seen = None;
        a.check(&self.raster.gpu, WhichBody::A, inside, assume_closed)?;
        b.check(&self.raster.gpu, WhichBody::B, inside, assume_closed)?;
        let Some(rendered) = self.raster.render(&[a, b], &mut self.sum)? else {
            return Ok(GpuOverlapAnswer::default());
        };
        self.seen = Some(rendered);
        let window = &rendered.windows[0];
        let steps = u64::from(rendered.answer[0]) | u64::from(rendered.answer[1]) << 32;
        let [min, max] = window.corners();
        Ok(GpuOverlapAnswer {
            volume: steps as f64 * window.depth_step() * window.pixel_area(),
            collides: steps > 0,
            volume_of_interest: Some((Aabb::new(min, max), window.direction())),
            depth_complexity: rendered.status.map(|status| status.depth_complexity),
            unordered_columns: rendered.status.map(|status| status.unordered),
        })
    }

    /// Whether two bodies overlap.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn collides(&mut self, a: &GpuBody, b: &GpuBody) -> Result<bool, GpuError> {
        self.compute(a, b).map(|answer| answer.collides)
    }

    /// The spans of the overlap of the last frame, read back: the explicit representation of the intersection volume. They
    /// run along the axis of [`GpuOverlapAnswer::volume_of_interest`], row by row and column by column, as those of
    /// [`crate::OverlapAnswer::spans`] do; none if the boxes are apart. One read-back, unless storage has to
    /// grow.
    ///
    /// # Errors
    /// If storage would have to grow beyond the device, or the device is lost.
    pub fn read_spans(&mut self) -> Result<Vec<OverlapSpan>, GpuError> {
        let Some(rendered) = self.seen else { return Ok(Vec::new()) };
        let list = match self.spans.take() {
            Some(list) => list,
            None => SpanList::new(&self.raster.gpu, self.options.resolution)?,
        };
        let [a, b] = [&self.raster.sides[0], &self.raster.sides[1]];
        let inputs = [(1, &a.offsets), (2, &a.lengths), (3, &a.keys), (4, &b.offsets), (5, &b.lengths), (6, &b.keys)];
        let kernels = self.raster.gpu.kernels();
        let kernels = [&kernels.count_spans, &kernels.write_spans];
        self.spans.insert(list).read(&self.raster, kernels, &inputs, &rendered.windows[0])
    }

    /// The columns of `a` and of `b` of the last frame, read back; `None` if there was nothing to see.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn read_images(&mut self) -> Result<Option<[DepthColumns; 2]>, GpuError> {
        let Some(rendered) = self.seen else { return Ok(None) };
        let gpu = self.raster.gpu.clone();
        let [a, b] = [0, 1].map(|number| {
            let (window, status) = (&rendered.windows[number], rendered.status[number]);
            DepthColumns::read(&gpu, &self.raster.sides[number], window, status.fragments, self.options.inside)
        });
        Ok(Some([a?, b?]))
    }
}
