//! The engine for anything with a box: primitives that come, move and go, and the pairs worth an exact test.
//!
//! Paper: Ganovelli et al. 2000, section 3 ("a soup of primitives") and section 6, which announces a template library
//! over the class of the primitive. No topology is assumed; the exact test is the caller's.

use std::ops::ControlFlow;

use glam::Vec4;

use super::buckets::{BucketStats, Buckets, UpdateStage};
use super::traverse::Filed;
use super::view::{Shown, View, ViewMemory};
use super::{BucketScratch, BucketTreeError, BucketTreeOptions, NodeBoxes, traverse};
use crate::lanes::BoxLanes;
use crumple::{Aabb, Stats, Triangle};

/// Something that can be filed in a bucket.
pub trait Primitive {
    /// A box that holds all of it: two primitives whose boxes are apart are never compared.
    fn bounds(&self) -> Aabb;

    /// The point by which it is filed; the centre of its box unless it knows better.
    ///
    /// Any finite point is right. One in the middle of the primitive keeps the boxes of buckets small.
    fn reference_point(&self) -> [f32; 3] {
        self.bounds().centre()
    }
}

impl Primitive for [f32; 3] {
    fn bounds(&self) -> Aabb {
        Aabb::new(*self, *self)
    }

    fn reference_point(&self) -> [f32; 3] {
        *self
    }
}

impl Primitive for Triangle {
    fn bounds(&self) -> Aabb {
        Triangle::bounds(self)
    }
}

/// A primitive of a [`Soup`]: stays the same until it is removed and is never given to another one after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrimitiveId {
    slot: u32,
    /// Which of the primitives that the slot has held.
    generation: u32,
}

impl PrimitiveId {
    /// An index into lists that the caller keeps beside the soup.
    ///
    /// Counts from 0 in the order of insertion; a new primitive takes the index of one that was removed.
    #[inline]
    pub fn index(self) -> usize {
        self.slot as usize
    }
}

/// A bucket of a [`Soup`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bucket {
    /// Its cell, or the tight box of what it holds, as the caller asks.
    pub bounds: Aabb,
    /// How many primitives it holds.
    pub primitives: usize,
}

/// Primitives of one kind in an octree of buckets.
///
/// ```
/// use std::ops::ControlFlow;
/// use crumple_methods::bucket_tree::{BucketScratch, BucketTreeOptions, Soup};
///
/// let mut points = Soup::new(BucketTreeOptions::default())?;
/// let near = points.insert([1.0, 1.0, 1.0])?;
/// let far = points.insert([9.0, 9.0, 9.0])?;
/// let mut targets = Soup::new(BucketTreeOptions::default())?;
/// targets.insert([1.0, 1.0, 1.0])?;
/// points.update()?;
/// targets.update()?;
///
/// let mut found = Vec::new();
/// points.candidates(&targets, &mut BucketScratch::default(), |(a, _), (b, _)| {
///     found.push((a, b)); // here the caller tests exactly
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].0, near);
///
/// points.remove(far)?; // at any frame; the next update takes it in
/// # Ok::<(), crumple_methods::bucket_tree::BucketTreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Soup<P> {
    options: BucketTreeOptions,
    /// A slot is used again after its primitive is removed; its generation is not, so no id comes back.
    slots: Vec<Slot<P>>,
    free: Vec<u32>,
    buckets: Buckets,
    updated: bool,
}

#[derive(Clone, Debug)]
struct Slot<P> {
    generation: u32,
    primitive: Option<P>,
}

impl<P: Primitive> Soup<P> {
    /// A soup without primitives.
    ///
    /// # Errors
    /// If the options ask for an octree that cannot be built.
    pub fn new(options: BucketTreeOptions) -> Result<Self, BucketTreeError> {
        let options = options.check()?;
        Ok(Self { options, slots: Vec::new(), free: Vec::new(), buckets: Buckets::default(), updated: true })
    }

