//! Overlaps for people.

use anyhow::Result;
use crumple_bench::gpu::{Device, Path};
use crumple_check::sink::Out;
use crumple_io::report::{PenetrationRecord, VolumeSummary, WorstVolume};
use crumple_io::words::{Align, count, counted, size};

use crate::measure::{Page, Shown};

/// Prints how much two bodies overlap: by `one` in a single frame, else a table of these columns.
pub(super) fn print_overlaps<R>(
    shown: &Shown<R>,
    summary: &VolumeSummary,
    columns: &[(&'static str, Align)],
    out: &mut Out,
    one: impl FnOnce(&str, &R, &mut Out) -> Result<()>,
) -> Result<()> {
    let bodies = shown.names.join(" × ");
    let frames = counted(summary.frames, "frame");
    match (&shown.last, summary.worst) {
        (_, None) => out.line(format_args!("{bodies}: no overlap in {frames}")),
        (Some(record), Some(_)) if summary.frames == 1 => one(&bodies, record, out),
        (_, Some(worst)) => {
            let frame = shown.name_of(worst.frame);
            shown.table(columns, &in_how_many(&format!("{bodies}: they overlap"), summary, worst, &frame), out)
        }
    }
}

/// In how many frames there is an overlap, and where it is largest.
pub(super) fn in_how_many(what: &str, summary: &VolumeSummary, worst: WorstVolume, frame: &str) -> String {
    let (overlapping, frames) = (count(summary.frames_overlapping), counted(summary.frames, "frame"));
    let volume = size(worst.volume, 6);
    format!("{what} in {overlapping} of {frames}, most in frame {frame}: a volume of {volume}")
}

/// What all frames come to, for a page; `how` exact they are.
pub(super) fn note(summary: &VolumeSummary, page: &Page, how: &str) -> String {
    let frames = counted(summary.frames, "frame");
    match summary.worst {
        None => format!("They do not overlap in {frames}."),
        Some(worst) => format!(
            "They overlap in {} of {frames},\nmost in frame {}: a volume of\n{}, {how}.",
            count(summary.frames_overlapping),
            page.name_of(worst.frame),
            size(worst.volume, 6)
        ),
    }
}

/// A warning about a body whose surface volumes cannot be computed from.
pub(crate) fn unordered(columns: u64, name: &str) -> String {
    let columns = counted(columns, "column");
    format!("entries and exits do not alternate in {columns} of {name}: there it overlaps itself or is not closed")
}

/// Where images are made, if not here.
pub(crate) fn on(gpu: Option<&(Device, Path)>) -> String {
    gpu.map(|(device, path)| format!(" by {} on {}", path.name(), device.name())).unwrap_or_default()
}

/// What separates two bodies.
pub(super) fn way(penetration: &PenetrationRecord) -> String {
    vector(penetration.translation)
}

pub(super) fn vector(coordinates: [f64; 3]) -> String {
    let [x, y, z] = coordinates.map(|x| size(x, 4));
    format!("({x}, {y}, {z})")
}
