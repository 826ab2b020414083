//! The render pipelines: two that differ in what the stencil does, and one for each of its bits.

use wgpu::{CompareFunction, StencilFaceState, StencilOperation};

use crate::gpu::Gpu;

/// What crossings are written as.
pub(super) const CROSSING: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// What counts are written as.
pub(super) const COUNT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
pub(super) const STENCIL: wgpu::TextureFormat = wgpu::TextureFormat::Stencil8;

/// All render pipelines.
#[derive(Debug)]
pub(crate) struct Pipelines {
    /// Pass 1: everything counts, the first fragment stays.
    pub(super) first: wgpu::RenderPipeline,
    /// Passes 2 to n_max.
    pub(super) further: wgpu::RenderPipeline,
    pub(super) first_layout: wgpu::BindGroupLayout,
    pub(super) further_layout: wgpu::BindGroupLayout,
    /// Draw where a bit of the stencil is set, the lowest first.
    pub(super) bits: Vec<wgpu::RenderPipeline>,
}

fn stencil(face: StencilFaceState, read_mask: u32, write_mask: u32) -> wgpu::DepthStencilState {
    let state = wgpu::StencilState { front: face, back: face, read_mask, write_mask };
    wgpu::DepthStencilState::stencil(STENCIL, state)
}

impl Pipelines {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let device = &gpu.inner.device;
        let layers = gpu.shader("layers", include_str!("layers.wgsl"));
        let passes = |label: &str, fail_op: StencilOperation| {
            gpu.inner.counters.objects_created.add(2);
            let face = StencilFaceState {
                compare: CompareFunction::Greater,
                fail_op,
                depth_fail_op: StencilOperation::IncrementClamp,
                pass_op: StencilOperation::IncrementClamp,
            };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: None,
                vertex: wgpu::VertexState {
                    module: &layers,
                    entry_point: Some("project"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                // No face is culled: the shader tells entries from exits.
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: Some(stencil(face, 0xff, 0xff)),
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &layers,
                    entry_point: Some("note"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(CROSSING.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let first = passes("pass 1", StencilOperation::IncrementClamp);
        let further = passes("passes 2 to n", StencilOperation::Keep);

        let whole = gpu.shader("bits of the stencil", include_str!("bits.wgsl"));
        let add = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let bit = |number: u32| {
            gpu.inner.counters.objects_created.add(1);
            let face = StencilFaceState { compare: CompareFunction::NotEqual, ..StencilFaceState::IGNORE };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("a bit of the stencil"),
                layout: None,
                vertex: wgpu::VertexState {
                    module: &whole,
                    entry_point: Some("cover"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: Some(stencil(face, 1 << number, 0)),
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &whole,
                    entry_point: Some("one"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: COUNT,
                        blend: Some(wgpu::BlendState { color: add, alpha: add }),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let (first_layout, further_layout) = (first.get_bind_group_layout(0), further.get_bind_group_layout(0));
        Self { first, further, first_layout, further_layout, bits: (0..8).map(bit).collect() }
    }
}
