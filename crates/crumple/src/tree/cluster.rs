//! The boxes of the leaves of a cluster, kept by the thread that asked: for trees that do not keep them in this frame
//! ([`super::refit`]), fitted when a walk gets there; for walks that compare boxes on a grid ([`super::grids`]), rounded.

use crate::geom::lanes::vectors::*;

use super::TreeSide;
use super::open::InUse;
use super::slots::SlotTable;
use crate::geom::lanes::{Boxes8, Grid, GridBoxes8, Vec8, Widening};

/// The clusters of one body that a thread has fetched in one frame.
#[derive(Debug, Default)]
pub(super) struct ClusterCache {
    slots: SlotTable,
    boxes: Vec<Boxes8>,
}

impl ClusterCache {
    /// Forgets everything, for a body with `clusters` clusters.
    pub(super) fn clear(&mut self, clusters: usize) {
        self.slots.clear(clusters);
    }

    /// The anchored boxes of the leaves of a cluster.
    #[inline(always)]
    pub(super) fn fetch<'a, S: Simd>(&'a mut self, simd: S, side: TreeSide<'a>, cluster: u32) -> &'a Boxes8 {
        if side.tree.keeps_leaves() {
            return &side.tree.levels[0][cluster as usize];
        }
        let taken = self.slots.len();
        let slot = self.slots.slot(cluster) as usize;
        if self.slots.len() > taken {
            if slot == self.boxes.len() {
                self.boxes.push(Boxes8::EMPTY);
            }
            let (min, max) = side.tree.fitted_leaves(simd, cluster as usize, side.body);
            self.boxes[slot] = Boxes8::of(min, max);
        }
        &self.boxes[slot]
    }
}

/// The boxes of the leaves of clusters that a thread has reached in one frame, on a grid, by the slots of the clusters.
#[derive(Debug, Default)]
pub(super) struct ClustersOnGrid {
    boxes: Vec<GridBoxes8>,
}

impl ClustersOnGrid {
    pub(super) fn clear(&mut self) {
        self.boxes.clear();
    }

    /// Rounds the boxes of the clusters that have got a slot since the last time, widened first. Compiled once per level for
    /// all walks.
    #[inline(never)]
    pub(super) fn round_new<S: Simd>(
        &mut self,
        simd: S,
        side: TreeSide<'_>,
        slots: &SlotTable,
        widening: Option<&Widening>,
        grid: &Grid,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                for slot in self.boxes.len()..slots.len() {
                    let cluster = slots.item(slot as u32) as usize;
                    self.boxes.push(rounded(simd, side, cluster, widening, grid));
                }
            },
        );
    }

    /// The boxes by the slots of the clusters.
    pub(super) fn boxes(&self) -> &[GridBoxes8] {
        &self.boxes
    }
}

/// The boxes of the leaves of a cluster on a grid, widened first.
#[inline(always)]
fn rounded<S: Simd>(
    simd: S,
    side: TreeSide<'_>,
    cluster: usize,
    widening: Option<&Widening>,
    grid: &Grid,
) -> GridBoxes8 {
    let (mut min, mut max) = if side.tree.keeps_leaves() {
        side.tree.levels[0][cluster].corners(simd)
    } else {
        side.tree.fitted_leaves(simd, cluster, side.body)
    };
    if let Some(by) = widening {
        (min, max) = (min.minus(Vec8::splat(simd, by.below)), max.plus(Vec8::splat(simd, by.above)));
    }
    let in_use = InUse::of(side.tree.arrangement.leaf_count()).in_group(cluster as u32);
    GridBoxes8::of(simd, min, max, in_use as u8, grid)
}

#[cfg(test)]
mod tests {
    use crate::body::Body;
    use crate::mesh::Mesh;
    use crate::narrow::brute::BruteForce;
    use crate::narrow::wide_tree::WideTree;
    use crate::narrow::{PairMethod, Search, Side, Wanted};

    const SIDE: u32 = 48;

    /// A sheet of waves that leap from frame to frame, upright or lying.
    fn sheet(frame: u32, upright: bool) -> Vec<[f32; 3]> {
        let point = |at: u32| {
            let (x, y) = ((at % (SIDE + 1)) as f32 / SIDE as f32, (at / (SIDE + 1)) as f32 / SIDE as f32);
            let wave = 0.15 * (5.0 * x + 2.1 * frame as f32).sin() * (4.0 * y + frame as f32).cos();
            if upright { [x, 0.5 + wave, y - 0.5] } else { [x, y, wave] }
        };
        (0..(SIDE + 1).pow(2)).map(point).collect()
    }

    fn triangles() -> Vec<[u32; 3]> {
        let square = |at: u32| {
            let (corner, up) = (at / SIDE * (SIDE + 1) + at % SIDE, SIDE + 1);
            [[corner, corner + 1, corner + up], [corner + 1, corner + up + 1, corner + up]]
        };
        (0..SIDE * SIDE).flat_map(square).collect()
    }

    #[test]
    fn wild_motion_changes_no_answer() {
        let method = WideTree::default();
        let mut bodies = [false, true].map(|upright| {
            let mesh = Mesh::new((SIDE + 1).pow(2) as usize, triangles()).unwrap();
            Body::new(mesh, &sheet(0, upright)).unwrap()
        });
        let mut trees = bodies.each_ref().map(|body| method.build(body));
        let (mut search, mut by_brute_force) = (Search::default(), Search::default());
        let mut wild_frames = 0;
        for frame in 1..24 {
            for (at, (body, tree)) in bodies.iter_mut().zip(&mut trees).enumerate() {
                body.set_positions(&sheet(frame, at == 1)).unwrap();
                method.update(tree, body);
                wild_frames += usize::from(!tree.keeps_leaves());
            }
            let side = |at: usize| Side { body: &bodies[at], tree: &trees[at] };
            let plain = |at: usize| Side { body: &bodies[at], tree: &() };
            for (a, b) in [(0, 1), (0, 0)] {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                if a == b {
                    search.self_pairs(&method, side(a), Wanted::All, &mut found);
                    by_brute_force.self_pairs(&BruteForce, plain(a), Wanted::All, &mut expected);
                } else {
                    search.pairs(&method, (side(a), side(b)), Wanted::All, &mut found);
                    by_brute_force.pairs(&BruteForce, (plain(a), plain(b)), Wanted::All, &mut expected);
                }
                assert!(a == b || !expected.is_empty());
                assert_eq!(found, expected, "frame {frame}");
            }
        }
        // The first body is asked about itself, so that it keeps its leaves; the second leaps.
        assert!(wild_frames > 5, "only {wild_frames} frames were wild");
    }
}
