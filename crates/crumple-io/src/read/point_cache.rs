//! Point caches: the vertices of every frame one after another, read a frame at a time.
//!
//! ```text
//! PC2   "POINTCACHE2\0", then little-endian: i32 version 1, i32 points, f32 start, f32 step, i32 frames; then f32 x y z
//! MDD   big-endian: i32 frames, i32 points, f32 time of each frame; then f32 x y z
//! ```
//!
//! The size of the file is checked against the header when it is opened, so a frame that is asked for is there, and a
//! header cannot ask for memory that the file does not back. Bytes go straight from the file into the caller's slice, for
//! example into the memory of a body. Coordinates are not checked here: the body that takes them in does that, and
//! [`PointCache::not_finite`] names the frame and the vertex. Cost: one pass over the frame; no memory.
//! Held by: `tests/files/round_trip.rs`, `tests/files/bad_input.rs`; that the command reads every frame once by its own
//! `check/tests.rs`.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::{Fault, Place, ReadError, not_finite};
use crate::foreign::explained;

/// The first bytes of a PC2 file.
pub(crate) const PC2_MAGIC: &[u8; 12] = b"POINTCACHE2\0";

/// The size of a PC2 header.
const PC2_HEADER: u64 = 32;

/// Which of the two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheFormat {
    /// 3ds Max, Blender and others: little-endian.
    Pc2,
    /// LightWave, Blender and others: big-endian, with a time for each frame.
    Mdd,
}

impl CacheFormat {
    /// The format a file's extension names, if it names one.
    pub fn of(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pc2" => Some(CacheFormat::Pc2),
            "mdd" => Some(CacheFormat::Mdd),
            _ => None,
        }
    }
}

/// Where the bytes of a point cache may come from.
pub(crate) trait Bytes: Read + Seek + Send + Sync + fmt::Debug {}

impl<R: Read + Seek + Send + Sync + fmt::Debug> Bytes for R {}

/// An open point cache: the positions of every vertex in every frame, streamed.
#[derive(Debug)]
pub struct PointCache<R = File> {
    reader: R,
    file: PathBuf,
    format: CacheFormat,
    points: usize,
    frames: usize,
    start: f32,
    step: f32,
    /// Where the first frame begins.
    body: u64,
}

impl PointCache<File> {
    /// Opens a `.pc2` or `.mdd` file and checks its header.
    ///
    /// # Errors
    /// When the file cannot be opened, has another extension, or its size is not what its header says.
    pub fn open(file: impl AsRef<Path>) -> Result<Self, ReadError> {
        let file = file.as_ref();
        let Some(format) = CacheFormat::of(file) else {
            let fault = Fault::file("not a point cache by its extension").with_hint(".pc2 and .mdd are read");
            return Err(fault.in_file(file));
        };
        let io = |source| ReadError::Io { file: file.into(), source };
        let reader = File::open(file).map_err(io)?;
        // Opening a directory succeeds on some systems and reading it then fails with less to say.
        if reader.metadata().map_err(io)?.is_dir() {
            return Err(io(io::ErrorKind::IsADirectory.into()));
        }
        Self::new(reader, format, file)
    }
}

impl<R: Read + Seek> PointCache<R> {
    /// Reads a cache from any source of bytes; `file` is what errors call it.
    ///
    /// # Errors
    /// When the header is not one of this format, announces no frames, or does not fit the number of bytes.
    pub fn new(mut reader: R, format: CacheFormat, file: impl AsRef<Path>) -> Result<Self, ReadError> {
        let file = file.as_ref().to_path_buf();
        let io = |source| ReadError::Io { file: file.clone(), source };
        let len = reader.seek(SeekFrom::End(0)).map_err(io)?;
        reader.seek(SeekFrom::Start(0)).map_err(io)?;
        let mut head = [0; PC2_HEADER as usize];
        let wanted = len.min(PC2_HEADER) as usize;
        reader.read_exact(&mut head[..wanted]).map_err(io)?;
        let header = match format {
            CacheFormat::Pc2 => pc2_header(&head[..wanted], len),
            CacheFormat::Mdd => mdd_header(&head[..wanted], len),
        };
        let header = header.map_err(|fault| explained(fault, &head[..wanted]).in_file(&file))?;
        // Also, no bytes would stand behind the number of vertices, and callers make room for that many.
        if header.frames == 0 {
            return Err(Fault::file("the point cache has no frames").in_file(&file));
        }
        Ok(PointCache {
            reader,
            format,
            points: header.points as usize,
            frames: header.frames as usize,
            start: header.start,
            step: header.step,
            body: header.body,
            file,
        })
    }

