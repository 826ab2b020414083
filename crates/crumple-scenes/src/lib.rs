//! Seeded bodies and motions as plain arrays, shared by tests, benches, the command and the viewer.
//!
//! This crate needs no crumple and nothing of crumple's: a body is a list of triangles (`[u32; 3]`) and, for every frame,
//! a list of positions (`[f32; 3]`). The same scene has the same bits on every platform.
//!
//! ```
//! use crumple_scenes::{Solid, bumpy_spheres};
//!
//! let scene = bumpy_spheres(Solid::Icosahedron, 2)?; // 320 triangles a body
//! let mut positions = Vec::new(); // reused: nothing is allocated after the first frame
//! for frame in 0..scene.frame_count() {
//!     for body in scene.bodies() {
//!         body.positions(frame, &mut positions);
//!         assert_eq!(positions.len(), body.vertex_count());
//!     }
//! }
//! # Ok::<(), crumple_scenes::SceneError>(())
//! ```
//!
//! [`catalogue`] lists the published scenes, [`by_name`] makes one. Published scenes are pinned by [`Scene::digest`] and do
//! not change.

mod catalogue;
mod error;
mod scene;

mod grid;
mod shape;

mod arms;
mod bumpy;
mod cloth;
mod dense;
mod heap;
mod spoil;

mod blade;
mod cut;

mod breathing;
mod knot;
mod overlap;
mod smooth;

mod digest;
mod random;
mod vector;

pub use breathing::{breathing_body, points_in_box};
pub use bumpy::{bumpy_spheres, bumpy_spheres_in};
pub use catalogue::{Entry, by_name, catalogue, small};
pub use cloth::rolling_cloth;
pub use cut::{Cutting, Edit, cutting};
pub use dense::{Crowd, dense_crowd};
pub use digest::Digest;
pub use error::SceneError;
pub use heap::heap;
pub use knot::torus_knot;
pub use overlap::{BodyPair, OverlapKind, overlapping};
pub use scene::{Scene, SceneBody, Shape};
pub use shape::{Solid, sphere, sphere_of_parts};
pub use smooth::{Model, smooth_body, smooth_body_of_parts};
pub use spoil::{inside_out, scattered_sheet, twisted_bars};
