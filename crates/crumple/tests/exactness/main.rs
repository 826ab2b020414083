//! What is decided without error, held against outside truth and against independent references.

mod gjk_distance;
mod impacts;
mod triangles;
