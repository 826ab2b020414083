//! `--depth`: how deep bodies that meet are in each other.
//!
//! The depth of a contact is that of the deepest vertex of one body inside the other (`Frame::deepest`). A contact of a body
//! with itself has none, and neither has one of two open bodies.

use anyhow::Result;
use crumple::{BodyId, Frame};
use crumple_io::report::ContactRecord;
use crumple_io::words::size;

/// Fills in the depth of every contact that has one.
pub(super) fn fill(now: Frame<'_>, ids: &[BodyId], contacts: &mut [ContactRecord<'_>]) -> Result<()> {
    for contact in contacts.iter_mut().filter(|contact| contact.a != contact.b) {
        contact.depth = now.deepest(ids[contact.a as usize], ids[contact.b as usize])?;
    }
    Ok(())
}

/// The deepest that two bodies are in each other, and the first frame in which they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Deepest {
    found: Option<(f64, u64)>,
}

impl Deepest {
    /// Takes one more frame in; frames must come in order.
    pub(super) fn add(&mut self, frame: u64, depth: Option<f64>) {
        if let Some(depth) = depth
            && self.found.is_none_or(|(deepest, _)| depth > deepest)
        {
            self.found = Some((depth, frame));
        }
    }

    /// The depth as a part of a sentence; nothing if there is none.
    pub(super) fn words(&self) -> String {
        self.found.map_or_else(String::new, |(depth, _)| format!(", {} deep", size(depth, 6)))
    }

    /// The depth as a cell of a table; a dash if there is none.
    pub(super) fn depth(&self) -> String {
        self.found.map_or_else(|| "-".to_owned(), |(depth, _)| size(depth, 6))
    }

    /// The frame; a dash if there is none.
    pub(super) fn frame(&self) -> String {
        self.found.map_or_else(|| "-".to_owned(), |(_, frame)| frame.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equally_deep_frames_the_first_counts() {
        let mut deepest = Deepest::default();
        assert_eq!([deepest.depth(), deepest.frame()], ["-", "-"]);
        for (frame, depth) in [(2, None), (3, Some(0.0)), (4, Some(0.25)), (5, Some(0.25)), (6, Some(0.125))] {
            deepest.add(frame, depth);
        }
        assert_eq!([deepest.depth(), deepest.frame()], ["0.250000", "4"]);
    }
}
