//! The files `volume --exact` writes beside its answer: the page and the table of regions.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::Frame;
use crumple_io::report::{self, CheckSummary, ContactRecord, ExactVolumeFrame, Header, VolumeSummary};
use crumple_io::words::{counted, size};
use crumple_io::write::{PageFrame, PageWriter, RegionsCsv, WholeFile};

use crate::output::Destination;
use crate::volume::quiet_if_unread;

/// The files asked for.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    page: Option<Page>,
    table: Option<Table>,
}

#[derive(Debug)]
struct Page {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
    summary: CheckSummary,
}

#[derive(Debug)]
struct Table {
    /// `None` for standard output.
    file: Option<PathBuf>,
    regions: RegionsCsv,
    rows: u64,
}

impl Outputs {
    /// Starts the page.
    pub(super) fn with_page(
        mut self,
        file: &Path,
        header: &Header,
        triangles: &[&[[u32; 3]]; 2],
        fps: f64,
    ) -> Result<Self> {
        let out = Destination::create(file)?.into_file();
        let title = format!("{} and {}", header.bodies[0].name, header.bodies[1].name);
        let writer = PageWriter::new(out, &title, header, triangles);
        let writer = writer.with_context(|| file.display().to_string())?.with_fps(fps);
        self.page = Some(Page { file: file.to_owned(), writer, summary: CheckSummary::default() });
        Ok(self)
    }

    /// Starts the table of regions; without a file, on standard output.
    pub(super) fn with_table(mut self, file: Option<&Path>, header: &Header, animations: bool) -> Result<Self> {
        let names = [0, 1].map(|body| header.bodies[body].name.as_str());
        let regions = match file {
            Some(file) => RegionsCsv::create(file, names, animations)?,
            None => RegionsCsv::to_stream(io::stdout(), "standard output", names, animations)?,
        };
        self.table = Some(Table { file: file.map(Path::to_owned), regions, rows: 0 });
        Ok(self)
    }

    /// Takes in a frame.
    pub(super) fn frame(&mut self, record: &ExactVolumeFrame, now: Frame<'_>) -> Result<()> {
        if let Some(Table { regions, rows, .. }) = &mut self.table {
            regions.write_frame(record).map_err(quiet_if_unread)?;
            *rows += record.regions.len() as u64;
        }
        if let Some(Page { file, writer, summary }) = &mut self.page {
            let found = report::Frame {
                frame: record.frame,
                number: record.number,
                animation: record.animation.clone(),
                contacts: now.contacts().iter().map(ContactRecord::from).collect(),
                update_us: record.update_us,
                query_us: record.query_us,
                ..report::Frame::default()
            };
            let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
            let shown = PageFrame { now: Some(now), ..PageFrame::from(&found) };
            writer.frame(&positions, shown).with_context(|| file.display().to_string())?;
            summary.add(&found);
        }
        Ok(())
    }

    /// Completes the files and reports what was written, one line each.
    pub(super) fn finish(self, volumes: &VolumeSummary) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(Page { file, mut writer, summary }) = self.page {
            let frames = counted(volumes.frames, "frame");
            let note = match volumes.worst {
                None => format!("They do not overlap in {frames}."),
                Some(worst) => format!(
                    "They overlap in {} of {frames},\nmost in frame {}: a volume of\n{}, exact up to rounding.",
                    volumes.frames_overlapping,
                    writer.name_of(worst.frame),
                    size(worst.volume, 6)
                ),
            };
            writer.note(note);
            let out = writer.finish(summary).with_context(|| file.display().to_string())?;
            out.finish().with_context(|| format!("{}: cannot be written", file.display()))?;
            lines.push(format!("{}: a page to open in a browser", file.display()));
        }
        if let Some(Table { file, regions, rows }) = self.table {
            regions.finish().map_err(quiet_if_unread)?;
            let file = file.unwrap_or_else(|| "standard output".into());
            lines.push(format!("{}: {}", file.display(), counted(rows, "row")));
        }
        Ok(lines)
    }
}
