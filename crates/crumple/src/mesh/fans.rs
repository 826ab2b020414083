//! The triangles around each vertex, in cyclic order where they have one: a *fan*.
//!
//! Self-collision needs to know which triangles share a vertex: a search leaves such pairs out, since their boxes always
//! overlap, and decides them fan by fan (`narrow::neighbours`). This is the part of it that does not move.
//!
//! A vertex of very many triangles would have too many pairs; vertices of more than [`MOST_TRACKED`] triangles are not
//! *tracked*, and pairs that share only such a vertex are left to the search. So are pairs that share only a welded
//! vertex: whether its parts still coincide changes from frame to frame. A vertex that is not tracked and whose triangles
//! form a single fan is a *hub*, such as the first corner of a large polygon or the pole of a sphere: in a frame in which
//! its triangles lie side by side, the search leaves out their pairs as well (`tree::hubs`).
//!
//! Cost: O(n), and O(k log k) for a hub of k triangles, when a mesh is first asked about self-collision; about 30 bytes per
//! triangle.

use std::ops::Range;

use super::Mesh;
use super::lists::Lists;
use crate::geom::lanes::WIDTH;

/// The most triangles at a tracked vertex.
const MOST_TRACKED: usize = 32;

/// Eight vertices with equally many edges, and the other ends of the edges in order around each.
#[derive(Clone, Debug)]
pub(crate) struct Ring8 {
    pub(crate) vertices: [u32; WIDTH],
    /// How many of the eight are meant; the others repeat the first.
    pub(crate) used: usize,
    /// Where the edges start in `Fans::ends`: eight of them, one per vertex, at each step.
    start: usize,
    pub(crate) steps: usize,
    /// Whether the fan goes all the way around its vertex.
    pub(crate) closed: bool,
}

/// The fans of one mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fans {
    /// The triangles at each vertex.
    triangles: Lists<u32>,
    /// Whether every vertex in use is tracked.
    tracks_all: bool,
    rings: Vec<Ring8>,
    ends: Vec<[u32; WIDTH]>,
    /// Tracked vertices whose triangles form no single fan.
    irregular: Vec<u32>,
    /// Triangles none of whose vertices has a fan.
    lone: Vec<u32>,
    /// By vertex.
    hubs: Vec<Hub>,
    hub_ends: Vec<u32>,
}

/// A vertex of too many triangles to be tracked that form a single fan.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    pub(crate) vertex: u32,
    /// Where the other ends of its edges are in `Fans::hub_ends`, in order around the vertex.
    ends: Range<usize>,
    /// Whether the fan goes all the way around its vertex.
    pub(crate) closed: bool,
}

