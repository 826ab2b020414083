//! Bodies of files for the subcommands beside `check`; what is odd about a file is said.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use crumple_check::ReadingOptions;
use crumple_check::bodies::FileBody;
use crumple_check::bodies::files;

use crate::output::say;

/// All bodies of all files, in the order named.
pub(crate) fn read(files: &[OsString], options: &ReadingOptions) -> Result<Vec<FileBody>> {
    let bodies = files::read(files, options)?;
    bodies.iter().flat_map(FileBody::notes).for_each(say);
    Ok(bodies)
}

/// The bodies of a file and all points of another.
pub(crate) fn read_with_points(body: OsString, points: &Path, options: &ReadingOptions) -> Result<[Vec<FileBody>; 2]> {
    let read = files::read_points(points, options, read(&[body], options)?)?;
    read[1].iter().flat_map(FileBody::notes).for_each(say);
    Ok(read)
}
