//! Bodies simple enough to know by heart which of their triangles meet.

use crumple::{Body, Mesh};

/// The corner at the origin and one along each axis.
pub(crate) const TETRAHEDRON: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A tetrahedron moved along x.
pub(crate) fn at(x: f32) -> [[f32; 3]; 4] {
    TETRAHEDRON.map(|[x0, y, z]| [x0 + x, y, z])
}

pub(crate) fn tetrahedron(x: f32) -> Body {
    Body::new(Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap(), &at(x)).unwrap()
}

/// A large triangle in the plane of the given x.
pub(crate) fn wall(x: f32) -> Body {
    Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &wall_at(x)).unwrap()
}

pub(crate) fn wall_at(x: f32) -> [[f32; 3]; 3] {
    [[x, -9.0, -9.0], [x, 9.0, -9.0], [x, 0.0, 9.0]]
}

/// A body without vertices.
pub(crate) fn nothing() -> Body {
    Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap()
}
