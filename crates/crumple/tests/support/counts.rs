//! How many random inputs tests draw: a fifth of them, or all where `CRUMPLE_FULL_COUNTS=1` says so, as `cargo xtask test --all` does.

/// Whether all are drawn.
pub(crate) fn full_counts() -> bool {
    std::env::var_os("CRUMPLE_FULL_COUNTS").is_some_and(|value| value == "1")
}

/// How many of `all` are drawn.
pub(crate) fn drawn(all: usize) -> usize {
    if full_counts() { all } else { all.div_ceil(5) }
}
