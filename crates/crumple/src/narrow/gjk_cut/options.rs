//! When lists are cut and how far they are split.

use super::GjkError;

/// Options of [`GjkCut`](super::GjkCut).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GjkCutOptions {
    /// A list is cut only if less than this part of its extent lies in the common region, in per cent, 40 to 100.
    ///
    /// At 100 lists are always cut, which the paper found best and which saves looking for the far end of each list.
    pub cut_threshold: u32,
    /// Two lists of at most this many triangles are compared all against all; 1 in the paper. Not delicate: from 8 to 48
    /// a search of the bumpy spheres takes the same number of instructions within a twentieth.
    pub leaf_size: usize,
    /// How often each list is halved before the pieces are compared with those of the other, 1 to 4: 1 in the paper,
    /// which gives four combinations. With 3 a search of the bumpy spheres takes a fifth fewer instructions.
    pub halvings: u32,
    /// What is looked at in search of the extreme vertices of a list.
    pub support: Support,
}

/// What a search for the extreme vertices of a list of triangles looks at; both find the same.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Support {
    /// The three corners of each triangle, all at once.
    #[default]
    Corners,
    /// The vertices the triangles share, each once: as in the paper, fewer dot products, but more time.
    SharedVertices,
}

/// The most [`GjkCutOptions::halvings`]: 16 pieces of each list.
pub(super) const MOST_HALVINGS: u32 = 4;

impl Default for GjkCutOptions {
    fn default() -> Self {
        Self { cut_threshold: 100, leaf_size: 16, halvings: 3, support: Support::default() }
    }
}

impl GjkCutOptions {
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