    /// Adds a primitive; it takes part from the next update on.
    ///
    /// # Errors
    /// If there is no number left for it.
    pub fn insert(&mut self, primitive: P) -> Result<PrimitiveId, BucketTreeError> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok().filter(|&slot| slot < u32::MAX);
                let slot = slot.ok_or(BucketTreeError::Full)?;
                self.slots.push(Slot { generation: 0, primitive: None });
                slot
            }
        };
        let entry = &mut self.slots[slot as usize];
        entry.primitive = Some(primitive);
        self.updated = false;
        Ok(PrimitiveId { slot, generation: entry.generation })
    }

    /// Takes a primitive out again.
    ///
    /// # Errors
    /// If it is not there (any more).
    pub fn remove(&mut self, primitive: PrimitiveId) -> Result<P, BucketTreeError> {
        let refusal = BucketTreeError::NoSuchPrimitive { primitive };
        let entry = self.slots.get_mut(primitive.index()).filter(|entry| entry.generation == primitive.generation);
        let Some((entry, taken)) = entry.and_then(|entry| entry.primitive.take().map(|taken| (entry, taken))) else {
            return Err(refusal);
        };
        // A slot that has used up its generations is never filled again.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(primitive.slot);
        }
        self.updated = false;
        Ok(taken)
    }

    /// A primitive, if it is there.
    pub fn get(&self, primitive: PrimitiveId) -> Option<&P> {
        let entry = self.slots.get(primitive.index())?;
        entry.primitive.as_ref().filter(|_| entry.generation == primitive.generation)
    }

    /// A primitive to be moved, if it is there; the next update takes in where it is then.
    pub fn get_mut(&mut self, primitive: PrimitiveId) -> Option<&mut P> {
        self.updated = false;
        let entry = self.slots.get_mut(primitive.index())?;
        entry.primitive.as_mut().filter(|_| entry.generation == primitive.generation)
    }

    /// All primitives.
    pub fn iter(&self) -> impl Iterator<Item = (PrimitiveId, &P)> {
        (0..self.slots.len() as u32).filter_map(|slot| self.at(slot))
    }

    /// All primitives, to be moved; the next update takes in where they are then.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (PrimitiveId, &mut P)> {
        self.updated = false;
        (0..).zip(&mut self.slots).filter_map(|(slot, Slot { generation, primitive })| {
            Some((PrimitiveId { slot, generation: *generation }, primitive.as_mut()?))
        })
    }

    /// How many primitives there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Files every primitive where it is now; once per frame, before pairs are asked for.
    ///
    /// # Errors
    /// If a primitive has an empty box, or numbers that are not finite. Pairs are then refused until an update succeeds.
    pub fn update(&mut self) -> Result<(), BucketTreeError> {
        self.update_in_stages(|_| {})
    }

    /// The same; calls `done` after each part of the work, so that a caller can measure them.
    ///
    /// # Errors
    /// As for [`update`](Self::update).
    pub fn update_in_stages(&mut self, mut done: impl FnMut(UpdateStage)) -> Result<(), BucketTreeError> {
        self.updated = false;
        let (slots, mut refused) = (&self.slots, None);
        let root = self.buckets.take_in(slots.len(), |slot| {
            let (key, primitive) = in_slot(slots, slot as u32)?;
            let (bounds, point) = (primitive.bounds(), padded(primitive.reference_point()));
            if bounds.is_empty() || !(bounds.low().is_finite() && bounds.high().is_finite() && point.is_finite()) {
                refused.get_or_insert(key);
                return None;
            }
            Some((bounds, point))
        });
        if let Some(primitive) = refused {
            return Err(BucketTreeError::NotFinite { primitive });
        }
        done(UpdateStage::TakenIn);
        self.buckets.file(&self.options, &root);
        done(UpdateStage::Filed);
        self.buckets.pass_stamps_on();
        done(UpdateStage::Stamped);
        self.updated = true;
        Ok(())
    }

    /// Calls `visit` with every primitive of this soup and of `other` whose boxes overlap, each pair once, until it
    /// breaks off.
    ///
    /// # Errors
    /// If either soup has changed since its last update.
    pub fn candidates<Q: Primitive>(
        &self,
        other: &Soup<Q>,
        scratch: &mut BucketScratch,
        mut visit: impl FnMut((PrimitiveId, &P), (PrimitiveId, &Q)) -> ControlFlow<()>,
    ) -> Result<Stats, BucketTreeError> {
        self.ready()?;
        other.ready()?;
        let BucketScratch { open, views: [a, b], .. } = scratch;
        let mut a = self.view(other.buckets.bounds(), a);
        let mut b = other.view(self.buckets.bounds(), b);
        let mut stats = Stats::default();
        let _ = traverse::candidates((&mut a, &mut b), self.options.opening, open, &mut stats, |a, b| {
            match (self.at(a), other.at(b)) {
                (Some(a), Some(b)) => visit(a, b),
                _ => ControlFlow::Continue(()),
            }
        });
        Ok(stats)
    }

    /// Calls `visit` with every two primitives of this soup whose boxes overlap, each pair once, until it breaks off.
    ///
    /// # Errors
    /// If the soup has changed since its last update.
    pub fn self_candidates(
        &self,
        scratch: &mut BucketScratch,
        mut visit: impl FnMut((PrimitiveId, &P), (PrimitiveId, &P)) -> ControlFlow<()>,
    ) -> Result<Stats, BucketTreeError> {
        self.ready()?;
        let BucketScratch { open, views: [memory, _], .. } = scratch;
        let mut view = self.view(self.buckets.bounds(), memory);
        let mut stats = Stats::default();
        let _ = traverse::self_candidates(&mut view, self.options.opening, open, &mut stats, |a, b| {
            match (self.at(a), self.at(b)) {
                (Some(a), Some(b)) => visit(a, b),
                _ => ControlFlow::Continue(()),
            }
        });
        Ok(stats)
    }

    /// Calls `visit` with every two overlapping buckets until it breaks off; their primitives are not compared. With
    /// [`NodeBoxes::Cells`] this is the traversal the paper measures in its table 1.
    ///
    /// # Errors
    /// If either soup has changed since its last update.
    pub fn bucket_pairs<Q: Primitive>(
        &self,
        other: &Soup<Q>,
        boxes: NodeBoxes,
        scratch: &mut BucketScratch,
        mut visit: impl FnMut(Bucket, Bucket) -> ControlFlow<()>,
    ) -> Result<Stats, BucketTreeError> {
        self.ready()?;
        other.ready()?;
        let BucketScratch { open, views: [memory_a, memory_b], .. } = scratch;
        let mut stats = Stats::default();
        let bucket = |(node, _): Filed<'_>| Bucket { bounds: node.bounds, primitives: node.len() };
        let visit = |a: Filed<'_>, b: Filed<'_>, _: &mut Stats| visit(bucket(a), bucket(b));
        match boxes {
            NodeBoxes::Tight => {
                let mut a = self.view(other.buckets.bounds(), memory_a);
                let mut b = other.view(self.buckets.bounds(), memory_b);
                let _ = traverse::bucket_pairs((&mut a, &mut b), self.options.opening, open, &mut stats, visit);
            }
            NodeBoxes::Cells => {
                let (cells_a, cells_b) = (self.buckets.cells(), other.buckets.cells());
                let (root_a, root_b) = (cells_a.cell(0, [0; 3]), cells_b.cell(0, [0; 3]));
                let counts = Shown::<fn(u32) -> Aabb>::Counts;
                let mut a = View::new(&self.buckets, &cells_a, counts, root_b, None, memory_a);
                let mut b = View::new(&other.buckets, &cells_b, counts, root_a, None, memory_b);
                let _ = traverse::bucket_pairs((&mut a, &mut b), self.options.opening, open, &mut stats, visit);
            }
        }
        Ok(stats)
    }

    /// The buckets that held something at the last update, in no particular order, with their cells: primitives may stick out of
    /// these.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        let cells = self.buckets.cells();
        self.buckets.occupancy.occupied().map(move |(slabs, count)| Bucket {
            bounds: cells.cell(self.buckets.occupancy.levels(), slabs),
            primitives: count as usize,
        })
    }

    /// How the primitives were spread over the buckets by the last update.
    pub fn stats(&self) -> BucketStats {
        self.buckets.stats
    }

    /// What of the soup reaches a region.
    fn view<'a>(&'a self, region: Aabb, memory: &'a mut ViewMemory) -> View<'a, impl Fn(u32) -> Aabb + 'a> {
        let bounds_of = |slot: u32| self.at(slot).map_or(Aabb::EMPTY, |(_, primitive)| primitive.bounds());
        View::of_primitives(&self.buckets, bounds_of, region, self.options.split_above, memory)
    }

    fn ready(&self) -> Result<(), BucketTreeError> {
        if self.updated { Ok(()) } else { Err(BucketTreeError::NotUpdated) }
    }

    /// The primitive in a slot; slots in buckets are never empty while the soup is up to date.
    fn at(&self, slot: u32) -> Option<(PrimitiveId, &P)> {
        in_slot(&self.slots, slot)
    }
}

fn in_slot<P>(slots: &[Slot<P>], slot: u32) -> Option<(PrimitiveId, &P)> {
    let Slot { generation, primitive } = slots.get(slot as usize)?;
    Some((PrimitiveId { slot, generation: *generation }, primitive.as_ref()?))
}

/// A point with 0 for a fourth coordinate.
fn padded([x, y, z]: [f32; 3]) -> Vec4 {
    Vec4::new(x, y, z, 0.0)
}
