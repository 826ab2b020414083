//! Distances and near features, against brute force over all triangles and all features.

mod closest;
mod formulas;
mod near;
mod refusals;

use std::collections::BTreeSet;

use crumple::distance::{FeatureDistance, edge_edge_distance, vertex_face_distance};
use crumple::exact::triangles_meet_f64;
use crumple::{Body, FeaturePair, Mesh, TriangleId, VertexId};

/// All vertices in use, and all edges, of a mesh.
pub(crate) fn features(mesh: &Mesh) -> (BTreeSet<VertexId>, BTreeSet<[VertexId; 2]>) {
    let (mut vertices, mut edges) = (BTreeSet::new(), BTreeSet::new());
    for (_, corners) in mesh.live_triangles() {
        vertices.extend(corners);
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            if p != q {
                edges.insert([p.min(q), p.max(q)]);
            }
        }
    }
    (vertices, edges)
}

/// Every vertex with every face and every edge with every edge, except those of one body that share a vertex, in order.
pub(crate) fn all_features(a: &Body, b: &Body, one_body: bool) -> Vec<(FeaturePair, FeatureDistance)> {
    let at = |body: &Body, vertex: VertexId| body.point(vertex).unwrap();
    // Welded vertices count as one.
    let welded = |body: &Body| {
        let mut of: Vec<VertexId> = (0..body.mesh().vertex_count() as u32).map(VertexId).collect();
        for (corners, stand_ins) in body.mesh().triangles().iter().zip(body.mesh().welded_triangles()) {
            corners.iter().zip(stand_ins).for_each(|(&corner, &stand_in)| of[corner.index()] = stand_in);
        }
        of
    };
    let welded = welded(a);
    let share = |one: &[VertexId], other: &[VertexId]| {
        one_body && one.iter().any(|&p| other.iter().any(|&q| welded[p.index()] == welded[q.index()]))
    };
    let mut found = Vec::new();
    let sides: &[(&Body, &Body, bool)] = if one_body { &[(a, a, false)] } else { &[(a, b, false), (b, a, true)] };
    for &(of, to, vertex_of_b) in sides {
        for vertex in features(of.mesh()).0 {
            for (triangle, corners) in to.mesh().live_triangles() {
                if !share(&[vertex], &corners) {
                    let [p, q, r] = corners.map(|corner| at(to, corner));
                    let features = FeaturePair::VertexFace { vertex_of_b, vertex, triangle };
                    found.push((features, vertex_face_distance(&[at(of, vertex), p, q, r])));
                }
            }
        }
    }
    let (edges_a, edges_b) = (features(a.mesh()).1, features(b.mesh()).1);
    for edge_a in &edges_a {
        for edge_b in &edges_b {
            if !(one_body && edge_b <= edge_a || share(edge_a, edge_b)) {
                let ([p, q], [r, s]) = (edge_a.map(|end| at(a, end)), edge_b.map(|end| at(b, end)));
                let features = FeaturePair::EdgeEdge { edge_a: *edge_a, edge_b: *edge_b };
                found.push((features, edge_edge_distance(&[p, q, r, s])));
            }
        }
    }
    assert!(found.is_sorted_by(|one, next| one.0 < next.0), "the order of an answer");
    found
}

/// The distance of two bodies: 0 if any triangles meet, else that of the nearest features; `None` without triangles.
pub(crate) fn brute_force_distance(a: &Body, b: &Body) -> Option<f64> {
    let triangle = |body: &Body, number: TriangleId| {
        body.mesh().indices()[number.index()].map(|vertex| body.point(VertexId(vertex)).unwrap())
    };
    let meet = a.mesh().live_triangles().any(|(i, _)| {
        let one = triangle(a, i);
        b.mesh().live_triangles().any(|(j, _)| triangles_meet_f64(&one, &triangle(b, j)))
    });
    if meet {
        return Some(0.0);
    }
    all_features(a, b, false).iter().map(|(_, apart)| apart.distance()).min_by(f64::total_cmp)
}
