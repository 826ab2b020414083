//! Walks two trees at once, always opening the larger of two boxes.

use super::sat_lite::SatLite;
use super::{Scratch, Side, Tree, Wanted};
use crate::contact::{Stats, TrianglePair};
use crate::exact::{SharedVertices, has_no_area, self_pair_meets, triangles_meet};
use crate::geom::Aabb;

/// Appends the pairs of triangles of two bodies that meet.
pub(super) fn pairs(
    a: Side<'_, Tree>,
    b: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let (boxes_a, boxes_b) = (&a.tree.boxes, &b.tree.boxes);
    if boxes_a.is_empty() || boxes_b.is_empty() {
        return stats;
    }
    let sat_lite = SatLite::new(a.body.pose(), boxes_a, b.body.pose(), boxes_b);
    let (triangles_a, triangles_b) = (a.body.mesh().triangles(), b.body.mesh().triangles());
    scratch.open.clear();
    scratch.open.push((0, 0));
    while let Some((at_a, at_b)) = scratch.open.pop() {
        let (node_a, node_b) = (boxes_a.node(at_a), boxes_b.node(at_b));
        stats.box_tests += 1;
        if !sat_lite.may_meet(&node_a.bounds, &node_b.bounds) {
            continue;
        }
        if node_a.is_leaf() && node_b.is_leaf() {
            stats.candidates += 1;
            let (i, j) = (node_a.triangle(), node_b.triangle());
            let triangle_a = a.body.corners(triangles_a[i as usize]);
            if triangles_meet(&triangle_a, &b.body.corners(triangles_b[j as usize])) {
                found.push(TrianglePair::new(i, j));
                if wanted == Wanted::First {
                    break;
                }
            }
        } else if node_b.is_leaf() || !node_a.is_leaf() && volume(&node_a.bounds) > volume(&node_b.bounds) {
            scratch.open.extend(node_a.children().map(|child| (child, at_b)));
        } else {
            scratch.open.extend(node_b.children().map(|child| (at_a, child)));
        }
    }
    stats
}

/// Appends the pairs of triangles of one body that collide; one body has one frame, so boxes compare as they are.
pub(super) fn self_pairs(
    side: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let (boxes, body, mesh) = (&side.tree.boxes, side.body, side.body.mesh());
    let sat_lite = SatLite::new(body.pose(), boxes, body.pose(), boxes);
    let corners = |triangle: u32| body.corners(mesh.triangles()[triangle as usize]);
    scratch.open.clear();
    if !boxes.is_empty() {
        scratch.open.push((0, 0));
    }
    while let Some((at_a, at_b)) = scratch.open.pop() {
        let (node_a, node_b) = (boxes.node(at_a), boxes.node(at_b));
        if at_a == at_b {
            for first in node_a.children() {
                scratch.open.extend((first..node_a.children().end).map(|second| (first, second)));
            }
            if node_a.is_leaf() {
                stats.degenerate += u64::from(has_no_area(&corners(node_a.triangle())));
            }
            continue;
        }
        stats.box_tests += 1;
        if !sat_lite.may_meet(&node_a.bounds, &node_b.bounds) {
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
        } else if node_b.is_leaf() || !node_a.is_leaf() && volume(&node_a.bounds) > volume(&node_b.bounds) {
            scratch.open.extend(node_a.children().map(|child| (child, at_b)));
        } else {
            scratch.open.extend(node_b.children().map(|child| (at_a, child)));
        }
    }
    stats
}

fn volume(bounds: &Aabb) -> f32 {
    let size = bounds.high() - bounds.low();
    size.x * size.y * size.z
}
