//! Finds the buckets of two octrees that overlap, and the candidates in them.
//!
//! Paper: Ganovelli et al. 2000, section 3: of two overlapping inner nodes one is opened, of a bucket and an inner node
//! the inner one, and two buckets are handed on. The paper opens the node of *smaller* volume; most of the literature
//! opens the bigger one, which shrinks the pair faster. Both are here. The bigger is the default: on the bumpy spheres
//! it needs a quarter fewer box tests (`tests/agreement/bucket_tree.rs` prints and compares them).
//!
//! Departs: a primitive is first compared with the whole other bucket, so that what merely shares a bucket with a
//! neighbour costs one test and not one per primitive.

use std::ops::ControlFlow::{self, Continue};

use super::occupancy::{Buckets, Item, Node};
use super::{NodeBoxes, Opening};
use crate::geom::Aabb;
use crate::geom::lanes::bits;
use crate::narrow::Stats;

/// Calls `visit` with the slots of every two primitives of `a` and `b` whose boxes overlap, each pair once.
pub(super) fn candidates(
    (a, b): (&Buckets, &Buckets),
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> Stats {
    let mut stats = Stats { largest_bucket: largest_bucket(a, b), ..Stats::default() };
    bucket_pairs((a, b), opening, NodeBoxes::Tight, open, &mut stats, |node_a, node_b, stats| {
        across((a, node_a), (b, node_b), stats, &mut visit)
    });
    stats
}

/// Calls `visit` with the slots of every two primitives of one octree whose boxes overlap, each pair once.
pub(super) fn self_candidates(
    tree: &Buckets,
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> Stats {
    self_bucket_pairs(tree, opening, open, |node_a, node_b, stats| match node_b {
        Some(node_b) => across((tree, node_a), (tree, node_b), stats, &mut visit),
        None => within(tree, node_a, stats, &mut visit),
    })
}

/// Calls `visit` with every two buckets of one octree whose boxes overlap, each pair once, and with every bucket and
/// nothing, until it breaks off.
pub(super) fn self_bucket_pairs(
    tree: &Buckets,
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    mut visit: impl FnMut(&Node, Option<&Node>, &mut Stats) -> ControlFlow<()>,
) -> Stats {
    let mut stats = Stats { largest_bucket: tree.stats.largest_bucket, ..Stats::default() };
    open.clear();
    open.extend(tree.root().map(|_| (0, 0)));
    while let Some((at_a, at_b)) = open.pop() {
        let (node_a, node_b) = (tree.node(at_a), tree.node(at_b));
        if at_a != at_b {
            if node_a.is_bucket() && node_b.is_bucket() {
                if visit(node_a, Some(node_b), &mut stats).is_break() {
                    break;
                }
            } else {
                open_one((tree, at_a), (tree, at_b), opening, NodeBoxes::Tight, open, &mut stats);
            }
        } else if node_a.is_bucket() {
            if visit(node_a, None, &mut stats).is_break() {
                break;
            }
        } else {
            // A node against itself: its children against themselves and against their later siblings.
            for (first, child) in tree.children(node_a) {
                open.push((first, first));
                for (second, sibling) in tree.children(node_a).filter(|&(second, _)| second > first) {
                    stats.box_tests += 1;
                    if child.bounds.overlaps(&sibling.bounds) {
                        open.push((first, second));
                    }
                }
            }
        }
    }
    stats
}

/// Calls `visit` with every two buckets whose boxes overlap, until it breaks off.
pub(super) fn bucket_pairs(
    (a, b): (&Buckets, &Buckets),
    opening: Opening,
    boxes: NodeBoxes,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
    mut visit: impl FnMut(&Node, &Node, &mut Stats) -> ControlFlow<()>,
) {
    if a.root().is_none() || b.root().is_none() {
        return;
    }
    open.clear();
    stats.box_tests += 1;
    if boxes.of(a, 0).overlaps(&boxes.of(b, 0)) {
        open.push((0, 0));
    }
    while let Some((at_a, at_b)) = open.pop() {
        let (node_a, node_b) = (a.node(at_a), b.node(at_b));
        if node_a.is_bucket() && node_b.is_bucket() {
            if visit(node_a, node_b, stats).is_break() {
                return;
            }
        } else {
            open_one((a, at_a), (b, at_b), opening, boxes, open, stats);
        }
    }
}

/// Opens one of two nodes, not both buckets, and keeps its children that overlap the other.
#[inline]
fn open_one(
    (a, at_a): (&Buckets, u32),
    (b, at_b): (&Buckets, u32),
    opening: Opening,
    boxes: NodeBoxes,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
) {
    let (node_a, node_b) = (a.node(at_a), b.node(at_b));
    let (box_a, box_b) = (boxes.of(a, at_a), boxes.of(b, at_b));
    if opens_a(opening, (node_a, &box_a), (node_b, &box_b)) {
        for (child, _) in a.children(node_a) {
            stats.box_tests += 1;
            if boxes.of(a, child).overlaps(&box_b) {
                open.push((child, at_b));
            }
        }
    } else {
        for (child, _) in b.children(node_b) {
            stats.box_tests += 1;
            if boxes.of(b, child).overlaps(&box_a) {
                open.push((at_a, child));
            }
        }
    }
}

fn opens_a(opening: Opening, (node_a, box_a): (&Node, &Aabb), (node_b, box_b): (&Node, &Aabb)) -> bool {
    if node_a.is_bucket() || node_b.is_bucket() {
        return node_b.is_bucket();
    }
    match opening {
        Opening::Smaller => size(box_a) <= size(box_b),
        Opening::Bigger => size(box_a) >= size(box_b),
    }
}

/// The volume of a box, and the sum of its sides for those that are flat.
fn size(bounds: &Aabb) -> (f64, f64) {
    (bounds.volume(), bounds.extent().iter().map(|&side| f64::from(side)).sum())
}

/// The candidates of two different buckets.
#[inline]
fn across(
    (a, bucket_a): (&Buckets, &Node),
    (b, bucket_b): (&Buckets, &Node),
    stats: &mut Stats,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for item_a in a.items(bucket_a) {
        stats.box_tests += 1;
        if !item_a.bounds.overlaps(&bucket_b.bounds) {
            continue;
        }
        compare(item_a, b.items(bucket_b), stats, visit)?;
    }
    Continue(())
}

/// The candidates of one bucket.
fn within(
    tree: &Buckets,
    bucket: &Node,
    stats: &mut Stats,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let items = tree.items(bucket);
    for (i, item_a) in items.iter().enumerate() {
        compare(item_a, &items[i + 1..], stats, visit)?;
    }
    Continue(())
}

/// The candidates of one primitive and some others.
#[inline]
fn compare(
    item: &Item,
    others: &[Item],
    stats: &mut Stats,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stats.box_tests += others.len() as u64;
    for others in others.chunks(64) {
        let mask = item.bounds.overlap_mask(others.iter().map(|other| &other.bounds));
        stats.candidates += u64::from(mask.count_ones());
        for other in bits(mask) {
            visit(item.slot, others[other].slot)?;
        }
    }
    Continue(())
}

impl NodeBoxes {
    #[inline]
    fn of(self, tree: &Buckets, at: u32) -> Aabb {
        match self {
            Self::Tight => tree.node(at).bounds,
            Self::Cells => tree.cell(at),
        }
    }
}

pub(super) fn largest_bucket(a: &Buckets, b: &Buckets) -> u64 {
    a.stats.largest_bucket.max(b.stats.largest_bucket)
}
