//! Decides the triangles of one body that share a vertex, most of them without looking at pairs.
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
//! If the f32 numbers are copies of f64 positions that may be off by r each, differences are off by 2r, and the turn by
//! at most 2r(|eᵤ| + |eᵥ| + |fᵤ| + |fᵥ|) + 8r²: the bound grows by 9/8 of that, since it is rounded (what underflows,
//! 2^-148, is covered above). It then holds for all positions on the way from the copies to the f64 numbers, so that no
//! turn vanishes on the way. The edges of a closed fan go round a whole number of times, which cannot change without
//! a turn that vanishes: counting on the copies is right. For an open fan it is right if no edge has v = 0 in the copies,
//! for rounding is monotone (see `body::wide`): a sign of a difference of copies that is not 0 is the true one.
//!
//! Where this cannot be shown — a fold, a crease at right angles to the axis, a vertex that is not manifold — the vertex
//! is *doubtful*, and the pairs of its triangles are decided one by one, exactly.
//!
//! The wide tree knows of some vertices beforehand that none of their triangles collide (`tree::patches`).
//!
//! Every method finds its pairs of neighbours here; its own search leaves out pairs that belong to a fan
//! ([`Fans`]), since their boxes always overlap.
//!
//! Cost: about six edges per vertex, eight vertices at a time.
//! Held by: `tests/agreement`, `tests/agreement/changing`, experiments CR1 and CR5.

use crate::geom::lanes::vectors::*;

use super::Wanted;
use super::self_pair::{STEPS_PER_SELF_PAIR, collide, is_without_area};
use crate::body::{Body, Vertices};
use crate::geom::TrianglePair;
use crate::geom::lanes::{Instructions, Vec8, WIDTH, bits, dispatch};
use crate::mesh::{Fans, Ring8};
use crate::tree::Flat;
use crate::work::spend;

/// What a search for colliding neighbours has found out besides the pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decided {
    /// Pairs that were decided one by one.
    pub(super) one_by_one: u64,
    /// Triangles of the body without area; not counted where one pair was wanted. The triangles of a fan that was shown
    /// to lie side by side all have an area.
    pub(super) without_area: u64,
}

