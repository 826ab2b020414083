//! How much two bodies overlap: two images on one grid, combined column by column.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 3.3, first query.
//!
//! The images look at each other: a from one side of the volume of interest, b from the other. Spans are brought to
//! world coordinates along the axis, which turns b's columns round, and intersected. A body that lies wholly inside the
//! other overlaps it although no triangles meet: this is about volumes, pairs of triangles are about surfaces.
//!
//! Cost: two images (see `image`) and O(samples + crossings) for combining them; nothing is kept between frames but
//! memory. Held by: `tests/volume/overlap.rs` (closed formulas, every nesting), `cargo xtask verify`.

use super::error::{VolumeError, WhichBody};
use super::estimate::{Working, standard_error};
use super::image::{ImageStats, LayeredDepthImage};
use super::spans::{Operation, Span, combine};
use super::volume_of_interest::VolumeOfInterest;
use super::window::{Far, Window, held_box};
use super::{InsideRule, Resolution, closed};
use crate::threads;
use crumple::Body;
use crumple::{Aabb, Axis};

/// How overlaps are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OverlapOptions {
    /// Samples across the volume of interest.
    pub resolution: Resolution,
    /// What counts as inside.
    pub inside: InsideRule,
    /// What to make of the two bodies.
    pub operation: Operation,
    /// Whether to accept surfaces that enclose no volume.
    pub assume_closed: bool,
}

impl Default for OverlapOptions {
    /// The intersection at 128 by 128 samples, as the paper measured.
    fn default() -> Self {
        Self {
            resolution: Resolution::from(128),
            inside: InsideRule::default(),
            operation: Operation::default(),
            assume_closed: false,
        }
    }
}

impl OverlapOptions {
    /// Samples across: one number for a square, `[columns, rows]` for a rectangle.
    pub fn with_resolution(self, resolution: impl Into<Resolution>) -> Self {
        Self { resolution: resolution.into(), ..self }
    }

    /// What counts as inside.
    pub fn with_inside(self, inside: InsideRule) -> Self {
        Self { inside, ..self }
    }

    /// What to make of the two bodies: their intersection, their union, or `a` without `b`.
    pub fn with_operation(self, operation: Operation) -> Self {
        Self { operation, ..self }
    }

    /// Accepts surfaces that are open or not oriented; [`OverlapAnswer::unordered_columns`] then counts the columns of
    /// each that are inconsistent.
    pub fn with_assumed_closed(self) -> Self {
        Self { assume_closed: true, ..self }
    }
}

/// Computes overlaps, frame after frame, in memory of its own.
///
/// ```
/// use crumple_ldi::{OverlapSampler, OverlapOptions};
/// # use crumple::{Body, Mesh};
/// # let cube = |low: f32, high: f32| {
/// #     let faces = vec![[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
/// #     let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high } else { low });
/// #     Body::new(Mesh::new(8, faces).unwrap(), &(0..8).map(corner).collect::<Vec<_>>()).unwrap()
/// # };
/// let (crate_, ball) = (cube(0.0, 2.0), cube(1.0, 3.0));
/// let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(64));
/// let answer = overlap.compute(&crate_, &ball)?;
/// assert!((answer.volume() - 1.0).abs() < 1e-9);
/// assert!(answer.collides() && answer.centroid().is_some());
/// # Ok::<(), crumple_ldi::VolumeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct OverlapSampler {
    options: OverlapOptions,
    voi: Option<VolumeOfInterest>,
    images: [LayeredDepthImage; 2],
    rows: Vec<Row>,
    lengths: Vec<f64>,
    working: Working,
    found: Found,
}

/// What one row of columns comes to. Every row has its own memory, so rows can be computed side by side.
#[derive(Clone, Debug, Default)]
struct Row {
    spans: Vec<(u32, Span)>,
    of_a: Vec<Span>,
    of_b: Vec<Span>,
}

/// Sums over all spans, in pixels and world units of depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Found {
    volume: f64,
    error: f64,
    moments: [f64; 3],
}

impl OverlapSampler {
    /// Ready for the first frame.
    pub fn new(options: OverlapOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// What it was made with.
    pub fn options(&self) -> &OverlapOptions {
        &self.options
    }

    /// The overlap of two bodies as they are now.
    ///
    /// # Errors
    /// If the resolution is out of range, a body has no triangles or its box no volume, or a surface does not enclose a
    /// volume. Bodies that are apart or merely touch are no error: their overlap is 0.
    pub fn compute(&mut self, a: &Body, b: &Body) -> Result<OverlapAnswer<'_>, VolumeError> {
        let threads = self.threads(a, b);
        threads::within_pool(threads, || {
            self.render(a, b)?;
            self.combine_columns();
            Ok(())
        })?;
        Ok(OverlapAnswer { overlap: self })
    }

    /// How many threads may work on the images of two bodies.
    fn threads(&self, a: &Body, b: &Body) -> usize {
        let most = a.mesh().triangles().len().max(b.mesh().triangles().len());
        // Not checked yet, so it may be too large to be multiplied.
        let Resolution { columns, rows } = self.options.resolution;
        threads::for_items(most.max((columns as usize).saturating_mul(rows as usize)))
    }

