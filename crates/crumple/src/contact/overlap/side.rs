//! What one of the two bodies contributes: the part of its surface that lies inside the other body.
//!
//! Triangles that are cut are few; what the cuts add to their integrals is collected per triangle, in the order of the
//! pairs. All others are inside as a whole or not at all: for them the winding number of a corner is all there is, and
//! the gradient is gathered vertex by vertex (`whole`) in parts of equal size, which threads can share, and volume and first
//! moment follow from it.
//! Sums have a fixed order: pairs in theirs, then the parts.

use super::cut::Fractions;
use super::pairs::Segment;
use super::whole::{Inside, Part};
use super::{ROUNDING, VertexGradient, scale_of};
use crate::body::{Body, PointSource};
use crate::geom::VertexId;
use crate::geom::lanes::{Instructions, Vec3, Vec3Ops};
use crate::threads;

/// Vertices in one part of the sum over whole triangles.
const PART: usize = 2_048;

/// Integrals over a surface: of the volume and of its first moment between it and the origin of the sums, and its area.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct Sums {
    /// Six times the volume.
    pub(in crate::contact) volume: f64,
    /// Eight times the first moment.
    pub(in crate::contact) moment: [f64; 3],
    /// Twice the area.
    pub(in crate::contact) area: f64,
    /// What the errors of cut triangles are measured by (`super::ROUNDING`).
    pub(in crate::contact) scale: f64,
}

impl Sums {
    pub(in crate::contact) fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.area += other.area;
        self.scale += other.scale;
        (0..3).for_each(|k| self.moment[k] += other.moment[k]);
    }

    pub(in crate::contact) fn volume(&self) -> f64 {
        self.volume / 6.0
    }

    pub(in crate::contact) fn moment(&self) -> [f64; 3] {
        self.moment.map(|x| x / 8.0)
    }

    pub(in crate::contact) fn area(&self) -> f64 {
        self.area / 2.0
    }

    /// Whether there is a volume, given the longest side of the common box; see `super::ROUNDING`.
    pub(in crate::contact) fn has_volume(&self, size: f64) -> bool {
        self.volume.abs() > ROUNDING * (size * self.area.abs() + self.scale)
    }

    /// Adds a triangle, given its corners less the origin, and the integrals over it; returns its normal.
    #[inline]
    pub(in crate::contact) fn add_triangle(
        &mut self,
        [p, q, r]: [Vec3<f64>; 3],
        &Fractions([f, m1, m2]): &Fractions,
    ) -> Vec3<f64> {
        let normal = q.minus(p).cross(r.minus(p));
        let height = p.dot(normal);
        self.volume += height * f;
        self.area += normal.dot(normal).sqrt() * f;
        let m0 = f - m1 - m2;
        for k in 0..3 {
            self.moment[k] += height * (m0 * p[k] + m1 * q[k] + m2 * r[k]);
        }
        normal
    }
}

/// A triangle that the other surface cuts, and what the cuts add to its integrals.
#[derive(Clone, Copy, Debug)]
struct CutTriangle {
    triangle: u32,
    /// How many pairs cut it.
    cuts: u32,
    fractions: Fractions,
}

/// Working memory of one side.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Side {
    cut: Vec<CutTriangle>,
    /// Per triangle its index in `cut` plus 1; 0 if it is not cut. All 0 between uses.
    cut_of: Vec<u32>,
    /// The corners of cut triangles, and what these add to the gradient there.
    touched: Vec<VertexGradient>,
    /// Per vertex its index in `touched` plus 1; 0 if no triangle at it is cut. All 0 between uses.
    touched_of: Vec<u32>,
    /// Per part of the vertices how many have a gradient, and what whole triangles add to the sums.
    parts: Vec<(usize, Sums)>,
}

/// What a side is asked about.
#[derive(Clone, Copy)]
pub(in crate::contact) struct Asked<'a, P> {
    pub(in crate::contact) body: &'a Body,
    /// Where its vertices are.
    pub(in crate::contact) points: P,
    /// Which triangles of a segment are of this body: 0 for body a, 1 for body b, both if it is one body that crosses itself.
    pub(in crate::contact) sides: &'static [usize],
    pub(in crate::contact) segments: &'a [Segment],
    /// Per vertex the winding number around it: of the other body, or of the same one outside of its surface.
    pub(in crate::contact) numbers: &'a [i32],
    /// The edges of triangles at whose start the number differs from that of the vertex, and by how much; sorted. An edge is named
    /// by three times its triangle plus the corner it starts at.
    pub(in crate::contact) offsets: &'a [(u32, i32)],
    pub(in crate::contact) origin: [f64; 3],
}

impl<P: PointSource> Asked<'_, P> {
    /// The corners of three vertices, less the origin of the sums.
    #[inline]
    fn corners(&self, vertices: [u32; 3]) -> [Vec3<f64>; 3] {
        vertices.map(|vertex| self.position(vertex))
    }

    #[inline]
    pub(super) fn position(&self, vertex: u32) -> Vec3<f64> {
        let p = self.points.at(vertex);
        [0, 1, 2].map(|k| p[k] - self.origin[k])
    }

    /// By how much the number at a corner of a triangle differs from that of the vertex.
    #[inline]
    pub(super) fn offset(&self, triangle: u32, corner: u32) -> i32 {
        offset(self.offsets, 3 * triangle + corner)
    }
}

