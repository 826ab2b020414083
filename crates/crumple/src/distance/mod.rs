//! HOW FAR, WHAT IS NEAR: the distance of two bodies, and all features that are closer than a distance.
//!
//! [`distance`] finds the nearest points of two surfaces by branch and bound over their trees (`search`), with a certificate:
//! bounds that hold whatever was rounded (`triangles`). [`near`] finds every vertex and face, and every two edges, that
//! are closer than a distance: what barrier and penalty methods (IPC, XPBD) act on. How far apart two features are is one
//! formula in f64 for both (`features`).
//!
//! Distances are in the unit of the positions. They are distances of surfaces: a body inside another, closed one is as far
//! from it as from its surface.
//!
//! Compare: FCL and Coal answer the first question with trees of oriented boxes, ipc-toolkit the second with a hash grid or
//! a tree of boxes and a filter by distance.
//!
//! Held by: `tests/behaviour/distance`.

mod candidates;
mod closest;
mod features;
mod near;
mod search;
mod triangles;

use std::cmp::Ordering;

pub use closest::{Closest, Distance};
pub use features::{FeatureDistance, edge_edge_distance, vertex_face_distance};
pub use near::NearPair;
pub(crate) use near::{NearMemory, near_between, near_within};
pub(crate) use search::{Asked, search};

use crate::body::Body;
use crate::exclusions::LeftOut;
use crate::geom::lanes::chosen_simd;
use crate::tree::{NearestMemory, Tree, TreeSide};

/// Working memory of searches for what is nearest.
pub(crate) type Memory = NearestMemory;

/// How far apart the surfaces of two bodies are, and where they are nearest; `None` if one of them has no triangles.
///
/// Builds a tree for each body. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps them, see
/// [`Frame::distance`](crate::Frame::distance). With the bodies exchanged the answer is the same, exchanged.
///
/// ```
/// use crumple::{Body, Mesh};
///
/// let triangle = |x: f32| {
///     let corners = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
///     Ok::<_, Box<dyn std::error::Error>>(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &corners)?)
/// };
/// let apart = crumple::distance(&triangle(0.0)?, &triangle(3.0)?).expect("both have triangles");
/// assert!(apart.distance.lo <= 2.0 && 2.0 <= apart.distance.hi);
/// assert_eq!(apart.points, [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &Body, b: &Body) -> Option<Closest> {
    if is_second(a, b) {
        return distance(b, a).map(Closest::swapped);
    }
    let (tree_a, tree_b) = (Tree::new(a, chosen_simd()), Tree::new(b, chosen_simd()));
    let sides = (TreeSide { body: a, tree: &tree_a }, TreeSide { body: b, tree: &tree_b });
    search(sides, Asked { guess: None, nearer_than: f64::INFINITY }, &mut Memory::default())
}

/// All pairs of features of two bodies, a vertex and a face or two edges, that are closer than `d`, each once, in the order
/// of [`FeaturePair`](crate::FeaturePair).
///
/// The distance of two features is that of [`vertex_face_distance`] or [`edge_edge_distance`], wherever on the features the
/// nearest points are. If `d` is 0, negative or NaN, the answer is empty; if it is infinite, every vertex with every face
/// and every edge with every edge.
///
/// Builds a tree for each body. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps them, see
/// [`Frame::near`](crate::Frame::near).
pub fn near(a: &Body, b: &Body, d: f64) -> Vec<NearPair> {
    let mut pairs = Vec::new();
    if is_second(a, b) {
        pairs.extend(near(b, a, d).into_iter().map(NearPair::swapped));
        pairs.sort_unstable_by_key(|pair| pair.features);
        return pairs;
    }
    let (tree_a, tree_b) = (Tree::new(a, chosen_simd()), Tree::new(b, chosen_simd()));
    let sides = (TreeSide { body: a, tree: &tree_a }, TreeSide { body: b, tree: &tree_b });
    near_between(sides, d, LeftOut::default(), &mut NearMemory::default(), &mut pairs);
    pairs
}

/// Whether the first of two bodies is to be the second, in an order that depends on what they are and not on how they are
/// given: so that rounding is the same either way.
fn is_second(a: &Body, b: &Body) -> bool {
    fn bits(body: &Body) -> impl Iterator<Item = u32> {
        body.positions().as_flattened().iter().map(|x| x.to_bits())
    }
    // In the same order as the above where the numbers are f32 numbers.
    fn exact_bits(body: &Body) -> impl Iterator<Item = [u64; 3]> {
        (0..body.mesh().vertex_count() as u32).map(|vertex| body.exact_position(vertex).map(f64::to_bits))
    }
    let in_order = if a.is_wide() || b.is_wide() { exact_bits(a).cmp(exact_bits(b)) } else { bits(a).cmp(bits(b)) };
    in_order.then_with(|| a.mesh().live_indices().cmp(b.mesh().live_indices())) == Ordering::Greater
}

/// By how much more than what they hold the boxes of two bodies' rounded copies may be apart: see `search`. 0 for f32 bodies.
fn slack(a: &Body, b: &Body) -> f64 {
    1.75 * (f64::from(a.rounding()) + f64::from(b.rounding()))
}
