//! A walk that looks for what is nearest: pairs of leaves in the order of their distance, until no other can be nearer.
//!
//! Branch and bound. A pair of nodes is opened into the pairs of its children, eight boxes against eight without a branch,
//! and those nearer than the bound are opened next, the nearest first. Each pair of leaves reached goes to the question,
//! which lowers the bound. With a good bound from the start — the triangles that were nearest in the last frame — little
//! more than the pairs of leaves within it is looked at.
//!
//! Of trees of different depth the deeper one is opened alone, its boxes against those at the top of the other.
//!
//! The distance of two boxes is never more than that of what they hold: anchored boxes are widened as for the walk that
//! looks for overlaps ([`super::anchor`]), which leaves gaps g too small by more than all roundings before; a gap, its
//! square and the sum of three squares take six more roundings of 2^-24 each, and squares below 2^-126 lose up to 2^-149. So
//! what is not farther than a distance r has a computed square of at most r² (1 + 2^-20) + 2^-120; see [`square_bound`].
//!
//! Cost: O(64) per pair of nodes opened; no allocation once the lists have grown.
//! Held by: `tests/behaviour/distance`.

use super::TreeSide;
use super::build::WIDTH;
use super::cluster::ClusterCache;
use super::leaf::LeafCache;
use super::open::{InUse, Span, squared};
use super::walk::{Leaves, triangles_in_use};
use crate::geom::lanes::{Boxes8, Simd, Squares, bits, dispatch};
use crate::work::spend;

/// Eight boxes against eight, and what is near in order.
const STEPS_PER_PAIR_OF_NODES: usize = 80;

/// What is looked for.
pub(crate) trait NearestQuestion {
    /// Pairs whose boxes have a larger square of their distance need not be looked at; never grows.
    fn bound(&self) -> f32;

    /// Whether the walk can end.
    fn is_done(&self) -> bool;

    /// Takes in the pairs of triangles of two leaves, given by their slots in `leaves`, whose boxes are within the bound:
    /// bit 8 · row + lane; `squares` has the squares of the distances of their boxes.
    fn take<S: Simd>(&mut self, simd: S, leaves: &Leaves<'_>, slots: (u32, u32), near: u64, squares: &Squares);
}

/// A bound for the squares of the distances of boxes of things that are not farther apart than `distance`.
pub(crate) fn square_bound(distance: f64) -> f32 {
    let square = distance * distance * (1.0 + 2f64.powi(-19)) + 2f64.powi(-119);
    // To f32 it may be rounded down, but not by that much.
    square as f32
}

/// A pair of nodes to be opened, by the groups of their children and the levels of these.
#[derive(Clone, Copy, Debug)]
struct NodePair {
    square: f32,
    groups: (u32, u32),
    levels: (u8, u8),
    /// Both are leaves.
    are_leaves: bool,
}

/// Working memory of walks to what is nearest.
#[derive(Debug, Default)]
pub(crate) struct NearestMemory {
    stack: Vec<NodePair>,
    clusters: [ClusterCache; 2],
    leaves: [LeafCache; 2],
}

/// Hands pairs of leaves of two bodies to a question, until nothing can be within its bound that it has not seen.
pub(crate) fn walk_nearest<Q: NearestQuestion>(
    question: &mut Q,
    sides: (TreeSide<'_>, TreeSide<'_>),
    memory: &mut NearestMemory,
) {
    dispatch!(sides.0.tree.simd, simd => memory.run(simd, question, sides));
}

impl NearestMemory {
    #[inline(always)]
    fn run<S: Simd, Q: NearestQuestion>(&mut self, simd: S, question: &mut Q, (a, b): (TreeSide<'_>, TreeSide<'_>)) {
        if a.tree.triangle_count() == 0 || b.tree.triangle_count() == 0 {
            return;
        }
        for (cache, side) in self.clusters.iter_mut().zip([a, b]) {
            cache.clear(side.tree.arrangement.cluster_count());
        }
        for (cache, side) in self.leaves.iter_mut().zip([a, b]) {
            cache.clear(side.tree.arrangement.cluster_count());
        }
        let tops = ((a.tree.levels.len() - 1) as u8, (b.tree.levels.len() - 1) as u8);
        let mut leaf_pairs = 0;
        self.stack.clear();
        self.stack.push(NodePair { square: 0.0, groups: (0, 0), levels: tops, are_leaves: false });
        while let Some(pair) = self.stack.pop() {
            if pair.square > question.bound() {
                continue;
            }
            if pair.are_leaves {
                leaf_pairs += 1;
                self.compare_leaves(simd, question, (a, b), pair.groups);
                if question.is_done() {
                    break;
                }
            } else {
                self.open(simd, (a, b), pair, question.bound());
            }
        }
        a.tree.wear.note(leaf_pairs, 0);
        b.tree.wear.note(leaf_pairs, 0);
    }