    /// The first part of [`compute`](Self::compute): the volume of interest and both images.
    ///
    /// # Errors
    /// As `compute`.
    pub fn render(&mut self, a: &Body, b: &Body) -> Result<(), VolumeError> {
        self.voi = None;
        self.images.iter_mut().for_each(LayeredDepthImage::clear);
        let resolution = self.options.resolution.check()?;
        let bodies = [(a, WhichBody::A), (b, WhichBody::B)];
        for (body, which) in bodies {
            closed::check(body, which, self.options.inside, self.options.assume_closed)?;
        }
        let (box_a, box_b) = (held_box(a), held_box(b));
        let both = box_a.union(&box_b);
        self.voi = match self.options.operation {
            Operation::Intersection => VolumeOfInterest::new(&box_a, &box_b),
            Operation::Union => Some(VolumeOfInterest::over(&both, &both)),
            Operation::Difference => Some(VolumeOfInterest::over(&box_a, &both)),
        };
        let Some(voi) = self.voi.filter(|voi| voi.volume() > 0.0) else { return Ok(()) };
        let (threads, inside) = (self.threads(a, b), self.options.inside);
        let window = |direction| Window::new(&voi.bounds(), direction, resolution, Far::Cuts);
        let [image_a, image_b] = &mut self.images;
        // One image each, whoever is through first helps with the other; unless one of them is most of the work: then both
        // threads share it from the start.
        let sizes = [a, b].map(|body| body.mesh().triangles().len());
        let at_once = if sizes[0].max(sizes[1]) <= 8 * sizes[0].min(sizes[1]) { threads } else { 1 };
        let (of_a, of_b) = threads::within_pool(threads, || {
            threads::join(
                at_once,
                || image_a.render_window(a, WhichBody::A, window(voi.direction_a()), inside),
                || image_b.render_window(b, WhichBody::B, window(voi.direction_b()), inside),
            )
        });
        if of_a.is_err() {
            image_b.clear();
        }
        of_a.and(of_b)
    }

    /// The second part of [`compute`](Self::compute): combines the images that were rendered last.
    pub fn combine(&mut self) -> OverlapAnswer<'_> {
        let threads = threads::for_items(self.images[0].resolution().sample_count());
        threads::within_pool(threads, || self.combine_columns());
        OverlapAnswer { overlap: self }
    }

    /// Intersects the columns and sums up what is found.
    fn combine_columns(&mut self) {
        let Resolution { columns, rows } = self.images[0].resolution();
        let (width, rows) = (columns as usize, rows as usize);
        self.found = Found::default();
        self.rows.iter_mut().for_each(|row| row.spans.clear());
        if let (Some(window), true) = (self.images[0].window().copied(), width > 0) {
            if self.rows.len() < rows {
                self.rows.resize_with(rows, Row::default);
            }
            let (images, operation) = (&self.images, self.options.operation);
            threads::each(threads::for_items(width * rows), &mut self.rows[..rows], |number, row| {
                row.combine(images, operation, number * width, width);
            });
            self.lengths.clear();
            self.lengths.resize(width * rows, 0.0);
            self.found = self.sum_up(&window);
        }
    }

    /// Whether two bodies overlap; stops at the first column in which they do.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn collides(&mut self, a: &Body, b: &Body) -> Result<bool, VolumeError> {
        let operation = std::mem::replace(&mut self.options.operation, Operation::Intersection);
        let rendered = self.render(a, b);
        self.options.operation = operation;
        rendered?;
        self.rows.resize_with(self.rows.len().max(1), Row::default);
        let (row, images) = (&mut self.rows[0], &self.images);
        row.spans.clear();
        Ok((0..images[0].resolution().sample_count()).any(|number| {
            row.gather(images, number);
            let mut meet = false;
            combine(Operation::Intersection, &row.of_a, &row.of_b, |_| {
                meet = true;
                false
            });
            meet
        }))
    }

    /// The images of `a` and of `b` that were rendered last; empty if the boxes are apart.
    pub fn images(&self) -> &[LayeredDepthImage; 2] {
        &self.images
    }

    /// Adds up what the rows hold, row by row, so that the order of the sums never changes.
    fn sum_up(&mut self, window: &Window) -> Found {
        let width = window.resolution.columns as usize;
        let [u, v, w] = window.axes();
        let ([du, dv], low) = (window.step(), window.sample([0, 0]));
        let mut found = Found::default();
        for (number, row) in self.rows.iter().enumerate() {
            // Volume, and the first moments across and in depth.
            let (mut length, mut across, mut deep) = (0.0, 0.0, 0.0);
            for &(column, span) in &row.spans {
                let here = span.length();
                self.lengths[number * width + column as usize] += here;
                length += here;
                across += here * (low[0] + f64::from(column) * du);
                deep += here * 0.5 * (span.low + span.high);
            }
            found.volume += length;
            found.moments[u] += across;
            found.moments[v] += length * (low[1] + number as f64 * dv);
            found.moments[w] += deep;
        }
        found.error = standard_error(&self.lengths, width, &mut self.working) * du * dv;
        found.volume *= du * dv;
        found.moments = found.moments.map(|moment| moment * du * dv);
        found
    }
}

