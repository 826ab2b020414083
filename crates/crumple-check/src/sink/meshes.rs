//! `--export`: the bodies that collide, one file per frame, with what collides marked.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use crumple_io::report::Frame;
use crumple_io::write::{write_obj_marked, write_ply_marked};
use crumple_io::{Encoding, MeshFile};

use super::{FilesInUse, Sink, View};
use crate::options::ExportFormat;
use crate::outcome::Outcome;
use crate::run::Check;

/// A folder of `name_####` files, which can be read again as a sequence.
#[derive(Debug)]
pub(super) struct Meshes {
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
    /// Makes the folder.
    pub(super) fn new(folder: &Path, check: &Check, in_use: &FilesInUse) -> Result<Self> {
        let body = |(name, mesh): (String, &Arc<crumple::Mesh>)| Mesh { name, triangles: mesh.indices().to_vec() };
        let names = file_names(check.header().bodies.iter().map(|body| body.name.as_str()));
        let bodies = names.into_iter().zip(check.meshes()).map(body).collect();
        let frames = check.span();
        let digits = (frames.end - 1).to_string().len().max(4);
        let format = check.options().export_format;
        let meshes = Self { folder: folder.into(), format, digits, bodies, written: 0 };
        in_use.write_into("--export", folder, meshes.names(&frames))?;
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made a folder", folder.display()))?;
        Ok(meshes)
    }

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

    fn write(&mut self, record: &Frame<'_>, positions: &[&[[f32; 3]]]) -> Result<()> {
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

impl Sink for Meshes {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        let Some(now) = view.now else { return Ok(()) };
        let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
        self.write(view.found, &positions)
    }

    fn end(self: Box<Self>, _: &Outcome) -> Result<Option<String>> {
        let folder = self.folder.display();
        Ok(Some(match self.written {
            0 => format!("{folder}: no meshes, since nothing collides"),
            1 => format!("{folder}: 1 mesh with what collides marked"),
            many => format!("{folder}: {many} meshes with what collides marked"),
        }))
    }

    fn needs_positions(&self) -> bool {
        true
    }
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
            volume: None,
            pairs: Some(pairs.to_vec().into()),
        };
        let contacts = vec![contact(0, 0, &[[3, 9], [3, 7]]), contact(0, 1, &[[9, 1]]), contact(1, 2, &[[4, 0]])];
        let record = Frame { contacts, ..Frame::default() };
        assert_eq!([0, 1, 2, 3].map(|body| colliding(&record, body)), [vec![3, 7, 9], vec![1, 4], vec![0], vec![]]);
    }
}
