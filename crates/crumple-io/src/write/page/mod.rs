//! The page to look at: one HTML file with everything in it, opened from disk without a server.
//!
//! ```text
//! assets/index.html        ──split at its mark──►   head, style, the empty window
//! PageWriter::new          ─────────────────────►   <script type="text/plain" id="mesh">            triangles
//! PageWriter::frame        ─32 frames per chunk─►   <script type="text/plain" id="chunk-0"> ...     motion, pairs, spans
//! PageWriter::finish       ─────────────────────►   <section id="report">  text, readable as it is
//!                                                   <script type="application/json" id="head">     names, counts, times
//!                                                   the viewer's script
//! ```
//!
//! Frames are written as they come: what is kept is a chunk of positions (at most 32 frames, or what takes 48 MB) and a
//! few numbers per frame. Chunks stand nearly alone (a body that stands still is stored in the first), so that the
//! browser unpacks only what it shows; each is quantised over its own box, which is finer than one box for the whole
//! run. The bytes of a chunk: `motion.rs`, `contacts.rs`, `impacts.rs`, `regions.rs`, `near.rs`, `depths.rs`.
//!
//! Positions are taken as finite, as those of a `crumple::Body` are: they are not checked again. One that is not is
//! drawn somewhere in the box.
//!
//! Departs from `--json` in one thing: what would be long as text (triangles, pairs, faces) is packed.
//! Held by: `tests`, which unpacks a page again, and `viewer/test`, which opens one in a browser.

mod bytes;
mod contacts;
mod depths;
mod error;
mod impacts;
mod motion;
mod near;
mod pairs;
mod ranges;
mod regions;
mod text;

#[cfg(test)]
mod tests;

use std::io::Write;

use serde::Serialize;

use crate::report::{BodyRecord, CheckSummary, Frame, FrameName, FrameNames, Header};
use bytes::{Bounds, to_text};
use motion::Motion;
use pairs::{PairColumn, PairColumns};
use ranges::Ranges;
use text::{Report, escaped, json};

pub use contacts::Overlap;
pub use depths::DepthsShown;
pub use error::PageError;
pub use near::NearShown;

/// The built viewer, see `viewer/README.md`.
const TEMPLATE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/index.html"));
/// Where the template takes the title.
const TITLE: &str = "<title>crumple</title>";
/// Where the template takes everything else.
const MARK: &str = "<!--crumple:page-->";

/// A chunk is written when it has this many frames: the first frame of a chunk costs as much as ten others, and a
/// viewer that is scrubbed unpacks a whole chunk to show one frame.
const CHUNK_FRAMES: usize = 32;
/// A chunk is also written when its positions take this much memory.
const CHUNK_BYTES: usize = 48 << 20;

/// A page being written, frame by frame.
///
/// ```
/// use crumple_io::report::{BodyRecord, CheckSummary, Frame, Header};
/// use crumple_io::write::PageWriter;
///
/// let triangles = [[0, 1, 2]];
/// let record = BodyRecord {
///     id: 0,
///     name: "sail".into(),
///     triangles: 1,
///     vertices: 3,
///     closed: false,
///     face_of_triangle: None,
///     precision: None,
/// };
/// let header = Header::new("wide-tree", vec![record], 2);
/// let mut page = PageWriter::new(Vec::new(), "a sail", &header, &[&triangles])?;
/// let mut summary = CheckSummary::default();
/// for frame in 0..2 {
///     let positions = [[0.0, 0.0, frame as f32], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
///     let found = Frame { frame, update_us: 1.5, query_us: 0.5, ..Frame::default() };
///     page.frame(&[&positions], &found)?;
///     summary.add(&found);
/// }
/// let html = String::from_utf8(page.finish(summary)?)?;
/// assert!(html.contains("Nothing collides in 2 frames"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PageWriter<W: Write> {
    out: W,
    head: Head,
    motions: Vec<Motion>,
    /// Contacts, overlaps, impacts, regions, what is near and depths, of the frames of this chunk, packed.
    found: Vec<u8>,
    chunk_frames: usize,
    bounds: Bounds,
    meetings: PairColumns,
    ranges: Ranges,
    ranges_inside: Ranges,
    names: FrameNames,
    notes: Vec<String>,
}

