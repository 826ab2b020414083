//! Which vertices lie at the same place: the topology of files that repeat a vertex for every triangle or seam.
//!
//! Positions are compared by their bits, with -0 taken as +0. A table with open addressing gives each place a number in
//! the order they first appear; its hash is seeded at random, so that no file can be made to collide on purpose, and
//! the answer does not depend on it.
//!
//! What costs is memory that is not in the cache, so places are looked up in batches: first in a small table of recent
//! places, which finds most of them since neighbouring triangles follow one another in a file, then the slots of the
//! rest are read one right after another, so that their misses overlap. Binary STL: 260 MB/s without either, see
//! `examples/read_speed.rs`.
//! Cost: linear time, at most 50 bytes per vertex.

use std::hash::{BuildHasher, RandomState};

/// For each vertex the first vertex at the same position: itself, unless an earlier one lies there.
///
/// Use it for topology only (`triangles.map(|v| weld[v])`); positions keep their numbers.
///
/// ```
/// let positions = [[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [-0.0, 1.0, 2.0]];
/// assert_eq!(crumple_io::weld(&positions), [0, 1, 0]);
/// ```
pub fn weld(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut places = Places::for_about(positions.len());
    let mut weld = Vec::with_capacity(positions.len());
    places.numbers(positions, &mut weld);
    let mut first = Vec::with_capacity(places.positions.len());
    for (vertex, place) in (0..).zip(&mut weld) {
        if *place as usize == first.len() {
            first.push(vertex);
        }
        *place = first[*place as usize];
    }
    weld
}

/// The places seen so far, numbered in the order they came.
#[derive(Debug)]
pub(crate) struct Places {
    /// Where they are, each as it first came.
    pub(crate) positions: Vec<[f32; 3]>,
    /// Their numbers by hash, each below the upper half of its hash, so that another place met on the way is recognised
    /// without comparing positions. [`FREE`] lies between them; the length is a power of two.
    slots: Vec<u64>,
    /// The last place, stored likewise, of each of the [`RECENT`] hashes.
    recent: Vec<u64>,
    seed: u64,
}

const FREE: u64 = u64::MAX;

/// How many places are looked up together.
const BATCH: usize = 256;

/// Small enough for the second-level cache, large enough for a few rows of a mesh of millions.
const RECENT: usize = 1 << 14;

impl Places {
    pub(crate) fn for_about(places: usize) -> Self {
        Places {
            positions: Vec::new(),
            slots: vec![FREE; (places * 3 / 2).next_power_of_two().max(16)],
            recent: vec![FREE; RECENT.min(places.next_power_of_two().max(16))],
            seed: RandomState::new().hash_one(0),
        }
    }

    /// Appends the number of each position's place to `numbers`; new places get the next ones.
    pub(crate) fn numbers(&mut self, positions: &[[f32; 3]], numbers: &mut Vec<u32>) {
        let mut unknown = [(0, 0); BATCH];
        for batch in positions.chunks(BATCH) {
            let first = numbers.len();
            let unknown = self.recent_numbers(batch, numbers, &mut unknown);
            let mask = self.slots.len() - 1;
            let slots = unknown.iter().map(|&(_, hash)| self.slots[hash as usize & mask]);
            // The compiler must not see that nobody wants these.
            std::hint::black_box(slots.fold(0, |all, slot| all ^ slot));
            for &(k, hash) in unknown {
                numbers[first + k] = self.find_or_insert(batch[k], hash);
            }
        }
    }

    /// Appends the numbers of those of a batch that came recently; gives the others, with their hashes.
    #[inline]
    fn recent_numbers<'a>(
        &self,
        batch: &[[f32; 3]],
        numbers: &mut Vec<u32>,
        unknown: &'a mut [(usize, u64); BATCH],
    ) -> &'a [(usize, u64)] {
        let mut len = 0;
        for (k, &position) in batch.iter().enumerate() {
            let hash = self.hash(position);
            let recent = self.recent[self.recent_slot(hash)];
            numbers.push(recent as u32);
            let known = self.is_at(recent, position, hash);
            // Written in any case, since a branch here would be mispredicted for every new place.
            unknown[len] = (k, hash);
            len += usize::from(!known);
        }
        &unknown[..len]
    }

    #[inline]
    fn find_or_insert(&mut self, position: [f32; 3], hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        let recent = self.recent_slot(hash);
        while self.slots[slot] != FREE {
            let found = self.slots[slot];
            if self.is_at(found, position, hash) {
                self.recent[recent] = found;
                return found as u32;
            }
            slot = (slot + 1) & mask;
        }
        let number = self.positions.len() as u32;
        self.slots[slot] = stored(number, hash);
        self.recent[recent] = stored(number, hash);
        self.positions.push(position);
        if self.positions.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        number
    }

    /// Whether what is stored is the place at this position.
    #[inline]
    fn is_at(&self, found: u64, position: [f32; 3], hash: u64) -> bool {
        (found ^ hash) >> 32 == 0
            && self.positions.get(found as u32 as usize).is_some_and(|&place| bits(place) == bits(position))
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, FREE);
        for (number, &position) in (0..).zip(&self.positions) {
            let hash = self.hash(position);
            let mut slot = hash as usize & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = stored(number, hash);
        }
    }

    /// By the upper bits, since the lower ones choose the slot.
    #[inline]
    fn recent_slot(&self, hash: u64) -> usize {
        (hash >> 40) as usize & (self.recent.len() - 1)
    }

    #[inline]
    fn hash(&self, position: [f32; 3]) -> u64 {
        // Two rounds of multiply and fold; the odd constants are the fractions of the golden ratio and of pi.
        let [x, y, z] = bits(position).map(u64::from);
        let first = ((x | y << 32) ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let second = (first ^ (first >> 32)).wrapping_add(z);
        let second = second.wrapping_mul(0x243f_6a88_85a3_08d3);
        second ^ (second >> 32)
    }
}

#[inline]
fn stored(number: u32, hash: u64) -> u64 {
    hash >> 32 << 32 | u64::from(number)
}

#[inline]
fn bits(position: [f32; 3]) -> [u32; 3] {
    // Adding +0 turns -0 into +0 and changes nothing else.
    position.map(|x| (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_first_vertex_at_a_place_stands_for_all_others_there() {
        let mut seed = 7_u32;
        let mut coordinate = |values: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            ((seed >> 16) % values) as f32 - 3.0
        };
        // Few places many times, and many places few times.
        for values in [8, 40] {
            let positions: Vec<[f32; 3]> = (0..100_000)
                .map(|_| [coordinate(values), coordinate(values), coordinate(values) * -0.0])
                .chain((0..100_000).map(|k| [k as f32, (k % 7) as f32, 0.5]))
                .collect();
            let mut first = HashMap::new();
            let want: Vec<u32> = positions
                .iter()
                .zip(0..)
                .map(|(p, v)| *first.entry(p.map(|x| (x * 8.0) as i32)).or_insert(v))
                .collect();
            assert_eq!(weld(&positions), want);
        }
    }

    #[test]
    fn a_table_that_must_grow_forgets_nothing() {
        let mut places = Places::for_about(0);
        let positions: Vec<[f32; 3]> = (0..100_000).map(|k| [k as f32, 0.0, 0.0]).collect();
        let want: Vec<u32> = (0..100_000).collect();
        for _ in 0..2 {
            let mut numbers = Vec::new();
            places.numbers(&positions, &mut numbers);
            assert_eq!(numbers, want);
        }
    }
}
