//! What can be wrong with a request for a scene.

use std::fmt;

/// Why a scene was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// No scene has this name.
    Unknown {
        /// The name asked for.
        name: String,
        /// Every name there is.
        names: Vec<&'static str>,
    },
    /// The body would have more triangles than any scene of ours can use.
    TooFine {
        /// What is too large: `levels` or `parts`, for example.
        what: &'static str,
        /// The number asked for.
        asked: u32,
        /// The largest number taken.
        most: u32,
    },
    /// The body would have no triangles, or the scene no frames.
    TooCoarse {
        /// What is too small.
        what: &'static str,
        /// The number asked for.
        asked: u32,
        /// The smallest number taken.
        least: u32,
    },
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, names } => {
                write!(f, "there is no scene called {name}; there are {}", names.join(", "))
            }
            Self::TooFine { what, asked, most } => {
                write!(f, "{asked} {what} are too many; ask for at most {most}")
            }
            Self::TooCoarse { what, asked, least } => {
                write!(f, "{asked} {what} are too few; ask for at least {least}")
            }
        }
    }
}

impl std::error::Error for SceneError {}

/// Refuses `asked` unless it lies in `least..=most`.
pub(crate) fn check(what: &'static str, asked: u32, least: u32, most: u32) -> Result<(), SceneError> {
    if asked < least {
        Err(SceneError::TooCoarse { what, asked, least })
    } else if asked > most {
        Err(SceneError::TooFine { what, asked, most })
    } else {
        Ok(())
    }
}
