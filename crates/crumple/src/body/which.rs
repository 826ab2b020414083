//! Which body of a call is meant, for errors.

use std::fmt;

/// Which body of a call an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhichBody {
    /// The only one.
    Only,
    /// The first of two.
    A,
    /// The second of two.
    B,
}

impl fmt::Display for WhichBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Only => "the body",
            Self::A => "body a",
            Self::B => "body b",
        })
    }
}