/// What the viewer reads first. `viewer/src/data/records.ts` is made of this type and those it holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Head {
    /// Changes when a viewer for the old number would misread the page.
    format: u32,
    title: String,
    header: Header,
    /// As given in the end.
    summary: CheckSummary,
    /// The frames per second the animation is meant to run at.
    fps: f64,
    /// Whether overlaps are exact: then there are regions and curves instead of spans.
    exact: bool,
    /// Up to which distance vertices are coloured; missing if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    clearance: Option<f64>,
    /// The largest depth that is shaded; missing if none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    deepest: Option<f32>,
    /// The box of all vertices in all frames; missing without vertices, or if one is infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[[f32; 3]; 2]>,
    frames: Columns,
    /// The animations that are played one after another, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animations: Vec<Animation>,
    /// How many frames each chunk holds.
    chunks: Vec<usize>,
    /// Every two bodies in the frames in which they meet; empty if there are very many.
    meetings: Vec<PairColumn>,
}

/// What a page shows of a frame beside positions. What was found is shown alone where nothing else is given:
/// `PageFrame { depths, ..PageFrame::from(&found) }` adds depths to it.
#[derive(Clone, Copy, Debug)]
pub struct PageFrame<'a> {
    /// What was found.
    pub found: &'a Frame<'a>,
    /// Sampled overlaps.
    pub overlaps: &'a [Overlap<'a>],
    /// The frame of the scene that positions and contacts are of, if its exact overlaps are shown: a tint and a normal for each
    /// region, and the intersection curves. The bodies of the page are those of the scene, by the index of their ids.
    pub now: Option<crumple::Frame<'a>>,
    /// How near vertices are; drawn if the page has a clearance ([`PageWriter::with_clearance`]).
    pub near: Option<&'a NearShown>,
    /// Vertices inside other bodies; shaded if the page is to show depths ([`PageWriter::with_depths`]).
    pub depths: &'a [DepthsShown],
}

impl<'a> From<&'a Frame<'a>> for PageFrame<'a> {
    fn from(found: &'a Frame<'a>) -> Self {
        Self { found, overlaps: &[], now: None, near: None, depths: &[] }
    }
}

/// The volume of all overlaps that are shown, if any may be.
fn volume(overlaps: &[Overlap<'_>], now: Option<crumple::Frame<'_>>) -> Option<f64> {
    match now {
        Some(now) => Some(now.overlaps().iter().map(|overlap| overlap.volume()).sum()),
        None => (!overlaps.is_empty()).then(|| overlaps.iter().map(|overlap| overlap.volume).sum()),
    }
}

/// An animation, and the place of its first frame in the page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Animation {
    name: String,
    start: usize,
}

/// One number per frame each.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Columns {
    /// The frame as records count it.
    frame: Vec<u64>,
    /// The number that the files give it, within its animation where there are several.
    number: Vec<u64>,
    pairs: Vec<u64>,
    /// The deepest contact; missing where no depth is known.
    depth: Vec<Option<f64>>,
    update_us: Vec<f64>,
    query_us: Vec<f64>,
    /// All overlaps together; missing where none was computed.
    volume: Vec<Option<f64>>,
    /// Impacts of the step that led to the frame; missing where they were not looked for.
    impacts: Vec<Option<u64>>,
}

