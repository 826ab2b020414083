//! How the library behaves: scenes frame after frame, meshes, changes of topology, broad phases, steps between frames,
//! distances, closest points, rays, depth images, exact overlaps, all of them on f64 positions, and what is saved.

#[path = "../support/mod.rs"]
mod support;

mod broad;
mod distance;
mod found_wrong_overlaps;
mod in_f64;
mod layers;
mod left_out;
mod mesh;
mod model;
mod motion;
mod overlap;
mod points;
mod potential;
mod rays;
#[cfg(feature = "serde")]
mod saved;
mod scene;
mod self_overlap;
mod settings;
mod step;
mod topology;
mod work;
