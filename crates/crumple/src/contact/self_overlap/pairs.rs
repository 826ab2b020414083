//! Cuts the pairs of one body: those that share no vertex four at a time, as for two bodies; those that share one by themselves.
//!
//! Two triangles of a plain mesh that share two vertices lie side by side along the edge between them, and after a motion of all
//! vertices have nothing else in common; two that share all three have the same motion, and none crosses the other.
//!
//! The list of pairs that collide has all pairs that may cross after the motion but those with a triangle that has no area. If
//! there are such triangles, all others whose boxes overlap theirs are added: boxes are swept along one axis.

use super::super::overlap::{Ends, Segment, crossing_by_own_motions, cut_at_vertex, cut_pairs};
use crate::body::Body;
use crate::exact::has_no_area;
use crate::geom::lanes::Instructions;
use crate::geom::{Aabb, TriangleId, TrianglePair};
use crate::threads;
use crate::work::spend;

/// Pairs that share a vertex and are worth another thread.
const WORTH_A_THREAD: usize = 512;

/// Deciding a pair that shares a vertex.
const STEPS_PER_CUT: usize = 32;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct PairMemory {
    /// Pairs that share no vertex.
    apart: Vec<TrianglePair>,
    /// Pairs that share one, and their corners that do.
    at_vertices: Vec<(TrianglePair, [u8; 2])>,
    /// Triangles without area, by where their boxes begin along an axis.
    flat: Vec<Flat>,
    is_flat: Vec<bool>,
}

/// A triangle without area.
#[derive(Clone, Copy, Debug)]
struct Flat {
    triangle: u32,
    bounds: Aabb,
    /// How far along the axis this and all before it reach.
    reach: f32,
}

impl PairMemory {
    /// Overwrites `segments` with those of the pairs that cross, given the pairs that collide and how many triangles have no area.
    pub(in crate::contact) fn cut(
        &mut self,
        simd: Instructions,
        body: &Body,
        listed: &[TrianglePair],
        without_area: u64,
        segments: &mut Vec<Segment>,
    ) {
        let welded = body.mesh().welded_indices();
        self.apart.clear();
        self.at_vertices.clear();
        listed.iter().for_each(|&pair| self.sort_in(welded, pair));
        if without_area > 0 {
            self.add_flat(body);
        }
        let vertices = |pair: TrianglePair| [welded[pair.a.index()], welded[pair.b.index()]];
        let in_doubt = |pair, [a, b]: [_; 2]| crossing_by_own_motions(&a, &b, vertices(pair));
        cut_pairs(simd, [body, body], in_doubt, &self.apart, segments);
        let start = segments.len();
        segments.resize(start + self.at_vertices.len(), Segment::default());
        spend(STEPS_PER_CUT * self.at_vertices.len());
        let threads = threads::for_work(self.at_vertices.len(), WORTH_A_THREAD);
        let cut = |pairs: &[(TrianglePair, [u8; 2])], segments: &mut [Segment]| {
            for (&(pair, [i, j]), segment) in pairs.iter().zip(segments) {
                let corners = |triangle: TriangleId| body.exact_corners(body.mesh().indices()[triangle.index()]);
                let (a, b) = (corners(pair.a), corners(pair.b));
                segment.triangles = [pair.a.0, pair.b.0];
                match cut_at_vertex((&a, i.into()), (&b, j.into()), vertices(pair)) {
                    Some(cut) => segment.cut = cut,
                    None => segment.cut.ends = Ends::NONE,
                }
            }
        };
        threads::each_stretch_of(2 * WORTH_A_THREAD, threads, &self.at_vertices, &mut segments[start..], &cut);
        segments.retain(Segment::crosses);
    }

    /// Puts a pair into one of the lists, or into none.
    fn sort_in(&mut self, welded: &[[u32; 3]], pair: TrianglePair) {
        let (a, b) = (welded[pair.a.index()], welded[pair.b.index()]);
        let mut shared = 0;
        let mut corners = [0; 2];
        for (i, vertex) in (0..).zip(a) {
            if let Some(j) = (0..).zip(b).find_map(|(j, other)| (other == vertex).then_some(j)) {
                shared += 1;
                corners = [i, j];
            }
        }
        match shared {
            0 => self.apart.push(pair),
            1 => self.at_vertices.push((pair, corners)),
            _ => {}
        }
    }

    /// Adds all pairs with a triangle that has no area.
    fn add_flat(&mut self, body: &Body) {
        let mesh = body.mesh();
        let (triangles, welded) = (mesh.indices(), mesh.welded_indices());
        let extent = body.bounds().extent();
        let axis = (0..3).max_by(|&i, &j| extent[i].total_cmp(&extent[j])).unwrap_or(0);
        self.is_flat.clear();
        self.is_flat.resize(triangles.len(), false);
        self.flat.clear();
        spend(mesh.triangles().len());
        for (triangle, vertices) in mesh.live_indices() {
            if has_no_area(&body.exact_corners(vertices)) {
                self.is_flat[triangle.index()] = true;
                self.flat.push(Flat { triangle: triangle.0, bounds: body.triangle_box(triangle), reach: 0.0 });
            }
        }
        let begin = |flat: &Flat| flat.bounds.min()[axis];
        self.flat.sort_unstable_by(|p, q| begin(p).total_cmp(&begin(q)).then(p.triangle.cmp(&q.triangle)));
        let mut reach = f32::NEG_INFINITY;
        for flat in &mut self.flat {
            reach = reach.max(flat.bounds.max()[axis]);
            flat.reach = reach;
        }
        let flat = std::mem::take(&mut self.flat);
        for (triangle, _) in mesh.live_indices() {
            let bounds = body.triangle_box(triangle);
            let first = flat.partition_point(|flat| flat.reach < bounds.min()[axis]);
            let near = flat[first..].iter().take_while(|flat| begin(flat) <= bounds.max()[axis]);
            let mut compared = 0;
            for other in near {
                compared += 1;
                // Of two without area, the later one finds the pair.
                let is_first = self.is_flat[triangle.index()] && other.triangle >= triangle.0;
                if !is_first && other.bounds.overlaps(&bounds) {
                    let (a, b) = (other.triangle.min(triangle.0), other.triangle.max(triangle.0));
                    self.sort_in(welded, TrianglePair::new(a, b));
                }
            }
            spend(compared);
        }
        self.flat = flat;
    }
}