impl<W: Write> PageWriter<W> {
    /// Starts a page of these bodies; `triangles` has a list for each body of the header, in its order.
    ///
    /// # Errors
    /// When the lists do not fit the header, a triangle names a vertex that is not there, or `out` fails.
    pub fn new<T: AsRef<[[u32; 3]]>>(
        mut out: W,
        title: &str,
        header: &Header,
        triangles: &[T],
    ) -> Result<Self, PageError> {
        let bodies = header.bodies.len();
        check_bodies(bodies, triangles.len(), "triangles")?;
        let mut mesh = Vec::new();
        for (body, (record, triangles)) in header.bodies.iter().zip(triangles).enumerate() {
            let triangles = triangles.as_ref();
            check_count(body, "triangles", record.triangles, triangles.len())?;
            let faces = record.face_of_triangle.as_deref();
            if let Some(faces) = faces {
                check_count(body, "faces of triangles", record.triangles, faces.len())?;
            }
            for (triangle, corners) in triangles.iter().enumerate() {
                if let Some(&vertex) = corners.iter().find(|&&vertex| u64::from(vertex) >= record.vertices) {
                    return Err(PageError::NoSuchVertex { body, triangle, vertex, vertices: record.vertices });
                }
            }
            contacts::put_mesh(&mut mesh, triangles, faces);
        }
        let (before, _) = template();
        out.write_all(before.replacen(TITLE, &format!("<title>{}</title>", escaped(title)), 1).as_bytes())?;
        writeln!(out, "<script type=\"text/plain\" id=\"mesh\">{}</script>", to_text(&mesh))?;
        Ok(PageWriter {
            out,
            motions: header.bodies.iter().map(|body| Motion::new(body.vertices as usize)).collect(),
            head: Head {
                format: 5,
                exact: false,
                clearance: None,
                deepest: None,
                title: title.into(),
                header: without_faces(header),
                summary: CheckSummary::default(),
                fps: 24.0,
                bounds: None,
                frames: Columns::default(),
                animations: Vec::new(),
                chunks: Vec::new(),
                meetings: Vec::new(),
            },
            found: Vec::new(),
            chunk_frames: 0,
            bounds: Bounds::EMPTY,
            meetings: PairColumns::default(),
            ranges: Ranges::default(),
            ranges_inside: Ranges::default(),
            names: FrameNames::default(),
            notes: Vec::new(),
        })
    }

    /// The speed to play at, in frames per second; 24 by default.
    pub fn with_fps(mut self, fps: f64) -> Self {
        if fps.is_finite() && fps > 0.0 {
            self.head.fps = fps;
        }
        self
    }

