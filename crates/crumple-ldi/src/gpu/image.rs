//! The image of a whole body on the device, and which points lie inside it.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 3.3, second query ("vertex in volume"); asked where the image
//! is, which is the end of the paper's own section on future work.

use crate::{ImageOptions, InsideRule, WhichBody};
use wgpu::BufferUsages as Usage;

use crate::gpu::columns::{Question, Raster, Rendered, compute_pass};
use crate::gpu::columns_read::DepthColumns;
use crate::gpu::kernels::Bound;
use crate::gpu::read_back::ReadBack;
use crate::gpu::upload::Upload;
use crate::gpu::window::Query;
use crate::gpu::{Gpu, GpuBody, GpuError, Layout, Path};

/// Takes images of whole bodies on the device, frame after frame, in memory of its own there.
#[derive(Debug)]
pub struct GpuImage {
    options: ImageOptions,
    raster: Raster,
    seen: Option<Rendered>,
    points: Points,
}

/// Nothing is asked but the image itself.
struct Nothing;

impl Question for Nothing {
    fn bind(&mut self, _: &Gpu, _: &Raster) {}

    fn ask(&self, _: &Gpu, _: &mut wgpu::CommandEncoder) {}

    fn answer(&self) -> Option<&wgpu::Buffer> {
        None
    }
}

/// Storage for points.
#[derive(Debug)]
struct Points {
    upload: Option<Upload>,
    count: wgpu::Buffer,
    counted: [u32; 4],
    mask: wgpu::Buffer,
    results: ReadBack,
    bound: Option<(u64, wgpu::Buffer, Bound)>,
    words: Vec<u32>,
}

impl GpuImage {
    /// Ready for the first frame.
    ///
    /// # Errors
    /// If the resolution is out of range or beyond the device.
    pub fn new(gpu: &Gpu, options: ImageOptions, path: Path) -> Result<Self, GpuError> {
        let query = Query::image(options.resolution, options.inside, options.direction);
        let raster = Raster::new(gpu, path, options.resolution, query, 1)?;
        let points = Points {
            upload: None,
            count: gpu.buffer("number of points", 16, Usage::UNIFORM | Usage::COPY_DST)?,
            counted: [0; 4],
            mask: gpu.buffer("points inside", 16, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)?,
            results: ReadBack::new(gpu, 16)?,
            bound: None,
            words: Vec::new(),
        };
        Ok(Self { options, raster, seen: None, points })
    }

    /// Takes the image of a body as it is now. One read-back, of a few words.
    ///
    /// # Errors
    /// If the body has no triangles, its box no volume, or a vertex is not finite; if its surface does not enclose a
    /// volume; if storage would have to grow beyond the device; if the device is lost. The image is then empty.
    pub fn render(&mut self, body: &GpuBody) -> Result<(), GpuError> {
        let ImageOptions { inside, assume_closed, .. } = self.options;
        self.seen = None;
        body.check(&self.raster.gpu, WhichBody::Only, inside, assume_closed)?;
        self.seen = self.raster.render(&[body], &mut Nothing)?;
        Ok(())
    }

    fn seen(&self) -> Result<&Rendered, GpuError> {
        self.seen.as_ref().ok_or(GpuError::Empty)
    }

    /// The most crossings in any column, n_max of the paper; 0 for an empty image.
    pub fn depth_complexity(&self) -> u32 {
        self.seen.map_or(0, |seen| seen.status[0].depth_complexity)
    }

    /// The columns, read back.
    ///
    /// # Errors
    /// If nothing was rendered, or the device is lost.
    pub fn read_columns(&self) -> Result<DepthColumns, GpuError> {
        let seen = self.seen()?;
        let (window, fragments) = (&seen.windows[0], seen.status[0].fragments);
        DepthColumns::read(&self.raster.gpu, &self.raster.sides[0], window, fragments, self.options.inside)
    }

