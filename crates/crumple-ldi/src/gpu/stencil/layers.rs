//! Targets with a region for each layer, and the passes that draw into them.

use wgpu::{BufferUsages as Usage, TextureUsages};

use super::pipelines::{COUNT, CROSSING, STENCIL};
use crate::gpu::columns::{Side, compute_pass};
use crate::gpu::kernels::{Bound, Kernels};
use crate::gpu::{Gpu, GpuBody, GpuError};

/// The most pixels of a target: 64 layers of 128 by 128 fit, in no more memory than a screen takes.
const MOST_PIXELS: u64 = 1 << 20;
/// The most layers that are drawn: what the stencil can count.
const MOST_LAYERS: u32 = 254;

/// Targets for one body.
#[derive(Debug)]
pub(crate) struct Layers {
    first: wgpu::TextureView,
    first_stencil: wgpu::TextureView,
    counted: wgpu::TextureView,
    bound: Option<BoundFirst>,
    regions: Option<Regions>,
}

#[derive(Debug)]
struct BoundFirst {
    generation: u64,
    draw: wgpu::BindGroup,
    draw_further: wgpu::BindGroup,
    read_counts: Bound,
}

/// The large target, for layers 2 and up.
#[derive(Debug)]
struct Regions {
    across: u32,
    layers: u32,
    /// Whether no more would fit.
    full: bool,
    target: wgpu::TextureView,
    stencil: wgpu::TextureView,
    rounds: wgpu::Buffer,
    generation: u64,
    /// Takes the first layer, then those of each round, apart into columns.
    gather: Vec<Bound>,
}

/// Which layers lie in a target: the first of them, how many, regions side by side.
fn round(first: u32, layers: u32, across: u32) -> [u32; 64] {
    let mut words = [0; 64];
    (words[0], words[1], words[2]) = (first, layers, across);
    words
}

impl Regions {
    fn new(gpu: &Gpu, [width, rows]: [u32; 2], wanted: u32) -> Result<Self, GpuError> {
        let side = gpu.inner.limits.max_texture_dimension_2d;
        let within_memory = (MOST_PIXELS / (u64::from(width) * u64::from(rows))).max(1);
        let most_across = (side / width).max(1);
        let most = (u64::from(most_across) * u64::from((side / rows).max(1))).min(within_memory) as u32;
        let layers = wanted.next_power_of_two().min(most);
        // As square as it gets.
        let across =
            layers.isqrt().max(1).next_power_of_two().max(layers.div_ceil((side / rows).max(1))).min(most_across);
        let size = [across * width, layers.div_ceil(across) * rows];
        let parts = (2..=MOST_LAYERS).step_by(layers as usize).map(|first| round(first, layers, across));
        let rounds: Vec<[u32; 64]> = std::iter::once(round(1, 1, 1)).chain(parts).collect();
        Ok(Self {
            across,
            layers,
            full: layers == most,
            target: gpu.target("layers", size, CROSSING, TextureUsages::TEXTURE_BINDING),
            stencil: gpu.target("stencil of layers", size, STENCIL, TextureUsages::empty()),
            rounds: gpu.constant("rounds", &rounds, Usage::UNIFORM)?,
            generation: 0,
            gather: Vec::new(),
        })
    }
}

impl Side {
    fn size(&self) -> [u32; 2] {
        [self.resolution.columns, self.resolution.rows]
    }

    /// Makes the targets of pass 1 and binds them, unless that was done.
    pub(crate) fn bind_first_pass(&mut self, gpu: &Gpu, body: &GpuBody, windows: &wgpu::Buffer) {
        let (size, generation) = (self.size(), self.generation);
        let mut layers = self.layers.take().unwrap_or_else(|| Layers {
            first: gpu.target("first layer", size, CROSSING, TextureUsages::TEXTURE_BINDING),
            first_stencil: gpu.target("stencil of the first layer", size, STENCIL, TextureUsages::empty()),
            counted: gpu.target("counts", size, COUNT, TextureUsages::TEXTURE_BINDING),
            bound: None,
            regions: None,
        });
        if layers.bound.as_ref().is_none_or(|bound| bound.generation != generation) {
            let (pipelines, kernels) = (gpu.pipelines(), gpu.kernels());
            let bindings = [
                (0, self.window(windows)),
                (1, wgpu::BindingResource::TextureView(&layers.counted)),
                (2, self.counts.as_entire_binding()),
                (3, self.status.as_entire_binding()),
            ];
            let drawn = [
                (0, self.window(windows)),
                (1, self.samples.as_entire_binding()),
                (2, self.placed.as_entire_binding()),
                (3, body.corners.as_entire_binding()),
            ];
            layers.bound = Some(BoundFirst {
                generation,
                draw: gpu.bind(&pipelines.first_layout, &drawn),
                draw_further: gpu.bind(&pipelines.further_layout, &drawn),
                read_counts: Bound::new(gpu, &kernels.read_counts, self.resolution.sample_count() as u64, &bindings),
            });
        }
        self.layers = Some(layers);
    }

