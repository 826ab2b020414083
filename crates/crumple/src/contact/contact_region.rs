//! The regions of a contact: its pairs, joined where their triangles are neighbours on both sides.
//!
//! Two triangles are neighbours if they share a vertex; welded vertices count as one. So two pairs are joined if there is a vertex
//! `u` that both have on one side and a vertex `v` that both have on the other. The pairs are listed by the vertices of one side;
//! in the list of `u`, every vertex `v` of the other side joins a pair with the last one that had it. Nothing is searched for.
//!
//! In the contact of a body with itself a pair may be joined with another the other way round: its triangle with the smaller number
//! is then on the side of the other's triangle with the larger one. The forest keeps for every pair whether it is turned against its
//! parent, so that each region has two sides. Where both sides run into each other, in the line of a crease, pairs fit either way;
//! the first join decides.
//!
//! Cost: 9 steps of some nanoseconds for each pair of two bodies, 18 for one of a body with itself, and sorting what is in each
//! region.
//! Held by: `tests/behaviour/scene/contact_regions.rs` (every two pairs compared).

use std::ops::Range;

use crate::body::Body;
use crate::geom::{TriangleId, TrianglePair};

/// A connected part of a contact: pairs whose triangles are neighbours on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ContactRegion<'a> {
    /// The pairs, in the order of the contact.
    pub pairs: &'a [TrianglePair],
    /// The triangles of body `a` in these pairs, sorted. Of a body that meets itself, those on the side of the first pair's triangle
    /// with the smaller number.
    pub triangles_a: &'a [TriangleId],
    /// Those of body `b`, or on the other side. Where a surface is folded sharply a triangle may be on both sides.
    pub triangles_b: &'a [TriangleId],
    /// Where it is: the mean, over the pairs, of the centre of the smaller triangle of the two.
    pub centroid: [f64; 3],
    /// The area of the triangles, each counted once.
    pub area: f64,
}

/// The regions of one contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRegions {
    regions: Vec<Data>,
    pairs: Vec<TrianglePair>,
    triangles: [Vec<TriangleId>; 2],
}

/// A region without its lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct Data {
    pairs: Range<usize>,
    triangles: [Range<usize>; 2],
    centroid: [f64; 3],
    area: f64,
}

impl ContactRegions {
    /// The regions, in the order of their first pairs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ContactRegion<'_>> {
        self.regions.iter().map(|data| ContactRegion {
            pairs: &self.pairs[data.pairs.clone()],
            triangles_a: &self.triangles[0][data.triangles[0].clone()],
            triangles_b: &self.triangles[1][data.triangles[1].clone()],
            centroid: data.centroid,
            area: data.area,
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }
}

/// Finds the regions of contacts, one after another, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct ContactRegionFinder {
    /// Per vertex of the side by which pairs are listed: the list it has, if it is of this contact.
    heads: Vec<Stamped<u32>>,
    /// The vertices that have a list, in the order in which they were met.
    listed: Vec<u32>,
    entries: Vec<Entry>,
    /// Per vertex of the other side the last pair that had it, if it is of this list.
    last: Vec<Stamped<Turned>>,
    /// Per pair its parent: itself for the one that stands for its region.
    forest: Vec<Turned>,
    /// Per pair the region it is in.
    region_of: Vec<u32>,
    /// Per side and triangle the stamp of the last region that has listed it.
    listed_in: [Vec<u64>; 2],
    /// What was found last.
    found: ContactRegions,
    /// Raised for every contact and every list.
    stamp: u64,
}

/// A value of the contact or list with this stamp.
#[derive(Clone, Copy, Debug, Default)]
struct Stamped<T> {
    stamp: u64,
    value: T,
}

/// A pair in the list of a vertex: which one it is says its place among the entries.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The next entry of the list.
    next: u32,
    /// The pair's triangle on the other side.
    other: u32,
}

/// A pair, and whether its sides are exchanged.
#[derive(Clone, Copy, Debug, Default)]
struct Turned {
    pair: u32,
    is_turned: bool,
}

/// The end of a list.
const END: u32 = u32::MAX;
/// Entries of lists per pair: the corners of both triangles.
const ENTRIES: u32 = 6;
/// Of more pairs than can have entries, which would take many gigabytes, none are joined.
const MOST: usize = (END / ENTRIES) as usize;

impl ContactRegionFinder {
    /// The regions of pairs at which two bodies meet, sorted as those of a contact. Pairs of triangles that are not there are left
    /// out.
    pub fn find(&mut self, a: &Body, b: &Body, pairs: &[TrianglePair]) -> &ContactRegions {
        self.find_in([a, b], false, pairs)
    }

    /// The regions of pairs at which a body meets itself.
    pub fn find_self(&mut self, body: &Body, pairs: &[TrianglePair]) -> &ContactRegions {
        self.find_in([body, body], true, pairs)
    }

