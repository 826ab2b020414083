//! Decides the triangles that share a vertex, most of them without looking at pairs.
//!
//! Take the triangles around a vertex v in their cyclic order, each the sector between two consecutive edges, and look
//! along a coordinate axis. If every sector turns the same way, each turns by less than half a turn; and if the edges
//! go round exactly once (a closed fan), or less than once (an open one), the sectors lie side by side. Two of them then
//! have nothing in common but v, or the edge between them, even when flattened; so the triangles themselves meet in
//! nothing else. That is what the rule of [`crate::exact::self_pair_meets`] calls not colliding, for all pairs of the
//! fan at once.
//!
//! Signs. The turn from edge e to edge f is the sign of eᵤfᵥ − eᵥfᵤ, with coordinates relative to v. With ε = 2^-24 a
//! difference is off by ε of its size, a product by 3ε, the whole by 4ε(|eᵤfᵥ| + |eᵥfᵤ|) up to terms in ε², and by 2^-149
//! from underflow: beyond 8ε(|eᵤfᵥ| + |eᵥfᵤ|) + 2^-126 its sign is sure; overflow makes infinities or NaN, which are
//! never beyond. Going round is counted by how often the edges pass one half of an axis, from v < 0 to v ≥ 0: signs of
//! differences of f32 numbers, which rounding keeps.
//!
//! Where this can not be shown — a fold, a crease at right angles to the axis, a vertex that is not manifold — the pairs
//! of the fan are decided one by one, exactly.
//!
//! Cost: about six edges a vertex, eight vertices at a time.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

use super::boxes8::bits;
use super::build::{Arrangement, WIDTH};
use super::neighbours::Neighbours;
use super::vec8::Vec8;
use crate::body::Body;
use crate::contact::TrianglePair;
use crate::exact::{SharedVertices, has_no_area, self_pair_meets};
use crate::narrow::Wanted;

/// Eight vertices of equally many edges, with the other ends of the edges in order around each.
#[derive(Debug)]
struct Ring8 {
    vertices: [u32; WIDTH],
    /// How many of the eight are meant; the others repeat the first.
    used: usize,
    /// Where the edges start in `Fans::ends`: eight a step.
    start: usize,
    steps: usize,
    closed: bool,
}

/// What a look at all fans has told beside the pairs that collide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    /// Pairs that were decided one by one.
    pub(super) exactly: u64,
    /// Triangles of the body without area: none of a fan that was shown to lie side by side has none.
    pub(super) without_area: u64,
}

/// The fans of one body.
#[derive(Debug, Default)]
pub(super) struct Fans {
    rings: Vec<Ring8>,
    ends: Vec<[u32; WIDTH]>,
    /// Vertices whose triangles form no single fan, and so are always decided pair by pair.
    irregular: Vec<u32>,
    /// Triangles, by their places, none of whose vertices has a fan.
    lone: Vec<u32>,
    /// Whether a vertex was shown to be all right in this frame belongs to the query; this is how many there are.
    vertex_count: usize,
}

