//! How deep bodies are in each other, or one in itself, region by region: what the curves of a region cut off, and how far from the
//! other surface it reaches.
//!
//! The pairs of a region cross in curves that run over both surfaces (`overlap::cut`, `self_overlap::pairs`). On each surface they cut
//! off a part: where the other surface is closed, what lies inside it, which is the part behind the curves; where both are open, the
//! smaller of the two parts (global intersection analysis: Baraff, Witkin & Kass 2003), if the curves part the surface at all, also
//! together with its border, as where a flap hangs through a sheet. Curves of all regions bound the parts (`surface`).
//!
//! A part is as deep as the vertex of it that is farthest from the other surface. Of a body in itself the other surface is all but
//! the triangles of the part. An edge that passes through a body and has no end in there counts with the middle of what is inside.
//!
//! Where something is cut off on both sides of a region, the deeper part counts, and areas are added.
//!
//! Cost: the cuts (some 100 ns per pair), some 100 ns per vertex of the parts, and a closest point for each.
//! Held by: `tests/response/region_depth.rs` (closed forms, brute force).

mod marks;
mod surface;

use std::ops::Range;

use super::overlap::{Cuts, Segment};
use super::self_overlap::{PairMemory, enclosed_volume};
use super::{CompletePairs, ContactRegion};
use crate::body::Body;
use crate::geom::TrianglePair;
use crate::geom::lanes::chosen_simd;
use marks::Marks;
use surface::{Bank, Surface};

/// How deep a region of a contact is, and how much surface is inside there. See [`Frame::region_depths`](crate::Frame::region_depths).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RegionDepth {
    /// How far the farthest vertex of what is cut off is from the other surface; 0 where surfaces only touch. `None` where the curves of
    /// the region cut nothing off: in a slit, and where pairs were left out.
    pub depth: Option<f64>,
    /// The area of what is cut off.
    pub area: Option<f64>,
}

/// No curve.
const NONE: u32 = u32::MAX;

/// Finds what regions cut off, contact after contact, in memory of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct CutOffFinder {
    cuts: Cuts,
    pair_memory: PairMemory,
    segments: Vec<Segment>,
    pairs: Vec<TrianglePair>,
    /// The curve of each pair on the side of its triangle `a`, sorted: twice the region, plus 1 on its second side.
    curve_of: Vec<(TrianglePair, u32)>,
    surfaces: [Surface; 2],
    /// Per region and side what is cut off there.
    sides: Vec<Side>,
    /// What is to be measured.
    pieces: Vec<Piece>,
    points: Vec<[f64; 3]>,
    /// Per surface and part its piece.
    piece_of: [Marks<u32>; 2],
    /// Pieces of sides.
    listed: Vec<u32>,
    /// Whether neither surface is closed.
    is_open: bool,
    /// Whether it is known where surfaces cross.
    is_known: bool,
}

/// What a region cuts off of one of its sides.
#[derive(Clone, Debug, Default)]
enum Side {
    /// There are no segments.
    #[default]
    Uncut,
    /// Nothing is looked for on this side.
    NotSought,
    /// Nothing is cut off.
    Joined,
    CutOff {
        area: f64,
        pieces: Range<usize>,
    },
}

/// Points of a surface that are to be measured alike.
#[derive(Clone, Debug)]
struct Piece {
    surface: usize,
    of: PieceOf,
    points: Range<usize>,
    depth: f64,
}

#[derive(Clone, Copy, Debug)]
enum PieceOf {
    Part { part: u32, bank: Bank },
    Middle { curves: [u32; 2] },
}

