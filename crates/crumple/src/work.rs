//! A limit to what questions may cost, and a way to end them from outside.
//!
//! The cost of most questions grows with their answer. But every two of ten thousand long thin triangles have boxes that overlap,
//! and of a hundred thousand that coincide every two meet: no frame can wait for that. [`WorkLimit::run`] asks questions, any
//! and as many as wanted, and returns an error once they have taken more work than allowed, or were stopped by another thread.
//!
//! Searches count their work in places that they pass every few microseconds ([`spend`]), against the limit of the thread
//! they run on; [`crate::threads`] hands it on to the threads they share work with. Beyond the limit the search is unwound,
//! like a panic but without its message, up to [`WorkLimit::run`]. So no answer that is not whole is ever published or
//! returned: a frame is as if the question had not been asked. That needs no lock to be held and nothing shared to be half
//! written while a question is computed, which holds for every one of them: they fill memory of their own and publish it whole.
//!
//! Cost: a thread-local read per thousands of pairs.
//! Held by: `tests/behaviour/work.rs`.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A limit to the work of questions. Copies share what is left of it.
///
/// ```
/// use crumple::{Body, Mesh, WorkLimit, self_pairs};
///
/// // A thousand triangles in one place: half a million pairs.
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let positions: Vec<[f32; 3]> = (0..1000).flat_map(|_| corners).collect();
/// let body = Body::new(Mesh::new(3000, (0..1000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())?, &positions)?;
///
/// let refused = WorkLimit::new(100_000).run(|| self_pairs(&body));
/// assert!(refused.is_err());
/// let pairs = WorkLimit::new(1_000_000_000).run(|| self_pairs(&body))?;
/// assert_eq!(pairs.len(), 1000 * 999 / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a program that is compiled with `panic = "abort"`, WebAssembly among them, there is no unwinding, and no limit is kept:
/// questions are answered whatever they take.
#[derive(Clone, Debug)]
pub struct WorkLimit(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: u64,
    spent: AtomicU64,
    is_stopped: AtomicBool,
}

/// A question was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// It would have taken more work than allowed.
    OverLimit {
        /// The work allowed.
        limit: u64,
    },
    /// [`WorkLimit::stop`] was called.
    ByCaller,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OverLimit { limit } => write!(
                f,
                "the question takes more than {limit} steps of work: triangles that overlap by the thousand, such as long thin \
                 ones or copies in one place, have to be compared each with each; remove them or raise the limit"
            ),
            Self::ByCaller => write!(f, "the question was stopped before it was answered"),
        }
    }
}

impl std::error::Error for Stopped {}

impl WorkLimit {
    /// Allows so many steps. A step is about ten nanoseconds of one thread's time: a pair of triangles whose boxes overlap takes
    /// one or more. The count depends a little on the number of
    /// threads. `u64::MAX` sets no limit, for questions that are only to be stopped.
    pub fn new(steps: u64) -> Self {
        Self(Arc::new(Account { limit: steps, spent: AtomicU64::new(0), is_stopped: AtomicBool::new(false) }))
    }

    /// Ends the questions that run within this limit, from any thread; those that are asked later end as well.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Calls `ask`, in which every question counts. If they take more than is left, or are stopped, they are not
    /// answered and nothing is changed by them: they can be asked again.
    ///
    /// Of several limits within each other the innermost counts.
    pub fn run<T>(&self, ask: impl FnOnce() -> T) -> Result<T, Stopped> {
        // Unwinding leaves nothing half written: see the head of this file.
        let outcome = catch_unwind(AssertUnwindSafe(|| within(Some(self.clone()), ask)));
        outcome.or_else(|payload| match payload.downcast::<Stopped>() {
            Ok(stopped) => Err(*stopped),
            Err(payload) => resume_unwind(payload),
        })
    }

    fn spend(&self, steps: u64) {
        let Account { limit, spent, is_stopped } = &*self.0;
        let before = spent.fetch_add(steps, Ordering::Relaxed);
        if is_stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped::ByCaller));
        }
        if before.saturating_add(steps) > *limit {
            resume_unwind(Box::new(Stopped::OverLimit { limit: *limit }));
        }
    }
}

thread_local! {
    /// The limit that counts on this thread.
    static LIMIT: RefCell<Option<WorkLimit>> = const { RefCell::new(None) };
}

/// Counts work on this thread; does not return if it is more than allowed.
#[inline]
pub(crate) fn spend(steps: usize) {
    if cfg!(panic = "unwind") {
        LIMIT.with_borrow(|limit| limit.iter().for_each(|limit| limit.spend(steps as u64)));
    }
}

/// What an entry of an answer costs: it is sorted, copied and kept.
pub(crate) const STEPS_PER_ANSWER: usize = 16;

/// What it costs to decide two triangles exactly, where f32 cannot.
pub(crate) const STEPS_PER_EXACT_TEST: usize = 100;

/// The limit that counts on this thread, to be handed on to another.
#[cfg(feature = "parallel")]
pub(crate) fn current() -> Option<WorkLimit> {
    if cfg!(panic = "unwind") { LIMIT.with_borrow(Clone::clone) } else { None }
}

/// Does work that counts against a limit, or against none.
pub(crate) fn within<T>(limit: Option<WorkLimit>, work: impl FnOnce() -> T) -> T {
    struct Restored(Option<WorkLimit>);
    impl Drop for Restored {
        fn drop(&mut self) {
            LIMIT.set(self.0.take());
        }
    }
    if cfg!(panic = "abort") {
        return work();
    }
    let _before = Restored(LIMIT.replace(limit));
    work()
}
