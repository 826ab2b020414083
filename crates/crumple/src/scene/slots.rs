//! Numbered slots for bodies that come and go.

use std::sync::atomic::{AtomicU32, Ordering};

use super::SceneError;

/// Identifies a body in its scene, and in no other; a clone of the scene has bodies of the same ids.
///
/// Slots are used again after a body is removed; ids are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyId {
    slot: u32,
    generation: u32,
    scene: u32,
}

impl BodyId {
    /// The slot of the body in its scene, counted from 0 in the order of adding while none is removed.
    pub fn index(self) -> usize {
        self.slot as usize
    }

    pub(super) fn slot(self) -> u32 {
        self.slot
    }
}

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.slot)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Slots<T> {
    /// Of each slot the generation, and what is in it.
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
    /// The number of the scene, which its ids carry.
    scene: u32,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        /// Goes round after 2^32 scenes, when ids of the first are hardly still in use.
        static SCENES: AtomicU32 = AtomicU32::new(0);
        Self { slots: Vec::new(), free: Vec::new(), scene: SCENES.fetch_add(1, Ordering::Relaxed) }
    }
}

impl<T> Slots<T> {
    pub(super) fn insert(&mut self, value: T) -> BodyId {
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push((0, None));
        }
        let (generation, room) = &mut self.slots[slot as usize];
        *room = Some(value);
        BodyId { slot, generation: *generation, scene: self.scene }
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Result<T, SceneError> {
        self.get(id)?;
        let (generation, room) = &mut self.slots[id.index()];
        // A slot whose generations are used up stays empty for good.
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(id.slot);
        }
        room.take().ok_or(SceneError::UnknownBody { body: id })
    }

    pub(super) fn get(&self, id: BodyId) -> Result<&T, SceneError> {
        let slot = self.slots.get(id.index()).filter(|(generation, _)| self.is_id(id, *generation));
        slot.and_then(|(_, value)| value.as_ref()).ok_or(SceneError::UnknownBody { body: id })
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Result<&mut T, SceneError> {
        self.get(id)?;
        self.slots[id.index()].1.as_mut().ok_or(SceneError::UnknownBody { body: id })
    }

    fn is_id(&self, id: BodyId, generation: u32) -> bool {
        (id.generation, id.scene) == (generation, self.scene)
    }

    /// What is in a slot that is known to be taken: the jobs of a frame name no body that has gone.
    pub(super) fn in_slot(&self, slot: u32) -> &T {
        match &self.slots[slot as usize] {
            (_, Some(value)) => value,
            (_, None) => unreachable!("slot {slot} is empty"),
        }
    }

    /// The id of whatever is in a slot.
    pub(super) fn id_in(&self, slot: u32) -> Option<BodyId> {
        let (generation, value) = self.slots.get(slot as usize)?;
        value.as_ref().map(|_| BodyId { slot, generation: *generation, scene: self.scene })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (BodyId, &T)> {
        let scene = self.scene;
        (0..).zip(&self.slots).filter_map(move |(slot, (generation, value))| {
            Some((BodyId { slot, generation: *generation, scene }, value.as_ref()?))
        })
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut T)> {
        let scene = self.scene;
        (0..).zip(&mut self.slots).filter_map(move |(slot, (generation, value))| {
            Some((BodyId { slot, generation: *generation, scene }, value.as_mut()?))
        })
    }
}
