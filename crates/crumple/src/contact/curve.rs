//! The intersection curves of two surfaces, as polylines.
//!
//! Every pair of triangles that cross contributes a segment (`overlap::pairs`). It ends on an edge of one of the two
//! triangles; the segment that goes on from there is that of the triangle on the other side of the edge with the same
//! triangle of the other body. So curves are followed from pair to pair, and nothing is compared but numbers: a curve
//! closes if both surfaces are closed. Where a surface ends, or neighbours are turned against each other, a curve ends.
//!
//! Bodies need not be closed: cloth against cloth gives open curves. In degenerate contact, curves are those after moving
//! one body by an infinitesimal, so that bodies that merely touch may or may not have one.
//!
//! Cost: some 50 ns per segment, beside the cuts. Held by: `tests/behaviour/overlap/curves.rs`.

use std::ops::Range;

use super::CompletePairs;
use super::overlap::{Cuts, Segment};
use crate::body::Body;
use crate::geom::TriangleId;
use crate::mesh::Mesh;
use crate::narrow;

/// A point of an intersection curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CurvePoint {
    /// Where it is.
    pub position: [f64; 3],
    /// The triangle of each body it lies on; in one of them it lies on an edge.
    pub triangles: [TriangleId; 2],
    /// Its barycentric coordinates in the two triangles.
    pub barycentric: [[f64; 3]; 2],
}

/// One polyline; a closed one goes on from its last point to its first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Curve<'a> {
    /// The points in order. Seen from above a triangle of body a, the inside of body b is on the left.
    pub points: &'a [CurvePoint],
    /// Whether the curve returns to its first point.
    pub is_closed: bool,
}

/// All intersection curves of two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    points: Vec<CurvePoint>,
    curves: Vec<(Range<usize>, bool)>,
}

impl Curves {
    /// The curves, in the order of the first pair of triangles on each; open ones first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Curve<'_>> {
        self.curves
            .iter()
            .map(|(range, is_closed)| Curve { points: &self.points[range.clone()], is_closed: *is_closed })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.curves.len()
    }

    /// Whether the surfaces do not cross.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.curves.clear();
    }
}

/// The intersection curves of two bodies as they are now. Builds a tree for each; a [`Scene`](crate::Scene) keeps them,
/// see [`Frame::curves`](crate::Frame::curves).
pub fn curves(a: &Body, b: &Body) -> Curves {
    let (mut cuts, mut found) = (Cuts::default(), Curves::default());
    cuts.find([a, b], CompletePairs::promised(&narrow::pairs(a, b)));
    CurveFinder::default().find([a, b], &cuts, &mut found);
    found
}

/// No segment.
const NONE: u32 = u32::MAX;

/// How the segments of two bodies follow each other; working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// Per triangle of a the first segment on it, if that segment says so too.
    first: Vec<u32>,
    /// Per segment the one that goes on from its end.
    next: Vec<u32>,
    has_previous: Vec<bool>,
    /// Per segment the curve it is on.
    pub(super) curve_of: Vec<u32>,
    /// Per curve its first segment and whether it is closed.
    pub(super) curves: Vec<(u32, bool)>,
}

impl Links {
    /// Follows the curves through the segments of two bodies, which are sorted by their triangles.
    pub(super) fn find(&mut self, [a, b]: [&Body; 2], segments: &[Segment]) {
        self.first.resize(a.mesh().triangles().len(), 0);
        for (index, segment) in segments.iter().enumerate().rev() {
            self.first[segment.triangles[0] as usize] = index as u32;
        }
        self.link([a.mesh(), b.mesh()], segments);
        self.follow();
    }

    /// The segment of two triangles.
    fn of(&self, segments: &[Segment], [a, b]: [u32; 2]) -> Option<u32> {
        let first = self.first[a as usize] as usize;
        let on_a = segments.get(first..)?.iter().take_while(|segment| segment.triangles[0] == a);
        on_a.zip(first as u32..).find(|(segment, _)| segment.triangles[1] == b).map(|(_, index)| index)
    }

    fn link(&mut self, meshes: [&Mesh; 2], segments: &[Segment]) {
        self.next.clear();
        self.has_previous.clear();
        self.has_previous.resize(segments.len(), false);
        let edges = meshes.map(Mesh::welded_half_edges);
        for segment in segments {
            let end = segment.cut.ends.end;
            let (side, corner) = ((end / 3) as usize, end % 3);
            let next = edges[side].twin(segment.triangles[side], corner).and_then(|(triangle, corner)| {
                let mut beyond = segment.triangles;
                beyond[side] = triangle;
                let next = self.of(segments, beyond)?;
                (segments[next as usize].cut.ends.start == 3 * side as u8 + corner).then_some(next)
            });
            self.next.push(next.unwrap_or(NONE));
            if let Some(next) = next {
                self.has_previous[next as usize] = true;
            }
        }
    }

    /// Numbers the curves: those that start somewhere, then the closed ones.
    fn follow(&mut self) {
        self.curves.clear();
        self.curve_of.clear();
        self.curve_of.resize(self.next.len(), NONE);
        for is_closed in [false, true] {
            for start in 0..self.next.len() as u32 {
                if self.curve_of[start as usize] != NONE || (!is_closed && self.has_previous[start as usize]) {
                    continue;
                }
                let mut at = start;
                while at != NONE && self.curve_of[at as usize] == NONE {
                    self.curve_of[at as usize] = self.curves.len() as u32;
                    at = self.next[at as usize];
                }
                self.curves.push((start, is_closed));
            }
        }
    }

    /// The segments of a curve in order.
    pub(super) fn of_curve(&self, curve: usize) -> impl Iterator<Item = u32> {
        let (start, _) = self.curves[curve];
        let follow = move |&at: &u32| Some(self.next[at as usize]).filter(|&next| next != NONE && next != start);
        std::iter::successors(Some(start), follow)
    }
}

/// Finds intersection curves, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct CurveFinder {
    links: Links,
}

impl CurveFinder {
    /// Overwrites `found` with the curves of two bodies.
    pub(crate) fn find(&mut self, bodies: [&Body; 2], Cuts { segments, .. }: &Cuts, found: &mut Curves) {
        found.clear();
        self.links.find(bodies, segments);
        for (curve, &(_, is_closed)) in self.links.curves.iter().enumerate() {
            let start = found.points.len();
            let mut last = None;
            for index in self.links.of_curve(curve) {
                let segment = &segments[index as usize];
                found.points.push(point(segment, 0));
                last = Some(segment);
            }
            if let Some(segment) = last.filter(|_| !is_closed) {
                found.points.push(point(segment, 1));
            }
            found.curves.push((start..found.points.len(), is_closed));
        }
    }
}

/// The start or the end of a segment.
fn point(Segment { triangles, cut }: &Segment, end: usize) -> CurvePoint {
    let barycentric = |[beta, gamma]: [f64; 2]| [1.0 - beta - gamma, beta, gamma];
    CurvePoint {
        position: cut.points[end],
        triangles: triangles.map(TriangleId),
        barycentric: [barycentric(cut.in_a[end]), barycentric(cut.in_b[end])],
    }
}
