//! How far apart two triangles are, with bounds that hold whatever was rounded.
//!
//! Triangles that do not meet are nearest at a vertex and a face or at two edges: six and nine of them, measured by the
//! formulas of `features`. The upper bound is the distance of the two points found, and what rounding can add to it; see
//! there. The lower bound is the width of a slab between the triangles: for every direction n,
//!
//! ```text
//! distance ≥ (min n·a − max n·b) / |n|     over the corners a of the one and b of the other,
//! ```
//!
//! and for the direction that joins the nearest points the two are equal, but for rounding. So the lower bound does not
//! depend on having found the right features. Its error: with X the largest extent of the box of both triangles, u = 2^-53,
//! a corner as seen from another is within u of itself, n·a within 4u of |n||a| ≤ √3 X |n|, and the difference of two such
//! products within 16u X |n|; the division and the length of n take 8u of the result at most. Where triangles are much
//! nearer than they are large, the joining vector is too short to have an accurate direction, and that of the normal of the
//! face, or across both edges, may be better: the larger bound counts.
//!
//! Whether they meet at all is not decided here, but exactly (`crate::exact`).
//!
//! Cost: about 0.2 µs for two triangles; their features are measured four at a time.

use crate::geom::lanes::vectors::*;
use glam::Vec4;

use super::features::{FeatureDistance, vertex_face_lanes};
use crate::geom::closest::{perpendicular, vertex_face};
use crate::geom::lanes::{LANES, LanePoints, Vec3, Vec3Ops, loaded};
use crate::geom::{FeaturePair, TriangleId, VertexId};

/// The corners of a triangle, widened.
pub(super) type Corners = [Vec3<f64>; 3];

/// Two triangles of which it is known how far they are apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// From the nearest point of the second to that of the first.
    pub(super) vector: Vec3<f64>,
    features: Features,
    weights: [f64; 3],
}

/// Between which features the distance was found: corners and edges by their numbers in the triangle, edge k running from
/// corner k to the next.
#[derive(Clone, Copy, Debug)]
enum Features {
    VertexOfA(usize),
    VertexOfB(usize),
    Edges(usize, usize),
}

/// The features of two triangles that are measured, in the order in which the first of equally near ones counts.
const VERTICES: [Features; 6] = [
    Features::VertexOfA(0),
    Features::VertexOfA(1),
    Features::VertexOfA(2),
    Features::VertexOfB(0),
    Features::VertexOfB(1),
    Features::VertexOfB(2),
];
const EDGES: [Features; 9] = [
    Features::Edges(0, 0),
    Features::Edges(0, 1),
    Features::Edges(0, 2),
    Features::Edges(1, 0),
    Features::Edges(1, 1),
    Features::Edges(1, 2),
    Features::Edges(2, 0),
    Features::Edges(2, 1),
    Features::Edges(2, 2),
];

impl Features {
    /// Four points: a vertex and a face, or two edges.
    #[inline(always)]
    fn points(self, a: &Corners, b: &Corners) -> [Vec3<f64>; 4] {
        match self {
            Self::VertexOfA(k) => [a[k], b[0], b[1], b[2]],
            Self::VertexOfB(k) => [b[k], a[0], a[1], a[2]],
            Self::Edges(k, l) => [a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]],
        }
    }
}

pub(super) fn widened(corners: &[Vec4; 3]) -> Corners {
    corners.map(|corner| [corner.x, corner.y, corner.z].map(f64::from))
}

/// Measures two triangles that do not meet.
#[inline(always)]
pub(super) fn measure<S: Simd>(simd: S, a: &Corners, b: &Corners) -> Measured {
    let (nearest, features) = nearest_features(simd, a, b);
    let vector = if let Features::VertexOfB(_) = features { nearest.vector.negative() } else { nearest.vector };
    let size = size(a, b);
    let distance = nearest.squared.sqrt();
    let hi = distance + distance * 2f64.powi(-50) + size * 2f64.powi(-48);
    let mut lo = slab(vector, size, a, b);
    if lo < hi * (1.0 - 2f64.powi(-40)) {
        let across = match features {
            Features::VertexOfA(_) => normal(b),
            Features::VertexOfB(_) => normal(a),
            Features::Edges(k, l) => a[(k + 1) % 3].minus(a[k]).cross(b[(l + 1) % 3].minus(b[l])),
        };
        let towards_a = if across.dot(vector) < 0.0 { across.negative() } else { across };
        lo = lo.max(slab(towards_a, size, a, b));
    }
    // A distance of f32 numbers that is not 0 is a ratio of which the numerator is a multiple of 2^-447 and the denominator at
    // most 2^260. Of f64 numbers that are 0 or at least 2^-200 in size, thus multiples of 2^-252, the numerator is one of
    // 2^-756, and that is still enough; below, only a size that has nothing to do with the numbers around it would not do.
    Measured { lo: lo.max(f64::MIN_POSITIVE), hi, vector, features, weights: nearest.barycentric }
}

/// The nearest features of two triangles; of equally near ones the first.
#[inline(always)]
fn nearest_features<S: Simd>(simd: S, a: &Corners, b: &Corners) -> (FeatureDistance, Features) {
    let none = FeatureDistance { squared: f64::INFINITY, barycentric: [1.0, 0.0, 0.0], vector: [0.0; 3] };
    let mut nearest = (none, VERTICES[0]);
    for four in VERTICES.chunks(LANES) {
        let points = in_lanes(four, a, b);
        note(four, vertex_face_lanes(simd, &points).split(), &mut nearest);
    }
    // The ends of edges were measured with the faces.
    for four in EDGES.chunks(LANES) {
        let [p, q, r, s] = loaded(simd, &in_lanes(four, a, b));
        note(four, perpendicular(q.minus(p), s.minus(r), p.minus(r)).split(), &mut nearest);
    }
    nearest
}

