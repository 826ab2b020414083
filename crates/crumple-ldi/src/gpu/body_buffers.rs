//! A body on the device: what never changes is uploaded once, vertices come every frame or lie there already.
//!
//! Edges are listed once each, whatever number of triangles share them, because crossings are computed an edge at a time
//! (`compute/edges.wgsl`). Removed triangles are left out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{InsideRule, VolumeError, WhichBody};
use crumple::{Body, Mesh};
use wgpu::BufferUsages as Usage;

use crate::gpu::upload::Upload;
use crate::gpu::{Gpu, GpuError};

/// How positions lie in a buffer of the caller's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Three floats after three floats.
    #[default]
    Packed,
    /// Every fourth float is padding, as in an array of `vec4` or `vec3` in a shader.
    Padded,
}

impl Layout {
    /// Floats from one position to the next.
    pub(crate) fn stride(self) -> u32 {
        match self {
            Self::Packed => 3,
            Self::Padded => 4,
        }
    }

    /// Refuses a buffer that cannot hold `count` positions or may not be read by a shader.
    pub(crate) fn check(self, what: &'static str, buffer: &wgpu::Buffer, count: usize) -> Result<(), GpuError> {
        let stride = u64::from(self.stride()) * 4;
        // The last one needs no padding behind it.
        let needed = (count as u64 * stride).saturating_sub(stride - 12);
        if !buffer.usage().contains(Usage::STORAGE) {
            return Err(GpuError::BufferUsage { what, usage: format!("{:?}", buffer.usage()) });
        }
        if buffer.size() < needed {
            return Err(GpuError::BufferSize { what, count, stride, needed, bytes: buffer.size() });
        }
        Ok(())
    }
}

/// A closed body whose triangles and vertices are on the device.
#[derive(Debug)]
pub struct GpuBody {
    gpu: Gpu,
    /// No two bodies have the same, so that what is bound to one is not used for another.
    pub(crate) number: u64,
    mesh: Arc<Mesh>,
    positions: Positions,
    /// Counts and the stride of positions, for the shaders.
    pub(crate) shape: wgpu::Buffer,
    /// The vertices of each triangle.
    pub(crate) corners: wgpu::Buffer,
    /// The edges of each triangle, from its first to its second corner and so on.
    pub(crate) sides: wgpu::Buffer,
    /// The two vertices of each edge.
    pub(crate) ends: wgpu::Buffer,
    pub(crate) edge_count: u32,
    pub(crate) triangle_count: u32,
}

#[derive(Debug)]
enum Positions {
    Uploaded(Upload),
    Callers(wgpu::Buffer),
}

/// Every edge once, and the three edges of each triangle.
fn edges(triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<u32>) {
    let mut uses: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * triangles.len());
    for (number, &[a, b, c]) in (0u32..).zip(triangles) {
        for (side, (from, to)) in (0u32..).zip([(a, b), (b, c), (c, a)]) {
            uses.push(([from.min(to), from.max(to)], 3 * number + side));
        }
    }
    uses.sort_unstable();
    let mut ends = Vec::with_capacity(uses.len() / 2);
    let mut sides = vec![0; uses.len()];
    for same in uses.chunk_by(|first, second| first.0 == second.0) {
        for &(_, side) in same {
            sides[side as usize] = ends.len() as u32;
        }
        ends.push(same[0].0);
    }
    (ends, sides)
}

impl GpuBody {
    /// Uploads a body with its vertices as they are now.
    ///
    /// # Errors
    /// If it does not fit the device, or the device is lost.
    pub fn new(gpu: &Gpu, body: &Body) -> Result<Self, GpuError> {
        let size = body.mesh().vertex_count() as u64 * 12;
        let upload = Upload::new(gpu, "positions", size)?;
        let mut uploaded = Self::with(gpu, Arc::clone(body.mesh()), Positions::Uploaded(upload), Layout::Packed)?;
        uploaded.update(body)?;
        Ok(uploaded)
    }

