//! The connected parts of an overlap, and what a solver needs to act on each.
//!
//! The surface of an overlap consists of parts of both surfaces that meet along the intersection curves. `connect` finds
//! out which of them hang together, `measure` and `whole` sum up integrals per part, and `cavity` joins hollows, which are parts of
//! negative volume, with the part around them. Sums are those of `overlap`, taken apart: every segment of a curve belongs
//! to the region of its curve, every vertex inside to one region, and so does what each adds to the integrals over its
//! triangle. A large triangle may be part of many regions.
//!
//! Where bodies merely touch, an infinitesimal motion decides whether surfaces cross (see `overlap`), and then in parts
//! without volume: these are left out (`measure::Sums::has_volume`). Parts that hang together in coinciding faces alone are one
//! region or two, as the motion has it; it is the same one in whichever order the bodies are given.
//!
//! Where a body crosses itself, curves may cross within a triangle, where there is nothing to connect them: parts that
//! hang together only there count as several.
//!
//! Cost: the cuts, 1 ns per vertex, some 100 ns per segment, 30 ns per triangle inside.
//! Held by: `tests/behaviour/overlap/regions.rs`, `cargo xtask verify` (an exact boolean's parts).

mod cavity;
mod connect;
mod history;
mod measure;
mod whole;

pub(crate) use history::{History, Naming};

use std::ops::Range;

use super::CompletePairs;
use super::curve::Links;
use super::overlap::{Cuts, OverlapError, Segment, WindingMemory, Windings, check_closed};
use crate::body::Body;
use crate::geom::lanes::{Instructions, chosen_simd};
use crate::geom::{TriangleId, VertexId};
use crate::narrow;
use connect::Connections;
use measure::{CutTriangle, Sums};

/// A region keeps its id from frame to frame as long as it shares triangles with itself in the frame before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct RegionId(pub u64);

/// A connected part of the overlap of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Region<'a> {
    /// What names it from frame to frame.
    pub id: RegionId,
    /// Its volume.
    pub volume: f64,
    /// The area of its surface, both bodies' parts of it.
    pub area: f64,
    /// Its centre of mass.
    pub centroid: [f64; 3],
    /// The direction in which body `a` comes out fastest: against the gradient of the volume by a translation of `a`. Of
    /// length 1, or 0 if no translation changes the volume at first, as where one body is inside the other.
    pub normal: [f64; 3],
    /// The length of that gradient: the area of the region as seen along the normal.
    pub contact_area: f64,
    /// The centre of its surface.
    pub surface_centroid: [f64; 3],
    /// The second moments of its surface about that centre, ∫ (x − c)(x − c)ᵀ dA: how far the surface reaches in every
    /// direction, for the torque of friction.
    pub surface_moments: [[f64; 3]; 3],
    /// The triangles of body `a` that are at least partly in its surface, sorted.
    pub triangles_a: &'a [TriangleId],
    /// Those of body `b`.
    pub triangles_b: &'a [TriangleId],
    /// The vertices of body `a` on its surface, sorted: those inside body `b`.
    pub vertices_a: &'a [VertexId],
    /// Those of body `b`, inside body `a`.
    pub vertices_b: &'a [VertexId],
}

/// All regions of two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    regions: Vec<Data>,
    triangles: [Vec<TriangleId>; 2],
    vertices: [Vec<VertexId>; 2],
}

/// A region without its lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct Data {
    id: RegionId,
    volume: f64,
    area: f64,
    centroid: [f64; 3],
    normal: [f64; 3],
    contact_area: f64,
    surface_centroid: [f64; 3],
    surface_moments: [[f64; 3]; 3],
    triangles: [Range<usize>; 2],
    vertices: [Range<usize>; 2],
}

impl Regions {
    /// The regions, in an order that does not depend on the number of threads.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.regions.iter().map(|data| Region {
            id: data.id,
            volume: data.volume,
            area: data.area,
            centroid: data.centroid,
            normal: data.normal,
            contact_area: data.contact_area,
            surface_centroid: data.surface_centroid,
            surface_moments: data.surface_moments,
            triangles_a: &self.triangles[0][data.triangles[0].clone()],
            triangles_b: &self.triangles[1][data.triangles[1].clone()],
            vertices_a: &self.vertices[0][data.vertices[0].clone()],
            vertices_b: &self.vertices[1][data.vertices[1].clone()],
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Whether the bodies do not overlap.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    fn clear(&mut self) {
        self.regions.clear();
        self.triangles.iter_mut().for_each(Vec::clear);
        self.vertices.iter_mut().for_each(Vec::clear);
    }
}

/// The regions of the overlap of two closed bodies as they are now, numbered from 0. Builds a tree for each; a
/// [`Scene`](crate::Scene) keeps them, see [`Frame::regions`](crate::Frame::regions).
///
/// # Errors
/// If a surface does not enclose a volume.
pub fn regions(a: &Body, b: &Body) -> Result<Regions, OverlapError> {
    check_closed(a, b)?;
    let (mut cuts, mut windings, mut found) = (Cuts::default(), Windings::default(), Regions::default());
    cuts.find([a, b], CompletePairs::promised(&narrow::pairs(a, b)));
    windings.find([a, b], &cuts, &mut WindingMemory::default());
    RegionFinder::default().find([a, b], &cuts, &windings, &mut found);
    Ok(found)
}

