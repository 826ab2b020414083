//! Where a body overlaps itself, read off the order of its entries and exits.
//!
//! Future work of Heidelberger, Teschner & Gross 2003 (end of both papers): along a ray through a body that does not
//! intersect itself, entries and exits take turns, beginning with an entry. The winding number, entries minus exits so
//! far, is then 0 or 1. A second entry before the first exit makes it 2: the ray is inside the body twice. An exit
//! before any entry makes it −1: a part is turned inside out.
//!
//! ```text
//!        entry      entry            exit       exit
//!   ───────●──────────●────────────────●──────────●─────►
//!       0      1              2             1         0
//!                     └─ overlaps itself ─┘
//! ```
//!
//! A body turned inside out as a whole has all signs the other way round and is treated as if it were turned back.
//!
//! Sampled: what lies between the rays is not seen. Exact pairs of triangles are the pair methods' business; this gives
//! volumes, which they cannot. Cost: one image, and a second scan of the triangles if anything was found.

use super::columns::{depth, is_exit, key, same_depth};
use super::error::VolumeError;
use super::image::{ImageOptions, LayeredDepthImage};
use super::overlap::OverlapSpan;
use super::raster;
use super::spans::Span;
use super::window::Window;
use crumple::Body;
use crumple::TriangleId;

/// Where a body overlaps itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfOverlapAnswer {
    /// The samples whose columns show it, `[column, row]`, row by row.
    pub samples: Vec<[u32; 2]>,
    /// The triangles at which those columns go into what is covered twice or turned inside out, or come out of it.
    pub triangles: Vec<TriangleId>,
    /// The volume that is inside the body more than once.
    pub volume: f64,
    /// The volume that is turned inside out.
    pub inverted_volume: f64,
    /// The spans that are inside the body more than once, along the axis of the image in world coordinates: sample by
    /// sample, and in each sample growing.
    pub spans: Vec<OverlapSpan>,
}

/// Finds self-overlaps, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub struct SelfOverlap {
    options: ImageOptions,
    image: LayeredDepthImage,
    marked: Vec<bool>,
    crossings: Vec<(u32, u64, u32)>,
    found: SelfOverlapAnswer,
}

