//! The octree of one soup, brought up to date by either algorithm.
//!
//! Paper: Ganovelli et al. 2000, section 3. The root is the box of the body, which is known beforehand; so the box of a
//! primitive, its bucket and its place in the bucket's list are one pass over the primitives (algorithm 1). Algorithm 2
//! keeps the lists of the frame before and moves only the primitives whose slab has changed.
//!
//! Departs, for correctness: a primitive is filed by its reference point and may stick out of its bucket; with cells as
//! boxes, what it touches beyond would be missed. So the pass also finds how far any primitive *reaches* from its
//! reference point, along each axis, and a node's box is its cell made larger by that. Where a primitive is filed then
//! decides only how fast it is found, never whether. Tight boxes would cost more here, where all primitives are read, than in a
//! query, which needs them for the buckets it reaches only (`view`).
//!
//! Cost: O(n + occupied nodes) per frame, whatever 8^l is; no allocation once the largest frame has been seen.

use glam::Vec4;

use super::choose;
use super::exchange::SlabOrder;
use super::occupancy::{NOTHING, Occupancy};
use super::options::{BucketTreeOptions, Filing, LevelChoice};
use super::slabs::{Cells, Equation, MOST_SLABS, Slabs, interleaved};
use super::sort::{Axes, SortedAxes};
use crate::lanes::BoxLanes;
use crumple::Aabb;

/// How primitives are spread over buckets, and what it took to file them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BucketStats {
    /// Primitives in the buckets.
    pub primitives: u64,
    /// Levels of the octree below its root; 0 if it is empty.
    pub levels: u32,
    /// Buckets of the octree that hold something.
    pub buckets: u64,
    /// The most primitives in one bucket of the octree: close to all of them is the weakness of this method.
    pub largest_bucket: u64,
    /// Primitives put into a bucket in this frame: all of them by algorithm 1, those that changed it by algorithm 2.
    pub filed: u64,
    /// Moves of insertion sort, or exchanges at borders of slabs, over all three axes.
    pub sort_moves: u64,
    /// Axes sorted from nothing, because that was less work.
    pub full_sorts: u32,
    /// Steps the pointers to the slabs took to their new positions.
    pub pointer_steps: u64,
}

/// The parts of an update, in their order, for callers that measure them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UpdateStage {
    /// Boxes and reference points were read, and the root made of them.
    TakenIn,
    /// The primitives are in their buckets.
    Filed,
    /// The nodes above carry the stamp of this frame.
    Stamped,
}

/// A primitive that is new and in no bucket yet.
const NEW: u32 = NOTHING - 1;

/// An octree over numbered slots that hold a primitive or nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    pub(super) occupancy: Occupancy,
    slabs: Slabs,
    /// The cells made larger by what primitives reach beyond their reference points.
    pub(super) loose: Cells,
    /// The reference points of all slots, and which of them hold a primitive: where they are read before they are filed.
    references: Vec<Vec4>,
    present: Vec<bool>,
    /// For algorithm 2 the bucket of each slot: `NOTHING` if it is not in the sorted arrays. And the one it is to be in.
    buckets: Vec<u32>,
    targets: Vec<u32>,
    moved: Vec<u32>,
    sorted: SortedAxes,
    slab_order: SlabOrder,
    /// How the buckets were filled, if they can be kept: by either form of algorithm 2.
    kept: Option<Filing>,
    spare_numbers: Vec<u32>,
    reach: Vec4,
    pub(super) stats: BucketStats,
}

