//! The files `check` writes beside its answer: the page, the table of pairs, meshes with what collides marked.
//!
//! All are started before the work is, and take their names when they are complete: with what was found so far, whenever
//! the work ends, unless one of them cannot be written. Then all stay as they were, but for meshes, which are complete one
//! by one.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple_io::report::{CheckSummary, Frame, Header};
use crumple_io::write::{PageFrame, PageWriter, WholeFile, write_obj_marked, write_ply_marked};
use crumple_io::{CsvColumns, Encoding, MeshFile, PairsCsv, WriteError};

use super::baseline::Baseline;
use super::shading::Shading;
use crate::args::ExportFormat;
use crate::near_shown::Nearness;
use crate::output::{Destination, FilesInUse};
use crumple_io::words::counted;

/// The files asked for.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    page: Option<Page>,
    pairs: Option<Table>,
    meshes: Option<Meshes>,
    /// Where the baseline goes.
    pub(super) baseline: Option<(PathBuf, Destination)>,
    have_failed: bool,
}

/// What does not change from frame to frame: names and triangles of all bodies.
#[derive(Debug)]
pub(super) struct SceneMeshes<'a> {
    pub(super) header: &'a Header,
    pub(super) triangles: Vec<&'a [[u32; 3]]>,
}

/// What the page shows beside contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// Vertices closer than this are coloured, if it is given.
    pub(super) clearance: Option<f64>,
    /// Whether vertices inside other bodies are shaded.
    pub(super) depth: bool,
}

impl Outputs {
    /// Starts the page.
    pub(super) fn with_page(
        mut self,
        file: &Path,
        title: &str,
        scene: &SceneMeshes<'_>,
        fps: f64,
        shown: Shown,
    ) -> Result<Self> {
        let out = Destination::create(file)?.into_file();
        let writer = PageWriter::new(out, title, scene.header, &scene.triangles);
        let mut writer = writer.with_context(|| file.display().to_string())?.with_fps(fps);
        if let Some(clearance) = shown.clearance {
            writer = writer.with_clearance(clearance);
        }
        if shown.depth {
            writer = writer.with_depths();
        }
        let (nearness, shading) = (shown.clearance.map(Nearness::new), shown.depth.then(Shading::default));
        self.page = Some(Page { file: file.into(), writer, nearness, shading });
        Ok(self)
    }

    /// Adds a line to the page, if there is one.
    pub(super) fn note(&mut self, line: String) {
        if let Some(Page { writer, .. }) = &mut self.page {
            writer.note(line);
        }
    }

    /// Starts the table of pairs, with or without impacts and distances.
    pub(super) fn with_pairs(self, file: &Path, names: &[String], columns: CsvColumns) -> Result<Self> {
        Ok(self.with_table(Some(file.into()), PairsCsv::create_with(file, names, columns)?, columns))
    }

    /// Starts the table of pairs on standard output.
    pub(super) fn with_pairs_on_stdout(self, names: &[String], columns: CsvColumns) -> Result<Self> {
        let table = PairsCsv::to_stream(io::stdout(), "standard output", names, columns)?;
        Ok(self.with_table(None, table, columns))
    }

    fn with_table(mut self, file: Option<PathBuf>, table: PairsCsv, columns: CsvColumns) -> Self {
        let (impacts, distances) = (columns.impacts.then_some(0), columns.distances.then_some(0));
        self.pairs = Some(Table { file, table: Some(table), rows: 0, impacts, distances });
        self
    }

    /// Makes the folder for marked meshes of some of these frames.
    pub(super) fn with_meshes(
        mut self,
        folder: &Path,
        format: ExportFormat,
        scene: &SceneMeshes<'_>,
        frames: &Range<usize>,
        in_use: &FilesInUse,
    ) -> Result<Self> {
        let body = |(name, triangles): (String, &&[[u32; 3]])| Mesh { name, triangles: triangles.to_vec() };
        let names = file_names(scene.header.bodies.iter().map(|body| body.name.as_str()));
        let bodies = names.into_iter().zip(&scene.triangles).map(body).collect();
        let digits = (frames.end - 1).to_string().len().max(4);
        let meshes = Meshes { folder: folder.into(), format, digits, bodies, written: 0 };
        in_use.write_into("--export", folder, meshes.names(frames))?;
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made a folder", folder.display()))?;
        self.meshes = Some(meshes);
        Ok(self)
    }

    /// Takes in a frame: meshes are marked by all pairs found, the page and the table show those to be `listed`.
    ///
    /// The page comes last, so that it never shows more frames than the summary it is completed with.
    pub(super) fn frame(&mut self, found: &Frame<'_>, listed: &Frame<'_>, now: crumple::Frame<'_>) -> Result<()> {
        let taken_in = self.take_in(found, listed, now);
        self.have_failed |= taken_in.is_err();
        taken_in
    }

