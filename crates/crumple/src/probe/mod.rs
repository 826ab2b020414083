//! WHAT A POINT OR A RAY FINDS: the closest point of a body, whether a point is inside, the first hit of a ray.
//!
//! One point or ray goes down one tree: eight boxes at a time, the nearest first, and what is farther than the best
//! found so far is left out (`points`, `rays`). At a leaf eight triangles are examined in f32 with a bound on the error;
//! those that may be the answer are examined in f64 (`geom::closest`, `exact::ray`), in the order of their numbers where they
//! tie. So answers do not depend on the instructions, on threads, or on the order in which a tree is walked.
//!
//! Many points or rays share a snapshot of the tree (`tree::view`) and are divided among threads.
//!
//! Cost: a snapshot is one pass over the triangles; then about 0.2 to 0.5 µs per point or ray on 20,000 triangles.
//! Held by: `tests/behaviour/points.rs` and `tests/behaviour/rays.rs` (brute force), experiments DE3 and DE4.

mod batch;
mod error;
mod inside;
mod lanes;
mod points;
mod rays;
mod stack;
mod two_bodies;

pub use error::QueryError;
pub use points::ClosestPoint;
pub use rays::{Ray, RayHit};
pub use two_bodies::{cast_ray, cast_rays, closest_point, closest_points, signed_closest_points};

pub(crate) use batch::{Signed, cast_into, check_points, check_rays, closest_into, farthest_from};
pub(crate) use points::{All, AllBut};
pub(crate) use rays::may_reach;
