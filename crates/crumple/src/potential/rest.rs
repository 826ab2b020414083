//! Bodies at rest: how long their edges are and which areas their vertices and edges stand for.

use crate::body::Body;
use crate::geom::lanes::Vec3Ops;
use crate::geom::{BodyId, VertexId};

/// One body at rest.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) of: BodyId,
    pub(super) positions: Vec<[f64; 3]>,
    topology: Option<u64>,
    areas: Vec<f64>,
    edge_areas: Vec<([u32; 2], f64)>,
}

impl Rest {
    pub(super) fn new(of: BodyId, positions: Vec<[f64; 3]>) -> Self {
        Self { of, positions, topology: None, areas: Vec::new(), edge_areas: Vec::new() }
    }

    /// Vertices that came later rest where they are.
    pub(super) fn extend(&mut self, body: &Body) {
        let known = self.positions.len();
        self.positions.extend((known..body.mesh().vertex_count()).map(|vertex| body.exact_position(vertex as u32)));
    }

    /// A third of the area of every triangle goes to each of its vertices, and to each of its edges.
    pub(super) fn find_areas(&mut self, body: &Body) {
        if self.topology == Some(body.topology_version()) {
            return;
        }
        self.topology = Some(body.topology_version());
        self.areas.clear();
        self.areas.resize(self.positions.len(), 0.0);
        self.edge_areas.clear();
        for (_, corners) in body.mesh().live_indices() {
            let [p, q, r] = corners.map(|vertex| self.positions[vertex as usize]);
            let normal = q.minus(p).cross(r.minus(p));
            let third = normal.dot(normal).sqrt() / 6.0;
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                self.areas[from as usize] += third;
                self.edge_areas.push(([from.min(to), from.max(to)], third));
            }
        }
        self.edge_areas.sort_by_key(|&(edge, _)| edge);
        self.edge_areas.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
    }

    pub(super) fn area(&self, vertex: VertexId) -> f64 {
        self.areas.get(vertex.index()).copied().unwrap_or_default()
    }

    pub(super) fn edge_area(&self, [p, q]: [VertexId; 2]) -> f64 {
        let edge = [p.0.min(q.0), p.0.max(q.0)];
        self.edge_areas.binary_search_by_key(&edge, |&(edge, _)| edge).map_or(0.0, |at| self.edge_areas[at].1)
    }
}
