//! A table of few of many items: each gets the next free slot when it is first asked for.
//!
//! Clearing costs as much as there are slots taken, not as there are items.

/// Items by their indices, and their slots in the order in which they were first asked for.
#[derive(Debug, Default)]
pub(super) struct SlotTable {
    /// For each item its slot plus one; 0 if it has none.
    slot_plus_one: Vec<u32>,
    /// The items that have a slot, by slot.
    items: Vec<u32>,
}

impl SlotTable {
    /// Frees all slots, for a number of items that may differ from the last one.
    pub(super) fn clear(&mut self, items: usize) {
        for item in self.items.drain(..) {
            self.slot_plus_one[item as usize] = 0;
        }
        if self.slot_plus_one.len() < items {
            self.slot_plus_one.resize(items, 0);
        }
    }

    /// How many slots are taken.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The slot of an item, and whether it is new.
    #[inline(always)]
    pub(super) fn slot(&mut self, item: u32) -> (u32, bool) {
        let slot = &mut self.slot_plus_one[item as usize];
        if *slot != 0 {
            return (*slot - 1, false);
        }
        self.items.push(item);
        *slot = self.items.len() as u32;
        (*slot - 1, true)
    }

    /// The item in a slot.
    #[inline(always)]
    pub(super) fn item(&self, slot: u32) -> u32 {
        self.items[slot as usize]
    }
}
