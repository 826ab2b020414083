//! A layered depth image: for every sample of a grid, where its ray goes into a body and out of it.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, sections 3.2 and 4.
//!
//! ```text
//! near plane │     entry    exit        entry   exit │ far plane
//!   sample ──┼───────●────────●───────────●───────●──┼──►  one column
//!   sample ──┼──────────●──────────────────────●─────┼──►
//! ```
//!
//! Departs: the paper renders n_max times and peels one layer per pass, because a graphics card of its time kept one
//! depth per pixel; here one pass finds all crossings (`raster`) and sorts them into one flat array (`columns`). Depth
//! is f64: with f32, neighbouring triangles near a fold come out in the wrong order now and then.
//!
//! Cost: O(vertices + triangles + samples + crossings), see `raster`; memory is reused by the next image.
//! Held by: `tests/volume/images.rs` (parity, alternation, known volumes), `cargo xtask verify` (real meshes).

use super::columns::{Chunk, Columns, Tally};
use super::error::{VolumeError, WhichBody};
use super::raster::{self, Segment};
use super::spans::{Column, Span};
use super::window::{Far, Window, held_box};
use super::{Direction, InsideRule, Resolution, closed};
use crate::threads;
use crumple::Body;
use crumple::{Aabb, Coordinate};

/// How an image of a whole body is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ImageOptions {
    /// Samples along both sides.
    pub resolution: Resolution,
    /// Where the image looks.
    pub direction: Direction,
    /// What counts as inside.
    pub inside: InsideRule,
    /// Whether to accept a surface that encloses no volume.
    pub assume_closed: bool,
}

impl Default for ImageOptions {
    /// 128 by 128 samples along z, as the paper measured.
    fn default() -> Self {
        Self {
            resolution: Resolution::from(128),
            direction: Direction::PositiveZ,
            inside: InsideRule::default(),
            assume_closed: false,
        }
    }
}

impl ImageOptions {
    /// Samples along both sides: one number for a square, `[columns, rows]` for a rectangle.
    pub fn with_resolution(self, resolution: impl Into<Resolution>) -> Self {
        Self { resolution: resolution.into(), ..self }
    }

    /// Where the image looks.
    pub fn with_direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// What counts as inside.
    pub fn with_inside(self, inside: InsideRule) -> Self {
        Self { inside, ..self }
    }

    /// Accepts a surface that is open or not oriented; [`LayeredDepthImage::unordered_columns`] then counts the columns
    /// that are inconsistent.
    pub fn with_assumed_closed(self) -> Self {
        Self { assume_closed: true, ..self }
    }
}

/// How much work an image took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageStats {
    /// Triangles looked at.
    pub triangles: usize,
    /// Those that might cover a sample and were scanned row by row.
    pub scanned: usize,
    /// Crossings found.
    pub crossings: usize,
}

/// Sorted entries and exits along the rays of a grid of samples.
///
/// ```
/// use crumple_ldi::{Direction, LayeredDepthImage};
/// # use crumple::{Body, Mesh};
/// # let mesh = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// # let corner = Body::new(mesh, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
/// let image = LayeredDepthImage::of_body(&corner, Direction::PositiveZ, 64)?;
/// assert!((image.volume() - 1.0 / 6.0).abs() < 1e-3);
/// let first = image.column(0, 0).spans().next().map(|span| span.low);
/// assert_eq!(first, Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LayeredDepthImage {
    window: Option<Window>,
    inside: InsideRule,
    columns: Columns,
    tally: Tally,
    stats: ImageStats,
    cells: Vec<u32>,
    chunks: Vec<Chunk>,
}

impl LayeredDepthImage {
    /// An image of nothing, whose memory grows with the first body it is taken of.
    pub fn new() -> Self {
        Self::default()
    }

