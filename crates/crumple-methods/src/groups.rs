//! Groups of triangles, which the searches of one body against itself end at.

use crumple::narrow::Boxed;
use crumple::{Body, TriangleId};

/// The most triangles of a subtree that are compared as a group. Instructions per frame of CR1 at 16, 32 and 64, in
/// millions: local-tree 93, 92, 103; gjk-cut 173, 150, 143.
pub(crate) const GROUP: usize = 32;

/// Lists triangles with their boxes as they are now.
pub(crate) fn list_boxed(body: &Body, triangles: &[u32], items: &mut Vec<Boxed>) {
    items.clear();
    items.extend(triangles.iter().map(|&number| {
        let triangle = TriangleId(number);
        Boxed { bounds: body.triangle_box(triangle), triangle }
    }));
}
