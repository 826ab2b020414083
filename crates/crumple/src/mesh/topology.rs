//! What the triangles of a mesh have to do with one another, read off its edges.
//!
//! All directed edges are sorted by their two ends; the uses of one edge then lie side by side. An edge from a vertex
//! to itself (a triangle with a repeated vertex) joins nothing and is left out; the two other edges of such a triangle
//! run back and forth and cancel. Cost: O(n log n) once per mesh.

use super::live::Live;
use crate::geom::{TriangleId, VertexId};

/// One use of an edge by a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EdgeUse {
    low: u32,
    high: u32,
    triangle: u32,
    /// Whether the triangle runs along the edge from `low` to `high`.
    forward: bool,
}

fn sorted_edges(triangles: &[[u32; 3]], live: &Live) -> Vec<EdgeUse> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (triangle, vertices) in (0..).zip(triangles).filter(|&(triangle, _)| live.holds(triangle)) {
        for corner in 0..3 {
            let (from, to) = (vertices[corner], vertices[(corner + 1) % 3]);
            if from != to {
                edges.push(EdgeUse { low: from.min(to), high: from.max(to), triangle, forward: from < to });
            }
        }
    }
    edges.sort_unstable();
    edges
}

/// The triangles that share an edge with each triangle.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// Where the neighbours of each triangle start; one entry more than there are triangles.
    starts: Vec<u32>,
    neighbours: Vec<TriangleId>,
}

impl Adjacency {
    pub(super) fn of(triangles: &[[u32; 3]], live: &Live) -> Self {
        let mut links = Vec::with_capacity(3 * triangles.len());
        for uses in sorted_edges(triangles, live).chunk_by(|e, f| (e.low, e.high) == (f.low, f.high)) {
            for a in uses {
                links.extend(uses.iter().filter(|b| b.triangle != a.triangle).map(|b| (a.triangle, b.triangle)));
            }
        }
        links.sort_unstable();
        links.dedup();
        let mut starts = vec![0; triangles.len() + 1];
        for &(triangle, _) in &links {
            starts[triangle as usize + 1] += 1;
        }
        for triangle in 0..triangles.len() {
            starts[triangle + 1] += starts[triangle];
        }
        Self { starts, neighbours: links.into_iter().map(|(_, neighbour)| TriangleId(neighbour)).collect() }
    }

    /// The triangles that share an edge with `triangle`, in order; none for a triangle that is not there.
    pub fn neighbours(&self, triangle: TriangleId) -> &[TriangleId] {
        let at = triangle.0 as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&end)) => &self.neighbours[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// How many edges break a rule, and the first of them in the order of the triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[non_exhaustive]
pub struct Topology {
    /// Edges that belong to an odd number of triangles: the surface ends or branches there.
    pub open: Option<EdgeFault>,
    /// Edges of more than two triangles.
    pub non_manifold: Option<EdgeFault>,
    /// Edges of exactly two triangles that run along them in the same direction: one of the two is turned over.
    pub misoriented: Option<EdgeFault>,
    /// Edges that triangles do not run along equally often in both directions: what keeps a surface from enclosing a
    /// volume. Open and misoriented edges are among them.
    pub unbalanced: Option<EdgeFault>,
}

impl Topology {
    pub(super) fn of(triangles: &[[u32; 3]], live: &Live) -> Self {
        let mut found = Self::default();
        for uses in sorted_edges(triangles, live).chunk_by(|e, f| (e.low, e.high) == (f.low, f.high)) {
            let forward = uses.iter().filter(|edge| edge.forward).count();
            let backward = uses.len() - forward;
            // Uses are sorted by triangle, so the first is the one to name.
            note(&mut found.open, uses.len() % 2 == 1, uses[0]);
            note(&mut found.non_manifold, uses.len() > 2, uses[0]);
            note(&mut found.misoriented, uses.len() == 2 && forward != backward, uses[0]);
            note(&mut found.unbalanced, forward != backward, uses[0]);
        }
        found
    }

    /// Whether the surface has no border: every edge belongs to an even number of triangles.
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Whether no edge belongs to more than two triangles.
    pub fn is_manifold(&self) -> bool {
        self.non_manifold.is_none()
    }

    /// Whether no two neighbours are turned against each other.
    pub fn is_oriented(&self) -> bool {
        self.misoriented.is_none()
    }

    /// Whether the surface encloses a volume: along every edge as many triangles run one way as the other.
    pub fn is_solid(&self) -> bool {
        self.unbalanced.is_none()
    }
}

fn note(fault: &mut Option<EdgeFault>, breaks: bool, edge: EdgeUse) {
    if !breaks {
        return;
    }
    let count = 1 + fault.map_or(0, |earlier| earlier.count);
    let (from, to) = if edge.forward { (edge.low, edge.high) } else { (edge.high, edge.low) };
    let (from, to) = (VertexId(from), VertexId(to));
    let this = EdgeFault { count, triangle: TriangleId(edge.triangle), from, to };
    // Edges come in the order of their ends; the one to name is that of the lowest triangle.
    *fault = Some(match *fault {
        Some(earlier) if earlier.triangle <= this.triangle => EdgeFault { count, ..earlier },
        _ => this,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_tetrahedron_is_closed_manifold_and_oriented() {
        assert_eq!(Topology::of(&TETRAHEDRON, &Live::default()), Topology::default());
        assert_eq!(
            Adjacency::of(&TETRAHEDRON, &Live::default()).neighbours(TriangleId(0)),
            [TriangleId(1), TriangleId(2), TriangleId(3)]
        );
    }

    #[test]
    fn a_missing_triangle_opens_the_surface_at_its_three_edges() {
        let topology = Topology::of(&TETRAHEDRON[1..], &Live::default());
        assert_eq!(
            topology.open,
            Some(EdgeFault { count: 3, triangle: TriangleId(0), from: VertexId(0), to: VertexId(1) })
        );
        assert!(!topology.is_closed() && !topology.is_solid() && topology.is_manifold() && topology.is_oriented());
    }

    #[test]
    fn a_triangle_turned_over_is_named_by_its_edges() {
        let mut turned = TETRAHEDRON;
        turned[2].swap(0, 1);
        let topology = Topology::of(&turned, &Live::default());
        assert!(topology.is_closed() && !topology.is_oriented());
        assert_eq!(topology.misoriented.map(|fault| (fault.count, fault.triangle)), Some((3, TriangleId(0))));
    }

    #[test]
    fn a_fin_makes_an_edge_branch() {
        let topology = Topology::of(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]], &Live::default());
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
        let topology = Topology::of(&with_sliver, &Live::default());
        assert!(topology.is_closed() && topology.is_solid());
    }
}
