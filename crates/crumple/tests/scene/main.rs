//! How a scene behaves, frame after frame.

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod contacts;
mod first_contact;
mod loose_boxes;
mod may_touch;
mod refusals;
mod shapes;
mod work;
