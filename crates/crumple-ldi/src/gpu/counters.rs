//! What was asked of the device, counted where it is asked: the only way to know that a steady frame creates nothing
//! and reads back once.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a context has done so far; the difference of two is what was done in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Buffers, textures, views, bind groups, shaders and pipelines created. (Command encoders are not among them: the
    /// graphics stack wants a new one for every submission, and recycles what is behind it.)
    pub objects_created: u64,
    /// Times the caller waited for results from the device.
    pub read_backs: u64,
    /// Bytes that came back.
    pub bytes_read: u64,
    /// Batches of commands handed over.
    pub submissions: u64,
    /// Times the triangles of a body were drawn.
    pub passes: u64,
    /// Frames that were begun again because storage had to grow.
    pub retries: u64,
    /// Commands the graphics stack refused.
    pub refused: u64,
}

impl std::ops::Sub for Counters {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            objects_created: self.objects_created - earlier.objects_created,
            read_backs: self.read_backs - earlier.read_backs,
            bytes_read: self.bytes_read - earlier.bytes_read,
            submissions: self.submissions - earlier.submissions,
            passes: self.passes - earlier.passes,
            retries: self.retries - earlier.retries,
            refused: self.refused - earlier.refused,
        }
    }
}

/// The counters of a context while they run.
#[derive(Debug, Default)]
pub(crate) struct Running {
    pub(crate) objects_created: Counter,
    pub(crate) read_backs: Counter,
    pub(crate) bytes_read: Counter,
    pub(crate) submissions: Counter,
    pub(crate) passes: Counter,
    pub(crate) retries: Counter,
    pub(crate) refused: Counter,
}

impl Running {
    pub(crate) fn now(&self) -> Counters {
        Counters {
            objects_created: self.objects_created.value(),
            read_backs: self.read_backs.value(),
            bytes_read: self.bytes_read.value(),
            submissions: self.submissions.value(),
            passes: self.passes.value(),
            retries: self.retries.value(),
            refused: self.refused.value(),
        }
    }
}

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
