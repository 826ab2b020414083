//! How deep two bodies are in each other, and how to separate them.
//!
//! Future work of Heidelberger, Teschner & Gross 2003. Along each axis both bodies are seen whole over the part of
//! their boxes they share, and column by column their spans are compared. Moving a by t along the axis makes its span
//! [a₀, a₁] overlap a span [b₀, b₁] of the same column exactly for
//!
//! ```text
//! b₀ − a₁ < t < b₁ − a₀
//! ```
//!
//! so the forbidden t are a union of open intervals. The piece of it around 0 ends at the nearest translations, one
//! each way, after which no column overlaps: not the length of the deepest span, which separates the bodies only if
//! neither reaches through the other. The smallest of the six over the three axes is the penetration.
//!
//! The ends are found without storing intervals: starting at 0, t moves to the end of any interval that holds it, until
//! a whole pass over the columns moves it no more.
//!
//! Sampled, like everything here: bodies that miss each other's columns by less than a pixel count as separated. Cost:
//! six images, and a few passes over their columns. Held by: `tests/volume/depth.rs`.

use super::closed;
use super::error::{VolumeError, WhichBody};
use super::image::LayeredDepthImage;
use super::overlap::OverlapOptions;
use super::spans::{Operation, Span, combine};
use super::volume_of_interest::VolumeOfInterest;
use super::window::{Far, Window, held_box};
use crate::exact;
use crate::threads;
use crumple::Body;
use crumple::{Axis, Coordinate};

/// The longest stretch two bodies share along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepestSpan {
    /// Where its column lies: the two coordinates of [`Axis::others`].
    pub across: [f64; 2],
    /// From where to where it reaches along the axis.
    pub span: Span,
}

/// What was found along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisPenetration {
    /// The axis.
    pub axis: Axis,
    /// The longest common stretch; `None` if no column has one.
    pub deepest: Option<DeepestSpan>,
    /// How far `a` has to move down (not above 0) or up (not below 0) the axis for no column to overlap.
    pub separating: [f64; 2],
}

impl AxisPenetration {
    /// The shorter of the two ways out.
    pub fn shortest(&self) -> f64 {
        let [down, up] = self.separating;
        if -down <= up { down } else { up }
    }
}

/// How deep two bodies are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenetrationAnswer {
    /// Along x, y and z.
    pub axes: [AxisPenetration; 3],
}

impl PenetrationAnswer {
    /// The axis along which the bodies are separated by the shortest way; `None` if they do not overlap.
    pub fn shortest(&self) -> Option<&AxisPenetration> {
        let overlapping = self.axes.iter().filter(|found| found.deepest.is_some());
        overlapping.min_by(|a, b| a.shortest().abs().total_cmp(&b.shortest().abs()))
    }

    /// How far the bodies have to move to be separated, along the best axis; 0 if they do not overlap.
    pub fn depth(&self) -> f64 {
        self.shortest().map_or(0.0, |found| found.shortest().abs())
    }

    /// The translation of `a` that separates the bodies; zero if they do not overlap.
    pub fn translation(&self) -> [f64; 3] {
        let mut translation = [0.0; 3];
        if let Some(found) = self.shortest() {
            translation[found.axis as usize] = found.shortest();
        }
        translation
    }
}

/// Computes penetrations, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub struct Penetration {
    options: OverlapOptions,
    images: [LayeredDepthImage; 2],
    of_a: Vec<Span>,
    of_b: Vec<Span>,
}

