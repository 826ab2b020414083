//! From bodies to sorted columns, for either path: what is the same in both, and the order of everything.
//!
//! ```text
//! bounds ─► window ─► samples, vertices ─┬─ compute: edges ─► segments ─► count ─► scan ─► fill ──┬─► sort ─► question
//!           where     whole numbers      └─ stencil: pass 1 ─► counts ─► scan ─► passes ─► gather ┘
//! ```
//!
//! Everything up to the question stays on the device, the box and the volume of interest included, since vertices may
//! have been written there by the caller. Storage whose size depends on the frame (crossings, segments, columns) is
//! counted before it is written: a frame that does not fit writes nothing there, says how much it needs, and is begun
//! again in larger storage. Nothing is ever cut off.
//!
//! Departs from the CPU (`crate`): coordinates are whole numbers of a 2^31-th of the bodies' extent instead of
//! f64, because shaders have no f64 and may round f32 as they like (see `grid.wgsl`). A sample nearer to an edge than that
//! step may be counted to the other side of it; the columns of a closed body are even all the same.

mod side;

use crate::{Resolution, VolumeError, WhichBody};
use wgpu::BufferUsages as Usage;

pub(crate) use self::side::Side;
use crate::gpu::kernels::Bound;
use crate::gpu::read_back::ReadBack;
use crate::gpu::window::{Query, Status, WINDOW_STRIDE, Window};
use crate::gpu::{Gpu, GpuBody, GpuError, Path};

/// What is asked of the columns before anything is read back.
pub(crate) trait Question {
    /// Binds what it needs of the sides; called before every submission, since storage may have grown.
    fn bind(&mut self, gpu: &Gpu, raster: &Raster);
    /// Adds its commands.
    fn ask(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder);
    /// Where its answer lies, at most [`ANSWER`] bytes; `None` if there is nothing to wait for.
    fn answer(&self) -> Option<&wgpu::Buffer>;
}

/// What came back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) windows: [Window; 2],
    pub(crate) status: [Status; 2],
    pub(crate) answer: [u32; ANSWER as usize / 4],
}

/// Storage for the columns of one body or of two.
#[derive(Debug)]
pub(crate) struct Raster {
    pub(crate) gpu: Gpu,
    path: Path,
    pub(crate) resolution: Resolution,
    pub(crate) windows: wgpu::Buffer,
    pub(crate) sides: Vec<Side>,
    choose: Bound,
    results: ReadBack,
}

// Where things lie in the results: both windows, both statuses, the answer.
const STATUS_AT: u64 = 2 * WINDOW_STRIDE;
const ANSWER_AT: u64 = STATUS_AT + 2 * Status::SIZE;
const RESULTS: u64 = ANSWER_AT + ANSWER;

/// Bytes of the longest answer to a [`Question`].
pub(crate) const ANSWER: u64 = 64;

impl Raster {
    /// Ready for `count` bodies, one or two.
    pub(crate) fn new(
        gpu: &Gpu,
        path: Path,
        resolution: Resolution,
        query: Query,
        count: usize,
    ) -> Result<Self, GpuError> {
        gpu.check()?;
        let (side, most) = (resolution.columns.max(resolution.rows), gpu.inner.limits.max_texture_dimension_2d);
        if resolution.columns == 0 || resolution.rows == 0 || side > Resolution::MOST {
            return Err(VolumeError::Resolution { resolution }.into());
        }
        if path == Path::Stencil && side > most {
            return Err(GpuError::ResolutionBeyondDevice { resolution, most });
        }
        let query = gpu.constant("query", &[query], Usage::UNIFORM)?;
        let windows = gpu.buffer("windows", 2 * WINDOW_STRIDE, Usage::STORAGE | Usage::UNIFORM | Usage::COPY_SRC)?;
        let sides = (0..count).map(|number| Side::new(gpu, resolution, number)).collect::<Result<Vec<_>, _>>()?;
        let [first, last] = [&sides[0], &sides[count - 1]].map(|side| side.bounds.as_entire_binding());
        let bindings = [(0, query.as_entire_binding()), (1, first), (2, last), (3, windows.as_entire_binding())];
        let choose = Bound::new(gpu, &gpu.kernels().choose, 1, &bindings);
        let results = ReadBack::new(gpu, RESULTS)?;
        Ok(Self { gpu: gpu.clone(), path, resolution, windows, sides, choose, results })
    }

