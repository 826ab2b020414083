//! How deep bodies are in each other, or one in itself, region by region: what the curves of a region cut off, and how far from the
//! other surface it reaches.
//!
//! The pairs of a region cross in curves that run over both surfaces (`overlap::cut`, `self_overlap::pairs`). On each surface they cut
//! off a part: where the other surface is closed, what lies inside it, by winding numbers (of a body in itself those of its exact
//! overlap); where both are open, the smaller of the two parts (`smaller`; global intersection analysis: Baraff, Witkin & Kass 2003), if
//! the curves part the surface at all, also together with its border, as where a flap hangs through a sheet. Curves of all regions
//! bound the parts (`surface`).
//!
//! A part is as deep as the vertex of it that is farthest from the other surface. Of a body in itself the other surface is all but
//! the triangles of the part. An edge that passes through a body and has no end in there counts with the middle of what is inside.
//!
//! Where something is cut off on both sides of a region, the deeper part counts, and areas are added.
//!
//! Cost: the cuts (some 100 ns per pair), some 100 ns per vertex of the parts, and a closest point for each: 5.4 ms for a frame of CR1.
//! Held by: `tests/response/region_depth.rs` (closed forms, brute force).

mod marks;
mod smaller;
mod surface;

use std::ops::Range;

use super::overlap::{Cuts, Segment, WindingMemory, Windings};
use super::self_overlap::PairMemory;
use super::{CompletePairs, ContactRegion, SelfOverlapFinder};
use crate::body::Body;
use crate::geom::TrianglePair;
use crate::geom::lanes::chosen_simd;
use marks::Marks;
use surface::{Bank, Surface, edge_of};

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
    windings: Windings,
    winding_memory: WindingMemory,
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

/// What is known about where the surfaces cross.
#[derive(Clone, Copy)]
pub(crate) enum Known<'a> {
    /// Nothing beyond the pairs of the regions.
    Nothing,
    /// All segments of two bodies.
    Cuts(&'a Cuts),
    /// All segments and winding numbers of a closed body, as it overlaps itself.
    Itself(&'a SelfOverlapFinder),
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
    /// Finds what the regions of a contact cut off; of a body with itself if both are the same. Regions must be of this contact. Then the
    /// points of all [`pieces`](Self::piece) are to be measured.
    pub(crate) fn find<'r>(
        &mut self,
        bodies: [&Body; 2],
        is_self: bool,
        regions: impl IntoIterator<Item = ContactRegion<'r>>,
        known: Known<'_>,
    ) {
        self.pieces.clear();
        self.points.clear();
        self.listed.clear();
        self.sides.clear();
        self.is_known = !is_self || !has_parted(bodies[0]);
        let region_count = self.list_pairs(bodies, is_self, regions);
        self.sides.resize(2 * region_count, Side::Uncut);
        let Self { cuts, windings, winding_memory, pair_memory, segments, pairs, curve_of, surfaces, piece_of, .. } =
            self;
        let own =
            if let Known::Itself(found) = known { found.segments().map(|segments| (found, segments)) } else { None };
        let cuts = match known {
            Known::Cuts(known) => known,
            _ => {
                segments.clear();
                if !is_self {
                    cuts.find(bodies, CompletePairs::promised(pairs));
                } else if own.is_none() && self.is_known {
                    let names_twice = |[p, q, r]: [u32; 3]| p == q || q == r || r == p;
                    let welded = bodies[0].mesh().welded_indices();
                    pairs.retain(|pair| ![pair.a, pair.b].iter().any(|of| names_twice(welded[of.index()])));
                    pair_memory.cut(chosen_simd(), bodies[0], pairs, 0, segments);
                }
                &*cuts
            }
        };
        let segments = match own {
            Some((_, segments)) => segments,
            None if is_self => segments.as_slice(),
            None => &cuts.segments,
        };
        let (surface_of, surface_count) = (if is_self { [0, 0] } else { [0, 1] }, if is_self { 1 } else { 2 });
        for (surface, body) in surfaces.iter_mut().zip(bodies).take(surface_count) {
            surface.start(body.mesh());
        }
        for segment in segments {
            let pair = TrianglePair::new(segment.triangles[0], segment.triangles[1]);
            let at = curve_of.binary_search_by_key(&pair, |of| of.0);
            // Segments of pairs that are of no region bound parts of others.
            let curve = at.map_or(NONE - 1, |at| curve_of[at].1);
            for (side, curve) in [curve, curve ^ 1].into_iter().enumerate() {
                surfaces[surface_of[side]].add(bodies[side].mesh(), segment, side, curve);
            }
        }
        // Where the other surface is closed, its inside is sought.
        let encloses = bodies.map(|body| body.mesh().live_count() > 0 && body.mesh().topology().is_solid());
        let encloses = if is_self { [own.is_some(); 2] } else { encloses };
        if !is_self && encloses.contains(&true) {
            windings.find(bodies, cuts, winding_memory);
        }
        for side in 0..surface_count {
            let mesh = bodies[side].mesh();
            let winding = |node: u32| {
                let (half_edge, is_end) = (node / 2, node % 2);
                let corner = (half_edge % 3 + is_end) % 3;
                let vertex = mesh.welded_indices()[half_edge as usize / 3][corner as usize];
                match own {
                    // At its end the twin starts, which every edge of a closed surface has.
                    Some((found, _)) if is_end == 1 => {
                        found.winding_at(edge_of(mesh, half_edge).1.unwrap_or(half_edge), vertex)
                    }
                    Some((found, _)) => found.winding_at(half_edge, vertex),
                    None => windings.0[side].numbers[vertex as usize],
                }
            };
            surfaces[side].find_parts(bodies[side], encloses[1 - side].then_some(winding));
            piece_of[side].start(surfaces[side].part_count());
        }
        self.is_open = encloses == [false; 2];
        let is_complete = !matches!(known, Known::Nothing);
        for number in 0..2 * region_count {
            let (side, curve) = (number % 2, number as u32);
            let surface = surface_of[side];
            let found = &mut self.surfaces[surface];
            self.sides[number] = if !found.has(curve) {
                Side::Uncut
            } else if encloses[side] && !encloses[1 - side] {
                Side::NotSought
            } else if found.is_joined(curve) && !(is_complete && encloses[1 - side]) {
                Side::Joined
            } else {
                let bank = found.inside(curve);
                let area = found.area(bodies[side], curve, bank);
                let pieces = self.list_pieces(bodies[side], surface, curve, bank);
                Side::CutOff { area, pieces }
            };
        }
    }

    /// Lists the pairs of regions, and the curve of each; returns how many regions there are.
    fn list_pairs<'r>(
        &mut self,
        bodies: [&Body; 2],
        is_self: bool,
        regions: impl IntoIterator<Item = ContactRegion<'r>>,
    ) -> usize {
        let Self { pairs, curve_of, .. } = self;
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

    /// Marks the triangles of the body itself that belong to a piece, so that distances from them mean nothing.
    pub(crate) fn mark(&mut self, number: usize) {
        let Piece { surface, of, .. } = self.pieces[number];
        match of {
            PieceOf::Part { part, bank } => self.surfaces[surface].mark_part(part, bank),
            PieceOf::Middle { curves } => self.surfaces[surface].mark_curves(curves),
        }
    }

    /// Whether a triangle of a body with itself was marked last.
    pub(crate) fn is_marked(&self, triangle: u32) -> bool {
        self.surfaces[0].is_marked(triangle)
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
