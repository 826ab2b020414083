//! The readers, one file a format.

mod ply;
mod point_cache;

use std::path::Path;

use crate::error::{Fault, ReadError};
use crate::mesh_file::MeshFile;

pub use ply::{parse_ply, read_ply};
pub(crate) use point_cache::PC2_MAGIC;
pub use point_cache::{CacheFormat, PointCache};

/// The whole file in memory.
pub(crate) fn bytes_of(file: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(file).map_err(|source| ReadError::Io { file: file.into(), source })
}

/// What a mesh is called when its file does not say: the file's name without folder and extension.
pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Gives a parsed mesh its name, or a parser's complaint its file.
pub(crate) fn named(mesh: Result<MeshFile, Fault>, file: &Path) -> Result<MeshFile, ReadError> {
    let mesh = mesh.map_err(|fault| fault.in_file(file))?;
    Ok(MeshFile { name: name_of(file), ..mesh })
}
