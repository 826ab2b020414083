//! GJK and the cut in one loop: drops triangles that cannot meet anything, and may find that nothing is left.
//!
//! Paper: Hatab & Kheddar 2006, algorithms 4.1 (the cut) and 4.2 (both combined).
//!
//! ```text
//! direction  ─────────────────►
//! A   ├──✂───────────┤            dropped from A: what ends before B starts
//! B           ├────────────✂──┤   dropped from B: what starts after A ends
//!             └──────┘ the common region
//! ```
//!
//! Slips in the listings: algorithm 4.2 changes the direction twice, in lines 10 and 15 (the second, the reflection, is
//! meant, and it needs the direction of line 8); `CutList` drops what lies *before* a vertex, which is right for the
//! first list only, the second loses what lies *after* it; the vertex lists are never cut although the support search
//! runs over them; two supports in one point divide by zero in line 14; and nothing says what comes out if a list is cut
//! to nothing, which the text does: no collision.
//!
//! Departs, for speed: the first directions are the coordinate axes, all three both ways at once. Along them the boxes
//! of the triangles decide, exactly and without a dot product: what lies outside the box of the other list is dropped. The paper then starts with the direction between any two vertices; here it is that between the centres of
//! the two boxes. (The last direction of the lists that were split takes many times more: the halves lie side by side
//! across it.)
//!
//! Departs, for correctness: the paper drops a triangle that lies beyond the support of the other list; here it must do
//! so by more than the rounding of the dot products, since touching counts and rounding may hide it. Let M be the largest
//! coordinate in size, as kept in `corners`, d the direction, u = 2^-24. A coordinate carries one rounding, and
//!
//! ```text
//! p·d = (x dx + y dy) + z dz      is evaluated within 4u · (|x dx| + |y dy| + |z dz|) ≤ 4u · M · |d|₁   (+ terms in u²)
//! ```
//!
//! Of two evaluated dot products that differ by more than 8u · M · |d|₁ the true ones differ with the same sign. Adding
//! the slack to one of them rounds once more, by at most 2u · M · |d|₁, and the slack itself is rounded four times. So
//! 16u · M · |d|₁ is enough, and triangles within it stay. Underflow, of a scaled coordinate, a product or the slack,
//! adds less than a dozen times 2^-149, which the smallest normal number covers.
//!
//! If corners are copies of f64 positions that may be off by r, in the unit of `corners`, a dot product is off by
//! r · |d|₁ more, and two of them differ by 2r · |d|₁ more; 3r allows for the rounding of the slack. (The axes need
//! nothing: boxes of the copies overlap where those of the f64 positions do, see `body::wide`.)

use glam::DVec3;

use super::corners::{Direction, LocalCoordinates};
use super::direction::{reflected, unit};
use super::support::{End, ListStack, Reach};
use crate::geom::Aabb;

/// What the loop needs to know besides the two lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutter {
    /// 16u · M + 3r.
    slack: f32,
    /// Cut only where the common region is at most this part of a list's extent; 1 always cuts.
    threshold: f32,
    leaf_size: usize,
}

impl Cutter {
    /// For corners in local coordinates.
    pub(super) fn new(local: &LocalCoordinates, cut_threshold: u32, leaf_size: usize) -> Self {
        let slack = 16.0 * (0.5 * f32::EPSILON) * local.largest + 3.0 * local.rounding;
        Self { slack, threshold: cut_threshold as f32 / 100.0, leaf_size }
    }

    /// Cuts the lists from `start_a` and `start_b` on, whose boxes are given, along one direction after another.
    ///
    /// Returns the last direction and the boxes of what is left, or nothing if no triangle of one list meets one of the
    /// other. Lists that are short enough to be compared as they are get no further than the axes.
    pub(super) fn cut(
        &self,
        before: usize,
        (a, start_a, bounds_a): (&mut ListStack<'_>, usize, Aabb),
        (b, start_b, bounds_b): (&mut ListStack<'_>, usize, Aabb),
    ) -> Option<Remainder> {
        let bounds = along_axes(before, (a, start_a, bounds_a), (b, start_b, bounds_b))?;
        let centre = |of: usize| DVec3::from_array(bounds[of].centre().map(f64::from));
        let mut direction = unit(centre(1) - centre(0)).unwrap_or(DVec3::X);
        while a.list(start_a).len() > self.leaf_size || b.list(start_b).len() > self.leaf_size {
            let before = a.list(start_a).len() + b.list(start_b).len();
            let lanes = Direction::new(direction);
            let (reach_a, reach_b) = (a.reach(start_a, &lanes), b.reach(start_b, &lanes));
            let slack = self.slack * lanes.taxicab_length() + f32::MIN_POSITIVE;
            let (first, last) = (reach_b.low - slack, reach_a.high + slack);
            if reach_a.high < first {
                return None;
            }
            let cut_a = self.is_worth(&reach_a, first, last) && a.retain_from(start_a, &lanes, first);
            let cut_b = self.is_worth(&reach_b, first, last) && b.retain_to(start_b, &lanes, last);
            let between = b.support(&reach_b, End::Low, &lanes) - a.support(&reach_a, End::High, &lanes);
            let left = a.list(start_a).len() + b.list(start_b).len();
            match reflected(direction, between) {
                Some(next) if cut_a && cut_b && is_worth_going_on(left, before) => direction = next,
                _ => break,
            }
        }
        Some(Remainder { direction, bounds })
    }

    /// Whether so little of a list lies in the common region that cutting it may help.
    fn is_worth(&self, reach: &Reach, first: f32, last: f32) -> bool {
        self.threshold >= 1.0 || last - first <= self.threshold * (reach.high - reach.low)
    }
}

/// What is left after a cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remainder {
    /// The last direction looked along.
    pub(super) direction: DVec3,
    /// A box around what is left of each list; not tight after a cut along another direction than an axis.
    pub(super) bounds: [Aabb; 2],
}

/// Cuts along all three axes again, as long as the last time took a quarter of the triangles, of which there were
/// `before`; returns the boxes of what is left, or nothing if nothing is.
fn along_axes(
    mut before: usize,
    (a, start_a, mut bounds_a): (&mut ListStack<'_>, usize, Aabb),
    (b, start_b, mut bounds_b): (&mut ListStack<'_>, usize, Aabb),
) -> Option<[Aabb; 2]> {
    loop {
        if !bounds_a.overlaps(&bounds_b) {
            return None;
        }
        let left = a.list(start_a).len() + b.list(start_b).len();
        if !is_worth_going_on(left, before) {
            return Some([bounds_a, bounds_b]);
        }
        before = left;
        bounds_a = a.retain_in(start_a, &bounds_b);
        bounds_b = b.retain_in(start_b, &bounds_a);
    }
}

/// Whether the last cut took some triangles, and a quarter of them.
fn is_worth_going_on(left: usize, before: usize) -> bool {
    left < before && left <= before - before / 4
}
