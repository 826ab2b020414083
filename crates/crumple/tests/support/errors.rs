//! Errors as a person reads them.

use std::error::Error;

/// An error and what caused it, each with a colon before it.
pub(crate) fn chain(error: &dyn Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