    /// Pass 1, and its counts as colours.
    pub(crate) fn first_pass(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, body: &GpuBody) {
        let Some((layers, bound)) = self.layers.as_ref().and_then(|layers| Some((layers, layers.bound.as_ref()?)))
        else {
            return;
        };
        let pipelines = gpu.pipelines();
        {
            let mut pass = begin(encoder, &layers.first, &layers.first_stencil, wgpu::LoadOp::Clear(0));
            pass.set_pipeline(&pipelines.first);
            pass.set_bind_group(0, &bound.draw, &[]);
            pass.set_stencil_reference(1);
            self.draw(gpu, &mut pass, body);
        }
        let mut pass = begin(encoder, &layers.counted, &layers.first_stencil, wgpu::LoadOp::Load);
        pass.set_stencil_reference(0);
        for (bit, pipeline) in pipelines.bits.iter().enumerate() {
            let weight = f64::from(1u32 << bit) / 255.0;
            pass.set_pipeline(pipeline);
            pass.set_blend_constant(wgpu::Color { r: weight, g: weight, b: weight, a: weight });
            pass.draw(0..3, 0..1);
        }
    }

    pub(crate) fn read_counts(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        if let Some(bound) = self.layers.as_ref().and_then(|layers| layers.bound.as_ref()) {
            bound.read_counts.run(pass, &kernels.read_counts);
        }
    }

    /// Makes room for the layers 2 to `depth_complexity`, unless there is.
    pub(crate) fn bind_layers(
        &mut self,
        gpu: &Gpu,
        windows: &wgpu::Buffer,
        depth_complexity: u32,
    ) -> Result<(), GpuError> {
        let (size, generation) = (self.size(), self.generation);
        let Some(mut layers) = self.layers.take() else { return Ok(()) };
        let wanted = depth_complexity.max(2) - 1;
        let held = layers.regions.take().filter(|regions| regions.full || regions.layers >= wanted);
        let mut regions = match held {
            Some(regions) => regions,
            None => Regions::new(gpu, size, wanted)?,
        };
        let count = 1 + u64::from(wanted.div_ceil(regions.layers));
        if regions.generation != generation || (regions.gather.len() as u64) < count {
            let kernels = gpu.kernels();
            let gather = |number: u64| {
                let target = if number == 0 { &layers.first } else { &regions.target };
                let part = wgpu::BufferBinding {
                    buffer: &regions.rounds,
                    offset: 256 * number,
                    size: std::num::NonZeroU64::new(256),
                };
                let bindings = [
                    (0, self.window(windows)),
                    (1, wgpu::BindingResource::Buffer(part)),
                    (2, wgpu::BindingResource::TextureView(target)),
                    (3, self.counts.as_entire_binding()),
                    (4, self.offsets.as_entire_binding()),
                    (5, self.keys.as_entire_binding()),
                ];
                Bound::new(gpu, &kernels.gather_layers, self.resolution.sample_count() as u64, &bindings)
            };
            let bound: Vec<Bound> = (0..count).map(gather).collect();
            regions.gather = bound;
            regions.generation = generation;
        }
        layers.regions = Some(regions);
        self.layers = Some(layers);
        Ok(())
    }

    /// Passes 2 to `depth_complexity`, and all layers taken apart into columns.
    pub(crate) fn further_passes(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        body: &GpuBody,
        depth_complexity: u32,
    ) {
        let Some(layers) = &self.layers else { return };
        let (Some(bound), Some(regions)) = (&layers.bound, &layers.regions) else { return };
        let [width, rows] = self.size();
        regions.gather[0].run(&mut compute_pass(encoder), &gpu.kernels().gather_layers);
        let rounds = (2..=depth_complexity).step_by(regions.layers as usize);
        for (first, gather) in rounds.zip(&regions.gather[1..]) {
            {
                let mut pass = begin(encoder, &regions.target, &regions.stencil, wgpu::LoadOp::Clear(0));
                pass.set_pipeline(&gpu.pipelines().further);
                pass.set_bind_group(0, &bound.draw_further, &[]);
                for layer in first..=depth_complexity.min(first + regions.layers - 1) {
                    let region = layer - first;
                    let [x, y] = [region % regions.across * width, region / regions.across * rows];
                    pass.set_viewport(x as f32, y as f32, width as f32, rows as f32, 0.0, 1.0);
                    // A viewport moves triangles but does not keep them out of its neighbours.
                    pass.set_scissor_rect(x, y, width, rows);
                    pass.set_stencil_reference(layer);
                    self.draw(gpu, &mut pass, body);
                }
            }
            gather.run(&mut compute_pass(encoder), &gpu.kernels().gather_layers);
        }
    }

    /// All triangles of the body.
    fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, body: &GpuBody) {
        gpu.inner.counters.passes.add(1);
        pass.draw(0..3 * body.triangle_count, 0..1);
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    stencil: &wgpu::TextureView,
    load: wgpu::LoadOp<u32>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: stencil,
            depth_ops: None,
            stencil_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
