//! An answer that is computed when it is first asked for and kept until the next frame, in memory that is used again.
//!
//! Several threads may ask at once; none waits for another (see `answer`).

use std::sync::{Mutex, OnceLock, PoisonError};

/// The answer to one question about a frame.
#[derive(Debug)]
pub(super) struct Lazy<A> {
    now: OnceLock<A>,
    spare: Mutex<Option<A>>,
}

impl<A> Default for Lazy<A> {
    fn default() -> Self {
        Self { now: OnceLock::new(), spare: Mutex::default() }
    }
}

/// The answer goes along; memory does not.
impl<A: Clone> Clone for Lazy<A> {
    fn clone(&self) -> Self {
        Self { now: self.now.clone(), spare: Mutex::default() }
    }
}

impl<A: Default> Lazy<A> {
    /// This frame's answer; `compute` overwrites what an earlier one left.
    pub(super) fn answer(&self, compute: impl FnOnce(&mut A)) -> &A {
        if let Some(answer) = self.now.get() {
            return answer;
        }
        let mut answer = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        compute(&mut answer);
        self.now.get_or_init(|| answer)
    }

    /// Ends a frame; `last` sees its answer, if there is one, before its memory is used again.
    pub(super) fn retire(&mut self, last: impl FnOnce(&A)) {
        if let Some(answer) = self.now.take() {
            last(&answer);
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        }
    }
}
