//! What the triangles of a mesh have to do with one another, read off the uses of its edges.

use super::half_edges::HalfEdges;
use super::lists::Lists;
use crate::geom::{TriangleId, VertexId};

/// The triangles that share an edge with each triangle, in order.
pub(super) fn neighbours(triangle_count: usize, half_edges: &HalfEdges) -> Lists<TriangleId> {
    let mut links = Vec::with_capacity(3 * triangle_count);
    for uses in half_edges.uses() {
        let triangles = uses.iter().map(|half_edge| half_edge / 3);
        for a in triangles.clone() {
            links.extend(triangles.clone().filter(|&b| b != a).map(|b| (a, b)));
        }
    }
    links.sort_unstable();
    links.dedup();
    Lists::of(triangle_count, links.iter().map(|&(triangle, other)| (triangle, TriangleId(other))))
}

/// How many edges break a rule, and the first of them in the order of the triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EdgeFault {
    /// How many edges break the rule.
    pub count: usize,
    /// The first triangle with such an edge.
    pub triangle: TriangleId,
    /// The vertex the edge starts from, as that triangle runs.
    pub from: VertexId,
    /// The vertex it ends at.
    pub to: VertexId,
}

/// Whether a surface is closed, manifold and consistently oriented, and where it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Topology {
    /// Edges that belong to an odd number of triangles: the surface ends or branches there.
    pub open: Option<EdgeFault>,
    /// Edges of more than two triangles.
    pub non_manifold: Option<EdgeFault>,
    /// Edges of exactly two triangles that run along them in the same direction: one of the two is turned over.
    pub misoriented: Option<EdgeFault>,
    /// Edges along which more triangles run one way than the other: a surface that has any encloses no volume. Open and
    /// misoriented edges are among them.
    pub unbalanced: Option<EdgeFault>,
}

impl Topology {
    /// Of triangles, by their edges.
    pub(super) fn of(triangles: &[[u32; 3]], half_edges: &HalfEdges) -> Self {
        let mut found = Self::default();
        for uses in half_edges.uses() {
            let runs = |&half_edge: &u32| {
                let (corners, k) = (triangles[half_edge as usize / 3], half_edge as usize % 3);
                (corners[k], corners[(k + 1) % 3])
            };
            let forward = uses.iter().map(runs).filter(|(from, to)| from < to).count();
            let backward = uses.len() - forward;
            // Uses are sorted by triangle, so the first is the one to name.
            let first = (TriangleId(uses[0] / 3), runs(&uses[0]));
            note(&mut found.open, uses.len() % 2 == 1, first);
            note(&mut found.non_manifold, uses.len() > 2, first);
            note(&mut found.misoriented, uses.len() == 2 && forward != backward, first);
            note(&mut found.unbalanced, forward != backward, first);
        }
        found
    }

    /// Whether the surface has no border: every edge belongs to an even number of triangles.
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Whether the surface encloses a volume: along every edge as many triangles run one way as the other.
    pub fn is_solid(&self) -> bool {
        self.unbalanced.is_none()
    }
}

fn note(fault: &mut Option<EdgeFault>, breaks: bool, (triangle, (from, to)): (TriangleId, (u32, u32))) {
    if !breaks {
        return;
    }
    let count = 1 + fault.map_or(0, |earlier| earlier.count);
    let this = EdgeFault { count, triangle, from: VertexId(from), to: VertexId(to) };
    // Edges come in the order of their ends; the one to name is that of the lowest triangle.
    *fault = Some(match *fault {
        Some(earlier) if earlier.triangle <= this.triangle => EdgeFault { count, ..earlier },
        _ => this,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    fn topology(triangles: &[[u32; 3]]) -> Topology {
        Mesh::new(5, triangles.to_vec()).unwrap().topology().clone()
    }

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_tetrahedron_is_closed_manifold_and_oriented() {
        assert_eq!(topology(&TETRAHEDRON), Topology::default());
        assert_eq!(
            Mesh::new(4, TETRAHEDRON.to_vec()).unwrap().neighbours(TriangleId(0)),
            [TriangleId(1), TriangleId(2), TriangleId(3)]
        );
    }

    #[test]
    fn a_missing_triangle_opens_the_surface_at_its_three_edges() {
        let topology = topology(&TETRAHEDRON[1..]);
        assert_eq!(
            topology.open,
            Some(EdgeFault { count: 3, triangle: TriangleId(0), from: VertexId(0), to: VertexId(1) })
        );
        assert!(!topology.is_closed() && !topology.is_solid() && topology.non_manifold.is_none());
        assert_eq!(topology.misoriented, None);
    }

    #[test]
    fn a_triangle_turned_over_is_named_by_its_edges() {
        let mut turned = TETRAHEDRON;
        turned[2].swap(0, 1);
        let topology = topology(&turned);
        assert!(topology.is_closed() && topology.misoriented.is_some());
        assert_eq!(topology.misoriented.map(|fault| (fault.count, fault.triangle)), Some((3, TriangleId(0))));
    }

    #[test]
    fn a_fin_makes_an_edge_branch() {
        let topology = topology(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert_eq!(
            topology.non_manifold.map(|fault| (fault.count, fault.from, fault.to)),
            Some((1, VertexId(0), VertexId(1)))
        );
        assert!(!topology.is_closed());
    }

    #[test]
    fn a_triangle_with_a_repeated_vertex_neither_opens_nor_closes_anything() {
        let mut with_sliver = TETRAHEDRON.to_vec();
        with_sliver.push([1, 1, 2]);
        let topology = topology(&with_sliver);
        assert!(topology.is_closed() && topology.is_solid());
    }
}
