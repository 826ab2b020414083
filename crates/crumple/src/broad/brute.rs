//! Every box against every box: the fastest for a few dozen bodies, and the reference for sweep and prune.
//!
//! Cost: O(n²) box tests of two vector instructions each whenever a box has changed, nothing otherwise.

use super::{Boxes, BroadError, BroadPhase};
use crate::geom::Aabb;

/// Compares all pairs of boxes.
#[derive(Clone, Debug, Default)]
pub struct AllPairs {
    boxes: Boxes,
    /// The occupied slots side by side, so that gaps cost nothing in the inner loop.
    occupied: Vec<(u32, Aabb)>,
    pairs: Vec<(u32, u32)>,
    changed: bool,
}

impl AllPairs {
    /// Takes every body out.
    pub(super) fn clear(&mut self) {
        self.boxes.0.clear();
        self.changed = true;
    }

    pub(super) fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// Gives a slot that has been checked its box.
    pub(super) fn put(&mut self, slot: u32, bounds: Aabb) {
        self.changed |= self.boxes.set(slot, bounds) != self.boxes.of(slot);
    }

    /// Takes over the boxes of another broad phase.
    pub(super) fn take_over(&mut self, boxes: &Boxes) {
        self.boxes.0.clone_from(&boxes.0);
        self.changed = true;
    }
}

impl BroadPhase for AllPairs {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn set(&mut self, slot: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.boxes.check(slot)?;
        self.put(slot, bounds);
        Ok(())
    }

    fn pairs(&mut self) -> &[(u32, u32)] {
        if std::mem::take(&mut self.changed) {
            self.occupied.clear();
            self.occupied.extend(self.boxes.occupied());
            self.pairs.clear();
            for (i, (a, bounds)) in self.occupied.iter().enumerate() {
                let later = self.occupied[i + 1..].iter();
                self.pairs.extend(later.filter(|(_, other)| bounds.overlaps(other)).map(|(b, _)| (*a, *b)));
            }
        }
        &self.pairs
    }
}
