//! HOW MUCH: overlap volumes, points inside and penetration, by layered depth images.

mod closed;
mod columns;
mod error;
mod estimate;
mod image;
mod options;
mod overlap;
mod points;
mod raster;
mod spans;
mod threads;
mod triangle_columns;
mod volume_of_interest;
mod window;

pub use error::{VolumeError, WhichBody};
pub use image::{ImageOptions, ImageStats, LayeredDepthImage};
pub use options::{Direction, InsideRule, Resolution};
pub use overlap::{Overlap, OverlapAnswer, OverlapOptions, OverlapSpan};
pub use points::{PointsInside, PointsOptions};
pub use spans::{Column, Crossing, CrossingKind, Operation, Span, Spans};
pub use volume_of_interest::VolumeOfInterest;