    /// The image of a whole body.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn of_body(body: &Body, direction: Direction, resolution: impl Into<Resolution>) -> Result<Self, VolumeError> {
        let mut image = Self::new();
        image.render(body, &ImageOptions::default().with_direction(direction).with_resolution(resolution))?;
        Ok(image)
    }

    /// Takes the image of a whole body, in the memory of the last one.
    ///
    /// # Errors
    /// If the resolution is out of range, the body has no triangles or its box no volume, or its surface does not
    /// enclose a volume. The image is then empty.
    pub fn render(&mut self, body: &Body, options: &ImageOptions) -> Result<(), VolumeError> {
        self.clear();
        let resolution = options.resolution.check()?;
        closed::check(body, WhichBody::Only, options.inside, options.assume_closed)?;
        let window = Window::new(&held_box(body), options.direction, resolution, Far::HoldsBody);
        let threads = threads::for_items(body.mesh().triangles().len().max(resolution.sample_count()));
        threads::within_pool(threads, || self.render_window(body, WhichBody::Only, window, options.inside))
    }

    /// Takes the image of what lies in a window before which the body does not reach.
    pub(super) fn render_window(
        &mut self,
        body: &Body,
        which: WhichBody,
        window: Window,
        inside: InsideRule,
    ) -> Result<(), VolumeError> {
        match body.positions_f64() {
            None => self.render_vertices(body, which, window, inside, body.positions()),
            Some(vertices) => self.render_vertices(body, which, window, inside, vertices),
        }
    }

    /// The same, given where the vertices are.
    fn render_vertices<C: Coordinate>(
        &mut self,
        body: &Body,
        which: WhichBody,
        window: Window,
        inside: InsideRule,
        vertices: &[[C; 3]],
    ) -> Result<(), VolumeError> {
        let triangles = body.mesh().collapsed_indices();
        let [width, rows] = [window.resolution.columns as usize, window.resolution.rows as usize];
        let threads = threads::for_items(triangles.len().max(width * rows));

        self.cells.resize(vertices.len(), 0);
        threads::each_stretch(threads, vertices, &mut self.cells, &|vertices, cells| {
            raster::place_vertices(&window, vertices, cells);
        });

        let band_shift = band_shift([width, rows], threads);
        let bands = rows.div_ceil(1 << band_shift);
        // More chunks than threads, since chunks differ in work; one thread needs only one.
        let chunk_count = if threads == 1 { 1 } else { 4 * threads };
        self.chunks.resize_with(chunk_count, Chunk::default);
        let share = triangles.len().div_ceil(chunk_count);
        let cells = &self.cells;
        threads::each(threads, &mut self.chunks, |number, chunk| {
            chunk.clear(bands, band_shift);
            let first = (number * share).min(triangles.len());
            let mine = &triangles[first..(first + share).min(triangles.len())];
            chunk.scanned = raster::scan(&window, vertices, cells, first as u32, mine, |_, segment, keep| {
                chunk.push_if(segment, keep);
            });
        });

        let filled = self.columns.fill(&self.chunks, band_shift, &window);
        self.tally = filled.map_err(|crossings| VolumeError::TooManyCrossings { body: which, crossings })?;
        self.stats = ImageStats {
            triangles: body.mesh().live_count(),
            scanned: self.chunks.iter().map(|chunk| chunk.scanned).sum(),
            crossings: self.columns.crossing_count(),
        };
        (self.window, self.inside) = (Some(window), inside);
        Ok(())
    }

    /// Scans the triangles of the body the image was taken of once more, for callers that need their numbers.
    pub(super) fn scan_again(&self, body: &Body, emit: impl FnMut(u32, Segment, bool)) {
        if let Some(window) = &self.window {
            let triangles = body.mesh().collapsed_indices();
            match body.positions_f64() {
                None => raster::scan(window, body.positions(), &self.cells, 0, triangles, emit),
                Some(vertices) => raster::scan(window, vertices, &self.cells, 0, triangles, emit),
            };
        }
    }

    /// Forgets what it shows and keeps its memory.
    pub fn clear(&mut self) {
        self.window = None;
        self.columns.clear();
        self.tally = Tally::default();
        self.stats = ImageStats::default();
    }

    pub(super) fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }

    pub(super) fn inside_rule(&self) -> InsideRule {
        self.inside
    }

    /// How far the far plane is from the near plane.
    pub(super) fn depth(&self) -> f64 {
        self.window.map_or(0.0, |window| window.depth())
    }

    /// The crossings of a sample by its number, `row · columns + column`.
    #[inline]
    pub(super) fn numbered_column(&self, number: usize) -> Column<'_> {
        Column { keys: self.columns.column(number), far: self.depth(), rule: self.inside }
    }

    /// Appends the spans of a sample by its number, in world coordinates along the axis and growing.
    #[inline]
    pub(super) fn world_spans(&self, number: usize, spans: &mut Vec<Span>) {
        let Some(window) = &self.window else { return };
        let first = spans.len();
        let found = self.numbered_column(number).spans();
        if window.direction.is_positive() {
            spans.extend(found.map(|span| Span { low: window.world(span.low), high: window.world(span.high) }));
        } else {
            spans.extend(found.map(|span| Span { low: window.world(span.high), high: window.world(span.low) }));
            spans[first..].reverse();
        }
    }

    /// The crossings along the ray of a sample; none for a sample that is not there.
    pub fn column(&self, column: u32, row: u32) -> Column<'_> {
        let size = self.resolution();
        let keys = if column < size.columns && row < size.rows {
            self.columns.column(row as usize * size.columns as usize + column as usize)
        } else {
            &[]
        };
        Column { keys, far: self.depth(), rule: self.inside }
    }

    /// How many samples there are; 0 by 0 for an empty image.
    pub fn resolution(&self) -> Resolution {
        self.window.map_or(Resolution { columns: 0, rows: 0 }, |window| window.resolution)
    }

    /// Where the image looks; `None` for an empty image.
    pub fn direction(&self) -> Option<Direction> {
        self.window.map(|window| window.direction)
    }

    /// The box the image was taken of: that of the body, with room for rounding if it has f64 positions; empty for an empty
    /// image.
    pub fn bounds(&self) -> Aabb {
        self.window.map_or(Aabb::EMPTY, |window| window.bounds())
    }

    /// Distances between neighbouring samples along the image's two sides.
    pub fn step(&self) -> [f64; 2] {
        self.window.map_or([0.0; 2], |window| window.step())
    }

    /// The most crossings in any column: n_max of the paper.
    pub fn depth_complexity(&self) -> u32 {
        self.tally.depth_complexity
    }

    /// Columns with an odd number of crossings; 0 for every closed body, whatever its shape.
    pub fn odd_columns(&self) -> usize {
        self.tally.odd
    }

    /// Columns in which entries and exits do not alternate, or which end inside although the image holds the whole
    /// body: it overlaps itself there, or is not closed.
    pub fn unordered_columns(&self) -> usize {
        self.tally.unordered
    }

    /// How much work the image took.
    pub fn stats(&self) -> ImageStats {
        self.stats
    }

    /// The volume inside: the length of all spans times the area of a pixel.
    pub fn volume(&self) -> f64 {
        let Resolution { columns, rows } = self.resolution();
        let [width, rows] = [columns as usize, rows as usize];
        let row_length = |row: usize| -> f64 {
            let samples = row * width..(row + 1) * width;
            samples.flat_map(|number| self.numbered_column(number).spans()).map(|span| span.length()).sum()
        };
        let [du, dv] = self.step();
        (0..rows).map(row_length).sum::<f64>() * du * dv
    }
}

/// Bands of rows, as a power of two: small enough for a band's counters to stay in the second-level cache, and enough
/// of them to go round.
fn band_shift([width, rows]: [usize; 2], threads: usize) -> u32 {
    const SAMPLES_PER_BAND: usize = 8_192;
    let rows_in_cache = (SAMPLES_PER_BAND / width).max(1);
    let rows_to_share = if threads == 1 { rows } else { rows.div_ceil(4 * threads) };
    rows_in_cache.min(rows_to_share).max(1).ilog2()
}