impl Fans {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let mut fans = Self::default();
        fans.list_triangles(mesh);
        let mut found = Vec::new();
        let (mut all_ends, mut edges) = (Vec::new(), Vec::new());
        for vertex in 0..mesh.vertex_count() as u32 {
            let triangles = fans.triangles_at(vertex);
            if triangles.len() < 2 {
                continue;
            }
            let start = all_ends.len();
            match ring(vertex, triangles, mesh.indices(), &mut edges, &mut all_ends) {
                Some(closed) => found.push((all_ends.len() - start, closed, vertex, start)),
                None => {
                    all_ends.truncate(start);
                    fans.irregular.push(vertex);
                }
            }
        }
        // Equal lengths together, so that lanes are full; within them the order of the numbers, which is that of memory.
        found.sort_unstable();
        for alike in found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for eight in alike.chunks(WIDTH) {
                let lane = |i: usize| eight[if i < eight.len() { i } else { 0 }];
                let (steps, closed) = (eight[0].0, eight[0].1);
                fans.rings.push(Ring8 {
                    vertices: std::array::from_fn(|i| lane(i).2),
                    used: eight.len(),
                    start: fans.ends.len(),
                    steps,
                    closed,
                });
                fans.ends.extend((0..steps).map(|step| std::array::from_fn(|i| all_ends[lane(i).3 + step])));
            }
        }
        let has_fan = |vertex: u32| fans.triangles_at(vertex).len() > 1;
        let is_lone = |triangle: &u32| !mesh.indices()[*triangle as usize].into_iter().any(has_fan);
        fans.lone = mesh.live_numbers().filter(is_lone).collect();
        fans.find_hubs(mesh);
        fans
    }

    /// Finds the vertices that are not tracked and whose triangles form a single fan.
    fn find_hubs(&mut self, mesh: &Mesh) {
        if self.tracks_all {
            return;
        }
        let mut edges = Vec::new();
        for (_, [a, b, c]) in mesh.live_indices() {
            for (vertex, from, to) in [(a, b, c), (b, c, a), (c, a, b)] {
                if self.triangles_at(vertex).is_empty() {
                    edges.push((vertex, from, to));
                }
            }
        }
        edges.sort_unstable();
        for around in edges.chunk_by(|e, f| e.0 == f.0) {
            let start = self.hub_ends.len();
            match single_fan(around, &mut self.hub_ends) {
                Some(closed) => {
                    let ends = start..self.hub_ends.len();
                    self.hubs.push(Hub { vertex: around[0].0, ends, closed });
                }
                None => self.hub_ends.truncate(start),
            }
        }
    }

    /// The hubs, by vertex.
    pub(crate) fn hubs(&self) -> &[Hub] {
        &self.hubs
    }

    /// The other ends of the edges of a hub, in order around it.
    pub(crate) fn hub_ends(&self, hub: &Hub) -> &[u32] {
        &self.hub_ends[hub.ends.clone()]
    }

    /// The number of the hub that a vertex is, if it is one.
    #[inline]
    pub(crate) fn hub_at(&self, vertex: u32) -> Option<usize> {
        self.hubs.binary_search_by_key(&vertex, |hub| hub.vertex).ok()
    }

    /// The triangles at a vertex, in order; none if there are too many to be tracked.
    #[inline]
    pub(crate) fn triangles_at(&self, vertex: u32) -> &[u32] {
        let triangles = self.triangles.at(vertex as usize);
        if triangles.len() <= MOST_TRACKED { triangles } else { &[] }
    }

    /// Whether two triangles, given by their vertices, share a tracked vertex: then they belong to a fan.
    #[inline]
    pub(crate) fn have_in_common(&self, a: [u32; 3], b: [u32; 3]) -> bool {
        let is_tracked = |vertex: u32| !self.triangles_at(vertex).is_empty();
        a.into_iter().any(|vertex| b.contains(&vertex) && is_tracked(vertex))
    }

    /// Whether every vertex in use is tracked, so that sharing a vertex is belonging to a fan.
    #[inline]
    pub(crate) fn tracks_all(&self) -> bool {
        self.tracks_all
    }

    /// Fans in which triangles follow one another around a vertex, eight together.
    pub(crate) fn rings(&self) -> &[Ring8] {
        &self.rings
    }

    /// The other ends of the edges of a ring: eight, one per vertex, at each step.
    #[inline(always)]
    pub(crate) fn ends(&self, ring: &Ring8) -> &[[u32; WIDTH]] {
        &self.ends[ring.start..ring.start + ring.steps]
    }

    /// Tracked vertices whose triangles form no single fan.
    pub(crate) fn irregular(&self) -> &[u32] {
        &self.irregular
    }

    /// Triangles none of whose vertices is a tracked vertex of two triangles or more.
    pub(crate) fn lone(&self) -> &[u32] {
        &self.lone
    }

    /// Lists the triangles at each vertex; a triangle with a repeated vertex is listed once.
    fn list_triangles(&mut self, mesh: &Mesh) {
        let at_vertices = mesh
            .live_indices()
            .flat_map(|(triangle, vertices)| distinct(vertices).map(move |vertex| (vertex, triangle.0)));
        self.triangles = Lists::of(mesh.vertex_count(), at_vertices);
        self.tracks_all = self.triangles.iter().all(|triangles| triangles.len() <= MOST_TRACKED);
    }
}

/// As [`ring`], for very many edges around one vertex, sorted by where they start.
fn single_fan(around: &[(u32, u32, u32)], ends: &mut Vec<u32>) -> Option<bool> {
    let (vertex, first, _) = around[0];
    let is_odd = |&(_, from, to): &(u32, u32, u32)| from == to || from == vertex || to == vertex;
    if around.windows(2).any(|pair| pair[0].1 == pair[1].1) || around.iter().any(is_odd) {
        return None;
    }
    let mut tos: Vec<u32> = around.iter().map(|edge| edge.2).collect();
    tos.sort_unstable();
    if tos.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let mut starts = around.iter().filter(|edge| tos.binary_search(&edge.1).is_err());
    let (open_start, more) = (starts.next(), starts.next());
    if more.is_some() {
        return None;
    }
    let first = open_start.map_or(first, |edge| edge.1);
    let (start, mut last) = (ends.len(), first);
    for _ in around {
        ends.push(last);
        let next = around.binary_search_by_key(&last, |edge| edge.1).ok()?;
        last = around[next].2;
        if last == first {
            break;
        }
    }
    // Otherwise there are several fans, and one was closed before all edges were used.
    let uses_all = ends.len() - start == around.len();
    let closed = open_start.is_none();
    if !closed {
        ends.push(last);
    }
    (uses_all && closed == (last == first)).then_some(closed)
}

