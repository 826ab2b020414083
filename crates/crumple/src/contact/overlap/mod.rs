//! How much two closed bodies overlap, exactly: volume, area, centroid, and the gradient of the volume for every vertex.
//!
//! Nothing is sampled and no boolean mesh is made: everything is summed up from the pairs of triangles that cross. Let w
//! be the winding number of the other body. Then V = ∫ w_A w_B, and the surface of the overlap is the part of each body's
//! surface inside the other. For a triangle x0 x1 x2 with n = (x1 − x0) × (x2 − x0) and D = (x0 − o)·n, o any point (the
//! centre of what the boxes have in common), let F, M0, M1, M2 be the integrals of w and of w times each barycentric
//! coordinate, as fractions of the triangle's area. Over the triangles of both bodies
//!
//! ```text
//! V = Σ D F / 6        ∫(x − o) = Σ D (M0 (x0 − o) + M1 (x1 − o) + M2 (x2 − o)) / 8        dV/dxi = Σ n Mi / 2
//! ```
//!
//! With coordinates (β, γ) along x1 − x0 and x2 − x0, Green's theorem makes of F and M sums of three kinds:
//!
//! - the whole triangle, w(x1) times: F += w, M1 += w/3, M2 += w/3;
//! - a segment P → Q of the intersection curve with the inside on its left: c = β_P γ_Q − γ_P β_Q, F += c,
//!   M1 += c (β_P + β_Q)/3, M2 += c (γ_P + γ_Q)/3;
//! - a crossing X of the curve with the edge x1 → x2, c = ±β, + where the edge enters: F += c, M1 += c β/3,
//!   M2 += c (γ + 1)/3. The two other edges point at x0 and add nothing. Nothing is sorted along edges.
//!
//! `pairs` cuts the pairs (`cut`), `winding` finds out which vertices are inside, `side` and `whole` sum up. Curves and regions are
//! made of the same cuts, and regions of the same winding numbers.
//!
//! # Degenerate contact
//!
//! Where surfaces touch or coincide, all signs are those after moving one of the bodies by an infinitesimal
//! (`exact::NudgedPair`), the same one in whichever order they are given (`common`). The volume does not depend on the motion.
//! Gradient and area do where faces coincide: the gradient is then the one-sided derivative, that of the side to which the body is
//! moved.
//!
//! Cost: some 150 ns per pair, a few ns per vertex, 10 ns per triangle inside; no allocation in a second pass.
//! Held by: `tests/behaviour/overlap`, `cargo xtask verify` (numbers of an exact boolean).

mod common;
mod cut;
mod error;
mod pairs;
mod side;
mod swallowed;
mod whole;
mod winding;

pub use error::OverlapError;

use super::CompletePairs;
use crate::body::{Body, Points, WhichBody};
use crate::geom::lanes::{Instructions, Vec3, Vec3Ops, chosen_simd};
use crate::geom::{TriangleId, VertexId};
use crate::narrow;
use crate::threads;
pub(super) use common::Common;
use cut::crossing_in_doubt;
pub(super) use cut::{Ends, Fractions, crossing_by_own_motions, cut_at_vertex};
pub(super) use error::check_closed;
pub(super) use pairs::{Segment, cut_pairs};
pub(super) use side::{Asked, Side, Sums, offset};
pub(crate) use winding::{WindingMemory, Windings};
pub(super) use winding::{above_root, note_crossings, spread};

/// Vertices of both bodies that are worth a second thread, each pair counting as many.
const WORTH_A_THREAD: usize = 8_192;

/// A volume is made of rounding if it is less than this times what it is summed up from: the area times the size of the common
/// box, and for triangles that are cut, whose fractions are differences of numbers about 1, what an error of 1 there would
/// amount to (`scale_of`). Some 2^7 times the error of one operation; `tests/behaviour/overlap/exchanged.rs` has bodies that touch and
/// bodies that overlap, of like and unlike size, which it tells apart.
pub(super) const ROUNDING: f64 = 1.0 / (1u64 << 46) as f64;

