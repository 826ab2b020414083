//! What several test files use.

pub(crate) mod random;