    /// Names of the bodies, as errors use them.
    fn which(&self) -> &'static [WhichBody] {
        if self.sides.len() == 1 { &[WhichBody::Only] } else { &[WhichBody::A, WhichBody::B] }
    }

    /// Changes whenever storage is replaced by larger storage.
    pub(crate) fn generation(&self) -> u64 {
        self.sides.iter().map(|side| side.generation).sum()
    }

    /// Renders the bodies and asks the question; `None` if there is nothing to see because boxes are apart.
    pub(crate) fn render(
        &mut self,
        bodies: &[&GpuBody],
        question: &mut dyn Question,
    ) -> Result<Option<Rendered>, GpuError> {
        let gpu = self.gpu.clone();
        gpu.check()?;
        let rendered = match self.path {
            Path::Compute => self.render_compute(&gpu, bodies, question)?,
            Path::Stencil => self.render_stencil(&gpu, bodies, question)?,
        };
        self.check(&rendered).map(|seen| seen.then_some(rendered))
    }

    /// Errors that only the device could find; whether there is anything to see.
    fn check(&self, rendered: &Rendered) -> Result<bool, GpuError> {
        let mut seen = true;
        for ((window, status), &body) in rendered.windows.iter().zip(&rendered.status).zip(self.which()) {
            seen &= window.check(body)?;
            status.check(body)?;
        }
        Ok(seen)
    }

    fn render_compute(
        &mut self,
        gpu: &Gpu,
        bodies: &[&GpuBody],
        question: &mut dyn Question,
    ) -> Result<Rendered, GpuError> {
        loop {
            for (side, body) in self.sides.iter_mut().zip(bodies) {
                side.bind(gpu, body, &self.windows)?;
                side.bind_compute(gpu, body, &self.windows)?;
            }
            question.bind(gpu, self);
            let mut encoder = gpu.encoder();
            self.place(gpu, &mut encoder);
            {
                let mut pass = compute_pass(&mut encoder);
                for side in &self.sides {
                    side.cross(&mut pass, gpu.kernels());
                    side.scan(&mut pass, gpu.kernels());
                    side.fill(&mut pass, gpu.kernels());
                    side.sort(&mut pass, gpu.kernels());
                }
            }
            question.ask(gpu, &mut encoder);
            let rendered = self.read(gpu, encoder, question.answer())?;
            self.check(&rendered)?;
            let mut fits = true;
            for (side, status) in self.sides.iter_mut().zip(&rendered.status) {
                fits &= side.grow(gpu, status)?;
            }
            if fits {
                return Ok(rendered);
            }
            gpu.inner.counters.retries.add(1);
        }
    }

    fn render_stencil(
        &mut self,
        gpu: &Gpu,
        bodies: &[&GpuBody],
        question: &mut dyn Question,
    ) -> Result<Rendered, GpuError> {
        for (side, body) in self.sides.iter_mut().zip(bodies) {
            side.bind(gpu, body, &self.windows)?;
            side.bind_first_pass(gpu, body, &self.windows);
        }
        let mut encoder = gpu.encoder();
        self.place(gpu, &mut encoder);
        for (side, body) in self.sides.iter().zip(bodies) {
            side.first_pass(gpu, &mut encoder, body);
            let mut pass = compute_pass(&mut encoder);
            side.read_counts(&mut pass, gpu.kernels());
            side.scan(&mut pass, gpu.kernels());
        }
        let counted = self.read(gpu, encoder, None)?;
        if !self.check(&counted)? {
            return Ok(counted);
        }
        // All sizes are known now, so nothing below has to be begun again.
        for ((side, body), status) in self.sides.iter_mut().zip(bodies).zip(&counted.status) {
            side.grow(gpu, status)?;
            side.bind(gpu, body, &self.windows)?;
            side.bind_first_pass(gpu, body, &self.windows);
            side.bind_layers(gpu, &self.windows, status.depth_complexity)?;
        }
        question.bind(gpu, self);
        let mut encoder = gpu.encoder();
        for ((side, body), status) in self.sides.iter().zip(bodies).zip(&counted.status) {
            side.further_passes(gpu, &mut encoder, body, status.depth_complexity);
            side.sort(&mut compute_pass(&mut encoder), gpu.kernels());
        }
        question.ask(gpu, &mut encoder);
        if question.answer().is_some() {
            return self.read(gpu, encoder, question.answer());
        }
        gpu.submit(encoder);
        Ok(counted)
    }

    /// Boxes, windows, samples and vertices.
    fn place(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        for side in &self.sides {
            side.clear(encoder);
        }
        let mut pass = compute_pass(encoder);
        for side in &self.sides {
            side.find_bounds(&mut pass, gpu.kernels());
        }
        self.choose.run(&mut pass, &gpu.kernels().choose);
        for side in &self.sides {
            side.place(&mut pass, gpu.kernels());
        }
    }

    /// Hands commands over, waits, and reads what was noticed.
    fn read(
        &mut self,
        gpu: &Gpu,
        mut encoder: wgpu::CommandEncoder,
        answer: Option<&wgpu::Buffer>,
    ) -> Result<Rendered, GpuError> {
        self.results.copy(&mut encoder, &self.windows, 2 * WINDOW_STRIDE, 0);
        for (number, side) in (0..).zip(&self.sides) {
            self.results.copy(&mut encoder, &side.status, Status::SIZE, STATUS_AT + number * Status::SIZE);
        }
        if let Some(answer) = answer {
            self.results.copy(&mut encoder, answer, answer.size().min(ANSWER), ANSWER_AT);
        }
        gpu.submit(encoder);
        let bytes = self.results.read(gpu, RESULTS)?;
        let count = self.sides.len();
        let mut rendered =
            Rendered { answer: bytemuck::pod_read_unaligned(&bytes[ANSWER_AT as usize..]), ..Rendered::default() };
        for number in 0..count {
            rendered.windows[number] = Window::read(&bytes[number * WINDOW_STRIDE as usize..]);
            rendered.status[number] = Status::read(&bytes[STATUS_AT as usize + number * size_of::<Status>()..]);
        }
        Ok(rendered)
    }
}

/// A pass of compute shaders.
pub(crate) fn compute_pass(encoder: &mut wgpu::CommandEncoder) -> wgpu::ComputePass<'_> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default())
}
