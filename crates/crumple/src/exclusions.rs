//! Which features are left out of what is near and of impacts.
//!
//! A body that is asked about itself meets itself everywhere: the features around every vertex are as near as its edges are long.
//! These are left out by the rings of edges that are between them, or by their distance at rest. It is decided for each pair of
//! features whose boxes are near, before they are measured.

use std::sync::Arc;

use crate::geom::FeaturePair;
use crate::geom::closest::{edge_edge, vertex_face};
use crate::mesh::{Mesh, Rings};

/// What is left out between features of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    pub(crate) rings: Option<Arc<Rings>>,
    pub(crate) rest: Option<Arc<Rest>>,
}

/// Where a body is at rest, and how near its features are then to be left out.
#[derive(Debug)]
pub(crate) struct Rest {
    pub(crate) positions: Vec<[f64; 3]>,
    pub(crate) distance: f64,
}

/// What is left out between two bodies, or within one.
#[derive(Clone, Copy, Default)]
pub(crate) struct LeftOut<'a> {
    /// Within one body.
    pub(crate) own: Option<&'a Exclusions>,
    pub(crate) keep: Option<&'a (dyn Fn(FeaturePair) -> bool + Sync)>,
}

impl LeftOut<'_> {
    /// Whether there is a rule at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.keep.is_none() && self.own.is_none_or(|own| own.rings.is_none() && own.rest.is_none())
    }

    /// Whether a pair of features is left out. `face` is the mesh that a face is of.
    pub(crate) fn leaves_out(&self, features: FeaturePair, face: &Mesh) -> bool {
        if self.keep.is_some_and(|keep| !keep(features)) {
            return true;
        }
        let Some(own) = self.own else { return false };
        let (first, second, count, is_edges) = match features {
            FeaturePair::VertexFace { vertex, triangle, .. } => {
                ([vertex.0; 2], face.indices()[triangle.index()], 1, false)
            }
            FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => ([p.0, q.0], [r.0, s.0, s.0], 2, true),
            FeaturePair::Triangles { .. } => return false,
        };
        own.rings.as_ref().is_some_and(|rings| rings.join(&first[..count], &second))
            || own.rest.as_ref().is_some_and(|rest| rest.is_near(first, second, is_edges))
    }
}

impl Rest {
    /// Whether features are near at rest; vertices that came later are near nothing.
    fn is_near(&self, [p, q]: [u32; 2], [r, s, t]: [u32; 3], is_edges: bool) -> bool {
        let at = |vertex: u32| self.positions.get(vertex as usize).copied();
        let distance = |points: [Option<[f64; 3]>; 4]| {
            let [Some(w), Some(x), Some(y), Some(z)] = points else { return f64::INFINITY };
            let points = [w, x, y, z];
            if is_edges { edge_edge(points) } else { vertex_face(points) }.squared.sqrt()
        };
        let points = if is_edges { [p, q, r, s] } else { [p, r, s, t] };
        distance(points.map(at)) < self.distance
    }
}
