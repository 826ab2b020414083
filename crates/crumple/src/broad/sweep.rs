//! Sweep and prune: interval ends kept sorted along three axes from frame to frame.
//!
//! Paper: Cohen, Lin, Manocha & Ponamgi 1995 (I-COLLIDE), as used by Larsson & Akenine-Möller 2001, section 3.4. Each
//! box is an interval along each axis. Bodies move little between frames, so an insertion sort brings each list of ends
//! back into order with few exchanges; and only where a lower end passes an upper one can two boxes begin or cease to
//! overlap:
//!
//! ```text
//! before   ─a──┤   ├──b─        lower end of b passes the upper end of a: they may begin to overlap
//! after      ─a──┼──┼─b─        the other way round: they cease to, whatever the other axes say
//! ```
//!
//! Departs: instead of a count of overlapping axes for each pair, the boxes before and after the motion are compared at
//! each such exchange, so that only pairs that did begin or cease are noted; these are merged into the sorted list of
//! pairs. Where a sort makes more exchanges than sorting from scratch would cost — many bodies added at once, or a
//! scene that jumps — the lists are sorted from scratch and swept along the axis with the fewest overlaps.
//!
//! Cost: O(n + m) expected per frame for n bodies and m pairs, nothing if no box has changed; O(n log n + overlaps
//! along the best axis) for the first frame and for jumps. No allocation once the lists have grown.

use super::{Boxes, BroadError, BroadPhase};
use crate::geom::Aabb;

/// Keeps the ends of all boxes sorted along three axes.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    /// The boxes as they are now.
    boxes: Boxes,
    /// The boxes by which the lists are sorted and from which the pairs were found.
    sorted_by: Boxes,
    /// Slots whose box may differ from the one sorted by, each once, and for each slot whether it is among them.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    ends: [Vec<End>; 3],
    pairs: Vec<(u32, u32)>,
    begun: Vec<(u32, u32)>,
    ceased: Vec<(u32, u32)>,
    /// Memory for merging pairs.
    merged: Vec<(u32, u32)>,
    /// Memory for the sweep: the slots open at one coordinate, and for each slot where in that list it stands.
    open: Vec<u32>,
    open_at: Vec<u32>,
}

/// One end of an interval, as a number by which ends are sorted.
///
/// ```text
/// 63 … 32   the coordinate, as an integer in the order of the f32 numbers
///      31   0 for a lower end, 1 for an upper one: at one coordinate intervals open before others close, since touching
///           counts
/// 30 …  0   the slot
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End(u64);

const UPPER: u64 = 1 << 31;

impl End {
    fn new(bounds: &Aabb, axis: usize, is_upper: bool, slot: u32) -> Self {
        let coordinate = if is_upper { bounds.max()[axis] } else { bounds.min()[axis] };
        // −0 + 0 is +0, so that the two zeros are one coordinate. Of negative numbers the larger size comes first.
        let bits = (coordinate + 0.0).to_bits();
        let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        Self(u64::from(ordered) << 32 | if is_upper { UPPER } else { 0 } | u64::from(slot))
    }

    fn is_upper(self) -> bool {
        self.0 & UPPER != 0
    }

    fn slot(self) -> u32 {
        (self.0 & (UPPER - 1)) as u32
    }
}

impl SweepAndPrune {
    /// Takes every body out.
    pub(super) fn clear(&mut self) {
        self.boxes.0.clear();
        self.sorted_by.0.clear();
        self.changed.clear();
        self.is_changed.clear();
        self.ends.iter_mut().for_each(Vec::clear);
        self.pairs.clear();
    }

    pub(super) fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// Gives a slot that has been checked its box.
    pub(super) fn put(&mut self, slot: u32, bounds: Aabb) {
        if self.boxes.set(slot, bounds) != self.boxes.of(slot) {
            let at = slot as usize;
            if at >= self.is_changed.len() {
                self.is_changed.resize(at + 1, false);
            }
            if !std::mem::replace(&mut self.is_changed[at], true) {
                self.changed.push(slot);
            }
        }
    }

    /// Takes over the boxes of another broad phase; there are none yet.
    pub(super) fn take_over(&mut self, boxes: &Boxes) {
        boxes.occupied().for_each(|(slot, bounds)| self.put(slot, bounds));
        self.boxes.0.resize(boxes.0.len(), Aabb::EMPTY);
    }

    fn update(&mut self) {
        self.replace_ends();
        self.begun.clear();
        self.ceased.clear();
        if (0..3).all(|axis| self.sort(axis)) {
            self.merge_pairs();
        } else {
            self.sweep_anew();
        }
        for slot in self.changed.drain(..) {
            self.is_changed[slot as usize] = false;
            self.sorted_by.set(slot, self.boxes.of(slot));
        }
        self.make_room();
        debug_assert!(self.ends.iter().all(|list| list.is_sorted()) && self.pairs.is_sorted());
    }

    /// Writes the new coordinates into the lists, which keep their order; ends of bodies that are gone are dropped, and
    /// those of new ones stand behind all others, where their intervals overlap none.
    fn replace_ends(&mut self) {
        let Self { boxes, sorted_by, changed, ends, pairs, .. } = self;
        let is_gone = |slot: u32| boxes.of(slot).is_empty();
        if changed.iter().any(|&slot| is_gone(slot) && !sorted_by.of(slot).is_empty()) {
            ends.iter_mut().for_each(|list| list.retain(|end| !is_gone(end.slot())));
            pairs.retain(|&(a, b)| !is_gone(a) && !is_gone(b));
        }
        for (axis, list) in ends.iter_mut().enumerate() {
            for end in list.iter_mut() {
                *end = End::new(&boxes.of(end.slot()), axis, end.is_upper(), end.slot());
            }
            for &slot in changed.iter().filter(|&&slot| sorted_by.of(slot).is_empty() && !is_gone(slot)) {
                list.extend([false, true].map(|is_upper| End::new(&boxes.of(slot), axis, is_upper, slot)));
            }
        }
    }

