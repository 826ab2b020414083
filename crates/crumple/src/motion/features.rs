//! The features of one pair of triangles: which of them can meet within the step, and when.
//!
//! Vertices are f32 numbers, widened to f64 without change, or f64 numbers, which are fetched once a query is to be
//! decided; up to then f32 copies serve. Before the exact question stands the comparison of the boxes of
//! the two features at both ends of the step, and, where only the first impact is wanted, the earliest time at which those
//! boxes can touch.
//!
//! *Entry time.* Along an axis let one feature lie below the other by g₀ > d at the start and by g₁ ≤ d at the end, d being
//! the distance they must keep, 0 for touching. The upper end of the one is the largest of linear functions, so it lies
//! below the straight line between its values at both ends; likewise the lower end of the other. So the gap is at least
//! g₀ + t (g₁ − g₀), and more than d before t = x / (x + y), with x = g₀ − d and y = d − g₁. x and y are computed with an error
//! of at most 2^-51 (g₀ + |g₁| + d) each; twice that is taken off x and added to y, which makes t smaller, and a factor of
//! 1 − 2^-50 covers the rest. Of f64 positions the gaps are those of the copies rounded to f32, and the true ones may be
//! smaller by the sum of both bodies' roundings at either end: that sum is added to d instead, which comes to the same
//! (`super::reach`).
//!
//! *One impact and all impacts agree.* Let e be the entry time of two features and `latest` the end, a multiple of 2^-32, of
//! an impact that was found. The features are skipped if e > latest, so their impact must not come first. For touching
//! that holds since times are certified. With a distance the time reported may lie before the features are that close; but
//! the search for it starts at e (`decide`), and rounding to multiples of 2^-32 is monotone: its `lo` is at least latest, and if
//! it is latest then its `hi` is more. In the order of impacts, by `lo` and then by `hi`, it comes after the one that was found.

use glam::{DVec3, Vec4};

use super::Impact;
use super::thick::Motion;
use crate::body::Body;
use crate::exact::lanes::may_meet_lanes;
use crate::exact::{Features, candidate_impact};
use crate::exclusions::LeftOut;
use crate::geom::closest::{edge_edge, vertex_face};
use crate::geom::lanes::{LANES, LanePoints, Simd, bits};
use crate::geom::{FeaturePair, TriangleId, VertexId};

/// A triangle at both ends of the step.
#[derive(Clone, Copy)]
pub(super) struct MovingTriangle {
    pub(super) number: u32,
    pub(super) vertices: [u32; 3],
    /// What the vertices are welded to, by which features of one body count as connected.
    welded: [u32; 3],
    pub(super) start: [Vec4; 3],
    pub(super) end: [Vec4; 3],
    face: MovingBox,
}

impl MovingTriangle {
    #[inline(always)]
    pub(super) fn new(body: &Body, number: u32) -> Self {
        let vertices = body.mesh().indices()[number as usize];
        let [p, q, r] = vertices;
        let at = |of: &crate::body::Vertices| [of.get(p), of.get(q), of.get(r)];
        let (start, end) = (at(body.previous_vertices()), at(body.vertices()));
        let welded = body.mesh().welded_indices()[number as usize];
        Self { number, vertices, welded, start, end, face: MovingBox::of_face(&start, &end) }
    }
}

/// A box at both ends of the step.
#[derive(Clone, Copy)]
struct MovingBox {
    min: [Vec4; 2],
    max: [Vec4; 2],
}

impl MovingBox {
    #[inline(always)]
    fn of_vertex(triangle: &MovingTriangle, k: usize) -> Self {
        let points = [triangle.start[k], triangle.end[k]];
        Self { min: points, max: points }
    }

    #[inline(always)]
    fn of_edge(triangle: &MovingTriangle, k: usize) -> Self {
        let l = (k + 1) % 3;
        Self {
            min: [triangle.start[k].min(triangle.start[l]), triangle.end[k].min(triangle.end[l])],
            max: [triangle.start[k].max(triangle.start[l]), triangle.end[k].max(triangle.end[l])],
        }
    }

    #[inline(always)]
    fn of_face(&[p, q, r]: &[Vec4; 3], &[s, t, u]: &[Vec4; 3]) -> Self {
        Self { min: [p.min(q).min(r), s.min(t).min(u)], max: [p.max(q).max(r), s.max(t).max(u)] }
    }

    /// Whether two boxes are on the same side of each other along one axis at both ends of the step.
    #[inline(always)]
    fn stays_apart_from(&self, other: &Self) -> bool {
        let below = self.max[0].cmplt(other.min[0]) & self.max[1].cmplt(other.min[1]);
        let above = self.min[0].cmpgt(other.max[0]) & self.min[1].cmpgt(other.max[1]);
        (below | above).any()
    }

