//! Collision detection for bodies that deform.
//!
//! Every vertex of a body may move every frame. Hand in meshes and, frame after frame, where their vertices are; get
//! back the complete list of pairs of triangles that share a point — exactly: touching counts, nothing is missed, and
//! no tolerance is involved.
//!
//! ```
//! use crumple::{Body, Mesh, Method, Scene};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tetrahedron = || Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
//! let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]];
//!
//! let mut scene = Scene::new(Method::default());
//! let still = scene.add(Body::new(tetrahedron()?, &rest)?);
//! let moving = scene.add(Body::new(tetrahedron()?, &rest.map(|[x, y, z]| [x + 2.0, y, z]))?);
//! for frame in 1..=4 {
//!     let left = 2.0 - 0.5 * frame as f32;
//!     let squeezed = 1.0 + 0.1 * frame as f32;
//!     scene.set_positions(moving, &rest.map(|[x, y, z]| [x + left, y * squeezed, z]))?;
//!     for contact in scene.contacts()? {
//!         assert_eq!((contact.a, contact.b), (still, moving));
//!         println!("frame {frame}: {} pairs of triangles", contact.pairs.len());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The modules follow the flow of a frame: a [`mesh`] is a list of triangles; a [`body`] is a mesh with its vertices now; the
//! [`broad`] phase tells which bodies are near each other; a method in [`narrow`] tells which triangles meet; a
//! [`scene`] runs the stages for many bodies. Beside that flow, [`volume`] tells how much two closed bodies overlap and
//! which points are inside one. Beneath them lie plain values ([`geom`]) and the one question that has to be answered
//! without error ([`exact`]).

pub mod geom;

pub mod exact;

pub mod mesh;

pub mod body;

pub mod broad;

mod tree;

pub mod narrow;

pub mod volume;

pub mod contact;

pub mod scene;

pub use body::{Body, BodyError, Edit, EditError, Edited, PositionsMut};
pub use contact::{Stats, TriangleId, TrianglePair, VertexId};
pub use geom::{Aabb, Axis, Pose, Triangle};
pub use mesh::{Mesh, MeshError, Renumbering, Seam};
pub use narrow::Method;
pub use scene::{BodyId, Contact, Contacts, FirstContact, Fused, Scene, SceneError, ScenePositionsMut, Split};

/// The example of the README, run with the other doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The loop of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/in-a-rust-loop.md")]
struct Loop;
