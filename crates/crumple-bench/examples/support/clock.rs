//! The processor time of this program, which other programs on the machine disturb less than time by the clock.

use std::time::Duration;

/// Processor time of all threads so far.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// Time by the clock, where there is no other.
#[cfg(not(unix))]
pub(crate) fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