    /// A body whose vertices lie in a buffer of the caller's; they are read there at every question, without a round trip.
    ///
    /// # Errors
    /// If the buffer is too small for the vertices of the mesh or lacks the usage `STORAGE`.
    pub fn from_buffer(
        gpu: &Gpu,
        mesh: impl Into<Arc<Mesh>>,
        positions: &wgpu::Buffer,
        layout: Layout,
    ) -> Result<Self, GpuError> {
        let mesh = mesh.into();
        layout.check("positions", positions, mesh.vertex_count())?;
        Self::with(gpu, mesh, Positions::Callers(positions.clone()), layout)
    }

    fn with(gpu: &Gpu, mesh: Arc<Mesh>, positions: Positions, layout: Layout) -> Result<Self, GpuError> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        gpu.check()?;
        let triangles: Vec<[u32; 3]> =
            mesh.live_triangles().map(|(_, corners)| corners.map(|vertex| vertex.0)).collect();
        let (ends, sides) = edges(&triangles);
        let (edge_count, triangle_count) = (ends.len() as u32, triangles.len() as u32);
        let shape = [mesh.vertex_count() as u32, layout.stride(), edge_count, triangle_count];
        Ok(Self {
            gpu: gpu.clone(),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            positions,
            shape: gpu.constant("shape", &shape, Usage::UNIFORM)?,
            corners: gpu.constant("triangles", &triangles, Usage::STORAGE)?,
            sides: gpu.constant("edges of triangles", &sides, Usage::STORAGE)?,
            ends: gpu.constant("edges", &ends, Usage::STORAGE)?,
            edge_count,
            triangle_count,
            mesh,
        })
    }

    /// Takes the vertices of `body` as they are now; its triangles too, should they have changed.
    ///
    /// # Errors
    /// If the vertices are the caller's, or the device is lost.
    pub fn update(&mut self, body: &Body) -> Result<(), GpuError> {
        if matches!(self.positions, Positions::Callers(_)) {
            return Err(GpuError::CallersBuffer);
        }
        if !Arc::ptr_eq(&self.mesh, body.mesh()) {
            *self = Self::new(&self.gpu.clone(), body)?;
            return Ok(());
        }
        self.send(body.positions())
    }

    /// Uploads where the vertices are now. Numbers that are not finite are found by the next question.
    ///
    /// # Errors
    /// If there are not as many as vertices, the vertices are the caller's, or the device is lost.
    pub fn set_positions(&mut self, positions: &[[f32; 3]]) -> Result<(), GpuError> {
        let (positions, vertices) = (positions, self.mesh.vertex_count());
        if positions.len() != vertices {
            return Err(GpuError::PositionCount { given: positions.len(), vertices });
        }
        self.send(positions)
    }

    fn send(&mut self, positions: &[[f32; 3]]) -> Result<(), GpuError> {
        self.gpu.check()?;
        match &mut self.positions {
            Positions::Uploaded(upload) => upload.send(&self.gpu, bytemuck::cast_slice(positions)),
            Positions::Callers(_) => Err(GpuError::CallersBuffer),
        }
    }

    /// The mesh whose vertices these are.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    pub(crate) fn positions(&self) -> &wgpu::Buffer {
        match &self.positions {
            Positions::Uploaded(upload) => &upload.target,
            Positions::Callers(buffer) => buffer,
        }
    }

    /// Refuses bodies that have no inside, in the words of the CPU.
    pub(crate) fn check(
        &self,
        gpu: &Gpu,
        body: WhichBody,
        inside: InsideRule,
        assume_closed: bool,
    ) -> Result<(), GpuError> {
        if !gpu.is_same(&self.gpu) {
            return Err(GpuError::OtherContext { body });
        }
        if self.triangle_count == 0 {
            return Err(VolumeError::NoTriangles { body }.into());
        }
        let topology = self.mesh.topology();
        match (topology.open, topology.unbalanced) {
            _ if assume_closed => Ok(()),
            (Some(fault), _) => Err(VolumeError::Open { body, fault }.into()),
            (_, Some(fault)) if inside == InsideRule::WindingNumber => {
                Err(VolumeError::Unbalanced { body, fault }.into())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_listed_once_and_named_by_every_triangle_at_it() {
        let triangles = [[0, 1, 2], [2, 1, 3], [3, 1, 2]];
        let (ends, sides) = edges(&triangles);
        assert_eq!(ends, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(sides, [0, 2, 1, 2, 3, 4, 3, 2, 4]);
    }
}
