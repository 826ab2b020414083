//! How a scene behaves, frame after frame.

mod bodies;
mod contact_regions;
mod contacts;
mod crossings;
mod frames;
mod limits;
mod loose_boxes;
mod may_touch;
mod onset;
mod refusals;
mod shapes;
#[cfg(feature = "parallel")]
mod threads;
mod work;
