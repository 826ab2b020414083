//! Collision detection for bodies that deform.
//!
//! Every vertex of a body may move every frame. Hand in meshes and, frame after frame, where their vertices are; get
//! back the complete list of pairs of triangles that share a point — exactly: touching counts, nothing is missed, and
//! no tolerance is involved.
//!
//! ```
//! use crumple::{Body, BodyId, Mesh, Scene, Triangle};
//!
//! # struct Step { cloth: [[f32; 3]; 4], figure: [[f32; 3]; 4] }
//! # fn respond(_: BodyId, _: BodyId, _: Triangle, _: Triangle) {}
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let tetrahedron = || Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
//! # let (cloth_mesh, figure_mesh) = (tetrahedron()?, tetrahedron()?);
//! # let figure_vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]];
//! # let moved = |x: f32| figure_vertices.map(|[a, b, c]| [a + x, b, c]);
//! # let cloth_vertices = moved(2.0);
//! # let simulation = (1..=4).map(|i| Step { cloth: moved(2.0 - 0.5 * i as f32), figure: figure_vertices });
//! # let mut pairs = 0;
//! let mut scene = Scene::new();
//! let cloth = scene.add(Body::new(cloth_mesh, &cloth_vertices)?);
//! let figure = scene.add(Body::new(figure_mesh, &figure_vertices)?);
//! for step in simulation {
//!     scene.set_positions(cloth, &step.cloth)?;
//!     scene.set_positions(figure, &step.figure)?;
//!     let frame = scene.update()?; // the view answers everything about this moment
//!     for contact in frame.contacts() { // sorted by bodies, pairs sorted inside
//!         for &pair in contact.pairs {
//!             let Some([of_a, of_b]) = contact.triangles(pair) else { continue }; // the corners of both
//!             respond(contact.a, contact.b, of_a, of_b);
//! #           pairs += 1;
//!         }
//!     }
//! }
//! # assert!(pairs > 0);
//! # Ok(())
//! # }
//! ```
//!
//! The modules follow the flow of a frame: a [`mesh`] is a list of triangles; a [`body`] is a mesh with its vertices now; the
//! [`broad`] phase finds which bodies are near each other; a method in [`narrow`] finds which triangles meet; a
//! [`scene`] runs the stages for many bodies and returns [`contact`]s. [`motion`] finds when, between two frames, surfaces
//! first touch, [`mod@distance`] how far apart bodies are and which features are near each other, [`probe`] what is closest to a
//! point and what a ray hits, and [`contact`] measures exactly how much two closed bodies overlap. [`potential`] gives solvers
//! energies of what is near, with gradients and Hessians.
//! All of them use plain values ([`geom`]) and questions that are answered without error ([`exact`]).
//!
//! # Debug builds
//!
//! An unoptimised build of this crate is about 150 times slower than an optimised one. Two lines in the `Cargo.toml` of a
//! program that uses it keep its debug builds usable:
//!
//! ```toml
//! [profile.dev.package.crumple]
//! opt-level = 3
//! ```

pub mod geom;

pub mod exact;

pub mod mesh;

pub mod body;

pub mod broad;

mod threads;

mod work;

mod tree;

mod exclusions;

pub mod narrow;

pub mod motion;

pub mod distance;

pub mod probe;

pub mod contact;

pub mod scene;

pub mod potential;

pub use body::{Body, BodyError, Edit, EditError, Edited, Part};
pub use contact::{
    BodyPair, Contact, ContactRegion, ContactSide, Curve, Curves, Holes, Overlap, OverlapError, Region, RegionId,
    Regions, SelfOverlap, SelfOverlapError, SelfRegion, SelfRegions, Separation, VertexGradient, overlap, self_overlap,
    self_regions, separation,
};
pub use distance::{Closest, Distance, NearPair, distance, near};
pub use geom::{
    Aabb, Axis, BodyId, Coordinate, FeaturePair, Pose, Precision, SimdError, SimdLevel, Triangle, TriangleId,
    TrianglePair, VertexId, simd_level,
};
pub use mesh::{EdgeFault, Mesh, MeshError, Renumbering, Seam, Topology};
pub use motion::{Impact, Onset, first_impact};
pub use narrow::{Stats, pairs, self_pairs};
pub use probe::{
    ClosestPoint, QueryError, Ray, RayHit, cast_ray, cast_rays, closest_point, closest_points, signed_closest_points,
};
pub use scene::{
    Between, ContactIter, Contacts, Frame, FrameHit, Fused, NearGroup, NearIter, NearPairs, Overlaps, Scene,
    SceneError, Split, VertexDepth,
};

pub use work::{Stopped, WorkLimit};

/// The example of the README, run with the other doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The loop of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/in-a-rust-loop.md")]
struct Loop;

/// The options on the page about methods.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/methods.md")]
struct Methods;
