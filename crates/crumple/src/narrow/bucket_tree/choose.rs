//! How many levels suit the primitives as they lie now.
//!
//! Paper: Ganovelli et al. 2000 fixes the levels by hand, finds four a good number and names its weakness in section 4:
//! with one primitive far away all others share a bucket. Here: a sample of the primitives is filed in the deepest
//! octree. Two of them that share a bucket there share its ancestors too, so one sorted list of bucket numbers tells,
//! for every level, how many others a primitive finds in its bucket on average. The fewest levels that bring this down
//! to a few are taken; levels that hardly help — the primitives coincide, or all but a few lie in one corner — are not,
//! and the crowded bucket is left to be split (see `occupancy`).
//!
//! Which levels are taken depends on this frame alone, so a repeated sequence repeats its memory.
//! Cost: O(1), the sample being of fixed size.

use super::options::{LEAST_LEVELS, MOST_LEVELS};
use super::slabs::Slabs;
use crate::geom::Aabb;

/// Enough to tell apart levels, between which the figure changes by a factor of four on a surface.
const SAMPLE: usize = 512;

/// How many others share a primitive's bucket on average, at most. Not delicate: since what is left is split, three to
/// six levels differ by a fifth in box tests on the bumpy spheres; too few cost splits, too many cost memory.
const MATES: f64 = 8.0;

/// Levels that do not bring the mates down to this part are not worth their memory.
const WORTH_IT: f64 = 1.5;

/// Chooses between 1 and 6 levels; `numbers` is working memory.
pub(super) fn levels(bounds: &Aabb, references: &[[f32; 3]], live: &[u32], numbers: &mut Vec<u32>) -> u32 {
    if live.len() < 2 {
        return LEAST_LEVELS;
    }
    let slabs = Slabs::new(bounds, MOST_LEVELS);
    let stride = live.len().div_ceil(SAMPLE);
    numbers.clear();
    numbers.extend(live.iter().step_by(stride).map(|&slot| slabs.bucket_of(references[slot as usize])));
    numbers.sort_unstable();
    let mates = |levels: u32| {
        let ancestor = |number: u32| number >> (3 * (MOST_LEVELS - levels));
        let runs = numbers.chunk_by(|&a, &b| ancestor(a) == ancestor(b));
        let pairs: usize = runs.map(|run| run.len() * (run.len() - 1)).sum();
        // Of a sample of s out of n, only every (n − 1) / (s − 1)-th mate is seen.
        let unseen = (live.len() - 1) as f64 / (numbers.len() - 1).max(1) as f64;
        pairs as f64 / numbers.len() as f64 * unseen
    };
    let enough = MATES.max(WORTH_IT * mates(MOST_LEVELS));
    (LEAST_LEVELS..MOST_LEVELS).find(|&levels| mates(levels) <= enough).unwrap_or(MOST_LEVELS)
}