    /// The same cache, whatever its bytes come from.
    pub(crate) fn boxed(self) -> PointCache<Box<dyn Bytes>>
    where
        R: Send + Sync + fmt::Debug + 'static,
    {
        let PointCache { reader, file, format, points, frames, start, step, body } = self;
        PointCache { reader: Box::new(reader), file, format, points, frames, start, step, body }
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// How many vertices a frame has.
    pub fn vertex_count(&self) -> usize {
        self.points
    }

    /// The time of frame 0, in the file's own unit (PC2: frames, MDD: seconds).
    pub fn start(&self) -> f32 {
        self.start
    }

    /// The time between the first two frames, in the file's own unit.
    pub fn step(&self) -> f32 {
        self.step
    }

    /// The number of a frame as the animation counts: of a PC2 cache its start frame and those after it. `None` if that is
    /// no whole number, and for MDD, which has times and no numbers.
    pub fn frame_number(&self, frame: usize) -> Option<u64> {
        let number = f64::from(self.start) + frame as f64 * f64::from(self.step);
        // f32 counts whole numbers up to 2^24.
        let is_number =
            self.format == CacheFormat::Pc2 && number.fract() == 0.0 && (0.0..16_777_216.0).contains(&number);
        is_number.then_some(number as u64)
    }

    /// The file, as errors call it.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes the vertices of frame `frame` into `positions`, which has one entry per vertex.
    ///
    /// Coordinates are as the file has them, NaN and infinity included.
    ///
    /// # Errors
    /// When there is no such frame, the slice has another length, or the file cannot be read.
    pub fn read_frame(&mut self, frame: usize, positions: &mut [[f32; 3]]) -> Result<(), ReadError> {
        if frame >= self.frames {
            return Err(ReadError::NoSuchFrame {
                file: self.file.clone(),
                frame: frame as u64,
                frames: self.frames as u64,
            });
        }
        if positions.len() != self.points {
            let (given, vertices) = (positions.len(), self.points);
            return Err(ReadError::WrongLength { file: self.file.clone(), given, vertices });
        }
        let start = self.body + frame as u64 * self.points as u64 * 12;
        let bytes = bytemuck::cast_slice_mut(positions);
        let read = self.reader.seek(SeekFrom::Start(start)).and_then(|_| self.reader.read_exact(bytes));
        if let Err(source) = read {
            return Err(ReadError::Io { file: self.file.clone(), source });
        }
        for x in positions.as_flattened_mut() {
            *x = match self.format {
                CacheFormat::Pc2 => f32::from_bits(u32::from_le(x.to_bits())),
                CacheFormat::Mdd => f32::from_bits(u32::from_be(x.to_bits())),
            };
        }
        Ok(())
    }

    /// The error of a position that is not finite, in the words of every reader.
    pub fn not_finite(&self, frame: usize, vertex: usize, position: [f32; 3]) -> ReadError {
        not_finite(vertex, position).in_frame(frame, &self.file)
    }
}

struct Header {
    points: u32,
    frames: u32,
    start: f32,
    step: f32,
    body: u64,
}

fn word(head: &[u8], at: usize) -> [u8; 4] {
    [head[at], head[at + 1], head[at + 2], head[at + 3]]
}

fn pc2_header(head: &[u8], len: u64) -> Result<Header, Fault> {
    if len == 0 {
        return Err(Fault::file("the file is empty"));
    }
    if !head.starts_with(PC2_MAGIC) {
        return Err(Fault::byte(0, "a PC2 point cache begins with `POINTCACHE2`").with_hint("is it another format?"));
    }
    if len < PC2_HEADER {
        return Err(Fault::byte(len as usize, "the file ends in its header").with_hint("it may be truncated"));
    }
    let whole = |at| i32::from_le_bytes(word(head, at));
    if whole(12) != 1 {
        return Err(Fault::byte(12, format!("version {} of PC2 is not read, only 1", whole(12))));
    }
    let header = Header {
        points: count(whole(16), 16, "points")?,
        frames: count(whole(28), 28, "frames")?,
        start: f32::from_le_bytes(word(head, 20)),
        step: f32::from_le_bytes(word(head, 24)),
        body: PC2_HEADER,
    };
    check_size(&header, 28, len)?;
    Ok(header)
}

fn mdd_header(head: &[u8], len: u64) -> Result<Header, Fault> {
    if len == 0 {
        return Err(Fault::file("the file is empty"));
    }
    if len < 8 {
        return Err(Fault::byte(len as usize, "the file ends in its header").with_hint("it may be truncated"));
    }
    let whole = |at| i32::from_be_bytes(word(head, at));
    let frames = count(whole(0), 0, "frames")?;
    let mut header = Header {
        points: count(whole(4), 4, "points")?,
        frames,
        start: 0.0,
        step: 0.0,
        body: 8 + u64::from(frames) * 4,
    };
    check_size(&header, 0, len)?;
    if frames > 0 {
        header.start = f32::from_be_bytes(word(head, 8));
    }
    if frames > 1 {
        header.step = f32::from_be_bytes(word(head, 12)) - header.start;
    }
    Ok(header)
}

fn count(value: i32, at: usize, of: &str) -> Result<u32, Fault> {
    u32::try_from(value).map_err(|_| Fault::byte(at, format!("the header announces {value} {of}")))
}

fn check_size(header: &Header, at: usize, len: u64) -> Result<(), Fault> {
    // Any number of empty frames would fit in the smallest file.
    if header.points == 0 && header.frames > 0 {
        return Err(Fault::byte(at, format!("{} frames of 0 points", header.frames)));
    }
    let frames = u64::from(header.frames);
    let want = (u64::from(header.points) * 12).checked_mul(frames).and_then(|bytes| bytes.checked_add(header.body));
    if want == Some(len) {
        return Ok(());
    }
    let hint = match want {
        Some(want) if want < len => "it holds more than its header announces; write it again",
        _ => "it may be truncated",
    };
    let want = want.map_or("more bytes than can be counted".into(), |bytes| format!("{bytes} bytes"));
    Err(Fault::Content {
        at: Place::Byte(at as u64),
        what: format!("{} frames of {} points need {want}, but the file has {len}", header.frames, header.points),
        hint: Some(hint.to_owned()),
    })
}
