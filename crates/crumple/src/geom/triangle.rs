//! A triangle as its three corners.

use super::Aabb;

/// Three corners; a closed set: the border belongs to it. Degenerate ones are the segment or point they are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Triangle(pub [[f32; 3]; 3]);

impl Triangle {
    /// The smallest box that holds the triangle.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.0)
    }
}
