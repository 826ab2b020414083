//! Published methods of collision detection for deforming bodies, as [`PairMethod`](crumple::narrow::PairMethod)s of
//! [`crumple`]: a folder per paper.
//!
//! | method | paper |
//! |---|---|
//! | [`HybridTree`] | Larsson & Akenine-Möller 2001: box trees, refitted where a query needs them |
//! | [`BucketTree`] | Ganovelli, Dingliana & O'Sullivan 2000: octrees of buckets, filled anew each frame |
//! | [`GjkCut`] | Hatab & Kheddar 2006: lists of triangles, cut and split along the directions of GJK |
//! | [`LocalTree`] | van den Bergen 1997: box trees in body coordinates, refitted whole |
//!
//! All find exactly the pairs that the library's own methods find. They are here to be compared; a program that only wants
//! contacts is served by [`Scene::new`](crumple::Scene::new), which is faster than all of them on most scenes.
//!
//! ```
//! use crumple::{Body, Mesh, Scene};
//! use crumple_methods::{HybridTree, Method};
//!
//! let mesh = || Mesh::new(3, vec![[0, 1, 2]]);
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]];
//! let mut scene = Scene::with_method(HybridTree::default());
//! scene.add(Body::new(mesh()?, &corners)?);
//! scene.add(Body::new(mesh()?, &corners)?);
//! assert_eq!(scene.update()?.contacts().len(), 1);
//!
//! // By name, as the command has it: the same bodies under another method.
//! let mut other = "gjk-cut".parse::<Method>()?.of(&scene);
//! assert_eq!(other.update()?.contacts().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bucket_tree;
pub mod gjk_cut;
pub mod hybrid_tree;
pub mod local_tree;

mod groups;
mod lanes;
mod levels;
mod method;
mod split;

pub use bucket_tree::BucketTree;
pub use gjk_cut::GjkCut;
pub use hybrid_tree::{HybridTree, HybridTreeOptions};
pub use local_tree::{LocalTree, LocalTreeOptions};
pub use method::{Method, UnknownMethod};
pub use split::{Degree, SplitAt};