    /// Opens a pair of nodes: puts the pairs of their children within the bound on the stack, the nearest on top.
    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, (a, b): (TreeSide<'_>, TreeSide<'_>), pair: NodePair, bound: f32) {
        let Self { stack, clusters: [clusters_a, clusters_b], .. } = self;
        let ((group_a, group_b), (level_a, level_b)) = (pair.groups, pair.levels);
        if (level_a, level_b) == (0, 0) {
            a.tree.note_reached(group_a);
            b.tree.note_reached(group_b);
        }
        let boxes_a = group(simd, a, clusters_a, group_a, level_a);
        let boxes_b = group(simd, b, clusters_b, group_b, level_b);
        spend(STEPS_PER_PAIR_OF_NODES);
        let widened = boxes_a.widened(simd, &Span::Now { distance: 0.0 }.widening(a, b));
        let (near, squares) = widened.squares(simd, boxes_b, bound);
        let lanes_of =
            |side: TreeSide<'_>, level: u8, group: u32| InUse::of(side.tree.level(level.into()).1).in_group(group);
        let near = near & squared(lanes_of(a, level_a, group_a), lanes_of(b, level_b, group_b));
        let first = stack.len();
        if level_a == level_b {
            let levels = (level_a.saturating_sub(1), level_b.saturating_sub(1));
            for bit in bits(near) {
                let (row, lane) = (bit / WIDTH, bit % WIDTH);
                let groups = (child(group_a, row), child(group_b, lane));
                stack.push(NodePair { square: squares.0[row][lane], groups, levels, are_leaves: level_a == 0 });
            }
        } else {
            // Of the deeper tree each child, against the nearest of the other's.
            for at in 0..WIDTH {
                let of_a = level_a > level_b;
                let mask = if of_a { near >> (WIDTH * at) & 0xff } else { near >> at & 0x0101_0101_0101_0101 };
                if mask == 0 {
                    continue;
                }
                let square = |bit: usize| if of_a { squares.0[at][bit] } else { squares.0[bit / WIDTH][at] };
                let square = bits(mask).map(square).fold(f32::INFINITY, f32::min);
                stack.push(if of_a {
                    let groups = (child(group_a, at), group_b);
                    NodePair { square, groups, levels: (level_a - 1, level_b), are_leaves: false }
                } else {
                    let groups = (group_a, child(group_b, at));
                    NodePair { square, groups, levels: (level_a, level_b - 1), are_leaves: false }
                });
            }
        }
        stack[first..].sort_unstable_by(|one, other| {
            other.square.total_cmp(&one.square).then_with(|| other.groups.cmp(&one.groups))
        });
    }

    /// Hands two leaves to the question.
    #[inline(always)]
    fn compare_leaves<S: Simd, Q: NearestQuestion>(
        &mut self,
        simd: S,
        question: &mut Q,
        (a, b): (TreeSide<'_>, TreeSide<'_>),
        (leaf_a, leaf_b): (u32, u32),
    ) {
        let [leaves_a, leaves_b] = &mut self.leaves;
        let (slot_a, slot_b) = (leaves_a.fetch(simd, a, leaf_a), leaves_b.fetch(simd, b, leaf_b));
        let (near, squares) = leaves_a.boxes(slot_a).squares(simd, leaves_b.boxes(slot_b), question.bound());
        let near = near & triangles_in_use((a.tree, leaf_a), (b.tree, leaf_b));
        spend(STEPS_PER_PAIR_OF_NODES);
        let leaves = Leaves::new(leaves_a, leaves_b);
        question.take(simd, &leaves, (slot_a, slot_b), near, &squares);
    }
}

/// The number of a child of a group.
fn child(group: u32, lane: usize) -> u32 {
    group * WIDTH as u32 + lane as u32
}

/// The anchored boxes of a group of eight nodes of a level.
#[inline(always)]
fn group<'a, S: Simd>(
    simd: S,
    side: TreeSide<'a>,
    clusters: &'a mut ClusterCache,
    group: u32,
    level: u8,
) -> &'a Boxes8 {
    if level == 0 { clusters.fetch(simd, side, group) } else { &side.tree.levels[usize::from(level)][group as usize] }
}
