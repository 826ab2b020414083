//! When lists are cut and how far they are split.

use super::GjkError;

/// Options of [`GjkCut`](super::GjkCut).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GjkCutOptions {
    /// A list is cut only if less than this part of its extent lies in the common region, in per cent, 40 to 100.
    ///
    /// At 100 lists are always cut, which the paper found best and which saves looking for the far end of each list.
    pub cut_threshold: u32,
    /// Two lists of at most this many triangles are compared all against all, by their boxes; 1 in the paper. Not delicate:
    /// from 24 to 48 the frames in contact of GE3-13000 take the same time within a twentieth.
    pub leaf_size: usize,
    /// How often each list is halved before the pieces are compared with those of the other, 1 to 4: 1 in the paper,
    /// which gives four combinations.
    pub halvings: u32,
    /// What is looked at in search of the extreme vertices of a list.
    pub support: Support,
    /// Along which directions lists are cut, and how long that goes on.
    pub cuts: Cuts,
    /// With [`Cuts::BoxesFirst`], two lists that have at most this many triangles together are not cut along directions other
    /// than the axes, but split at once.
    pub cut_above: usize,
    /// Where a list is split in two.
    pub split: Split,
}

/// What a search for the extreme vertices of a list of triangles looks at; both find the same.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Support {
    /// The three corners of each triangle, all at once; the cut makes their dot products again.
    #[default]
    Corners,
    /// The vertices the triangles share, each once, and their dot products are kept for the cut: as in the paper, fewer dot
    /// products, but more time.
    SharedVertices,
}

/// Along which directions two lists are cut.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cuts {
    /// Along the coordinate axes, by boxes, and then, if some samples say that it takes a quarter of the triangles, along the
    /// line between the centres of the boxes and its reflections; each as long as a cut takes a quarter.
    #[default]
    BoxesFirst,
    /// As in the paper: along the line between a vertex of each list and its reflections, as long as a cut takes something
    /// from both lists.
    DirectionsOnly,
}

/// Where a list is split in two.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Split {
    /// In the middle of its box, along the longer of the two axes farthest from the last direction.
    #[default]
    MiddleOfBox,
    /// As in the paper: at the median of the triangles' barycentres along a direction orthogonal to the last one.
    MedianAcross,
}

/// The most [`GjkCutOptions::halvings`]: 16 pieces of each list.
pub(super) const MOST_HALVINGS: u32 = 4;

impl Default for GjkCutOptions {
    fn default() -> Self {
        Self {
            cut_threshold: 100,
            leaf_size: 48,
            halvings: 3,
            support: Support::default(),
            cuts: Cuts::default(),
            cut_above: 2048,
            split: Split::default(),
        }
    }
}

impl GjkCutOptions {
    /// The search as the paper describes it, without what was changed for speed.
    ///
    /// No cut along the axes; the first direction leads from a vertex of one list to a vertex of the other; cuts go on as
    /// long as both lists lose triangles; lists are halved once, at the median across the last direction, down to one
    /// triangle; dot products are made once per vertex and kept.
    pub fn of_the_paper() -> Self {
        Self {
            cut_threshold: 100,
            leaf_size: 1,
            halvings: 1,
            support: Support::SharedVertices,
            cuts: Cuts::DirectionsOnly,
            cut_above: 0,
            split: Split::MedianAcross,
        }
    }

    /// A list is cut only if less than this part of its extent lies in the common region, in per cent, 40 to 100.
    pub fn with_cut_threshold(self, cut_threshold: u32) -> Self {
        Self { cut_threshold, ..self }
    }

    /// Two lists of at most this many triangles are compared all against all.
    pub fn with_leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size, ..self }
    }

    /// How often each list is halved before the pieces are compared, 1 to 4.
    pub fn with_halvings(self, halvings: u32) -> Self {
        Self { halvings, ..self }
    }

    /// What is looked at in search of the extreme vertices of a list.
    pub fn with_support(self, support: Support) -> Self {
        Self { support, ..self }
    }

    /// Along which directions lists are cut.
    pub fn with_cuts(self, cuts: Cuts) -> Self {
        Self { cuts, ..self }
    }

    /// Two lists that have at most this many triangles together are split at once.
    pub fn with_cut_above(self, cut_above: usize) -> Self {
        Self { cut_above, ..self }
    }

    /// Where a list is split in two.
    pub fn with_split(self, split: Split) -> Self {
        Self { split, ..self }
    }

    /// Refuses what makes no sense.
    pub(super) fn check(self) -> Result<Self, GjkError> {
        if !(40..=100).contains(&self.cut_threshold) {
            return Err(GjkError::ThresholdOutOfRange { percent: self.cut_threshold });
        }
        if self.leaf_size == 0 {
            return Err(GjkError::EmptyLeaf);
        }
        if !(1..=MOST_HALVINGS).contains(&self.halvings) {
            return Err(GjkError::HalvingsOutOfRange { halvings: self.halvings });
        }
        Ok(self)
    }
}
