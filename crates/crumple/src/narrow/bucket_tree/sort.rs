//! Algorithm 2: buckets from three sorted arrays that last from frame to frame.
//!
//! Paper: Ganovelli et al. 2000, section 3.1, equations 2 and 3 and the procedure `UpdateBucketPointers`. The arrays X, Y
//! and Z hold all primitives in the order of one coordinate, kept so by insertion sort; pointers to the first primitive
//! of each slab slide from where they were.
//!
//! ```text
//! slab         0       1   2       3            start of slab 2 ────┐
//! pointer      0       3   5       5   (8)      slab 2 is empty: its pointer equals the next one
//! X            • • •   • •         • • •
//! ```
//!
//! Slips in the printed procedure, all put right here:
//! - the loop runs to 2^l, one slab too many;
//! - `threshold` is `i * bucket_size` without the lower corner of the box, which equation 1 subtracts;
//! - going backwards it stops *on the last primitive before* the slab (or at −1), not on the first one in it;
//! - going forwards it is bounded by `2^l − 1`, the number of slabs, where the number of primitives is meant;
//! - a primitive exactly at the threshold belongs to the slab by equation 1, but the forward loop steps over it, the
//!   first primitive of all included;
//! - both loops step before they test, so a pointer that was right is moved away every frame;
//! - if the last slabs are empty, `X[pos]` is read past its end in the next frame.
//!
//! Settled: equation 3 says that the slab after b is b + 1, which is wrong where slab b + 1 is empty, so "the first
//! primitive with n_x = k" may not exist. A pointer here is the first primitive *at or above the start* of its slab,
//! which always exists, one past the end included. And how three slabs give a bucket, which the paper leaves open: each
//! array is walked once, slab by slab, noting each primitive's slab number; the three together name its bucket.
//!
//! Departs: where insertion sort would take long (the first frame, many primitives inserted, no coherence left) an
//! ordinary sort takes over, so that the worst case is O(n log n) and not O(n²).
//!
//! Cost: O(n + inversions) per frame. Held by: `tests/agreement/bucket_tree.rs` (both algorithms make the same buckets), BE1.

use super::slabs::{MOST_SLABS, Slabs, interleaved};

/// Marks a slot that holds no primitive.
pub(super) const NO_BUCKET: u32 = u32::MAX;

/// So many moves a primitive cost about as much as sorting from nothing.
const MOVES_WORTH_A_SORT: u64 = 32;

/// A primitive in the array of one axis.
#[derive(Clone, Copy, Debug)]
struct Entry {
    coordinate: f32,
    slot: u32,
}

/// The arrays X, Y and Z with the pointers into each.
#[derive(Clone, Debug)]
pub(super) struct SortedAxes {
    axes: [Vec<Entry>; 3],
    /// The first entry at or above the start of each slab.
    first: [[u32; MOST_SLABS]; 3],
    /// Which slots are in the arrays.
    listed: Vec<bool>,
    pub(super) work: SortWork,
}

/// What keeping the arrays sorted took in one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SortWork {
    pub(super) moves: u64,
    pub(super) full_sorts: u32,
    pub(super) pointer_steps: u64,
}

impl Default for SortedAxes {
    fn default() -> Self {
        Self { axes: Default::default(), first: [[0; MOST_SLABS]; 3], listed: Vec::new(), work: SortWork::default() }
    }
}

impl SortedAxes {
    /// Gives every live slot its bucket. `buckets` says by [`NO_BUCKET`] which slots are not live.
    pub(super) fn file(&mut self, slabs: &Slabs, references: &[[f32; 3]], live: &[u32], buckets: &mut [u32]) {
        self.work = SortWork::default();
        let arrived = self.take_in(references, live, buckets);
        for &slot in live {
            buckets[slot as usize] = 0;
        }
        for axis in 0..3 {
            self.sort(axis, arrived);
            self.slide_pointers(axis, slabs);
            let (entries, first) = (&self.axes[axis], &self.first[axis][..slabs.count()]);
            for slab in 0..first.len() {
                let end = first.get(slab + 1).map_or(entries.len(), |&next| next as usize);
                let bits = interleaved(axis, slab);
                for entry in &entries[first[slab] as usize..end] {
                    buckets[entry.slot as usize] |= bits;
                }
            }
        }
    }

    /// Drops what is gone, appends what is new and reads the coordinates of this frame; returns how many are new.
    fn take_in(&mut self, references: &[[f32; 3]], live: &[u32], buckets: &[u32]) -> usize {
        self.listed.resize(references.len().max(self.listed.len()), false);
        let Self { axes, listed, .. } = self;
        for (axis, entries) in axes.iter_mut().enumerate() {
            entries.retain_mut(|entry| {
                let slot = entry.slot as usize;
                let stays = buckets.get(slot).is_some_and(|&bucket| bucket != NO_BUCKET);
                if stays {
                    entry.coordinate = references[slot][axis];
                } else {
                    listed[slot] = false;
                }
                stays
            });
        }
        let arrived = live.len() - axes[0].len();
        if arrived > 0 {
            for &slot in live.iter().filter(|&&slot| !std::mem::replace(&mut listed[slot as usize], true)) {
                for (axis, entries) in axes.iter_mut().enumerate() {
                    entries.push(Entry { coordinate: references[slot as usize][axis], slot });
                }
            }
        }
        arrived
    }

    fn sort(&mut self, axis: usize, arrived: usize) {
        let entries = &mut self.axes[axis];
        // Each arrival moves through half of the array on average.
        let budget = MOVES_WORTH_A_SORT * entries.len() as u64;
        let mut moves = arrived as u64 * entries.len() as u64 / 2;
        if moves <= budget {
            moves = 0;
            for i in 1..entries.len() {
                let entry = entries[i];
                let mut at = i;
                while at > 0 && entries[at - 1].coordinate > entry.coordinate {
                    entries[at] = entries[at - 1];
                    at -= 1;
                }
                entries[at] = entry;
                moves += (i - at) as u64;
                if moves > budget {
                    break;
                }
            }
            self.work.moves += moves;
        }
        if moves > budget {
            entries.sort_unstable_by(|a, b| a.coordinate.total_cmp(&b.coordinate).then(a.slot.cmp(&b.slot)));
            self.work.full_sorts += 1;
        }
    }

    fn slide_pointers(&mut self, axis: usize, slabs: &Slabs) {
        let entries = &self.axes[axis];
        for slab in 0..slabs.count() {
            let start = slabs.start(axis, slab);
            let mut at = (self.first[axis][slab] as usize).min(entries.len());
            let before = at;
            while at > 0 && entries[at - 1].coordinate >= start {
                at -= 1;
            }
            while at < entries.len() && entries[at].coordinate < start {
                at += 1;
            }
            self.first[axis][slab] = at as u32;
            self.work.pointer_steps += at.abs_diff(before) as u64;
        }
    }
}
