//! What can be wrong with a question to this module.

/// Which of the two sides is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointSet {
    /// The first point set.
    A,
    /// The second point set.
    B,
}

impl std::fmt::Display for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::A => "a",
            Self::B => "b",
        })
    }
}

/// Why options or points were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GjkError {
    /// Below 40 % hardly anything is ever cut, above 100 % means nothing.
    #[error("a cut threshold of {percent} % is out of range: use 40 to 100, where 100 always cuts")]
    ThresholdOutOfRange {
        /// The threshold asked for.
        percent: u32,
    },
    /// A list cannot be split until it is empty.
    #[error("lists cannot be split down to 0 triangles: keep at least 1 in a leaf")]
    EmptyLeaf,
    /// None would make no progress, and more than four are not worth their memory.
    #[error("lists cannot be halved {halvings} times before they are compared: use 1 to 4, where 1 is as in the paper")]
    HalvingsOutOfRange {
        /// The number asked for.
        halvings: u32,
    },
    /// The hull of nothing is at no distance from anything.
    #[error("point set {set} is empty: it has no hull")]
    NoPoints {
        /// Which of the two.
        set: PointSet,
    },
    /// A point has a coordinate that is no number or infinite.
    #[error("point {index} of set {set} is at {point:?}: not finite")]
    NotFinite {
        /// Which of the two.
        set: PointSet,
        /// The first such point.
        index: usize,
        /// Where it was said to be.
        point: [f32; 3],
    },
}
