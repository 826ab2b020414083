//! Cuts all pairs of triangles of two bodies, four at a time.

use crate::geom::lanes::vectors::*;

use super::cut::{Crossing, Cut, Ends, crossing, heights};
use crate::body::{Body, PointSource, Points};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Instructions, Simd, Vec3, dispatch};
use crate::threads;
use crate::work::spend;

/// Pairs that are worth another thread: they take some tens of microseconds.
const WORTH_A_THREAD: usize = 256;

/// Cutting a pair and following it.
const STEPS_PER_CUT: usize = 64;

/// Lanes of f64.
const LANES: usize = 4;

/// The segment along which two triangles cross.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::contact) struct Segment {
    pub(in crate::contact) triangles: [u32; 2],
    pub(in crate::contact) cut: Cut,
}

impl Segment {
    /// Whether the triangles cross at all.
    pub(in crate::contact) fn crosses(&self) -> bool {
        self.cut.ends.start != Ends::NONE.start
    }
}

impl<S: Simd> Crossing<f64x4<S>> {
    /// One of four.
    #[inline(always)]
    fn lane(&self, i: usize) -> Cut {
        let one = |values: f64x4<S>| values.as_slice()[i];
        let point = |[x, y, z]: [f64x4<S>; 3]| [one(x), one(y), one(z)];
        let coordinates = |[beta, gamma]: [f64x4<S>; 2]| [one(beta), one(gamma)];
        Cut {
            ends: Ends { start: one(self.ends[0]) as u8, end: one(self.ends[1]) as u8 },
            points: [point(self.points[0]), point(self.points[1])],
            in_a: [coordinates(self.in_a[0]), coordinates(self.in_a[1])],
            in_b: [coordinates(self.in_b[0]), coordinates(self.in_b[1])],
        }
    }
}

/// Decides a pair with signs in doubt.
pub(in crate::contact) trait InDoubt:
    Fn(TrianglePair, [[[f64; 3]; 3]; 2]) -> Option<Crossing<f64>> + Copy + Sync
{
}

impl<F: Fn(TrianglePair, [[[f64; 3]; 3]; 2]) -> Option<Crossing<f64>> + Copy + Sync> InDoubt for F {}

/// Cuts every pair; `segments` is overwritten, with one per pair of triangles that cross, in the order of the pairs. Pairs with
/// signs in doubt are left to `in_doubt`.
pub(in crate::contact) fn cut_pairs(
    simd: Instructions,
    bodies: [&Body; 2],
    in_doubt: impl InDoubt,
    pairs: &[TrianglePair],
    segments: &mut Vec<Segment>,
) {
    spend(STEPS_PER_CUT * pairs.len());
    segments.resize(pairs.len(), Segment::default());
    // Pairs do not depend on each other.
    let threads = threads::for_work(pairs.len(), WORTH_A_THREAD);
    threads::each_stretch_of(2 * WORTH_A_THREAD, threads, pairs, segments, &|pairs, segments| match bodies
        .map(Body::points)
    {
        [Points::F32(a), Points::F32(b)] => {
            dispatch!(simd, simd => cut_in_lanes(simd, (bodies, in_doubt), (a, b), pairs, segments));
        }
        _ => dispatch!(simd, simd => cut_in_lanes(simd, (bodies, in_doubt), (bodies[0], bodies[1]), pairs, segments)),
    });
    segments.retain(Segment::crosses);
}

