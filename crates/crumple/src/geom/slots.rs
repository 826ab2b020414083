//! Numbered slots for values that come and go.
//!
//! A slot is used again after its value is removed; the generation that goes with its number is not, so the key of a
//! value that is gone never names another.

/// The key of a value: its slot, and which of the values that the slot has held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SlotKey {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// Values by their keys.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// Goes up each time the slot is emptied.
    generation: u32,
    value: Option<T>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    /// Puts a value into a free slot; gives it back if all 2^32 − 1 slots are taken.
    pub(crate) fn insert(&mut self, value: T) -> Result<SlotKey, T> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let Some(slot) = u32::try_from(self.slots.len()).ok().filter(|&slot| slot < u32::MAX) else {
                    return Err(value);
                };
                self.slots.push(Slot { generation: 0, value: None });
                slot
            }
        };
        let entry = &mut self.slots[slot as usize];
        entry.value = Some(value);
        Ok(SlotKey { slot, generation: entry.generation })
    }

    /// Takes a value out; `None` if it is not there (any more).
    pub(crate) fn remove(&mut self, key: SlotKey) -> Option<T> {
        let entry = self.slots.get_mut(key.slot as usize).filter(|entry| entry.generation == key.generation)?;
        let value = entry.value.take()?;
        // A slot that has used up its generations is never filled again, so that no key comes back.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(key.slot);
        }
        Some(value)
    }

    pub(crate) fn get(&self, key: SlotKey) -> Option<&T> {
        let entry = self.slots.get(key.slot as usize)?;
        entry.value.as_ref().filter(|_| entry.generation == key.generation)
    }

    pub(crate) fn get_mut(&mut self, key: SlotKey) -> Option<&mut T> {
        let entry = self.slots.get_mut(key.slot as usize)?;
        entry.value.as_mut().filter(|_| entry.generation == key.generation)
    }

    /// The value in a slot and its key, if there is one.
    pub(crate) fn in_slot(&self, slot: u32) -> Option<(SlotKey, &T)> {
        let entry = self.slots.get(slot as usize)?;
        Some((SlotKey { slot, generation: entry.generation }, entry.value.as_ref()?))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (SlotKey, &T)> {
        (0..)
            .zip(&self.slots)
            .filter_map(|(slot, entry)| Some((SlotKey { slot, generation: entry.generation }, entry.value.as_ref()?)))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (SlotKey, &mut T)> {
        (0..)
            .zip(&mut self.slots)
            .filter_map(|(slot, entry)| Some((SlotKey { slot, generation: entry.generation }, entry.value.as_mut()?)))
    }
}