impl CutOffFinder {
    /// Finds what the regions of a contact cut off; of a body with itself if both are the same, of which so many triangles have no
    /// area. Regions must be of this contact. Then the points of all [`pieces`](Self::pieces) are to be measured.
    pub(crate) fn find<'r>(
        &mut self,
        bodies: [&Body; 2],
        is_self: bool,
        regions: impl IntoIterator<Item = ContactRegion<'r>>,
        without_area: u64,
    ) {
        self.pieces.clear();
        self.points.clear();
        self.listed.clear();
        self.sides.clear();
        let region_count = self.cut(bodies, is_self, regions, without_area);
        self.sides.resize(2 * region_count, Side::Uncut);
        let surface_of = |side: usize| if is_self { 0 } else { side };
        let surfaces = if is_self { 1 } else { 2 };
        for (surface, body) in self.surfaces.iter_mut().zip(bodies).take(surfaces) {
            surface.start(body.mesh());
        }
        for segment in &self.segments {
            let pair = TrianglePair::new(segment.triangles[0], segment.triangles[1]);
            let at = self.curve_of.binary_search_by_key(&pair, |of| of.0);
            // Only pairs with a triangle that has no area are of no region: they bound parts of others.
            let curve = at.map_or(NONE - 1, |at| self.curve_of[at].1);
            for (side, curve) in [curve, curve ^ 1].into_iter().enumerate() {
                self.surfaces[surface_of(side)].add(bodies[side].mesh(), segment, side, curve);
            }
        }
        // Where the other surface is closed, its inside is sought.
        let encloses = bodies.map(|body| body.mesh().live_count() > 0 && body.mesh().topology().is_solid());
        let inside = |body: &Body| if enclosed_volume(body) < 0.0 { Bank::Front } else { Bank::Behind };
        let inside = [0, 1].map(|side| (encloses[side] && !self.segments.is_empty()).then(|| inside(bodies[side])));
        self.is_open = encloses == [false; 2];
        for side in 0..surfaces {
            let other = inside[if is_self { 0 } else { 1 - side }];
            self.surfaces[side].find_parts(bodies[side], other);
            self.piece_of[side].start(self.surfaces[side].part_count());
        }
        for region in 0..region_count {
            for side in 0..2 {
                let (surface, curve) = (surface_of(side), (2 * region + side) as u32);
                let (own, other) = if is_self { (None, inside[0]) } else { (inside[side], inside[1 - side]) };
                let found = &mut self.surfaces[surface];
                self.sides[2 * region + side] = if !found.has(curve) {
                    Side::Uncut
                } else if other.is_none() && own.is_some() {
                    Side::NotSought
                } else if found.is_joined(curve) {
                    Side::Joined
                } else {
                    let (bank, area) = match other {
                        Some(inside) => (inside, found.area(bodies[side], curve, inside)),
                        None => {
                            let [behind, front] =
                                [Bank::Behind, Bank::Front].map(|bank| found.area(bodies[side], curve, bank));
                            if front < behind { (Bank::Front, front) } else { (Bank::Behind, behind) }
                        }
                    };
                    let pieces = self.list_pieces(bodies[side], surface, curve, bank);
                    Side::CutOff { area, pieces }
                };
            }
        }
    }

    /// Finds the segments of all pairs, and the curve of each; returns how many regions there are.
    fn cut<'r>(
        &mut self,
        bodies: [&Body; 2],
        is_self: bool,
        regions: impl IntoIterator<Item = ContactRegion<'r>>,
        without_area: u64,
    ) -> usize {
        self.is_known = !is_self || !has_parted(bodies[0]);
        let Self { cuts, pair_memory, segments, pairs, curve_of, .. } = self;
        segments.clear();
        curve_of.clear();
        let [of_a, of_b] = bodies.map(|body| body.mesh().triangles().len());
        let mut region_count = 0;
        for of in regions {
            let is_there = |pair: &&TrianglePair| pair.a.index() < of_a && pair.b.index() < of_b;
            // Within one body either triangle of a pair may be on the first side of its region.
            let is_turned = |pair: &TrianglePair| is_self && of.triangles_a.binary_search(&pair.a).is_err();
            let curve = |&pair: &TrianglePair| (pair, 2 * region_count + u32::from(is_turned(&pair)));
            curve_of.extend(of.pairs.iter().filter(is_there).map(curve));
            region_count += 1;
        }
        curve_of.sort_unstable();
        pairs.clear();
        pairs.extend(curve_of.iter().map(|of| of.0));
        if !is_self {
            cuts.find(bodies, CompletePairs::promised(pairs));
            segments.extend_from_slice(&cuts.segments);
        } else if self.is_known {
            let mesh = bodies[0].mesh();
            let flat = if mesh.single_fans().is_plain() { without_area } else { 0 };
            let names_twice = |[p, q, r]: [u32; 3]| p == q || q == r || r == p;
            let welded = mesh.welded_indices();
            pairs.retain(|pair| ![pair.a, pair.b].iter().any(|of| names_twice(welded[of.index()])));
            pair_memory.cut(chosen_simd(), bodies[0], pairs, flat, segments);
        }
        region_count as usize
    }

    /// Lists what is to be measured on one bank of a curve.
    fn list_pieces(&mut self, body: &Body, surface: usize, curve: u32, bank: Bank) -> Range<usize> {
        let Self { surfaces, pieces, points, piece_of, listed, .. } = self;
        let start = listed.len();
        for link in surfaces[surface].parts_at(curve, bank) {
            let piece = piece_of[surface].get(link.part).unwrap_or_else(|| {
                let first = points.len();
                let vertices = surfaces[surface].vertices(link.part).iter();
                points.extend(vertices.map(|&vertex| body.exact_position(vertex)));
                let of = PieceOf::Part { part: link.part, bank };
                pieces.push(Piece { surface, of, points: first..points.len(), depth: 0.0 });
                piece_of[surface].set(link.part, pieces.len() as u32 - 1);
                pieces.len() as u32 - 1
            });
            listed.push(piece);
        }
        for middle in surfaces[surface].middles_at(curve, bank) {
            listed.push(pieces.len() as u32);
            let of = PieceOf::Middle { curves: middle.between.map(|(curve, _)| curve) };
            pieces.push(Piece { surface, of, points: points.len()..points.len() + 1, depth: 0.0 });
            points.push(middle.point);
        }
        start..listed.len()
    }

    /// How many pieces there are to be measured.
    pub(crate) fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The points of a piece, and which of the two bodies they are of; of one with itself the first.
    pub(crate) fn piece(&self, number: usize) -> (usize, &[[f64; 3]]) {
        let Piece { surface, ref points, .. } = self.pieces[number];
        (surface, &self.points[points.clone()])
    }

    /// Whether a triangle of the body itself belongs to a piece, so that distances from it mean nothing.
    pub(crate) fn is_of_piece(&self, number: usize, triangle: u32) -> bool {
        let Piece { surface, of, .. } = self.pieces[number];
        let surface = &self.surfaces[surface];
        match of {
            PieceOf::Part { part, bank } => surface.is_of_part(triangle, part, bank),
            PieceOf::Middle { curves } => curves.iter().any(|&curve| surface.is_of_curve(triangle, curve)),
        }
    }

    /// Says how far the farthest point of a piece is from the other surface.
    pub(crate) fn measured(&mut self, number: usize, depth: f64) {
        self.pieces[number].depth = depth;
    }

    /// What it comes to for each region.
    pub(crate) fn depths(&self) -> impl Iterator<Item = RegionDepth> {
        self.sides.chunks_exact(2).map(|sides| self.depth([&sides[0], &sides[1]]))
    }

    fn depth(&self, sides: [&Side; 2]) -> RegionDepth {
        let is_joined = sides.iter().any(|side| matches!(side, Side::Joined));
        let measured = sides.into_iter().filter_map(|side| match side {
            Side::CutOff { area, pieces } => {
                let pieces = self.listed[pieces.clone()].iter().map(|&piece| self.pieces[piece as usize].depth);
                Some((pieces.fold(0.0, f64::max), *area))
            }
            _ => None,
        });
        let found = match sides {
            _ if !self.is_known => None,
            [Side::Uncut, Side::Uncut] => Some((0.0, 0.0)),
            _ if is_joined && !self.is_open => None,
            _ => measured.reduce(|one, other| (one.0.max(other.0), one.1 + other.1)),
        };
        RegionDepth { depth: found.map(|found| found.0), area: found.map(|found| found.1) }
    }
}

/// Whether vertices that were welded have parted: then neighbours are not where the mesh says.
fn has_parted(body: &Body) -> bool {
    let mut welded = (0..).zip(body.mesh().representatives().into_iter().flatten());
    welded.any(|(vertex, &of)| vertex != of && body.exact_position(vertex) != body.exact_position(of))
}