/// Appends the pairs of triangles that share a tracked vertex and collide, or the first of them; vertices that are known to
/// have none are not looked at.
pub(super) fn find_pairs(
    simd: Instructions,
    (body, flat): (&Body, Flat<'_>),
    wanted: Wanted,
    doubtful: &mut Doubtful,
    found: &mut Vec<TrianglePair>,
) -> Decided {
    let fans = body.mesh().fans();
    dispatch!(simd, simd => find_pairs_in(simd, (fans, body, flat), wanted, doubtful, found))
}

#[inline(always)]
fn find_pairs_in<S: Simd>(
    simd: S,
    (fans, body, flat): (&Fans, &Body, Flat<'_>),
    wanted: Wanted,
    doubtful: &mut Doubtful,
    found: &mut Vec<TrianglePair>,
) -> Decided {
    doubtful.clear(body.mesh().vertex_count());
    let start = found.len();
    let mut decided = Decided::default();
    let rounding = body.rounding();
    for ring in fans.rings() {
        let known = if flat.is_empty() { 0 } else { clear_lanes(flat, &ring.vertices) };
        if known == 0xff {
            continue;
        }
        let shown = known | lies_side_by_side(simd, (ring, fans.ends(ring)), body.vertices(), rounding);
        for lane in bits(!shown & ((1 << ring.used) - 1)) {
            let vertex = ring.vertices[lane];
            if wanted == Wanted::First {
                // At once, before the other rings are looked at; a pair may then be decided at two vertices.
                decided.one_by_one += decide_at(vertex, |_, _| true, (fans, body), found);
                if found.len() > start {
                    return decided;
                }
            } else {
                doubtful.add(vertex);
            }
        }
    }
    fans.irregular().iter().for_each(|&vertex| doubtful.add(vertex));
    decided.one_by_one += doubtful.decide((fans, body), found);
    if wanted == Wanted::First {
        return decided;
    }
    let at_doubtful = doubtful.vertices.iter().flat_map(|&vertex| doubtful.without_known_area(vertex, (fans, body)));
    let is_flat = |&triangle: &u32| is_without_area(body, triangle);
    decided.without_area = fans.lone().iter().copied().chain(at_doubtful).filter(is_flat).count() as u64;
    decided
}

/// Which of eight vertices are known to have no colliding triangles: one bit each.
#[inline(always)]
fn clear_lanes(flat: Flat<'_>, vertices: &[u32; WIDTH]) -> u32 {
    vertices.iter().rev().fold(0, |lanes, &vertex| lanes << 1 | u32::from(flat.clears_vertex(vertex)))
}

/// In which lanes the fan was shown to have no overlap.
#[inline(always)]
fn lies_side_by_side<S: Simd>(
    simd: S,
    (ring, ends): (&Ring8, &[[u32; WIDTH]]),
    vertices: &Vertices,
    rounding: f32,
) -> u32 {
    let zero = f32x8::splat(simd, 0.0);
    let centre = gather(simd, vertices, &ring.vertices);
    let first = gather(simd, vertices, &ends[0]).minus(centre);
    let second = gather(simd, vertices, &ends[1]).minus(centre);
    // The axis along which the first triangle is seen largest; and whether it turns to the left seen so.
    let normal = first.cross(second);
    let (x, y, z) = (normal.x.abs(), normal.y.abs(), normal.z.abs());
    let along_x = x.simd_ge(y) & x.simd_ge(z);
    let along_y = !along_x & y.simd_ge(z);
    let left = along_x.select(normal.x, along_y.select(normal.y, normal.z)).simd_gt(zero);
    let (first_u, first_v) = flattened(along_x, along_y, left, first);
    let (mut u, mut v) = (first_u, first_v);
    let mut good = mask32x8::splat(simd, true);
    // The same for all rings; and 0 for most bodies.
    let (is_rounded, counts_signs) = (rounding > 0.0, rounding > 0.0 && !ring.closed);
    if counts_signs {
        good &= !v.simd_eq(zero);
    }
    let (mut up, mut down) = (zero, zero);
    let one = f32x8::splat(simd, 1.0);
    let steps = if ring.closed { ring.steps } else { ring.steps - 1 };
    for step in 1..=steps {
        let (next_u, next_v) = if step == ring.steps {
            (first_u, first_v)
        } else {
            let end = gather(simd, vertices, &ends[step]).minus(centre);
            flattened(along_x, along_y, left, end)
        };
        let (plus, minus) = (u * next_v, v * next_u);
        let mut bound = (plus.abs() + minus.abs()) * (8.0 * (f32::EPSILON / 2.0)) + f32::MIN_POSITIVE;
        if is_rounded {
            let sizes = (u.abs() + v.abs()) + (next_u.abs() + next_v.abs());
            bound += (sizes + 4.0 * rounding) * (2.25 * rounding);
        }
        if counts_signs {
            good &= !next_v.simd_eq(zero);
        }
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

/// Loads eight vertices and turns them into lanes.
#[inline(always)]
fn gather<S: Simd>(simd: S, vertices: &Vertices, &[a, b, c, d, e, f, g, h]: &[u32; WIDTH]) -> Vec8<S> {
    let (a, b, c, d) = (vertices.four(a), vertices.four(b), vertices.four(c), vertices.four(d));
    let (e, f, g, h) = (vertices.four(e), vertices.four(f), vertices.four(g), vertices.four(h));
    Vec8::gather(simd, [&a, &b, &c, &d, &e, &f, &g, &h])
}

/// Vertices whose pairs have to be decided one by one; working memory.
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

    /// Decides the pairs at each doubtful vertex that no other shared vertex decides; returns how many.
    fn decide(&self, (fans, body): (&Fans, &Body), found: &mut Vec<TrianglePair>) -> u64 {
        let mut decided = 0;
        for &vertex in &self.vertices {
            let is_due = |a: [u32; 3], b: [u32; 3]| {
                let is_decided_by = |&shared: &u32| shared != vertex && self.decides(fans, shared, vertex);
                !a.iter().any(|shared| b.contains(shared) && is_decided_by(shared))
            };
            decided += decide_at(vertex, is_due, (fans, body), found);
        }
        decided
    }

    /// Whether a pair that shares `vertex`, which is doubtful, and `other` need not be decided at `vertex`: the fan at
    /// `other` was shown to lie side by side, or `other` is doubtful too and has the smaller number, so that the pair is
    /// decided there.
    fn decides(&self, fans: &Fans, other: u32, vertex: u32) -> bool {
        !fans.triangles_at(other).is_empty() && (!self.is_doubtful[other as usize] || other < vertex)
    }

    /// The triangles at a doubtful vertex that no fan has shown to have an area; one with several doubtful vertices is
    /// among those of the smallest.
    fn without_known_area(&self, vertex: u32, (fans, body): (&Fans, &Body)) -> impl Iterator<Item = u32> {
        let triangles = body.mesh().indices();
        let is_left = move |other: &u32| {
            let is_doubtful = self.is_doubtful[*other as usize];
            if is_doubtful { *other >= vertex } else { fans.triangles_at(*other).len() < 2 }
        };
        let at_vertex = fans.triangles_at(vertex).iter().copied();
        at_vertex.filter(move |&triangle| triangles[triangle as usize].iter().all(is_left))
    }
}

/// Decides the pairs of triangles at a vertex for which `is_due`, given their vertices; returns how many.
fn decide_at(
    vertex: u32,
    is_due: impl Fn([u32; 3], [u32; 3]) -> bool,
    (fans, body): (&Fans, &Body),
    found: &mut Vec<TrianglePair>,
) -> u64 {
    let (at_vertex, triangles) = (fans.triangles_at(vertex), body.mesh().indices());
    let mut decided = 0;
    for (nth, &a) in at_vertex.iter().enumerate() {
        let before = decided;
        for &b in &at_vertex[nth + 1..] {
            if is_due(triangles[a as usize], triangles[b as usize]) {
                decided += 1;
                found.extend(collide(body, a, b));
            }
        }
        spend(at_vertex.len() - nth + STEPS_PER_SELF_PAIR * (decided - before) as usize);
    }
    decided
}
