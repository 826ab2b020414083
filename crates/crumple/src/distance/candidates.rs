//! Which features of candidates have boxes that are near: eight pairs of triangles at a time.
//!
//! Of a pair of triangles those features are asked about that the triangles own (`crate::mesh`), and of one body those
//! that share no vertex. Which these are is kept as masks of lanes, one per kind of feature, so that a batch takes the same
//! instructions whatever its triangles own: corner k of the one against the face of the other, edge k against edge l. (Boxes
//! compared axis by axis, in a third of the instructions, gained nothing where the distance is small, and lost where it is
//! large: more pairs pass.)
//!
//! Cost: about 60 instructions per pair of triangles.

use crate::geom::lanes::vectors::*;

use super::features::{FeatureDistance, edge_edge_distance, vertex_face_distance};
use crate::body::Body;
use crate::exclusions::LeftOut;
use crate::geom::lanes::{Arithmetic, Number, Simd, Triangle8, Vec8, WIDTH, bits};
use crate::geom::{FeaturePair, TriangleId, VertexId};
use crate::mesh::{HalfEdges, OwnedFeatures};
use crate::tree::{Answer, Candidates, Leaves, Question, square_bound};
use crate::work::spend;

/// Pairs of features whose boxes are near, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// A vertex of a and a face of b; within one body, any vertex and any face.
    pub(super) vertices_of_a: Vec<[u32; 2]>,
    /// A vertex of b and a face of a.
    pub(super) vertices_of_b: Vec<[u32; 2]>,
    pub(super) edges: Vec<[u32; 2]>,
    /// How many of each, from the first on, are known to be near.
    near: [usize; 3],
}

/// So many pairs of features wait for the end of the walk to be measured; beyond that, those that are not near are
/// dropped on the way. Few bodies have as many, but some have far more of them than near ones: of thin triangles side by
/// side, or around one edge, every two have boxes that overlap.
const MOST_WAITING: usize = 1 << 18;

/// Fifteen pairs of boxes.
const STEPS_PER_CANDIDATE: usize = 3;
/// Two features in f64.
pub(super) const STEPS_PER_FEATURES: usize = 10;

impl Answer for Found {
    fn clear(&mut self) {
        self.vertices_of_a.clear();
        self.vertices_of_b.clear();
        self.edges.clear();
        self.near = [0; 3];
    }

    fn append(&mut self, other: &mut Self) {
        self.vertices_of_a.append(&mut other.vertices_of_a);
        self.vertices_of_b.append(&mut other.vertices_of_b);
        self.edges.append(&mut other.edges);
    }
}

/// What is known about the features of one body.
pub(super) struct OneSide<'a> {
    triangles: &'a [[u32; 3]],
    welded: &'a [[u32; 3]],
    owned: &'a OwnedFeatures,
    pub(super) edges: &'a HalfEdges,
}

impl<'a> OneSide<'a> {
    fn of(body: &'a Body) -> Self {
        let mesh = body.mesh();
        Self {
            triangles: mesh.indices(),
            welded: mesh.welded_indices(),
            owned: mesh.owned_features(),
            edges: mesh.half_edges(),
        }
    }
}

/// Which features of two bodies, or of one, are near each other?
pub(super) struct NearQuestion<'a, const ONE_BODY: bool> {
    pub(super) a: OneSide<'a>,
    pub(super) b: OneSide<'a>,
    bodies: [&'a Body; 2],
    d: f64,
    within: f64,
    bound: f32,
    left_out: Option<LeftOut<'a>>,
}

impl<'a, const ONE_BODY: bool> NearQuestion<'a, ONE_BODY> {
    /// Features of two bodies that are closer than `d`, found by boxes that are within a distance.
    pub(super) fn new(a: &'a Body, b: &'a Body, d: f64, within: f64, left_out: LeftOut<'a>) -> Self {
        let left_out = (!left_out.is_empty()).then_some(left_out);
        Self { a: OneSide::of(a), b: OneSide::of(b), bodies: [a, b], d, within, bound: square_bound(within), left_out }
    }

