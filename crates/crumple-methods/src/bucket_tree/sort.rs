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
//! which always exists, one past the end included. And how three slabs give a bucket, which the paper leaves open: an
//! entry of an array carries the slab it was in; where a walk along the array finds another one, the primitive's bucket
//! number changes in the bits of that axis. Those primitives, and no others, are moved to other buckets.
//!
//! Departs: where insertion sort would take long (the first frame, many primitives inserted, no coherence left) sorting
//! by digits takes over, so that the worst case is O(n) too, and not O(n²).
//!
//! Cost: O(n + inversions) per frame. Held by: `tests/agreement/bucket_tree.rs` (both algorithms make the same buckets), BE1.

use std::cmp::Ordering;

use glam::Vec4;

use super::occupancy::NOTHING;
use super::slabs::{MOST_SLABS, Slabs, in_order, interleaved};

/// So many moves per primitive cost about as much as sorting by digits.
const MOVES_WORTH_A_SORT: u64 = 8;

/// A primitive in the array of one axis, and the slab it was found in.
#[derive(Clone, Copy, Debug)]
struct Entry {
    coordinate: f32,
    slot: u32,
    slab: u32,
}

/// The order that sorting by digits makes: of coordinates.
impl From<Entry> for [u32; 2] {
    fn from(entry: Entry) -> Self {
        [(in_order(entry.coordinate) - i64::from(i32::MIN)) as u32, 0]
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.coordinate.total_cmp(&other.coordinate)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// The arrays X, Y and Z with the pointers into each.
#[derive(Clone, Debug)]
pub(super) struct SortedAxes {
    axes: [Vec<Entry>; 3],
    /// The first entry at or above the start of each slab.
    first: [[u32; MOST_SLABS]; 3],
    work: SortWork,
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
        Self { axes: Default::default(), first: [[0; MOST_SLABS]; 3], work: SortWork::default() }
    }
}

/// Three arrays that tell which primitives have changed their slab.
pub(super) trait Axes: Default {
    /// Drops primitives that are not `listed` any more.
    fn drop_gone(&mut self, listed: impl Fn(u32) -> bool);

    /// Appends a primitive that is new: it counts as one that was in the last slab of each axis.
    fn append(&mut self, slot: u32);

    /// Forgets which slabs the primitives were in: all of them count as having been in the last of each axis.
    fn forget_slabs(&mut self);

    /// How many primitives there are.
    fn len(&self) -> usize;

    /// What the last update took.
    fn work(&self) -> SortWork;

    /// Brings the arrays up to date, the last `arrived` entries of which are new. Calls `changed` with each primitive whose
    /// slab along an axis has changed: the axis, the slot and the bits of the new slab in a bucket number. More than one
    /// call for a primitive and an axis is possible; the last one counts.
    fn update(&mut self, slabs: &Slabs, references: &[Vec4], arrived: usize, changed: impl FnMut(usize, u32, u32));
}

impl Axes for SortedAxes {
    fn drop_gone(&mut self, listed: impl Fn(u32) -> bool) {
        for entries in &mut self.axes {
            entries.retain(|entry| listed(entry.slot));
        }
    }

    fn append(&mut self, slot: u32) {
        for entries in &mut self.axes {
            entries.push(Entry { coordinate: 0.0, slot, slab: NOTHING });
        }
    }

    fn forget_slabs(&mut self) {
        for entry in self.axes.iter_mut().flatten() {
            entry.slab = NOTHING;
        }
    }

    fn len(&self) -> usize {
        self.axes[0].len()
    }

    fn work(&self) -> SortWork {
        self.work
    }

    fn update(&mut self, slabs: &Slabs, references: &[Vec4], arrived: usize, mut changed: impl FnMut(usize, u32, u32)) {
        self.work = SortWork::default();
        for axis in 0..3 {
            self.sort(axis, references, arrived);
            self.slide_pointers(axis, slabs);
            let (entries, first) = (&mut self.axes[axis], &self.first[axis][..slabs.count()]);
            for slab in 0..first.len() {
                let end = first.get(slab + 1).map_or(entries.len(), |&next| next as usize);
                for entry in &mut entries[first[slab] as usize..end] {
                    if entry.slab != slab as u32 {
                        entry.slab = slab as u32;
                        changed(axis, entry.slot, interleaved(axis, slab));
                    }
                }
            }
        }
    }
}

impl SortedAxes {
    /// Reads the coordinates of this frame and sorts by them.
    fn sort(&mut self, axis: usize, references: &[Vec4], arrived: usize) {
        let Self { axes, work, .. } = self;
        let entries = &mut axes[axis];
        let read = |entry: Entry| Entry { coordinate: references[entry.slot as usize][axis], ..entry };
        let budget = MOVES_WORTH_A_SORT * entries.len() as u64;
        // Each arrival moves through half of the array on average.
        let mut moves = arrived as u64 * entries.len() as u64 / 2;
        if moves <= budget {
            moves = 0;
            for i in 0..entries.len() {
                let entry = read(entries[i]);
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
            work.moves += moves;
        }
        if moves > budget {
            entries.iter_mut().for_each(|entry| *entry = read(*entry));
            entries.sort_unstable();
            work.full_sorts += 1;
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
