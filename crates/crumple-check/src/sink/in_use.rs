//! Refuses outputs that would overwrite an input or another output, before anything is written.
//!
//! Two names stand for one file if they lead to the same place when links are followed, or, on Unix, if the file system
//! says that they are one file (hard links, file systems that ignore case). Pipes and devices are not files in this sense.
//!
//! Held by: `tests/command/overwriting.rs`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use crumple_io::Source;
use crumple_io::write::followed;

use crate::error::hinted;

/// The files that this run reads and writes.
#[derive(Debug, Default)]
pub struct FilesInUse {
    /// What each is used for, in words.
    uses: HashMap<Key, String>,
}

/// What a file is recognised by.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Path(PathBuf),
    /// Device and number on it.
    #[cfg(unix)]
    Inode(u64, u64),
}

impl FilesInUse {
    /// Standard output, if it goes to a file; else nothing.
    pub fn new() -> Self {
        let mut files = Self::default();
        if cfg!(target_os = "linux") {
            files.add(keys(Path::new("/dev/stdout")), "standard output");
        }
        files
    }

    /// Takes in the files that are read for what a user named.
    pub fn read(&mut self, source: &Source) {
        for file in source.files() {
            self.add(keys(&file), &format!("the input {}", file.display()));
        }
    }

    /// Takes in all files of a folder and of the folders in it, as inputs.
    pub fn read_folder(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.read_folder(&path);
            } else {
                self.add(keys(&path), &format!("the input {}", path.display()));
            }
        }
    }

    /// Takes in a file that is to be written.
    ///
    /// # Errors
    /// If it is in use already.
    pub fn write(&mut self, option: &str, file: &Path) -> Result<()> {
        let (keys, what) = (keys(file), format!("{option} {}", file.display()));
        match keys.iter().find_map(|key| self.uses.get(key)) {
            Some(other) => Err(hinted(format!("{what} would overwrite {other}"), "choose another name")),
            None => {
                self.add(keys, &what);
                Ok(())
            }
        }
    }

    /// Takes in the files that may be written into a folder: those whose name `is_written` accepts.
    ///
    /// # Errors
    /// If one of them is in use already.
    pub fn write_into(&self, option: &str, folder: &Path, is_written: impl Fn(&OsStr) -> bool) -> Result<()> {
        let refuse = |file: &Path, other: &str| {
            let what = format!("{option} {} would overwrite {other}, as {}", folder.display(), file.display());
            Err(hinted(what, "choose another folder"))
        };
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let file = entry.path();
            if is_written(&entry.file_name())
                && let Some(other) = keys(&file).iter().find_map(|key| self.uses.get(key))
            {
                return refuse(&file, other);
            }
        }
        // Files that are not there yet, such as another output, have no entry.
        let Ok(folder_path) = std::fs::canonicalize(folder) else { return Ok(()) };
        for (key, other) in &self.uses {
            if let Key::Path(file) = key
                && file.parent() == Some(&folder_path)
                && file.file_name().is_some_and(&is_written)
            {
                return refuse(file, other);
            }
        }
        Ok(())
    }

    fn add(&mut self, keys: Vec<Key>, what: &str) {
        self.uses.extend(keys.into_iter().map(|key| (key, what.to_owned())));
    }
}

/// What a file is recognised by, whether it exists or not; nothing if it is no regular file.
fn keys(file: &Path) -> Vec<Key> {
    let Ok(found) = std::fs::metadata(file) else {
        let path = followed(file);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
        return path.file_name().map(|name| Key::Path(folder.join(name))).into_iter().collect();
    };
    if !found.is_file() {
        return Vec::new();
    }
    let path = std::fs::canonicalize(file).ok().map(Key::Path);
    #[cfg(unix)]
    let inode =
        Some(Key::Inode(std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found)));
    #[cfg(not(unix))]
    let inode = None;
    path.into_iter().chain(inode).collect()
}
