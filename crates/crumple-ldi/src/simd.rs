//! Which SIMD instructions are used: those that the library uses, so that `CRUMPLE_SIMD` chooses here, too.

use std::sync::OnceLock;

use crumple::{SimdLevel, simd_level};
use fearless_simd::Level;
pub(crate) use fearless_simd::dispatch;

/// The level at which everything runs.
pub(crate) fn chosen_level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| simd_level().map_or(best(), token))
}

#[expect(clippy::disallowed_methods, reason = "the library has asked the processor; this only takes its answer over")]
fn best() -> Level {
    Level::new()
}

/// What stands for the instructions of a level; the best that there are where it has no choice.
fn token(level: SimdLevel) -> Level {
    #[cfg(target_arch = "x86_64")]
    let chosen = match level {
        SimdLevel::Sse2 => best().as_sse2().map(Level::Sse2),
        SimdLevel::Avx2 => best().as_avx2().map(Level::Avx2),
        _ => None,
    };
    #[cfg(not(target_arch = "x86_64"))]
    let chosen = {
        let _ = level;
        None
    };
    chosen.unwrap_or_else(best)
}

/// Every level that this machine can run, for tests that compare them.
#[cfg(test)]
pub(crate) fn all_levels() -> Vec<Level> {
    SimdLevel::available().map(token).collect()
}
