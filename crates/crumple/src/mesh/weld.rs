//! Which vertices have the same position: the topology of files that repeat a vertex for every triangle or seam.
//!
//! Positions are compared by their bits, with -0 taken as +0. A table with open addressing numbers the distinct positions in
//! the order in which they first appear; its hash is seeded at random, so that no file can be made to collide on purpose, and
//! the answer does not depend on it.
//!
//! What costs is memory that is not in the cache, so positions are looked up in batches: first in a small table of recent
//! ones, which finds most of them since neighbouring triangles follow one another in a file, then the slots of the
//! rest are read one right after another, so that their misses overlap. Binary STL was read at 260 MB/s without either, see
//! the example `read_speed` of `crumple-bench`.
//! Cost: linear time, at most 50 bytes per vertex.

use std::hash::{BuildHasher, RandomState};

use crate::geom::Coordinate;

/// For each vertex the first vertex at the same position: itself, unless an earlier one lies there.
pub(super) fn by_position<C: Coordinate>(positions: &[[C; 3]]) -> Vec<u32> {
    let mut distinct = DistinctPositions::with_capacity(positions.len());
    let mut first_there = Vec::with_capacity(positions.len());
    distinct.number(positions, &mut first_there);
    let mut first_vertex = Vec::with_capacity(distinct.positions.len());
    for (vertex, number) in (0..).zip(&mut first_there) {
        if *number as usize == first_vertex.len() {
            first_vertex.push(vertex);
        }
        *number = first_vertex[*number as usize];
    }
    first_there
}

/// Numbers positions so that equal ones get the same number: makes a connected mesh of triangles that repeat their vertices.
///
/// Numbers are given in the order in which positions first appear; -0 and +0 are the same coordinate.
///
/// ```
/// use crumple::mesh::DistinctPositions;
///
/// let mut distinct = DistinctPositions::with_capacity(3);
/// let mut vertices = Vec::new();
/// distinct.number(&[[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [-0.0, 1.0, 2.0]], &mut vertices);
/// assert_eq!(vertices, [0, 1, 0]);
/// assert_eq!(distinct.into_positions(), [[0.0, 1.0, 2.0], [1.0, 1.0, 2.0]]);
/// ```
#[derive(Clone, Debug)]
pub struct DistinctPositions<C = f32> {
    /// By number, each as it first appeared.
    positions: Vec<[C; 3]>,
    /// Numbers by hash, each below the upper half of its hash, so that another position met while probing is recognised
    /// without comparing positions. [`FREE`] lies between them; the length is a power of two.
    slots: Vec<u64>,
    /// The last number, stored likewise, of each of the [`RECENT`] hashes.
    recent: Vec<u64>,
    seed: u64,
}

const FREE: u64 = u64::MAX;

/// How many positions are looked up together.
const BATCH: usize = 256;

/// Small enough for the second-level cache, large enough for a few rows of a mesh of millions.
const RECENT: usize = 1 << 14;

impl<C: Coordinate> DistinctPositions<C> {
    /// No positions yet, with room for about `capacity` distinct ones.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            positions: Vec::new(),
            slots: vec![FREE; (capacity * 3 / 2).next_power_of_two().max(16)],
            recent: vec![FREE; RECENT.min(capacity.next_power_of_two().max(16))],
            seed: RandomState::new().hash_one(0),
        }
    }

    /// How many distinct positions there are so far.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The distinct positions, by number.
    pub fn into_positions(self) -> Vec<[C; 3]> {
        self.positions
    }

    /// Appends the number of each position to `numbers`; positions that are new get the next ones.
    pub fn number(&mut self, positions: &[[C; 3]], numbers: &mut Vec<u32>) {
        let mut unknown = [(0, 0); BATCH];
        for batch in positions.chunks(BATCH) {
            let first = numbers.len();
            let unknown = self.recent_numbers(batch, numbers, &mut unknown);
            let mask = self.slots.len() - 1;
            let slots = unknown.iter().map(|&(_, hash)| self.slots[hash as usize & mask]);
            // Keeps the compiler from dropping the reads, whose values are not used.
            std::hint::black_box(slots.fold(0, |all, slot| all ^ slot));
            for &(k, hash) in unknown {
                numbers[first + k] = self.find_or_insert(batch[k], hash);
            }
        }
    }

    /// Appends the numbers of those of a batch that appeared recently; returns the others, with their hashes.
    #[inline]
    fn recent_numbers<'a>(
        &self,
        batch: &[[C; 3]],
        numbers: &mut Vec<u32>,
        unknown: &'a mut [(usize, u64); BATCH],
    ) -> &'a [(usize, u64)] {
        let mut len = 0;
        for (k, &position) in batch.iter().enumerate() {
            let hash = self.hash(position);
            let recent = self.recent[self.recent_slot(hash)];
            numbers.push(recent as u32);
            let known = self.is_at(recent, position, hash);
            // Written in any case, since a branch here would be mispredicted for every new position.
            unknown[len] = (k, hash);
            len += usize::from(!known);
        }
        &unknown[..len]
    }

    #[inline]
    fn find_or_insert(&mut self, position: [C; 3], hash: u64) -> u32 {
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

    /// Whether a stored number is that of this position.
    #[inline]
    fn is_at(&self, found: u64, position: [C; 3], hash: u64) -> bool {
        (found ^ hash) >> 32 == 0
            && self.positions.get(found as u32 as usize).is_some_and(|&other| C::is_same(other, position))
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
    fn hash(&self, position: [C; 3]) -> u64 {
        // Two rounds of multiply and fold; the odd constants are the fractions of the golden ratio and of pi.
        let [first, second] = C::words(position, self.seed);
        let first = first.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let second = (first ^ (first >> 32)).wrapping_add(second);
        let second = second.wrapping_mul(0x243f_6a88_85a3_08d3);
        second ^ (second >> 32)
    }
}

#[inline]
fn stored(number: u32, hash: u64) -> u64 {
    hash >> 32 << 32 | u64::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_first_vertex_at_a_position_represents_all_others_there() {
        let mut random = crumple_scenes::Random::new(7);
        let mut coordinate = |values: u64| random.below(values) as f32 - 3.0;
        // Few positions many times, and many positions few times.
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
            assert_eq!(by_position(&positions), want);
        }
    }

    #[test]
    fn a_table_that_must_grow_forgets_nothing() {
        let mut distinct = DistinctPositions::with_capacity(0);
        let positions: Vec<[f32; 3]> = (0..100_000).map(|k| [k as f32, 0.0, 0.0]).collect();
        let want: Vec<u32> = (0..100_000).collect();
        for _ in 0..2 {
            let mut numbers = Vec::new();
            distinct.number(&positions, &mut numbers);
            assert_eq!(numbers, want);
        }
    }
}