    fn find_in(&mut self, bodies: [&Body; 2], is_self: bool, pairs: &[TrianglePair]) -> &ContactRegions {
        let mut found = std::mem::take(&mut self.found);
        let [of_a, of_b] = bodies.map(|body| body.mesh().triangles().len());
        let is_there = |pair: &&TrianglePair| pair.a.index() < of_a && pair.b.index() < of_b;
        if pairs.iter().all(|pair| is_there(&pair)) {
            self.fill(bodies, is_self, pairs, &mut found);
        } else {
            let pairs: Vec<TrianglePair> = pairs.iter().filter(is_there).copied().collect();
            self.fill(bodies, is_self, &pairs, &mut found);
        }
        self.found = found;
        &self.found
    }

    /// Overwrites `found` with the regions of a contact, whose triangles are there.
    pub(crate) fn fill(
        &mut self,
        bodies: [&Body; 2],
        is_self: bool,
        pairs: &[TrianglePair],
        found: &mut ContactRegions,
    ) {
        found.regions.clear();
        found.pairs.clear();
        found.triangles.iter_mut().for_each(Vec::clear);
        self.join(bodies, is_self, pairs);
        self.number(pairs, found);
        self.list(bodies, pairs, found);
        measure(bodies, is_self, found);
    }

    /// Makes one tree of the pairs of each region.
    fn join(&mut self, bodies: [&Body; 2], is_self: bool, pairs: &[TrianglePair]) {
        let Self { heads, listed, entries, last, forest, stamp, .. } = self;
        let corners = bodies.map(|body| body.mesh().welded_indices());
        forest.clear();
        forest.extend((0..pairs.len() as u32).map(|pair| Turned { pair, is_turned: false }));
        if pairs.len() > MOST {
            return;
        }
        listed.clear();
        // Every entry is written before it is read.
        entries.resize(entries.len().max(ENTRIES as usize * pairs.len()), Entry::default());
        let [of_a, of_b] = bodies.map(|body| body.mesh().vertex_count());
        heads.resize(heads.len().max(of_a), Stamped::default());
        last.resize(last.len().max(of_b), Stamped::default());
        *stamp += 1;
        for (number, &pair) in (0..).zip(pairs) {
            let sides = [[pair.a.0, pair.b.0], [pair.b.0, pair.a.0]];
            for (side, &[own, other]) in (0..).zip(&sides[..1 + usize::from(is_self)]) {
                for (corner, vertex) in (0..).zip(corners[0][own as usize]) {
                    let head = &mut heads[vertex as usize];
                    if head.stamp != *stamp {
                        *head = Stamped { stamp: *stamp, value: END };
                        listed.push(vertex);
                    }
                    let at: u32 = ENTRIES * number + 3 * side + corner;
                    entries[at as usize] = Entry { next: std::mem::replace(&mut head.value, at), other };
                }
            }
        }
        for &vertex in listed.iter() {
            *stamp += 1;
            let mut at = heads[vertex as usize].value;
            while at != END {
                let Entry { next, other } = entries[at as usize];
                let this = Turned { pair: at / ENTRIES, is_turned: at % ENTRIES >= 3 };
                for other in corners[1][other as usize] {
                    // Of one body, two vertices are met in the lists of both: one is enough.
                    if is_self && other < vertex {
                        continue;
                    }
                    let before = &mut last[other as usize];
                    if before.stamp == *stamp {
                        unite(forest, before.value, this);
                    }
                    *before = Stamped { stamp: *stamp, value: this };
                }
                at = next;
            }
        }
    }

    /// Numbers the regions in the order of their first pairs and counts what is in them.
    fn number(&mut self, pairs: &[TrianglePair], found: &mut ContactRegions) {
        let Self { forest, region_of, .. } = self;
        region_of.clear();
        region_of.resize(pairs.len(), 0);
        for number in 0..pairs.len() {
            // The root is the first pair of its region.
            let root = root(forest, number as u32);
            if root.pair as usize == number {
                region_of[number] = found.regions.len() as u32;
                found.regions.push(Data::default());
            }
            let region = region_of[root.pair as usize];
            region_of[number] = region;
            found.regions[region as usize].pairs.end += 1;
        }
        // From counts to ranges that are still empty.
        let mut start = 0;
        for data in &mut found.regions {
            let count = data.pairs.end;
            data.pairs = start..start;
            data.triangles = [start..start, start..start];
            start += count;
        }
        found.pairs.resize(start, TrianglePair::default());
        found.triangles.iter_mut().for_each(|triangles| triangles.resize(start, TriangleId::default()));
    }

