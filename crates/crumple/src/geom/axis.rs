//! One of the three coordinate axes.

/// A coordinate axis; `as usize` is its index in a `[f32; 3]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// The first coordinate.
    X = 0,
    /// The second coordinate.
    Y = 1,
    /// The third coordinate.
    Z = 2,
}

impl Axis {
    /// The three axes in the order of their coordinates.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The two other axes, in cyclic order: `y, z` for `x`, `z, x` for `y`, `x, y` for `z`.
    pub fn others(self) -> [Self; 2] {
        match self {
            Self::X => [Self::Y, Self::Z],
            Self::Y => [Self::Z, Self::X],
            Self::Z => [Self::X, Self::Y],
        }
    }
}
