//! Which buckets hold what, and which nodes hold anything.
//!
//! Paper: Ganovelli et al. 2000, sections 3 and 3.2. All nodes of all levels exist all the time; a node that holds a
//! primitive this frame carries this frame's stamp, passed on from the buckets to the root. Nothing is ever cleared, and
//! a node with an old stamp is never visited.
//!
//! The primitives of a bucket are a linked list, through an array with one entry per primitive: filing a primitive is then part
//! of the pass that computes its bucket, and a primitive that changes its bucket is moved without touching the others.
//! Primitives are not copied into their buckets; a query does that for the buckets it reaches (`view`).
//!
//! Cost: O(1) per primitive that is filed or moved, O(1) per occupied bucket and frame; 12 bytes per bucket, 8 per
//! primitive.

/// The end of a list, and the bucket of a slot that holds no primitive.
pub(super) const NOTHING: u32 = u32::MAX;

/// A list of primitives.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// The frame in which the bucket last held something; 0 if it is not listed as occupied.
    stamp: u32,
    first: u32,
    count: u32,
}

impl Bucket {
    const NEVER: Self = Self { stamp: 0, first: NOTHING, count: 0 };
}

/// The buckets of an octree, and the stamps of the nodes above them.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    levels: u32,
    /// The current frame. Grows by 2 where all buckets start empty, by 1 where they are kept.
    stamp: u32,
    buckets: Vec<Bucket>,
    /// The stamps of the nodes above, levels one after another from the root on.
    inner: Vec<u32>,
    /// The primitives after and before each in the list of its bucket. The latter only where primitives are moved.
    next: Vec<u32>,
    previous: Vec<u32>,
    /// The buckets that hold something.
    occupied: Vec<u32>,
}

impl Occupancy {
    /// Begins a frame in which every primitive is filed anew.
    pub(super) fn begin(&mut self, levels: u32, slots: usize) {
        self.levels = levels;
        self.advance(2);
        self.occupied.clear();
        if self.buckets.len() < 1 << (3 * levels) {
            self.buckets.resize(1 << (3 * levels), Bucket::NEVER);
            self.inner.resize(level_start(levels) as usize, 0);
        }
        self.make_room(slots);
    }

    /// Begins a frame in which primitives are only moved; those that are gone have been removed.
    pub(super) fn keep(&mut self, slots: usize) {
        self.advance(1);
        self.make_room(slots);
    }

    fn make_room(&mut self, slots: usize) {
        self.next.resize(slots, NOTHING);
        self.previous.resize(slots, NOTHING);
    }

    fn advance(&mut self, by: u32) {
        self.stamp = self.stamp.checked_add(by).unwrap_or_else(|| {
            // Once in four thousand million frames: what is kept gets the stamp of the frame before.
            let kept = if by == 1 { 1 } else { 0 };
            for bucket in &mut self.buckets {
                bucket.stamp = if bucket.stamp == u32::MAX { kept } else { 0 };
            }
            self.inner.fill(0);
            2
        });
    }

    /// Adds a primitive to a bucket. `KEPT` says whether it may have to be removed again in a later frame.
    #[inline]
    pub(super) fn add<const KEPT: bool>(&mut self, bucket: u32, slot: u32) {
        let list = &mut self.buckets[bucket as usize];
        // A list of the frame before is kept, unless the stamp has grown by 2.
        if list.stamp < self.stamp - 1 {
            *list = Bucket { stamp: self.stamp, ..Bucket::NEVER };
            self.occupied.push(bucket);
        }
        let after = list.first;
        (list.first, list.count) = (slot, list.count + 1);
        self.next[slot as usize] = after;
        if KEPT {
            self.previous[slot as usize] = NOTHING;
            if after != NOTHING {
                self.previous[after as usize] = slot;
            }
        }
    }

    /// Removes a primitive from the bucket it is in.
    pub(super) fn remove(&mut self, bucket: u32, slot: u32) {
        let list = &mut self.buckets[bucket as usize];
        let (before, after) = (self.previous[slot as usize], self.next[slot as usize]);
        list.count -= 1;
        if before == NOTHING {
            list.first = after;
        } else {
            self.next[before as usize] = after;
        }
        if after != NOTHING {
            self.previous[after as usize] = before;
        }
    }

    /// Stamps the occupied buckets and passes the stamps on to the root; returns how many primitives the fullest holds.
    pub(super) fn pass_stamps_on(&mut self) -> u32 {
        let Self { levels, stamp, buckets, inner, occupied, .. } = self;
        let mut fullest = 0;
        occupied.retain(|&at| {
            let bucket = &mut buckets[at as usize];
            fullest = fullest.max(bucket.count);
            let holds = bucket.count > 0;
            bucket.stamp = if holds { *stamp } else { 0 };
            let mut node = at;
            for level in (0..if holds { *levels } else { 0 }).rev() {
                node /= 8;
                let above = &mut inner[(level_start(level) + node) as usize];
                if std::mem::replace(above, *stamp) == *stamp {
                    break;
                }
            }
            holds
        });
        fullest
    }

    /// Goes on from another stamp, before the first frame.
    #[cfg(test)]
    pub(super) fn set_stamp(&mut self, stamp: u32) {
        self.stamp = stamp;
    }

    /// How many levels of nodes there are below the root.
    pub(super) fn levels(&self) -> u32 {
        self.levels
    }

    /// The buckets that hold something: their slab numbers, and how many primitives they hold.
    pub(super) fn occupied(&self) -> impl ExactSizeIterator<Item = ([u8; 3], u32)> + '_ {
        self.occupied.iter().map(|&bucket| (slabs_of(self.levels, bucket), self.count(bucket)))
    }

    /// Whether a node holds anything, by its level and its number on that level.
    #[inline]
    pub(super) fn holds(&self, level: u32, node: u32) -> bool {
        let stamp = if level == self.levels {
            self.buckets[node as usize].stamp
        } else {
            self.inner[(level_start(level) + node) as usize]
        };
        stamp == self.stamp
    }

    /// How many primitives an occupied bucket holds.
    pub(super) fn count(&self, bucket: u32) -> u32 {
        self.buckets[bucket as usize].count
    }

    /// The primitives in an occupied bucket.
    #[inline]
    pub(super) fn primitives(&self, bucket: u32) -> impl Iterator<Item = u32> + '_ {
        let listed = |slot: u32| (slot != NOTHING).then_some(slot);
        std::iter::successors(listed(self.buckets[bucket as usize].first), move |&slot| {
            listed(self.next[slot as usize])
        })
    }
}

/// The number of the first node of a level: 1 + 8 + … + 8^(level − 1).
fn level_start(level: u32) -> u32 {
    ((1 << (3 * level)) - 1) / 7
}

/// The slab numbers of a node on its level, whose bits are interleaved in its number.
pub(super) fn slabs_of(level: u32, number: u32) -> [u8; 3] {
    [0, 1, 2].map(|axis| (0..level).map(|bit| ((number >> (3 * bit + axis)) as u8 & 1) << bit).sum())
}