impl Buckets {
    /// Brings the buckets up to date with primitives whose reference points lie in `root`, but for rounding; `primitive`
    /// gives the box and the reference point of a slot, all finite, or `None` where it is empty.
    pub(super) fn update(
        &mut self,
        options: &BucketTreeOptions,
        root: &Aabb,
        slots: usize,
        primitive: impl Fn(usize) -> Option<(Aabb, Vec4)>,
    ) {
        let clamped =
            |slot: usize| primitive(slot).map(|(bounds, point)| (bounds, point.max(root.low()).min(root.high())));
        if options.filing != Filing::ByEquation {
            self.take_in(slots, clamped);
            self.file(options, root);
        } else {
            let equation = self.begin_anew(options, root, slots, |slot| clamped(slot).map(|(_, point)| point));
            let (mut reach, mut primitives) = (Vec4::ZERO, 0);
            for slot in 0..slots {
                if let Some((bounds, point)) = clamped(slot) {
                    reach = reach.max(bounds.high() - point).max(point - bounds.low());
                    self.occupancy.add::<false>(equation.bucket_of(point), slot as u32);
                    primitives += 1;
                }
            }
            self.reach = reach;
            (self.stats.primitives, self.stats.filed) = (primitives, primitives);
        }
        self.pass_stamps_on();
    }

    /// Reads the boxes and reference points of all primitives; returns the box of the latter.
    pub(super) fn take_in(&mut self, slots: usize, mut primitive: impl FnMut(usize) -> Option<(Aabb, Vec4)>) -> Aabb {
        self.references.resize(slots, Vec4::ZERO);
        self.present.resize(slots, false);
        let (mut root, mut reach) = (Aabb::EMPTY, Vec4::ZERO);
        for slot in 0..slots {
            let given = primitive(slot);
            self.present[slot] = given.is_some();
            if let Some((bounds, point)) = given {
                self.references[slot] = point;
                root = root.with_vertex(point);
                reach = reach.max(bounds.high() - point).max(point - bounds.low());
            }
        }
        self.reach = reach;
        root
    }

    /// Files what was taken in; `root` holds all reference points.
    pub(super) fn file(&mut self, options: &BucketTreeOptions, root: &Aabb) {
        let (references, present) = (std::mem::take(&mut self.references), std::mem::take(&mut self.present));
        let slots = references.len();
        let reference = |slot: usize| present[slot].then(|| references[slot]);
        match options.filing {
            Filing::ByEquation => {
                let equation = self.begin_anew(options, root, slots, reference);
                for slot in 0..slots {
                    if let Some(point) = reference(slot) {
                        self.occupancy.add::<false>(equation.bucket_of(point), slot as u32);
                        self.stats.filed += 1;
                    }
                }
                self.stats.primitives = self.stats.filed;
            }
            filing => {
                let levels = self.levels(options, root, slots, reference);
                self.slabs = Slabs::new(root, levels);
                if filing == Filing::BySorting {
                    let mut axes = std::mem::take(&mut self.sorted);
                    self.move_changed(filing, levels, &mut axes, (&references, &present));
                    self.sorted = axes;
                } else {
                    let mut axes = std::mem::take(&mut self.slab_order);
                    self.move_changed(filing, levels, &mut axes, (&references, &present));
                    self.slab_order = axes;
                }
            }
        }
        (self.references, self.present) = (references, present);
    }

    /// Passes this frame's stamp on from the buckets to the root, and fits the cells to what primitives reach.
    pub(super) fn pass_stamps_on(&mut self) {
        self.stats.largest_bucket = self.occupancy.pass_stamps_on().into();
        self.stats.buckets = self.occupancy.occupied().len() as u64;
        self.stats.levels = if self.is_empty() { 0 } else { self.occupancy.levels() };
        self.slabs.cells(self.reach.truncate().to_array(), &mut self.loose);
    }

    fn levels(
        &mut self,
        options: &BucketTreeOptions,
        root: &Aabb,
        slots: usize,
        reference: impl FnMut(usize) -> Option<Vec4>,
    ) -> u32 {
        match options.levels {
            LevelChoice::Fixed(levels) => levels,
            LevelChoice::FromData => choose::levels(root, slots, reference, &mut self.spare_numbers),
        }
    }

