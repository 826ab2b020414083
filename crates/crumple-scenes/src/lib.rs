//! Seeded bodies and motions as plain arrays, shared by tests, benches, the command and the viewer.
//!
//! This crate does not depend on crumple: a body is a list of triangles (`[u32; 3]`) and, for every frame, one position
//! (`[f32; 3]`) per vertex. The same scene has the same bits on every platform.
//!
//! ```
//! use crumple_scenes::{Solid, bumpy_spheres};
//!
//! let scene = bumpy_spheres(Solid::Icosahedron, 2)?; // 320 triangles per body
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
//! | scene | made by | what happens |
//! |---|---|---|
//! | LE1, LE2 | [`bumpy_spheres`], [`bumpy_spheres_with_detail`] | two bumpy spheres move into each other |
//! | LE3 | [`crowd_apart`] | 27 bodies hit each other and are pushed apart where their surfaces meet |
//! | LE3-deep | [`dense_crowd`] | 27 bodies crowd towards one point, deep in each other |
//! | BE1, BE2, BE3 | [`PointSoup`] | points move within an angle of one direction; each frame follows from the last |
//! | GE1, GE3 | [`waving_bodies`] | two bodies that a wave runs through go in and out of each other |
//! | GE2 | [`deep_bodies`] | the same two stand still, deep in each other; [`removal_order`] says what is taken away |
//! | HE1 | [`overlapping`], [`overlapping_in_layers`] | two smooth bodies overlap; [`torus_knot`] and [`smooth_body`] make them |
//! | HE3 | [`breathing_body`] | a closed body deforms; [`points_in_box`] gives points to drop on it |
//! | HE4 | [`deforming_pair`] | a small body passes through a large one, both deforming |
//! | HE5 | [`swelling_knot`] | a knot swells until its strands overlap each other |
//! | CR1 | [`rolling_cloth`] | a cloth rolls up on itself |
//! | CR2 | [`bumpy_spheres_in`] | LE1 at 327,680 triangles per body |
//! | CR3 | [`heap`](heap()) | a thousand bodies fall into a heap |
//! | CR6 | [`heap_of_boxes`] | a thousand and ten thousand boxes fall into a heap |
//! | CR4 | [`twisted_bars`], [`scattered_sheet`], [`inside_out`] | deformations after which a tree no longer fits |
//! | MR1 | [`visiting_spheres`] | two bumpy spheres touch and part; [`patches`](patches()) gives them two resolutions |
//! | CR5 | [`cutting`] | a sheet is cut: triangles come and go, so it is a [`Cutting`] and not a [`Scene`] |
//!
//! [`catalogue`](catalogue()) lists the published scenes at the sizes of the experiments, [`by_name`] makes one,
//! [`small`] makes small versions of all of them for tests. Published scenes are pinned by [`Scene::digest`] and do not
//! change.

mod catalogue;
mod error;
mod scene;

mod grid;
mod shape;

mod apart;
mod arms;
mod bumpy;
mod cloth;
mod dense;
mod extreme;
mod heap;
mod resolution;
mod response;
mod soup;
mod wave;

mod blade;
mod cut;

mod breathing;
mod deforming;
mod knot;
mod overlap;
mod smooth;

mod digest;
mod random;
mod vector;

pub use apart::crowd_apart;
pub use breathing::{breathing_body, points_in_box};
pub use bumpy::{bumpy_spheres, bumpy_spheres_in, bumpy_spheres_of_parts, bumpy_spheres_with_detail, visiting_spheres};
pub use catalogue::{Entry, by_name, catalogue, small};
pub use cloth::rolling_cloth;
pub use cut::{Cutting, Edit, cutting};
pub use deforming::deforming_pair;
pub use dense::{Crowd, dense_crowd};
pub use digest::Digest;
pub use error::SceneError;
pub use extreme::{inside_out, scattered_sheet, twisted_bars};
pub use heap::{heap, heap_of_boxes};
pub use knot::{swelling_knot, torus_knot};
pub use overlap::{BodyPair, OverlapKind, overlapping, overlapping_in_layers};
pub use random::Random;
pub use resolution::{Patches, patches};
pub use scene::{Placement, Scene, SceneBody, Shape};
pub use shape::{Solid, sphere, sphere_of_parts};
pub use smooth::{Model, smooth_body, smooth_body_of_parts};
pub use soup::PointSoup;
pub use wave::{deep, deep_bodies, removal_order, waving, waving_bodies};
