//! Every triangle against every triangle: obviously right, and what every other method is held to.
//!
//! Cost: O(m · n) box tests a frame; nothing is kept between frames.

use super::{PairMethod, Side, Wanted};
use crate::body::Body;
use crate::contact::{Stats, TrianglePair};
use crate::exact::{SharedVertices, has_no_area, self_pair_meets, triangles_meet};
use crate::geom::Triangle;

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
        gather(b.body, &mut scratch.triangles);
        for (i, &vertices) in (0..).zip(a.body.mesh().triangles()) {
            let triangle_a = a.body.corners(vertices);
            let bounds_a = triangle_a.bounds();
            for (j, triangle_b) in (0..).zip(&scratch.triangles) {
                stats.box_tests += 1;
                if !bounds_a.overlaps(&triangle_b.bounds()) {
                    continue;
                }
                stats.candidates += 1;
                if triangles_meet(&triangle_a, triangle_b) {
                    found.push(TrianglePair::new(i, j));
                    if wanted == Wanted::First {
                        return stats;
                    }
                }
            }
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
        gather(side.body, &mut scratch.triangles);
        let (triangles, vertices) = (&scratch.triangles, side.body.mesh().welded_triangles());
        stats.degenerate = triangles.iter().filter(|triangle| has_no_area(triangle)).count() as u64;
        for i in 0..triangles.len() {
            let bounds = triangles[i].bounds();
            for j in i + 1..triangles.len() {
                stats.box_tests += 1;
                if !bounds.overlaps(&triangles[j].bounds()) {
                    continue;
                }
                stats.candidates += 1;
                let (a, b) = (&triangles[i], &triangles[j]);
                if self_pair_meets(a, b, SharedVertices::between(a, vertices[i], b, vertices[j])) {
                    found.push(TrianglePair::new(i as u32, j as u32));
                    if wanted == Wanted::First {
                        return stats;
                    }
                }
            }
        }
        stats
    }
}

/// The corners of all triangles of one body, one after another.
#[derive(Debug, Default)]
pub struct Scratch {
    triangles: Vec<Triangle>,
}

fn gather(body: &Body, triangles: &mut Vec<Triangle>) {
    triangles.clear();
    triangles.extend(body.mesh().triangles().iter().map(|&vertices| body.corners(vertices)));
}