/// The vertices of a triangle, each once.
pub(crate) fn distinct([a, b, c]: [u32; 3]) -> impl Iterator<Item = u32> + Clone {
    [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
}

/// Appends the other ends of the edges at a vertex in order around it; returns whether they close, or nothing if they
/// form no single fan (`ends` may then have grown). `edges` is working memory.
fn ring(
    vertex: u32,
    at_vertex: &[u32],
    triangles: &[[u32; 3]],
    edges: &mut Vec<(u32, u32)>,
    ends: &mut Vec<u32>,
) -> Option<bool> {
    edges.clear();
    for &triangle in at_vertex {
        let [a, b, c] = triangles[triangle as usize];
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
    let (start, first) = (ends.len(), open_start.unwrap_or(&edges[0]).0);
    let mut last = first;
    ends.push(first);
    for _ in 0..edges.len() {
        let mut onward = edges.iter().filter(|edge| edge.0 == last);
        let (next, more) = (onward.next()?, onward.next());
        if more.is_some() {
            return None;
        }
        last = next.1;
        ends.push(last);
    }
    let closed = open_start.is_none();
    if closed && ends.pop() != Some(first) {
        return None;
    }
    let ends = &ends[start..];
    let repeats = (1..ends.len()).any(|i| ends[..i].contains(&ends[i]));
    (!repeats && ends.len() > 2).then_some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four triangles around vertex 0.
    const SQUARE: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];

    #[test]
    fn a_vertex_in_the_middle_has_a_closed_fan_and_one_at_the_border_an_open_one() {
        let fans = Fans::of(&Mesh::new(5, SQUARE.to_vec()).unwrap());
        let of = |vertex: u32| fans.rings().iter().find(|ring| ring.vertices[..ring.used].contains(&vertex)).unwrap();
        assert!(of(0).closed && of(0).steps == 4);
        assert!(!of(1).closed && of(1).steps == 3);
        assert!(fans.irregular().is_empty() && fans.lone().is_empty() && fans.tracks_all());
        assert!(fans.have_in_common(SQUARE[0], SQUARE[2]));
    }

    #[test]
    fn two_fans_at_one_vertex_are_irregular_and_a_triangle_by_itself_is_lone() {
        let fans = Fans::of(&Mesh::new(8, vec![[0, 1, 2], [0, 3, 4], [5, 6, 7]]).unwrap());
        assert_eq!((fans.irregular(), fans.lone()), (&[0][..], &[2][..]));
        assert_eq!(fans.triangles_at(0), [0, 1]);
    }

    #[test]
    fn a_vertex_of_too_many_triangles_is_not_tracked() {
        let count = MOST_TRACKED as u32 + 1;
        let triangles = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect();
        let fans = Fans::of(&Mesh::new(1 + count as usize, triangles).unwrap());
        assert!(!fans.tracks_all() && fans.triangles_at(0).is_empty());
        assert_eq!((fans.hub_at(0), fans.hub_at(1), fans.hubs().len()), (Some(0), None, 1));
        assert_eq!((fans.hubs()[0].closed, fans.hub_ends(&fans.hubs()[0]).len()), (true, count as usize));
        assert!(!fans.have_in_common([0, 1, 2], [0, 9, 10]) && fans.have_in_common([0, 1, 2], [0, 2, 3]));
    }

    #[test]
    fn an_open_fan_makes_a_hub_and_two_fans_or_a_fold_do_not() {
        let count = 2 * MOST_TRACKED as u32;
        let hubs = |triangles: Vec<[u32; 3]>| {
            let fans = Fans::of(&Mesh::new(4 * count as usize, triangles).unwrap());
            fans.hubs().iter().map(|hub| (hub.vertex, hub.closed, fans.hub_ends(hub).to_vec())).collect::<Vec<_>>()
        };
        let open: Vec<[u32; 3]> = (1..count).rev().map(|i| [i, i + 1, 0]).collect();
        assert_eq!(hubs(open.clone()), [(0, false, (1..=count).collect::<Vec<_>>())]);
        let mut two = open.clone();
        two.extend((1..count).map(|i| [0, i + count, i + count + 1]));
        assert_eq!(hubs(two), []);
        let mut with_ring = open.clone();
        with_ring.extend([[0, 100, 101], [0, 101, 102], [0, 102, 100]]);
        assert_eq!(hubs(with_ring), []);
        let mut branching = open;
        branching.push([0, 3, 200]);
        assert_eq!(hubs(branching), []);
    }
}
