//! WHICH BODIES: boxes in, candidate pairs of bodies out.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.4: all pairs up to about a hundred bodies ([`AllPairs`]), sweep and
//! prune above ([`SweepAndPrune`]); [`Auto`] chooses between them by the number of bodies.
//!
//! Bodies are known by *slots*, numbers from 0 up that the caller gives out and may use again. A new slot may skip at
//! most [`MOST_SKIPPED`] numbers, so that memory cannot grow faster than slots are given out. A slot without a box, or
//! with an empty one, takes part in no pair. Boxes are closed: touching counts. The next call of [`BroadPhase::pairs`]
//! uses all boxes that were set before it; no other call is needed in between.
//!
//! Held by: `tests/behaviour/broad.rs`.

mod auto;
mod brute;
mod sweep;

pub use auto::Auto;
pub use brute::AllPairs;
pub use sweep::SweepAndPrune;

use std::fmt::Debug;

use crate::geom::Aabb;

/// A way to find the pairs of bodies whose boxes overlap.
///
/// ```
/// use crumple::Aabb;
/// use crumple::broad::{BroadPhase, SweepAndPrune};
///
/// let mut broad = SweepAndPrune::default();
/// broad.set(0, Aabb::new([0.0; 3], [1.0; 3]))?;
/// broad.set(1, Aabb::new([1.0; 3], [2.0; 3]))?;
/// broad.set(2, Aabb::new([5.0; 3], [6.0; 3]))?;
/// assert_eq!(broad.pairs(), [(0, 1)]);
/// broad.remove(0);
/// broad.set(2, Aabb::new([1.5; 3], [2.5; 3]))?;
/// assert_eq!(broad.pairs(), [(1, 2)]);
/// # Ok::<(), crumple::broad::BroadError>(())
/// ```
#[doc(alias = "broad phase")]
pub trait BroadPhase: Debug + Send + Sync {
    /// A copy, for [`Scene::clone`](crate::Scene).
    fn boxed_clone(&self) -> Box<dyn BroadPhase>;

    /// Gives the body in `slot` its box for this frame; adds the body if it was not there.
    ///
    /// # Errors
    /// If the slot lies too far beyond the slots known so far. Nothing has then changed.
    fn set(&mut self, slot: u32, bounds: Aabb) -> Result<(), BroadError>;

    /// Takes the body in `slot` out; nothing happens if there is none.
    fn remove(&mut self, slot: u32) {
        // A slot that was never named has no body.
        let _ = self.set(slot, Aabb::EMPTY);
    }

    /// The pairs of slots whose boxes overlap now, sorted, the smaller slot first.
    fn pairs(&mut self) -> &[(u32, u32)];
}

impl Clone for Box<dyn BroadPhase> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// How many numbers a new slot may skip.
pub const MOST_SKIPPED: u32 = 1024;

/// Slots from here on are refused: the sort of [`SweepAndPrune`] has 31 bits for them.
const MOST_SLOTS: u32 = 1 << 31;

/// Why a box was refused; the broad phase is then as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BroadError {
    /// Slots are to be given out one after another.
    #[error("slot {slot} lies too far beyond the {known} slots known so far: number bodies from 0 up")]
    SlotTooFar {
        /// The slot as given.
        slot: u32,
        /// How many slots are known.
        known: usize,
    },
}

/// The box of each slot; slots never named have an empty one.
#[derive(Clone, Debug, Default)]
struct Boxes(Vec<Aabb>);

impl Boxes {
    fn of(&self, slot: u32) -> Aabb {
        self.0.get(slot as usize).copied().unwrap_or(Aabb::EMPTY)
    }

    /// Refuses a slot that would make the lists much longer than there are bodies.
    fn check(&self, slot: u32) -> Result<(), BroadError> {
        let known = self.0.len();
        let is_near = slot as usize <= known + MOST_SKIPPED as usize;
        if is_near && slot < MOST_SLOTS { Ok(()) } else { Err(BroadError::SlotTooFar { slot, known }) }
    }

    /// Sets a box and returns the one before. The caller has checked the slot.
    fn set(&mut self, slot: u32, bounds: Aabb) -> Aabb {
        let at = slot as usize;
        if at >= self.0.len() {
            if bounds.is_empty() {
                return Aabb::EMPTY;
            }
            self.0.resize(at + 1, Aabb::EMPTY);
        }
        // Every way to be empty becomes one: a box turned inside out along a single axis must not seem to overlap.
        let bounds = if bounds.is_empty() { Aabb::EMPTY } else { bounds };
        std::mem::replace(&mut self.0[at], bounds)
    }

    /// The slots with a box that is not empty, and their boxes.
    fn occupied(&self) -> impl Iterator<Item = (u32, Aabb)> + '_ {
        (0..).zip(self.0.iter().copied()).filter(|(_, bounds)| !bounds.is_empty())
    }
}