/// What is known about two bodies before their overlap is taken apart.
#[derive(Clone, Copy)]
struct Given<'a> {
    bodies: [&'a Body; 2],
    segments: &'a [Segment],
    links: &'a Links,
    /// Per body and vertex, the winding number of the other body.
    winding: [&'a [i32]; 2],
    /// Where sums are measured from.
    origin: [f64; 3],
}

/// Finds regions, frame after frame, in memory of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionFinder {
    links: Links,
    connections: Connections,
    cut: Vec<CutTriangle>,
    sums: Vec<Sums>,
    /// Per connected part the region it is part of.
    region_of: Vec<u32>,
    /// Lists to be sorted: a region and a triangle or vertex in it.
    listed: Vec<(u32, u32)>,
}

/// No region.
const NONE: u32 = u32::MAX;

impl RegionFinder {
    /// Overwrites `found` with the regions of two closed bodies.
    pub(crate) fn find(&mut self, bodies: [&Body; 2], cuts: &Cuts, windings: &Windings, found: &mut Regions) {
        self.find_with(chosen_simd(), bodies, cuts, windings, found);
    }

    fn find_with(
        &mut self,
        simd: Instructions,
        bodies: [&Body; 2],
        Cuts { common, segments }: &Cuts,
        Windings([of_a, of_b]): &Windings,
        found: &mut Regions,
    ) {
        found.clear();
        let Some(common) = common else { return };
        let Self { links, connections, cut, sums, region_of, listed } = self;
        links.find(bodies, segments);
        let (winding, crossed) = ([of_a.numbers.as_slice(), &of_b.numbers], [of_a.crossed.as_slice(), &of_b.crossed]);
        let given = Given { bodies, segments, links, winding, origin: common.origin };
        connections.find(given, crossed);
        measure::sum_up(simd, given, connections, cut, sums);
        cavity::join(given, connections, sums, common.size);
        // Parts that are left get numbers.
        region_of.clear();
        region_of.resize(sums.len(), NONE);
        for part in 0..sums.len() {
            if connections.part_of(part) == part && sums[part].has_volume(common.size) {
                region_of[part] = found.regions.len() as u32;
                found.regions.push(sums[part].region(given.origin));
            }
        }
        for part in 0..sums.len() {
            region_of[part] = region_of[connections.part_of(part)];
        }
        for (index, data) in found.regions.iter_mut().enumerate() {
            data.id = RegionId(index as u64);
        }
        for side in 0..2 {
            connections.list_triangles(given, side, |part, triangle| listed.push((region_of[part], triangle)));
            fill(listed, &mut found.triangles[side], &mut found.regions, TriangleId, |data| &mut data.triangles[side]);
            connections.list_vertices(given, side, |part, vertex| listed.push((region_of[part], vertex)));
            fill(listed, &mut found.vertices[side], &mut found.regions, VertexId, |data| &mut data.vertices[side]);
        }
    }
}

/// Sorts a list of regions and what is in them, which is in order, into the lists of the regions; empties it.
fn fill<T: Copy + Default>(
    listed: &mut Vec<(u32, u32)>,
    into: &mut Vec<T>,
    regions: &mut [Data],
    named: impl Fn(u32) -> T,
    range_of: impl Fn(&mut Data) -> &mut Range<usize>,
) {
    for &(region, _) in listed.iter() {
        if let Some(data) = regions.get_mut(region as usize) {
            range_of(data).end += 1;
        }
    }
    // From counts to ranges that are still empty.
    let mut start = 0;
    for data in regions.iter_mut() {
        let range = range_of(data);
        let count = range.end;
        *range = start..start;
        start += count;
    }
    into.resize(start, T::default());
    for &(region, number) in listed.iter() {
        if let Some(data) = regions.get_mut(region as usize) {
            let range = range_of(data);
            into[range.end] = named(number);
            range.end += 1;
        }
    }
    listed.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::all_simd;
    use crate::mesh::Mesh;

    #[test]
    fn every_level_gives_the_same_bits() {
        let shape = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 3).unwrap();
        let at = |centre: f32| {
            let positions: Vec<[f32; 3]> = shape.positions.iter().map(|p| p.map(|x| x + centre)).collect();
            Body::new(Mesh::new(positions.len(), shape.triangles.clone()).unwrap(), &positions).unwrap()
        };
        let (a, b) = (at(0.0), at(0.3));
        let pairs = narrow::pairs(&a, &b);
        let found = all_simd().into_iter().map(|simd| {
            let (mut cuts, mut windings, mut found) = (Cuts::default(), Windings::default(), Regions::default());
            cuts.find_with(simd, [&a, &b], CompletePairs::promised(&pairs));
            windings.find([&a, &b], &cuts, &mut WindingMemory::default());
            RegionFinder::default().find_with(simd, [&a, &b], &cuts, &windings, &mut found);
            found
        });
        let found: Vec<Regions> = found.collect();
        assert_eq!(found[0].len(), 1);
        assert!(found.iter().all(|other| *other == found[0]));
    }
}
