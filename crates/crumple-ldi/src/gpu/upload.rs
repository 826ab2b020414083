//! Vertices and points on their way to the device: a buffer that stays mapped between frames, so that a steady frame
//! creates nothing, not even inside the graphics stack (which makes a buffer for each `write_buffer`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gpu::{Gpu, GpuError};

/// A buffer the caller may write, and the one on the device it is copied to.
#[derive(Debug)]
pub(crate) struct Upload {
    staging: wgpu::Buffer,
    pub(crate) target: wgpu::Buffer,
    mapped: Arc<AtomicBool>,
}

impl Upload {
    pub(crate) fn new(gpu: &Gpu, what: &'static str, size: u64) -> Result<Self, GpuError> {
        use wgpu::BufferUsages as Usage;
        let staging = gpu.buffer(what, size, Usage::MAP_WRITE | Usage::COPY_SRC)?;
        let target = gpu.buffer(what, size, Usage::STORAGE | Usage::COPY_DST)?;
        Ok(Self { staging, target, mapped: Arc::new(AtomicBool::new(true)) })
    }

    /// How many bytes there is room for.
    pub(crate) fn capacity(&self) -> u64 {
        self.target.size()
    }

    /// Sends bytes, a multiple of four of them.
    pub(crate) fn send(&mut self, gpu: &Gpu, bytes: &[u8]) -> Result<(), GpuError> {
        if bytes.is_empty() {
            return Ok(());
        }
        // Whoever read results since the last time has waited already.
        if !self.mapped.load(Ordering::Acquire) {
            gpu.wait()?;
        }
        if !self.mapped.load(Ordering::Acquire) {
            return Err(GpuError::Lost { message: "memory for vertices could not be written".to_owned() });
        }
        let size = bytes.len() as u64;
        let view = self.staging.slice(..size).get_mapped_range_mut();
        let mut view = view.map_err(|error| GpuError::Lost { message: error.to_string() })?;
        view.copy_from_slice(bytes);
        drop(view);
        self.staging.unmap();
        self.mapped.store(false, Ordering::Relaxed);
        let mut encoder = gpu.encoder();
        encoder.copy_buffer_to_buffer(&self.staging, 0, &self.target, 0, Some(size));
        gpu.submit(encoder);
        let mapped = Arc::clone(&self.mapped);
        self.staging.map_async(wgpu::MapMode::Write, .., move |result| {
            mapped.store(result.is_ok(), Ordering::Release);
        });
        Ok(())
    }
}
