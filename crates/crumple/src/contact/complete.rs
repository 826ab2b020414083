//! All pairs of triangles at which two bodies meet, as opposed to some of them.
//!
//! Volumes, curves and regions are sums over all pairs: with one left out they mean nothing. A list may lack pairs for three
//! reasons (a limit, a filter, the first pair only), and a slice does not tell. So they are computed from this type alone.

use crate::geom::TrianglePair;

/// All pairs of triangles at which two bodies meet, sorted, none left out: what overlaps are computed from.
///
/// From [`Contact::complete_pairs`](super::Contact::complete_pairs), or from [`pairs`](crate::pairs()):
///
/// ```
/// use crumple::contact::{CompletePairs, OverlapFinder};
/// # use crumple::{Body, Mesh};
/// # let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let corner = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
/// # let (a, b) = (Body::new(Mesh::new(4, faces.clone())?, &corner(0.0))?, Body::new(Mesh::new(4, faces)?, &corner(0.5))?);
/// let pairs = crumple::pairs(&a, &b);
/// let mut finder = OverlapFinder::default();
/// let volume = finder.find(&a, &b, CompletePairs::promised(&pairs))?.volume();
/// assert!((volume - 1.0 / 48.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletePairs<'a>(&'a [TrianglePair]);

impl<'a> CompletePairs<'a> {
    /// Takes the caller's word that these are all pairs of triangles at which two bodies meet, sorted, each once.
    pub fn promised(pairs: &'a [TrianglePair]) -> Self {
        Self(pairs)
    }

    /// The pairs.
    pub fn as_slice(self) -> &'a [TrianglePair] {
        self.0
    }
}