/// The triangles of segments that are of body a, and those of body b.
const SIDES: [&[usize]; 2] = [&[0], &[1]];

/// How many vertices a pair counts as.
const PAIR: usize = 32;

/// How the volume of an overlap changes with one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VertexGradient {
    /// The vertex.
    pub vertex: VertexId,
    /// The derivative of the volume by its position.
    pub gradient: [f64; 3],
}

/// The overlap of two closed bodies, exact up to rounding in f64.
///
/// Made by [`overlap`](crate::overlap()), by an [`OverlapFinder`] and by
/// [`Frame::overlap`](crate::Frame::overlap). The sampled counterpart, with an error that depends on its resolution, is
/// `OverlapSampler` of the crate `crumple-ldi`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Overlap {
    volume: f64,
    area: f64,
    centroid: Option<[f64; 3]>,
    gradients: [Vec<VertexGradient>; 2],
}

impl Overlap {
    /// The volume, in cubes of the world's unit.
    ///
    /// A body that overlaps itself counts as often as its surface winds around a point. Negative if one of the bodies is
    /// inside out.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of the overlap's surface: of the surface of each body inside the other.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The centre of mass; `None` without a volume beyond rounding.
    pub fn centroid(&self) -> Option<[f64; 3]> {
        self.centroid
    }

    /// How the volume changes with the vertices of body `a`: those of triangles that are at least partly inside `b`, in
    /// order. For all other vertices the derivative is 0.
    ///
    /// To push the bodies apart, move every vertex against its gradient: −k V dV/dx is a force with V as its potential.
    /// The gradients of both bodies add up to 0, to rounding.
    pub fn gradient_a(&self) -> &[VertexGradient] {
        &self.gradients[0]
    }

    /// The same for body `b`.
    pub fn gradient_b(&self) -> &[VertexGradient] {
        &self.gradients[1]
    }

    /// Whether the surfaces of the bodies do not cross and neither is inside the other.
    pub fn is_empty(&self) -> bool {
        self.gradients.iter().all(Vec::is_empty)
    }

    /// The overlap of bodies that are apart.
    pub(crate) const NOTHING: Self =
        Self { volume: 0.0, area: 0.0, centroid: None, gradients: [Vec::new(), Vec::new()] };

    fn clear(&mut self) {
        (self.volume, self.area, self.centroid) = (0.0, 0.0, None);
        self.gradients.iter_mut().for_each(Vec::clear);
    }
}

/// The overlap of two closed bodies as they are now: volume, area, centroid and gradient, exact up to rounding.
///
/// Builds a tree for each body. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps them:
/// see [`Frame::overlap`](crate::Frame::overlap).
///
/// ```
/// # use crumple::{Body, Mesh};
/// # let cube = |low: f32, high: f32| {
/// #     let faces = vec![[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
/// #     let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high } else { low });
/// #     Body::new(Mesh::new(8, faces).unwrap(), &(0..8).map(corner).collect::<Vec<_>>()).unwrap()
/// # };
/// let (a, b) = (cube(0.0, 2.0), cube(1.0, 3.0));
/// let overlap = crumple::overlap(&a, &b)?;
/// assert!((overlap.volume() - 1.0).abs() < 1e-14);
/// assert!((overlap.area() - 6.0).abs() < 1e-14);
/// // Moving body `b` by dx along x changes the volume by −dx times the area of a face.
/// let sum: f64 = overlap.gradient_b().iter().map(|of_vertex| of_vertex.gradient[0]).sum();
/// assert!((sum + 1.0).abs() < 1e-14);
/// # Ok::<(), crumple::OverlapError>(())
/// ```
///
/// # Errors
/// If a surface does not enclose a volume. Bodies that are apart or merely touch are no error: their overlap is 0.
pub fn overlap(a: &Body, b: &Body) -> Result<Overlap, OverlapError> {
    let mut finder = OverlapFinder::default();
    finder.find(a, b, CompletePairs::promised(&narrow::pairs(a, b)))?;
    Ok(finder.found)
}