impl SelfOverlap {
    /// Ready for the first frame.
    pub fn new(options: ImageOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The image of the last frame.
    pub fn image(&self) -> &LayeredDepthImage {
        &self.image
    }

    /// The spans of the last frame that are inside the body more than once, as [`SelfOverlapAnswer::spans`].
    pub fn spans(&self) -> &[OverlapSpan] {
        &self.found.spans
    }

    /// Where the body overlaps itself now.
    ///
    /// # Errors
    /// As [`LayeredDepthImage::render`].
    pub fn find(&mut self, body: &Body) -> Result<&SelfOverlapAnswer, VolumeError> {
        let Self { image, marked, found, .. } = self;
        found.samples.clear();
        found.triangles.clear();
        found.spans.clear();
        (found.volume, found.inverted_volume) = (0.0, 0.0);
        image.render(body, &self.options)?;
        let Some(window) = image.window().copied() else { return Ok(&self.found) };

        let outward = outward(image);
        let resolution = image.resolution();
        marked.clear();
        marked.resize(resolution.sample_count(), false);
        for number in 0..resolution.sample_count() {
            let sample = [number as u32 % resolution.columns, number as u32 / resolution.columns];
            let (mut twice, mut inverted) = (0.0, 0.0);
            let first = found.spans.len();
            walk(image.numbered_column(number).keys.iter().copied(), outward, |_, strange, from, to| {
                match strange {
                    Strange::No => return,
                    Strange::Twice => {
                        twice += to - from;
                        add_stretch(&mut found.spans, first, sample, Span { low: from, high: to });
                    }
                    Strange::Inverted => inverted += to - from,
                }
                marked[number] = true;
            });
            if marked[number] {
                found.samples.push(sample);
                found.volume += twice;
                found.inverted_volume += inverted;
                to_world(&mut found.spans[first..], &window);
            }
        }
        let [du, dv] = image.step();
        found.volume *= du * dv;
        found.inverted_volume *= du * dv;
        if !found.samples.is_empty() {
            self.name_triangles(body, outward);
        }
        Ok(&self.found)
    }

    /// Scans the triangles once more for the crossings of marked columns, this time with their numbers.
    fn name_triangles(&mut self, body: &Body, outward: bool) {
        let Self { image, marked, crossings, found, .. } = self;
        crossings.clear();
        image.scan_again(body, |triangle, segment, keep| {
            let first = u32::from(segment.row) * image.resolution().columns + u32::from(segment.first);
            let length = if keep { segment.end - segment.first } else { 0 };
            for k in 0..length {
                let number = first + u32::from(k);
                if marked[number as usize] {
                    let depth = raster::within(segment.depth(k), image.depth());
                    crossings.push((number, key(depth, segment.exit == 1), triangle));
                }
            }
        });
        crossings.sort_unstable();
        for column in crossings.chunk_by(|a, b| a.0 == b.0) {
            // Both the crossings before and those after a strange stretch bound it.
            walk(column.iter().map(|&(_, key, _)| key), outward, |(before, after), strange, _, _| {
                if strange != Strange::No {
                    let bounding = column[before].iter().chain(&column[after]);
                    found.triangles.extend(bounding.map(|&(_, _, triangle)| TriangleId(triangle)));
                }
            });
        }
        found.triangles.sort_unstable();
        found.triangles.dedup();
    }
}

/// Appends a stretch to the spans of its column, which begin at `first`; one that goes on where the last one ends makes that
/// one longer.
fn add_stretch(spans: &mut Vec<OverlapSpan>, first: usize, sample: [u32; 2], stretch: Span) {
    match spans[first..].last_mut() {
        Some(last) if last.span.high == stretch.low => last.span.high = stretch.high,
        _ => spans.push(OverlapSpan { sample, span: stretch }),
    }
}

/// Turns the depths of a column's spans into world coordinates, growing.
fn to_world(spans: &mut [OverlapSpan], window: &Window) {
    for OverlapSpan { span, .. } in &mut *spans {
        let [one, other] = [window.world(span.low), window.world(span.high)];
        *span = Span { low: one.min(other), high: one.max(other) };
    }
    if !window.direction.is_positive() {
        spans.reverse();
    }
}

/// What is wrong along a stretch of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strange {
    No,
    Twice,
    Inverted,
}

/// Walks a column depth by depth. Hands on every stretch between two neighbouring depths: the crossings (by index) at
/// its beginning and at its end, what is strange about it, and from where to where it reaches.
fn walk(
    keys: impl Iterator<Item = u64> + Clone,
    outward: bool,
    mut stretch: impl FnMut((std::ops::Range<usize>, std::ops::Range<usize>), Strange, f64, f64),
) {
    let mut winding = 0i64;
    let mut ordered = keys.clone().enumerate().peekable();
    let mut last: Option<(std::ops::Range<usize>, f64)> = None;
    while let Some(&(start, first)) = ordered.peek() {
        let mut end = start;
        let mut change = 0;
        while let Some((index, key)) = ordered.next_if(|&(_, key)| same_depth(key, first)) {
            change += if is_exit(key) == outward { -1 } else { 1 };
            end = index + 1;
        }
        if let Some((before, from)) = last {
            let strange = match winding {
                0 | 1 => Strange::No,
                2.. => Strange::Twice,
                _ => Strange::Inverted,
            };
            stretch((before, start..end), strange, from, depth(first));
        }
        winding += change;
        last = Some((start..end, depth(first)));
    }
}

/// Whether the body as a whole faces outward: exits lie deeper than entries on the whole.
fn outward(image: &LayeredDepthImage) -> bool {
    let samples = 0..image.resolution().sample_count();
    let keys = samples.flat_map(|number| image.numbered_column(number).keys);
    keys.map(|&key| if is_exit(key) { depth(key) } else { -depth(key) }).sum::<f64>() >= 0.0
}
