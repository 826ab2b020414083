//! HOW MUCH: overlap volumes, points inside and penetration, by layered depth images.

mod closed;
mod columns;
mod depth;
mod error;
mod estimate;
mod image;
mod lanes;
mod options;
mod overlap;
mod points;
mod raster;
mod self_overlap;
mod spans;
mod threads;
mod triangle_columns;
mod volume_of_interest;
mod window;

pub use depth::{AxisPenetration, DeepestSpan, Penetration, PenetrationAnswer, PointDepth};
pub use error::{VolumeError, WhichBody};
pub use image::{ImageOptions, ImageStats, LayeredDepthImage};
pub use options::{Direction, InsideRule, Resolution};
pub use overlap::{Overlap, OverlapAnswer, OverlapOptions, OverlapSpan};
pub use points::{PointsInside, PointsOptions};
pub use self_overlap::{SelfOverlap, SelfOverlapAnswer};
pub use spans::{Column, Crossing, CrossingKind, Operation, Span, Spans};
pub use volume_of_interest::VolumeOfInterest;
