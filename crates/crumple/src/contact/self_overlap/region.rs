//! The connected parts of the overlap of a body with itself.
//!
//! Where the winding number outside the surface is not 0, the surface bounds what overlaps. Its pieces there hang together along the
//! surface, in *sheets*, and sheets meet in the segments in which triangles cross: what hangs together is a region. Every segment
//! belongs to one region, every vertex (every sector of a vertex between segments that end there) to one, and so does what each adds
//! to the integrals over its triangle. Each region is closed by itself, so that its volume does not depend on an origin.
//!
//! A region is the surface of a volume, so a hollow within an overlap is a region of its own, of negative volume, unless it is
//! connected with the surface around it. Where faces coincide, the motion of `exact::own_motions` decides what hangs together.
//!
//! Cost: some 100 ns per segment, 50 ns per triangle of a region. Held by: `tests/behaviour/self_overlap/regions.rs`.

use std::ops::Range;

use super::super::overlap::{Ends, Fractions, ROUNDING, Segment, Sums, scale_of};
use super::germs::Germs;
use super::subject::{collect, merged};
use crate::body::Body;
use crate::contact::VertexGradient;
use crate::geom::lanes::Vec3Ops;
use crate::geom::{TriangleId, TrianglePair};
use crate::mesh::union_find::{root, unite};
use crate::mesh::{Mesh, Resolved, around};

/// Crossings of an edge closer than this, as a fraction of its length, may come in the wrong order: they are taken to be connected.
const SAME_PLACE: f64 = 1e-6;

/// A connected part of the overlap of a body with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SelfRegion<'a> {
    /// Its volume, of which those of all regions add up to [`SelfOverlap::volume`](super::SelfOverlap::volume). Negative for a
    /// hollow.
    pub volume: f64,
    /// The area of its surface.
    pub area: f64,
    /// Its centre of mass.
    pub centroid: [f64; 3],
    /// The direction in which the largest of the sheets that meet in it comes out fastest: against the gradient of the volume
    /// by a translation of the sheet. Of length 1, or 0 if no translation changes the volume at first.
    pub normal: [f64; 3],
    /// The triangles that are at least partly in its surface, sorted.
    pub triangles: &'a [TriangleId],
    /// The pairs of triangles that cross in it, sorted.
    pub pairs: &'a [TrianglePair],
    /// How its volume changes with the vertices, in order.
    pub gradient: &'a [VertexGradient],
}

/// The connected parts in which a body overlaps itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfRegions {
    regions: Vec<Data>,
    triangles: Vec<TriangleId>,
    pairs: Vec<TrianglePair>,
    gradient: Vec<VertexGradient>,
}

/// A region without its lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct Data {
    volume: f64,
    area: f64,
    centroid: [f64; 3],
    normal: [f64; 3],
    triangles: Range<usize>,
    pairs: Range<usize>,
    gradient: Range<usize>,
}

/// A value to be made small, and its gradient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfLoss {
    /// The value: never negative.
    pub value: f64,
    /// How it changes with the vertices, in order.
    pub gradient: Vec<VertexGradient>,
    collected: Vec<(u32, u32, [f64; 3])>,
}

