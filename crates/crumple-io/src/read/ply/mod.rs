//! PLY: a text header that describes records, then the records as text or in either byte order.
//!
//! Our own reader: the header allows any order and type of properties, and the common crates either read each record
//! into a map of names (some twenty times slower than a copy) or trust the announced counts with memory.
//! Vertices need `x`, `y` and `z`; faces `vertex_indices` or `vertex_index`; everything else is stepped over. A file
//! without faces is a set of points.
//!
//! Cost: binary vertices and triangles of the usual layout are copied in one pass; no list is made longer than the
//! bytes that are there, whatever the header announces.

mod ascii;
mod binary;
mod header;

use std::path::Path;

use crate::error::{Fault, ReadError};
use crate::foreign::explained;
use crate::mesh_file::{Encoding, MeshFile};
use crate::text::Real;

use super::{AnyMesh, Precision, Vertices, bytes_of, cut, named};

/// Reads a PLY file of any encoding.
///
/// # Errors
/// When the file cannot be opened, is not PLY, ends early, names a vertex it does not have or has a coordinate that is
/// not finite.
pub fn read_ply(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let file = file.as_ref();
    parse_ply(&bytes_of(file)?, file)
}

/// Reads PLY from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_ply`].
pub fn parse_ply(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    cut(named(parse(bytes), bytes, file.as_ref()))
}

/// As [`read_ply`], with the vertices as `wanted` says and every polygon a fan; also how many vertices there are.
pub(crate) fn read_ply_fans(file: &Path, wanted: Vertices) -> Result<(MeshFile, usize), ReadError> {
    let bytes = bytes_of(file)?;
    let (header, body) = header::parse(&bytes).map_err(|fault| explained(fault, &bytes).in_file(file))?;
    Ok((named(parse_body(&header, &bytes, body, wanted), &bytes, file)?, header.vertices))
}

/// As [`read_ply`], with every polygon a fan. Asked for f64, numbers are kept as they are: as f32 where the header
/// says `float` or an integer that fits.
pub(crate) fn read_ply_as(file: &Path, precision: Precision, wanted: Vertices) -> Result<AnyMesh, ReadError> {
    let bytes = bytes_of(file)?;
    let (header, body) = header::parse(&bytes).map_err(|fault| explained(fault, &bytes).in_file(file))?;
    Ok(match precision {
        Precision::F64 if header.needs_f64() => {
            AnyMesh::F64(named(parse_body(&header, &bytes, body, wanted), &bytes, file)?)
        }
        _ => AnyMesh::F32(named(parse_body(&header, &bytes, body, wanted), &bytes, file)?),
    })
}

/// A scalar property of the vertices, one number per vertex; `None` if they have none of that name.
pub(crate) fn ply_weights(bytes: &[u8], file: &Path, name: &str) -> Result<Option<Vec<f32>>, ReadError> {
    let in_file = |fault: Fault| explained(fault, bytes).in_file(file);
    let (mut header, body) = header::parse(bytes).map_err(in_file)?;
    if !header.read_in_place_of_positions(name) {
        return Ok(None);
    }
    let read = parse_body::<f32>(&header, bytes, body, Vertices::AsTheyAre).map_err(in_file)?;
    Ok(Some(read.positions.iter().map(|[weight, ..]| *weight).collect()))
}

fn parse(bytes: &[u8]) -> Result<MeshFile, Fault> {
    let (header, body) = header::parse(bytes)?;
    parse_body(&header, bytes, body, Vertices::Checked)
}

fn parse_body<C: Real>(
    header: &header::Header,
    bytes: &[u8],
    body: usize,
    wanted: Vertices,
) -> Result<MeshFile<C>, Fault> {
    match header.encoding {
        Encoding::Ascii => ascii::parse(header, bytes, body, wanted),
        Encoding::LittleEndian => binary::parse::<false, C>(header, bytes, body, wanted),
        Encoding::BigEndian => binary::parse::<true, C>(header, bytes, body, wanted),
    }
}

#[cfg(test)]
mod tests;