    /// Drops features that are left out, of those that were added since there were so many of each kind.
    #[inline(never)]
    fn leave_out(&self, left_out: &LeftOut<'_>, before: [usize; 3], answer: &mut Found) {
        let [a, b] = self.bodies.map(|body| body.mesh());
        let vertex_face = |vertex_of_b: bool, [vertex, triangle]: [u32; 2]| {
            let (vertex, triangle) = (VertexId(vertex), TriangleId(triangle));
            let face = if vertex_of_b { a } else { b };
            !left_out.leaves_out(FeaturePair::VertexFace { vertex_of_b, vertex, triangle }, face)
        };
        let edge_edge = |[e, f]: [u32; 2]| {
            let [edge_a, edge_b] = [self.a.edges.ends(e), self.b.edges.ends(f)].map(|ends| ends.map(VertexId));
            !left_out.leaves_out(FeaturePair::EdgeEdge { edge_a, edge_b }, a)
        };
        retain_from(before[0], &mut answer.vertices_of_a, |at| vertex_face(false, at));
        retain_from(before[1], &mut answer.vertices_of_b, |at| vertex_face(true, at));
        retain_from(before[2], &mut answer.edges, edge_edge);
    }

    /// Drops features that are not near, of those that were added since this was last done: memory then grows with the
    /// answer, not with the candidates. The distances are those of the measurement at the end, bit for bit.
    #[inline(never)]
    fn drop_far(&self, answer: &mut Found) {
        spend(STEPS_PER_FEATURES * MOST_WAITING);
        let [a, b] = self.bodies;
        let vertex_face = |of: &Body, to: &Body, [vertex, triangle]: [u32; 2]| {
            let [p, q, r] = to.exact_corners(to.mesh().indices()[triangle as usize]);
            vertex_face_distance(&[of.exact_position(vertex), p, q, r])
        };
        let edge_edge = |[e, f]: [u32; 2]| {
            let ([p, q], [r, s]) = (self.a.edges.ends(e), self.b.edges.ends(f));
            let points = [(a, p), (a, q), (b, r), (b, s)];
            edge_edge_distance(&points.map(|(body, vertex)| body.exact_position(vertex)))
        };
        let is_near = |apart: FeatureDistance| apart.squared.sqrt() < self.d;
        let Found { vertices_of_a, vertices_of_b, edges, near } = answer;
        near[0] = retain_from(near[0], vertices_of_a, |at| is_near(vertex_face(a, b, at)));
        near[1] = retain_from(near[1], vertices_of_b, |at| is_near(vertex_face(b, a, at)));
        near[2] = retain_from(near[2], edges, |at| is_near(edge_edge(at)));
    }
}

impl<const ONE_BODY: bool> Question for NearQuestion<'_, ONE_BODY> {
    type Answer = Found;

    const ONE_BODY: bool = ONE_BODY;

    fn within(&self) -> f64 {
        self.within
    }

    #[inline(always)]
    fn take<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &mut Candidates, answer: &mut Found) {
        spend(STEPS_PER_CANDIDATE * candidates.as_slice().len());
        let before = [answer.vertices_of_a.len(), answer.vertices_of_b.len(), answer.edges.len()];
        simd.vectorize(
            #[inline(always)]
            || self.ask(simd, leaves, candidates.as_slice(), answer),
        );
        if let Some(left_out) = &self.left_out {
            self.leave_out(left_out, before, answer);
        }
        let Found { vertices_of_a, vertices_of_b, edges, near } = answer;
        if vertices_of_a.len() + vertices_of_b.len() + edges.len() > near.iter().sum::<usize>() + MOST_WAITING {
            self.drop_far(answer);
        }
    }

    fn may_end_early(&self) -> bool {
        false
    }

    fn is_done(&self, _: &Found) -> bool {
        false
    }
}

