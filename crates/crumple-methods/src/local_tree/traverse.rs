//! Walks two trees at once, always opening the larger of two boxes.

use glam::Vec4;

use super::sat_lite::SatLite;
use super::{Scratch, Tree};
use crate::groups::list_boxed;
use crate::lanes::BoxLanes;
use crumple::narrow::{Flow, PairTest, SelfTest, Side};
use crumple::{Aabb, Pose};

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(a: Side<'_, Tree>, b: Side<'_, Tree>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
    let (boxes_a, boxes_b) = (&a.tree.boxes, &b.tree.boxes);
    if boxes_a.is_empty() || boxes_b.is_empty() {
        return Flow::Continue(());
    }
    let sat_lite = SatLite::new(a.body.pose(), boxes_a, b.body.pose(), boxes_b);
    let open = &mut scratch.open;
    open.clear();
    open.push((0, 0));
    while let Some((at_a, at_b)) = open.pop() {
        let (node_a, node_b) = (boxes_a.node(at_a), boxes_b.node(at_b));
        test.stats().box_tests += 1;
        if !sat_lite.may_meet(&node_a.bounds, &node_b.bounds) {
            continue;
        }
        if node_a.is_leaf() && node_b.is_leaf() {
            test.candidate(node_a.triangle(), node_b.triangle())?;
        } else if node_b.is_leaf() || !node_a.is_leaf() && node_a.bounds.volume() > node_b.bounds.volume() {
            open.extend(node_a.children().map(|child| (child, at_b)));
        } else {
            open.extend(node_b.children().map(|child| (at_a, child)));
        }
    }
    Flow::Continue(())
}

/// Appends the pairs of triangles of one body that collide.
///
/// One body has one coordinate system, so boxes compare axis by axis. Self-collision is not in the paper; the order of
/// opening is chosen for surfaces, whose every box overlaps its neighbours': both nodes of a pair are opened, pairs of
/// their children are compared before they are put on the stack, without a branch on the outcome, and nodes of few
/// triangles are not opened but compared as groups, in world coordinates.
///
/// Slack: where a pose makes body coordinates differ from the world's, each vertex is rounded once on the way (2^-24 of
/// the body's scale), so that two triangles that share a point may have boxes up to 2^-23 of it apart; the slack itself
/// is subtracted with a rounding of 2^-24. 2^-20 covers both, and the smallest normal number what underflows.
pub(super) fn self_pairs(side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
    let (boxes, body) = (&side.tree.boxes, side.body);
    let is_in_place = body.pose() == Pose::IDENTITY;
    let slack = if is_in_place { 0.0 } else { 2.0f32.powi(-20) * boxes.scale() + f32::MIN_POSITIVE };
    let slack = Vec4::new(slack, slack, slack, 0.0);
    let Scratch { open, items } = scratch;
    open.clear();
    if !boxes.is_empty() {
        open.push((0, 0));
    }
    list_boxed(body, boxes.order(), items);
    test.stats().boxes_fitted += items.len() as u64;
    while let Some((at_a, at_b)) = open.pop() {
        if let (Some(group_a), Some(group_b)) = (boxes.group(at_a), boxes.group(at_b)) {
            if at_a == at_b {
                test.group(&items[group_a])?;
            } else {
                test.groups(&items[group_a], &items[group_b])?;
            }
            continue;
        }
        let (opened_a, opened_b) = (boxes.opened_to_group(at_a), boxes.opened_to_group(at_b));
        for first in opened_a {
            let bounds = &boxes.node(first).bounds;
            let bounds = Aabb::from_corners(bounds.low() - slack, bounds.high() + slack);
            if at_a == at_b {
                open.push((first, first));
            }
            let from = if at_a == at_b { first + 1 } else { opened_b.start };
            test.stats().box_tests += u64::from(opened_b.end - from);
            for second in from..opened_b.end {
                push_if(open, (first, second), bounds.overlaps(&boxes.node(second).bounds));
            }
        }
    }
    Flow::Continue(())
}

/// Pushes a pair of nodes, or not, without a branch.
#[inline]
fn push_if(open: &mut Vec<(u32, u32)>, pair: (u32, u32), is_wanted: bool) {
    open.push(pair);
    open.truncate(open.len() - usize::from(!is_wanted));
}
