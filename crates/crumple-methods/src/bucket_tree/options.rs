//! How buckets are chosen, filled and compared.

use super::BucketTreeError;

/// The fewest levels of buckets below the root.
pub(super) const LEAST_LEVELS: u32 = 1;
/// The most: buckets lie in one dense array of 12 bytes each, which is 3 MB at six levels and would be 25 MB at seven.
pub(super) const MOST_LEVELS: u32 = 6;

/// How deep the octree is: `l` levels below the root make 8^l buckets.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelChoice {
    /// Chosen each frame by how the primitives lie in their box.
    FromData,
    /// Always this many, 1 to 6.
    Fixed(u32),
}

/// How primitives find their bucket.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filing {
    /// Algorithm 1: anew each frame, by equation 1.
    ByEquation,
    /// Algorithm 2: three arrays kept sorted from frame to frame, and pointers to the first primitive of each slab. Primitives
    /// whose slab has changed are moved to another bucket, all others stay.
    BySorting,
    /// Algorithm 2 with arrays that are in the order of slabs only: what happens within a slab costs nothing.
    ByExchange,
}

/// Which of two overlapping inner nodes is opened.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// The one of smaller volume, as the paper says.
    Smaller,
    /// The one of bigger volume, as most of the literature does.
    Bigger,
}

/// Options of [`BucketTree`](super::BucketTree) and [`Soup`](super::Soup).
///
/// The default files by equation: the division that the paper avoids by sorting is a multiplication here and cheap today, while
/// insertion sort takes several times as long as soon as neighbours change places, and exchanges at best as long (BE1).
/// For the paper's own choices see [`of_the_paper`](Self::of_the_paper).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BucketTreeOptions {
    /// How deep the octree is.
    pub levels: LevelChoice,
    /// How primitives find their bucket.
    pub filing: Filing,
    /// Which of two overlapping inner nodes is opened.
    pub opening: Opening,
    /// A bucket with more primitives than this is split further; with `None` none is, as in the paper.
    pub split_above: Option<u32>,
}

impl Default for BucketTreeOptions {
    fn default() -> Self {
        Self {
            levels: LevelChoice::FromData,
            filing: Filing::ByEquation,
            opening: Opening::Bigger,
            split_above: Some(16),
        }
    }
}

impl BucketTreeOptions {
    /// The paper's choices, where it makes them: insertion sort, the smaller node opened, buckets never split.
    pub fn of_the_paper(levels: u32) -> Self {
        Self {
            levels: LevelChoice::Fixed(levels),
            filing: Filing::BySorting,
            opening: Opening::Smaller,
            split_above: None,
        }
    }

    /// How deep the octree is.
    pub fn with_levels(self, levels: LevelChoice) -> Self {
        Self { levels, ..self }
    }

    /// How primitives find their bucket.
    pub fn with_filing(self, filing: Filing) -> Self {
        Self { filing, ..self }
    }

    /// Which of two overlapping inner nodes is opened.
    pub fn with_opening(self, opening: Opening) -> Self {
        Self { opening, ..self }
    }

    /// A bucket with more primitives than this is split further; with `None` none is.
    pub fn with_split_above(self, split_above: Option<u32>) -> Self {
        Self { split_above, ..self }
    }

    /// Refuses what cannot be built.
    pub(super) fn check(self) -> Result<Self, BucketTreeError> {
        if let LevelChoice::Fixed(given) = self.levels
            && !(LEAST_LEVELS..=MOST_LEVELS).contains(&given)
        {
            return Err(BucketTreeError::LevelsOutOfRange { given });
        }
        if self.split_above == Some(0) {
            return Err(BucketTreeError::SplitDownToNothing);
        }
        Ok(self)
    }
}
