//! The octree: which buckets hold what, and which nodes hold anything.
//!
//! Paper: Ganovelli et al. 2000, sections 3 and 3.2. All nodes of all levels exist all the time; a node that holds a
//! primitive this frame carries this frame's stamp, passed on from the buckets to the root. Nothing is ever cleared, and
//! a node with an old stamp is never visited.
//!
//! ```text
//! node      0 | 1 2 3 4 5 6 7 8 | 9 … 72 | 73 …            | overflow
//! level     0 |        1        |   2    | 3: the buckets  | eight children at a time of buckets that were split
//! ```
//!
//! Departs, for correctness: a node's box is the *tight box of what it holds*, not its cell. A primitive is filed by its
//! reference point and may stick out of its bucket; with cells, what it touches beyond would be missed. With tight boxes
//! where a primitive is filed decides only how fast it is found, never whether. The octree spans the reference points.
//!
//! Departs, for the weakness the paper names in section 4 (most primitives in one bucket): a bucket that holds more than
//! `split_above` is an octree of one level over the box of its own reference points, and so are its children. Only
//! primitives whose reference points coincide stay together.
//!
//! Cost: O(n + occupied nodes) per frame, whatever 8^l is; 48 bytes per node, about 100 per primitive; no allocation once the
//! largest frame has been seen.

use std::ops::Range;

use super::options::{BucketTreeOptions, Filing, LevelChoice};
use super::slabs::Slabs;
use super::sort::{NO_BUCKET, SortedAxes};
use super::{BucketStats, choose};
use crate::geom::Aabb;

/// A node of the octree. Its children are eight nodes from `first_child` on, of which some may be empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    /// The frame in which the node last held something.
    stamp: u32,
    /// 0, which is the root and no child, for a bucket.
    first_child: u32,
    /// What a bucket holds, as a range of the items; of no meaning for other nodes.
    start: u32,
    end: u32,
}

impl Node {
    const NEVER: Self = Self { bounds: Aabb::EMPTY, stamp: 0, first_child: 0, start: 0, end: 0 };

    pub(super) fn is_bucket(&self) -> bool {
        self.first_child == 0
    }

    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A primitive in its bucket: its box is read far more often than anything else of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) bounds: Aabb,
    pub(super) slot: u32,
}

impl Item {
    pub(super) fn parts(&self) -> (&Aabb, u32) {
        (&self.bounds, self.slot)
    }
}

/// The octree of one soup, over numbered slots that hold a primitive or nothing.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    references: Vec<[f32; 3]>,
    boxes: Vec<Aabb>,
    /// The bucket of each slot.
    buckets: Vec<u32>,
    live: Vec<u32>,
    slabs: Slabs,
    sorted: SortedAxes,
    levels: u32,
    nodes: Vec<Node>,
    /// The current frame; starts at 1, so that 0 marks a node that never held anything.
    stamp: u32,
    items: Vec<Item>,
    /// The nodes of a level that hold something.
    occupied: Vec<u32>,
    spare_numbers: Vec<u32>,
    spare_items: Vec<Item>,
    pub(super) stats: BucketStats,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            references: Vec::new(),
            boxes: Vec::new(),
            buckets: Vec::new(),
            live: Vec::new(),
            slabs: Slabs::new(&Aabb::new([0.0; 3], [0.0; 3]), 1),
            sorted: SortedAxes::default(),
            levels: 1,
            nodes: Vec::new(),
            stamp: 0,
            items: Vec::new(),
            occupied: Vec::new(),
            spare_numbers: Vec::new(),
            spare_items: Vec::new(),
            stats: BucketStats::default(),
        }
    }
}

