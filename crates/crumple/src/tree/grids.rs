//! The grids on which a walk compares boxes: one for the leaves of clusters, whose boxes are anchored, one for triangles.
//!
//! Any grid will do, as long as both sides are rounded to the same ([`Grid`]). Points are spent where the bodies can meet: on
//! the part of space that both their boxes cover.

use super::TreeSide;
use super::leaf::TriangleBoxes;
use super::nearest::square_bound;
use super::open::Span;
use crate::geom::lanes::{Bounds, Grid, Widening};

/// The grids of one walk.
pub(super) struct Grids {
    /// By how much anchored boxes of the leaves of side a are to be widened, to be compared with those of side b.
    pub(super) widening: Widening,
    pub(super) of_clusters: Grid,
    of_triangles: Grid,
    /// The bound on the square of the distance of boxes, if they need not overlap.
    pub(super) within: Option<f32>,
}

impl Grids {
    pub(super) fn over((a, b): (TreeSide<'_>, TreeSide<'_>), within: f64) -> Self {
        let (of_a, of_b) = (Bounds::of(&a.body.bounds()), Bounds::of(&b.body.bounds()));
        let common = |axis: usize| {
            let low = of_a.min[axis].max(of_b.min[axis]) - within as f32;
            (low, of_a.max[axis].min(of_b.max[axis]) + within as f32)
        };
        let common = Bounds { min: [0, 1, 2].map(|axis| common(axis).0), max: [0, 1, 2].map(|axis| common(axis).1) };
        let widening = Span::Now { distance: within }.widening(a, b);
        let (moved_min, moved_max) = b.tree.anchor.displacements();
        Self {
            widening,
            of_clusters: Grid::over(&common.minus(moved_max, moved_min)),
            of_triangles: Grid::over(&common),
            within: (within > 0.0).then(|| square_bound(within)),
        }
    }

    pub(super) fn triangle_boxes(&self) -> TriangleBoxes<'_> {
        if self.within.is_some() { TriangleBoxes::AsTheyAre } else { TriangleBoxes::OnGrid(&self.of_triangles) }
    }
}
