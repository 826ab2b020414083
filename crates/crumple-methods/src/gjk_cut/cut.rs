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
//! Departs, for speed ([`Cuts::BoxesFirst`]): the first directions are the coordinate axes, all three both ways at once.
//! Along them the boxes of the triangles decide, exactly and without a dot product: what lies outside the box of the other
//! list is dropped. The paper then starts with the direction between any two vertices; here it is that between the centres
//! of the two boxes. (To go on with the last direction of the lists that were split takes several times longer: the halves lie
//! side by side across it.) The paper goes on as long as each list loses a triangle; here a cut must take a quarter of the triangles of
//! both lists, or it is the last: another pass over the lists costs more than the few triangles it would take. Lists of
//! few triangles are not cut along other directions than the axes at all, and longer ones only where a few samples say that
//! the cut takes a quarter: the samples' ends lie within those of the lists, so they rather promise too much. Looking at samples
//! costs a fraction of a cut; the paper found no decision that costs less than the cut itself. [`Cuts::DirectionsOnly`] is the
//! paper's loop.
//!
//! With a threshold below 100 % a list is cut only if a small part of it lies in the common region, and for that its far
//! end is looked for: another search with dot products of its own, the cost with which the paper's section VI explains that
//! always cutting is faster.
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
use super::lists::ListStack;
use super::options::{Cuts, GjkCutOptions};
use super::support::{End, Extreme, SAMPLES};
use crumple::Aabb;

/// What the loop needs to know besides the two lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutter {
    /// 16u · M + 3r.
    slack: f32,
    /// Cut only where the common region is at most this part of a list's extent; 1 always cuts.
    threshold: f32,
    cuts: Cuts,
    /// Lists that have at most so many triangles together are not cut along directions.
    cut_above: usize,
    leaf_size: usize,
}

/// The list on top of a stack, from `start` on, and a box around it, which cuts along directions alone do not look at.
pub(super) struct TopList<'s, 'a> {
    pub(super) stack: &'s mut ListStack<'a>,
    pub(super) start: usize,
    pub(super) bounds: Aabb,
}

impl TopList<'_, '_> {
    fn len(&self) -> usize {
        self.stack.top - self.start
    }
}

impl Cutter {
    /// For corners in local coordinates.
    pub(super) fn new(local: &LocalCoordinates, options: &GjkCutOptions) -> Self {
        let slack = 16.0 * (0.5 * f32::EPSILON) * local.largest + 3.0 * local.rounding;
        let GjkCutOptions { cuts, cut_above, leaf_size, .. } = *options;
        Self { slack, threshold: options.cut_threshold as f32 / 100.0, cuts, cut_above, leaf_size }
    }

    /// Cuts the lists along one direction after another; `before` is how many triangles both had before they were last
    /// cut along the axes.
    ///
    /// Returns the last direction and the boxes of what is left, or nothing if no triangle of one list meets one of the
    /// other.
    pub(super) fn cut(&self, before: usize, mut a: TopList<'_, '_>, mut b: TopList<'_, '_>) -> Option<Remainder> {
        if a.len() == 0 || b.len() == 0 {
            return None;
        }
        let direction = match self.cuts {
            Cuts::BoxesFirst => {
                along_axes(before, &mut a, &mut b)?;
                let centre = |list: &TopList<'_, '_>| DVec3::from_array(list.bounds.centre().map(f64::from));
                let direction = unit(centre(&b) - centre(&a)).unwrap_or(DVec3::X);
                if self.are_short(&a, &b) || !samples_go(direction, &mut a, &mut b) {
                    direction
                } else {
                    self.along_directions(direction, &mut a, &mut b)?
                }
            }
            Cuts::DirectionsOnly => self.along_directions(between_vertices(&a, &b), &mut a, &mut b)?,
        };
        Some(Remainder { direction, bounds: [a.bounds, b.bounds] })
    }

    /// Algorithm 4.2; returns the last direction.
    fn along_directions(
        &self,
        mut direction: DVec3,
        a: &mut TopList<'_, '_>,
        b: &mut TopList<'_, '_>,
    ) -> Option<DVec3> {
        loop {
            match self.cut_once(direction, a, b) {
                AfterCut::Apart => return None,
                AfterCut::Done => return Some(direction),
                AfterCut::GoOn(next) => direction = next,
            }
        }
    }

