//! The compute shaders, in the order in which they run.

use crate::gpu::Gpu;

/// A compiled entry of a shader.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Kernels {
    pub(crate) bounds: Kernel,
    pub(crate) choose: Kernel,
    pub(crate) place_samples: Kernel,
    pub(crate) place_vertices: Kernel,
    pub(crate) cross_edges: Kernel,
    pub(crate) cover_rows: Kernel,
    pub(crate) count_crossings: Kernel,
    pub(crate) sum_blocks: Kernel,
    pub(crate) sum_sums: Kernel,
    pub(crate) place_columns: Kernel,
    pub(crate) fill_columns: Kernel,
    pub(crate) sort_columns: Kernel,
    pub(crate) add_up: Kernel,
    pub(crate) count_spans: Kernel,
    pub(crate) write_spans: Kernel,
    pub(crate) add_up_windings: Kernel,
    pub(crate) count_self_spans: Kernel,
    pub(crate) write_self_spans: Kernel,
    pub(crate) test_points: Kernel,
    pub(crate) read_counts: Kernel,
    pub(crate) gather_layers: Kernel,
}

impl Kernels {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let bounds = gpu.shader("bounds", include_str!("columns/bounds.wgsl"));
        let window = gpu.shader("window", include_str!("columns/window.wgsl"));
        let place = gpu.shader("place", include_str!("columns/place.wgsl"));
        let edges = gpu.shader("edges", include_str!("compute/edges.wgsl"));
        let segments = gpu.shader("segments", include_str!("compute/segments.wgsl"));
        let count = gpu.shader("count", include_str!("compute/count.wgsl"));
        let scan = gpu.shader("scan", include_str!("columns/scan.wgsl"));
        let fill = gpu.shader("fill", include_str!("compute/fill.wgsl"));
        let sort = gpu.shader("sort", include_str!("columns/sort.wgsl"));
        let overlap = gpu.shader("overlap", include_str!("queries/overlap.wgsl"));
        let itself = gpu.shader("self-overlap", include_str!("queries/self_overlap.wgsl"));
        let points = gpu.shader("points", include_str!("queries/points.wgsl"));
        let counts = gpu.shader("counts", include_str!("stencil/counts.wgsl"));
        let gather = gpu.shader("gather", include_str!("stencil/gather.wgsl"));
        let kernel = |module: &wgpu::ShaderModule, entry: &str| {
            gpu.inner.counters.objects_created.add(2);
            let pipeline = gpu.inner.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
            let layout = pipeline.get_bind_group_layout(0);
            Kernel { pipeline, layout }
        };
        Self {
            bounds: kernel(&bounds, "bounds"),
            choose: kernel(&window, "choose"),
            place_samples: kernel(&place, "place_samples"),
            place_vertices: kernel(&place, "place_vertices"),
            cross_edges: kernel(&edges, "cross_edges"),
            cover_rows: kernel(&segments, "cover_rows"),
            count_crossings: kernel(&count, "count_crossings"),
            sum_blocks: kernel(&scan, "sum_blocks"),
            sum_sums: kernel(&scan, "sum_sums"),
            place_columns: kernel(&scan, "place_columns"),
            fill_columns: kernel(&fill, "fill_columns"),
            sort_columns: kernel(&sort, "sort_columns"),
            add_up: kernel(&overlap, "add_up"),
            count_spans: kernel(&overlap, "count_spans"),
            write_spans: kernel(&overlap, "write_spans"),
            add_up_windings: kernel(&itself, "add_up_windings"),
            count_self_spans: kernel(&itself, "count_self_spans"),
            write_self_spans: kernel(&itself, "write_self_spans"),
            test_points: kernel(&points, "test_points"),
            read_counts: kernel(&counts, "read_counts"),
            gather_layers: kernel(&gather, "gather_layers"),
        }
    }
}

/// A kernel with what it is bound to and how many groups of threads it runs in.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    group: wgpu::BindGroup,
    groups: [u32; 2],
}

/// Groups side by side before a dispatch is folded into rows, as `thread` in grid.wgsl knows.
const ROW: u64 = 32_768;

impl Bound {
    /// Binds `kernel` for `threads` threads in groups of 64.
    pub(crate) fn new(gpu: &Gpu, kernel: &Kernel, threads: u64, bindings: &[(u32, wgpu::BindingResource<'_>)]) -> Self {
        let groups = threads.div_ceil(64).max(1);
        let groups = [groups.min(ROW) as u32, groups.div_ceil(ROW) as u32];
        Self { group: gpu.bind(&kernel.layout, bindings), groups }
    }

    /// The same in a given number of groups.
    pub(crate) fn in_groups(mut self, groups: u32) -> Self {
        self.groups = [groups, 1];
        self
    }

    pub(crate) fn run(&self, pass: &mut wgpu::ComputePass<'_>, kernel: &Kernel) {
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}