    fn take_in(&mut self, found: &Frame<'_>, listed: &Frame<'_>, now: crumple::Frame<'_>) -> Result<()> {
        let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
        if let Some(meshes) = &mut self.meshes {
            meshes.frame(found, &positions)?;
        }
        if let Some(Table { file, table: slot @ Some(_), rows, impacts, distances }) = &mut self.pairs
            && let Some(table) = slot
        {
            match table.write_frame(listed) {
                Err(error) if file.is_none() && is_closed_pipe(&error) => *slot = None,
                written => written?,
            }
            *rows += listed.contacts.iter().map(|contact| contact.listed().len()).sum::<usize>();
            if let Some(impacts) = impacts {
                *impacts += listed.impacts.as_ref().map_or(0, |found| found.len());
            }
            if let Some(distances) = distances {
                *distances += listed.near.as_ref().map_or(0, Vec::len);
            }
        }
        if let Some(Page { file, writer, nearness, shading }) = &mut self.page {
            let bodies = found.near.iter().flatten().map(|near| (near.a, near.b));
            let near = nearness.as_mut().map(|nearness| nearness.of(now, bodies)).transpose()?;
            let depths = shading.as_mut().map_or(Ok(&[][..]), |shading| shading.of(now, found))?;
            let shown = PageFrame { near: near.map(|near| &*near), depths, ..PageFrame::from(listed) };
            writer.frame(&positions, shown).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }

    /// Whether one of them could not be written.
    pub(super) fn have_failed(&self) -> bool {
        self.have_failed
    }

    /// Whether any of them is a file.
    pub(super) fn have_files(&self) -> bool {
        self.page.is_some()
            || self.baseline.is_some()
            || self.meshes.is_some()
            || self.pairs.as_ref().is_some_and(|table| table.file.is_some())
    }

    /// Whether the table goes to standard output and nobody reads it any more.
    pub(super) fn have_lost_stdout(&self) -> bool {
        self.pairs.as_ref().is_some_and(|table| table.table.is_none())
    }

    /// Completes the files, the page with the summary of all frames, and reports what was written, one line each. A baseline
    /// comes with the number of findings that it was made of.
    pub(super) fn finish(self, summary: &CheckSummary, (baseline, found): (&Baseline, u64)) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some((file, destination)) = self.baseline {
            destination.write(&baseline.text()?)?;
            // Episodes of two bodies share an entry.
            let entries = match baseline.len() as u64 {
                same if same == found => String::new(),
                entries => format!(", in {}", counted(entries, "entry")),
            };
            lines.push(format!("{}: a baseline of {}{entries}", file.display(), counted(found, "finding")));
        }
        if let Some(Page { file, writer, .. }) = self.page {
            let out = writer.finish(summary.clone()).with_context(|| file.display().to_string())?;
            out.finish().with_context(|| format!("{}: cannot be written", file.display()))?;
            lines.push(format!("{}: a page to open in a browser", file.display()));
        }
        if let Some(Table { file, table: Some(table), rows, impacts, distances }) = self.pairs {
            match table.finish() {
                Err(error) if file.is_none() && is_closed_pipe(&error) => {}
                finished => finished?,
            }
            let file = file.unwrap_or_else(|| "standard output".into());
            let more = |count: Option<usize>, word| {
                count.map(|count| format!(", {}", counted(count as u64, word))).unwrap_or_default()
            };
            let (impacts, distances) = (more(impacts, "impact"), more(distances, "distance"));
            lines.push(format!("{}: {}{impacts}{distances}", file.display(), counted(rows as u64, "pair")));
        }
        if let Some(Meshes { folder, written, .. }) = self.meshes {
            lines.push(match written {
                0 => format!("{}: no meshes, since nothing collides", folder.display()),
                1 => format!("{}: 1 mesh with what collides marked", folder.display()),
                many => format!("{}: {many} meshes with what collides marked", folder.display()),
            });
        }
        Ok(lines)
    }
}

#[derive(Debug)]
struct Page {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
    /// Where there is a clearance.
    nearness: Option<Nearness>,
    /// Where depths are asked for.
    shading: Option<Shading>,
}

#[derive(Debug)]
struct Table {
    /// `None` for standard output.
    file: Option<PathBuf>,
    /// `None` once nobody reads it any more.
    table: Option<PairsCsv>,
    rows: usize,
    /// Impacts written, where they are.
    impacts: Option<usize>,
    /// The same of distances.
    distances: Option<usize>,
}

