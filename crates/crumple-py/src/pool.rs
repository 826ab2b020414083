//! Threads that survive a fork.
//!
//! A forked process has the memory of its parent but only one of its threads: a rayon pool that was made before the fork
//! looks whole, and whoever hands it work waits for ever. Python forks often: `multiprocessing` does by default on some
//! systems, and so does a `DataLoader` with workers. So a pool belongs to the process that made it, and another process
//! makes its own when it first needs one. The number of the process is compared, since not every fork goes through `os.fork`.
//!
//! A pool of another process is never dropped: its drop would lock what threads that do not exist here may have locked.
//! That leaks some kilobytes once per fork.
//!
//! What is not covered: a scene that another thread was working on at the very moment of the fork stays locked in the
//! child, as every lock of Python does.

use std::mem;
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::errors::Refusal;

/// A pool of threads that each process makes for itself.
#[derive(Debug)]
pub(crate) struct Pool {
    /// How many threads; 0 for as many as the machine has.
    threads: usize,
    /// The number of the process that made it, and the pool. Locked only to read and to replace it: a fork in between
    /// would leave it locked.
    made: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

/// For all that has no pool of its own, in a process that was forked from the one that uses rayon's.
static SHARED: Pool = Pool { threads: 0, made: Mutex::new(None) };

/// The process whose threads are in rayon's own pool: the first that asks for any.
static FIRST: OnceLock<u32> = OnceLock::new();

impl Pool {
    /// A pool of this many threads, started at once so that a number that is too large is refused here.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let made = (process::id(), start(threads)?);
        Ok(Self { threads, made: Mutex::new(Some(made)) })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on threads of this pool and this process.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> Result<T, Refusal> + Send) -> Result<T, Refusal> {
        self.of_this_process().map_err(|error| no_threads(self.threads, &error))?.install(work)
    }

    fn of_this_process(&self) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
        let this = process::id();
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pool)) = made().as_ref().filter(|(process, _)| *process == this) {
            return Ok(Arc::clone(pool));
        }
        let pool = start(self.threads)?;
        let mut made = made();
        if let Some((_, pool)) = made.as_ref().filter(|(process, _)| *process == this) {
            // Another thread was faster; the one started here ends.
            return Ok(Arc::clone(pool));
        }
        mem::forget(made.replace((this, Arc::clone(&pool))));
        Ok(pool)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let made = self.made.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if made.as_ref().is_some_and(|(process, _)| *process != process::id()) {
            mem::forget(made);
        }
    }
}

fn start(threads: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build().map(Arc::new)
}

pub(crate) fn no_threads(threads: usize, error: &ThreadPoolBuildError) -> Refusal {
    let count = if threads == 0 { String::new() } else { format!("{threads} ") };
    Refusal::new("OptionError", format!("{count}threads cannot be started: {error}"))
}

/// Runs `work` with as many threads as the machine has.
///
/// In the first process, on the caller's thread and rayon's own pool, to which only what is worth it is handed: to enter
/// a pool takes longer than many questions. In a process that was forked from it, on a pool of that process.
pub(crate) fn with_all<T: Send>(work: impl FnOnce() -> Result<T, Refusal> + Send) -> Result<T, Refusal> {
    let this = process::id();
    if *FIRST.get_or_init(|| this) == this { work() } else { SHARED.install(work) }
}