    /// Along each axis, how far one box lies below the other at the start and at the end, and the other way round.
    fn gaps(&self, other: &Self) -> impl Iterator<Item = (f64, f64)> {
        let gap =
            |of: [Vec4; 2], to: [Vec4; 2], at: usize, axis: usize| f64::from(to[at][axis]) - f64::from(of[at][axis]);
        let sides = [(self.max, other.min), (other.max, self.min)];
        (0..3).flat_map(move |axis| sides.map(|(of, to)| (gap(of, to, 0, axis), gap(of, to, 1, axis))))
    }

    /// Whether two boxes are farther apart than a distance on the same side along one axis at both ends of the step. A gap
    /// is rounded once, which the factor covers.
    fn stays_farther_than(&self, distance: f64, other: &Self) -> bool {
        let is_farther = |gap: f64| gap * (1.0 - 2f64.powi(-50)) > distance;
        self.gaps(other).any(|(start, end)| is_farther(start) && is_farther(end))
    }

    /// A time before which two boxes are farther apart than a distance; see the head of this file.
    fn entry_time(&self, other: &Self, distance: f64) -> f64 {
        let mut entry = 0.0f64;
        for (start, end) in self.gaps(other) {
            let error = 2f64.powi(-50) * (start.abs() + end.abs() + distance);
            let (x, y) = (start - distance - error, distance - end + error);
            if x > 0.0 && y >= 0.0 {
                entry = entry.max(x / (x + y) * (1.0 - 2f64.powi(-50)));
            }
        }
        entry
    }
}

/// A triangle of each body, or two of one.
pub(super) struct Pair<'a> {
    pub(super) a: &'a MovingTriangle,
    pub(super) b: &'a MovingTriangle,
    pub(super) one_body: bool,
    /// The distance that features must keep; 0 asks for touching.
    pub(super) distance: f64,
    /// What gaps between boxes are compared with for it.
    pub(super) reach: f64,
}

impl Pair<'_> {
    /// Whether the boxes of the triangles overlap at the start of the step. Of one body, triangles that share a vertex touch
    /// by construction and do not count.
    #[inline(always)]
    pub(super) fn boxes_meet_at_start(&self) -> bool {
        let (a, b) = (&self.a.face, &self.b.face);
        let overlap = a.min[0].cmple(b.max[0]).all() && b.min[0].cmple(a.max[0]).all();
        overlap && !self.share_a_vertex()
    }

    #[inline(always)]
    fn stay_apart(&self, a: &MovingBox, b: &MovingBox) -> bool {
        if self.distance > 0.0 { a.stays_farther_than(self.reach, b) } else { a.stays_apart_from(b) }
    }

    fn share_a_vertex(&self) -> bool {
        self.one_body && self.a.welded.iter().any(|vertex| self.b.welded.contains(vertex))
    }

    /// Adds a vertex of a against the face of b to what waits, unless they cannot meet, or not before `latest`.
    #[inline(always)]
    pub(super) fn vertex_of_a(&self, k: usize, latest: f64, waiting: &mut Waiting) {
        self.vertex_face((self.a, k), self.b, false, latest, waiting);
    }

    /// A vertex of b against the face of a.
    #[inline(always)]
    pub(super) fn vertex_of_b(&self, k: usize, latest: f64, waiting: &mut Waiting) {
        // Of one body neither triangle is first: the face is named, not the side.
        self.vertex_face((self.b, k), self.a, !self.one_body, latest, waiting);
    }

    #[inline(always)]
    fn vertex_face(
        &self,
        (of, k): (&MovingTriangle, usize),
        face: &MovingTriangle,
        vertex_of_b: bool,
        latest: f64,
        waiting: &mut Waiting,
    ) {
        let vertex_box = MovingBox::of_vertex(of, k);
        if self.stay_apart(&vertex_box, &face.face)
            || (self.one_body && face.welded.contains(&of.welded[k]))
            || (latest < f64::INFINITY && vertex_box.entry_time(&face.face, self.reach) > latest)
        {
            return;
        }
        let (vertex, triangle) = (VertexId(of.vertices[k]), TriangleId(face.number));
        waiting.0.push(Query {
            features: FeaturePair::VertexFace { vertex, triangle, vertex_of_b },
            start: [of.start[k], face.start[0], face.start[1], face.start[2]],
            end: [of.end[k], face.end[0], face.end[1], face.end[2]],
        });
    }

    /// Adds an edge of a against an edge of b to what waits.
    #[inline(always)]
    pub(super) fn edges(&self, k: usize, l: usize, latest: f64, waiting: &mut Waiting) {
        let (box_a, box_b) = (MovingBox::of_edge(self.a, k), MovingBox::of_edge(self.b, l));
        if self.stay_apart(&box_a, &box_b)
            || (self.one_body && self.edges_share_a_vertex(k, l))
            || (latest < f64::INFINITY && box_a.entry_time(&box_b, self.reach) > latest)
        {
            return;
        }
        waiting.0.push(self.edge_query(k, l));
    }

    #[inline(always)]
    fn edges_share_a_vertex(&self, k: usize, l: usize) -> bool {
        let (a, b) = (&self.a.welded, &self.b.welded);
        let ([p, q], [r, s]) = ([a[k], a[(k + 1) % 3]], [b[l], b[(l + 1) % 3]]);
        (p == r) | (p == s) | (q == r) | (q == s)
    }

    #[inline(always)]
    fn edge_query(&self, k: usize, l: usize) -> Query {
        // In the order of their vertices, so that the answer does not depend on which side found it.
        let (mut edge_a, mut edge_b) = (Edge::new(self.a, k), Edge::new(self.b, l));
        if self.one_body && edge_b.vertices < edge_a.vertices {
            std::mem::swap(&mut edge_a, &mut edge_b);
        }
        Query {
            features: FeaturePair::EdgeEdge { edge_a: edge_a.vertices, edge_b: edge_b.vertices },
            start: [edge_a.start[0], edge_a.start[1], edge_b.start[0], edge_b.start[1]],
            end: [edge_a.end[0], edge_a.end[1], edge_b.end[0], edge_b.end[1]],
        }
    }
}