    /// Begins a frame of algorithm 1.
    fn begin_anew(
        &mut self,
        options: &BucketTreeOptions,
        root: &Aabb,
        slots: usize,
        reference: impl FnMut(usize) -> Option<Vec4>,
    ) -> Equation {
        let levels = self.levels(options, root, slots, reference);
        self.occupancy.begin(levels, slots);
        self.kept = None;
        self.stats = BucketStats::default();
        self.slabs = Slabs::new(root, levels);
        self.slabs.equation
    }

    /// Moves the primitives whose slab has changed, by what the arrays of algorithm 2 tell.
    fn move_changed(
        &mut self,
        filing: Filing,
        levels: u32,
        axes: &mut impl Axes,
        (references, present): (&[Vec4], &[bool]),
    ) {
        let Self { occupancy, slabs, buckets, targets, moved, .. } = self;
        let slots = references.len();
        if self.kept != Some(filing) {
            // What the arrays list is out of date.
            axes.drop_gone(|_| false);
            buckets.clear();
        }
        let anew = self.kept != Some(filing) || occupancy.levels() != levels;
        // All primitives that are in no bucket yet count as having been in the last slab of each axis.
        let last: u32 = (0..3).map(|axis| interleaved(axis, slabs.count() - 1)).sum();
        moved.clear();
        targets.resize(slots, last);
        let here = |slot: usize| present.get(slot) == Some(&true);
        let mut gone = false;
        for (slot, bucket) in buckets.iter_mut().enumerate().filter(|(_, bucket)| **bucket != NOTHING) {
            if !here(slot) {
                if !anew {
                    occupancy.remove(*bucket, slot as u32);
                }
                (*bucket, gone) = (NOTHING, true);
            } else if anew {
                (*bucket, targets[slot]) = (NEW, last);
                moved.push(slot as u32);
            }
        }
        if gone {
            axes.drop_gone(|slot| here(slot as usize));
        }
        if anew {
            occupancy.begin(levels, slots);
            axes.forget_slabs();
        } else {
            occupancy.keep(slots);
        }
        buckets.resize(slots, NOTHING);
        let mut arrived = 0;
        for slot in 0..slots {
            if present[slot] && buckets[slot] == NOTHING {
                axes.append(slot as u32);
                (buckets[slot], targets[slot]) = (NEW, last);
                moved.push(slot as u32);
                arrived += 1;
            }
        }
        axes.update(slabs, references, arrived, |axis, slot, bits| {
            let target = &mut targets[slot as usize];
            *target = *target & !interleaved(axis, MOST_SLABS - 1) | bits;
            moved.push(slot);
        });
        let mut filed = 0;
        for &slot in moved.iter() {
            // A primitive may be listed several times.
            let (bucket, target) = (&mut buckets[slot as usize], targets[slot as usize]);
            if *bucket != target {
                if *bucket != NEW {
                    occupancy.remove(*bucket, slot);
                }
                occupancy.add::<true>(target, slot);
                (*bucket, filed) = (target, filed + 1);
            }
        }
        self.kept = Some(filing);
        let work = axes.work();
        self.stats = BucketStats {
            primitives: axes.len() as u64,
            filed,
            sort_moves: work.moves,
            pointer_steps: work.pointer_steps,
            full_sorts: work.full_sorts,
            ..BucketStats::default()
        };
    }
    /// Whether there is no primitive.
    pub(super) fn is_empty(&self) -> bool {
        self.stats.primitives == 0
    }

    /// The cells of the octree as in the paper, which hold the reference points of primitives.
    pub(super) fn cells(&self) -> Cells {
        let mut cells = Cells::default();
        self.slabs.cells([0.0; 3], &mut cells);
        cells
    }

    /// A box that holds all primitives, if there are any.
    pub(super) fn bounds(&self) -> Aabb {
        if self.is_empty() { Aabb::EMPTY } else { self.loose.cell(0, [0; 3]) }
    }
}
