//! The one place where objects of the device are created, so that they can be counted.

use crate::gpu::{Gpu, GpuError};

impl Gpu {
    /// A buffer of at least `size` bytes for storage of that usage.
    pub(crate) fn buffer(
        &self,
        what: &'static str,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let limits = &self.inner.limits;
        let most = if usage.contains(wgpu::BufferUsages::STORAGE) {
            limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
        } else {
            limits.max_buffer_size
        };
        // Copies and clears go by four bytes; an empty binding is refused.
        let size = size.max(16).next_multiple_of(16);
        if size > most {
            return Err(GpuError::TooLarge { what, bytes: size, most });
        }
        self.inner.counters.objects_created.add(1);
        Ok(self.inner.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(what),
            size,
            usage,
            mapped_at_creation: usage.contains(wgpu::BufferUsages::MAP_WRITE),
        }))
    }

    /// A buffer that holds `data` and is never written again.
    pub(crate) fn constant<T: bytemuck::NoUninit>(
        &self,
        what: &'static str,
        data: &[T],
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        let buffer = self.buffer(what, bytes.len() as u64, usage | wgpu::BufferUsages::COPY_DST)?;
        self.inner.queue.write_buffer(&buffer, 0, bytes);
        Ok(buffer)
    }

    /// A target to draw into, with its view.
    pub(crate) fn target(
        &self,
        what: &'static str,
        size: [u32; 2],
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> wgpu::TextureView {
        self.inner.counters.objects_created.add(2);
        let texture = self.inner.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(what),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// What a shader finds at each of its bindings.
    pub(crate) fn bind(
        &self,
        layout: &wgpu::BindGroupLayout,
        bindings: &[(u32, wgpu::BindingResource<'_>)],
    ) -> wgpu::BindGroup {
        self.inner.counters.objects_created.add(1);
        let entries: Vec<wgpu::BindGroupEntry<'_>> = bindings
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding: *binding, resource: resource.clone() })
            .collect();
        self.inner.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }

    /// A shader; `source` is put behind what all shaders share.
    pub(crate) fn shader(&self, what: &'static str, source: &str) -> wgpu::ShaderModule {
        self.inner.counters.objects_created.add(1);
        let source = [include_str!("columns/grid.wgsl"), source].join("\n");
        self.inner.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(what),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        })
    }

    /// Commands to be handed over together.
    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        self.inner.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None })
    }

    /// Hands commands over.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.inner.counters.submissions.add(1);
        self.inner.queue.submit([encoder.finish()]);
    }

    /// Waits until everything handed over is done; nothing is read back. Answers need no waiting for: this is for clocks,
    /// since the later passes of an image by the stencil path go on after `GpuImage::render` has returned.
    ///
    /// # Errors
    /// If the device is lost or refused a command.
    pub fn wait(&self) -> Result<(), GpuError> {
        let polled = self.inner.device.poll(wgpu::PollType::wait_indefinitely());
        self.check()?;
        polled.map(|_| ()).map_err(|error| GpuError::Lost { message: error.to_string() })
    }
}
