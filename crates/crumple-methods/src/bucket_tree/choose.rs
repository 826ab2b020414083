//! How many levels suit the primitives as they lie now.
//!
//! Paper: Ganovelli et al. 2000 fixes the levels by hand, finds four a good number and names its weakness in section 4:
//! with one primitive far away all others share a bucket. Here: a sample of the primitives is filed in the deepest
//! octree. Two of them that share a bucket there share its ancestors too, so one sorted list of bucket numbers tells,
//! for every level, how many others a primitive finds in its bucket on average. The fewest levels that bring this down
//! to a few are taken; levels that hardly help — the primitives coincide, or all but a few lie in one corner — are not,
//! and the crowded bucket is left to be split (see `view`).
//!
//! Which levels are taken depends on this frame alone, so a repeated sequence repeats its memory.
//! Cost: O(1), the sample being of fixed size.

use glam::Vec4;

use super::options::{LEAST_LEVELS, MOST_LEVELS};
use super::slabs::Equation;
use crumple::Aabb;

/// Enough to tell apart levels, between which the figure changes by a factor of four on a surface.
const SAMPLE: usize = 512;

/// How many others share a primitive's bucket on average, at most. Not delicate, since a query splits what is left: four
/// levels for the bumpy spheres of LE1 take half the time of five in updates, and four fifths of it in queries.
const MATES: f64 = 32.0;

/// Levels that do not bring the mates down to this part are not worth their memory.
const WORTH_IT: f64 = 1.5;

/// Chooses between 1 and 6 levels for an octree over `root` with so many slots; `reference` gives the reference point of
/// the primitive in a slot, if there is one, and `numbers` is working memory.
pub(super) fn levels(
    root: &Aabb,
    slots: usize,
    reference: impl FnMut(usize) -> Option<Vec4>,
    numbers: &mut Vec<u32>,
) -> u32 {
    let equation = Equation::new(root, MOST_LEVELS);
    let stride = slots.div_ceil(SAMPLE).max(1);
    numbers.clear();
    numbers.extend((0..slots).step_by(stride).filter_map(reference).map(|point| equation.bucket_of(point)));
    if numbers.len() < 2 {
        return LEAST_LEVELS;
    }
    numbers.sort_unstable();
    let mates = |levels: u32| {
        let ancestor = |number: u32| number >> (3 * (MOST_LEVELS - levels));
        let runs = numbers.chunk_by(|&a, &b| ancestor(a) == ancestor(b));
        let pairs: usize = runs.map(|run| run.len() * (run.len() - 1)).sum();
        // Of a sample of s out of about s · stride, only every (s · stride − 1) / (s − 1)-th mate is seen.
        let unseen = (numbers.len() * stride - 1) as f64 / (numbers.len() - 1) as f64;
        pairs as f64 / numbers.len() as f64 * unseen
    };
    let enough = MATES.max(WORTH_IT * mates(MOST_LEVELS));
    (LEAST_LEVELS..MOST_LEVELS).find(|&levels| mates(levels) <= enough).unwrap_or(MOST_LEVELS)
}