impl SelfRegions {
    /// The regions, in an order that does not depend on the number of threads.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = SelfRegion<'_>> {
        self.regions.iter().map(|data| SelfRegion {
            volume: data.volume,
            area: data.area,
            centroid: data.centroid,
            normal: data.normal,
            triangles: &self.triangles[data.triangles.clone()],
            pairs: &self.pairs[data.pairs.clone()],
            gradient: &self.gradient[data.gradient.clone()],
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Whether the body does not overlap itself.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// The volumes of all regions that are positive, added up, and how that changes with the vertices: what to make small.
    ///
    /// It is at least the overlap of the body with itself, and 0 only if that is 0. (Regions of negative volume are hollows within
    /// others: to make them larger would make the overlap smaller, and nothing else better.)
    pub fn loss(&self) -> SelfLoss {
        let mut loss = SelfLoss::default();
        self.add_up(|_| true, &mut loss);
        loss
    }

    /// The same of the regions that `keep` keeps; `loss` is overwritten, its memory used again. To leave out where parts of a body
    /// meet that always do, decide by [`SelfRegion::pairs`]. A region counts as a whole: where one that is left out and one that is
    /// kept become one, the value jumps.
    pub fn add_up(&self, mut keep: impl FnMut(&SelfRegion<'_>) -> bool, loss: &mut SelfLoss) {
        loss.value = 0.0;
        loss.gradient.clear();
        loss.collected.clear();
        for region in self.iter().filter(|region| region.volume > 0.0) {
            if keep(&region) {
                loss.value += region.volume;
                for of_vertex in region.gradient {
                    let order = loss.collected.len() as u32;
                    loss.collected.push((of_vertex.vertex.0, order, of_vertex.gradient));
                }
            }
        }
        loss.gradient.extend(merged(&mut loss.collected));
    }

    fn clear(&mut self) {
        self.regions.clear();
        self.triangles.clear();
        self.pairs.clear();
        self.gradient.clear();
    }
}

/// What is known about a body with a plain mesh.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) body: &'a Body,
    pub(super) segments: &'a [Segment],
    pub(super) germs: &'a Germs,
}

impl Given<'_> {
    /// The number of a half-edge.
    fn number(&self, half_edge: u32) -> i32 {
        let vertex = self.body.mesh().welded_indices()[half_edge as usize / 3][half_edge as usize % 3];
        self.germs.at(half_edge, vertex)
    }
}

/// Finds regions, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelfRegionFinder {
    /// Forests (see `mesh::union_find`) of the pieces of the surface, along it and across segments too: the vertices, then two for
    /// each segment, one on each of its triangles.
    sheets: Vec<u32>,
    regions: Vec<u32>,
    /// The corners in which segments end, by half-edges that start there, with their pieces; sorted.
    ends: Vec<(u32, u32)>,
    is_done: Vec<bool>,
    /// The half-edges at vertices in which segments end, with the piece that each belongs to; sorted.
    sectors: Vec<(u32, u32)>,
    crossings: Vec<EdgeCrossing>,
    /// Per triangle a bit for each edge that is crossed, at one of its triangles.
    crossed: Vec<u8>,
    terms: Vec<Term>,
    sheet_normals: Vec<(u32, [f64; 3])>,
    /// Gradients of one region, by vertices of the plain mesh and by those of the original.
    of_region: Vec<(u32, u32, [f64; 3])>,
    of_originals: Vec<(u32, u32, [f64; 3])>,
    listed: Vec<VertexGradient>,
    pairs: Vec<(u32, TrianglePair)>,
}

/// Where a triangle crosses an edge.
#[derive(Clone, Copy, Debug)]
struct EdgeCrossing {
    /// The smaller half-edge of the two.
    edge: u32,
    /// The triangle that crosses it.
    other: u32,
    /// Whether this was noted at the larger half-edge.
    is_twin: bool,
    /// How far along the edge, and how the number changes there.
    at: f64,
    change: i32,
    /// The pieces on the surface of the edge and on that of the triangle.
    own: u32,
    across: u32,
}

/// What a piece of the surface adds to the integrals over a triangle.
#[derive(Clone, Copy, Debug)]
struct Term {
    region: u32,
    triangle: u32,
    order: u32,
    sheet: u32,
    fractions: Fractions,
    /// Which segment adds it; none if the triangle is added as a whole.
    segment: Option<u32>,
}

impl SelfRegionFinder {
    /// Overwrites `found` with the regions of a body, by the triangles and vertices that its mesh was made of if it was resolved.
    pub(super) fn find(&mut self, given: Given<'_>, resolved: Option<&Resolved>, found: &mut SelfRegions) {
        found.clear();
        let vertices = given.body.mesh().vertex_count() as u32;
        let pieces = vertices + 2 * given.segments.len() as u32;
        self.sheets.clear();
        self.sheets.extend(0..pieces);
        self.find_sectors(given, vertices);
        self.connect_crossed_edges(given, vertices);
        self.connect_whole_edges(given);
        self.regions.clear();
        self.regions.extend_from_slice(&self.sheets);
        for segment in 0..given.segments.len() as u32 {
            unite(&mut self.regions, vertices + 2 * segment, vertices + 2 * segment + 1);
        }
        self.list_terms(given, vertices);
        self.sum_up(given, resolved, found);
    }

