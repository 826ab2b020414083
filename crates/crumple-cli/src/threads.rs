//! How many threads the library may use: it works in the rayon pool it is called from.

use std::num::NonZeroUsize;

use anyhow::{Context, Result};

use crate::out::Hinted;

/// Runs `work` in a pool of `count` threads; without a count, of as many as the machine has.
pub(crate) fn within<T: Send>(count: Option<NonZeroUsize>, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    // Zero leaves the choice to rayon.
    let count = count.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.context(Hinted::new("threads cannot be started", "try --threads 1"))?.install(work)
}

/// One thread: what figures are told for unless something else is said.
pub(crate) const ONE: NonZeroUsize = NonZeroUsize::MIN;
