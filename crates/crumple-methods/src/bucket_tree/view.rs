//! An octree as one query sees it: the nodes it has opened, and the primitives of the buckets it has reached.
//!
//! Primitives are copied into their buckets here, with their boxes, when a query reaches a bucket for the first time; what is far
//! from the other body is never read. The query owns this memory, so a body's octree serves any number of queries
//! at the same time, each with the part of it that the other body is near to.
//!
//! ```text
//! root ─ opened ─┬─ not opened                 a cell, larger by what primitives reach
//!                └─ opened ─┬─ bucket          the tight box of its primitives that reach the other body
//!                           └─ not filed
//! ```
//!
//! Departs, for the weakness the paper names in section 4 (most primitives in one bucket): a bucket that holds more than
//! `split_above` is an octree of one level over the box of the middles of its own primitives, and so are its children. Only
//! primitives that coincide in these stay together.
//!
//! Cost: O(1) per node opened and per primitive in a bucket reached, each at most once per query; the cell of a node is
//! looked up once, not once per box test.

use std::ops::Range;

use glam::Vec4;

use super::buckets::Buckets;
use super::slabs::Cells;
use crate::lanes::BoxLanes;
use crumple::narrow::{Boxed, Stats};
use crumple::{Aabb, TriangleId};

/// Not opened or not filed yet.
const NOT_YET: u32 = u32::MAX;

/// A node of an octree that a query knows of: 64 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    /// The volume of the box, and the sum of its sides for those that are flat.
    pub(super) size: [f32; 2],
    /// The nodes below it. A bucket has none, and 0, which is the root, for the first of them.
    first_child: u32,
    end_child: u32,
    /// What a bucket holds, as a range of the items.
    start: u32,
    end: u32,
    /// Its number on its level, and its slab numbers there.
    number: u32,
    slabs: [u8; 3],
    level: u8,
}

impl Node {
    fn new(bounds: Aabb, (level, number, slabs): (u8, u32, [u8; 3])) -> Self {
        let size = size(&bounds);
        Self { bounds, size, first_child: NOT_YET, end_child: NOT_YET, start: 0, end: 0, number, slabs, level }
    }

    pub(super) fn is_bucket(&self) -> bool {
        self.first_child == 0
    }

    /// The nodes below an opened node.
    pub(super) fn children(&self) -> Range<u32> {
        self.first_child..self.end_child
    }

    /// How many primitives a bucket holds.
    pub(super) fn len(&self) -> usize {
        self.range().len()
    }

    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn set_bounds(&mut self, bounds: Aabb) {
        (self.bounds, self.size) = (bounds, size(&bounds));
    }
}

fn size(bounds: &Aabb) -> [f32; 2] {
    [bounds.volume() as f32, bounds.extent().iter().sum()]
}

/// A primitive in its bucket; its slot stands for the number of a triangle, which it is where primitives are triangles.
pub(super) type Item = Boxed;

/// Working memory of a view.
#[derive(Debug, Default)]
pub(super) struct ViewMemory {
    nodes: Vec<Node>,
    items: Vec<Item>,
    spare: Vec<Item>,
}

/// What a view shows of a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown<BoundsOf> {
    /// Its primitives with their boxes: the view is of loose cells and tight boxes, and nothing is ever missed.
    Primitives(BoundsOf),
    /// How many there are: the view is of the cells as they are in the paper.
    Counts,
}

/// An octree during one query. What lies beyond `region` is left out.
#[derive(Debug)]
pub(super) struct View<'a, BoundsOf> {
    tree: &'a Buckets,
    cells: &'a Cells,
    shown: Shown<BoundsOf>,
    region: Aabb,
    split_above: usize,
    memory: &'a mut ViewMemory,
}