/// What a sorted list of offsets says about an edge.
#[inline]
pub(in crate::contact) fn offset(offsets: &[(u32, i32)], edge: u32) -> i32 {
    offsets.binary_search_by_key(&edge, |&(edge, _)| edge).map_or(0, |at| offsets[at].1)
}

impl Side {
    /// Computes the sums over this body's surface inside the other one, and the gradient of the volume for its vertices,
    /// which overwrites `gradient`.
    pub(in crate::contact) fn compute<P: PointSource>(
        &mut self,
        simd: Instructions,
        asked: Asked<'_, P>,
        gradient: &mut Vec<VertexGradient>,
    ) -> Sums {
        self.collect(asked);
        let mut sums = self.add_cut_triangles(asked);
        self.add_whole_triangles(simd, asked, gradient);
        self.parts.iter().for_each(|(_, of_part)| sums.add(of_part));
        // Now, while what was marked is in the caches, and not before the next use.
        self.clear();
        sums
    }

    fn clear(&mut self) {
        for cut in self.cut.drain(..) {
            self.cut_of[cut.triangle as usize] = 0;
        }
        for touched in self.touched.drain(..) {
            self.touched_of[touched.vertex.index()] = 0;
        }
    }

    /// Adds up what the segments add to the triangles of this side.
    fn collect<P>(&mut self, Asked { body, sides, segments, .. }: Asked<'_, P>) {
        let mesh = body.mesh();
        self.cut_of.resize(mesh.triangles().len(), 0);
        self.touched_of.resize(mesh.vertex_count(), 0);
        for Segment { triangles, cut } in segments {
            for &side in sides {
                let triangle = triangles[side];
                let index = &mut self.cut_of[triangle as usize];
                if *index == 0 {
                    self.cut.push(CutTriangle { triangle, cuts: 0, fractions: Fractions::default() });
                    *index = self.cut.len() as u32;
                }
                let cut_triangle = &mut self.cut[*index as usize - 1];
                cut_triangle.cuts += 1;
                cut_triangle.fractions.add(&cut.fractions(side));
            }
        }
    }

    fn add_cut_triangles<P: PointSource>(&mut self, asked: Asked<'_, P>) -> Sums {
        let mut sums = Sums::default();
        for CutTriangle { triangle, cuts, fractions } in &mut self.cut {
            let vertices = asked.body.mesh().indices()[*triangle as usize];
            let number = asked.numbers[vertices[1] as usize] + asked.offset(*triangle, 1);
            fractions.add_whole(f64::from(number));
            let corners = asked.corners(vertices);
            let normal = sums.add_triangle(corners, fractions);
            // What a cut adds to the fractions is at most 3: a segment, and a crossing at each end.
            sums.scale += scale_of(&corners, normal) * f64::from(3 * *cuts);
            let [f, m1, m2] = fractions.0;
            for (vertex, weight) in vertices.into_iter().zip([f - m1 - m2, m1, m2]) {
                let index = &mut self.touched_of[vertex as usize];
                if *index == 0 {
                    self.touched.push(VertexGradient { vertex: VertexId(vertex), gradient: [0.0; 3] });
                    *index = self.touched.len() as u32;
                }
                let gradient = &mut self.touched[*index as usize - 1].gradient;
                (0..3).for_each(|k| gradient[k] += 0.5 * weight * normal[k]);
            }
        }
        sums
    }

    /// Adds the triangles that are not cut, vertex by vertex, and writes the gradient.
    fn add_whole_triangles<P: PointSource>(
        &mut self,
        simd: Instructions,
        asked: Asked<'_, P>,
        gradient: &mut Vec<VertexGradient>,
    ) {
        let Self { cut_of, touched, touched_of, parts, .. } = self;
        let count = asked.body.mesh().vertex_count();
        let inside = Inside { asked, cut_of, touched, touched_of };
        let range = |part: usize| part * PART..count.min((part + 1) * PART);
        parts.clear();
        parts.extend((0..count.div_ceil(PART)).map(|part| (inside.count(range(part)), Sums::default())));
        // What is there is overwritten: it need not be cleared.
        gradient.resize(parts.iter().map(|(len, _)| len).sum(), VertexGradient::default());
        let work = |number: usize, part: &mut Part<'_>| part.compute(simd, inside, range(number));
        share(threads::for_items(count), 0, parts, gradient, &work);
    }
}

/// Calls `work` with every part and its place in the gradient.
fn share(
    threads: usize,
    first: usize,
    parts: &mut [(usize, Sums)],
    gradient: &mut [VertexGradient],
    work: &(impl Fn(usize, &mut Part<'_>) + Sync),
) {
    if let [(_, sums)] = parts {
        return work(first, &mut Part { sums, gradient });
    }
    if parts.is_empty() {
        return;
    }
    let (left, right) = parts.split_at_mut(parts.len() / 2);
    let (of_left, of_right) = gradient.split_at_mut(left.iter().map(|(len, _)| len).sum());
    let middle = first + left.len();
    threads::join(
        threads,
        || share(threads, first, left, of_left, work),
        || share(threads, middle, right, of_right, work),
    );
}
