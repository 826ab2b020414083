//! Volumes as tables: regions of an exact overlap, one line per region and frame; sampled self-overlaps, one line per
//! frame.
//!
//! Frames have the numbers that their files give them; a last column, `animation`, is there where several are played. Names are
//! escaped as in the table of pairs (`csv.rs`). Numbers are written so that they are read back without losing a bit; what was
//! not counted is empty.

use std::io;
use std::path::Path;

use super::sink::{Lines, animation_cell, columns};
use crate::error::WriteError;
use crate::report::{ExactSelfOverlapFrame, ExactVolumeFrame, FrameName, SelfOverlapFrame};
use crate::words::cell;

/// A record of a frame that is some lines of a table.
pub trait TableLines {
    /// The names of the columns between the frame and the names of the bodies.
    const COLUMNS: &'static str;
    /// The columns with the names of bodies.
    const NAMES: &'static str;

    /// What its frame is called.
    fn frame_name(&self) -> FrameName<'_>;

    /// The cells of those columns, one text per line.
    fn lines(&self) -> Vec<String>;
}

impl TableLines for ExactVolumeFrame {
    const COLUMNS: &'static str = "region,volume,area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,\
                                   contact_area,triangles_a,triangles_b,vertices_a,vertices_b";
    const NAMES: &'static str = "name_a,name_b";

    fn frame_name(&self) -> FrameName<'_> {
        self.name()
    }

    fn lines(&self) -> Vec<String> {
        let line = |region: &crate::report::RegionRecord| {
            let ([x, y, z], [i, j, k]) = (region.centroid, region.normal);
            let ([triangles_a, triangles_b], [vertices_a, vertices_b]) = (region.triangles, region.vertices);
            format!(
                "{},{},{},{x},{y},{z},{i},{j},{k},{},{triangles_a},{triangles_b},{vertices_a},{vertices_b}",
                region.id, region.volume, region.area, region.contact_area
            )
        };
        self.regions.iter().map(line).collect()
    }
}

impl TableLines for ExactSelfOverlapFrame {
    const COLUMNS: &'static str =
        "volume,area,centroid_x,centroid_y,centroid_z,normal_x,normal_y,normal_z,triangles,pairs";
    const NAMES: &'static str = "name";

    fn frame_name(&self) -> FrameName<'_> {
        self.name()
    }

    fn lines(&self) -> Vec<String> {
        let line = |region: &crate::report::SelfRegionRecord| {
            let ([x, y, z], [i, j, k]) = (region.centroid, region.normal);
            format!("{},{},{x},{y},{z},{i},{j},{k},{},{}", region.volume, region.area, region.triangles, region.pairs)
        };
        self.regions.iter().map(line).collect()
    }
}

impl TableLines for SelfOverlapFrame {
    const COLUMNS: &'static str = "self_overlap,inverted,columns,triangles";
    const NAMES: &'static str = "name";

    fn frame_name(&self) -> FrameName<'_> {
        self.name()
    }

    fn lines(&self) -> Vec<String> {
        let Self { self_overlap, inverted, columns, .. } = self;
        let triangles = self.triangles.map(|count| count.to_string()).unwrap_or_default();
        vec![format!("{self_overlap},{inverted},{columns},{triangles}")]
    }
}

/// A table of volumes being written.
#[derive(Debug)]
pub struct VolumeCsv {
    lines: Lines,
    /// All cells with names.
    names: String,
    animations: bool,
    count: u64,
}

impl VolumeCsv {
    /// Starts a file, or without one standard output, with the names of the columns; `names` are those of the bodies,
    /// `animations` says whether several are played.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create<R: TableLines>(file: Option<&Path>, names: &[&str], animations: bool) -> Result<Self, WriteError> {
        let first = columns(&format!("frame,{},{}", R::COLUMNS, R::NAMES), animations);
        let lines = match file {
            Some(file) => Lines::create(file, &first)?,
            None => Lines::to_stream(io::stdout(), "standard output", &first)?,
        };
        let names: Vec<String> = names.iter().map(|name| cell(name)).collect();
        Ok(Self { lines, names: names.join(","), animations, count: 0 })
    }

    /// Appends the lines of one frame.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn write_frame(&mut self, record: &impl TableLines) -> Result<(), WriteError> {
        let name = record.frame_name();
        let (frame, animation) = (name.number, animation_cell(name, self.animations));
        for line in record.lines() {
            self.lines.line(format_args!("{frame},{line},{}{animation}", self.names))?;
            self.count += 1;
        }
        Ok(())
    }

    /// Completes the table, whose file takes its name now; returns how many lines have followed the first.
    ///
    /// # Errors
    /// When the table cannot be written.
    pub fn finish(self) -> Result<u64, WriteError> {
        self.lines.finish()?;
        Ok(self.count)
    }
}
