//! How a hybrid tree is built and kept up to date.

use crate::{Degree, SplitAt};

/// What the nodes of a tree group together.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// Triangles near each other in the frame in which the tree is built.
    InitialShape,
    /// Triangles connected by edges, whatever the shape is.
    Connectivity,
}

/// When boxes are brought up to date.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// All of them before the query, children first.
    BottomUp,
    /// Each when a traversal reaches it, from the vertices below it.
    TopDown,
    /// The upper half of the levels before the query, children first; below that on demand.
    Hybrid {
        /// How many levels of a reached subtree are refitted at a time, children first; 1 is each node by itself.
        levels_below: usize,
    },
    /// As `Hybrid` with one level at a time, but what the queries of the last frame reached is refitted together with
    /// the upper half, children first, so that each of its vertices is read once and not once per level.
    Coherent,
}

/// Options of [`HybridTree`](super::HybridTree); the default is what the paper found best, with boxes of the
/// last frame's query refitted together ([`Update::Coherent`]).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HybridTreeOptions {
    /// The most children a node has.
    pub degree: Degree,
    /// Where boxes are cut; of no meaning for connectivity trees.
    pub split_at: SplitAt,
    /// What the nodes group together.
    pub kind: TreeKind,
    /// When boxes are brought up to date.
    pub update: Update,
}

impl Default for HybridTreeOptions {
    fn default() -> Self {
        Self {
            degree: Degree::Eight,
            split_at: SplitAt::Centre,
            kind: TreeKind::InitialShape,
            update: Update::Coherent,
        }
    }
}

impl HybridTreeOptions {
    /// The most children a node has.
    pub fn with_degree(self, degree: Degree) -> Self {
        Self { degree, ..self }
    }

    /// Where boxes are cut.
    pub fn with_split_at(self, split_at: SplitAt) -> Self {
        Self { split_at, ..self }
    }

    /// What the nodes group together.
    pub fn with_kind(self, kind: TreeKind) -> Self {
        Self { kind, ..self }
    }

    /// When boxes are brought up to date.
    pub fn with_update(self, update: Update) -> Self {
        Self { update, ..self }
    }
}
