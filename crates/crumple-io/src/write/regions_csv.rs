//! Regions of an exact overlap as a table: one line per region and frame.
//!
//! Frames have the numbers that their files give them; a last column, `animation`, is there where several are played.
//! Names are escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a
//! bit.

use std::io::Write;
use std::path::Path;

use super::sink::{Lines, animation_cell, cell, columns};
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
    animations: bool,
}

impl RegionsCsv {
    /// Starts the file with the names of the columns; `names` are those of the two bodies, `animations` says whether there are
    /// several.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(file: impl AsRef<Path>, names: [&str; 2], animations: bool) -> Result<Self, WriteError> {
        let lines = Lines::create(file.as_ref(), &columns(COLUMNS, animations))?;
        Ok(Self { lines, names: names.map(cell).join(","), animations })
    }

    /// A table that goes to a stream, such as standard output; `called` stands for it in errors.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn to_stream(
        out: impl Write + Send + 'static,
        called: &str,
        names: [&str; 2],
        animations: bool,
    ) -> Result<Self, WriteError> {
        let lines = Lines::to_stream(out, called, &columns(COLUMNS, animations))?;
        Ok(Self { lines, names: names.map(cell).join(","), animations })
    }

    /// Appends the regions of one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &ExactVolumeFrame) -> Result<(), WriteError> {
        let name = record.name();
        let (frame, animation) = (name.number, animation_cell(name, self.animations));
        for region in &record.regions {
            let ([x, y, z], [i, j, k]) = (region.centroid, region.normal);
            let ([triangles_a, triangles_b], [vertices_a, vertices_b]) = (region.triangles, region.vertices);
            self.lines.line(format_args!(
                "{frame},{},{},{},{x},{y},{z},{i},{j},{k},{},{triangles_a},{triangles_b},{vertices_a},{vertices_b},{}{animation}",
                region.id, region.volume, region.area, region.contact_area, self.names
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