    /// The piece that a half-edge begins in.
    fn piece_of(&self, mesh: &Mesh, half_edge: u32) -> u32 {
        match self.sectors.binary_search_by_key(&half_edge, |&(half_edge, _)| half_edge) {
            Ok(at) => self.sectors[at].1,
            Err(_) => mesh.welded_indices()[half_edge as usize / 3][half_edge as usize % 3],
        }
    }

    /// Divides the surroundings of vertices in which segments end.
    fn find_sectors(&mut self, given: Given<'_>, vertices: u32) {
        let Self { sheets, ends, is_done, sectors, .. } = self;
        ends.clear();
        for (index, Segment { triangles: [a, b], cut }) in (0..).zip(given.segments) {
            for end in [cut.ends.start, cut.ends.end] {
                if let Some([i, j]) = Ends::corners_of(end) {
                    ends.extend([(3 * a + i, vertices + 2 * index), (3 * b + j, vertices + 2 * index + 1)]);
                }
            }
        }
        ends.sort_unstable();
        // Within one corner they are taken to be connected: which comes first would have to be decided.
        for alike in ends.chunk_by(|p, q| p.0 == q.0) {
            alike.iter().for_each(|&(_, piece)| unite(sheets, alike[0].1, piece));
        }
        ends.dedup_by_key(|end| end.0);
        is_done.clear();
        is_done.resize(ends.len(), false);
        sectors.clear();
        for first in 0..ends.len() {
            if is_done[first] {
                continue;
            }
            // From the corner of one end on: what comes before the first end of the walk belongs to the last one.
            let mut last = ends[first].1;
            let mut number_before = 0;
            let start = ends[first].0;
            around(given.body.mesh(), start, |half_edge| {
                let number = given.number(half_edge);
                if half_edge != start {
                    sectors.push((half_edge, last));
                    number_before = number;
                }
                if let Ok(at) = ends.binary_search_by_key(&half_edge, |&(half_edge, _)| half_edge) {
                    is_done[at] = true;
                    if half_edge != start && number_before != 0 {
                        unite(sheets, last, ends[at].1);
                    }
                    last = ends[at].1;
                }
            });
            sectors.push((start, last));
            if given.number(start) != 0 {
                unite(sheets, last, ends[first].1);
            }
        }
        sectors.sort_unstable();
    }

    /// Connects what lies along edges that are crossed.
    fn connect_crossed_edges(&mut self, given: Given<'_>, vertices: u32) {
        let mesh = given.body.mesh();
        let edges = mesh.welded_half_edges();
        self.crossings.clear();
        for (index, Segment { triangles, cut }) in (0..).zip(given.segments) {
            for (end, edge) in [cut.ends.start, cut.ends.end].into_iter().enumerate() {
                if edge > 5 {
                    continue;
                }
                let (side, corner) = ((edge / 3) as usize, edge % 3);
                let [beta, gamma] = [cut.in_a, cut.in_b][side][end];
                let at = [beta, gamma, 1.0 - gamma][corner as usize];
                let change = if (end == 1) == (side == 0) { 1 } else { -1 };
                let own = 3 * triangles[side] + u32::from(corner);
                let twin = edges.twin(triangles[side], corner).map_or(own, |(other, at)| 3 * other + u32::from(at));
                let is_twin = twin < own;
                let piece = |side: usize| vertices + 2 * index + side as u32;
                self.crossings.push(EdgeCrossing {
                    edge: own.min(twin),
                    other: triangles[1 - side],
                    is_twin,
                    at: if is_twin { 1.0 - at } else { at },
                    change: if is_twin { -change } else { change },
                    own: piece(side),
                    across: piece(1 - side),
                });
            }
        }
        let Self { sheets, crossings, crossed, .. } = self;
        // Both triangles at the edge know of the crossing: there both pairs of pieces go on.
        crossings.sort_unstable_by_key(|crossing| (crossing.edge, crossing.other, crossing.is_twin));
        crossings.dedup_by(|next, kept| {
            let is_same = (next.edge, next.other) == (kept.edge, kept.other);
            if is_same {
                unite(sheets, next.own, kept.own);
                unite(sheets, next.across, kept.across);
            }
            is_same
        });
        crossings.sort_unstable_by(|p, q| p.edge.cmp(&q.edge).then(p.at.total_cmp(&q.at)).then(p.other.cmp(&q.other)));
        crossed.clear();
        crossed.resize(mesh.triangles().len(), 0);
        let crossings = std::mem::take(&mut self.crossings);
        for on_edge in crossings.chunk_by(|p, q| p.edge == q.edge) {
            let edge = on_edge[0].edge;
            self.crossed[edge as usize / 3] |= 1 << (edge % 3);
            let mut number = given.number(edge);
            let mut last = self.piece_of(mesh, edge);
            let mut last_at = f64::NEG_INFINITY;
            for crossing in on_edge {
                if number != 0 || crossing.at - last_at < SAME_PLACE {
                    unite(&mut self.sheets, last, crossing.own);
                }
                number += crossing.change;
                (last, last_at) = (crossing.own, crossing.at);
            }
            if number != 0
                && let Some((triangle, corner)) = edges.twin(edge / 3, (edge % 3) as u8)
            {
                let end = self.piece_of(mesh, 3 * triangle + u32::from(corner));
                unite(&mut self.sheets, last, end);
            }
        }
        self.crossings = crossings;
    }

