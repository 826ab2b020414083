//! Files in and out: what is read, what is refused and how, what comes back as it was written.

mod common;

mod bad_input;
mod compressed;
mod gltf;
mod gltf_scenes;
mod in_f64;
mod mutations;
mod odd_files;
mod polygons;
mod round_trip;
mod sources;
mod split;
mod viewer_sources;
