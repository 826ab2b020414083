//! The floors of points and rays: the known answer is only confirmed, one triangle per point or ray.

use std::collections::HashMap;
use std::hint::black_box;

use crumple::distance::NearPair;
use crumple::{FeaturePair, Mesh, VertexId};

use crate::measure::floor::Now;

/// A triangle of each vertex and of each edge of a mesh.
pub(super) struct FeatureTriangles {
    of_vertex: Vec<u32>,
    of_edge: HashMap<[u32; 2], u32>,
}

impl FeatureTriangles {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let (mut of_vertex, mut of_edge) = (vec![0; mesh.vertex_count()], HashMap::new());
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

    /// A pair of triangles that have the two features, for each near pair of the body; `pairs` is overwritten.
    pub(super) fn pairs(&self, near: &[NearPair], pairs: &mut Vec<[u32; 2]>) {
        let of_edge = |edge: [VertexId; 2]| self.of_edge.get(&edge.map(|vertex| vertex.0)).copied().unwrap_or_default();
        // Pairs are sorted: the first edge is mostly the one before.
        let mut first = ([VertexId(0); 2], of_edge([VertexId(0); 2]));
        pairs.clear();
        pairs.extend(near.iter().map(|near| match near.features {
            FeaturePair::VertexFace { vertex, triangle, .. } => [self.of_vertex[vertex.index()], triangle.0],
            FeaturePair::EdgeEdge { edge_a, edge_b } => {
                if first.0 != edge_a {
                    first = (edge_a, of_edge(edge_a));
                }
                [first.1, of_edge(edge_b)]
            }
            _ => [0, 0],
        }));
    }
}

/// The height of each point over the plane of its triangle.
pub(super) fn confirm_points(body: Now<'_>, points: &[[f32; 3]], triangles: &[u32]) -> f32 {
    let mut sum = 0.0;
    for (&point, &triangle) in points.iter().zip(triangles) {
        let [a, b, c] = body.triangles[triangle as usize].map(|vertex| body.positions[vertex as usize]);
        sum += dot(sub(point, a), cross(sub(b, a), sub(c, a)));
    }
    black_box(sum)
}

/// Where each ray, by origin and direction, meets the plane of its triangle.
pub(super) fn confirm_rays(body: Now<'_>, rays: &[[[f32; 3]; 2]], triangles: &[Option<u32>]) -> f32 {
    let mut sum = 0.0;
    for (&[origin, direction], &triangle) in rays.iter().zip(triangles) {
        let Some(triangle) = triangle else { continue };
        let [a, b, c] = body.triangles[triangle as usize].map(|vertex| body.positions[vertex as usize]);
        let normal = cross(sub(b, a), sub(c, a));
        sum += dot(sub(a, origin), normal) / dot(direction, normal);
    }
    black_box(sum)
}

fn sub(p: [f32; 3], q: [f32; 3]) -> [f32; 3] {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn cross(p: [f32; 3], q: [f32; 3]) -> [f32; 3] {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn dot(p: [f32; 3], q: [f32; 3]) -> f32 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}