    /// What counts as inside.
    pub fn inside_rule(&self) -> InsideRule {
        self.options.inside
    }

    /// For each of `points` whether it lies inside, accurate to one sample; `inside` is overwritten.
    ///
    /// # Errors
    /// If nothing was rendered, there are more points than the device can hold, or the device is lost.
    pub fn contains_points(&mut self, points: &[[f32; 3]], inside: &mut Vec<bool>) -> Result<(), GpuError> {
        inside.clear();
        let mask = self.mask_of_points(points)?;
        inside.extend((0..points.len()).map(|number| mask[number / 32] >> (number % 32) & 1 == 1));
        Ok(())
    }

    /// For each of `points` whether it lies inside: a bit each, the first in the lowest bit of the first word.
    ///
    /// # Errors
    /// As [`contains_points`](Self::contains_points).
    pub fn mask_of_points(&mut self, points: &[[f32; 3]]) -> Result<&[u32], GpuError> {
        let (points, gpu) = (points, self.raster.gpu.clone());
        self.seen()?;
        let size = size_of_val(points) as u64;
        let mut upload = match self.points.upload.take().filter(|upload| upload.capacity() >= size) {
            Some(upload) => upload,
            None => Upload::new(&gpu, "points", size)?,
        };
        let sent = upload.send(&gpu, bytemuck::cast_slice(points));
        let buffer = upload.target.clone();
        self.points.upload = Some(upload);
        sent?;
        self.test(&buffer, points.len(), Layout::Packed)
    }

    /// The same for points that lie in a buffer of the caller's.
    ///
    /// # Errors
    /// As [`contains_points`](Self::contains_points), and if the buffer is too small or lacks the usage `STORAGE`.
    pub fn mask_of_buffer(&mut self, points: &wgpu::Buffer, count: usize, layout: Layout) -> Result<&[u32], GpuError> {
        layout.check("points", points, count)?;
        self.test(points, count, layout)
    }

    fn test(&mut self, buffer: &wgpu::Buffer, count: usize, layout: Layout) -> Result<&[u32], GpuError> {
        self.seen()?;
        let gpu = self.raster.gpu.clone();
        gpu.check()?;
        let points = &mut self.points;
        let size = 4 * (count as u64).div_ceil(32);
        if size > points.mask.size() {
            points.mask = gpu.buffer("points inside", size, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)?;
            points.bound = None;
        }
        points.results.grow(&gpu, size)?;
        let counted = [u32::try_from(count).unwrap_or(u32::MAX), layout.stride(), 0, 0];
        if counted != points.counted {
            gpu.queue().write_buffer(&points.count, 0, bytemuck::cast_slice(&counted));
            points.counted = counted;
            points.bound = None;
        }
        let generation = self.raster.generation();
        if points.bound.as_ref().is_none_or(|(bound, to, _)| *bound != generation || to != buffer) {
            let side = &self.raster.sides[0];
            let mut bindings = vec![(0, side.window(&self.raster.windows))];
            let buffers = [&points.count, buffer, &side.offsets, &side.lengths, &side.keys, &points.mask];
            bindings.extend((1..).zip(buffers).map(|(at, buffer)| (at, buffer.as_entire_binding())));
            let bound = Bound::new(&gpu, &gpu.kernels().test_points, count as u64, &bindings);
            points.bound = Some((generation, buffer.clone(), bound));
        }
        points.words.clear();
        if count == 0 {
            return Ok(&points.words);
        }
        let mut encoder = gpu.encoder();
        encoder.clear_buffer(&points.mask, 0, None);
        if let Some((_, _, bound)) = &points.bound {
            bound.run(&mut compute_pass(&mut encoder), &gpu.kernels().test_points);
        }
        points.results.copy(&mut encoder, &points.mask, size, 0);
        gpu.submit(encoder);
        let bytes = points.results.read(&gpu, size)?;
        points.words.extend(bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>));
        Ok(&points.words)
    }
}
