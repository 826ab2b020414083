//! Bodies as the simplest lists there are, and their pairs by trying every two triangles: knows nothing of meshes,
//! removed slots or trees.

use std::collections::BTreeMap;

use crumple::exact::{SharedVertices, self_pair_meets, triangles_meet};
use crumple::{BodyId, Renumbering, Triangle, TriangleId, TrianglePair, VertexId};

/// The pairs of two bodies, or of one with itself.
pub(crate) type Found = Vec<(BodyId, BodyId, Vec<TrianglePair>)>;

#[derive(Clone, Debug, Default)]
pub(crate) struct ModelBody {
    pub(crate) positions: Vec<[f32; 3]>,
    /// Vertices with equal labels are one for topology.
    pub(crate) labels: Vec<u64>,
    pub(crate) triangles: BTreeMap<u32, [u32; 3]>,
    /// Removed triangles that could come back.
    pub(crate) removed: BTreeMap<u32, [u32; 3]>,
    pub(crate) asks_itself: bool,
}

impl ModelBody {
    /// How many triangle numbers have been given.
    pub(crate) fn slots(&self) -> u32 {
        (self.triangles.len() + self.removed.len()) as u32
    }

    fn triangle(&self, vertices: [u32; 3]) -> Triangle {
        Triangle(vertices.map(|vertex| self.positions[vertex as usize]))
    }

    /// The part made of the triangles that `chosen` says; checks that `numbers` tells the same story.
    pub(crate) fn part(&self, chosen: impl Fn(u32) -> bool, numbers: &Renumbering) -> Self {
        let kept: Vec<_> = self.triangles.iter().filter(|(number, _)| chosen(**number)).collect();
        let mut used: Vec<u32> = kept.iter().flat_map(|(_, vertices)| **vertices).collect();
        used.sort_unstable();
        used.dedup();
        let new_vertex = |old: u32| used.binary_search(&old).ok().map(|new| new as u32);
        for old in 0..self.positions.len() as u32 {
            assert_eq!(numbers.vertex(VertexId(old)), new_vertex(old).map(VertexId));
        }
        for old in 0..self.slots() {
            let new = kept.iter().position(|(number, _)| **number == old);
            assert_eq!(numbers.triangle(TriangleId(old)), new.map(|new| TriangleId(new as u32)));
        }
        assert_eq!(numbers.old_vertices(), used.iter().map(|&old| VertexId(old)).collect::<Vec<_>>());
        assert_eq!(numbers.old_triangles(), kept.iter().map(|(old, _)| TriangleId(**old)).collect::<Vec<_>>());
        let renumbered = |vertices: &[u32; 3]| vertices.map(|old| new_vertex(old).unwrap());
        Self {
            positions: used.iter().map(|&old| self.positions[old as usize]).collect(),
            labels: used.iter().map(|&old| self.labels[old as usize]).collect(),
            triangles: (0..).zip(kept.iter().map(|(_, vertices)| renumbered(vertices))).collect(),
            removed: BTreeMap::new(),
            asks_itself: self.asks_itself,
        }
    }

    /// Two bodies as one, welded where they touch in vertices if it is said.
    pub(crate) fn fused(a: &Self, b: &Self, welded: bool, numbers: [&Renumbering; 2]) -> Self {
        let offset = a.positions.len() as u32;
        let shifted = b.triangles.values().map(|vertices| vertices.map(|vertex| vertex + offset));
        let mut labels = [&a.labels[..], &b.labels].concat();
        if welded {
            for (i, p) in a.positions.iter().enumerate() {
                for (j, q) in b.positions.iter().enumerate() {
                    if p == q {
                        let (kept, dropped) = (labels[i], labels[offset as usize + j]);
                        labels.iter_mut().filter(|label| **label == dropped).for_each(|label| *label = kept);
                    }
                }
            }
        }
        let first_of_b = a.triangles.len() as u32;
        for (side, numbers, first) in [(a, numbers[0], 0), (b, numbers[1], first_of_b)] {
            for (new, &old) in (first..).zip(side.triangles.keys()) {
                assert_eq!(numbers.triangle(TriangleId(old)), Some(TriangleId(new)));
            }
            assert!(side.removed.keys().all(|&old| numbers.triangle(TriangleId(old)).is_none()));
        }
        assert_eq!(numbers[1].vertex(VertexId(0)), (!b.positions.is_empty()).then_some(VertexId(offset)));
        Self {
            positions: [&a.positions[..], &b.positions].concat(),
            labels,
            triangles: (0..).zip(a.triangles.values().copied().chain(shifted)).collect(),
            removed: BTreeMap::new(),
            asks_itself: a.asks_itself || b.asks_itself,
        }
    }

    fn pairs_with(&self, other: &Self) -> Vec<TrianglePair> {
        let mut found = Vec::new();
        for (&i, &vertices_a) in &self.triangles {
            let a = self.triangle(vertices_a);
            let bounds = a.bounds();
            for (&j, &vertices_b) in &other.triangles {
                let b = other.triangle(vertices_b);
                if bounds.overlaps(&b.bounds()) && triangles_meet(&a, &b) {
                    found.push(TrianglePair::new(i, j));
                }
            }
        }
        found
    }

    fn self_pairs(&self) -> Vec<TrianglePair> {
        // Labels may be large; the rule compares small numbers, so each is named by its first vertex.
        let of = |vertices: [u32; 3]| {
            vertices.map(|vertex| {
                let label = self.labels[vertex as usize];
                self.labels.iter().position(|&other| other == label).unwrap() as u32
            })
        };
        let all: Vec<_> = self.triangles.iter().map(|(&i, &v)| (i, self.triangle(v), of(v))).collect();
        let mut found = Vec::new();
        for (at, (i, a, of_a)) in all.iter().enumerate() {
            for (j, b, of_b) in &all[at + 1..] {
                if a.bounds().overlaps(&b.bounds())
                    && self_pair_meets(a, b, SharedVertices::between(&a.0, *of_a, &b.0, *of_b))
                {
                    found.push(TrianglePair::new(*i, *j));
                }
            }
        }
        found
    }
}

/// All pairs, in the order a scene gives them.
pub(crate) fn all_pairs(bodies: &BTreeMap<BodyId, ModelBody>) -> Found {
    let mut found = Vec::new();
    for (&a, body_a) in bodies {
        for (&b, body_b) in bodies.range(a..) {
            let pairs = match a == b {
                true if body_a.asks_itself => body_a.self_pairs(),
                true => Vec::new(),
                false => body_a.pairs_with(body_b),
            };
            if !pairs.is_empty() {
                found.push((a, b, pairs));
            }
        }
    }
    found
}