impl<'a, BoundsOf: Fn(u32) -> Aabb> View<'a, BoundsOf> {
    /// Begins with the root, if it reaches the region. `bounds_of` gives the box of the primitive in a slot, the same as in the last update.
    pub(super) fn of_primitives(
        tree: &'a Buckets,
        bounds_of: BoundsOf,
        region: Aabb,
        split_above: Option<u32>,
        memory: &'a mut ViewMemory,
    ) -> Self {
        Self::new(tree, &tree.loose, Shown::Primitives(bounds_of), region, split_above, memory)
    }

    pub(super) fn new(
        tree: &'a Buckets,
        cells: &'a Cells,
        shown: Shown<BoundsOf>,
        region: Aabb,
        split_above: Option<u32>,
        memory: &'a mut ViewMemory,
    ) -> Self {
        memory.nodes.clear();
        memory.items.clear();
        let root = cells.cell(0, [0; 3]);
        if !tree.is_empty() && root.overlaps(&region) {
            memory.nodes.push(Node::new(root, (0, 0, [0; 3])));
        }
        let split_above = split_above.map_or(usize::MAX, |most| most as usize);
        Self { tree, cells, shown, region, split_above, memory }
    }

    /// Whether there is nothing in the region.
    pub(super) fn is_empty(&self) -> bool {
        self.memory.nodes.is_empty()
    }

    #[inline]
    pub(super) fn node(&self, at: u32) -> &Node {
        &self.memory.nodes[at as usize]
    }

    /// What a bucket holds; nothing in a view of counts.
    #[inline]
    pub(super) fn items(&self, bucket: &Node) -> &[Item] {
        self.memory.items.get(bucket.range()).unwrap_or_default()
    }

    /// Opens a node and calls `each` with the nodes below it that overlap a box; buckets among them are filed.
    #[inline]
    pub(super) fn open(&mut self, at: u32, overlapping: &Aabb, stats: &mut Stats, mut each: impl FnMut(u32)) {
        if self.node(at).first_child == NOT_YET {
            self.look_up_children(at, stats);
        }
        for child in self.node(at).children() {
            stats.box_tests += 1;
            let node = self.node(child);
            if node.bounds.overlaps(overlapping) && (!self.is_due(node) || self.file(child, overlapping, stats)) {
                each(child);
            }
        }
    }

    /// Opens all nodes, files all buckets, and makes all boxes tight.
    pub(super) fn open_everything(&mut self, stats: &mut Stats) {
        let everything = self.region;
        let mut at = 0;
        while at < self.memory.nodes.len() {
            if self.node(at as u32).first_child == NOT_YET {
                self.open(at as u32, &everything, stats, |_| {});
            }
            at += 1;
        }
        // Nodes below a node come after it.
        for at in (0..at).rev() {
            let node = self.memory.nodes[at];
            if !node.is_bucket() {
                let below = &self.memory.nodes[node.first_child as usize..node.end_child as usize];
                let joined = below.iter().fold(Aabb::EMPTY, |joined, child| joined.union(&child.bounds));
                self.memory.nodes[at].set_bounds(joined);
            }
        }
    }

    /// Whether a node is a bucket that has not been filed.
    #[inline]
    fn is_due(&self, node: &Node) -> bool {
        node.first_child == NOT_YET && u32::from(node.level) == self.tree.occupancy.levels()
    }

    fn look_up_children(&mut self, at: u32, stats: &mut Stats) {
        let node = self.memory.nodes[at as usize];
        let first_child = self.memory.nodes.len() as u32;
        let (level, first) = (node.level + 1, 8 * node.number);
        for octant in 0..8u8 {
            let number = first + u32::from(octant);
            if self.tree.occupancy.holds(level.into(), number) {
                let slabs = std::array::from_fn(|axis| 2 * node.slabs[axis] + (octant >> axis & 1));
                let cell = self.cells.cell(level.into(), slabs);
                stats.box_tests += 1;
                if cell.overlaps(&self.region) {
                    self.memory.nodes.push(Node::new(cell, (level, number, slabs)));
                }
            }
        }
        let end_child = self.memory.nodes.len() as u32;
        let node = &mut self.memory.nodes[at as usize];
        (node.first_child, node.end_child) = (first_child, end_child);
    }

