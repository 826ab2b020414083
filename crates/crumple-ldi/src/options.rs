//! What an image is asked for: how many samples, seen from where, and what counts as inside.

use std::fmt;

use super::VolumeError;
use crumple::Axis;

/// How many samples an image has along its two sides.
///
/// The sides lie along [`Axis::others`] of the direction: `y, z` seen along `x`, `z, x` along `y`, `x, y` along `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resolution {
    /// Samples along the first side.
    pub columns: u32,
    /// Samples along the second side.
    pub rows: u32,
}

impl Resolution {
    /// The most samples a side may have.
    pub const MOST: u32 = 4096;

    /// How many samples there are in all.
    pub fn sample_count(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    pub(super) fn check(self) -> Result<Self, VolumeError> {
        let fits = |side: u32| (1..=Self::MOST).contains(&side);
        if fits(self.columns) && fits(self.rows) { Ok(self) } else { Err(VolumeError::Resolution { resolution: self }) }
    }
}

impl fmt::Display for Resolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.columns, self.rows)
    }
}

impl From<u32> for Resolution {
    fn from(side: u32) -> Self {
        Self { columns: side, rows: side }
    }
}

impl From<[u32; 2]> for Resolution {
    fn from([columns, rows]: [u32; 2]) -> Self {
        Self { columns, rows }
    }
}

/// The direction in which an image looks: along an axis, one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Direction {
    PositiveX,
    NegativeX,
    PositiveY,
    NegativeY,
    PositiveZ,
    NegativeZ,
}

impl Direction {
    /// All six.
    pub const ALL: [Self; 6] =
        [Self::PositiveX, Self::NegativeX, Self::PositiveY, Self::NegativeY, Self::PositiveZ, Self::NegativeZ];

    /// The direction of growing coordinates.
    pub fn along(axis: Axis) -> Self {
        match axis {
            Axis::X => Self::PositiveX,
            Axis::Y => Self::PositiveY,
            Axis::Z => Self::PositiveZ,
        }
    }

    /// The axis it runs along.
    pub fn axis(self) -> Axis {
        match self {
            Self::PositiveX | Self::NegativeX => Axis::X,
            Self::PositiveY | Self::NegativeY => Axis::Y,
            Self::PositiveZ | Self::NegativeZ => Axis::Z,
        }
    }

    /// Whether coordinates grow along it.
    pub fn is_positive(self) -> bool {
        matches!(self, Self::PositiveX | Self::PositiveY | Self::PositiveZ)
    }

    /// The way back.
    pub fn opposite(self) -> Self {
        match self {
            Self::PositiveX => Self::NegativeX,
            Self::NegativeX => Self::PositiveX,
            Self::PositiveY => Self::NegativeY,
            Self::NegativeY => Self::PositiveY,
            Self::PositiveZ => Self::NegativeZ,
            Self::NegativeZ => Self::PositiveZ,
        }
    }
}

/// What counts as inside along a column.
///
/// The two agree on bodies that do not intersect themselves. Where a body overlaps itself, the overlap is inside by
/// winding number and outside by parity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InsideRule {
    /// More entries than exits so far, or more exits than entries (a body turned inside out).
    #[default]
    WindingNumber,
    /// An odd number of crossings so far: the paper's plain alternation.
    Parity,
}

impl InsideRule {
    /// Whether a point is inside after `entries` and `exits` crossings.
    #[inline]
    pub(super) fn holds(self, entries: u32, exits: u32) -> bool {
        match self {
            Self::WindingNumber => entries != exits,
            Self::Parity => (entries ^ exits) & 1 == 1,
        }
    }
}
