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
//! Departs, for speed: the paper starts with the direction between any two vertices; that between the means of both
//! lists takes a fifth to a quarter fewer dot products on the larger bumpy spheres. (The last direction of the lists
//! that were split takes many times more: the halves lie side by side across it.)
//!
//! Departs, for correctness: the paper drops a triangle that lies beyond the support of the other list; here it must do
//! so by more than the rounding of the dot products, since touching counts and rounding may hide it. Let M be the largest
//! coordinate of both bodies in size, d the direction, u = 2^-53. The coordinates are f32 and so exact in f64, and
//!
//! ```text
//! p·d = (x dx + y dy) + z dz      is evaluated within 3u · (|x dx| + |y dy| + |z dz|) ≤ 3u · M · |d|₁   (+ terms in u²)
//! ```
//!
//! Of two evaluated dot products that differ by more than 6u · M · |d|₁ the true ones differ with the same sign. Adding
//! the slack to one of them rounds once more, by at most u · M · |d|₁, and the slack itself is rounded by a few u². So
//! 8u · M · |d|₁ is enough, and triangles within it stay. Underflow adds at most 2^-1074 a product, while M is at least
//! 2^-149 unless all coordinates are 0, where all dot products are 0 exactly.

use glam::DVec3;

use super::direction::{reflected, unit};
use super::support::{Half, Reach};

/// What the loop needs to know besides the two lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutter {
    /// 8u · M.
    slack: f64,
    /// Cut only where the common region is at most this part of a list's extent; 1 always cuts.
    threshold: f64,
}

impl Cutter {
    /// For bodies whose coordinates are at most `largest` in size.
    pub(super) fn new(largest: f32, cut_threshold: u32) -> Self {
        let slack = 8.0 * (0.5 * f64::EPSILON) * f64::from(largest);
        Self { slack, threshold: f64::from(cut_threshold) / 100.0 }
    }

    /// Cuts the lists from `start_a` and `start_b` on along one direction after another, as long as both become shorter.
    ///
    /// Returns the last direction, or nothing if no triangle of one list meets one of the other. The vertices of what is
    /// left are gathered on both sides.
    pub(super) fn cut(
        &self,
        (a, start_a): (&mut Half<'_>, usize),
        (b, start_b): (&mut Half<'_>, usize),
    ) -> Option<DVec3> {
        if a.list(start_a).is_empty() || b.list(start_b).is_empty() {
            return None;
        }
        a.gather_vertices(start_a);
        b.gather_vertices(start_b);
        let mut direction = unit(b.mean() - a.mean()).unwrap_or(DVec3::X);
        loop {
            let (reach_a, reach_b) = (a.reach(direction), b.reach(direction));
            let slack = self.slack * direction.abs().element_sum();
            let (first, last) = (reach_b.low - slack, reach_a.high + slack);
            if reach_a.high < first {
                return None;
            }
            let cut_a =
                self.is_worth(&reach_a, first, last) && { a.retain(start_a, |[p, q, r]| p.max(q).max(r) >= first) };
            let cut_b =
                self.is_worth(&reach_b, first, last) && { b.retain(start_b, |[p, q, r]| p.min(q).min(r) <= last) };
            if cut_a {
                a.gather_vertices(start_a);
            }
            if cut_b {
                b.gather_vertices(start_b);
            }
            let between = b.position(reach_b.low_vertex) - a.position(reach_a.high_vertex);
            match reflected(direction, between) {
                Some(next) if cut_a && cut_b => direction = next,
                _ => return Some(direction),
            }
        }
    }

    /// Whether so little of a list lies in the common region that cutting it may help.
    fn is_worth(&self, reach: &Reach, first: f64, last: f64) -> bool {
        self.threshold >= 1.0 || last - first <= self.threshold * (reach.high - reach.low)
    }
}