impl Penetration {
    /// Ready for the first frame. Of the options, the operation has no meaning here.
    pub fn new(options: OverlapOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// How deep two bodies are in each other now.
    ///
    /// # Errors
    /// As [`OverlapSampler::compute`](super::OverlapSampler::compute).
    pub fn compute(&mut self, a: &Body, b: &Body) -> Result<PenetrationAnswer, VolumeError> {
        self.options.resolution.check()?;
        for (body, which) in [(a, WhichBody::A), (b, WhichBody::B)] {
            closed::check(body, which, self.options.inside, self.options.assume_closed)?;
        }
        let mut axes = Axis::ALL.map(|axis| AxisPenetration { axis, deepest: None, separating: [0.0; 2] });
        let common = held_box(a).intersection(&held_box(b));
        // Boxes that are apart or touch leave no room for an overlap.
        if (0..3).all(|k| common.min()[k] < common.max()[k]) {
            for found in &mut axes {
                self.along(a, b, found)?;
            }
        }
        Ok(PenetrationAnswer { axes })
    }

    fn along(&mut self, a: &Body, b: &Body, found: &mut AxisPenetration) -> Result<(), VolumeError> {
        let (of_a, of_b) = (held_box(a), held_box(b));
        let (common, both) = (of_a.intersection(&of_b), of_a.union(&of_b));
        let voi = VolumeOfInterest::along(found.axis, &common, &both);
        let window = Window::new(&voi.bounds(), voi.direction_a(), self.options.resolution, Far::HoldsBody);
        let [image_a, image_b] = &mut self.images;
        image_a.render_window(a, WhichBody::A, window, self.options.inside)?;
        image_b.render_window(b, WhichBody::B, window, self.options.inside)?;

        let samples = self.options.resolution.sample_count();
        for number in 0..samples {
            self.gather(number);
            combine(Operation::Intersection, &self.of_a, &self.of_b, |span| {
                if found.deepest.is_none_or(|deepest| deepest.span.length() < span.length()) {
                    let width = self.options.resolution.columns as usize;
                    let across = window.sample([(number % width) as u32, (number / width) as u32]);
                    found.deepest = Some(DeepestSpan { across, span });
                }
                true
            });
        }
        while found.deepest.is_some() {
            let before = found.separating;
            for number in 0..samples {
                self.gather(number);
                found.separating = past(&self.of_a, &self.of_b, found.separating);
            }
            if found.separating == before {
                break;
            }
        }
        Ok(())
    }

    fn gather(&mut self, number: usize) {
        self.of_a.clear();
        self.of_b.clear();
        self.images[0].world_spans(number, &mut self.of_a);
        // Most columns meet one of the two at most.
        if !self.of_a.is_empty() {
            self.images[1].world_spans(number, &mut self.of_b);
        }
    }
}

/// Moves both translations out of the intervals that one column forbids.
fn past(of_a: &[Span], of_b: &[Span], [mut down, mut up]: [f64; 2]) -> [f64; 2] {
    let forbidden = || of_a.iter().flat_map(|a| of_b.iter().map(move |b| [b.low - a.high, b.high - a.low]));
    while let Some([low, _]) = forbidden().find(|&[low, high]| low < down && down < high) {
        down = low;
    }
    while let Some([_, high]) = forbidden().find(|&[low, high]| low < up && up < high) {
        up = high;
    }
    [down, up]
}

/// How deep a point lies inside a body along the direction of an image; zero both ways if it is outside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointDepth {
    /// How far back, against the direction, the span begins.
    pub behind: f64,
    /// How far ahead it ends.
    pub ahead: f64,
}

impl PointDepth {
    /// The shorter way out.
    pub fn depth(&self) -> f64 {
        self.behind.min(self.ahead)
    }
}

impl LayeredDepthImage {
    /// How deep each of `points` lies inside along the image's direction; `depths` is overwritten.
    pub fn depths_of_points<C: Coordinate>(&self, points: &[[C; 3]], depths: &mut Vec<PointDepth>) {
        self.depths_of(points, depths);
    }

    fn depths_of<C: Coordinate>(&self, points: &[[C; 3]], depths: &mut Vec<PointDepth>) {
        depths.clear();
        depths.resize(points.len(), PointDepth::default());
        threads::each_stretch(threads::for_items(points.len()), points, depths, &|points, depths| {
            for (&point, found) in points.iter().zip(depths) {
                *found = self.depth_of_point(exact(point));
            }
        });
    }

    /// How deep each vertex of another body lies inside along the image's direction; `depths` is overwritten.
    pub fn depths_of_vertices(&self, body: &Body, depths: &mut Vec<PointDepth>) {
        match body.positions_f64() {
            None => self.depths_of(body.positions(), depths),
            Some(positions) => self.depths_of(positions, depths),
        }
    }

    fn depth_of_point(&self, point: [f64; 3]) -> PointDepth {
        let pixel = self.window().and_then(|window| Some((window.pixel(point)?, window.depth_of(point))));
        let Some((number, at)) = pixel else { return PointDepth::default() };
        let holds = |span: &Span| span.low <= at && at <= span.high;
        let span = self.numbered_column(number).spans().find(holds);
        span.map_or(PointDepth::default(), |span| PointDepth { behind: at - span.low, ahead: span.high - at })
    }
}
