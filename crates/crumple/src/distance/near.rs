//! All vertices and faces, and all edges and edges, that are closer than a distance.
//!
//! A *near pair* is a vertex and a face, or two edges, whose distance — that of the closed point, segments and triangle, as
//! [`vertex_face_distance`](super::vertex_face_distance) and [`edge_edge_distance`](super::edge_edge_distance) compute it —
//! is less than `d`. The nearest points may lie anywhere on the features; so a vertex near an edge is near the faces at that
//! edge, too, and near other edges there through the edges that end in it: what barrier methods (Li et al. 2020) call the
//! vertex–face and edge–edge pairs, before they look for which of them count twice. Within one body, features that share a
//! vertex, welded ones included, are left out.
//!
//! The walk over the tree hands out pairs of triangles whose boxes are within `d`; each asks about the features its
//! triangles own, so that every pair of features is asked about once, and drops those whose boxes are not near
//! (`candidates`). What is left is a list of pairs of numbers, which is sorted before anything is measured:
//! measuring in order reads memory in order, is easily shared among threads, and only numbers have to be moved about.
//! Where the list grows far beyond what is near, it is measured on the way as well.
//!
//! Whether a pair is near is decided by the f64 distance alone, so no processor and no number of threads changes the answer.
//! That distance may be less than `d` where the exact one is not, by up to 2^-48 of the extent of both features (see
//! `features`); so boxes are compared with `d` and 2^-46 of the extent of both bodies, as
//! [`square_bound`](crate::tree::square_bound) says. Of f64 positions boxes are those of rounded copies, and as much is
//! added as they may be too far apart by ([`slack`](super::slack); what of it is more than √3 times the roundings covers
//! that the copies may be smaller than the bodies); distances are those of the f64 positions.
//!
//! Cost: what the walk reaches, then about 60 instructions per pair of triangles, then a measurement per pair of features
//! whose boxes are near. No allocation once the lists have grown.

use super::candidates::{Found, NearQuestion, STEPS_PER_FEATURES};
use super::features::{FeatureDistance, edge_edge_lanes, vertex_face_lanes};
use super::slack;
use crate::body::Body;
use crate::exclusions::LeftOut;
use crate::geom::lanes::{Instructions, Simd, dispatch};
use crate::geom::lanes::{LANES, LanePoints};
use crate::geom::{FeaturePair, TriangleId, VertexId, sort_pairs};
use crate::threads;
use crate::tree::{Answer, TreeSide, WalkMemory, walk};
use crate::work::{STEPS_PER_ANSWER, spend};

/// Two features that are closer than the distance asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearPair {
    /// Which features.
    pub features: FeaturePair,
    /// The square of their distance, computed in f64.
    pub distance_squared: f64,
    /// Where they are nearest: for a vertex and a face, the weights of the three corners of the face; for two edges, how far
    /// along the first and along the second, and 0.
    pub barycentric: [f64; 3],
    /// A unit vector from the face to the vertex, or from the second edge to the first; zeros if they touch.
    pub direction: [f64; 3],
}

impl NearPair {
    /// How far the features are apart.
    pub fn distance(&self) -> f64 {
        self.distance_squared.sqrt()
    }
}

/// Working memory of one query.
#[derive(Debug, Default)]
pub(crate) struct NearMemory {
    walk: WalkMemory<Found>,
    found: Found,
    spare: Vec<[u32; 2]>,
}

/// Appends the near pairs of two bodies whose trees are up to date, in order.
pub(crate) fn near_between(
    (a, b): (TreeSide<'_>, TreeSide<'_>),
    d: f64,
    left_out: LeftOut<'_>,
    memory: &mut NearMemory,
    pairs: &mut Vec<NearPair>,
) {
    find::<false>((a, b), d, left_out, memory, pairs);
}

/// Appends the near pairs of a body with itself.
pub(crate) fn near_within(
    side: TreeSide<'_>,
    d: f64,
    left_out: LeftOut<'_>,
    memory: &mut NearMemory,
    pairs: &mut Vec<NearPair>,
) {
    find::<true>((side, side), d, left_out, memory, pairs);
}

fn find<const ONE_BODY: bool>(
    sides: (TreeSide<'_>, TreeSide<'_>),
    d: f64,
    left_out: LeftOut<'_>,
    memory: &mut NearMemory,
    pairs: &mut Vec<NearPair>,
) {
    // Nothing is closer than 0.
    if d.is_nan() || d <= 0.0 {
        return;
    }
    let (a, b) = (sides.0.body, sides.1.body);
    let size = a.bounds().union(&b.bounds()).extent().into_iter().fold(0.0, f32::max);
    let within = d + (f64::from(size) * 2f64.powi(-46) + slack(a, b));
    let question = NearQuestion::<ONE_BODY>::new(a, b, d, within, left_out);
    let NearMemory { walk: of_walk, found, spare } = memory;
    found.clear();
    walk(sides.0.tree.instructions(), &question, sides, of_walk, found);
    for list in [&mut found.vertices_of_a, &mut found.vertices_of_b, &mut found.edges] {
        sort_pairs(list, spare);
    }
    let simd = sides.0.tree.instructions();
    if a.is_wide() || b.is_wide() {
        measure_found(simd, d, &question, (a, b), found, &Body::exact_position, pairs);
    } else {
        let position = |body: &Body, vertex: u32| body.vertices().position(vertex).map(f64::from);
        measure_found(simd, d, &question, (a, b), found, &position, pairs);
    }
}