/// Where the surfaces of two bodies cross: what overlaps, curves and regions are computed from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts {
    /// `None` if the boxes of the bodies do not overlap: then there are no segments either.
    pub(super) common: Option<Common>,
    /// In the order of the pairs.
    pub(super) segments: Vec<Segment>,
}

impl Cuts {
    /// Overwrites them with those of two bodies, given all pairs of triangles at which they meet.
    pub(crate) fn find(&mut self, bodies: [&Body; 2], pairs: CompletePairs<'_>) {
        self.find_with(chosen_simd(), bodies, pairs);
    }

    pub(super) fn find_with(&mut self, simd: Instructions, bodies: [&Body; 2], pairs: CompletePairs<'_>) {
        self.common = Common::of(bodies[0], bodies[1]);
        match self.common {
            Some(Common { moved, .. }) => {
                let in_doubt = |_, [a, b]: [_; 2]| crossing_in_doubt(&a, &b, moved);
                cut_pairs(simd, bodies, in_doubt, pairs.as_slice(), &mut self.segments);
            }
            None => self.segments.clear(),
        }
    }

    /// Whether the surfaces do not cross.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }
}

/// How many threads the two sides of an overlap are worth.
fn threads_for([a, b]: [&Body; 2], cuts: &Cuts) -> usize {
    let work = a.mesh().vertex_count() + b.mesh().vertex_count() + PAIR * cuts.segments.len();
    threads::for_work(work, WORTH_A_THREAD)
}

/// Computes exact overlaps, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub struct OverlapFinder {
    cuts: Cuts,
    windings: Windings,
    winding_memory: WindingMemory,
    sums: Summation,
    found: Overlap,
}

impl OverlapFinder {
    /// The overlap of two closed bodies, given all pairs of triangles at which they meet:
    /// [`Contact::complete_pairs`](crate::Contact::complete_pairs), or what [`pairs`](crate::pairs()) returns.
    ///
    /// # Errors
    /// If a surface does not enclose a volume, or a pair names a triangle that is not there.
    pub fn find(&mut self, a: &Body, b: &Body, pairs: CompletePairs<'_>) -> Result<&Overlap, OverlapError> {
        check_closed(a, b)?;
        check_triangles(a, b, pairs)?;
        self.find_with(chosen_simd(), [a, b], pairs);
        Ok(&self.found)
    }

    fn find_with(&mut self, simd: Instructions, bodies: [&Body; 2], pairs: CompletePairs<'_>) {
        let Self { cuts, windings, winding_memory, sums, found } = self;
        cuts.find_with(simd, bodies, pairs);
        windings.find(bodies, cuts, winding_memory);
        sums.sum_up_with(simd, bodies, cuts, windings, found);
    }
}

/// Sums up overlaps; working memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summation {
    sides: [Side; 2],
}

impl Summation {
    /// Overwrites `found` with the overlap of two closed bodies.
    pub(crate) fn sum_up(&mut self, bodies: [&Body; 2], cuts: &Cuts, windings: &Windings, found: &mut Overlap) {
        self.sum_up_with(chosen_simd(), bodies, cuts, windings, found);
    }