/// The points of two features.
pub(super) type FourPoints = [[f64; 3]; 4];

/// Two features that may meet: the points of both, at both ends of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    features: FeaturePair,
    start: [Vec4; 4],
    end: [Vec4; 4],
}

impl Query {
    /// The points at the start and at the end, widened.
    #[inline(always)]
    pub(super) fn widened_points(&self) -> [FourPoints; 2] {
        [widened(&self.start), widened(&self.end)]
    }

    /// The points at the start and at the end as the bodies have them.
    pub(super) fn exact_points(&self, a: &Body, b: &Body) -> [FourPoints; 2] {
        let four = |[p, q, r, s]: [(&Body, u32); 4]| {
            let points = [p, q, r, s];
            let start = points.map(|(body, vertex)| body.exact_previous_position(vertex));
            [start, points.map(|(body, vertex)| body.exact_position(vertex))]
        };
        match self.features {
            FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
                let (of, to) = if vertex_of_b { (b, a) } else { (a, b) };
                let [p, q, r] = to.mesh().indices()[triangle.index()];
                four([(of, vertex.0), (to, p), (to, q), (to, r)])
            }
            FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => four([(a, p.0), (a, q.0), (b, r.0), (b, s.0)]),
            // No query is about these.
            FeaturePair::Triangles { .. } => self.widened_points(),
        }
    }

    /// A time before which the features are farther apart than a distance: the same as where the query was made.
    fn entry_time(&self, reach: f64) -> f64 {
        let edge = |k: usize| {
            let ends = [[self.start[k], self.start[k + 1]], [self.end[k], self.end[k + 1]]];
            MovingBox { min: ends.map(|[p, q]| p.min(q)), max: ends.map(|[p, q]| p.max(q)) }
        };
        if matches!(self.features, FeaturePair::EdgeEdge { .. }) {
            return edge(0).entry_time(&edge(2), reach);
        }
        let ([v0, p0, q0, r0], [v1, p1, q1, r1]) = (self.start, self.end);
        let vertex = MovingBox { min: [v0, v1], max: [v0, v1] };
        vertex.entry_time(&MovingBox::of_face(&[p0, q0, r0], &[p1, q1, r1]), reach)
    }

    /// Decides whether and when the features, given by their points at the start and the end, meet, or come closer than
    /// a distance.
    ///
    /// `reach` is what gaps between boxes are compared with for it.
    pub(super) fn decide(&self, [start, end]: [FourPoints; 2], distance: f64, reach: f64) -> Option<Impact> {
        let features = match self.features {
            FeaturePair::EdgeEdge { .. } => Features::EdgeEdge,
            _ => Features::VertexFace,
        };
        let (time, slack) = if distance > 0.0 {
            Motion::new(features, &start, &end).too_close(distance, self.entry_time(reach))?.into()
        } else {
            (candidate_impact(features, &start, &end)?, 0.0)
        };
        let then = at(&start, &end, time.hi);
        let then_f64 = then.map(|p| p.to_array());
        let ([p, q, r, s], [p0, q0, r0, s0]) = (then, start.map(DVec3::from_array));
        // The normal is that of the face, or across both edges, on the side that the features come from.
        let (barycentric, point, normal, came_from) = match features {
            Features::EdgeEdge => {
                let along = edge_edge(then_f64).weights;
                (along, p + (q - p) * along[0], (q - p).cross(s - r), (q0 - p0).cross(s0 - r0).dot(p0 - r0))
            }
            Features::VertexFace => {
                let [u, v, w] = vertex_face(then_f64).weights;
                let normal = (r - q).cross(s - q);
                ([u, v, w], q * u + r * v + s * w, normal, (r0 - q0).cross(s0 - q0).dot(p0 - q0))
            }
        };
        let normal = unit(normal, came_from);
        Some(Impact { time, features: self.features, barycentric, point: point.to_array(), normal, slack })
    }
}