/// Appends those of the features found that are near, in order, given where vertices are.
fn measure_found<const ONE_BODY: bool>(
    simd: Instructions,
    d: f64,
    question: &NearQuestion<'_, ONE_BODY>,
    (a, b): (&Body, &Body),
    found: &Found,
    position: &(impl Fn(&Body, u32) -> [f64; 3] + Sync),
    pairs: &mut Vec<NearPair>,
) {
    let vertex_face_at = |vertex_of_b: bool, of: &Body, to: &Body, [vertex, triangle]: [u32; 2]| {
        let [p, q, r] = to.mesh().indices()[triangle as usize];
        let features =
            FeaturePair::VertexFace { vertex_of_b, vertex: VertexId(vertex), triangle: TriangleId(triangle) };
        (features, [position(of, vertex), position(to, p), position(to, q), position(to, r)])
    };
    let edge_edge_at = |&[e, f]: &[u32; 2]| {
        let ([p, q], [r, s]) = (question.a.edges.ends(e), question.b.edges.ends(f));
        let (edge_a, edge_b) = ([VertexId(p), VertexId(q)], [VertexId(r), VertexId(s)]);
        (FeaturePair::EdgeEdge { edge_a, edge_b }, [position(a, p), position(a, q), position(b, r), position(b, s)])
    };
    Measuring::<_, false> { simd, d, points: &|&at: &_| vertex_face_at(false, a, b, at) }
        .append(&found.vertices_of_a, pairs);
    Measuring::<_, false> { simd, d, points: &|&at: &_| vertex_face_at(true, b, a, at) }
        .append(&found.vertices_of_b, pairs);
    Measuring::<_, true> { simd, d, points: &edge_edge_at }.append(&found.edges, pairs);
}

/// How pairs of features are measured: their names and points by their numbers.
struct Measuring<'a, P, const EDGES: bool> {
    simd: Instructions,
    d: f64,
    points: &'a P,
}

impl<P: Fn(&[u32; 2]) -> (FeaturePair, [[f64; 3]; 4]) + Sync, const EDGES: bool> Measuring<'_, P, EDGES> {
    /// Measures pairs of features and appends those that are near, in order.
    fn append(&self, of: &[[u32; 2]], pairs: &mut Vec<NearPair>) {
        /// Few enough for what was measured to stay in the cache until those that are not near are dropped.
        const PIECE: usize = 1 << 11;
        let threads = threads::for_items(of.len());
        let piece = if threads > 1 { (PIECE * 8 * threads).max(1 << 15) } else { PIECE };
        for piece in of.chunks(piece) {
            spend(STEPS_PER_FEATURES * piece.len());
            let start = pairs.len();
            pairs.resize(start + piece.len(), NearPair::NONE);
            threads::each_stretch(threads, piece, &mut pairs[start..], &|features, measured| {
                dispatch!(self.simd, simd => self.measure(simd, features, measured));
            });
            let mut kept = start;
            for at in start..pairs.len() {
                pairs[kept] = pairs[at];
                kept += usize::from(pairs[at].distance() < self.d);
            }
            pairs.truncate(kept);
            spend(8 * STEPS_PER_ANSWER * (kept - start));
        }
    }

    #[inline(always)]
    fn measure<S: Simd>(&self, simd: S, of: &[[u32; 2]], measured: &mut [NearPair]) {
        for (four, measured) in of.chunks(LANES).zip(measured.chunks_mut(LANES)) {
            let mut points = LanePoints::default();
            for (lane, numbers) in four.iter().enumerate() {
                let (features, of_lane) = (self.points)(numbers);
                measured[lane].features = features;
                for point in 0..4 {
                    for axis in 0..3 {
                        points[point][axis][lane] = of_lane[point][axis];
                    }
                }
            }
            let apart = if EDGES { edge_edge_lanes(simd, &points) } else { vertex_face_lanes(simd, &points) };
            for (pair, apart) in measured.iter_mut().zip(apart.split()) {
                let FeatureDistance { squared, barycentric, vector } = apart;
                let length = squared.sqrt();
                pair.distance_squared = squared;
                pair.barycentric = barycentric;
                pair.direction = if squared > 0.0 { vector.map(|x| x / length) } else { [0.0; 3] };
            }
        }
    }
}

impl NearPair {
    /// What stands in a list until it is overwritten.
    const NONE: Self = Self {
        features: FeaturePair::EdgeEdge { edge_a: [VertexId(0); 2], edge_b: [VertexId(0); 2] },
        distance_squared: f64::INFINITY,
        barycentric: [0.0; 3],
        direction: [0.0; 3],
    };

    /// The same, with `a` and `b` exchanged.
    pub(super) fn swapped(self) -> Self {
        let features = self.features.swapped();
        match features {
            FeaturePair::VertexFace { .. } | FeaturePair::Triangles { .. } => Self { features, ..self },
            FeaturePair::EdgeEdge { .. } => {
                let [s, t, rest] = self.barycentric;
                Self { features, barycentric: [t, s, rest], direction: self.direction.map(|x| 0.0 - x), ..self }
            }
        }
    }
}
