//! The smaller bank of each curve on an open surface.
//!
//! From every curve both banks grow at the same time, always the one that has less area so far, until one of them comes to its end, or they
//! meet, and the curve parts nothing. So the larger bank, which is most of the surface, is followed about as far as the smaller one
//! reaches.

use super::marks::Marks;
use super::surface::{Bank, Surface, double_area};
use crate::body::Body;
use crate::work::spend;

/// Steps before the areas are compared again.
const STRIDE: usize = 64;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    /// The ends of edges at curves, by curve and bank; sorted.
    seeds: Vec<(u32, Bank, u32)>,
    /// Parts at a curve that have been followed from others, and on which bank.
    known: Vec<(u32, Bank)>,
    /// Per end of a half-edge the bank that has reached it.
    reached: Marks<Bank>,
    counted: Marks<Bank>,
    stacks: [Vec<u32>; 2],
}

impl Surface {
    /// Finds the smaller bank of every curve and follows its parts.
    pub(super) fn find_smaller(&mut self, body: &Body) {
        let mut growth = std::mem::take(&mut self.growth);
        let mut seeds = std::mem::take(&mut growth.seeds);
        seeds.clear();
        seeds.extend(self.ends().map(|(node, bank, curve)| (curve, bank, node)));
        seeds.sort_unstable();
        for of_curve in seeds.chunk_by(|one, other| one.0 == other.0) {
            let curve = of_curve[0].0;
            match self.grow(body, of_curve, &mut growth) {
                Some(bank) => {
                    self.set_inside(curve, bank);
                    for &(_, _, node) in of_curve.iter().filter(|seed| seed.1 == bank) {
                        self.part_from(body, node);
                    }
                }
                None => self.set_joined(curve),
            }
        }
        growth.seeds = seeds;
        self.growth = growth;
    }

    /// The smaller bank of a curve; `None` if its banks are joined.
    fn grow(&self, body: &Body, seeds: &[(u32, Bank, u32)], growth: &mut Growth) -> Option<Bank> {
        let Growth { known, reached, counted, stacks, .. } = growth;
        let mesh = body.mesh();
        reached.start(6 * mesh.triangles().len());
        counted.start(mesh.triangles().len());
        stacks.iter_mut().for_each(Vec::clear);
        let mut areas = [0.0; 2];
        known.clear();
        for &(_, bank, node) in seeds {
            match self.part(node) {
                Some(part) => known.push((part, bank)),
                None if reached.get(node).is_none() => {
                    reached.set(node, bank);
                    stacks[bank as usize].push(node);
                }
                None => {}
            }
        }
        known.sort_unstable();
        known.dedup();
        if known.windows(2).any(|parts| parts[0].0 == parts[1].0) {
            return None;
        }
        known.iter().for_each(|&(part, bank)| areas[bank as usize] += self.part_area(part));
        loop {
            let bank = if areas[1] < areas[0] { Bank::Front } else { Bank::Behind };
            // What has come to its end and is no larger than the other so far is the smaller one.
            if stacks[bank as usize].is_empty() {
                return Some(bank);
            }
            for _ in 0..STRIDE {
                let Some(node) = stacks[bank as usize].pop() else { break };
                let triangle = node / 6;
                if counted.is_new(triangle, bank) {
                    areas[bank as usize] += double_area(body, triangle);
                }
                for next in self.next_to(mesh, node).into_iter().flatten() {
                    match reached.get(next) {
                        None => {
                            reached.set(next, bank);
                            stacks[bank as usize].push(next);
                        }
                        Some(other) if other != bank => return None,
                        Some(_) => {}
                    }
                }
            }
            spend(STRIDE);
        }
    }
}
