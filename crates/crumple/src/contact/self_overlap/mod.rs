//! How much a closed body overlaps itself, exactly: the volume, and its gradient for every vertex.
//!
//! Let w be the winding number of the surface around a point. What overlaps itself is E = ∫ w (w − 1) / 2 dV: 0 where w is 0 or 1,
//! 1 where the body covers a point twice (w = 2), 3 where it covers it three times; and where it is inside out, 1 where w is −1.
//! Across the surface, from its outside to its inside, w grows by 1 and w (w − 1) / 2 by the w outside. So with w that number,
//! E = ⅓ ∫ w x·n dA over the whole surface, and all the formulas of two bodies (`overlap`) hold with it in place of the other body's
//! winding number: what a triangle adds follows from the segments in which others cross it, and from w at one of its corners.
//!
//! # Three things that two bodies do not have
//!
//! - Two triangles that share a vertex may cross in a segment that begins or ends there (`overlap::cut`). Around the vertex w then
//!   changes from edge to edge: it is no function of vertices but of *germs*, the beginnings of edges (`germs`).
//! - Nobody is outside: w of each component is found at its highest vertex, by following a line from outside (`seed`).
//! - To move one body as a whole where surfaces touch does not help here. Every vertex is moved by an infinitesimal of its own
//!   (`exact::own_motions`). That is a real motion, so all decisions agree. E does not depend on it. The gradient does where faces
//!   coincide: it is then the one-sided derivative along the motion.
//!
//! Triangles without area take part, as the motion gives them one: the list of pairs that collide leaves them out, so pairs with
//! them are found here (`pairs`). A mesh in which vertices or edges belong to several sheets is resolved first
//! (`mesh::resolved`).
//!
//! Cost: beside the pairs, some 100 ns for each that crosses, a few ns per vertex and triangle; nothing is allocated in a second pass.
//! Held by: `tests/behaviour/self_overlap`, `cargo xtask verify` (`self_overlaps`).

mod error;
mod germs;
mod pairs;
mod region;
mod seed;
mod subject;
mod volume;

pub use error::SelfOverlapError;
pub use region::{SelfLoss, SelfRegion, SelfRegions};
pub use volume::enclosed_volume;

use super::VertexGradient;
use super::overlap::{Asked, Segment, Side};
use crate::body::{Body, Points};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Instructions, chosen_simd};
use germs::{GermMemory, Germs};
pub(super) use pairs::PairMemory;
pub(crate) use region::SelfRegionFinder;
use subject::{SelfSearch, Subject};

/// Both triangles of a segment are of the one body.
const SIDES: &[usize] = &[0, 1];

/// What to do with a body that is not closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Holes {
    /// Refuse it.
    #[default]
    Refuse,
    /// Close each hole by a fan of triangles to the mean of the vertices around it. The overlap then depends on these triangles,
    /// which may cross the surface: it is a different body.
    Cap,
}

/// How much a closed body overlaps itself, exact up to rounding in f64.
///
/// Made by [`self_overlap`](crate::self_overlap()), by a [`SelfOverlapFinder`] and by
/// [`Frame::self_overlap`](crate::Frame::self_overlap). The sampled counterpart, which counts what is covered more than once and what is
/// inside out each once, is `SelfOverlap` of the crate `crumple-ldi`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SelfOverlap {
    volume: f64,
    is_inside_out: bool,
    gradient: Vec<VertexGradient>,
}

impl SelfOverlap {
    /// The volume E = ∫ w (w − 1) / 2 dV, w being the winding number: what is covered twice counts once, what is covered three
    /// times counts three times, and what is inside out (w = −1) counts once. Never negative, up to rounding.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Whether the body is inside out where it is seen from outside: whether the winding number is negative below the highest vertex
    /// (in x) of one of its components. If all of it is, the volume is that of the body turned right plus what it encloses
    /// ([`enclosed_volume`]): turn all triangles round.
    pub fn is_inside_out(&self) -> bool {
        self.is_inside_out
    }

    /// How the volume changes with each vertex, in order: with those of triangles that are at least partly in the surface of the
    /// overlap. For all other vertices the derivative is 0.
    ///
    /// Of vertices that are welded to one another each has the part of its own triangles: they move together, and the derivative is
    /// the sum. (Where the mesh is not manifold, all of it is at the first of them.)
    pub fn gradient(&self) -> &[VertexGradient] {
        &self.gradient
    }

    /// Whether the surface does not cross itself and no part of it lies inside another or is inside out.
    pub fn is_empty(&self) -> bool {
        self.gradient.is_empty()
    }

    fn clear(&mut self) {
        (self.volume, self.is_inside_out) = (0.0, false);
        self.gradient.clear();
    }
}