impl Fans {
    pub(super) fn of(arrangement: &Arrangement, neighbours: &Neighbours, vertex_count: usize) -> Self {
        let mut fans = Self { vertex_count, ..Self::default() };
        let mut rings: Vec<(usize, bool, u32, Vec<u32>)> = Vec::new();
        for vertex in 0..vertex_count as u32 {
            let triangles = neighbours.triangles(vertex as usize);
            if triangles.len() < 2 {
                continue;
            }
            match ring(vertex, triangles, &arrangement.corners) {
                Some((closed, ends)) => rings.push((ends.len(), closed, vertex, ends)),
                None => fans.irregular.push(vertex),
            }
        }
        let has_fan = |vertex: &u32| neighbours.triangles(*vertex as usize).len() > 1;
        let is_lone = |place: &u32| !arrangement.corners[*place as usize].iter().any(has_fan);
        fans.lone.extend((0..arrangement.corners.len() as u32).filter(is_lone));
        // Equal lengths together, so that lanes are full; within them the order of the numbers, which is that of memory.
        rings.sort_unstable_by_key(|ring| (ring.0, ring.1, ring.2));
        for alike in rings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for eight in alike.chunks(WIDTH) {
                let lane = |i: usize| &eight[if i < eight.len() { i } else { 0 }];
                let (steps, closed) = (eight[0].0, eight[0].1);
                fans.rings.push(Ring8 {
                    vertices: std::array::from_fn(|i| lane(i).2),
                    used: eight.len(),
                    start: fans.ends.len(),
                    steps,
                    closed,
                });
                fans.ends.extend((0..steps).map(|step| std::array::from_fn(|i| lane(i).3[step])));
            }
        }
        fans
    }

    /// Appends the pairs of neighbours that collide, or the first of them; returns what else became known on the way.
    /// `doubtful` is working memory.
    #[inline(always)]
    pub(super) fn find_pairs<S: Simd>(
        &self,
        simd: S,
        (arrangement, neighbours): (&Arrangement, &Neighbours),
        body: &Body,
        wanted: Wanted,
        doubtful: &mut Doubtful,
        found: &mut Vec<TrianglePair>,
    ) -> Settled {
        doubtful.clear(self.vertex_count);
        let mut settled = Settled::default();
        for ring in &self.rings {
            let flat = self.lies_side_by_side(simd, ring, body);
            for lane in bits(!flat & ((1 << ring.used) - 1)) {
                let vertex = ring.vertices[lane];
                if wanted == Wanted::First {
                    // At once, before the other rings are looked at; a pair may then be decided at two vertices.
                    settled.exactly += decide_at(vertex, |_, _| true, (arrangement, neighbours), body, found);
                    if !found.is_empty() {
                        return settled;
                    }
                } else {
                    doubtful.add(vertex);
                }
            }
        }
        self.irregular.iter().for_each(|&vertex| doubtful.add(vertex));
        settled.exactly += doubtful.decide(arrangement, neighbours, body, found);
        if wanted == Wanted::First {
            return settled;
        }
        let lone = self.lone.iter().copied();
        let doubted = doubtful.vertices.iter().flat_map(|&vertex| doubtful.left_at(vertex, (arrangement, neighbours)));
        let has_none = |&place: &u32| has_no_area(&body.corners(arrangement.corners[place as usize]));
        settled.without_area = lone.chain(doubted).filter(has_none).count() as u64;
        settled
    }

    /// In which lanes the fan was shown to have no overlap.
    #[inline(always)]
    fn lies_side_by_side<S: Simd>(&self, simd: S, ring: &Ring8, body: &Body) -> u32 {
        let vertices = body.vertices();
        let zero = f32x8::splat(simd, 0.0);
        let centre = Vec8::gather(simd, vertices, &ring.vertices);
        let ends = &self.ends[ring.start..ring.start + ring.steps];
        let first = Vec8::gather(simd, vertices, &ends[0]).minus(centre);
        let second = Vec8::gather(simd, vertices, &ends[1]).minus(centre);
        // The axis along which the first triangle is seen largest; and whether it turns to the left seen so.
        let normal = first.cross(second);
        let (x, y, z) = (normal.x.abs(), normal.y.abs(), normal.z.abs());
        let along_x = x.simd_ge(y) & x.simd_ge(z);
        let along_y = !along_x & y.simd_ge(z);
        let left = along_x.select(normal.x, along_y.select(normal.y, normal.z)).simd_gt(zero);
        let (first_u, first_v) = flattened(along_x, along_y, left, first);
        let (mut u, mut v) = (first_u, first_v);
        let mut good = mask32x8::splat(simd, true);
        let (mut up, mut down) = (zero, zero);
        let one = f32x8::splat(simd, 1.0);
        let steps = if ring.closed { ring.steps } else { ring.steps - 1 };
        for step in 1..=steps {
            let (next_u, next_v) = if step == ring.steps {
                (first_u, first_v)
            } else {
                let end = Vec8::gather(simd, vertices, &ends[step]).minus(centre);
                flattened(along_x, along_y, left, end)
            };
            let (plus, minus) = (u * next_v, v * next_u);
            let bound = (plus.abs() + minus.abs()) * (8.0 * (f32::EPSILON / 2.0)) + f32::MIN_POSITIVE;
            good &= (plus - minus).simd_gt(bound);
            let (was_below, is_below) = (v.simd_lt(zero), next_v.simd_lt(zero));
            up += (was_below & !is_below).select(one, zero);
            down += (!was_below & is_below).select(one, zero);
            (u, v) = (next_u, next_v);
        }
        // Once round for a closed fan; for an open one, a half axis never passed means less than once round.
        let round = if ring.closed { up.simd_eq(one) } else { up.min(down).simd_eq(zero) };
        (good & round).to_bitmask() as u32
    }
}

/// The two coordinates seen along the chosen axis, mirrored where the fan turns to the right.
#[inline(always)]
fn flattened<S: Simd>(
    along_x: mask32x8<S>,
    along_y: mask32x8<S>,
    left: mask32x8<S>,
    e: Vec8<S>,
) -> (f32x8<S>, f32x8<S>) {
    let u = along_x.select(e.y, along_y.select(e.z, e.x));
    let v = along_x.select(e.z, along_y.select(e.x, e.y));
    (left.select(u, v), left.select(v, u))
}