#[inline(always)]
fn cut_in_lanes<S: Simd, P: PointSource, Q: PointSource>(
    simd: S,
    (bodies, decide): ([&Body; 2], impl InDoubt),
    (points_a, points_b): (P, Q),
    pairs: &[TrianglePair],
    segments: &mut [Segment],
) {
    let [triangles_a, triangles_b] = bodies.map(|body| body.mesh().indices());
    for (pairs, segments) in pairs.chunks(LANES).zip(segments.chunks_mut(LANES)) {
        for (pair, segment) in pairs.iter().zip(&mut *segments) {
            segment.triangles = [pair.a.0, pair.b.0];
            segment.cut.ends = Ends::NONE;
        }
        let lane = |i: usize| pairs[if i < pairs.len() { i } else { 0 }];
        let a = gather(simd, points_a, triangles_a, [lane(0).a.0, lane(1).a.0, lane(2).a.0, lane(3).a.0]);
        let b = gather(simd, points_b, triangles_b, [lane(0).b.0, lane(1).b.0, lane(2).b.0, lane(3).b.0]);
        let heights = heights(&a, &b);
        let (margin, straddle) = (heights.margin.as_slice(), heights.straddle.as_slice());
        let mut in_doubt = [false; LANES];
        let mut any_crosses = false;
        for i in 0..pairs.len() {
            in_doubt[i] = margin[i] <= 0.0;
            any_crosses |= margin[i] > 0.0 && straddle[i] > 0.0;
        }
        if any_crosses {
            let found = crossing(&a, &b, &heights);
            for i in 0..pairs.len() {
                if in_doubt[i] || straddle[i] <= 0.0 {
                    continue;
                }
                in_doubt[i] = found.margin.as_slice()[i] <= 0.0;
                if !in_doubt[i] && found.crosses.as_slice()[i] > 0.0 {
                    segments[i].cut = found.lane(i);
                }
            }
        }
        for i in (0..pairs.len()).filter(|&i| in_doubt[i]) {
            let a = points_a.corners(triangles_a[pairs[i].a.index()]);
            let b = points_b.corners(triangles_b[pairs[i].b.index()]);
            if let Some(found) = decide(pairs[i], [a, b]) {
                segments[i].cut = found.cut();
            }
        }
    }
}

/// Four triangles of a body, their corners in f64.
#[inline(always)]
fn gather<S: Simd>(
    simd: S,
    points: impl PointSource,
    of_mesh: &[[u32; 3]],
    [a, b, c, d]: [u32; LANES],
) -> [Vec3<f64x4<S>>; 3] {
    let [a, b, c, d] = [of_mesh[a as usize], of_mesh[b as usize], of_mesh[c as usize], of_mesh[d as usize]];
    [
        points.four(simd, [a[0], b[0], c[0], d[0]]),
        points.four(simd, [a[1], b[1], c[1], d[1]]),
        points.four(simd, [a[2], b[2], c[2], d[2]]),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::cut::crossing_in_doubt;
    use super::*;
    use crate::exact::Moved;
    use crate::geom::lanes::all_simd;
    use crate::mesh::Mesh;

    /// A body of loose triangles, with coordinates from a small grid for half of them.
    fn loose_triangles(seed: u64) -> Body {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u32
        };
        let on_grid: Vec<[f32; 3]> = (0..300).map(|_| std::array::from_fn(|_| (next() % 4) as f32)).collect();
        let anywhere = (0..300).map(|_| std::array::from_fn(|_| 4.0 * next() as f32 / (1 << 24) as f32));
        let positions: Vec<[f32; 3]> = on_grid.into_iter().chain(anywhere).collect();
        let triangles = (0..positions.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap()
    }

    #[test]
    fn lanes_of_every_level_and_a_single_pair_give_the_same_bits() {
        let (a, b) = (loose_triangles(1), loose_triangles(2));
        let pairs: Vec<TrianglePair> = (0..200).flat_map(|i| (0..200).map(move |j| TrianglePair::new(i, j))).collect();
        let cut = |simd: Instructions| {
            let mut kept = Vec::new();
            let in_doubt = |_, [a, b]: [_; 2]| crossing_in_doubt(&a, &b, Moved::A);
            cut_pairs(simd, [&a, &b], in_doubt, &pairs, &mut kept);
            kept
        };
        let one_by_one: Vec<Segment> = pairs
            .iter()
            .filter_map(|pair| {
                let corners = |body: &Body, triangle: u32| {
                    body.corners(body.mesh().indices()[triangle as usize]).0.map(|p| p.map(f64::from))
                };
                let (a, b) = (corners(&a, pair.a.0), corners(&b, pair.b.0));
                let heights = heights(&a, &b);
                let found = crossing(&a, &b, &heights);
                let is_sure = heights.margin > 0.0 && (heights.straddle <= 0.0 || found.margin > 0.0);
                let found = if !is_sure {
                    crossing_in_doubt(&a, &b, Moved::A)
                } else {
                    (heights.straddle > 0.0 && found.crosses > 0.0).then_some(found)
                };
                found.map(|found| Segment { triangles: [pair.a.0, pair.b.0], cut: found.cut() })
            })
            .collect();
        assert!(one_by_one.len() > 1_000, "{}", one_by_one.len());
        for simd in all_simd() {
            assert!(cut(simd) == one_by_one);
        }
    }
}
