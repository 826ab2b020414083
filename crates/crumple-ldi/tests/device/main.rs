//! Depth images on the device: the images, volumes and points of the processor.

mod common;
#[path = "../support/mod.rs"]
mod support;

mod errors;
mod images;
mod overlaps;
mod points;
mod self_overlaps;
