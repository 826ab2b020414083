//! Files that appear whole or not at all: written under another name in the same folder, and renamed when complete.
//!
//! ```text
//! create    .crumple-PID-N.partial, beside the file it will become
//! write     into that
//! finish    renamed: from one moment to the next the name stands for the new file instead of the old one
//! dropped   removed; the old file is as it was
//! ```
//!
//! So a run that is ended, a full disk or a refused frame leaves what was there before. A link is followed: the file it
//! points to is replaced, and the link stays. What is not a regular file (a pipe, `/dev/null`) is written directly.
//! Nothing is forced onto the disk: after a power failure, what is there is up to the file system.
//!
//! Departs from writing in place in two things: the folder must be writable, and other hard links of an old file keep
//! the old content.
//! Held by: the tests below, and `crumple-cli/tests/command/whole.rs`, which ends the command at random moments.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes collected before they are written.
const BUFFER: usize = 1 << 16;
/// Links followed from one to the next, as Linux does.
const MOST_LINKS: usize = 40;

/// The temporary files of this process that are not finished.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file being written, which takes its name when it is finished. Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    /// Where it is now and what it becomes; `None` where it is written directly.
    renaming: Option<Renaming>,
}

#[derive(Debug)]
struct Renaming {
    from: PathBuf,
    to: PathBuf,
}

impl WholeFile {
    /// Starts a file. What is there under its name stays until [`finish`](Self::finish).
    ///
    /// # Errors
    /// If the folder or the old file cannot be written.
    pub fn create(file: impl AsRef<Path>) -> io::Result<Self> {
        let to = followed(file.as_ref());
        let old = match fs::metadata(&to) {
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if !old.is_file() => {
                let out = BufWriter::with_capacity(BUFFER, OpenOptions::new().write(true).open(&to)?);
                return Ok(Self { out, renaming: None });
            }
            Ok(old) => {
                // Renaming needs no permission to write the old file, but replacing it should.
                OpenOptions::new().write(true).open(&to)?;
                Some(old)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (from, out) = temporary_beside(&to)?;
        let whole = Self { out: BufWriter::with_capacity(BUFFER, out), renaming: Some(Renaming { from, to }) };
        if let Some(old) = old {
            whole.out.get_ref().set_permissions(old.permissions())?;
        }
        Ok(whole)
    }

    /// Writes out what is buffered and gives the file its name.
    ///
    /// # Errors
    /// If that fails; the old file is then still there.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some(renaming) = &self.renaming else { return Ok(()) };
        // Under the lock, so that it is not removed at the same time.
        let mut unfinished = unfinished();
        fs::rename(&renaming.from, &renaming.to)?;
        unfinished.retain(|path| *path != renaming.from);
        drop(unfinished);
        self.renaming = None;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(Renaming { from, .. }) = &self.renaming {
            let mut unfinished = unfinished();
            let _ = fs::remove_file(from);
            unfinished.retain(|path| path != from);
        }
    }
}

/// Removes the temporary files of this process, for a program that is about to end without unwinding, and calls `end`.
/// No file is finished meanwhile.
pub fn abandon_all<T>(end: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    for path in unfinished.drain(..) {
        let _ = fs::remove_file(path);
    }
    end()
}

/// Whether this process has files that are not finished.
pub fn has_unfinished() -> bool {
    !unfinished().is_empty()
}

/// The file that is written if `file` is: where its links lead, also if there is nothing yet.
pub fn followed(file: &Path) -> PathBuf {
    let mut path = file.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        // A target that begins at the root replaces the folder; `/proc/self/fd/1` leads to names that are no paths.
        let next = path.parent().unwrap_or(Path::new("")).join(target);
        if fs::metadata(&path).is_ok() && fs::metadata(&next).is_err() {
            break;
        }
        path = next;
    }
    path
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file of a name that nothing has, in the folder of another; registered as unfinished.
fn temporary_beside(file: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    if file.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut unfinished = unfinished();
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Short and without the name of the file, which may be as long as names can be.
        let path = file.with_file_name(format!(".crumple-{}-{number}.partial", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(out) => {
                unfinished.push(path.clone());
                return Ok((path, out));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder of its own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("crumple-whole-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = folder("old");
        let file = folder.join("report");
        fs::write(&file, "old").unwrap();
        let mut whole = WholeFile::create(&file).unwrap();
        whole.write_all(&[b'n'; 100_000]).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        whole.finish().unwrap();
        assert_eq!(fs::read(&file).unwrap(), [b'n'; 100_000]);
        let mut dropped = WholeFile::create(&file).unwrap();
        dropped.write_all(b"half").unwrap();
        drop(dropped);
        assert_eq!(fs::read(&file).unwrap().len(), 100_000);
        assert_eq!(names(&folder), ["report"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_they_point_to_is_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        fs::create_dir(folder.join("deep")).unwrap();
        fs::write(folder.join("deep/there"), "old").unwrap();
        fs::set_permissions(folder.join("deep/there"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("deep/there", folder.join("to-file")).unwrap();
        symlink("deep/not-yet", folder.join("to-nothing")).unwrap();
        symlink("to-nothing", folder.join("to-link")).unwrap();
        for (link, target) in [("to-file", "there"), ("to-link", "not-yet")] {
            let mut whole = WholeFile::create(folder.join(link)).unwrap();
            whole.write_all(b"new").unwrap();
            whole.finish().unwrap();
            assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink());
            assert_eq!(fs::read(folder.join("deep").join(target)).unwrap(), b"new");
        }
        assert_eq!(fs::metadata(folder.join("deep/there")).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("round", folder.join("round")).unwrap();
        assert!(WholeFile::create(folder.join("round")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_not_a_regular_file_is_written_directly() {
        let mut full = WholeFile::create("/dev/full").unwrap();
        full.write_all(b"x").unwrap();
        assert_eq!(full.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(WholeFile::create(folder("directory")).is_err());
    }
}
