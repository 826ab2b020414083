//! The pairs of two bodies, or of one and itself, without a scene.

use super::wide_tree::WideTree;
use super::{PairMethod, Search, Side, Wanted};
use crate::body::Body;
use crate::geom::TrianglePair;

/// All pairs of triangles of two bodies that share a point, sorted.
///
/// Builds a tree for each body. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps them.
///
/// ```
/// use crumple::{Body, Mesh, TrianglePair};
///
/// let body = |x: f32| {
///     let corners = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
///     Ok::<_, Box<dyn std::error::Error>>(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &corners)?)
/// };
/// assert_eq!(crumple::pairs(&body(0.0)?, &body(0.5)?), [TrianglePair::new(0, 0)]);
/// assert_eq!(crumple::pairs(&body(0.0)?, &body(1.5)?), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairs(a: &Body, b: &Body) -> Vec<TrianglePair> {
    if !a.bounds().overlaps(&b.bounds()) {
        return Vec::new();
    }
    let method = WideTree::default();
    let (tree_a, tree_b) = (method.build(a), method.build(b));
    let sides = (Side { body: a, tree: &tree_a }, Side { body: b, tree: &tree_b });
    let mut found = Vec::new();
    Search::default().pairs(&method, sides, Wanted::All, &mut found);
    found
}

/// All pairs of triangles of one body that collide, by the rule of
/// [`exact::self_pair_meets`](crate::exact::self_pair_meets), sorted.
pub fn self_pairs(body: &Body) -> Vec<TrianglePair> {
    let method = WideTree::default();
    let side = Side { body, tree: &method.build(body) };
    let mut found = Vec::new();
    Search::default().self_pairs(&method, side, Wanted::All, &mut found);
    found
}
