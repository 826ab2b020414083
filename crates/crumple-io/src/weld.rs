//! Which vertices lie at the same place: the topology of files that repeat a vertex for every triangle or seam.
//!
//! Positions are compared by their bits, with -0 taken as +0. A table with open addressing; its hash is seeded at
//! random, so that no file can be made to collide on purpose, and the answer does not depend on it.
//! Cost: linear time, at most 16 bytes a vertex.

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
    positions.iter().zip(0..).map(|(&position, vertex)| places.find_or_insert(position, positions, vertex)).collect()
}

/// The places seen so far, each under the number it was given.
#[derive(Debug)]
pub(crate) struct Places {
    /// Numbers, with [`FREE`] between them; the length is a power of two.
    slots: Vec<u32>,
    used: usize,
    seed: u64,
}

const FREE: u32 = u32::MAX;

impl Places {
    pub(crate) fn for_about(places: usize) -> Self {
        Places {
            slots: vec![FREE; (places * 2).next_power_of_two().max(16)],
            used: 0,
            seed: RandomState::new().hash_one(0),
        }
    }

    /// The number of the place at `position`; if there is none yet, it gets `number`. `positions` holds the places
    /// seen so far under their numbers.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, position: [f32; 3], positions: &[[f32; 3]], number: u32) -> u32 {
        let key = bits(position);
        let mask = self.slots.len() - 1;
        let mut slot = hash(key, self.seed) as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == FREE {
                self.slots[slot] = number;
                self.used += 1;
                if self.used * 2 > self.slots.len() {
                    self.grow(position, positions, number);
                }
                return number;
            }
            if bits(positions[found as usize]) == key {
                return found;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Doubles the table; `number` at `position` is in it but perhaps not yet in `positions`.
    #[cold]
    fn grow(&mut self, position: [f32; 3], positions: &[[f32; 3]], number: u32) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![FREE; old.len() * 2];
        let mask = self.slots.len() - 1;
        for found in old.into_iter().filter(|&found| found != FREE) {
            let place = if found == number { position } else { positions[found as usize] };
            let mut slot = hash(bits(place), self.seed) as usize & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = found;
        }
    }
}

#[inline]
fn bits(position: [f32; 3]) -> [u32; 3] {
    // Adding +0 turns -0 into +0 and changes nothing else.
    position.map(|x| (x + 0.0).to_bits())
}

#[inline]
fn hash([x, y, z]: [u32; 3], seed: u64) -> u64 {
    // Two rounds of multiply and fold; the odd constants are the fractions of the golden ratio and of pi.
    let first = (u64::from(x) | u64::from(y) << 32) ^ seed;
    let first = first.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let second = (first ^ (first >> 32)).wrapping_add(u64::from(z)).wrapping_mul(0x243f_6a88_85a3_08d3);
    second ^ (second >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_first_vertex_at_a_place_stands_for_all_others_there() {
        let mut seed = 7_u32;
        let mut coordinate = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 29) as f32 - 3.0
        };
        let positions: Vec<[f32; 3]> = (0..5000).map(|_| [coordinate(), coordinate(), coordinate() * -0.0]).collect();
        let mut first = HashMap::new();
        let want: Vec<u32> =
            positions.iter().zip(0..).map(|(p, v)| *first.entry(p.map(|x| (x * 8.0) as i32)).or_insert(v)).collect();
        assert_eq!(weld(&positions), want);
    }

    #[test]
    fn a_table_that_must_grow_forgets_nothing() {
        let mut places = Places::for_about(0);
        let mut positions = Vec::new();
        for round in 0..2 {
            for k in 0..1000_u32 {
                let position = [k as f32, 0.0, 0.0];
                assert_eq!(places.find_or_insert(position, &positions, positions.len() as u32), k);
                if round == 0 {
                    positions.push(position);
                }
            }
        }
    }
}
