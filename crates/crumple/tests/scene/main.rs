//! How a scene behaves, frame after frame.

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod contacts;
mod frames;
mod loose_boxes;
mod may_touch;
mod onset;
mod refusals;
mod shapes;
mod work;
