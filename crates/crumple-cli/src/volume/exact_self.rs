//! `volume --self-overlap --exact`: how much a closed body overlaps itself, from the exact pairs of triangles, with the connected
//! regions.

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::contact::enclosed_volume;
use crumple_check::bodies::{MovingBodies, files};
use crumple_check::sink::Out;
use crumple_io::WriteError;
use crumple_io::report::{ExactSelfOverlapFrame, VolumeSummary, micros};
use crumple_io::words::{Align, Table, count, counted, size};
use crumple_io::write::{PageFrame, VolumeCsv};

use super::words::{in_how_many, vector};
use crate::measure::{Measure, Page, Row, Shown};

/// Exact overlaps of a body with itself.
pub(super) struct ExactSelfOverlaps;

impl Measure for ExactSelfOverlaps {
    type Record = ExactSelfOverlapFrame;
    type Summary = VolumeSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, took: Duration) -> Result<ExactSelfOverlapFrame> {
        let id = bodies.ids()[0];
        let (number, animation) = files::numbered(bodies.files(), frame);
        let start = Instant::now();
        let now = bodies.scene.update()?;
        let updated = Instant::now();
        let (overlap, regions) = (now.self_overlap(id)?, now.self_regions(id)?);
        Ok(ExactSelfOverlapFrame {
            frame: frame as u64,
            number,
            animation,
            self_overlap: overlap.volume(),
            enclosed: enclosed_volume(now.body(id)?),
            exact: true,
            regions: regions.iter().map(Into::into).collect(),
            update_us: micros(took + (updated - start)),
            query_us: micros(updated.elapsed()),
        })
    }

    fn row<'r>(&self, record: &'r ExactSelfOverlapFrame) -> Row<'r> {
        let mut cells = vec!["0".into()];
        if record.overlaps() {
            let triangles = record.regions.iter().map(|region| region.triangles).sum();
            cells = vec![size(record.self_overlap, 6), count(record.regions.len() as u64), count(triangles)];
        }
        Row { frame: record.frame, name: record.name(), times_us: [record.update_us, record.query_us], cells }
    }

    fn add(&self, record: &ExactSelfOverlapFrame, summary: &mut VolumeSummary) {
        summary.add_exact_self_overlap(record);
    }

    fn worst(&self, summary: &VolumeSummary) -> f64 {
        summary.worst.map_or(0.0, |worst| worst.volume)
    }

    fn tabulate(&self, record: &ExactSelfOverlapFrame, table: &mut VolumeCsv) -> Result<(), WriteError> {
        table.write_frame(record)
    }

    fn show(&mut self, record: &ExactSelfOverlapFrame, bodies: &mut MovingBodies, page: &mut Page) -> Result<()> {
        let Some(now) = bodies.scene.frame() else { return Ok(()) };
        let found = self.row(record).found(now);
        page.frame(now, None, PageFrame { now: Some(now), ..PageFrame::from(&found) })
    }

    fn note(&self, summary: &VolumeSummary, page: &Page) -> Option<String> {
        let frames = counted(summary.frames, "frame");
        Some(match summary.worst {
            None => format!("It does not overlap itself in {frames}."),
            Some(worst) => format!(
                "It overlaps itself in {}\nof {frames}, most in frame {}:\na volume of {}, exact up to rounding.",
                count(summary.frames_overlapping),
                page.name_of(worst.frame),
                size(worst.volume, 6)
            ),
        })
    }

    fn print(&self, shown: &Shown<ExactSelfOverlapFrame>, summary: &VolumeSummary, out: &mut Out) -> Result<()> {
        let name = &shown.names[0];
        let frames = counted(summary.frames, "frame");
        match (&shown.last, summary.worst) {
            (Some(record), _) if summary.frames == 1 => {
                let (frame, took) = (record.name(), shown.took());
                let inside_out = if record.enclosed < 0.0 { "; it is inside out as a whole" } else { "" };
                if !record.overlaps() {
                    return out.line(format_args!("{name}: it does not overlap itself in frame {frame} ({took})"));
                }
                let volume = size(record.self_overlap, 6);
                out.line(format_args!(
                    "{name}: it overlaps itself by a volume of {volume} in frame {frame} ({took}){inside_out}\n"
                ))?;
                out.table(&regions(record))
            }
            (_, None) => out.line(format_args!("{name}: it does not overlap itself in {frames}")),
            (_, Some(worst)) => {
                let right = Align::Right;
                let columns = [("frame", right), ("volume", right), ("regions", right), ("triangles there", right)];
                let frame = shown.name_of(worst.frame);
                shown.table(&columns, &in_how_many(&format!("{name}: it overlaps itself"), summary, worst, &frame), out)
            }
        }
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        vec![format!("{} exactly, {per_frame} per frame", counted(frames, "frame"))]
    }
}

/// The regions of a frame.
fn regions(record: &ExactSelfOverlapFrame) -> Table {
    let [left, right] = [Align::Left, Align::Right];
    let mut table = Table::new(&[
        ("region", right),
        ("volume", right),
        ("area", right),
        ("around", left),
        ("normal", left),
        ("triangles", right),
    ]);
    for (number, region) in record.regions.iter().enumerate() {
        table.row(vec![
            number.to_string(),
            size(region.volume, 6),
            size(region.area, 6),
            vector(region.centroid),
            vector(region.normal),
            count(region.triangles),
        ]);
    }
    table
}