    /// Adds a paragraph to the report, shown as it is, in columns of equal width.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds a frame: the positions of every body, and what is shown of it. Contacts without `pairs` are counted, not drawn.
    ///
    /// # Errors
    /// When the positions or what is shown do not fit the bodies, a contact names what is not there, a span is not finite, or
    /// the output fails. After an error of the input the page is as it was before.
    pub fn frame<'a, P: AsRef<[[f32; 3]]>>(
        &mut self,
        positions: &[P],
        shown: impl Into<PageFrame<'a>>,
    ) -> Result<(), PageError> {
        let shown = shown.into();
        self.check_positions(positions)?;
        self.check(&shown)?;
        let PageFrame { found, overlaps, now, near, depths } = shown;
        for (motion, positions) in self.motions.iter_mut().zip(positions) {
            motion.push(positions.as_ref());
        }
        contacts::put_contacts(&mut self.found, &found.contacts);
        contacts::put_overlaps(&mut self.found, overlaps);
        impacts::put_impacts(&mut self.found, found.impacts.as_deref().unwrap_or_default());
        regions::put_regions(&mut self.found, now);
        if let Some(clearance) = self.head.clearance {
            near::put_near(&mut self.found, near.unwrap_or(&NearShown::default()), clearance);
        }
        if let Some(deepest) = &mut self.head.deepest {
            *deepest = depths.iter().map(DepthsShown::deepest).fold(*deepest, f32::max);
            depths::put_depths(&mut self.found, depths);
        }
        self.head.exact |= now.is_some();
        self.put_columns(found, volume(overlaps, now));
        self.chunk_frames += 1;
        let vertices: usize = self.motions.iter().map(Motion::vertices).sum();
        if self.chunk_frames == CHUNK_FRAMES || self.chunk_frames * vertices * 12 >= CHUNK_BYTES {
            self.put_chunk()?;
        }
        Ok(())
    }

    /// What the files call a frame of this page, which is given as records count it.
    pub fn name_of(&self, frame: u64) -> FrameName<'_> {
        self.names.of(frame)
    }

    /// Takes in the numbers of a frame that has been checked.
    fn put_columns(&mut self, found: &Frame<'_>, volume: Option<f64>) {
        let (at, name) = (found.frame, found.name());
        self.ranges.add(at, name, found.contacts.iter().map(|contact| (contact.a, contact.b, contact.count)));
        self.ranges_inside.add(at, name, found.contained.iter().map(|found| (found.inner, found.outer, 1)));
        let Head { frames, animations, .. } = &mut self.head;
        let place = frames.frame.len();
        if let Some(animation) = name.animation.filter(|name| animations.last().is_none_or(|last| last.name != *name)) {
            animations.push(Animation { name: animation.to_owned(), start: place });
        }
        self.meetings.add(place, &found.contacts);
        self.names.add(at, name);
        frames.frame.push(at);
        frames.number.push(name.number);
        frames.depth.push(found.contacts.iter().filter_map(|contact| contact.depth).reduce(f64::max));
        frames.pairs.push(found.contacts.iter().map(|contact| contact.count).sum());
        frames.update_us.push(found.update_us);
        frames.query_us.push(found.query_us);
        frames.impacts.push(found.impacts.as_ref().map(|impacts| impacts.len() as u64));
        frames.volume.push(volume);
    }

    /// Writes the rest of the page, with the summary of its frames, and returns the output. Also right after an
    /// interruption: the page then shows the frames so far.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self, summary: CheckSummary) -> Result<W, PageError> {
        if self.chunk_frames > 0 {
            self.put_chunk()?;
        }
        let head = &mut self.head;
        head.summary = summary;
        head.meetings = std::mem::take(&mut self.meetings).finish();
        let bounds = [self.bounds.min, self.bounds.max];
        let shown = !self.bounds.is_empty() && bounds.as_flattened().iter().all(|x| x.is_finite());
        head.bounds = shown.then_some(bounds);
        let report = Report {
            head,
            names: &self.names,
            ranges: self.ranges.finish(),
            ranges_inside: self.ranges_inside.finish(),
            notes: &self.notes,
            largest_overlap: largest(&head.frames),
            median_us: median(&head.frames.update_us).zip(median(&head.frames.query_us)).map(<[f64; 2]>::from),
        };
        self.out.write_all(report.html().as_bytes())?;
        let head = json(head).map_err(std::io::Error::from)?;
        writeln!(self.out, "<script type=\"application/json\" id=\"head\">{head}</script>")?;
        let (_, after) = template();
        self.out.write_all(after.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put_chunk(&mut self) -> Result<(), PageError> {
        let number = self.head.chunks.len();
        let mut block = Vec::new();
        for motion in &mut self.motions {
            let bounds = motion.put(number as u64, &mut block);
            self.bounds.add_bounds(&bounds);
        }
        block.append(&mut self.found);
        self.head.chunks.push(self.chunk_frames);
        self.chunk_frames = 0;
        writeln!(self.out, "<script type=\"text/plain\" id=\"chunk-{number}\">{}</script>", to_text(&block))?;
        Ok(())
    }

    fn check_positions<P: AsRef<[[f32; 3]]>>(&self, positions: &[P]) -> Result<(), PageError> {
        check_bodies(self.motions.len(), positions.len(), "positions")?;
        for (body, (motion, positions)) in self.motions.iter().zip(positions).enumerate() {
            check_count(body, "vertices", motion.vertices() as u64, positions.as_ref().len())?;
        }
        Ok(())
    }

    /// Checks that every body of a scene has a record with as many triangles.
    fn check_scene(&self, frame: u64, now: crumple::Frame<'_>) -> Result<(), PageError> {
        let bodies = &self.head.header.bodies;
        for (id, body) in now.bodies() {
            let Some(record) = bodies.get(id.index()) else {
                let given = id.index() as u32;
                return Err(PageError::NoSuch { frame, what: "body", given, len: bodies.len() });
            };
            check_count(id.index(), "triangles", record.triangles, body.mesh().triangles().len())?;
        }
        Ok(())
    }

    /// Checks that what is shown names only what is there.
    fn check(&self, shown: &PageFrame<'_>) -> Result<(), PageError> {
        let &PageFrame { found, overlaps, now, near, depths } = shown;
        let frame = found.frame;
        now.map_or(Ok(()), |now| self.check_scene(frame, now))?;
        near.map_or(Ok(()), |near| self.check_near(frame, near))?;
        self.check_depths(frame, depths)?;
        let bodies = &self.head.header.bodies;
        let check = |what, given: u32, len: usize| {
            if (given as usize) < len { Ok(()) } else { Err(PageError::NoSuch { frame, what, given, len }) }
        };
        for contact in &found.contacts {
            let sides = [contact.a, contact.b];
            for body in sides {
                check("body", body, bodies.len())?;
            }
            for pair in contact.listed() {
                for (side, &triangle) in pair.iter().enumerate() {
                    check("triangle", triangle, bodies[sides[side] as usize].triangles as usize)?;
                }
            }
        }
        for contained in &found.contained {
            check("body", contained.inner, bodies.len())?;
            check("body", contained.outer, bodies.len())?;
        }
        for impact in found.impacts.as_deref().unwrap_or_default() {
            check("body", impact.a, bodies.len())?;
            check("body", impact.b, bodies.len())?;
            for (body, what, number) in impacts::named(impact) {
                let record = &bodies[body as usize];
                let count = if what == "vertex" { record.vertices } else { record.triangles };
                check(what, number, count as usize)?;
            }
        }
        for overlap in overlaps {
            check("body", overlap.a, bodies.len())?;
            check("body", overlap.b, bodies.len())?;
            for (span, ends) in overlap.spans.iter().enumerate() {
                if let Some(&value) = ends.as_flattened().iter().find(|value| !value.is_finite()) {
                    return Err(PageError::SpanNotFinite { frame, span, value });
                }
            }
        }
        Ok(())
    }
}