    /// Connects the ends of edges that are not crossed.
    fn connect_whole_edges(&mut self, given: Given<'_>) {
        let mesh = given.body.mesh();
        let edges = mesh.welded_half_edges();
        for triangle in mesh.live_numbers() {
            for corner in 0..3u8 {
                let half_edge = 3 * triangle + u32::from(corner);
                let Some((other, at)) = edges.twin(triangle, corner) else { continue };
                let twin = 3 * other + u32::from(at);
                let is_crossed = self.crossed[triangle as usize] >> corner & 1 == 1;
                if twin > half_edge && !is_crossed && given.number(half_edge) != 0 {
                    let (from, to) = (self.piece_of(mesh, half_edge), self.piece_of(mesh, twin));
                    unite(&mut self.sheets, from, to);
                }
            }
        }
    }

    /// Lists what each piece adds to its triangle.
    fn list_terms(&mut self, given: Given<'_>, vertices: u32) {
        let mesh = given.body.mesh();
        self.terms.clear();
        let add = |finder: &mut Self, piece: u32, triangle: u32, fractions: Fractions, segment: Option<u32>| {
            let (region, sheet) = (root(&mut finder.regions, piece), root(&mut finder.sheets, piece));
            let order = finder.terms.len() as u32;
            finder.terms.push(Term { region, triangle, order, sheet, fractions, segment });
        };
        for triangle in mesh.live_numbers() {
            let number = given.number(3 * triangle + 1);
            if number != 0 {
                let mut fractions = Fractions::default();
                fractions.add_whole(f64::from(number));
                let piece = self.piece_of(mesh, 3 * triangle + 1);
                add(self, piece, triangle, fractions, None);
            }
        }
        for (index, Segment { triangles, cut }) in (0..).zip(given.segments) {
            for (side, &triangle) in triangles.iter().enumerate() {
                let piece = vertices + 2 * index + side as u32;
                add(self, piece, triangle, cut.fractions(side), Some(index));
            }
        }
        self.terms.sort_unstable_by_key(|term| (term.region, term.triangle, term.order));
    }

