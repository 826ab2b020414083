//! Files that are written at the end of the work.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple_io::write::WholeFile;

/// A file to be written at the end of the work, started before: a path that cannot be written should not cost a minute
/// first. Until it is written, what was there stays.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    file: WholeFile,
}

impl Destination {
    /// Starts the file.
    pub fn create(path: &Path) -> Result<Self> {
        let file = WholeFile::create(path).with_context(|| cannot_be_written(path))?;
        Ok(Self { path: path.into(), file })
    }

    /// Writes the file as a whole and returns where it is.
    pub fn write(self, content: &str) -> Result<PathBuf> {
        let Self { path, mut file } = self;
        let written = file.write_all(content.as_bytes()).and_then(|()| file.finish());
        written.with_context(|| cannot_be_written(&path))?;
        Ok(path)
    }

    /// The file, to be written in parts and finished.
    pub fn into_file(self) -> WholeFile {
        self.file
    }
}

fn cannot_be_written(path: &Path) -> String {
    format!("{}: cannot be written", path.display())
}