/// A header without the faces of triangles, which the page carries packed.
fn without_faces(header: &Header) -> Header {
    let body = |&BodyRecord { id, ref name, triangles, vertices, closed, ref precision, .. }: &BodyRecord| BodyRecord {
        id,
        name: name.clone(),
        triangles,
        vertices,
        closed,
        face_of_triangle: None,
        precision: precision.clone(),
    };
    let (schema, method, animation) = (header.schema.clone(), header.method.clone(), header.animation.clone());
    let bodies = header.bodies.iter().map(body).collect();
    Header { schema, method, bodies, frames: header.frames, part: header.part, animation, unit: header.unit.clone() }
}

/// The template before and after the place for the data.
fn template() -> (&'static str, &'static str) {
    // The template is part of this crate, and a test looks for both marks.
    TEMPLATE.split_once(MARK).expect("the built viewer has a place for the data")
}

fn check_bodies(bodies: usize, given: usize, what: &'static str) -> Result<(), PageError> {
    if bodies == given { Ok(()) } else { Err(PageError::Bodies { bodies, given, what }) }
}

fn check_count(body: usize, what: &'static str, expected: u64, given: usize) -> Result<(), PageError> {
    if expected == given as u64 { Ok(()) } else { Err(PageError::Count { body, what, expected, given }) }
}

/// The largest volume and the first frame that has it.
fn largest(frames: &Columns) -> Option<(f64, u64)> {
    let mut found: Option<(f64, u64)> = None;
    for (volume, &frame) in frames.volume.iter().zip(&frames.frame) {
        if let Some(volume) = *volume
            && found.is_none_or(|(largest, _)| volume > largest)
        {
            found = Some((volume, frame));
        }
    }
    found
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
