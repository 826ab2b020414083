//! The floor of continuous detection: the boxes of all bodies, and one pair of triangles per impact of the known answer.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::time::Instant;

use crumple::FeaturePair;
use crumple::{Between, BodyId, Impact, Mesh, VertexId};
use crumple_io::report::micros;

use super::{Times, keep_best};
use crate::measure::Recording;
use crate::measure::floor::{self, Now};
use crate::measure::passes::fill;

/// The pairs the floor tests for a step, by bodies.
pub(super) type FloorPairs = Vec<(usize, usize, Vec<[u32; 2]>)>;

/// Times the floor of every step once.
pub(super) fn floor_pass(
    recording: &Recording,
    pairs: &[FloorPairs],
    best: &mut [Times],
    caller: &mut [Vec<[f32; 3]>],
) {
    let mut boxes = Vec::new();
    for (at, (pairs, best)) in pairs.iter().zip(best).enumerate() {
        fill(caller, recording.frame(at + 1));
        let now = |body: usize| Now { triangles: recording.meshes()[body].indices(), positions: &caller[body] };
        let start = Instant::now();
        floor::boxes(caller, &mut boxes);
        let updated = Instant::now();
        for (a, b, pairs) in pairs {
            black_box(floor::test_pairs(now(*a), now(*b), pairs));
        }
        let done = Instant::now();
        keep_best(best, [micros(updated - start), micros(done - updated)]);
    }
}

/// A triangle for every vertex and edge of a body.
pub(super) struct Triangles {
    of_vertex: Vec<u32>,
    of_edge: HashMap<[u32; 2], u32>,
}

impl Triangles {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let mut of_vertex = vec![0; mesh.vertex_count()];
        let mut of_edge = HashMap::new();
        for (number, &[a, b, c]) in (0..).zip(mesh.indices()) {
            for vertex in [a, b, c] {
                of_vertex[vertex as usize] = number;
            }
            for (p, q) in [(a, b), (b, c), (c, a)] {
                of_edge.insert([p.min(q), p.max(q)], number);
            }
        }
        Self { of_vertex, of_edge }
    }

    fn with_vertex(&self, vertex: VertexId) -> u32 {
        self.of_vertex[vertex.index()]
    }

    fn with_edge(&self, edge: [VertexId; 2]) -> u32 {
        self.of_edge.get(&edge.map(|vertex| vertex.0)).copied().unwrap_or_default()
    }
}

/// For each two bodies, a pair of triangles for each of their impacts.
pub(super) fn floor_pairs(impacts: &[Between<Impact>], ids: &[BodyId], triangles: &[Triangles]) -> FloorPairs {
    let mut all: BTreeMap<(usize, usize), Vec<[u32; 2]>> = BTreeMap::new();
    for impact in impacts {
        let [a, b] = [impact.a, impact.b].map(|id| ids.iter().position(|&other| other == id).unwrap_or_default());
        let (of_a, of_b) = (&triangles[a], &triangles[b]);
        let pair = match impact.features {
            FeaturePair::Triangles { pair } => [pair.a.0, pair.b.0],
            FeaturePair::VertexFace { vertex, triangle, vertex_of_b: false } => [of_a.with_vertex(vertex), triangle.0],
            FeaturePair::VertexFace { vertex, triangle, vertex_of_b: true } => [triangle.0, of_b.with_vertex(vertex)],
            FeaturePair::EdgeEdge { edge_a, edge_b } => [of_a.with_edge(edge_a), of_b.with_edge(edge_b)],
            _ => continue,
        };
        all.entry((a, b)).or_default().push(pair);
    }
    all.into_iter().map(|((a, b), pairs)| (a, b, pairs)).collect()
}