    /// Looks along one direction and cuts both lists there.
    pub(super) fn cut_once(&self, direction: DVec3, a: &mut TopList<'_, '_>, b: &mut TopList<'_, '_>) -> AfterCut {
        let before = a.len() + b.len();
        let lanes = Direction::new(direction);
        let end_of_a = a.stack.extreme(a.start, &lanes, End::High);
        let start_of_b = b.stack.extreme(b.start, &lanes, End::Low);
        let slack = self.slack * lanes.taxicab_length() + f32::MIN_POSITIVE;
        let (first, last) = (start_of_b.along - slack, end_of_a.along + slack);
        if end_of_a.along < first {
            return AfterCut::Apart;
        }
        let common = last - first;
        let cut_a =
            self.is_worth(a, &lanes, common, &end_of_a, End::Low) && a.stack.cut(a.start, &lanes, first, End::Low);
        let cut_b =
            self.is_worth(b, &lanes, common, &start_of_b, End::High) && b.stack.cut(b.start, &lanes, last, End::High);
        let goes_on = match self.cuts {
            Cuts::BoxesFirst => is_worth_going_on(a.len() + b.len(), before) && !self.are_short(a, b),
            Cuts::DirectionsOnly => true,
        };
        match reflected(direction, start_of_b.vertex - end_of_a.vertex) {
            Some(next) if cut_a && cut_b && goes_on => AfterCut::GoOn(next),
            _ => AfterCut::Done,
        }
    }

    /// Whether so little of a list lies in the common region that cutting it may help.
    fn is_worth(&self, list: &mut TopList<'_, '_>, lanes: &Direction, common: f32, near: &Extreme, far: End) -> bool {
        self.threshold >= 1.0 || {
            let far = list.stack.extreme(list.start, lanes, far);
            common <= self.threshold * (far.along - near.along).abs()
        }
    }

    fn are_short(&self, a: &TopList<'_, '_>, b: &TopList<'_, '_>) -> bool {
        a.len() + b.len() <= self.cut_above || a.len() <= self.leaf_size && b.len() <= self.leaf_size
    }
}

/// What comes after a cut along a direction.
#[derive(Clone, Copy, Debug)]
pub(super) enum AfterCut {
    /// No triangle of one list meets one of the other.
    Apart,
    /// Another cut is not worth while.
    Done,
    /// A cut along this direction.
    GoOn(DVec3),
}

/// The first direction in the paper: from any vertex of one list to any of the other. Neither is empty.
pub(super) fn between_vertices(a: &TopList<'_, '_>, b: &TopList<'_, '_>) -> DVec3 {
    unit(b.stack.any_vertex(b.start) - a.stack.any_vertex(a.start)).unwrap_or(DVec3::X)
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
/// `before`; nothing if no triangles are left.
fn along_axes(mut before: usize, a: &mut TopList<'_, '_>, b: &mut TopList<'_, '_>) -> Option<()> {
    loop {
        if !a.bounds.overlaps(&b.bounds) {
            return None;
        }
        let left = a.len() + b.len();
        if !is_worth_going_on(left, before) {
            return Some(());
        }
        before = left;
        a.bounds = a.stack.retain_in(a.start, &b.bounds);
        b.bounds = b.stack.retain_in(b.start, &a.bounds);
    }
}

/// Whether a cut along a direction would take a quarter of some triangles of both lists: if not, hardly of all.
fn samples_go(direction: DVec3, a: &mut TopList<'_, '_>, b: &mut TopList<'_, '_>) -> bool {
    let lanes = Direction::new(direction);
    let (samples_a, samples_b) = (a.stack.samples(a.start, &lanes), b.stack.samples(b.start, &lanes));
    let end_of_a = samples_a.iter().map(|sample| sample.1).fold(f32::NEG_INFINITY, f32::max);
    let start_of_b = samples_b.iter().map(|sample| sample.0).fold(f32::INFINITY, f32::min);
    let gone = samples_a.iter().filter(|sample| sample.1 < start_of_b).count()
        + samples_b.iter().filter(|sample| sample.0 > end_of_a).count();
    is_worth_going_on(2 * SAMPLES - gone, 2 * SAMPLES)
}

/// Whether the last cut took some triangles, and a quarter of them.
fn is_worth_going_on(left: usize, before: usize) -> bool {
    left < before && left <= before - before / 4
}