/// The other ends of the edges at a vertex in order around it, and whether they close; nothing if they form no one fan.
fn ring(vertex: u32, triangles: &[u32], corners: &[[u32; 3]]) -> Option<(bool, Vec<u32>)> {
    let mut edges = Vec::with_capacity(triangles.len());
    for &triangle in triangles {
        let [a, b, c] = corners[triangle as usize];
        let (from, to) = match vertex {
            _ if vertex == a => (b, c),
            _ if vertex == b => (c, a),
            _ => (a, b),
        };
        if from == to || from == vertex || to == vertex {
            return None;
        }
        edges.push((from, to));
    }
    // An open fan starts at the one edge no triangle leads to; a closed one anywhere.
    let mut starts = edges.iter().filter(|edge| edges.iter().all(|other| other.1 != edge.0));
    let (open_start, more) = (starts.next(), starts.next());
    if more.is_some() {
        return None;
    }
    let first = open_start.unwrap_or(&edges[0]).0;
    let mut ends = vec![first];
    for _ in 0..edges.len() {
        let mut onward = edges.iter().filter(|edge| Some(&edge.0) == ends.last());
        let (next, more) = (onward.next()?, onward.next());
        if more.is_some() {
            return None;
        }
        ends.push(next.1);
    }
    let closed = open_start.is_none();
    if closed && ends.pop() != Some(first) {
        return None;
    }
    let mut distinct = ends.clone();
    distinct.sort_unstable();
    distinct.dedup();
    (distinct.len() == ends.len() && ends.len() > 2).then_some((closed, ends))
}

/// Vertices whose pairs have to be decided one by one.
#[derive(Debug, Default)]
pub(super) struct Doubtful {
    vertices: Vec<u32>,
    is_doubtful: Vec<bool>,
}

impl Doubtful {
    fn clear(&mut self, vertex_count: usize) {
        for vertex in self.vertices.drain(..) {
            self.is_doubtful[vertex as usize] = false;
        }
        if self.is_doubtful.len() < vertex_count {
            self.is_doubtful.resize(vertex_count, false);
        }
    }

    fn add(&mut self, vertex: u32) {
        self.is_doubtful[vertex as usize] = true;
        self.vertices.push(vertex);
    }

    /// Decides the pairs at each doubtful vertex that no other shared vertex has cleared; a pair with several doubtful
    /// vertices is decided at the smallest. Returns how many were looked at.
    fn decide(
        &self,
        arrangement: &Arrangement,
        neighbours: &Neighbours,
        body: &Body,
        found: &mut Vec<TrianglePair>,
    ) -> u64 {
        let mut decided = 0;
        for &vertex in &self.vertices {
            let is_due = |a: [u32; 3], b: [u32; 3]| {
                let settles = |&shared: &u32| shared != vertex && self.settles(neighbours, shared, vertex);
                !a.iter().any(|shared| b.contains(shared) && settles(shared))
            };
            decided += decide_at(vertex, is_due, (arrangement, neighbours), body, found);
        }
        decided
    }

    /// The triangles, by their places, at a doubtful vertex that no other vertex has shown to have an area; one with
    /// several doubtful vertices is among those of the smallest.
    fn left_at(
        &self,
        vertex: u32,
        (arrangement, neighbours): (&Arrangement, &Neighbours),
    ) -> impl Iterator<Item = u32> {
        let is_left = move |other: &u32| {
            let is_doubtful = self.is_doubtful[*other as usize];
            if is_doubtful { *other >= vertex } else { neighbours.triangles(*other as usize).len() < 2 }
        };
        let triangles = neighbours.triangles(vertex as usize).iter().copied();
        triangles.filter(move |&place| arrangement.corners[place as usize].iter().all(is_left))
    }

    /// Whether another vertex of a pair takes it off the hands of `vertex`: it is tracked, and shown to be all right or
    /// doubtful with a smaller number.
    fn settles(&self, neighbours: &Neighbours, other: u32, vertex: u32) -> bool {
        !neighbours.triangles(other as usize).is_empty() && (!self.is_doubtful[other as usize] || other < vertex)
    }
}

/// Decides the pairs at a vertex that `is_due` asks for, given their vertices; returns how many.
fn decide_at(
    vertex: u32,
    is_due: impl Fn([u32; 3], [u32; 3]) -> bool,
    (arrangement, neighbours): (&Arrangement, &Neighbours),
    body: &Body,
    found: &mut Vec<TrianglePair>,
) -> u64 {
    let triangles = neighbours.triangles(vertex as usize);
    let mut decided = 0;
    for (i, &a) in triangles.iter().enumerate() {
        for &b in &triangles[i + 1..] {
            if is_due(arrangement.corners[a as usize], arrangement.corners[b as usize]) {
                decided += 1;
                found.extend(decide(arrangement, body, a, b));
            }
        }
    }
    decided
}

/// Decides one pair of triangles of one body, given by their places, by the rule for self-collision.
#[inline]
pub(super) fn decide(arrangement: &Arrangement, body: &Body, a: u32, b: u32) -> Option<TrianglePair> {
    let number = |place: u32| arrangement.triangles[place as usize];
    let (i, j) = (number(a).min(number(b)), number(a).max(number(b)));
    let (triangles, welded) = (body.mesh().triangles(), body.mesh().welded_triangles());
    let (first, second) = (body.corners(triangles[i as usize]), body.corners(triangles[j as usize]));
    let shared = SharedVertices::between(&first, welded[i as usize], &second, welded[j as usize]);
    self_pair_meets(&first, &second, shared).then(|| TrianglePair::new(i, j))
}
