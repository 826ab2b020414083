//! Walks two trees at once and tests the triangles of leaves that meet.
//!
//! Departs: the paper leaves open which of two overlapping nodes is opened. Here both are: the children of `b` that
//! reach the box of `a` are listed once, then each child of `a` that reaches the box of `b` is held against that list.
//! At degree eight this needs far fewer box tests than opening one side at a time, whose every step repeats the other.

use super::refit::Boxes;
use super::{Scratch, Side, Tree, Wanted};
use crate::contact::{Stats, TrianglePair};
use crate::exact::{SharedVertices, self_pair_meets, triangles_meet};

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(
    (a, boxes_a): (Side<'_, Tree>, &mut Boxes),
    (b, boxes_b): (Side<'_, Tree>, &mut Boxes),
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    (boxes_a.fitted, boxes_b.fitted) = (0, 0);
    let (Some(root_a), Some(root_b)) = (boxes_a.root(a.body), boxes_b.root(b.body)) else {
        return stats;
    };
    stats.box_tests += 1;
    scratch.open.clear();
    if root_a.overlaps(&root_b) {
        scratch.open.push((0, 0));
    }
    let (triangles_a, triangles_b) = (a.body.mesh().triangles(), b.body.mesh().triangles());
    while let Some((at_a, at_b)) = scratch.open.pop() {
        let (node_a, node_b) = (*boxes_a.node(at_a), *boxes_b.node(at_b));
        if node_a.is_leaf() && node_b.is_leaf() {
            stats.candidates += 1;
            let (i, j) = (node_a.triangle(), node_b.triangle());
            let triangle_a = a.body.corners(triangles_a[i as usize]);
            let triangle_b = b.body.corners(triangles_b[j as usize]);
            if triangles_meet(&triangle_a, &triangle_b) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    break;
                }
            }
            continue;
        }
        scratch.reached.clear();
        if node_b.is_leaf() {
            scratch.reached.push(at_b);
        }
        for child in node_b.children() {
            stats.box_tests += 1;
            if boxes_b.fit(child, b.body).overlaps(&node_a.bounds) {
                scratch.reached.push(child);
            }
        }
        // A leaf on the side of `a` stands for itself.
        let opened = if node_a.is_leaf() { at_a..at_a + 1 } else { node_a.children() };
        for child_a in opened {
            let bounds = boxes_a.fit(child_a, a.body);
            stats.box_tests += 1;
            if !bounds.overlaps(&node_b.bounds) {
                continue;
            }
            for &child_b in &scratch.reached {
                stats.box_tests += 1;
                if bounds.overlaps(&boxes_b.node(child_b).bounds) {
                    scratch.open.push((child_a, child_b));
                }
            }
        }
    }
    stats.boxes_fitted += boxes_a.fitted + boxes_b.fitted;
    stats
}

/// Appends the pairs of triangles of one body that collide.
///
/// A node against itself opens into its children against themselves and against their later brothers, so that no pair
/// of nodes is met twice.
pub(super) fn self_pairs(
    side: Side<'_, Tree>,
    boxes: &mut Boxes,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    boxes.fitted = 0;
    scratch.open.clear();
    if boxes.root(side.body).is_some() {
        scratch.open.push((0, 0));
    }
    let (body, mesh) = (side.body, side.body.mesh());
    let corners = |triangle: u32| body.corners(mesh.triangles()[triangle as usize]);
    while let Some((at_a, at_b)) = scratch.open.pop() {
        let (node_a, node_b) = (*boxes.node(at_a), *boxes.node(at_b));
        if at_a == at_b {
            let children = node_a.children();
            for first in children.clone() {
                let bounds = boxes.fit(first, body);
                scratch.open.push((first, first));
                for second in first + 1..children.end {
                    stats.box_tests += 1;
                    if bounds.overlaps(&boxes.fit(second, body)) {
                        scratch.open.push((first, second));
                    }
                }
            }
            if node_a.is_leaf() {
                stats.degenerate += u64::from(crate::exact::has_no_area(&corners(node_a.triangle())));
            }
            continue;
        }
        if node_a.is_leaf() && node_b.is_leaf() {
            stats.candidates += 1;
            let (i, j) = (node_a.triangle().min(node_b.triangle()), node_a.triangle().max(node_b.triangle()));
            let (a, b) = (corners(i), corners(j));
            let vertices = |triangle: u32| mesh.welded_triangles()[triangle as usize];
            if self_pair_meets(&a, &b, SharedVertices::between(&a, vertices(i), &b, vertices(j))) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    break;
                }
            }
            continue;
        }
        let opened_a = if node_a.is_leaf() { at_a..at_a + 1 } else { node_a.children() };
        let opened_b = if node_b.is_leaf() { at_b..at_b + 1 } else { node_b.children() };
        scratch.reached.clear();
        for child in opened_b {
            stats.box_tests += 1;
            if boxes.fit(child, body).overlaps(&node_a.bounds) {
                scratch.reached.push(child);
            }
        }
        for child_a in opened_a {
            let bounds = boxes.fit(child_a, body);
            stats.box_tests += 1;
            if !bounds.overlaps(&node_b.bounds) {
                continue;
            }
            for &child_b in &scratch.reached {
                stats.box_tests += 1;
                if bounds.overlaps(&boxes.node(child_b).bounds) {
                    scratch.open.push((child_a, child_b));
                }
            }
        }
    }
    stats.boxes_fitted += boxes.fitted;
    stats
}