    /// Sorts one list by insertion and notes what its exchanges mean; gives up, with the list still whole, where that
    /// takes longer than sorting from scratch.
    fn sort(&mut self, axis: usize) -> bool {
        let Self { boxes, sorted_by, ends, begun, ceased, .. } = self;
        let list = &mut ends[axis];
        // A sort makes about len · log2 len comparisons; an exchange here does no less than one there, and sorting from
        // scratch has the pairs to find after it.
        let mut exchanges_left = 4 * list.len() * (list.len().max(2).ilog2() as usize);
        for sorted in 1..list.len() {
            let end = list[sorted];
            let mut at = sorted;
            while at > 0 && list[at - 1] > end {
                let passed = list[at - 1];
                list[at] = passed;
                at -= 1;
                if end.is_upper() != passed.is_upper() {
                    let (a, b) = (end.slot().min(passed.slot()), end.slot().max(passed.slot()));
                    let overlapped = sorted_by.of(a).overlaps(&sorted_by.of(b));
                    // An insertion sort exchanges two ends at most once, into their final order. So a lower end that
                    // an upper one passes lies beyond it now: these boxes are apart. And boxes that overlap now but
                    // did not before were apart along some axis, where such an exchange must come. A pair is noted
                    // once for each axis that changes.
                    if end.is_upper() && overlapped {
                        ceased.push((a, b));
                    } else if !end.is_upper() && !overlapped && boxes.of(a).overlaps(&boxes.of(b)) {
                        begun.push((a, b));
                    }
                }
            }
            list[at] = end;
            exchanges_left = match exchanges_left.checked_sub(sorted - at) {
                Some(left) => left,
                None => return false,
            };
        }
        true
    }

    /// Takes the pairs that have begun into the list and those that have ceased out of it.
    fn merge_pairs(&mut self) {
        let Self { pairs, begun, ceased, merged, .. } = self;
        if begun.is_empty() && ceased.is_empty() {
            return;
        }
        for noted in [&mut *begun, &mut *ceased] {
            noted.sort_unstable();
            noted.dedup();
        }
        let (mut begun, mut ceased) = (begun.iter().copied().peekable(), ceased.iter().copied().peekable());
        merged.clear();
        for &pair in pairs.iter() {
            while let Some(earlier) = begun.next_if(|&new| new < pair) {
                merged.push(earlier);
            }
            if ceased.next_if_eq(&pair).is_none() {
                merged.push(pair);
            }
        }
        merged.extend(begun);
        std::mem::swap(pairs, merged);
    }

    /// Sorts all lists from scratch and finds all pairs in one sweep.
    fn sweep_anew(&mut self) {
        self.ends.iter_mut().for_each(|list| list.sort_unstable());
        let Self { boxes, ends, pairs, open, open_at, .. } = self;
        let fewest = ends.iter().min_by_key(|list| overlaps_along(list));
        open.clear();
        open_at.resize(boxes.0.len(), 0);
        pairs.clear();
        for &end in fewest.into_iter().flatten() {
            let slot = end.slot();
            if end.is_upper() {
                let at = open_at[slot as usize];
                open.swap_remove(at as usize);
                if let Some(&moved) = open.get(at as usize) {
                    open_at[moved as usize] = at;
                }
            } else {
                let bounds = boxes.of(slot);
                let met = open.iter().filter(|&&other| bounds.overlaps(&boxes.of(other)));
                pairs.extend(met.map(|&other| (slot.min(other), slot.max(other))));
                open_at[slot as usize] = open.len() as u32;
                open.push(slot);
            }
        }
        pairs.sort_unstable();
    }

    /// Makes every list long enough for any motion between frames like those seen so far, so that a sequence played
    /// again allocates nothing although its last frame is now followed by its first.
    fn make_room(&mut self) {
        let (slots, pairs) = (self.boxes.0.len(), self.pairs.len());
        // An update notes a pair at most once per axis.
        for (list, most) in [(&mut self.begun, 3 * pairs), (&mut self.ceased, 3 * pairs), (&mut self.merged, pairs)] {
            list.clear();
            list.reserve(most);
        }
        self.open.clear();
        self.open.reserve(slots);
        self.changed.reserve(slots);
        self.ends.iter_mut().for_each(|list| list.reserve((2 * slots).saturating_sub(list.len())));
    }
}

impl BroadPhase for SweepAndPrune {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn set(&mut self, slot: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.boxes.check(slot)?;
        self.put(slot, bounds);
        Ok(())
    }

    fn pairs(&mut self) -> &[(u32, u32)] {
        if !self.changed.is_empty() {
            self.update();
        }
        &self.pairs
    }
}

/// How many pairs of intervals of a sorted list overlap.
fn overlaps_along(list: &[End]) -> u64 {
    let (mut open, mut overlaps) = (0, 0);
    for end in list {
        if end.is_upper() {
            open -= 1;
        } else {
            overlaps += open;
            open += 1;
        }
    }
    overlaps
}