    fn sum_up_with(
        &mut self,
        simd: Instructions,
        bodies: [&Body; 2],
        cuts: &Cuts,
        windings: &Windings,
        found: &mut Overlap,
    ) {
        let Some(Common { origin, size, .. }) = cuts.common else { return found.clear() };
        let compute = |memory: &mut Side, side: usize, gradient: &mut Vec<VertexGradient>| {
            let (body, segments, numbers) = (bodies[side], &cuts.segments, &windings.0[side].numbers);
            let (sides, offsets) = (SIDES[side], &[][..]);
            match body.points() {
                Points::F32(points) => {
                    memory.compute(simd, Asked { body, points, sides, segments, numbers, offsets, origin }, gradient)
                }
                Points::F64(points) => {
                    memory.compute(simd, Asked { body, points, sides, segments, numbers, offsets, origin }, gradient)
                }
            }
        };
        let ([side_a, side_b], [gradient_a, gradient_b]) = (&mut self.sides, &mut found.gradients);
        let (mut sums, of_b) = threads::join(
            threads_for(bodies, cuts),
            || compute(side_a, 0, gradient_a),
            || compute(side_b, 1, gradient_b),
        );
        sums.add(&of_b);
        found.volume = sums.volume();
        found.area = sums.area();
        let moment = sums.moment();
        found.centroid = sums.has_volume(size).then(|| std::array::from_fn(|k| origin[k] + moment[k] / found.volume));
    }
}

/// Refuses pairs that name a triangle that is not there.
fn check_triangles(a: &Body, b: &Body, pairs: CompletePairs<'_>) -> Result<(), OverlapError> {
    let pairs = pairs.as_slice();
    let (mut most_a, mut most_b) = (TriangleId(0), TriangleId(0));
    for pair in pairs {
        (most_a, most_b) = (most_a.max(pair.a), most_b.max(pair.b));
    }
    for (body, which, triangle) in [(a, WhichBody::A, most_a), (b, WhichBody::B, most_b)] {
        let len = body.mesh().triangles().len();
        if !pairs.is_empty() && triangle.index() >= len {
            return Err(OverlapError::NoSuchTriangle { body: which, triangle, len });
        }
    }
    Ok(())
}

/// What the error of a fraction of a triangle amounts to in six times a volume: its height over the origin times the square of its
/// size. Not times its area: that of a needle is small, but where a cut lies on it is known no better than on others as long.
pub(super) fn scale_of([p, q, r]: &[Vec3<f64>; 3], normal: Vec3<f64>) -> f64 {
    let (u, v, area) = (q.minus(*p), r.minus(*p), normal.dot(normal).sqrt());
    if area > 0.0 { (p.dot(normal) / area).abs() * (u.dot(u) + v.dot(v)) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::all_simd;
    use crate::mesh::Mesh;

    /// A sphere of 1,280 triangles around a point on the diagonal.
    fn sphere(centre: f32) -> Body {
        let shape = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 3).unwrap();
        let positions: Vec<[f32; 3]> = shape.positions.iter().map(|p| p.map(|x| x + centre)).collect();
        Body::new(Mesh::new(positions.len(), shape.triangles).unwrap(), &positions).unwrap()
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let (a, b) = (sphere(0.0), sphere(0.3));
        let pairs = narrow::pairs(&a, &b);
        let found = all_simd().into_iter().map(|simd| {
            let mut finder = OverlapFinder::default();
            finder.find_with(simd, [&a, &b], CompletePairs::promised(&pairs));
            finder.found
        });
        let found: Vec<Overlap> = found.collect();
        assert!(found[0].volume() > 1.0 && found[0].gradient_a().len() > 200);
        assert!(found.iter().all(|other| *other == found[0]));
    }

    #[test]
    fn memory_of_larger_bodies_does_not_show_in_the_overlap_of_smaller_ones() {
        let (a, b) = (sphere(0.0), sphere(0.3));
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        // The last vertex is of no triangle.
        let corners = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0], [x + 0.2, 0.1, 0.1]];
        let small = |x: f32| Body::new(Mesh::new(5, faces.clone()).unwrap(), &corners(x)).unwrap();
        let (p, q) = (small(0.0), small(0.25));
        let mut used = OverlapFinder::default();
        for (a, b) in [(&a, &b), (&p, &q), (&a, &p), (&p, &b), (&b, &a), (&p, &q)] {
            let pairs = narrow::pairs(a, b);
            let fresh = overlap(a, b).unwrap();
            assert!(used.find(a, b, CompletePairs::promised(&pairs)).unwrap() == &fresh);
        }
    }
}
