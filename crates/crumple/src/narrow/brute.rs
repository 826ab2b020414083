//! Every triangle against every triangle: obviously right, and what every other method is held to.
//!
//! Where positions are f64 numbers, rounded copies play no part: boxes and triangles are compared as they are.
//!
//! Cost: O(m · n) box tests per frame; nothing is kept between frames.

use super::limit::shorten;
use super::self_pair::collide;
use super::{Flow, PairMethod, PairTest, SelfTest, Side, Wanted};
use crate::body::Body;
use crate::exact::{has_no_area, triangles_meet, triangles_meet_f64};
use crate::geom::Triangle;
use crate::geom::{TriangleId, TrianglePair};
use crate::narrow::Stats;
use crate::work::spend;

/// Brute force: compares every triangle with every other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl PairMethod for BruteForce {
    type Tree = ();
    type Scratch = Scratch;

    const DECIDES_ITSELF: bool = true;

    fn build(&self, _: &Body) -> Self::Tree {}

    fn update(&self, _: &mut Self::Tree, _: &Body) {}

    fn find_pairs(&self, a: Side<'_, ()>, b: Side<'_, ()>, scratch: &mut Scratch, test: &mut PairTest<'_>) -> Flow {
        let (a, b) = (a.body, b.body);
        let Scratch { triangles, wide } = scratch;
        let (wanted, found, stats) = test.direct();
        *stats += if a.is_wide() || b.is_wide() {
            gather(b, wide, Body::exact_corners);
            between(a, Body::exact_corners, wide, (overlap, triangles_meet_f64), wanted, found)
        } else {
            gather(b, triangles, Body::corners);
            let overlap = |a: &Triangle, b: &Triangle| a.bounds().overlaps(&b.bounds());
            between(a, Body::corners, triangles, (overlap, triangles_meet), wanted, found)
        };
        Flow::Continue(())
    }

    fn find_self_pairs(&self, side: Side<'_, ()>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        let Scratch { triangles, wide } = scratch;
        let (wanted, found, stats) = test.direct();
        *stats += if side.body.is_wide() {
            gather(side.body, wide, Body::exact_corners);
            within(side.body, wide, (overlap, has_no_area), wanted, found)
        } else {
            gather(side.body, triangles, Body::corners);
            let overlap = |a: &Triangle, b: &Triangle| a.bounds().overlaps(&b.bounds());
            within(side.body, triangles, (overlap, |t: &Triangle| has_no_area(&t.0)), wanted, found)
        };
        Flow::Continue(())
    }
}

/// A triangle in f64.
type WideTriangle = [[f64; 3]; 3];

/// The triangles of one body with their corners, one after another, in one precision or the other.
#[derive(Debug, Default)]
pub struct Scratch {
    triangles: Vec<(TriangleId, Triangle)>,
    wide: Vec<(TriangleId, WideTriangle)>,
}

fn gather<T>(body: &Body, triangles: &mut Vec<(TriangleId, T)>, corners: impl Fn(&Body, [u32; 3]) -> T) {
    triangles.clear();
    triangles.extend(body.mesh().live_indices().map(|(triangle, vertices)| (triangle, corners(body, vertices))));
}

/// Whether the boxes of two triangles overlap.
fn overlap(a: &WideTriangle, b: &WideTriangle) -> bool {
    (0..3).all(|axis| {
        let low = |t: &WideTriangle| t[0][axis].min(t[1][axis]).min(t[2][axis]);
        let high = |t: &WideTriangle| t[0][axis].max(t[1][axis]).max(t[2][axis]);
        low(a) <= high(b) && low(b) <= high(a)
    })
}

/// The pairs of the triangles of a body and of others that meet.
fn between<T>(
    a: &Body,
    corners: impl Fn(&Body, [u32; 3]) -> T,
    triangles_b: &[(TriangleId, T)],
    (overlap, meet): (impl Fn(&T, &T) -> bool, impl Fn(&T, &T) -> bool),
    wanted: Wanted,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let start = found.len();
    for (i, vertices) in a.mesh().live_indices() {
        let triangle_a = corners(a, vertices);
        spend(triangles_b.len());
        for (j, triangle_b) in triangles_b {
            stats.box_tests += 1;
            if !overlap(&triangle_a, triangle_b) {
                continue;
            }
            stats.candidates += 1;
            if meet(&triangle_a, triangle_b) {
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

/// The pairs of the triangles of a body that collide.
fn within<T>(
    body: &Body,
    triangles: &[(TriangleId, T)],
    (overlap, is_flat): (impl Fn(&T, &T) -> bool, impl Fn(&T) -> bool),
    wanted: Wanted,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats::default();
    let start = found.len();
    stats.degenerate = triangles.iter().filter(|(_, triangle)| is_flat(triangle)).count() as u64;
    for (nth, (i, a)) in triangles.iter().enumerate() {
        spend(triangles.len() - nth);
        for (j, b) in &triangles[nth + 1..] {
            stats.box_tests += 1;
            if !overlap(a, b) {
                continue;
            }
            stats.candidates += 1;
            if let Some(pair) = collide(body, i.0, j.0) {
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