impl Buckets {
    /// Files the primitives of slots `0..slots` as they are now; `primitive` gives the box and the reference point of a
    /// slot, all finite, or `None` where it is empty.
    pub(super) fn update(
        &mut self,
        options: &BucketTreeOptions,
        slots: usize,
        mut primitive: impl FnMut(usize) -> Option<(Aabb, [f32; 3])>,
    ) {
        self.references.resize(slots, [0.0; 3]);
        self.boxes.resize(slots, Aabb::EMPTY);
        self.buckets.resize(slots, NO_BUCKET);
        self.live.clear();
        let mut bounds = Aabb::EMPTY;
        for slot in 0..slots {
            self.buckets[slot] = NO_BUCKET;
            if let Some((tight, reference)) = primitive(slot) {
                (self.boxes[slot], self.references[slot], self.buckets[slot]) = (tight, reference, 0);
                self.live.push(slot as u32);
                bounds = bounds.union(&Aabb::new(reference, reference));
            }
        }
        self.stats = BucketStats { primitives: self.live.len() as u64, ..BucketStats::default() };
        self.begin_frame();
        if self.live.is_empty() {
            return;
        }
        self.levels = match options.levels {
            LevelChoice::Fixed(levels) => levels,
            LevelChoice::FromData => choose::levels(&bounds, &self.references, &self.live, &mut self.spare_numbers),
        };
        self.slabs = Slabs::new(&bounds, self.levels);
        match options.filing {
            Filing::ByEquation => {
                for &slot in &self.live {
                    self.buckets[slot as usize] = self.slabs.bucket_of(self.references[slot as usize]);
                }
            }
            Filing::BySorting => {
                self.sorted.file(&self.slabs, &self.references, &self.live, &mut self.buckets);
                self.stats.sort_moves = self.sorted.work.moves;
                self.stats.pointer_steps = self.sorted.work.pointer_steps;
                self.stats.full_sorts = self.sorted.work.full_sorts;
            }
        }
        self.fill_buckets();
        self.pass_stamps_on();
        self.split_crowded(options.split_above);
    }

