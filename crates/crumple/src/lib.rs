//! Collision detection for bodies that deform.

pub mod geom;

pub mod exact;

pub mod mesh;

pub mod body;

pub mod broad;

pub mod narrow;

pub mod contact;

pub use body::{Body, BodyError};
pub use contact::{Stats, TriangleId, TrianglePair, VertexId};
pub use geom::{Aabb, Axis, Pose, Triangle};
pub use mesh::{Mesh, MeshError};
