//! Reads meshes, sequences and tables of truth.

use std::path::Path;

use crumple::{Body, Mesh};
use crumple_io::read::read_ply;
use crumple_io::{MeshFile, PointCache};

pub(crate) type Error = Box<dyn std::error::Error>;

/// The rows of a table, each a value a column.
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn read(file: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(file)?;
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines().map(split);
        Ok(Self { columns: lines.next().unwrap_or_default(), rows: lines.collect() })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn get(&self, row: usize, column: &str) -> Result<&str, Error> {
        let at = self.columns.iter().position(|name| name == column);
        let value = at.and_then(|at| self.rows[row].get(at));
        value.map(String::as_str).ok_or_else(|| format!("row {row} has no {column}").into())
    }

    pub(crate) fn number(&self, row: usize, column: &str) -> Result<f64, Error> {
        Ok(self.get(row, column)?.parse()?)
    }

    /// The rows whose column `column` is `value`.
    pub(crate) fn rows_with(&self, column: &str, value: &str) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&row| self.get(row, column).is_ok_and(|found| found == value))
    }
}

pub(crate) fn mesh(folder: &Path, name: &str) -> Result<MeshFile, Error> {
    Ok(read_ply(folder.join("static").join(name).with_extension("ply"))?)
}

pub(crate) fn body(file: &MeshFile) -> Result<Body, Error> {
    Ok(Body::new(Mesh::new(file.positions.len(), file.triangles.clone())?, &file.positions)?)
}

/// A deforming body and its frames.
pub(crate) struct Sequence {
    pub(crate) body: Body,
    pub(crate) frames: usize,
    cache: PointCache,
    positions: Vec<[f32; 3]>,
}

impl Sequence {
    /// `name.ply` with its motion `name.pc2`.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        let file = folder.join(name);
        let cache = PointCache::open(file.with_extension("pc2"))?;
        let body = body(&read_ply(file.with_extension("ply"))?)?;
        Ok(Self { body, frames: cache.frame_count(), cache, positions: Vec::new() })
    }

    pub(crate) fn go_to(&mut self, frame: usize) -> Result<(), Error> {
        self.cache.read_frame(frame, &mut self.positions)?;
        Ok(self.body.set_positions(&self.positions)?)
    }
}
