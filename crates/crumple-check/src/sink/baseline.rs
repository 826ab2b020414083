//! `--write-baseline`: what was found becomes what is known.

use std::path::Path;

use anyhow::Result;
use crumple_io::words::counted;

use super::{Destination, Sink};
use crate::outcome::{Ended, Outcome};

/// A baseline that takes its place when all frames have been checked: one of a part would make the rest look new.
pub(super) struct NewBaseline(Destination);

impl NewBaseline {
    pub(super) fn new(file: &Path) -> Result<Self> {
        Ok(Self(Destination::create(file)?))
    }
}

impl Sink for NewBaseline {
    fn end(self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        if !matches!(outcome.ended, Ended::Whole | Ended::Unread) {
            return Ok(None);
        }
        let (baseline, found) = &outcome.baseline;
        let file = self.0.write(&baseline.text()?)?;
        // Episodes of two bodies share an entry.
        let entries = match baseline.len() as u64 {
            same if same == *found => String::new(),
            entries => format!(", in {}", counted(entries, "entry")),
        };
        Ok(Some(format!("{}: a baseline of {}{entries}", file.display(), counted(*found, "finding"))))
    }
}