/// Queries of one kind that wait for their lanes to be full.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(Vec<Query>);

impl Waiting {
    /// Drops those that are left out.
    pub(super) fn leave_out(&mut self, left_out: &LeftOut<'_>, a: &Body, b: &Body) {
        self.0.retain(|query| {
            let of_b = matches!(query.features, FeaturePair::VertexFace { vertex_of_b: true, .. });
            !left_out.leaves_out(query.features, if of_b { a.mesh() } else { b.mesh() })
        });
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are enough of them to be worth deciding.
    pub(super) fn are_many(&self) -> bool {
        self.0.len() >= 64
    }

    /// Excludes, several at a time, those whose points are never coplanar, and hands the others out.
    pub(super) fn drain<S: Simd>(
        &mut self,
        simd: S,
        features: Features,
        points: &impl Fn(&Query) -> [FourPoints; 2],
        each: &mut impl FnMut(&Query),
    ) {
        for queries in self.0.chunks(LANES) {
            // Lanes without a query repeat the first.
            let lane = |i: usize| &queries[if i < queries.len() { i } else { 0 }];
            let (mut start, mut end): (LanePoints, LanePoints) = Default::default();
            for i in 0..LANES {
                let [from, to] = points(lane(i));
                for point in 0..4 {
                    for axis in 0..3 {
                        start[point][axis][i] = from[point][axis];
                        end[point][axis][i] = to[point][axis];
                    }
                }
            }
            let may_meet = simd.vectorize(
                #[inline(always)]
                || may_meet_lanes(simd, features, &start, &end),
            );
            for i in bits(may_meet & ((1 << queries.len()) - 1)) {
                each(&queries[i]);
            }
        }
        self.0.clear();
    }

    /// Hands all of them out.
    pub(super) fn drain_all(&mut self, each: impl FnMut(&Query)) {
        self.0.iter().for_each(each);
        self.0.clear();
    }
}

/// An edge from its vertex of the smaller number.
struct Edge {
    vertices: [VertexId; 2],
    start: [Vec4; 2],
    end: [Vec4; 2],
}

impl Edge {
    fn new(of: &MovingTriangle, k: usize) -> Self {
        let l = (k + 1) % 3;
        let (k, l) = if of.vertices[k] <= of.vertices[l] { (k, l) } else { (l, k) };
        Self {
            vertices: [k, l].map(|corner| VertexId(of.vertices[corner])),
            start: [of.start[k], of.start[l]],
            end: [of.end[k], of.end[l]],
        }
    }
}

#[inline(always)]
fn widened(points: &[Vec4; 4]) -> [[f64; 3]; 4] {
    let mut wide = [[0.0; 3]; 4];
    for i in 0..4 {
        for axis in 0..3 {
            wide[i][axis] = f64::from(points[i][axis]);
        }
    }
    wide
}

/// Where four points are at a time.
fn at(start: &[[f64; 3]; 4], end: &[[f64; 3]; 4], time: f64) -> [DVec3; 4] {
    std::array::from_fn(|i| {
        let (from, to) = (DVec3::from_array(start[i]), DVec3::from_array(end[i]));
        from * (1.0 - time) + to * time
    })
}

/// A vector of length one, turned to the side on which `side` is positive; zeros if it has no direction.
fn unit(vector: DVec3, side: f64) -> [f64; 3] {
    vector.try_normalize().map_or([0.0; 3], |unit| (if side < 0.0 { -unit } else { unit }).to_array())
}
