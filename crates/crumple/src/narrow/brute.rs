//! Every triangle against every triangle: obviously right, and what every other method is held to.
//!
//! Cost: O(m · n) box tests per frame; nothing is kept between frames.

use super::limit::shorten;
use super::self_pair::collide;
use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::exact::{has_no_area, triangles_meet};
use crate::geom::Triangle;
use crate::geom::{TriangleId, TrianglePair};
use crate::narrow::Stats;

/// The method without a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl PairMethod for BruteForce {
    type Tree = ();
    type Scratch = Scratch;

    fn build(&self, _: &Body) -> Self::Tree {}

    fn update(&self, _: &mut Self::Tree, _: &Body) {}

    fn find_pairs(
        &self,
        a: Side<'_, ()>,
        b: Side<'_, ()>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let mut stats = Stats::default();
        let start = found.len();
        gather(b.body, &mut scratch.triangles);
        for (i, vertices) in a.body.mesh().live_triangles() {
            let triangle_a = a.body.corners(vertices);
            let bounds_a = triangle_a.bounds();
            for (j, triangle_b) in &scratch.triangles {
                stats.box_tests += 1;
                if !bounds_a.overlaps(&triangle_b.bounds()) {
                    continue;
                }
                stats.candidates += 1;
                if triangles_meet(&triangle_a, triangle_b) {
                    found.push(TrianglePair { a: i, b: *j });
                    if wanted == Wanted::First {
                        return stats;
                    }
                }
            }
            stats.pairs_left_out += shorten(found, start, wanted.most());
        }
        stats
    }

    fn find_self_pairs(
        &self,
        side: Side<'_, ()>,
        wanted: Wanted,
        scratch: &mut Scratch,
        found: &mut Vec<TrianglePair>,
    ) -> Stats {
        let mut stats = Stats::default();
        let start = found.len();
        gather(side.body, &mut scratch.triangles);
        let triangles = &scratch.triangles;
        stats.degenerate = triangles.iter().filter(|(_, triangle)| has_no_area(triangle)).count() as u64;
        for (nth, (i, a)) in triangles.iter().enumerate() {
            let bounds = a.bounds();
            for (j, b) in &triangles[nth + 1..] {
                stats.box_tests += 1;
                if !bounds.overlaps(&b.bounds()) {
                    continue;
                }
                stats.candidates += 1;
                if let Some(pair) = collide(side.body, i.0, j.0) {
                    found.push(pair);
                    if wanted == Wanted::First {
                        return stats;
                    }
                }
            }
            stats.pairs_left_out += shorten(found, start, wanted.most());
        }
        stats
    }
}

/// The triangles of one body with their corners, one after another.
#[derive(Debug, Default)]
pub struct Scratch {
    triangles: Vec<(TriangleId, Triangle)>,
}

fn gather(body: &Body, triangles: &mut Vec<(TriangleId, Triangle)>) {
    triangles.clear();
    triangles.extend(body.mesh().live_triangles().map(|(triangle, vertices)| (triangle, body.corners(vertices))));
}