/// How much a closed body overlaps itself as it is now, exact up to rounding, with the gradient for every vertex.
///
/// Builds a tree. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps it: see
/// [`Frame::self_overlap`](crate::Frame::self_overlap).
///
/// ```
/// # use crumple::{Body, Mesh};
/// # let faces = [[0u32, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
/// # let corners = |low: f32| (0..8).map(move |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { low + 2.0 } else { low }));
/// // One mesh of two cubes, the second moved by half a diagonal.
/// # let positions: Vec<[f32; 3]> = corners(0.0).chain(corners(1.0)).collect();
/// # let both = faces.iter().copied().chain(faces.iter().map(|face| face.map(|vertex| vertex + 8))).collect();
/// let body = Body::new(Mesh::new(16, both)?, &positions)?;
/// let overlap = crumple::self_overlap(&body)?;
/// assert!((overlap.volume() - 1.0).abs() < 1e-14);
/// // Moving the second cube by dx along x changes the volume by −dx times the area of a face.
/// let second = overlap.gradient().iter().filter(|of_vertex| of_vertex.vertex.0 >= 8);
/// assert!((second.map(|of_vertex| of_vertex.gradient[0]).sum::<f64>() + 1.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the surface does not enclose a volume, or vertices that are welded have parted. A body that is inside out is no error.
pub fn self_overlap(body: &Body) -> Result<SelfOverlap, SelfOverlapError> {
    let mut finder = SelfOverlapFinder::default();
    finder.find(body, Holes::Refuse)?;
    Ok(finder.found)
}

/// The connected parts in which a body overlaps itself, as it is now. Builds a tree; a [`Scene`](crate::Scene) keeps it, see
/// [`Frame::self_regions`](crate::Frame::self_regions).
///
/// # Errors
/// As [`self_overlap`](crate::self_overlap()).
pub fn self_regions(body: &Body) -> Result<SelfRegions, SelfOverlapError> {
    let mut finder = SelfOverlapFinder::default();
    finder.find(body, Holes::Refuse)?;
    let mut found = SelfRegions::default();
    finder.find_regions(body, &mut SelfRegionFinder::default(), &mut found);
    Ok(found)
}

/// Computes how much bodies overlap themselves, frame after frame, in memory of its own; keeps the tree of the last body.
#[derive(Debug, Default)]
pub struct SelfOverlapFinder {
    subject: Subject,
    search: SelfSearch,
    pairs: PairMemory,
    segments: Vec<Segment>,
    germs: Germs,
    germ_memory: GermMemory,
    side: Side,
    /// Where sums are measured from.
    origin: [f64; 3],
    found: SelfOverlap,
    regions: SelfRegions,
    region_finder: SelfRegionFinder,
}

impl SelfOverlapFinder {
    /// The overlap of a body with itself, as it is now.
    ///
    /// # Errors
    /// If the surface does not enclose a volume (with [`Holes::Cap`]: if it does not simply end where it is open), or vertices that are welded have parted.
    pub fn find(&mut self, body: &Body, holes: Holes) -> Result<&SelfOverlap, SelfOverlapError> {
        self.find_given(body, holes, None)?;
        Ok(&self.found)
    }

    /// As [`find`](Self::find), and the connected parts.
    ///
    /// # Errors
    /// As there.
    pub fn find_with_regions(
        &mut self,
        body: &Body,
        holes: Holes,
    ) -> Result<(&SelfOverlap, &SelfRegions), SelfOverlapError> {
        self.find_given(body, holes, None)?;
        let (mut finder, mut regions) = (std::mem::take(&mut self.region_finder), std::mem::take(&mut self.regions));
        self.find_regions(body, &mut finder, &mut regions);
        (self.region_finder, self.regions) = (finder, regions);
        Ok((&self.found, &self.regions))
    }

    /// What was found last.
    pub(crate) fn found(&self) -> &SelfOverlap {
        &self.found
    }

    /// As [`find`](Self::find), where the pairs of the body that collide may be known, all of them, sorted, and how many
    /// triangles have no area.
    pub(crate) fn find_given(
        &mut self,
        body: &Body,
        holes: Holes,
        known: Option<(&[TrianglePair], u64)>,
    ) -> Result<(), SelfOverlapError> {
        self.find_with(chosen_simd(), body, holes, known)
    }

    fn find_with(
        &mut self,
        simd: Instructions,
        given: &Body,
        holes: Holes,
        known: Option<(&[TrianglePair], u64)>,
    ) -> Result<(), SelfOverlapError> {
        let Self { subject, search, pairs, segments, germs, germ_memory, side, origin, found, .. } = self;
        found.clear();
        segments.clear();
        subject.take(given, holes)?;
        let plain = subject.body(given);
        let (listed, without_area) = match known.filter(|_| !subject.is_resolved()) {
            Some(known) => known,
            None => search.pairs(plain),
        };
        pairs.cut(simd, plain, listed, without_area, segments);
        germs.find(plain, segments, germ_memory);
        *origin = origin_of(plain, segments);
        let (numbers, offsets) = (germs.numbers(), germs.offsets());
        let (body, segments, origin) = (plain, segments.as_slice(), *origin);
        let gradient = &mut found.gradient;
        let sums = match body.points() {
            Points::F32(points) => {
                let asked = Asked { body, points, sides: SIDES, segments, numbers, offsets, origin };
                side.compute(simd, asked, gradient)
            }
            Points::F64(points) => {
                let asked = Asked { body, points, sides: SIDES, segments, numbers, offsets, origin };
                side.compute(simd, asked, gradient)
            }
        };
        found.volume = sums.volume();
        found.is_inside_out = germs.is_inside_out();
        subject.give_back(given, gradient);
        Ok(())
    }