impl Row {
    /// Puts the columns `first..first + width` of both images together.
    fn combine(&mut self, images: &[LayeredDepthImage; 2], operation: Operation, first: usize, width: usize) {
        for column in 0..width {
            let number = first + column;
            // Where one body is not, nothing is common to both.
            let empty = images.each_ref().map(|image| image.numbered_column(number).is_empty());
            if operation == Operation::Intersection && (empty[0] | empty[1]) {
                continue;
            }
            self.gather(images, number);
            combine(operation, &self.of_a, &self.of_b, |span| {
                self.spans.push((column as u32, span));
                true
            });
        }
    }

    /// The spans of one column of both bodies, in world coordinates and growing.
    #[inline]
    fn gather(&mut self, images: &[LayeredDepthImage; 2], number: usize) {
        self.of_a.clear();
        self.of_b.clear();
        images[0].world_spans(number, &mut self.of_a);
        images[1].world_spans(number, &mut self.of_b);
    }
}

/// A stretch of a column that belongs to the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapSpan {
    /// The sample: its column and row in the grid.
    pub sample: [u32; 2],
    /// From where to where it reaches along the axis, in world coordinates.
    pub span: Span,
}

/// What was found; borrows the memory of its [`OverlapSampler`] until the next frame.
#[derive(Clone, Copy, Debug)]
pub struct OverlapAnswer<'a> {
    overlap: &'a OverlapSampler,
}

impl<'a> OverlapAnswer<'a> {
    /// The volume, in cubes of the world's unit.
    pub fn volume(&self) -> f64 {
        self.overlap.found.volume
    }

    /// How far off the volume is likely to be: a standard error estimated from how neighbouring columns differ.
    ///
    /// It is not a bound: what is thinner than a pixel can fall between the samples.
    pub fn error_estimate(&self) -> f64 {
        self.overlap.found.error
    }

    /// Whether the bodies overlap.
    pub fn collides(&self) -> bool {
        self.spans().next().is_some()
    }

    /// The box that was sampled; `None` if the bodies' boxes are apart.
    pub fn volume_of_interest(&self) -> Option<VolumeOfInterest> {
        self.overlap.voi
    }

    /// The most crossings any column of `a` and of `b` has in that box.
    pub fn depth_complexity(&self) -> [u32; 2] {
        self.overlap.images.each_ref().map(LayeredDepthImage::depth_complexity)
    }

    /// Columns of `a` and of `b` in which entries and exits do not alternate.
    pub fn unordered_columns(&self) -> [usize; 2] {
        self.overlap.images.each_ref().map(LayeredDepthImage::unordered_columns)
    }

    /// How much work the images of `a` and `b` took.
    pub fn stats(&self) -> [ImageStats; 2] {
        self.overlap.images.each_ref().map(LayeredDepthImage::stats)
    }

    /// The axis along which spans run; `None` if the bodies' boxes are apart.
    pub fn axis(&self) -> Option<Axis> {
        self.overlap.voi.map(|voi| voi.axis())
    }

    /// The spans of the overlap, row by row and column by column.
    pub fn spans(&self) -> impl Iterator<Item = OverlapSpan> + use<'a> {
        let rows = (0..).zip(&self.overlap.rows);
        rows.flat_map(|(row, found)| {
            found.spans.iter().map(move |&(column, span)| OverlapSpan { sample: [column, row], span })
        })
    }

    /// Where a sample of the grid lies: its two coordinates across the axis, those of [`Axis::others`].
    pub fn sample_position(&self, sample: [u32; 2]) -> Option<[f64; 2]> {
        self.overlap.images[0].window().map(|window| window.sample(sample))
    }

    /// The smallest box around the spans, each as wide as its pixel; `None` without an overlap.
    pub fn bounds(&self) -> Option<Aabb> {
        let window = self.overlap.images[0].window()?;
        let ([u, v, w], step) = (window.axes(), window.step());
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for OverlapSpan { sample, span } in self.spans() {
            let [x, y] = window.sample(sample);
            for (axis, low, high) in [
                (u, x - step[0] / 2.0, x + step[0] / 2.0),
                (v, y - step[1] / 2.0, y + step[1] / 2.0),
                (w, span.low, span.high),
            ] {
                min[axis] = min[axis].min(low);
                max[axis] = max[axis].max(high);
            }
        }
        let bounds = Aabb::new(min.map(|x| x as f32), max.map(|x| x as f32));
        (min[0] <= max[0]).then(|| bounds.intersection(&window.bounds()))
    }

    /// The centre of mass; `None` without an overlap.
    pub fn centroid(&self) -> Option<[f64; 3]> {
        let Found { volume, moments, .. } = self.overlap.found;
        (volume > 0.0).then(|| moments.map(|moment| moment / volume))
    }
}
