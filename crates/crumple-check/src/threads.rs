//! How many threads the library may use: it works in the rayon pool it is called from.

use std::num::NonZeroUsize;

use anyhow::{Context, Result};

use crumple_io::Hinted;

/// As many threads can be asked for on any machine, to try out what they do to an answer.
const ALWAYS_ALLOWED: usize = 256;

/// Runs `work` in a pool of `count` threads; without a count, of as many as the machine has.
pub fn within<T: Send>(count: Option<NonZeroUsize>, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    // Zero leaves the choice to rayon.
    let count = count.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.context(Hinted::new("threads cannot be started", "try --threads 1"))?.install(work)
}

/// Reads a number of threads; thousands would take longer to start than most work takes.
pub fn parse(text: &str) -> Result<NonZeroUsize, String> {
    let most = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).max(ALWAYS_ALLOWED);
    let count = text.parse::<NonZeroUsize>().ok().filter(|count| count.get() <= most);
    count.ok_or_else(|| format!("write a number from 1 to {most}"))
}

/// One thread: the default of measurements.
pub const ONE: NonZeroUsize = NonZeroUsize::MIN;
