//! `--depth`: how deep bodies that meet are in each other, and how much of their surfaces is inside.
//!
//! The depth of a contact is that of the deepest vertex of one body inside the other (`Frame::deepest`), or of its deepest region
//! (`regions`), which bodies that meet themselves and open ones have as well. The area is that of the surface of each of the two inside
//! the other, where that one is closed.

use anyhow::Result;
use crumple::contact::OverlapFinder;
use crumple::{BodyId, Frame};
use crumple_io::report::ContactRecord;
use crumple_io::words;

/// Fills in the depth of every contact that has one.
pub(crate) fn fill(now: Frame<'_>, ids: &[BodyId], contacts: &mut [ContactRecord<'_>]) -> Result<()> {
    for contact in contacts.iter_mut().filter(|contact| contact.a != contact.b) {
        contact.depth = now.deepest(ids[contact.a as usize], ids[contact.b as usize])?;
    }
    Ok(())
}

/// Fills in the areas of contacts, as far as all their pairs are known; `are_apart` says of which two bodies no pair was left
/// out for another reason.
pub(crate) fn fill_areas(
    now: Frame<'_>,
    ids: &[BodyId],
    contacts: &mut [ContactRecord<'_>],
    finder: &mut OverlapFinder,
    are_apart: impl Fn(u32, u32) -> bool,
) -> Result<()> {
    for contact in contacts.iter_mut().filter(|contact| contact.a != contact.b && are_apart(contact.a, contact.b)) {
        let [a, b] = [contact.a, contact.b].map(|body| ids[body as usize]);
        let Some(found) = now.contact(a, b) else { continue };
        let Some(pairs) = found.complete_pairs() else { continue };
        let [in_b, in_a] = finder.swallowed(found.body_a(), found.body_b(), pairs)?;
        contact.area = match (in_a, in_b) {
            (Some(in_a), Some(in_b)) => Some(in_a + in_b),
            (one, other) => one.or(other),
        };
    }
    Ok(())
}

/// The deepest that two bodies are in each other, and the number of the first frame in which they are, with the area there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Deepest {
    found: Option<(f64, u64)>,
    area: Option<f64>,
}

impl Deepest {
    /// Takes one more frame in, by its number; frames must come in order.
    pub(crate) fn add(&mut self, frame: u64, depth: Option<f64>, area: Option<f64>) {
        if let Some(depth) = depth
            && self.found.is_none_or(|(deepest, _)| depth > deepest)
        {
            (self.found, self.area) = (Some((depth, frame)), area);
        }
    }

    /// The deeper of two, the first of equal ones.
    pub(crate) fn worse(self, other: Self) -> Self {
        if other.severity() > self.severity() { other } else { self }
    }

    /// The depth for sorting; below all others if it is not known.
    pub(crate) fn severity(&self) -> f64 {
        self.found.map_or(-1.0, |(depth, _)| depth)
    }

    /// The area for sorting; below all others if it is not known.
    pub(crate) fn swallowed(&self) -> f64 {
        self.area.unwrap_or(-1.0)
    }

    /// Depth and area as parts of a sentence; nothing if there are none.
    pub(crate) fn words(&self, unit: Option<&str>) -> String {
        depth_words(self.found.map(|(depth, _)| depth), self.area, unit)
    }

    /// The area as a cell of a table; a dash if there is none.
    pub(crate) fn area(&self, digits: usize, unit: Option<&str>) -> String {
        self.area.map_or_else(|| "-".to_owned(), |area| words::area(area, digits, unit))
    }

    /// The depth as a cell of a table; a dash if there is none.
    pub(crate) fn depth(&self, digits: usize, unit: Option<&str>) -> String {
        self.found.map_or_else(|| "-".to_owned(), |(depth, _)| words::length(depth, digits, unit))
    }

    /// The frame; a dash if there is none.
    pub(crate) fn frame(&self) -> String {
        self.found.map_or_else(|| "-".to_owned(), |(_, frame)| frame.to_string())
    }
}

/// Depth and area as parts of a sentence.
pub(crate) fn depth_words(depth: Option<f64>, area: Option<f64>, unit: Option<&str>) -> String {
    let deep = depth.map(|depth| format!(", {} deep", words::length(depth, 6, unit))).unwrap_or_default();
    let area = area.map(|area| format!(", an area of {} inside", words::area(area, 6, unit))).unwrap_or_default();
    format!("{deep}{area}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equally_deep_frames_the_first_counts() {
        let mut deepest = Deepest::default();
        assert_eq!([deepest.depth(6, None), deepest.frame()], ["-", "-"]);
        for (frame, depth) in [(2, None), (3, Some(0.0)), (4, Some(0.25)), (5, Some(0.25)), (6, Some(0.125))] {
            deepest.add(frame, depth, depth.map(|depth| frame as f64 + depth));
        }
        assert_eq!([deepest.depth(6, None), deepest.frame(), deepest.area(6, None)], ["0.250000", "4", "4.25000"]);
        assert_eq!(deepest.words(None), ", 0.250000 deep, an area of 4.25000 inside");
        assert_eq!(deepest.words(Some("m")), ", 250.000 mm deep, an area of 4250000 mm² inside");
    }
}
