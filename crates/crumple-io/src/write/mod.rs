//! The writers, one file per format. Every file appears whole or not at all: see `whole.rs`.

mod csv;
mod obj;
mod page;
mod ply;
mod point_cache;
mod sink;
mod volume_csv;
mod whole;

use std::io::{self, Write};
use std::path::Path;

use crate::error::WriteError;
use crate::mesh_file::MeshFile;

pub use csv::{CsvColumns, PairsCsv};
pub use obj::{write_obj, write_obj_marked};
pub use page::{DepthsShown, NearShown, Overlap, PageError, PageFrame, PageWriter};
pub use ply::{write_ply, write_ply_marked};
pub use point_cache::PointCacheWriter;
pub use volume_csv::{TableLines, VolumeCsv};
pub use whole::{WholeFile, abandon_all, followed, has_unfinished};

/// The playground: a page of one file that simulates and collides by itself. `web/playground` is its source.
pub const PLAYGROUND: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/playground.html"));

/// Creates `file` and hands a buffered writer to `fill`.
pub(crate) fn create(file: &Path, fill: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), WriteError> {
    let write = || {
        let mut out = WholeFile::create(file)?;
        fill(&mut out)?;
        out.finish()
    };
    write().map_err(|source| WriteError::Io { file: file.into(), source })
}

/// Refuses triangles that name a vertex which is not there: no program could read the file.
pub(crate) fn check_triangles(mesh: &MeshFile, file: &Path) -> Result<(), WriteError> {
    let vertices = mesh.positions.len();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
            return Err(WriteError::Mismatch {
                file: file.into(),
                what: format!("triangle {triangle} uses vertex {vertex}, but the mesh has {vertices} vertices"),
                hint: None,
            });
        }
    }
    Ok(())
}

/// For each triangle whether it is one of `colliding`.
pub(crate) fn marks(mesh: &MeshFile, colliding: &[u32], file: &Path) -> Result<Vec<bool>, WriteError> {
    let mut marks = vec![false; mesh.triangles.len()];
    for &triangle in colliding {
        let Some(mark) = marks.get_mut(triangle as usize) else {
            return Err(WriteError::Mismatch {
                file: file.into(),
                what: format!("there is no triangle {triangle}: the mesh has {}", mesh.triangles.len()),
                hint: None,
            });
        };
        *mark = true;
    }
    Ok(marks)
}

/// A number as short as it can be written without losing a bit.
pub(crate) fn write_float(out: &mut impl Write, value: f32) -> io::Result<()> {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e7).contains(&size) { write!(out, "{value}") } else { write!(out, "{value:e}") }
}
