//! Primitives that are compressed by Draco (`KHR_draco_mesh_compression`), decoded by the `draco-core` crate.
//!
//! The crate is pure Rust without unsafe code, follows the C++ decoder bit by bit, and takes limits on what a stream may
//! become. Should it panic all the same, the stream counts as damaged.
//! Held by: `tests/files/compressed.rs`, on samples of the encoder on npm, and on damaged copies of them;
//! `fuzz_targets/read_gltf_compressed.rs` is its fuzz target.

use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

use crate::error::Fault;

use super::accessor::Buffers;
use super::document::{Draco, Primitive};

/// The vertices and triangles of one primitive.
pub(super) struct Decoded<'a> {
    mesh: Mesh,
    draco: &'a Draco,
}

impl<'a> Decoded<'a> {
    /// Decodes a primitive, if it is compressed by Draco.
    pub(super) fn of(primitive: &'a Primitive, buffers: &Buffers<'_>) -> Result<Option<Self>, Fault> {
        let Some(draco) = primitive.draco() else {
            return Ok(None);
        };
        let bytes = buffers.view(draco.buffer_view).map_err(Fault::file)?;
        let most = buffers.may_decompress();
        let limits = DecodeLimits::default()
            .with_max_points(most / POINT)
            .with_max_faces(most / FACE)
            .with_max_decoded_bytes(most);
        let mut mesh = Mesh::new();
        let mut source = DecoderBuffer::new(bytes).with_limits(limits);
        let decode = AssertUnwindSafe(|| MeshDecoder::new().decode(&mut source, &mut mesh));
        match catch_unwind(decode) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(Fault::file(format!("its Draco data cannot be decoded: {error}"))),
            Err(_) => return Err(Fault::file("its Draco data is damaged")),
        }
        let (points, faces) = (mesh.num_points() as u64, mesh.num_faces() as u64);
        buffers.decompressed(points * POINT + faces * FACE).map_err(Fault::file)?;
        Ok(Some(Decoded { mesh, draco }))
    }

    /// How many vertices it has.
    pub(super) fn vertex_count(&self) -> usize {
        self.mesh.num_points()
    }

    /// The corners of its triangles, one after another.
    pub(super) fn corners(&self) -> Vec<u32> {
        self.mesh.faces().iter().flatten().map(|point| point.0).collect()
    }

    /// The numbers of an attribute, `N` per vertex, if they are in the compressed data.
    pub(super) fn attribute<const N: usize>(&self, name: &str) -> Result<Option<Vec<[f32; N]>>, Fault> {
        let Some(&id) = self.draco.attributes.get(name) else {
            return Ok(None);
        };
        let found = self.mesh.attribute_by_unique_id(id);
        let Some(found) = found.filter(|attribute| usize::from(attribute.num_components()) == N) else {
            let what = format!("its Draco data has no attribute {id} of {N} numbers, which should be {name}");
            return Err(Fault::file(what));
        };
        let numbers = found.read_f32s(self.mesh.num_points(), N);
        Ok(Some(numbers.as_chunks::<N>().0.to_vec()))
    }
}

/// The bytes that a vertex and a triangle take when they are decoded, about: a position and joints, and three corners.
const POINT: u64 = 16;
const FACE: u64 = 12;
