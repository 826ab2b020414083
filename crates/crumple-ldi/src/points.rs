//! Which points lie inside a body.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 3.3, second query ("vertex in volume").
//!
//! A point is looked up in the column of the pixel it falls into: inside if its depth lies within a span, border
//! included. That answers for the sample in the middle of the pixel, so it can be wrong for points nearer to the
//! surface than half a pixel's diagonal (and the rounding of depths, some 10^-15 of them); farther away it is right.
//! With `exact` there is no such error: points near the surface are decided along their own lines by exact signs, see
//! [`exact_points`](super::exact_points).
//!
//! Points on the surface are inside. Points outside the image, and those that are not finite, are outside. The coordinates of f64
//! points must be 0 or at least 2^-300 in size for the answer to be exact, as those of bodies are.
//!
//! Cost: the image, then a look-up of a few words per point; memory is reused. Held by: `tests/volume/points.rs`.

use super::columns::{is_exit, key, same_depth};
use super::error::{VolumeError, WhichBody};
use super::exact_points::{ExactPoints, Question};
use super::image::{ImageOptions, LayeredDepthImage};
use super::window::Window;
use super::{Direction, InsideRule, Resolution, closed};
use crate::exact;
use crate::simd::chosen_level;
use crate::threads;
use crumple::Body;
use crumple::Coordinate;

/// Points looked up together.
const BATCH: usize = 32;

impl LayeredDepthImage {
    /// Whether a point lies inside, accurate to one sample.
    pub fn contains_point<C: Coordinate>(&self, point: [C; 3]) -> bool {
        self.window().is_some_and(|window| {
            let (column, here) = self.look_up(window, exact(point));
            self.holds(column, here)
        })
    }

    /// For each of `points` whether it lies inside, accurate to one sample; `inside` is overwritten.
    pub fn contains_points<C: Coordinate>(&self, points: &[[C; 3]], inside: &mut Vec<bool>) {
        inside.clear();
        inside.resize(points.len(), false);
        let Some(window) = self.window() else { return };
        threads::each_stretch(threads::for_items(points.len()), points, inside, &|points, inside| {
            // Places first, then columns: so many look-ups are on their way at a time.
            for (points, inside) in points.chunks(BATCH).zip(inside.chunks_mut(BATCH)) {
                let mut columns: [(&[u64], u64); BATCH] = [(&[], 0); BATCH];
                for (&point, column) in points.iter().zip(&mut columns) {
                    *column = self.look_up(window, exact(point));
                }
                for (&(column, here), inside) in columns.iter().zip(inside) {
                    *inside = self.holds(column, here);
                }
            }
        });
    }

    /// The column a point falls into, and its depth as a crossing would have it.
    #[inline]
    fn look_up(&self, window: &Window, point: [f64; 3]) -> (&[u64], u64) {
        let depth = window.depth_of(point);
        match window.pixel(point) {
            Some(number) if depth >= 0.0 && depth <= window.depth() => {
                (self.numbered_column(number).keys, key(depth, false))
            }
            _ => (&[], 0),
        }
    }

    /// Whether a depth lies inside a column.
    #[inline]
    fn holds(&self, column: &[u64], here: u64) -> bool {
        // No early exit: columns are short, and where a point lies within its column cannot be predicted.
        let (mut entries, mut exits, mut on_surface) = (0, 0, false);
        for &crossing in column {
            let before = crossing < here;
            exits += u32::from(before & is_exit(crossing));
            entries += u32::from(before & !is_exit(crossing));
            on_surface |= same_depth(crossing, here);
        }
        on_surface || self.inside_rule().holds(entries, exits)
    }
}

/// How points are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PointsOptions {
    /// Samples along both sides of the image; of no meaning for exact answers.
    pub resolution: Resolution,
    /// Where the image looks; exact answers follow lines along the same axis.
    pub direction: Direction,
    /// What counts as inside.
    pub inside: InsideRule,
    /// Whether every point is decided by exact signs instead of by its sample.
    pub exact: bool,
    /// Whether to accept a surface that encloses no volume.
    pub assume_closed: bool,
}

impl Default for PointsOptions {
    /// By an image of 128 by 128 samples along z, as the paper measured.
    fn default() -> Self {
        let ImageOptions { resolution, direction, inside, assume_closed } = ImageOptions::default();
        Self { resolution, direction, inside, exact: false, assume_closed }
    }
}

impl PointsOptions {
    /// Samples along both sides of the image.
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

    /// Decides every point by exact signs: no point is wrong, however near to the surface.
    pub fn with_exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// Accepts a surface that is open or not oriented.
    pub fn with_assumed_closed(self) -> Self {
        Self { assume_closed: true, ..self }
    }
}

/// Tests points against a body, frame after frame, in memory of its own.
///
/// ```
/// use crumple_ldi::{PointsInside, PointsOptions};
/// # use crumple::{Body, Mesh};
/// # let mesh = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// # let corner = Body::new(mesh, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
/// let mut points_inside = PointsInside::new(PointsOptions::default().with_exact());
/// let found = points_inside.test(&corner, &[[0.1, 0.1, 0.1], [0.5, 0.5, 0.0], [0.5, 0.5, 0.1]])?;
/// assert_eq!(found, [true, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PointsInside {
    options: PointsOptions,
    image: LayeredDepthImage,
    exact: ExactPoints,
    inside: Vec<bool>,
}

impl PointsInside {
    /// Ready for the first frame.
    pub fn new(options: PointsOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// For each point, of f32 or f64 numbers, whether it lies inside the body as it is now. For exact answers coordinates
    /// are to be 0 or at least 2^-300 in size, as all f32 numbers are.
    ///
    /// # Errors
    /// If the resolution is out of range, the body has no triangles or its box no volume, or its surface does not
    /// enclose a volume.
    pub fn test<C: Coordinate>(&mut self, body: &Body, points: &[[C; 3]]) -> Result<&[bool], VolumeError> {
        let Self { options, image, exact, inside: found } = self;
        let PointsOptions { resolution, direction, inside, assume_closed, .. } = *options;
        let threads = threads::for_items(points.len().max(body.mesh().triangles().len()));
        threads::within_pool(threads, || {
            if options.exact {
                closed::check(body, WhichBody::Only, inside, assume_closed)?;
                let question = Question { body, axis: direction.axis(), rule: inside, is_closed: !assume_closed };
                exact.test(chosen_level(), question, points, found);
            } else {
                image.render(body, &ImageOptions { resolution, direction, inside, assume_closed })?;
                image.contains_points(points, found);
            }
            Ok(())
        })?;
        Ok(&self.inside)
    }

    /// The image points were looked up in; empty if none was taken yet.
    pub fn image(&self) -> &LayeredDepthImage {
        &self.image
    }
}
