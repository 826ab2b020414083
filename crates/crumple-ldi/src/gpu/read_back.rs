//! Results on their way from the device to the caller: one buffer, mapped and unmapped, never created twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gpu::{Gpu, GpuError};

/// A buffer the caller may read.
#[derive(Debug)]
pub(crate) struct ReadBack {
    buffer: wgpu::Buffer,
    bytes: Vec<u8>,
    /// Set by the device when the buffer may be read.
    ready: Arc<AtomicBool>,
}

impl ReadBack {
    pub(crate) fn new(gpu: &Gpu, size: u64) -> Result<Self, GpuError> {
        let buffer = gpu.buffer("results", size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)?;
        Ok(Self { buffer, bytes: Vec::new(), ready: Arc::default() })
    }

    /// Makes room for `size` bytes.
    pub(crate) fn grow(&mut self, gpu: &Gpu, size: u64) -> Result<(), GpuError> {
        if size > self.buffer.size() {
            *self = Self::new(gpu, size + size / 2)?;
        }
        Ok(())
    }

    /// Lets commands write a piece of another buffer to `at`.
    pub(crate) fn copy(&self, encoder: &mut wgpu::CommandEncoder, from: &wgpu::Buffer, size: u64, at: u64) {
        encoder.copy_buffer_to_buffer(from, 0, &self.buffer, at, Some(size));
    }

    /// Waits for the commands handed over and reads the first `size` bytes.
    pub(crate) fn read(&mut self, gpu: &Gpu, size: u64) -> Result<&[u8], GpuError> {
        gpu.inner.counters.read_backs.add(1);
        gpu.inner.counters.bytes_read.add(size);
        self.ready.store(false, Ordering::Relaxed);
        let ready = Arc::clone(&self.ready);
        let slice = self.buffer.slice(..size);
        slice.map_async(wgpu::MapMode::Read, move |mapped| ready.store(mapped.is_ok(), Ordering::Release));
        gpu.wait()?;
        if !self.ready.load(Ordering::Acquire) {
            return Err(GpuError::Lost { message: "results could not be read".to_owned() });
        }
        self.bytes.clear();
        let view = slice.get_mapped_range().map_err(|error| GpuError::Lost { message: error.to_string() })?;
        self.bytes.extend_from_slice(&view);
        drop(view);
        self.buffer.unmap();
        Ok(&self.bytes)
    }
}