/// A folder of `name_####` files, which can be read again as a sequence.
#[derive(Debug)]
struct Meshes {
    folder: PathBuf,
    format: ExportFormat,
    digits: usize,
    bodies: Vec<Mesh>,
    written: u64,
}

#[derive(Debug)]
struct Mesh {
    name: String,
    triangles: Vec<[u32; 3]>,
}

impl Meshes {
    fn extension(&self) -> &'static str {
        match self.format {
            ExportFormat::Ply => "ply",
            ExportFormat::Obj => "obj",
        }
    }

    /// Whether a file of a name may be written for one of these frames. File systems may ignore case, so this does.
    fn names(&self, frames: &Range<usize>) -> impl Fn(&OsStr) -> bool + use<> {
        let bodies: HashSet<String> = self.bodies.iter().map(|body| body.name.to_lowercase()).collect();
        let (frames, digits, ending) = (frames.clone(), self.digits, format!(".{}", self.extension()));
        move |name| {
            let name = name.to_string_lossy().to_lowercase();
            let parts = name.strip_suffix(&ending).and_then(|name| name.rsplit_once('_'));
            parts.is_some_and(|(body, number)| {
                let frame = number.parse().ok().filter(|frame| frames.contains(frame));
                bodies.contains(body) && frame.is_some_and(|frame| format!("{frame:0digits$}") == number)
            })
        }
    }

    fn frame(&mut self, record: &Frame<'_>, positions: &[&[[f32; 3]]]) -> Result<()> {
        let extension = self.extension();
        for (number, (body, positions)) in (0..).zip(self.bodies.iter_mut().zip(positions)) {
            let colliding = colliding(record, number);
            if colliding.is_empty() {
                continue;
            }
            let name = format!("{}_{:0digits$}.{extension}", body.name, record.frame, digits = self.digits);
            let file = self.folder.join(name);
            // Lent for the time of writing, so that triangles are copied once and not every frame.
            let mesh = MeshFile {
                positions: positions.to_vec(),
                triangles: std::mem::take(&mut body.triangles),
                ..MeshFile::default()
            };
            let written = match self.format {
                ExportFormat::Ply => write_ply_marked(file, &mesh, &colliding, Encoding::LittleEndian),
                ExportFormat::Obj => write_obj_marked(file, &mesh, &colliding),
            };
            body.triangles = mesh.triangles;
            written?;
            self.written += 1;
        }
        Ok(())
    }
}

/// Whether an error only means that the reader of standard output has closed it.
fn is_closed_pipe(error: &WriteError) -> bool {
    matches!(error, WriteError::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

/// The triangles of a body that meet another, in order.
fn colliding(record: &Frame<'_>, body: u32) -> Vec<u32> {
    let mut triangles = Vec::new();
    for contact in &record.contacts {
        for (side, _) in [contact.a, contact.b].iter().enumerate().filter(|(_, of)| **of == body) {
            triangles.extend(contact.listed().iter().map(|pair| pair[side]));
        }
    }
    triangles.sort_unstable();
    triangles.dedup();
    triangles
}

/// Names for files, from names that may hold anything and may differ in what a file system does not see.
fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::new();
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.+".contains(letter) { letter } else { '_' };
    let mut unique = Vec::new();
    for (number, name) in names.enumerate() {
        let plain: String = name.chars().map(plain).take(100).collect();
        let plain = plain.trim_start_matches('.');
        let mut name = if plain.is_empty() { "body".to_owned() } else { plain.to_owned() };
        while !taken.insert(name.to_lowercase()) {
            name = format!("{name}-{number}");
        }
        unique.push(name);
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::ContactRecord;

    #[test]
    fn names_of_files_are_plain_and_unlike_each_other() {
        let names = ["cloth", "Cloth", "../up", "", "a/b", "a_b", "naïve #3"];
        let expected = ["cloth", "Cloth-1", "_up", "body", "a_b", "a_b-5", "naïve__3"];
        assert_eq!(file_names(names.into_iter()), expected);
    }

    #[test]
    fn triangles_are_marked_on_either_side_and_once() {
        let contact = |a, b, pairs: &[[u32; 2]]| ContactRecord {
            a,
            b,
            count: 2,
            depth: None,
            area: None,
            pairs: Some(pairs.to_vec().into()),
        };
        let contacts = vec![contact(0, 0, &[[3, 9], [3, 7]]), contact(0, 1, &[[9, 1]]), contact(1, 2, &[[4, 0]])];
        let record = Frame { contacts, ..Frame::default() };
        assert_eq!([0, 1, 2, 3].map(|body| colliding(&record, body)), [vec![3, 7, 9], vec![1, 4], vec![0], vec![]]);
    }
}
