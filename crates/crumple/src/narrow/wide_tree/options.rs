//! How a wide tree is kept and which instructions are used.

use crate::tree::Rebuild;

/// Which instructions queries use; the answer is the same.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// The widest the processor has, found out at run time.
    #[default]
    Best,
    /// Those every processor of this architecture has.
    Baseline,
}

/// Options of [`WideTree`](super::WideTree).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WideTreeOptions {
    /// Which instructions queries use.
    pub lanes: Lanes,
    /// When trees are built anew.
    pub rebuild: Rebuild,
}

impl WideTreeOptions {
    /// Which instructions queries use.
    pub fn with_lanes(self, lanes: Lanes) -> Self {
        Self { lanes, ..self }
    }

    /// When trees are built anew.
    pub fn with_rebuild(self, rebuild: Rebuild) -> Self {
        Self { rebuild, ..self }
    }
}
