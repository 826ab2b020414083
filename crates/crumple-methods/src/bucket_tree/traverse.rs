//! Finds the buckets of two octrees that overlap, and the candidates in them.
//!
//! Paper: Ganovelli et al. 2000, section 3: of two overlapping inner nodes one is opened, of a bucket and an inner node
//! the inner one, and two buckets are handed on. The paper opens the node of *smaller* volume; most of the literature
//! opens the bigger one, which shrinks the pair faster. Both are here. The bigger is the default: on the bumpy spheres
//! it needs a quarter fewer box tests (`tests/agreement/bucket_tree.rs` prints and compares them).
//!
//! Both octrees are opened as the descent goes on (`view`).
//!
//! Departs: a primitive is first compared with the whole other bucket, so that what merely shares a bucket with a
//! neighbour costs one test and not one per primitive.

use std::ops::ControlFlow::Continue;

use super::Opening;
use super::view::{Item, Node, View};
use crate::lanes::BoxLanes;
use crumple::Aabb;
use crumple::narrow::{Flow, Stats};

/// Calls `visit` with the slots of every two primitives of `a` and `b` whose boxes overlap, each pair once.
pub(super) fn candidates(
    (a, b): (&mut View<'_, impl Fn(u32) -> Aabb>, &mut View<'_, impl Fn(u32) -> Aabb>),
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
    mut visit: impl FnMut(u32, u32) -> Flow,
) -> Flow {
    bucket_pairs((a, b), opening, open, stats, |(_, items_a), (bucket_b, items_b), stats| {
        across(items_a, (bucket_b, items_b), stats, &mut visit)
    })
}

/// Calls `visit` with the slots of every two primitives of one octree whose boxes overlap, each pair once.
pub(super) fn self_candidates(
    view: &mut View<'_, impl Fn(u32) -> Aabb>,
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
    mut visit: impl FnMut(u32, u32) -> Flow,
) -> Flow {
    self_bucket_pairs(view, opening, open, stats, |(_, items_a), other, stats| match other {
        Some(other) => across(items_a, other, stats, &mut visit),
        None => within(items_a, stats, &mut visit),
    })
}

/// A bucket and what it holds.
pub(super) type Filed<'a> = (&'a Node, &'a [Item]);

/// Calls `visit` with every two buckets of one octree whose boxes overlap, each pair once, and with every bucket and
/// nothing, until it breaks off.
pub(super) fn self_bucket_pairs(
    view: &mut View<'_, impl Fn(u32) -> Aabb>,
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
    mut visit: impl FnMut(Filed<'_>, Option<Filed<'_>>, &mut Stats) -> Flow,
) -> Flow {
    // All of it is reached, so boxes may as well be tight on all levels.
    view.open_everything(stats);
    let filed = |node| -> Filed<'_> { (node, view.items(node)) };
    open.clear();
    open.extend((!view.is_empty()).then_some((0, 0)));
    while let Some((at_a, at_b)) = open.pop() {
        let (node_a, node_b) = (view.node(at_a), view.node(at_b));
        if at_a != at_b {
            if node_a.is_bucket() && node_b.is_bucket() {
                visit(filed(node_a), Some(filed(node_b)), stats)?;
            } else {
                let opens_a = opens_a(opening, node_a, node_b);
                let (opened, other) = if opens_a { (node_a, node_b) } else { (node_b, node_a) };
                for child in opened.children() {
                    stats.box_tests += 1;
                    if view.node(child).bounds.overlaps(&other.bounds) {
                        open.push(if opens_a { (child, at_b) } else { (at_a, child) });
                    }
                }
            }
        } else if node_a.is_bucket() {
            visit(filed(node_a), None, stats)?;
        } else {
            // A node against itself: its children against themselves and against their later siblings.
            for first in node_a.children() {
                open.push((first, first));
                for second in first + 1..node_a.children().end {
                    stats.box_tests += 1;
                    if view.node(first).bounds.overlaps(&view.node(second).bounds) {
                        open.push((first, second));
                    }
                }
            }
        }
    }
    Continue(())
}

/// Calls `visit` with every two buckets whose boxes overlap, until it breaks off.
pub(super) fn bucket_pairs(
    (a, b): (&mut View<'_, impl Fn(u32) -> Aabb>, &mut View<'_, impl Fn(u32) -> Aabb>),
    opening: Opening,
    open: &mut Vec<(u32, u32)>,
    stats: &mut Stats,
    mut visit: impl FnMut(Filed<'_>, Filed<'_>, &mut Stats) -> Flow,
) -> Flow {
    if a.is_empty() || b.is_empty() {
        return Continue(());
    }
    open.clear();
    stats.box_tests += 1;
    if a.node(0).bounds.overlaps(&b.node(0).bounds) {
        open.push((0, 0));
    }
    while let Some((at_a, at_b)) = open.pop() {
        let (node_a, node_b) = (a.node(at_a), b.node(at_b));
        if node_a.is_bucket() && node_b.is_bucket() {
            visit((node_a, a.items(node_a)), (node_b, b.items(node_b)), stats)?;
        } else if opens_a(opening, node_a, node_b) {
            let bounds = node_b.bounds;
            a.open(at_a, &bounds, stats, |child| open.push((child, at_b)));
        } else {
            let bounds = node_a.bounds;
            b.open(at_b, &bounds, stats, |child| open.push((at_a, child)));
        }
    }
    Continue(())
}

/// Which of two nodes, not both buckets, is opened.
#[inline]
fn opens_a(opening: Opening, a: &Node, b: &Node) -> bool {
    if a.is_bucket() || b.is_bucket() {
        return b.is_bucket();
    }
    match opening {
        Opening::Smaller => a.size <= b.size,
        Opening::Bigger => a.size >= b.size,
    }
}

/// The candidates of two different buckets.
#[inline]
fn across(
    items_a: &[Item],
    (bucket_b, items_b): Filed<'_>,
    stats: &mut Stats,
    visit: &mut impl FnMut(u32, u32) -> Flow,
) -> Flow {
    stats.box_tests += items_a.len() as u64;
    for item_a in items_a {
        if item_a.bounds.overlaps(&bucket_b.bounds) {
            compare(item_a, items_b, stats, visit)?;
        }
    }
    Continue(())
}

/// The candidates of one bucket.
fn within(items: &[Item], stats: &mut Stats, visit: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
    for (i, item_a) in items.iter().enumerate() {
        compare(item_a, &items[i + 1..], stats, visit)?;
    }
    Continue(())
}

/// The candidates of one primitive and some others.
#[inline]
fn compare(item: &Item, others: &[Item], stats: &mut Stats, visit: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
    stats.box_tests += others.len() as u64;
    for others in others.chunks(64) {
        let mut mask = item.bounds.overlap_mask(others.iter().map(|other| &other.bounds));
        stats.candidates += u64::from(mask.count_ones());
        while mask != 0 {
            visit(item.triangle.0, others[mask.trailing_zeros() as usize].triangle.0)?;
            mask &= mask - 1;
        }
    }
    Continue(())
}
