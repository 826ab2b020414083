//! The folder of data: which files must be there, and how they are read.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use crumple::{Body, Mesh};
use crumple_io::AnimatedBody;
use crumple_methods::Method;

use crate::checks::impacts;

/// A folder in which every file is there that a check expects.
#[derive(Debug)]
pub(crate) struct Data {
    folder: PathBuf,
}

/// The meshes that stand still.
pub(crate) const MESHES: [&str; 11] = [
    "armadillo_100k",
    "bunny_60k",
    "dragon_150k",
    "dragon_520k",
    "hand_16k",
    "knot_12k",
    "koala_100k",
    "scorpion_100k_selfx",
    "self_intersect_17k_selfx",
    "skull_100k",
    "spot_23k",
];

/// The sequences, each a mesh and a point cache.
const SEQUENCES: [&str; 5] = ["cesium_man", "cheburashka_poses", "cow_poses", "fox_run", "tshirt"];

/// Meshes whose self pairs are listed one by one.
pub(crate) const LISTED: [&str; 3] = ["dragon_150k", "scorpion_100k_selfx", "self_intersect_17k_selfx"];

/// Everything `sequences.csv` speaks of, with the files that hold it: sequences, and two frames by themselves.
pub(crate) fn sequence_files() -> impl Iterator<Item = (&'static str, String)> {
    let cached = SEQUENCES.map(|name| (name, format!("deforming/{name}.ply@deforming/{name}.pc2")));
    let alone = ["cloth_ball92.ply", "cloth_ball93.ply"].map(|name| (name, format!("deforming/{name}")));
    cached.into_iter().chain(alone)
}

/// Other files, as they are named below the folder.
const OTHERS: [&str; 17] = [
    "deforming/cloth_ball92.ply",
    "deforming/cloth_ball93.ply",
    "fcl/env.obj",
    "fcl/rob.obj",
    "ground_truth/mesh_pairs.csv",
    "ground_truth/self_overlap.csv",
    "ground_truth/sequences.csv",
    "ground_truth/static_meshes.csv",
    "ground_truth/tri_tri.csv",
    "scenes/cloth.pc2",
    "scenes/cloth.ply",
    "scenes/cloth_self_pairs.txt",
    "scenes/spheres_a.pc2",
    "scenes/spheres_a.ply",
    "scenes/spheres_b.pc2",
    "scenes/spheres_b.ply",
    "scenes/spheres_pairs.txt",
];

