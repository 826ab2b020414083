
mod closed;
mod columns;
mod error;
mod estimate;
mod image;
mod options;
mod overlap;
mod raster;
mod spans;
mod threads;
mod volume_of_interest;
mod window;

pub use error::{VolumeError, WhichBody};
pub use image::{ImageOptions, ImageStats, LayeredDepthImage};
pub use options::{Direction, InsideRule, Resolution};
pub use overlap::{Overlap, OverlapAnswer, OverlapOptions, OverlapSpan};
pub use spans::{Column, Crossing, CrossingKind, Operation, Span, Spans};
pub use volume_of_interest::VolumeOfInterest;
