//! When lists are cut and how far they are split.

use super::GjkError;

/// Options of [`GjkCut`](super::GjkCut).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GjkCutOptions {
    /// A list is cut only if less than this part of its extent lies in the common region, in per cent, 40 to 100.
    ///
    /// At 100 lists are always cut, which the paper found best and which saves looking for the far end of each list.
    pub cut_threshold: u32,
    /// Two lists of at most this many triangles are compared all against all; 1 in the paper. With 16 a search of the
    /// bumpy spheres takes a fifth to two thirds fewer dot products, for some more box tests, which are cheaper.
    pub leaf_size: usize,
}

impl Default for GjkCutOptions {
    fn default() -> Self {
        Self { cut_threshold: 100, leaf_size: 16 }
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

    /// Refuses what makes no sense.
    pub(super) fn check(self) -> Result<Self, GjkError> {
        if !(40..=100).contains(&self.cut_threshold) {
            return Err(GjkError::ThresholdOutOfRange { percent: self.cut_threshold });
        }
        if self.leaf_size == 0 {
            return Err(GjkError::EmptyLeaf);
        }
        Ok(self)
    }
}
