//! Exact overlaps, for people.

use anyhow::Result;
use crumple_io::report::{ExactVolumeFrame, PenetrationRecord, VolumeSummary};
use crumple_io::words::{Align, Table, count, counted, size, time};

use super::Plan;
use crate::output::frame_rows::FrameRows;
use crate::output::{Answer, say};
use crate::volume::words::vector;

/// What is printed: a line and the regions of a single frame, a table for more frames.
#[derive(Debug, Default)]
pub(super) struct Shown {
    rows: FrameRows,
    last: Option<ExactVolumeFrame>,
    busy_us: f64,
}

impl Shown {
    pub(super) fn add(&mut self, record: ExactVolumeFrame) {
        let cells = if record.overlaps() {
            let around = vector(record.centroid.unwrap_or_default());
            let regions = count(record.regions.len() as u64);
            let mut cells = vec![size(record.volume, 6), size(record.area, 6), around, regions];
            cells.extend(record.penetration.as_ref().map(way));
            cells
        } else {
            vec!["0".into()]
        };
        self.rows.add(record.frame, record.name(), cells);
        self.busy_us += record.update_us + record.query_us;
        self.last = Some(record);
    }

    pub(super) fn print(self, plan: &Plan, summary: &VolumeSummary, answer: &mut Answer) -> Result<()> {
        let bodies = plan.names.join(" × ");
        match (&self.last, summary.worst) {
            (_, None) => answer.line(format_args!("{bodies}: no overlap in {}", counted(summary.frames, "frame")))?,
            (Some(record), Some(_)) if summary.frames == 1 => {
                self.print_frame(&bodies, record, answer)?;
                if let Some(way) = record.penetration.as_ref().map(way) {
                    answer.line(format_args!("\nmoving {} by {way} separates them", plan.names[0]))?;
                }
            }
            (_, Some(worst)) => {
                let [left, right] = [Align::Left, Align::Right];
                let mut columns = vec![("frame", right), ("volume", right), ("area", right)];
                columns.extend([("around", left), ("regions", right)]);
                columns.extend(plan.penetration.then_some(("separated by moving the first by", left)));
                let frame = self.rows.name_of(worst.frame);
                answer.table(&self.rows.fill(Table::new(&columns)))?;
                answer.line("")?;
                answer.line(format_args!(
                    "{bodies}: they overlap in {} of {}, most in frame {frame}: a volume of {}",
                    count(summary.frames_overlapping),
                    counted(summary.frames, "frame"),
                    size(worst.volume, 6)
                ))?;
            }
        }
        if !plan.quiet {
            let per_frame = time(self.busy_us / summary.frames.max(1) as f64);
            say(format_args!("{} exactly, {per_frame} per frame", counted(summary.frames, "frame")));
        }
        Ok(())
    }

    /// A line about the overlap, and a table of its regions.
    fn print_frame(&self, bodies: &str, record: &ExactVolumeFrame, answer: &mut Answer) -> Result<()> {
        answer.line(format_args!(
            "{bodies}: a volume of {}, an area of {} around {} in frame {} ({})\n",
            size(record.volume, 6),
            size(record.area, 6),
            vector(record.centroid.unwrap_or_default()),
            record.name(),
            time(self.busy_us)
        ))?;
        let [left, right] = [Align::Left, Align::Right];
        let columns = [
            ("region", right),
            ("volume", right),
            ("area", right),
            ("around", left),
            ("normal", left),
            ("triangles", right),
        ];
        let mut table = Table::new(&columns);
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
        answer.table(&table)
    }
}

/// What separates the bodies.
fn way(penetration: &PenetrationRecord) -> String {
    vector(penetration.translation)
}