impl<const ONE_BODY: bool> NearQuestion<'_, ONE_BODY> {
    /// Adds the features of pairs of triangles that these own and whose boxes are near.
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, leaves: &Leaves<'_>, candidates: &[(u32, u32)], answer: &mut Found) {
        for eight in candidates.chunks(WIDTH) {
            // A last batch that is not full repeats a pair in lanes that are not looked at.
            let in_use = 0xff >> (WIDTH - eight.len());
            let lane = |i: usize| eight[if i < eight.len() { i } else { 0 }];
            let all = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
            let triangles = all.map(|candidate| leaves.triangles(candidate));
            let mut asked = Features8::owned(&self.a, &self.b, &triangles, in_use);
            if ONE_BODY {
                asked.leave_out_shared(simd, &self.a, &triangles);
            }
            let corners = all.map(|candidate| leaves.corners(candidate));
            let a = Triangle8::gather(simd, corners.map(|pair| pair.0));
            let b = Triangle8::gather(simd, corners.map(|pair| pair.1));
            asked.keep_near(simd, &a, &b, self.bound);
            self.add(&triangles, &asked, answer);
        }
    }

    #[inline(always)]
    fn add(&self, triangles: &[(u32, u32); WIDTH], asked: &Features8, answer: &mut Found) {
        let (a, b) = (&self.a, &self.b);
        // All masks of a kind one after another, so that one loop goes through them: its end is hard to predict.
        let joined = |masks: &[u32]| masks.iter().rev().fold(0u64, |joined, &mask| joined << WIDTH | u64::from(mask));
        for bit in bits(joined(&asked.corners_a)) {
            let (k, (i, j)) = (bit / WIDTH, triangles[bit % WIDTH]);
            answer.vertices_of_a.push([a.triangles[i as usize][k], j]);
        }
        // Of one body neither triangle is first: the face is named, not the side.
        let of_b = if ONE_BODY { &mut answer.vertices_of_a } else { &mut answer.vertices_of_b };
        for bit in bits(joined(&asked.corners_b)) {
            let (k, (i, j)) = (bit / WIDTH, triangles[bit % WIDTH]);
            of_b.push([b.triangles[j as usize][k], i]);
        }
        let [first, second, third] = &asked.edges;
        for (from, masks) in [(0, joined([*first, *second].as_flattened())), (2, joined(third))] {
            for bit in bits(masks) {
                let (kind, (i, j)) = (bit / WIDTH, triangles[bit % WIDTH]);
                let (e, f) = (a.edges.of_triangle(i)[from + kind / 3], b.edges.of_triangle(j)[kind % 3]);
                answer.edges.push(if ONE_BODY { [e.min(f), e.max(f)] } else { [e, f] });
            }
        }
    }
}

/// Drops entries from a place on; returns the new length.
fn retain_from(first: usize, list: &mut Vec<[u32; 2]>, keep: impl Fn([u32; 2]) -> bool) -> usize {
    let mut kept = first;
    for at in first..list.len() {
        list[kept] = list[at];
        kept += usize::from(keep(list[at]));
    }
    list.truncate(kept);
    kept
}

/// Which features of eight pairs of triangles are asked about, a mask of lanes for each: corner k against the face of the
/// other triangle, and edge k of the first against edge l of the second. Edge k runs from corner k to the next.
struct Features8 {
    corners_a: [u32; 3],
    corners_b: [u32; 3],
    edges: [[u32; 3]; 3],
}

impl Features8 {
    /// Those that the triangles own.
    #[inline(always)]
    fn owned(a: &OneSide<'_>, b: &OneSide<'_>, triangles: &[(u32, u32); WIDTH], in_use: u32) -> Self {
        let of_a = transposed(triangles.map(|(i, _)| a.owned.bits(i)));
        let of_b = transposed(triangles.map(|(_, j)| b.owned.bits(j)));
        let mut asked = Self { corners_a: [0; 3], corners_b: [0; 3], edges: [[0; 3]; 3] };
        for k in 0..3 {
            asked.corners_a[k] = u32::from(of_a[k]) & in_use;
            asked.corners_b[k] = u32::from(of_b[k]) & in_use;
            for l in 0..3 {
                asked.edges[k][l] = u32::from(of_a[3 + k] & of_b[3 + l]) & in_use;
            }
        }
        asked
    }

