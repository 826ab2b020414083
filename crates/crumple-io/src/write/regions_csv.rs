//! Regions of an exact overlap as a table: one line per region and frame.
//!
//! Names are escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a
//! bit.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::sink::{Sink, cell};
use crate::error::WriteError;
use crate::report::ExactVolumeFrame;

const COLUMNS: &str = "frame,region,volume,area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,contact_area,\
                       triangles_a,triangles_b,vertices_a,vertices_b,name_a,name_b";

/// A table of regions being written.
#[derive(Debug)]
pub struct RegionsCsv {
    out: Sink,
    file: PathBuf,
    /// Both cells with names.
    names: String,
}

impl RegionsCsv {
    /// Starts the file with the names of the columns; `names` are those of the two bodies.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>, names: [&str; 2]) -> Result<Self, WriteError> {
        Self::start(Sink::create(file.as_ref())?, file.as_ref(), names)
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream(out: impl Write + Send + 'static, called: &str, names: [&str; 2]) -> Result<Self, WriteError> {
        Self::start(Sink::to_stream(out), Path::new(called), names)
    }

    fn start(out: Sink, file: &Path, names: [&str; 2]) -> Result<Self, WriteError> {
        let mut table = Self { out, file: file.into(), names: names.map(cell).join(",") };
        writeln!(table.out, "{COLUMNS}").map_err(|source| table.io(source))?;
        Ok(table)
    }

    /// Appends the regions of one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &ExactVolumeFrame) -> Result<(), WriteError> {
        for region in &record.regions {
            let ([x, y, z], [i, j, k]) = (region.centroid, region.normal);
            let ([triangles_a, triangles_b], [vertices_a, vertices_b]) = (region.triangles, region.vertices);
            let written = writeln!(
                self.out,
                "{},{},{},{},{x},{y},{z},{i},{j},{k},{},{triangles_a},{triangles_b},{vertices_a},{vertices_b},{}",
                record.frame, region.id, region.volume, region.area, region.contact_area, self.names
            );
            written.map_err(|source| self.io(source))?;
        }
        Ok(())
    }

    /// Completes the table; a file takes its name now.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        self.out.finish().map_err(|source| WriteError::Io { file: self.file, source })
    }

    fn io(&self, source: io::Error) -> WriteError {
        WriteError::Io { file: self.file.clone(), source }
    }
}
