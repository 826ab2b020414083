//! Numbered places for bodies that come and go.

use super::SceneError;

/// The name of a body in its scene. Places are used again after a body is removed; names are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl BodyId {
    /// The place of the body in its scene, counted from 0 in the order of adding while none is removed.
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

#[derive(Debug)]
pub(super) struct Slots<T> {
    places: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    pub(super) fn insert(&mut self, value: T) -> BodyId {
        if let Some(slot) = self.free.pop() {
            let (generation, place) = &mut self.places[slot as usize];
            *place = Some(value);
            return BodyId { slot, generation: *generation };
        }
        self.places.push((0, Some(value)));
        BodyId { slot: self.places.len() as u32 - 1, generation: 0 }
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Result<T, SceneError> {
        let unknown = SceneError::UnknownBody { body: id };
        match self.places.get_mut(id.index()) {
            Some((generation, place)) if *generation == id.generation => {
                let value = place.take().ok_or(unknown)?;
                // A place whose names are used up stays empty for good.
                if let Some(next) = generation.checked_add(1) {
                    *generation = next;
                    self.free.push(id.slot);
                }
                Ok(value)
            }
            _ => Err(unknown),
        }
    }

    pub(super) fn get(&self, id: BodyId) -> Result<&T, SceneError> {
        let place = self.places.get(id.index()).filter(|(generation, _)| *generation == id.generation);
        place.and_then(|(_, value)| value.as_ref()).ok_or(SceneError::UnknownBody { body: id })
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Result<&mut T, SceneError> {
        let place = self.places.get_mut(id.index()).filter(|(generation, _)| *generation == id.generation);
        place.and_then(|(_, value)| value.as_mut()).ok_or(SceneError::UnknownBody { body: id })
    }

    /// What is in a place that is known to be taken: the questions of a frame name no body that has gone.
    pub(super) fn in_slot(&self, slot: u32) -> &T {
        match &self.places[slot as usize] {
            (_, Some(value)) => value,
            (_, None) => unreachable!("place {slot} is empty"),
        }
    }

    /// The name of whatever is in a place.
    pub(super) fn id_in(&self, slot: u32) -> Option<BodyId> {
        let (generation, value) = self.places.get(slot as usize)?;
        value.as_ref().map(|_| BodyId { slot, generation: *generation })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (BodyId, &T)> {
        (0..)
            .zip(&self.places)
            .filter_map(|(slot, (generation, value))| Some((BodyId { slot, generation: *generation }, value.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut T)> {
        (0..)
            .zip(&mut self.places)
            .filter_map(|(slot, (generation, value))| Some((BodyId { slot, generation: *generation }, value.as_mut()?)))
    }
}