    /// Without those of one body that share a vertex.
    #[inline(always)]
    fn leave_out_shared<S: Simd>(&mut self, simd: S, side: &OneSide<'_>, triangles: &[(u32, u32); WIDTH]) {
        let (mut of_a, mut of_b) = ([[0; WIDTH]; 3], [[0; WIDTH]; 3]);
        for (lane, &(i, j)) in triangles.iter().enumerate() {
            let (welded_a, welded_b) = (side.welded[i as usize], side.welded[j as usize]);
            for k in 0..3 {
                (of_a[k][lane], of_b[k][lane]) = (welded_a[k], welded_b[k]);
            }
        }
        let mut same = [[0; 3]; 3];
        for k in 0..3 {
            let corner_a = u32x8::from_slice(simd, &of_a[k]);
            for l in 0..3 {
                same[k][l] = corner_a.simd_eq(u32x8::from_slice(simd, &of_b[l])).to_bitmask() as u32;
            }
        }
        for k in 0..3 {
            self.corners_a[k] &= !(same[k][0] | same[k][1] | same[k][2]);
            self.corners_b[k] &= !(same[0][k] | same[1][k] | same[2][k]);
            for l in 0..3 {
                let (to_k, to_l) = ((k + 1) % 3, (l + 1) % 3);
                self.edges[k][l] &= !(same[k][l] | same[k][to_l] | same[to_k][l] | same[to_k][to_l]);
            }
        }
    }

    /// Only those whose boxes are near.
    #[inline(always)]
    fn keep_near<S: Simd>(&mut self, simd: S, a: &Triangle8<S>, b: &Triangle8<S>, bound: f32) {
        let bound = f32x8::splat(simd, bound);
        let edges_a = [(a.p.min(a.q), a.p.max(a.q)), (a.q.min(a.r), a.q.max(a.r)), (a.r.min(a.p), a.r.max(a.p))];
        let edges_b = [(b.p.min(b.q), b.p.max(b.q)), (b.q.min(b.r), b.q.max(b.r)), (b.r.min(b.p), b.r.max(b.p))];
        let (face_a, face_b) = ((a.min(), a.max()), (b.min(), b.max()));
        let (corners_a, corners_b) = ([a.p, a.q, a.r], [b.p, b.q, b.r]);
        for k in 0..3 {
            self.corners_a[k] &= are_near(simd, (corners_a[k], corners_a[k]), face_b, bound);
            self.corners_b[k] &= are_near(simd, (corners_b[k], corners_b[k]), face_a, bound);
            for l in 0..3 {
                self.edges[k][l] &= are_near(simd, edges_a[k], edges_b[l], bound);
            }
        }
    }
}

/// Bit k of byte i becomes bit i of byte k: three times, blocks across the diagonal are exchanged.
#[inline(always)]
fn transposed(rows: [u8; WIDTH]) -> [u8; WIDTH] {
    let mut all = u64::from_le_bytes(rows);
    for (shift, block) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let differing = (all ^ all >> shift) & block;
        all ^= differing ^ differing << shift;
    }
    all.to_le_bytes()
}

/// The lower and upper corners of eight boxes.
type Box8<S> = (Vec8<S>, Vec8<S>);

/// In which lanes the squares of the distances of boxes are not above the bound.
#[inline(always)]
fn are_near<S: Simd>(simd: S, a: Box8<S>, b: Box8<S>, bound: f32x8<S>) -> u32 {
    let zero = f32x8::splat(simd, 0.0);
    let (below, above) = (b.0.minus(a.1), a.0.minus(b.1));
    let x = Arithmetic::max(Arithmetic::max(below.x, above.x), zero);
    let y = Arithmetic::max(Arithmetic::max(below.y, above.y), zero);
    let z = Arithmetic::max(Arithmetic::max(below.z, above.z), zero);
    !f32x8::<S>::bits((x * x + y * y + z * z).exceeds(bound)) & 0xff
}

#[cfg(test)]
mod tests {
    use super::transposed;

    #[test]
    fn rows_become_columns() {
        let mut random = crumple_scenes::Random::new(1);
        for _ in 0..100 {
            let rows = random.bits().to_le_bytes();
            let columns = transposed(rows);
            for i in 0..8 {
                for k in 0..8 {
                    assert_eq!(columns[k] >> i & 1, rows[i] >> k & 1);
                }
            }
        }
    }
}
