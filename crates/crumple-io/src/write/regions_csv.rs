//! Regions of an exact overlap as a table: one line per region and frame.
//!
//! Names are escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a
//! bit.

use std::io::Write;
use std::path::Path;

use super::sink::{Lines, cell};
use crate::error::WriteError;
use crate::report::ExactVolumeFrame;

const COLUMNS: &str = "frame,region,volume,area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,contact_area,\
                       triangles_a,triangles_b,vertices_a,vertices_b,name_a,name_b";

/// A table of regions being written.
#[derive(Debug)]
pub struct RegionsCsv {
    lines: Lines,
    /// Both cells with names.
    names: String,
}

impl RegionsCsv {
    /// Starts the file with the names of the columns; `names` are those of the two bodies.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>, names: [&str; 2]) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::create(file.as_ref(), COLUMNS)?, names: names.map(cell).join(",") })
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream(out: impl Write + Send + 'static, called: &str, names: [&str; 2]) -> Result<Self, WriteError> {
        Ok(Self { lines: Lines::to_stream(out, called, COLUMNS)?, names: names.map(cell).join(",") })
    }

    /// Appends the regions of one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &ExactVolumeFrame) -> Result<(), WriteError> {
        for region in &record.regions {
            let ([x, y, z], [i, j, k]) = (region.centroid, region.normal);
            let ([triangles_a, triangles_b], [vertices_a, vertices_b]) = (region.triangles, region.vertices);
            self.lines.line(format_args!(
                "{},{},{},{},{x},{y},{z},{i},{j},{k},{},{triangles_a},{triangles_b},{vertices_a},{vertices_b},{}",
                record.frame, region.id, region.volume, region.area, region.contact_area, self.names
            ))?;
        }
        Ok(())
    }

    /// Completes the table; a file takes its name now.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        self.lines.finish()
    }
}