    /// Puts pairs and triangles into the lists of their regions.
    fn list(&mut self, bodies: [&Body; 2], pairs: &[TrianglePair], found: &mut ContactRegions) {
        let Self { forest, region_of, listed_in, stamp, .. } = self;
        for (listed_in, body) in listed_in.iter_mut().zip(bodies) {
            listed_in.resize(listed_in.len().max(body.mesh().triangles().len()), 0);
        }
        for (number, &pair) in pairs.iter().enumerate() {
            let region = region_of[number];
            let data = &mut found.regions[region as usize];
            let is_turned = root(forest, number as u32).is_turned;
            found.pairs[data.pairs.end] = pair;
            data.pairs.end += 1;
            // Most triangles are in several pairs of a region, one after another.
            let own = *stamp + 1 + u64::from(region);
            let sides = if is_turned { [pair.b, pair.a] } else { [pair.a, pair.b] };
            for (side, triangle) in sides.into_iter().enumerate() {
                if std::mem::replace(&mut listed_in[side][triangle.index()], own) != own {
                    found.triangles[side][data.triangles[side].end] = triangle;
                    data.triangles[side].end += 1;
                }
            }
        }
        *stamp += found.regions.len() as u64;
        for side in 0..2 {
            let list = &mut found.triangles[side];
            let mut end = 0;
            for data in &mut found.regions {
                let own = data.triangles[side].clone();
                list[own.clone()].sort_unstable();
                let start = end;
                for at in own {
                    if end == start || list[end - 1] != list[at] {
                        list[end] = list[at];
                        end += 1;
                    }
                }
                data.triangles[side] = start..end;
            }
            list.truncate(end);
        }
    }
}

/// Makes one region of those of two pairs; each is given with its sides as they fit the other's.
#[inline]
fn unite(forest: &mut [Turned], one: Turned, other: Turned) {
    // Most pairs that are joined are known to be in one region.
    if forest[one.pair as usize].pair == forest[other.pair as usize].pair {
        return;
    }
    let (of_one, of_other) = (root(forest, one.pair), root(forest, other.pair));
    let is_turned = one.is_turned ^ of_one.is_turned ^ other.is_turned ^ of_other.is_turned;
    let (first, second) = (of_one.pair.min(of_other.pair), of_one.pair.max(of_other.pair));
    if first != second {
        forest[second as usize] = Turned { pair: first, is_turned };
    }
}

/// The first pair of a region, and whether `pair` is turned against it. Every walk halves the path it took.
fn root(forest: &mut [Turned], pair: u32) -> Turned {
    let mut at = Turned { pair, is_turned: false };
    loop {
        let parent = forest[at.pair as usize];
        if parent.pair == at.pair {
            return at;
        }
        let above = forest[parent.pair as usize];
        let halved = Turned { pair: above.pair, is_turned: parent.is_turned ^ above.is_turned };
        forest[at.pair as usize] = halved;
        at = Turned { pair: halved.pair, is_turned: at.is_turned ^ halved.is_turned };
    }
}

/// Fills in where regions are and how large.
fn measure(bodies: [&Body; 2], is_self: bool, found: &mut ContactRegions) {
    let corners =
        |side: usize, triangle: TriangleId| bodies[side].exact_corners(bodies[side].mesh().indices()[triangle.index()]);
    for data in &mut found.regions {
        let pairs = &found.pairs[data.pairs.clone()];
        let mut sum = [0.0; 3];
        // Pairs come in the order of the triangles of `a`.
        let mut last: Option<(TriangleId, f64, [[f64; 3]; 3])> = None;
        for pair in pairs {
            let (_, square, of_a) = match last {
                Some(known) if known.0 == pair.a => known,
                _ => {
                    let of_a = corners(0, pair.a);
                    *last.insert((pair.a, squared_area(&of_a), of_a))
                }
            };
            let of_b = corners(1, pair.b);
            let [p, q, r] = if squared_area(&of_b) < square { of_b } else { of_a };
            (0..3).for_each(|k| sum[k] += p[k] + q[k] + r[k]);
        }
        data.centroid = sum.map(|sum| sum / (3 * pairs.len()) as f64);
        let area = |side: usize, triangle: &TriangleId| squared_area(&corners(side, *triangle)).sqrt();
        let [of_a, of_b] = [0, 1].map(|side| &found.triangles[side][data.triangles[side].clone()]);
        let mut before = of_a.iter().peekable();
        // Both lists are sorted.
        let is_counted = |of_b: &&TriangleId| {
            while before.next_if(|of_a| *of_a < *of_b).is_some() {}
            !is_self || before.peek() != Some(of_b)
        };
        data.area = of_a.iter().map(|triangle| area(0, triangle)).sum::<f64>()
            + of_b.iter().filter(is_counted).map(|triangle| area(1, triangle)).sum::<f64>();
    }
}

/// The square of the area of a triangle.
fn squared_area([p, q, r]: &[[f64; 3]; 3]) -> f64 {
    let (u, v) = ([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]);
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    0.25 * (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
}
