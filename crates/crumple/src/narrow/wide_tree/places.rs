//! Gives places to few of many things: one after another, and so that forgetting them touches no others.

/// Things by their numbers, and their places by the order in which they were asked for.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// For each thing its place plus one; 0 if it has none.
    place: Vec<u32>,
    /// The things that have a place.
    taken: Vec<u32>,
}

impl Places {
    /// Takes all places away, for so many things.
    pub(super) fn clear(&mut self, things: usize) {
        for thing in self.taken.drain(..) {
            self.place[thing as usize] = 0;
        }
        if self.place.len() < things {
            self.place.resize(things, 0);
        }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    /// The place of a thing, and whether it is new.
    #[inline(always)]
    pub(super) fn of(&mut self, thing: u32) -> (u32, bool) {
        let place = &mut self.place[thing as usize];
        if *place != 0 {
            return (*place - 1, false);
        }
        self.taken.push(thing);
        *place = self.taken.len() as u32;
        (*place - 1, true)
    }

    /// The thing at a place.
    #[inline(always)]
    pub(super) fn thing(&self, place: u32) -> u32 {
        self.taken[place as usize]
    }
}
