//! What can be wrong with a bucket tree or a soup.

use super::PrimitiveId;
use super::options::{LEAST_LEVELS, MOST_LEVELS};

/// Why a bucket tree refused its options or a soup a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BucketTreeError {
    /// An octree of that depth is useless or does not fit into memory.
    #[error(
        "{given} levels are out of range: an octree of buckets has {LEAST_LEVELS} to {MOST_LEVELS}, or lets the data \
         choose"
    )]
    LevelsOutOfRange {
        /// The levels asked for.
        given: u32,
    },
    /// A bucket cannot be split until it is empty.
    #[error("buckets cannot be split down to 0 primitives: keep at least 1, or never split")]
    SplitDownToNothing,
    /// A primitive has no position.
    #[error("primitive {primitive:?} has a box or a reference point that is empty or not finite")]
    NotFinite {
        /// The first such primitive.
        primitive: PrimitiveId,
    },
    /// The primitive named is not in the soup.
    #[error("there is no primitive {primitive:?}: it was removed, or was never inserted here")]
    NoSuchPrimitive {
        /// The primitive asked for.
        primitive: PrimitiveId,
    },
    /// Pairs were asked for before the buckets were brought up to date.
    #[error("primitives were inserted, removed or moved since the last update: update before asking for pairs")]
    NotUpdated,
    /// Primitive numbers are 32 bits wide.
    #[error("the soup is full: it holds at most {} primitives", u32::MAX)]
    Full,
}
