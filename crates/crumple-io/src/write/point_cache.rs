//! Point caches PC2 and MDD, a frame at a time. The layouts are drawn in `read/point_cache.rs`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::read::{CacheFormat, PC2_MAGIC};

use super::WholeFile;

/// A point cache being written. Both formats state the number of frames first, so it is promised when the file is
/// created and kept by [`PointCacheWriter::finish`], which also gives the file its name; without it there is no file.
#[derive(Debug)]
pub struct PointCacheWriter {
    out: WholeFile,
    file: PathBuf,
    format: CacheFormat,
    points: usize,
    frames: usize,
    written: usize,
    /// One frame in the file's byte order.
    stored: Vec<[u32; 3]>,
}

impl PointCacheWriter {
    /// Creates a `.pc2` or `.mdd` file for `frames` frames of `points` vertices; frames count up by one, seconds (MDD)
    /// by 1/24.
    ///
    /// # Errors
    /// When the extension is another one, the numbers do not fit the format or the file cannot be created.
    pub fn create(file: impl AsRef<Path>, points: usize, frames: usize) -> Result<Self, WriteError> {
        let step = match CacheFormat::of(file.as_ref()) {
            Some(CacheFormat::Mdd) => 1.0 / 24.0,
            _ => 1.0,
        };
        Self::create_timed(file, points, frames, 0.0, step)
    }

    /// As [`PointCacheWriter::create`], with the time of the first frame and between frames (PC2: in frames, MDD: in
    /// seconds).
    ///
    /// # Errors
    /// As [`PointCacheWriter::create`].
    pub fn create_timed(
        file: impl AsRef<Path>,
        points: usize,
        frames: usize,
        start: f32,
        step: f32,
    ) -> Result<Self, WriteError> {
        let file = file.as_ref();
        let mismatch = |what: String, hint| WriteError::Mismatch { file: file.into(), what, hint };
        let Some(format) = CacheFormat::of(file) else {
            let hint = Some(".pc2 and .mdd are written".to_owned());
            return Err(mismatch("not a point cache by its extension".to_owned(), hint));
        };
        let (Ok(points_stored), Ok(frames_stored)) = (i32::try_from(points), i32::try_from(frames)) else {
            let what = format!("{frames} frames of {points} points are more than the format can count");
            return Err(mismatch(what, None));
        };
        let create = || {
            let mut out = WholeFile::create(file)?;
            match format {
                CacheFormat::Pc2 => {
                    out.write_all(PC2_MAGIC)?;
                    out.write_all(&1_i32.to_le_bytes())?;
                    out.write_all(&points_stored.to_le_bytes())?;
                    out.write_all(&start.to_le_bytes())?;
                    out.write_all(&step.to_le_bytes())?;
                    out.write_all(&frames_stored.to_le_bytes())?;
                }
                CacheFormat::Mdd => {
                    out.write_all(&frames_stored.to_be_bytes())?;
                    out.write_all(&points_stored.to_be_bytes())?;
                    for frame in 0..frames {
                        out.write_all(&(start + frame as f32 * step).to_be_bytes())?;
                    }
                }
            }
            Ok(out)
        };
        let out = create().map_err(|source| WriteError::Io { file: file.into(), source })?;
        Ok(PointCacheWriter { out, file: file.into(), format, points, frames, written: 0, stored: Vec::new() })
    }

    /// Appends the next frame.
    ///
    /// # Errors
    /// When the number of positions is not the promised one or the file cannot be written.
    pub fn write_frame(&mut self, positions: &[[f32; 3]]) -> Result<(), WriteError> {
        if positions.len() != self.points {
            return Err(self.mismatch(format!(
                "frame {} has {} vertices, but {} were promised",
                self.written,
                positions.len(),
                self.points
            )));
        }
        let format = self.format;
        self.stored.clear();
        self.stored.extend(positions.iter().map(|position| {
            position.map(|x| match format {
                CacheFormat::Pc2 => x.to_bits().to_le(),
                CacheFormat::Mdd => x.to_bits().to_be(),
            })
        }));
        let written = self.out.write_all(bytemuck::cast_slice(&self.stored));
        written.map_err(|source| self.io(source))?;
        self.written += 1;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When not as many frames were written as promised or the file cannot be written.
    pub fn finish(self) -> Result<(), WriteError> {
        if self.written != self.frames {
            let what = format!("{} frames were written, but {} were promised", self.written, self.frames);
            return Err(self.mismatch(what));
        }
        let file = self.file;
        self.out.finish().map_err(|source| WriteError::Io { file, source })
    }

    fn mismatch(&self, what: String) -> WriteError {
        WriteError::Mismatch { file: self.file.clone(), what, hint: None }
    }

    fn io(&self, source: io::Error) -> WriteError {
        WriteError::Io { file: self.file.clone(), source }
    }
}
