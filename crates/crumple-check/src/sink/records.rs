//! Frames kept in memory, for a caller who goes on with them.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use crumple_io::report::Frame;

use super::{Sink, View};
use crate::outcome::Outcome;

/// All frames with the pairs that are listed, as they are found.
#[derive(Clone, Debug, Default)]
pub struct Records(Arc<Mutex<Vec<Frame<'static>>>>);

impl Records {
    /// What was found so far, which is taken out.
    pub fn take(&self) -> Vec<Frame<'static>> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for Records {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(view.listed.to_owned_record());
        Ok(())
    }

    fn end(self: Box<Self>, _: &Outcome) -> Result<Option<String>> {
        Ok(None)
    }
}