    /// Where triangles of the body cross, if it was computed with the mesh that was given.
    pub(super) fn segments(&self) -> Option<&[Segment]> {
        (!self.subject.is_resolved()).then_some(self.segments.as_slice())
    }

    /// The winding number outside the surface at the start of a half-edge, given its vertex.
    pub(super) fn winding_at(&self, half_edge: u32, vertex: u32) -> i32 {
        self.germs.at(half_edge, vertex)
    }

    /// The connected parts of what was found last, of the same body as it was then.
    pub(crate) fn find_regions(&self, body: &Body, finder: &mut SelfRegionFinder, found: &mut SelfRegions) {
        let plain = self.subject.body(body);
        let given = region::Given { body: plain, segments: &self.segments, germs: &self.germs };
        finder.find(given, self.subject.resolved(body), found);
    }
}

/// A point near all that crosses: the mean of where segments start. Sums that are measured from there round as what crosses is large, not
/// as it is far from the origin.
fn origin_of(body: &Body, segments: &[Segment]) -> [f64; 3] {
    let Some(first) = segments.first().map(|segment| segment.cut.points[0]) else {
        return body.mesh().spanning_tree().vertices().first().map_or([0.0; 3], |&vertex| body.exact_position(vertex));
    };
    let mut sum = [0.0; 3];
    for segment in segments {
        (0..3).for_each(|axis| sum[axis] += segment.cut.points[0][axis] - first[axis]);
    }
    std::array::from_fn(|axis| first[axis] + sum[axis] / segments.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::all_simd;
    use crate::mesh::Mesh;

    /// Two spheres of 1,280 triangles as one mesh.
    fn spheres(apart: f32) -> Body {
        let shape = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 3).unwrap();
        let count = shape.positions.len() as u32;
        let moved = shape.positions.iter().map(|p| p.map(|x| x + apart));
        let positions: Vec<[f32; 3]> = shape.positions.iter().copied().chain(moved).collect();
        let second = shape.triangles.iter().map(|t| t.map(|vertex| vertex + count));
        let triangles = shape.triangles.iter().copied().chain(second).collect();
        Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap()
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let body = spheres(0.3);
        let found = all_simd().into_iter().map(|simd| {
            let mut finder = SelfOverlapFinder::default();
            finder.find_with(simd, &body, Holes::Refuse, None).unwrap();
            finder.found
        });
        let found: Vec<SelfOverlap> = found.collect();
        assert!(found[0].volume() > 1.0 && found[0].gradient().len() > 400);
        assert!(found.iter().all(|other| *other == found[0]));
    }
    #[test]
    fn where_faces_coincide_the_gradient_is_the_derivative_along_the_motion() {
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        // Boxes of side 2 by their lowest corners: equal ones, in a row, with parts of faces in common, one on another.
        let cases: [&[[f64; 3]]; 4] = [
            &[[0.0; 3], [0.0; 3], [0.0; 3]],
            &[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
            &[[0.0; 3], [1.0, 1.0, 0.0], [-1.0, 0.5, 0.0]],
            &[[0.0; 3], [0.5, 0.5, 2.0], [0.0, 1.0, 1.0]],
        ];
        for boxes in cases {
            let mut positions: Vec<[f64; 3]> = Vec::new();
            let mut triangles = Vec::new();
            for low in boxes {
                let first = positions.len() as u32;
                let corner = |k: usize| [0, 1, 2].map(|axis| low[axis] + if k >> axis & 1 == 1 { 2.0 } else { 0.0 });
                positions.extend((0..8).map(corner));
                for [a, b, c, d] in faces.map(|face| face.map(|vertex: u32| vertex + first)) {
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
            let mut body = Body::new_f64(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap();
            let found = self_overlap(&body).unwrap();
            let (mut along, mut most) = (0.0, 0.0);
            for of_vertex in found.gradient() {
                let motion = crate::exact::motion(of_vertex.vertex.0).map(|x| x as f64);
                let by_axis = [0, 1, 2].map(|axis: usize| of_vertex.gradient[axis] * motion[axis]);
                along += by_axis.iter().sum::<f64>();
                most += by_axis.iter().map(|x| x.abs()).sum::<f64>();
            }
            let step = 2f64.powi(-45);
            for (vertex, position) in (0..).zip(&mut positions) {
                let motion = crate::exact::motion(vertex);
                (0..3).for_each(|axis| position[axis] += step * motion[axis] as f64);
            }
            body.set_positions_f64(&positions).unwrap();
            let quotient = (self_overlap(&body).unwrap().volume() - found.volume()) / step;
            assert!((quotient - along).abs() < 1e-6 * most, "{boxes:?}: {quotient} by {along}");
        }
    }
}