    /// Makes a region of the terms of each.
    fn sum_up(&mut self, given: Given<'_>, resolved: Option<&Resolved>, found: &mut SelfRegions) {
        let triangles = given.body.mesh().indices();
        let vertices = given.body.mesh().vertex_count() as u32;
        self.pairs.clear();
        for (index, segment) in (0..).zip(given.segments) {
            let original = |triangle: u32| resolved.map_or(Some(TriangleId(triangle)), |of| of.triangle(triangle));
            if let [Some(a), Some(b)] = segment.triangles.map(original) {
                let region = root(&mut self.regions, vertices + 2 * index);
                self.pairs.push((region, TrianglePair::new(a.0.min(b.0), a.0.max(b.0))));
            }
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let terms = std::mem::take(&mut self.terms);
        for of_region in terms.chunk_by(|p, q| p.region == q.region) {
            let first = of_region[0];
            // Measured from where the region is, whatever else there is.
            let origin = match of_region.iter().find_map(|term| term.segment) {
                Some(segment) => given.segments[segment as usize].cut.points[0],
                None => given.body.exact_position(triangles[first.triangle as usize][0]),
            };
            let mut sums = Sums::default();
            let mut reach: f64 = 0.0;
            let start = found.triangles.len();
            self.of_region.clear();
            self.sheet_normals.clear();
            for of_triangle in of_region.chunk_by(|p, q| p.triangle == q.triangle) {
                let triangle = of_triangle[0].triangle;
                let vertices = triangles[triangle as usize];
                let corners = vertices.map(|vertex| given.body.exact_position(vertex).minus(origin));
                let mut fractions = Fractions::default();
                let normal = corners[1].minus(corners[0]).cross(corners[2].minus(corners[0]));
                for term in of_triangle {
                    fractions.add(&term.fractions);
                    // As in `overlap`: a segment, and a crossing at each end.
                    sums.scale += if term.segment.is_some() { 3.0 * scale_of(&corners, normal) } else { 0.0 };
                    self.add_to_sheet(term.sheet, normal.times(term.fractions.0[0]));
                }
                sums.add_triangle(corners, &fractions);
                reach = corners.iter().fold(reach, |reach, corner| reach.max(corner.dot(*corner).sqrt()));
                let [f, m1, m2] = fractions.0;
                for (vertex, weight) in vertices.into_iter().zip([f - m1 - m2, m1, m2]) {
                    let order = self.of_region.len() as u32;
                    self.of_region.push((vertex, order, normal.times(0.5 * weight)));
                }
                match resolved {
                    None => found.triangles.push(TriangleId(triangle)),
                    Some(of) => found.triangles.extend(of.triangle(triangle)),
                }
            }
            if sums.volume.abs() <= ROUNDING * (reach * sums.area.abs() + sums.scale) {
                found.triangles.truncate(start);
                continue;
            }
            found.triangles[start..].sort_unstable();
            let mut kept = start;
            for at in start..found.triangles.len() {
                if kept == start || found.triangles[kept - 1] != found.triangles[at] {
                    found.triangles[kept] = found.triangles[at];
                    kept += 1;
                }
            }
            found.triangles.truncate(kept);
            let of_gradient = found.gradient.len();
            match resolved {
                None => found.gradient.extend(merged(&mut self.of_region)),
                Some(resolved) => {
                    self.listed.clear();
                    self.listed.extend(merged(&mut self.of_region));
                    collect(resolved, self.listed.iter().copied(), &mut self.of_originals);
                    found.gradient.extend(merged(&mut self.of_originals));
                }
            }
            let of_pairs = found.pairs.len();
            let at = self.pairs.partition_point(|pair| pair.0 < first.region);
            let pairs = self.pairs[at..].iter().take_while(|pair| pair.0 == first.region);
            found.pairs.extend(pairs.map(|pair| pair.1));
            let (volume, moment) = (sums.volume(), sums.moment());
            found.regions.push(Data {
                volume,
                area: sums.area(),
                centroid: std::array::from_fn(|axis| origin[axis] + moment[axis] / volume),
                normal: self.normal(sums.area()),
                triangles: start..kept,
                pairs: of_pairs..found.pairs.len(),
                gradient: of_gradient..found.gradient.len(),
            });
        }
        self.terms = terms;
    }

    fn add_to_sheet(&mut self, sheet: u32, normal: [f64; 3]) {
        match self.sheet_normals.iter_mut().find(|(of, _)| *of == sheet) {
            Some((_, sum)) => *sum = sum.plus(normal),
            None => self.sheet_normals.push((sheet, normal)),
        }
    }

    /// Against the largest of the sums of the sheets, if it is more than rounding of an area.
    fn normal(&self, area: f64) -> [f64; 3] {
        let size = |normal: &[f64; 3]| normal.dot(*normal).sqrt();
        let larger = |p: [f64; 3], q: [f64; 3]| if size(&q) > size(&p) { q } else { p };
        let largest = self.sheet_normals.iter().map(|(_, normal)| *normal).fold([0.0; 3], larger);
        if size(&largest) > 1e-12 * area.abs() { largest.times(-1.0 / size(&largest)) } else { [0.0; 3] }
    }
}
