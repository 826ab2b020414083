//! All pairs while bodies are few, sweep and prune once they are many.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.4, which puts the limit at about a hundred bodies. The limit for
//! going back is lower, so that adding and removing one body at the limit does not rebuild everything each time.

use super::{AllPairs, Boxes, BroadError, BroadPhase, SweepAndPrune};
use crate::geom::Aabb;

/// More bodies than this are swept: the paper's figure.
const FEW: usize = 100;
/// With this many bodies or fewer, all pairs are compared again.
const FEW_AGAIN: usize = 75;

/// Chooses by the number of bodies; the usual choice.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    all_pairs: AllPairs,
    sweep: SweepAndPrune,
    sweeping: bool,
    /// How many bodies have a box that is not empty.
    count: usize,
}

impl Auto {
    fn boxes(&self) -> &Boxes {
        if self.sweeping { self.sweep.boxes() } else { self.all_pairs.boxes() }
    }

    /// Gives a slot its box without the check of [`BroadPhase::set`]: for slots that the caller has checked.
    pub(crate) fn put(&mut self, slot: u32, bounds: Aabb) {
        let had_box = !self.boxes().of(slot).is_empty();
        if self.sweeping {
            self.sweep.put(slot, bounds);
        } else {
            self.all_pairs.put(slot, bounds);
        }
        self.count += usize::from(!bounds.is_empty());
        self.count -= usize::from(had_box);
    }

    fn change_over(&mut self) {
        if self.sweeping {
            self.all_pairs.take_over(self.sweep.boxes());
            self.sweep.clear();
        } else {
            self.sweep.take_over(self.all_pairs.boxes());
            self.all_pairs.clear();
        }
        self.sweeping = !self.sweeping;
    }
}

impl BroadPhase for Auto {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn set(&mut self, slot: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.boxes().check(slot)?;
        self.put(slot, bounds);
        Ok(())
    }

    fn pairs(&mut self) -> &[(u32, u32)] {
        let many = if self.sweeping { self.count > FEW_AGAIN } else { self.count > FEW };
        if many != self.sweeping {
            self.change_over();
        }
        if self.sweeping { self.sweep.pairs() } else { self.all_pairs.pairs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_automatic_choice_sweeps_above_a_hundred_bodies_and_goes_back_below() {
        let mut auto = Auto::default();
        let place = |slot: u32| Aabb::new([slot as f32; 3], [slot as f32 + 1.0; 3]);
        let count_at = |auto: &mut Auto, bodies: u32| {
            for slot in 0..200 {
                if slot < bodies { auto.set(slot, place(slot)).unwrap() } else { auto.remove(slot) }
            }
            assert_eq!(auto.pairs().len(), bodies as usize - 1);
            auto.sweeping
        };
        assert_eq!(
            [100, 101, 200, 90, 75, 90, 101].map(|bodies| count_at(&mut auto, bodies)),
            [false, true, true, true, false, false, true]
        );
    }

    #[test]
    fn a_slot_once_known_stays_known_however_many_bodies_go() {
        let bounds = Aabb::new([0.0; 3], [1.0; 3]);
        let mut auto = Auto::default();
        (0..5_000).for_each(|slot| auto.set(slot, bounds).unwrap());
        assert!(!auto.pairs().is_empty() && auto.sweeping);
        (1..5_000).for_each(|slot| auto.remove(slot));
        assert!(auto.pairs().is_empty() && !auto.sweeping);
        auto.set(4_999, bounds).unwrap();
        assert_eq!(auto.pairs(), [(0, 4_999)]);
    }
}