impl Data {
    /// Makes sure of every file first, so that a missing one is not found out after minutes.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let mut files: Vec<String> = OTHERS.iter().map(|&file| file.to_owned()).collect();
        files.extend(MESHES.iter().map(|mesh| format!("static/{mesh}.ply")));
        files.extend(LISTED.iter().map(|mesh| format!("ground_truth/self_pairs_{mesh}.txt")));
        files.extend(impacts::files());
        for sequence in SEQUENCES {
            files.extend(["ply", "pc2"].map(|extension| format!("deforming/{sequence}.{extension}")));
        }
        let missing: Vec<String> = files.into_iter().filter(|file| !folder.join(file).is_file()).collect();
        if !missing.is_empty() {
            bail!("{} lacks {}", folder.display(), missing.join(", "));
        }
        Ok(Self { folder: folder.into() })
    }

    /// A file by its name below the folder.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The rows of a table, without its head.
    pub(crate) fn table(&self, file: &str) -> Result<Table> {
        let path = self.path(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
        let head = lines.next().with_context(|| format!("{file} is empty"))?;
        let rows: Vec<Vec<String>> = lines.collect();
        ensure!(rows.iter().all(|row| row.len() == head.len()), "{file}: a row is longer or shorter than the head");
        Ok(Table { file: file.to_owned(), head, rows })
    }

    /// Lines of whole numbers, parted by spaces.
    pub(crate) fn numbers<const N: usize>(&self, file: &str) -> Result<Vec<[u32; N]>> {
        let path = self.path(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let line = |line: &str| -> Option<[u32; N]> {
            let numbers: Option<Vec<u32>> = line.split(' ').map(|number| number.parse().ok()).collect();
            numbers?.try_into().ok()
        };
        text.lines().map(|words| line(words).with_context(|| format!("{file}: {words:?}"))).collect()
    }

    /// A mesh that stands still, by its name.
    pub(crate) fn mesh(&self, name: &str) -> Result<Sequence> {
        self.sequence(&format!("static/{name}.ply"))
    }

    /// The only body of what is named below the folder; a mesh and its point cache are parted by an `@`.
    pub(crate) fn sequence(&self, files: &str) -> Result<Sequence> {
        let paths: Vec<String> = files.split('@').map(|file| self.path(file).display().to_string()).collect();
        let mut bodies = crumple_io::read(paths.join("@"))?;
        ensure!(bodies.len() == 1, "{files}: {} bodies in place of one", bodies.len());
        Sequence::new(bodies.remove(0))
    }
}

/// A table with named columns.
#[derive(Debug)]
pub(crate) struct Table {
    file: String,
    head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// The cell of a row in the column of this name.
    pub(crate) fn cell<'a>(&self, row: &'a [String], column: &str) -> Result<&'a str> {
        let at = self.head.iter().position(|name| name == column);
        let at = at.with_context(|| format!("{} has no column {column}", self.file))?;
        Ok(&row[at])
    }

    /// The number in the column of this name.
    pub(crate) fn number<T: FromStr>(&self, row: &[String], column: &str) -> Result<T> {
        let cell = self.cell(row, column)?;
        cell.parse().ok().with_context(|| format!("{}: {cell:?} in column {column} is no number", self.file))
    }
}

/// A mesh, and its vertices in every frame.
#[derive(Debug)]
pub(crate) struct Sequence {
    pub(crate) mesh: Arc<Mesh>,
    pub(crate) frames: Vec<Vec<[f32; 3]>>,
}

impl Sequence {
    fn new(mut body: AnimatedBody) -> Result<Self> {
        let mut frames = vec![vec![[0.0; 3]; body.vertex_count()]; body.frame_count()];
        for (number, positions) in frames.iter_mut().enumerate() {
            body.frame(number, positions)?;
        }
        // The truth takes vertices for one where their positions are equal.
        let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?.welded(&frames[0])?;
        Ok(Self { mesh: Arc::new(mesh), frames })
    }

    /// The pairs of its own triangles in every frame, by a method, and how many triangles were left out of each for
    /// having no area.
    pub(crate) fn self_pairs(&self, method: Method) -> Result<Vec<(Vec<[u32; 2]>, u64)>> {
        let mut scene = method.scene();
        let id = scene.add(Body::new(Arc::clone(&self.mesh), &self.frames[0])?);
        scene.set_self_collision(id, true)?;
        let mut all = Vec::new();
        for positions in &self.frames {
            scene.set_positions(id, positions)?;
            let contacts = scene.update()?.contacts();
            let pairs = contacts.iter().flat_map(|contact| contact.pairs).map(|pair| [pair.a.0, pair.b.0]);
            all.push((pairs.collect(), contacts.stats().degenerate));
        }
        Ok(all)
    }
}

/// How many different triangles the pairs involve on one side, or on both.
pub(crate) fn involved(triangles: impl Iterator<Item = u32>) -> usize {
    let mut triangles: Vec<u32> = triangles.collect();
    triangles.sort_unstable();
    triangles.dedup();
    triangles.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_lacks_files_is_refused_with_their_names() {
        let error = Data::open(Path::new("nowhere")).unwrap_err().to_string();
        assert!(error.starts_with("nowhere lacks deforming/cloth_ball92.ply, "), "{error}");
        assert!(error.contains("static/dragon_520k.ply") && error.contains("deforming/fox_run.pc2"), "{error}");
    }

    #[test]
    fn triangles_are_counted_once() {
        assert_eq!(involved([3, 1, 3, 3, 2].into_iter()), 3);
    }
}
