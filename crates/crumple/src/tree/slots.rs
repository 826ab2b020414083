//! A table of few of many items: each gets the next free slot when it is first asked for.
//!
//! Clearing costs as much as there are slots taken, not as there are items. Asking takes no branch: whether an item is new
//! cannot be predicted, and a mispredicted jump costs more than to write twice.

/// Items by their indices, and their slots in the order in which they were first asked for.
#[derive(Debug, Default)]
pub(super) struct SlotTable {
    /// For each item its slot plus one; 0 if it has none.
    slot_plus_one: Vec<u32>,
    /// The items that have a slot, by slot, and room for all others and one more.
    items: Vec<u32>,
    len: usize,
}

impl SlotTable {
    /// Frees all slots, for a number of items that may differ from the last one.
    pub(super) fn clear(&mut self, items: usize) {
        for &item in &self.items[..self.len] {
            self.slot_plus_one[item as usize] = 0;
        }
        self.len = 0;
        if self.slot_plus_one.len() < items {
            self.slot_plus_one.resize(items, 0);
            self.items.resize(items + 1, 0);
        }
    }

    /// How many slots are taken.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The slot of an item; one that is new gets the next free one.
    #[inline(always)]
    pub(super) fn slot(&mut self, item: u32) -> u32 {
        let slot = &mut self.slot_plus_one[item as usize];
        let is_new = *slot == 0;
        // Written in any case: what is behind the last slot is not looked at.
        self.items[self.len] = item;
        self.len += usize::from(is_new);
        *slot = if is_new { self.len as u32 } else { *slot };
        *slot - 1
    }

    /// The item in a slot.
    #[inline(always)]
    pub(super) fn item(&self, slot: u32) -> u32 {
        self.items[slot as usize]
    }
}
