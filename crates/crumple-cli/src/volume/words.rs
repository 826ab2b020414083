//! How much two bodies overlap, for people.

use anyhow::Result;
use crumple_io::report::{VolumeFrame, VolumeSummary};

use super::Plan;
use crate::output::frame_rows::FrameRows;
use crate::output::{Answer, say};
use crumple_io::words::{Align, Table, count, counted, size, time};

/// What is printed: a line for a single frame, a table for more.
#[derive(Debug, Default)]
pub(super) struct Shown {
    rows: FrameRows,
    /// The last frame.
    last: Option<VolumeFrame>,
    /// The most columns of each body that do not alternate in any frame.
    unordered: [u64; 2],
    busy_us: f64,
}

impl Shown {
    pub(super) fn add(&mut self, record: VolumeFrame) {
        let cells = if record.volume > 0.0 {
            let error = record.error_estimate.map(|error| size(error, 2));
            let mut cells = vec![size(record.volume, 6)];
            // The GPU returns the volume only.
            cells.extend(error.into_iter().flat_map(|error| [error, around(&record)]));
            cells.extend(separation(&record));
            cells
        } else {
            vec!["0".into()]
        };
        self.rows.add(record.frame, record.name(), cells);
        self.busy_us += record.stage12_us + record.stage3_us;
        for (most, here) in self.unordered.iter_mut().zip(record.unordered_columns.unwrap_or_default()) {
            *most = here.max(*most);
        }
        self.last = Some(record);
    }

    pub(super) fn print(
        self,
        names: &[&str; 2],
        summary: &VolumeSummary,
        plan: &Plan,
        answer: &mut Answer,
    ) -> Result<()> {
        let bodies = format!("{} × {}", names[0], names[1]);
        match (&self.last, summary.worst) {
            (Some(record), Some(_)) if summary.frames == 1 => {
                let more =
                    record.error_estimate.map(|error| format!(" ± {} around {}", size(error, 2), around(record)));
                answer.line(format_args!(
                    "{bodies}: a volume of {}{} in frame {} ({})",
                    size(record.volume, 6),
                    more.unwrap_or_default(),
                    record.name(),
                    time(self.busy_us)
                ))?;
                if let Some(way) = separation(record) {
                    answer.line(format_args!("moving {} by {way} separates them", names[0]))?;
                }
            }
            (_, None) => answer.line(format_args!("{bodies}: no overlap in {}", counted(summary.frames, "frame")))?,
            (_, Some(worst)) => {
                let [left, right] = [Align::Left, Align::Right];
                let mut columns = vec![("frame", right), ("volume", right)];
                columns.extend([("±", right), ("around", left)].into_iter().filter(|_| plan.gpu.is_none()));
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
        for (&columns, name) in self.unordered.iter().zip(names).filter(|(columns, _)| **columns > 0) {
            answer.line(unordered(columns, name))?;
        }
        if !plan.quiet {
            let per_frame = time(self.busy_us / summary.frames.max(1) as f64);
            let frames = counted(summary.frames, "frame");
            let on = plan.gpu.as_ref().map(|(device, path)| format!(" by {} on {}", path.name(), device.name()));
            let on = on.unwrap_or_default();
            say(format_args!(
                "{frames} by depth images of {} samples{on}, {per_frame} per frame",
                plan.options.resolution
            ));
        }
        Ok(())
    }
}

/// A warning about a body whose surface volumes cannot be computed from.
pub(crate) fn unordered(columns: u64, name: &str) -> String {
    let columns = counted(columns, "column");
    format!("entries and exits do not alternate in {columns} of {name}: there it overlaps itself or is not closed")
}

/// The centre of an overlap.
fn around(record: &VolumeFrame) -> String {
    vector(record.centroid.unwrap_or_default())
}

/// What separates the bodies, if that was asked for.
fn separation(record: &VolumeFrame) -> Option<String> {
    record.penetration.map(|penetration| vector(penetration.translation))
}

pub(super) fn vector(coordinates: [f64; 3]) -> String {
    let [x, y, z] = coordinates.map(|x| size(x, 4));
    format!("({x}, {y}, {z})")
}
