//! `volume --exact`: how much two closed bodies overlap, from the exact pairs of triangles, with the connected regions.

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple_check::bodies::{MovingBodies, files};
use crumple_check::sink::Out;
use crumple_io::WriteError;
use crumple_io::report::{ExactVolumeFrame, PenetrationRecord, VolumeSummary, micros};
use crumple_io::words::{Align, Table, count, counted, size};
use crumple_io::write::{PageFrame, VolumeCsv};

use super::words::{note, print_overlaps, vector, way};
use crate::measure::{Measure, Page, Row, Shown};

/// Exact overlaps.
pub(super) struct Exact {
    /// Whether it is asked what separates the bodies.
    pub(super) penetration: bool,
}

impl Measure for Exact {
    type Record = ExactVolumeFrame;
    type Summary = VolumeSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, took: Duration) -> Result<ExactVolumeFrame> {
        let (a, b) = (bodies.ids()[0], bodies.ids()[1]);
        let (number, animation) = files::numbered(bodies.files(), frame);
        let start = Instant::now();
        let now = bodies.scene.update()?;
        let updated = Instant::now();
        let overlap = now.overlap(a, b)?;
        let regions = now.regions().map(Into::into).collect();
        let query_us = micros(updated.elapsed());
        let mut record = ExactVolumeFrame {
            frame: frame as u64,
            number,
            animation,
            volume: overlap.volume(),
            exact: true,
            area: overlap.area(),
            centroid: overlap.centroid(),
            regions,
            penetration: None,
            update_us: micros(took + (updated - start)),
            query_us,
        };
        // Where bodies merely touch, what is left of their volume is rounding, and so is its centre.
        if !record.overlaps() {
            record.centroid = None;
        } else if self.penetration {
            let parted = now.separation(a, b)?;
            record.penetration =
                parted.map(|parted| PenetrationRecord { depth: parted.depth, translation: parted.translation() });
        }
        Ok(record)
    }

    fn row<'r>(&self, record: &'r ExactVolumeFrame) -> Row<'r> {
        let mut cells = vec!["0".into()];
        if record.overlaps() {
            let around = vector(record.centroid.unwrap_or_default());
            cells = vec![size(record.volume, 6), size(record.area, 6), around, count(record.regions.len() as u64)];
            cells.extend(record.penetration.as_ref().map(way));
        }
        Row { frame: record.frame, name: record.name(), times_us: [record.update_us, record.query_us], cells }
    }

    fn add(&self, record: &ExactVolumeFrame, summary: &mut VolumeSummary) {
        summary.add_exact(record);
    }

    fn worst(&self, summary: &VolumeSummary) -> f64 {
        summary.worst.map_or(0.0, |worst| worst.volume)
    }

    fn tabulate(&self, record: &ExactVolumeFrame, table: &mut VolumeCsv) -> Result<(), WriteError> {
        table.write_frame(record)
    }

    fn show(&mut self, record: &ExactVolumeFrame, bodies: &mut MovingBodies, page: &mut Page) -> Result<()> {
        let Some(now) = bodies.scene.frame() else { return Ok(()) };
        let found = self.row(record).found(now);
        page.frame(now, None, PageFrame { now: Some(now), ..PageFrame::from(&found) })
    }

    fn note(&self, summary: &VolumeSummary, page: &Page) -> Option<String> {
        Some(note(summary, page, "exact up to rounding"))
    }

    fn print(&self, shown: &Shown<ExactVolumeFrame>, summary: &VolumeSummary, out: &mut Out) -> Result<()> {
        let [left, right] = [Align::Left, Align::Right];
        let mut columns =
            vec![("frame", right), ("volume", right), ("area", right), ("around", left), ("regions", right)];
        columns.extend(self.penetration.then_some(("separated by moving the first by", left)));
        print_overlaps(shown, summary, &columns, out, |bodies, record, out| {
            out.line(format_args!(
                "{bodies}: a volume of {}, an area of {} around {} in frame {} ({})\n",
                size(record.volume, 6),
                size(record.area, 6),
                vector(record.centroid.unwrap_or_default()),
                record.name(),
                shown.took()
            ))?;
            out.table(&regions(record))?;
            let way = record.penetration.as_ref().map(way);
            way.map_or(Ok(()), |way| out.line(format_args!("\nmoving {} by {way} separates them", shown.names[0])))
        })
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        vec![format!("{} exactly, {per_frame} per frame", counted(frames, "frame"))]
    }
}

/// The regions of a frame.
fn regions(record: &ExactVolumeFrame) -> Table {
    let [left, right] = [Align::Left, Align::Right];
    let mut table = Table::new(&[
        ("region", right),
        ("volume", right),
        ("area", right),
        ("around", left),
        ("normal", left),
        ("triangles", right),
    ]);
    for region in &record.regions {
        let [a, b] = region.triangles.map(count);
        table.row(vec![
            region.id.to_string(),
            size(region.volume, 6),
            size(region.area, 6),
            vector(region.centroid),
            vector(region.normal),
            format!("{a} and {b}"),
        ]);
    }
    table
}
