//! The bodies of a scene by their ids.

use std::sync::atomic::{AtomicU32, Ordering};

use super::SceneError;
use crate::geom::{BodyId, SlotKey, Slots};

/// Values by the ids of bodies; ids carry the number of their scene.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    slots: Slots<T>,
    scene: u32,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        /// Goes round after 2^32 scenes, when ids of the first are hardly still in use.
        static SCENES: AtomicU32 = AtomicU32::new(0);
        Self { slots: Slots::default(), scene: SCENES.fetch_add(1, Ordering::Relaxed) }
    }
}

impl<T> Table<T> {
    pub(super) fn insert(&mut self, value: T) -> BodyId {
        match self.slots.insert(value) {
            Ok(key) => id(key, self.scene),
            // A body takes more than a byte of each of the four billion that a slot's number can address.
            Err(_) => unreachable!("four billion bodies do not fit into memory"),
        }
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Result<T, SceneError> {
        let key = self.key(id)?;
        self.slots.remove(key).ok_or(SceneError::UnknownBody { body: id })
    }

    pub(super) fn get(&self, id: BodyId) -> Result<&T, SceneError> {
        self.slots.get(self.key(id)?).ok_or(SceneError::UnknownBody { body: id })
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Result<&mut T, SceneError> {
        let key = self.key(id)?;
        self.slots.get_mut(key).ok_or(SceneError::UnknownBody { body: id })
    }

    /// What is in a slot that is known to be taken: the jobs of a frame name no body that has gone.
    pub(super) fn in_slot(&self, slot: u32) -> &T {
        match self.slots.in_slot(slot) {
            Some((_, value)) => value,
            None => unreachable!("slot {slot} is empty"),
        }
    }

    /// The id of whatever is in a slot.
    pub(super) fn id_in(&self, slot: u32) -> Option<BodyId> {
        self.slots.in_slot(slot).map(|(key, _)| id(key, self.scene))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (BodyId, &T)> {
        self.slots.iter().map(|(key, value)| (id(key, self.scene), value))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut T)> {
        let scene = self.scene;
        self.slots.iter_mut().map(move |(key, value)| (id(key, scene), value))
    }

    fn key(&self, id: BodyId) -> Result<SlotKey, SceneError> {
        let BodyId { slot, generation, scene } = id;
        if scene == self.scene { Ok(SlotKey { slot, generation }) } else { Err(SceneError::UnknownBody { body: id }) }
    }
}

fn id(SlotKey { slot, generation }: SlotKey, scene: u32) -> BodyId {
    BodyId { slot, generation, scene }
}