/// The points of features in lanes; lanes that are not in use repeat the first.
#[inline(always)]
fn in_lanes(features: &[Features], a: &Corners, b: &Corners) -> LanePoints {
    let mut points = LanePoints::default();
    for lane in 0..LANES {
        let of_lane = features[if lane < features.len() { lane } else { 0 }].points(a, b);
        for point in 0..4 {
            for axis in 0..3 {
                points[point][axis][lane] = of_lane[point][axis];
            }
        }
    }
    points
}

#[inline(always)]
fn note(features: &[Features], measured: [FeatureDistance; LANES], nearest: &mut (FeatureDistance, Features)) {
    for (&features, measured) in features.iter().zip(measured) {
        if measured.squared < nearest.0.squared {
            *nearest = (measured, features);
        }
    }
}

fn normal([p, q, r]: &Corners) -> Vec3<f64> {
    q.minus(*p).cross(r.minus(*p))
}

/// The largest extent of the box of both triangles.
#[inline(always)]
fn size(a: &Corners, b: &Corners) -> f64 {
    let extent = |axis: usize| {
        let (mut low, mut high) = (a[0][axis], a[0][axis]);
        for corner in [a[1], a[2], b[0], b[1], b[2]] {
            (low, high) = (low.min(corner[axis]), high.max(corner[axis]));
        }
        high - low
    };
    extent(0).max(extent(1)).max(extent(2))
}

/// A lower bound of the distance: the width of the slab across a direction; see the head of this file.
#[inline(always)]
fn slab(direction: Vec3<f64>, size: f64, a: &Corners, b: &Corners) -> f64 {
    let height = |corner: Vec3<f64>| direction.dot(corner.minus(b[0]));
    let least_a = height(a[0]).min(height(a[1])).min(height(a[2]));
    // That of the first corner is 0.
    let most_b = 0f64.max(height(b[1])).max(height(b[2]));
    let width = (least_a - most_b) / direction.dot(direction).sqrt();
    // A direction without length makes this no number.
    if width > 0.0 { width - width * 2f64.powi(-50) - size * 2f64.powi(-48) } else { 0.0 }
}

impl Measured {
    /// The nearest points, the first triangle's first.
    pub(super) fn points(&self, a: &Corners, b: &Corners) -> [[f64; 3]; 2] {
        nearest_points(self.features, self.weights, a, b)
    }

    /// The features by the numbers they have in their meshes, of triangles given by number and vertices.
    pub(super) fn features(&self, (i, of_a): (u32, [u32; 3]), (j, of_b): (u32, [u32; 3])) -> FeaturePair {
        let edge = |vertices: [u32; 3], k: usize| {
            let (p, q) = (vertices[k], vertices[(k + 1) % 3]);
            [p.min(q), p.max(q)].map(VertexId)
        };
        let vertex_face = |vertex_of_b, vertex, triangle| FeaturePair::VertexFace {
            vertex_of_b,
            vertex: VertexId(vertex),
            triangle: TriangleId(triangle),
        };
        match self.features {
            Features::VertexOfA(k) => vertex_face(false, of_a[k], j),
            Features::VertexOfB(k) => vertex_face(true, of_b[k], i),
            Features::Edges(k, l) => FeaturePair::EdgeEdge { edge_a: edge(of_a, k), edge_b: edge(of_b, l) },
        }
    }
}

/// Where features are nearest, the first triangle's point first.
fn nearest_points(features: Features, [u, v, w]: [f64; 3], a: &Corners, b: &Corners) -> [[f64; 3]; 2] {
    let in_face = |[p, q, r]: &Corners| p.times(u).plus(q.times(v)).plus(r.times(w));
    let on_edge = |corners: &Corners, k: usize, t: f64| corners[k].times(1.0 - t).plus(corners[(k + 1) % 3].times(t));
    match features {
        Features::VertexOfA(k) => [a[k], in_face(b)],
        Features::VertexOfB(k) => [in_face(a), b[k]],
        Features::Edges(k, l) => [on_edge(a, k, u), on_edge(b, l, v)],
    }
}

/// A point that two triangles share, which are known to meet; as good as f64 can tell.
pub(super) fn common_point<S: Simd>(simd: S, a: &Corners, b: &Corners) -> [f64; 3] {
    let (nearest, features) = nearest_features(simd, a, b);
    let mut best = (nearest.squared, nearest_points(features, nearest.barycentric, a, b)[0]);
    // Where an edge of the one passes through the plane of the other.
    for (edges_of, face) in [(a, b), (b, a)] {
        let across = normal(face);
        for k in 0..3 {
            let (p, q) = (edges_of[k], edges_of[(k + 1) % 3]);
            let (from, to) = (across.dot(p.minus(face[0])), across.dot(q.minus(face[0])));
            if (from < 0.0) != (to < 0.0) {
                let t = from / (from - to);
                let point = p.times(1.0 - t).plus(q.times(t));
                let off = vertex_face([point, face[0], face[1], face[2]]).squared;
                if off < best.0 {
                    best = (off, point);
                }
            }
        }
    }
    best.1
}