    fn begin_frame(&mut self) {
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.nodes.iter_mut().for_each(|node| node.stamp = 0);
            1
        });
        self.items.clear();
    }

    /// Groups the primitives by bucket: counts, then copies, touching occupied buckets only.
    fn fill_buckets(&mut self) {
        let buckets_start = level_start(self.levels);
        let tree_end = level_start(self.levels + 1);
        if self.nodes.len() < tree_end as usize {
            self.nodes.resize(tree_end as usize, Node::NEVER);
        }
        self.occupied.clear();
        for &slot in &self.live {
            let at = buckets_start + self.buckets[slot as usize];
            let node = &mut self.nodes[at as usize];
            if node.stamp != self.stamp {
                *node = Node { stamp: self.stamp, ..Node::NEVER };
                self.occupied.push(at);
            }
            node.end += 1;
        }
        let mut start = 0;
        for &at in &self.occupied {
            let node = &mut self.nodes[at as usize];
            let count = node.end;
            (node.start, node.end) = (start, start);
            start += count;
            self.stats.largest_bucket = self.stats.largest_bucket.max(u64::from(count));
        }
        self.stats.buckets = self.occupied.len() as u64;
        self.stats.levels = self.levels;
        self.items.resize(self.live.len(), Item { bounds: Aabb::EMPTY, slot: 0 });
        for &slot in &self.live {
            let node = &mut self.nodes[(buckets_start + self.buckets[slot as usize]) as usize];
            let bounds = self.boxes[slot as usize];
            self.items[node.end as usize] = Item { bounds, slot };
            node.bounds = node.bounds.union(&bounds);
            node.end += 1;
        }
    }

    /// Stamps the ancestors of occupied buckets and joins their boxes, level by level up to the root.
    fn pass_stamps_on(&mut self) {
        self.spare_numbers.clear();
        self.spare_numbers.extend_from_slice(&self.occupied);
        for level in (0..self.levels).rev() {
            let (start, start_below) = (level_start(level), level_start(level + 1));
            let mut parents = 0;
            for i in 0..self.spare_numbers.len() {
                let child = self.spare_numbers[i];
                let at = start + (child - start_below) / 8;
                let bounds = self.nodes[child as usize].bounds;
                let parent = &mut self.nodes[at as usize];
                if parent.stamp != self.stamp {
                    let first_child = start_below + 8 * (at - start);
                    *parent = Node { stamp: self.stamp, first_child, ..Node::NEVER };
                    // The list shrinks from the front while it is read further behind: parents are never more.
                    self.spare_numbers[parents] = at;
                    parents += 1;
                }
                parent.bounds = parent.bounds.union(&bounds);
            }
            self.spare_numbers.truncate(parents);
        }
    }

    /// Splits the buckets that hold more than `most`, and what comes of them, while their reference points differ.
    fn split_crowded(&mut self, most: Option<u32>) {
        let most = most.map_or(usize::MAX, |most| most as usize);
        let mut overflow = level_start(self.levels + 1);
        while let Some(at) = self.occupied.pop() {
            let node = self.nodes[at as usize];
            let count = node.range().len();
            if count > most && self.split(at, overflow) {
                let (nodes, stamp) = (&self.nodes, self.stamp);
                self.occupied.extend((overflow..overflow + 8).filter(|&child| nodes[child as usize].stamp == stamp));
                overflow += 8;
                self.stats.splits += 1;
            } else {
                self.stats.largest_leaf = self.stats.largest_leaf.max(count as u64);
            }
        }
    }

    /// Splits one bucket into the eight nodes from `first_child` on; `false` if its reference points coincide.
    fn split(&mut self, at: u32, first_child: u32) -> bool {
        let range = self.nodes[at as usize].range();
        let reference = |item: &Item| self.references[item.slot as usize];
        let bounds = self.items[range.clone()].iter().fold(Aabb::EMPTY, |grown, item| {
            let point = reference(item);
            grown.union(&Aabb::new(point, point))
        });
        let (low, high) = (bounds.min(), bounds.max());
        if low == high {
            return false;
        }
        // Above the middle is strictly above, and the middle must lie strictly below `high`, or nothing would ever be:
        // between two neighbouring numbers it is rounded to one of them.
        let middle: [f32; 3] = std::array::from_fn(|axis| {
            let middle = 0.5 * low[axis] + 0.5 * high[axis];
            if middle < high[axis] { middle } else { low[axis] }
        });
        let octant = |item: &Item| -> usize {
            let point = reference(item);
            (0..3).map(|axis| usize::from(point[axis] > middle[axis]) << axis).sum()
        };
        let mut starts = [0; 9];
        for item in &self.items[range.clone()] {
            starts[octant(item) + 1] += 1;
        }
        starts[0] = range.start;
        for i in 0..8 {
            starts[i + 1] += starts[i];
        }
        let children_end = first_child as usize + 8;
        if self.nodes.len() < children_end {
            self.nodes.resize(children_end, Node::NEVER);
        }
        let children = &mut self.nodes[first_child as usize..children_end];
        for (i, child) in children.iter_mut().enumerate() {
            let stamp = if starts[i] < starts[i + 1] { self.stamp } else { 0 };
            *child = Node { stamp, start: starts[i] as u32, end: starts[i] as u32, ..Node::NEVER };
        }
        self.spare_items.clear();
        self.spare_items.extend_from_slice(&self.items[range]);
        for item in &self.spare_items {
            let child = &mut children[octant(item)];
            self.items[child.end as usize] = *item;
            child.bounds = child.bounds.union(&item.bounds);
            child.end += 1;
        }
        self.nodes[at as usize].first_child = first_child;
        true
    }

    /// The root, if anything is there.
    pub(super) fn root(&self) -> Option<&Node> {
        self.nodes.first().filter(|root| root.stamp == self.stamp)
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// The children of a node that hold something.
    #[inline]
    pub(super) fn children(&self, node: &Node) -> impl Iterator<Item = (u32, &Node)> {
        let first = node.first_child;
        let children = &self.nodes[first as usize..first as usize + 8];
        (first..).zip(children).filter(|(_, child)| child.stamp == self.stamp)
    }

    /// What a bucket holds.
    #[inline]
    pub(super) fn items(&self, bucket: &Node) -> &[Item] {
        &self.items[bucket.range()]
    }

    /// The cell of a node of the octree; the tight box of a node below a bucket that was split.
    pub(super) fn cell(&self, at: u32) -> Aabb {
        let level = (0..=self.levels).find(|&level| at < level_start(level + 1));
        level.map_or_else(|| self.node(at).bounds, |level| self.slabs.cell(level, at - level_start(level)))
    }

    /// Checks what every traversal relies on: each primitive once, in boxes that hold it all the way up.
    #[cfg(test)]
    pub(super) fn validate(&self) {
        let mut seen = Vec::new();
        let mut open: Vec<u32> = self.root().map(|_| 0).into_iter().collect();
        while let Some(at) = open.pop() {
            let node = self.node(at);
            let joined = if node.is_bucket() {
                seen.extend(self.items(node).iter().map(|item| item.slot));
                self.items(node).iter().fold(Aabb::EMPTY, |joined, item| joined.union(&self.boxes[item.slot as usize]))
            } else {
                open.extend(self.children(node).map(|(child, _)| child));
                self.children(node).fold(Aabb::EMPTY, |joined, (_, child)| joined.union(&child.bounds))
            };
            assert_eq!(joined, node.bounds, "node {at}");
        }
        seen.sort_unstable();
        assert_eq!(seen, self.live);
    }

    /// The bucket of each slot, for comparing the two algorithms.
    #[cfg(test)]
    pub(super) fn filed(&self) -> &[u32] {
        &self.buckets
    }
}

/// The number of the first node of a level: 1 + 8 + … + 8^(level − 1).
fn level_start(level: u32) -> u32 {
    ((1 << (3 * level)) - 1) / 7
}