    /// Copies the primitives of a bucket that reach the region; returns whether their box overlaps another one.
    fn file(&mut self, at: u32, overlapping: &Aabb, stats: &mut Stats) -> bool {
        let node = &mut self.memory.nodes[at as usize];
        (node.first_child, node.end_child) = (0, 0);
        let Shown::Primitives(bounds_of) = &self.shown else {
            node.end = self.tree.occupancy.count(node.number);
            return true;
        };
        let items = &mut self.memory.items;
        let mut joined = Aabb::EMPTY;
        node.start = items.len() as u32;
        for slot in self.tree.occupancy.primitives(node.number) {
            stats.boxes_fitted += 1;
            stats.box_tests += 1;
            let bounds = bounds_of(slot);
            if bounds.overlaps(&self.region) {
                joined = joined.union(&bounds);
                items.push(Item { bounds, triangle: TriangleId(slot) });
            }
        }
        node.end = items.len() as u32;
        node.set_bounds(joined);
        stats.box_tests += 1;
        let reaches = joined.overlaps(overlapping);
        if node.len() > self.split_above {
            let mut next = self.memory.nodes.len();
            self.split(at);
            while next < self.memory.nodes.len() {
                if self.memory.nodes[next].len() > self.split_above {
                    self.split(next as u32);
                }
                next += 1;
            }
        }
        reaches
    }

    /// Splits a bucket, unless its primitives coincide.
    fn split(&mut self, at: u32) {
        let ViewMemory { nodes, items, spare } = &mut *self.memory;
        let bucket = nodes[at as usize];
        // By the middles of boxes. Those of the smallest numbers are rounded to one; then by their lower corners.
        let mut weights = [0.5, 0.5];
        let point = |item: &Item, [low, high]: [f32; 2]| low * item.bounds.low() + high * item.bounds.high();
        let box_of = |weights| {
            items[bucket.range()].iter().fold(Aabb::EMPTY, |grown, item| grown.with_vertex(point(item, weights)))
        };
        let mut bounds: Aabb = box_of(weights);
        if bounds.low() == bounds.high() {
            weights = [1.0, 0.0];
            bounds = box_of(weights);
        }
        let (low, high) = (bounds.low(), bounds.high());
        if low == high {
            return;
        }
        // Above the middle is strictly above, and the middle must lie strictly below `high`, or nothing would ever be:
        // between two neighbouring numbers it is rounded to one of them.
        let middle = bounds.middle();
        let middle = Vec4::select(middle.cmplt(high), middle, low);
        let octant = |item: &Item| point(item, weights).cmpgt(middle).bitmask() as usize % 8;
        let mut starts = [0; 9];
        for item in &items[bucket.range()] {
            starts[octant(item) + 1] += 1;
        }
        starts[0] = bucket.start;
        for i in 0..8 {
            starts[i + 1] += starts[i];
        }
        spare.clear();
        spare.extend_from_slice(&items[bucket.range()]);
        let mut ends = starts;
        let mut boxes = [Aabb::EMPTY; 8];
        for item in &*spare {
            let octant = octant(item);
            items[ends[octant] as usize] = *item;
            boxes[octant] = boxes[octant].union(&item.bounds);
            ends[octant] += 1;
        }
        let first_child = nodes.len() as u32;
        for octant in (0..8).filter(|&octant| starts[octant] < starts[octant + 1]) {
            let place = (bucket.level, bucket.number, bucket.slabs);
            let (start, end) = (starts[octant], starts[octant + 1]);
            nodes.push(Node { first_child: 0, end_child: 0, start, end, ..Node::new(boxes[octant], place) });
        }
        let end_child = nodes.len() as u32;
        (nodes[at as usize].first_child, nodes[at as usize].end_child) = (first_child, end_child);
    }
}
