//! What is decided without error, held against outside truth and against independent references.

#[path = "../support/counts.rs"]
#[allow(dead_code)]
mod counts;

mod gjk_distance;
mod impacts;
mod triangles;
